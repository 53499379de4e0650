"""A relation between quantities that a sentence states: equal, or one reaching the other; read only as a whole.

The sentence is cut into expressions and the words of relation.toml. A word that stands in neither ends the reading:
what is half understood is nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import equalities
from engine.equalities import Equality
from engine.reach import Reach
from prompts.read.asserting import assertions
from prompts.read.chain import indexed, pairs
from prompts.read.clipping import OnOneToken, on_one_token
from prompts.read.equated.reading import Equated, equated
from prompts.read.equating import equating
from prompts.read.expressions import expressions
from prompts.read.flow import Flowing, flowing
from prompts.read.formulas import spelt_out
from prompts.read.ordering import Ordered, ordered
from prompts.read.polarity import said
from prompts.read.reaching import Item, of_rates, reaching
from prompts.read.settled import settled
from prompts.read.signing import Signed, signed

_FILE = Path(__file__).with_name("relation.toml")
_NOT = re.compile(r"n't\b")
_RATIO_BESIDE = re.compile(r"[,，;；]\s*(?:where |with |其中)?\s*(?=(?:ratio|ρ)(?:_\{?t\}?)?\s*=)", re.IGNORECASE)
_GIVEN = re.compile(r"\w+\s*=\s*\[[^\]]*\]")  # a list of numbers
_GAE = re.compile(
    r"(?:^\W*|(?<=[,，])\s*)(?:the )?GAE(?=\s*(?:=|is\b|and\b|equals|reduces|等于|就是|退化|[和与跟] ?[A-Z(]))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,，;；]|\b(?:because|since)\b|(?<=\w) so (?!that\b)")
_TURNS = re.compile(  # what is said behind may be a condition, or take it back
    r"[γλ=]|\b(?:if|when|where|unless|except|provided|only|but|not|wrong|false|mistake\w*|for|at|with|in|under|lam\w*|gamma"
    r"|or|is|are|isn't|right|correct|than)\b|如果|若|当|时|除非|只|但|错|不对|例外|的话|情况|吗|是不是|假|还是|而是|不是|对不",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?<=[\w)}\]])−(?=[A-Za-z(\\Σδγλ])|(?<![A-Za-z])(?<=[VRGQA])[-](?=[VRGQA](?![A-Za-z]))")
_GLUED = re.compile(r"(?<=_[0-9t])-(?=[A-Za-zΣδγλ(])|(?<=[}\])])-(?=[A-Za-zΣδγλ(])")  # G_0-V_0
_UNSAID = re.compile(  # what is spoken of are not the quantities, or not all of it
    r"(?<!一)个数|数目|长度|形状|\b(?:shape|length|number of|moving)\b"
    r"|\bno say\b|, not |而是|不打折|折后|有的|\.\.\.|数就|都对\W*$|T ?- ?t\b|\bequal\W+\w+,"
    r"|\b(?:made|computed|built|derived|calculated) from\b|(?:最后|last)[^,，]*(?:最后|last)"
)
_OF_ONE_TOKEN = re.compile(r"(?:这|某|那|哪)个 ?token|\b(?:a|this|that|some|given) token\b|\bshould|应[该当]")
_MIXED = re.compile(  # Dr. GRPO divides by nothing; the deltas sum to an excess that is discounted or not
    r"\bdr\.? ?grpo|\bGAE ?\(|Â|\\hat|(?:δ|delta|\btd\b).*(?:超额|总奖励|total excess|total reward)"
    r"|(?:超额|总奖励|total excess|total reward).*(?:δ|delta|\btd\b)",
    re.IGNORECASE,
)
_CANCELS = re.compile(r"剩|\b(?:left|remains?)\b")
_ASKED = re.compile(r"[吗么]\W*$|(?<!吧)[?？]\W*$|是不是|会不会|是否|^\W*(?:do|does|is|are)\b", re.IGNORECASE)
_ASKED_WITHIN = re.compile(r"[?？][^?？]*\w")
_DEFINED = re.compile(r"定义|\bdefin|:=|算(?:出|得)来?的|\b(?:computed|calculated)\b")
_LISTED = re.compile(  # x_0 + x_1 + … + x_{T−1}
    r"(?P<x>\\?[A-Za-zδ]+)_\{?0\}?\s*\+\s*(?P=x)_\{?1\}?\s*\+\s*"
    r"(?:…|⋯|\.{2,}|\\[lc]?dots)\s*\+\s*(?P=x)_\{?\(?[TN]\s*-\s*1\)?\}?"
)


@dataclass(frozen=True)
class Stated:
    """A relation, whether its failure was claimed, and whether it was claimed of all settings or of some."""

    relation: Equality | tuple[Reach, ...] | OnOneToken | Ordered | Flowing | Signed
    denied: bool
    every: bool = False
    some: bool = False
    only: bool = False  # there and nowhere else
    asked: bool = False


@cache
def _words() -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?P<{name}>{'|'.join(patterns)})" for name, patterns in table.items()), re.IGNORECASE)


def relation(message: str) -> Stated | None:
    """The one relation that a message claims, or asks to be confirmed."""
    sentences = assertions(_MINUS.sub(" - ", message))
    found = None
    if len(sentences) == 1 and not _MIXED.search(message):
        found = _stated(sentences[0]) or _weakest(filter(None, map(_stated, pairs(sentences[0]))))
        found = found or _with_its_ratio(sentences[0])
    if found is None and len(sentences) == 1 and not _ASKED_WITHIN.search(message):
        found = _in_words(sentences[0])
    return found or _compared(" ".join(sentences))


def _with_its_ratio(sentence: str) -> Stated | None:
    """An equation, and behind it what the ratio in it is: both hold, or the one that does not decides."""
    read = [_stated(part) for part in _RATIO_BESIDE.split(spelt_out(sentence))]
    found = [one for one in read if one is not None]
    return (_weakest(found) or found[0]) if len(found) == len(read) > 1 else None


def _in_words(sentence: str) -> Stated | None:
    found = equated(sentence)
    return _of_words(found, sentence) if found is not None else _false_at_first(sentence)


def _of_words(found: Equated, sentence: str) -> Stated:
    asked = _ASKED.search(sentence) is not None
    return Stated(found.equality, found.denied, found.every, found.some, found.only, asked)


def _false_at_first(sentence: str) -> Stated | None:
    """What a sentence begins with, if that is false: whatever else it says, it is not true."""
    for cut in reversed([found.start() for found in _CLAUSE.finditer(sentence)]):
        if _TURNS.search(sentence[cut:]):
            return None
        words = equated(sentence[:cut])
        found = _of_words(words, sentence) if words is not None else _stated(sentence[:cut])
        if found is not None and isinstance(found.relation, Equality):
            settled_as = equalities.settle(found.relation)
            return found if not any(settled_as.where) and settled_as.always == found.denied else None
    return None


def _weakest(found: Iterable[Stated]) -> Stated | None:
    """Of several equations that are stated at once the one that holds least: that decides."""
    settled_as = [
        (equalities.settle(one.relation), one) for one in found if isinstance(one.relation, Equality) and not one.denied
    ]
    failing = sorted(((bool(how.where), k) for k, (how, _) in enumerate(settled_as) if not how.always))
    return settled_as[failing[0][1]][1] if failing else None


def _compared(text: str) -> Stated | None:
    found = on_one_token(text)
    if found is not None:
        return Stated(found, said(text).denials % 2 == 1)
    stated = ordered(text) or flowing(text) or signed(text)
    return Stated(stated, denied=False) if stated is not None else None


def _stated(sentence: str) -> Stated | None:
    apart = said(spelt_out(_NOT.sub(" not", sentence)))
    plain = _GLUED.sub(" - ", indexed(_GIVEN.sub(" ", apart.stated)))
    text, where = settled(_GAE.sub("A", _LISTED.sub(r"Σ \g<x>_t", plain)))
    items = None if where is None or apart.contrasted or _UNSAID.search(text) else _items(text)
    if items is None or where is None:
        return None
    if not where.rates:
        items = [item._replace(kind="fill") if item.text == "才" else item for item in items]
    kinds = [item.kind for item in items]
    left = _trimmed([item for item in items if item.kind not in _ASIDE])
    if any(name in dict(where.rates) for item in items if item.kind == "every" for name in of_rates(item)):
        return None
    some, every = "some" in kinds, _of_all_settings(kinds)
    turned = sum(kinds.count(kind) for kind in _TURNING) + apart.denials - kinds.count("not") * _joined(kinds)
    if turned and _never(kinds):
        some, every = True, False
    equality = None if _CANCELS.search(text) else equating(left, where)
    only = "only" in kinds and equality is not None and bool(where.rates)
    if (_restricted(kinds) and not only) or "lastgaelam" in sentence:
        return None
    unsure = _OF_ONE_TOKEN.search(text) is not None
    found = equality or (None if unsure else reaching(left, where, items))
    defined = _DEFINED.search(text) is not None
    if not found or (defined and not _defines(found)):
        return None
    every |= "merely" in kinds or defined
    turned += sum(item.kind == "alike" for item in left if isinstance(found, tuple))
    return Stated(found, turned % 2 == 1, every and not some, some, only, _ASKED.search(sentence) is not None)


def _joined(kinds: Sequence[str]) -> bool:
    """Whether two negations say the same of two: "neither X nor Y", "no X and no Y"."""
    shown = [kind for kind in kinds if kind not in ("skip", "fill")]
    return any(
        shown[i : i + 4] in (["not", "term", "and", "not"], ["not", "term", "not", "term"]) for i in range(len(shown))
    )


def _never(kinds: Sequence[str]) -> bool:
    """Whether "not" follows "always", as in 都不, and does not deny it, as in 不总是."""
    shown = [kind for kind in kinds if kind not in ("skip", "fill")]
    return any(shown[i : i + 2] == ["every", "not"] for i in range(len(shown))) or "never" in kinds


def _defines(found: Equality | tuple[Reach, ...]) -> bool:
    """Whether an equation is how its left side is defined, or none at all; of the advantage there are several."""
    if not isinstance(found, Equality):
        return all("advantages" not in reach.effect.quantities for reach in found)
    of_advantage = found.left.cell is not None and found.left.cell[0] == "advantages"
    return not of_advantage or "action_values" in found.quantities or not equalities.settle(found).always


def _of_all_settings(kinds: Sequence[str]) -> bool:
    """Whether "all" is said of the settings, and not of what is added up."""
    shown = [kind for kind in kinds if kind not in ("skip", "fill")]
    added = [i for i, kind in enumerate(shown) if kind == "every" and shown[i + 1 : i + 2] in (["term"], ["sums"])]
    return shown.count("every") > (len(added) if "sums" in shown else 0)


def _restricted(kinds: Sequence[str]) -> bool:
    """Whether "only" says more than which thing alone is changed."""
    shown = [kind for kind in kinds if kind != "skip"]
    return any(kind == "only" and (shown[i + 1 : i + 2] != ["change"] or i > 0) for i, kind in enumerate(shown))


def _trimmed(items: list[Item]) -> list[Item]:
    """Without what joined two settings: "λ = 0 and γ = 1"."""
    while items and items[0].kind == "and":
        items = items[1:]
    while items and items[-1].kind == "and":
        items = items[:-1]
    return items


_TURNING = ("not", "never", "differ", "leave")
_ASIDE = ("skip", "fill", "not", "never", "every", "some", "merely", "only")


def _items(text: str) -> list[Item] | None:
    """The sentence as expressions and known words; None if anything else stands in it."""
    found: list[Item] = []
    spans = {start: (end, term) for term, start, end in expressions(text)}
    position, words = 0, _words()
    while position < len(text):
        if position in spans:
            position, term = spans[position]
            found.append(Item("term", term=term))
            continue
        following = min((start for start in spans if start > position), default=len(text))
        match = words.match(text, position)
        if match is None or match.lastgroup != "every":
            match = words.match(text, position, following)
        if match is None or match.end() == position:
            return None
        found.append(Item(match.lastgroup or "", match.group()))
        position = match.end()
    return found
