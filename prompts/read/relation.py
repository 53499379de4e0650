"""An equation between quantities that a sentence states; read only as a whole.

The sentence is cut into expressions and the words of relation.toml. A word that stands in neither ends the reading:
what is half understood is nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import equalities
from engine.drawn import Where
from engine.equalities import Equality
from prompts.read.asserting import assertions
from prompts.read.equating import Item, equating
from prompts.read.expressions import expressions
from prompts.read.formulas import spelt_out
from prompts.read.polarity import said
from prompts.read.settled import RATES, settled
from prompts.read.steps import finds_none, step

_FILE = Path(__file__).with_name("relation.toml")
_NOT = re.compile(r"n't\b")
_GIVEN = re.compile(r"\w+\s*=\s*\[[^\]]*\]")  # a list of numbers
_GAE = re.compile(
    r"(?:^\W*|(?<=[,，])\s*)(?:the )?GAE(?=\s*(?:=|is\b|and\b|equals|reduces|等于|就是|退化|[和与跟] ?[A-Z(]))",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?<=[\w)}\]])−(?=[A-Za-z(\\Σδγλ])|(?<![A-Za-z])(?<=[VRGQA])[-](?=[VRGQA](?![A-Za-z]))")
_GLUED = re.compile(r"(?<=_[0-9t])-(?=[A-Za-zΣδγλ(])|(?<=[}\])])-(?=[A-Za-zΣδγλ(])")  # G_0-V_0
_UNSAID = re.compile(  # what is spoken of are not the quantities, or not all of it
    r"(?<!一)个数|数目|长度|形状|\b(?:shape|length|number of|moving)\b"
    r"|\bno say\b|, not |而是|不打折|折后|有的|\.\.\.|数就|都对\W*$|T ?- ?t\b|\bequal\W+\w+,"
    r"|\b(?:made|computed|built|derived|calculated) from\b|(?:最后|last)[^,，]*(?:最后|last)"
)
_MIXED = re.compile(  # Dr. GRPO divides by nothing; the deltas sum to an excess that is discounted or not
    r"\bdr\.? ?grpo|\bGAE ?\(|Â|\\hat|(?:δ|delta|\btd\b).*(?:超额|总奖励|total excess|total reward)"
    r"|(?:超额|总奖励|total excess|total reward).*(?:δ|delta|\btd\b)",
    re.IGNORECASE,
)
_CANCELS = re.compile(r"剩|\b(?:left|remains?)\b")
_ASKED = re.compile(r"[吗么]\W*$|(?<!吧)[?？]\W*$|是不是|会不会|是否|^\W*(?:do|does|is|are)\b", re.IGNORECASE)
_DEFINED = re.compile(r"定义|\bdefin|:=|算(?:出|得)来?的|\b(?:computed|calculated)\b")
_LISTED = re.compile(  # x_0 + x_1 + … + x_{T−1}
    r"(?P<x>\\?[A-Za-zδ]+)_\{?0\}?\s*\+\s*(?P=x)_\{?1\}?\s*\+\s*"
    r"(?:…|⋯|\.{2,}|\\[lc]?dots)\s*\+\s*(?P=x)_\{?\(?[TN]\s*-\s*1\)?\}?"
)


@dataclass(frozen=True)
class Stated:
    """A relation, whether its failure was claimed, and whether it was claimed of all settings or of some."""

    relation: Equality
    denied: bool
    every: bool = False
    some: bool = False
    only: bool = False  # there and nowhere else
    asked: bool = False


@cache
def _words() -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?P<{name}>{'|'.join(patterns)})" for name, patterns in table.items()), re.IGNORECASE)


@step(finds_none)
def relation(message: str) -> Stated | None:
    """The one equation that a message claims, or asks to be confirmed."""
    sentences = assertions(_MINUS.sub(" - ", message))
    return _stated(sentences[0]) if len(sentences) == 1 and not _MIXED.search(message) else None


def _stated(sentence: str) -> Stated | None:
    apart = said(spelt_out(_NOT.sub(" not", sentence)))
    plain = _GLUED.sub(" - ", _GIVEN.sub(" ", apart.stated))
    text, where = settled(_GAE.sub("A", _LISTED.sub(r"Σ \g<x>_t", plain)))
    items = None if where is None or apart.contrasted or _UNSAID.search(text) else _items(text)
    if items is None or where is None:
        return None
    if not where.rates:
        items = [item._replace(kind="fill") if item.text == "才" else item for item in items]
    kinds = [item.kind for item in items]
    left = _trimmed([item for item in items if item.kind not in _ASIDE])
    if any(letter in item.text for item in items if item.kind == "every" for letter in _letters(where)):
        return None
    some, every = "some" in kinds, _of_all_settings(kinds)
    turned = sum(kinds.count(kind) for kind in _TURNING) + apart.denials - kinds.count("not") * _joined(kinds)
    if turned and _never(kinds):
        some, every = True, False
    found = None if _CANCELS.search(text) else equating(left, where)
    only, defined = "only" in kinds, _DEFINED.search(text) is not None
    if found is None or (only and not where.rates) or "lastgaelam" in sentence or (defined and not _defines(found)):
        return None
    every |= "merely" in kinds or defined
    return Stated(found, turned % 2 == 1, every and not some, some, only, _ASKED.search(sentence) is not None)


def _letters(where: Where) -> list[str]:
    """γ and λ, those of them that something was said of."""
    return [letter for letter, name in RATES.items() if name in dict(where.rates)]


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


def _defines(found: Equality) -> bool:
    """Whether an equation is how its left side is defined; of the advantage there are several."""
    of_advantage = found.left.cell is not None and found.left.cell[0] == "advantages"
    return not of_advantage or "action_values" in found.quantities or not equalities.settle(found).always


def _of_all_settings(kinds: Sequence[str]) -> bool:
    """Whether "all" is said of the settings, and not of what is added up."""
    shown = [kind for kind in kinds if kind not in ("skip", "fill")]
    added = [i for i, kind in enumerate(shown) if kind == "every" and shown[i + 1 : i + 2] in (["term"], ["sums"])]
    return shown.count("every") > (len(added) if "sums" in shown else 0)


def _trimmed(items: list[Item]) -> list[Item]:
    """Without what joined two settings: "λ = 0 and γ = 1"."""
    while items and items[0].kind == "and":
        items = items[1:]
    while items and items[-1].kind == "and":
        items = items[:-1]
    return items


_TURNING = ("not", "never", "differ")
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
