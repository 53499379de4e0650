"""How a statement is made of its units: what is supposed, what is concluded, and whether of all, of some or of none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.signs import Stands
from prompts.read.sign_units import Change, Unit, of_gradient

_ASKED = re.compile(r"[吗么]\W*$|[?？]\W*$")
_TAG = re.compile(r"(?:right|correct|no|true|agree|it|they|对吧|对吗|是吧)\s*[?？]\W*$", re.IGNORECASE)
_WHENEVER = re.compile(r"\balways\b(?! the same)|只要|\bwhenever\b|\bas long as\b|\bas soon as\b|凡是", re.IGNORECASE)
_AT_MOST = re.compile(r"不会|不可能|不能|至多|最多|至少|最少|上限|never|at most|at least|cannot|can't", re.IGNORECASE)
_OF_ONE = re.compile(r"(?:这|某|那|哪)个 ?token|\b(?:a|this|that|the|my) token|\bmy\b|这个优势", re.IGNORECASE)


class Mode(NamedTuple):
    said: str  # plain, always, can
    negated: bool  # what was said is that it is not so
    outer: bool  # … or that it is not so said


@dataclass(frozen=True)
class Arranged:
    conditions: tuple[Stands | Change, ...]
    conclusion: Unit
    first: int  # the pieces that go with the conclusion
    last: int


def arrange(units: Sequence[Unit], codes: str) -> Arranged | None:
    """The conclusion is the last unit, or the one before an "if"."""
    ifs = [i for i, code in enumerate(codes) if code == "I"]
    if len(ifs) > 1:
        return None
    if len(units) > 1 and codes[units[-1][1]] == "o" and "," not in codes[units[-2][1] : units[-1][0]]:
        units = [units[-1], *units[:-1]]  # … outside the range
    behind = bool(ifs) and _behind(units, codes, ifs[0])
    before = [unit for unit in units if not behind or unit[1] < ifs[0]]
    after = [unit for unit in units if behind and unit[0] > ifs[0]]
    if len(before) > 1 and codes[: before[-1][0]].endswith("a"):
        if before[-2][2] != before[-1][2]:
            return None
        before = before[:-1]
    follows = len(before) > 1 and before[-2][1] < before[-1][0]
    return Arranged(
        (*(unit for *_, unit in after), *(unit for *_, unit in before[:-1])),
        before[-1],
        before[-2][1] + 1 if follows else 0,
        ifs[0] if behind else len(codes),
    )


def asks(sentence: str) -> bool:
    return _ASKED.search(sentence) is not None and _TAG.search(sentence) is None


def _behind(units: Sequence[Unit], codes: str, at: int) -> bool:
    after = [unit for unit in units if unit[0] > at]
    if any(start < at < end for start, end, _ in units):
        return False
    apart = len(after) > 1 and "," in codes[after[0][1] : after[-1][0]]
    return bool(after) and len(after) < len(units) and not apart


def mode(arranged: Arranged, codes: str, sentence: str) -> Mode | None:
    unit = arranged.conclusion[2]
    plainly = isinstance(unit, Change) or of_gradient(unit) or "惩罚" in sentence or "penalty" in sentence
    mine = codes[arranged.first : arranged.last].replace("w", "!" if plainly else "V")
    others = codes[: arranged.first] + codes[arranged.last :]
    asked, of_one = asks(sentence), _OF_ONE.search(sentence) is not None
    every = "E" in (codes if of_gradient(unit) else mine) and not asked
    meant_of_all = not asked and not (of_one and "W" in mine)
    bounded = meant_of_all and isinstance(unit, Stands) and _bounds(arranged.conclusion, codes, sentence)
    firmly = "A" in codes or _WHENEVER.search(sentence) is not None or every or bounded
    firmly |= bool(set(mine) & set("AVU" if plainly else "AVUMY"))
    said_as = "can" if "C" in mine else "always" if firmly else "plain"
    mine, said_as = _of_turning(mine, said_as, firmly=firmly, of_one=of_one)
    if set(others) & set("VUCY!w") or not _consistent(mine, every=every):
        return None
    return Mode(said_as, bool(set(mine) & set("V!")), bool(set(mine) & set("UY")))


def _of_turning(mine: str, said_as: str, *, firmly: bool, of_one: bool) -> tuple[str, str]:
    """That a sign is not kept is said of some, that it is turned of some, that it is not turned of all."""
    if "!" in mine and set("ki") & set(mine) and "f" not in mine:
        return mine.replace("!", "U"), said_as
    if "f" in mine and "!" in mine and not firmly:
        return mine, "always"
    return mine, "can" if "f" in mine and said_as == "plain" and not of_one else said_as


def _consistent(mine: str, *, every: bool) -> bool:
    nots, refused = mine.count("!"), sum(code in "UYV" for code in mine)
    can = "C" in mine
    doubled = nots + refused > 1 or (can and bool(set(mine) & set("AVUY")))
    return not doubled and not (every and nots)


def _bounds(unit: Unit, codes: str, sentence: str) -> bool:
    """Whether the words mean it of all: at least, of one sign, keeps its sign."""
    own = set(codes[unit[0] : unit[1] + 1])
    if "f" in own:
        return False
    return "i" in own or "W" in own or (bool(own & set("GH")) and _AT_MOST.search(sentence) is not None)
