"""Statements about what is computed from what, in which order, and what moves what; read only as a whole.

The sentence is cut into quantities and the words of flow.toml. A word that stands in neither ends the reading. What was
read is settled by tracing the programs (engine/links.py), never by the words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine.flow import Setting
from engine.links import Link, Traced, Where, settle
from prompts.read.flow_forms import chained, going_on, linked
from prompts.read.flow_words import Clause, clause
from prompts.read.polarity import said
from prompts.read.settled import settled

LONGEST = 240  # characters
_LIKELY = re.compile(
    r"影响|依赖|取决|用|需|算|来自|得|变|动|进|参与|读|决定|喂|推|由|从|先|等|无关|[里中]|够|看|靠|只|->|→"
    r"|\b(?:affect|influenc|depend|need|us(?:e|es|ed|ing)\b|read|chang|enter|comput|calculat|deriv|obtain|com(?:e|es) "
    r"|made|built|feed|fed\b|requir|before|after|wait|input|touch|mov|alter|reach|from\b|contain|includ|in\b|independent"
    r"|goes|order|first|enough|suffic|swap|another|other|leav|ignor|look|tak)",
    re.IGNORECASE,
)
_SOLVES = re.compile(  # what can be solved for is not what it is computed from
    r"[能可]以?[^,，]*(?:反推|倒推|还原|恢复|推回)|(?:反推|倒推)不|由[^,，]*确定"
    r"|\b(?:can|could|cannot|can't|possible)\b[^,]*\b(?:recover|reconstruct|back out|backed out|invert|solve)"
    r"|\[[^\]]*(?::t|t:|:-1)|!=|≠"
)
_CUT = re.compile(r"[,，;；]")
_KL_IN_REWARD = re.compile(
    r"(?:with|if|when) (?:the )?kl(?: penalty)?(?: is)? (?:in|inside) the rewards?|use_kl_in_reward(?: ?= ?true)?"
    r"|奖励(?:里?含|里有|里?扣了?) ?kl(?:惩罚|项)?(?:时|的话)?"
    r"|kl ?(?:惩罚)?(?:是)?(?:扣在|放在|在|进)奖励里(?:时|的话)?",
    re.IGNORECASE,
)
_REWARDS_KL = re.compile(
    r"(?:the )?kl(?: penalty)? (?:in|inside) the rewards?|the rewards?'s? kl|(?:奖励|rewards? ?)里的? ?kl(?:惩罚|项)?",
    re.IGNORECASE,
)
_NO_KL = re.compile(
    r"(?:when |if |with |at )?β ?(?:=|is|为|取|等于)? ?(?:0|零|zero)(?![.\d])(?:时|的话)?", re.IGNORECASE
)
_NO_KL_LOSS = re.compile(
    r"[且并,， ]*(?:损失|loss) ?里也?(?:不加|没有|不含) ?kl(?:惩罚|项)?(?:时|的话)?"
    r"|(?:and |, )*(?:with )?no kl (?:term )?in the loss",
    re.IGNORECASE,
)
_REST = re.compile(  # what is left over are the parameters
    r"剩下的?(?:就|只)?(?:只?是|只?有|还有)? ?γ[、和, ]*λ(?:(?:[、,]|和| )*(?:mask|掩码))?"
    r"|(?:the rest is|what is left (?:is|are)|(?:apart|aside) from|besides|up to) (?:only |just )?γ(?:,| and|, and)* λ"
    r"(?:(?:,| and)* (?:the )?mask)?",
    re.IGNORECASE,
)
_GRPO = re.compile(r"(?:in |with |for |under |使用|用|在)?\bgrpo(?:'s)?(?: ?[里中下的时])?", re.IGNORECASE)

_HELD = re.compile(  # changing X once Y is fixed moves Z
    r"\b(?:once|after|when|with|if|given|for) ((?:the |all )?(?:[\w-]+ ){1,3}(?:(?:are|is|being) )?(?:already )?"
    r"(?:fixed|given|settled|held(?: fixed| constant)?))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Flowing:
    """What is said, and how it was traced. All of it has to hold."""

    traced: tuple[Traced, ...]
    where: Where


def flowing(sentence: str) -> Flowing | None:
    if len(sentence) > LONGEST or not _LIKELY.search(sentence) or _SOLVES.search(sentence):
        return None
    apart = said(sentence)
    if apart.contrasted or apart.denials:
        return None
    text, where = _conditions(apart.stated)
    if where is None:
        return None
    fixed = [found[1] for found in _HELD.finditer(text)]
    parts = [*_CUT.split(_HELD.sub(" ", text)), *fixed]
    read = [clause(part) for part in parts if part.strip(" .。")]
    if not read or any(one is None for one in read):
        return None
    clauses = [one for one in read if one is not None and one.letters]
    held = [one for one in clauses if _holds_fixed(one)]
    where = replace(where, held=frozenset(name.name for one in held for name in one.named))
    links = _links([one for one in clauses if not _holds_fixed(one)])
    settled_as = [settle(link, where) for link in links or ()]
    traced = tuple(pair for pairs in settled_as if pairs is not None for pair in pairs)
    if not traced or (None in settled_as and all(pair.right is not False for pair in traced)):
        return None
    return Flowing(traced, where)


def _conditions(text: str) -> tuple[str, Where | None]:
    """The text without what it says of γ, λ, β, the KL and the estimator, and that."""
    text, rates = settled(text)
    if rates is None or rates.zero or rates.single:
        return text, None
    numbers = {name: float(x) for name, x in rates.rates}
    said_of = {*numbers, *(["lam"] if rates.inner else [])}
    text, in_reward = _KL_IN_REWARD.subn(" ", text)
    text, of_reward = _REWARDS_KL.subn(" kl ", text)
    text, none = _NO_KL.subn(" ", text)
    text, groups = _GRPO.subn(" ", text)
    if groups or re.search(r"\bgae\b|\bA_", text):
        said_of.add("estimator")
    text, rest = _REST.subn(" ", text)
    if rest:
        said_of.add("parameters")
    text = _NO_KL_LOSS.sub(" ", text) if none else text
    if in_reward or of_reward or none:
        said_of |= {"in_reward", "in_loss"}
    setting = Setting(
        gamma=numbers.get("gamma"),
        lam=numbers.get("lam"),
        beta=0.0 if none else None,
        estimator="grpo" if groups else "gae",
    )
    return text, Where(setting=setting, said=frozenset(said_of))


def _holds_fixed(one: Clause) -> bool:
    """Whether a clause says what stays as it is: "rewards fixed"."""
    return re.fullmatch(r"G?Q(?:&Q)*=?G?", one.letters) is not None and "G" in one.letters


def _links(clauses: list[Clause]) -> list[Link] | None:
    """The statements of the clauses, of one or of two together; what a clause leaves out was said in the one before."""
    found: list[Link] = []
    rest, before = clauses, Clause("", ())
    while rest:
        stages = next(((n, row) for n in range(len(rest), 0, -1) if (row := chained(_joined(rest[:n])))), None)
        if stages is not None:
            found += stages[1]
            rest, before = rest[stages[0] :], Clause("", ())
            continue
        if rest[1:] and re.match("X[MI]Q", rest[1].letters):
            rest = [rest[0]._replace(letters=rest[0].letters.replace("O", "")), *rest[1:]]
        for count in (min(2, len(rest)), 1):
            one = linked(_joined(rest[:count])) or (
                going_on(rest[0], before, found[-1]) if found and count == 1 else None
            )
            if one is not None:
                found.append(one)
                rest, before = rest[count:], rest[0]
                break
        else:
            return None
    return found


def _joined(clauses: list[Clause]) -> Clause:
    return Clause(",".join(one.letters for one in clauses), tuple(name for one in clauses for name in one.named))
