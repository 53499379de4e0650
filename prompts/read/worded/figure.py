"""A stated figure: a number, a fraction, a power, a percentage, a multiple of A; and whether a computed one is it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from prompts.read.numbers.numerals import decimals_shown
from prompts.read.worded.arithmetic import reckoned

ROUNDING = 1e-9
LOOSE = 0.02  # of a whole number that is only about right
ROUGH = 0.1  # of a fraction: about a third
U = r"(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
_OPERATION = rf"(?: ?(?:\^|\*\*) ?\(?\{{?-?{U}\}}?\)?|/{U}(?![\d.])| ?[×*·] ?\(?-?{U}\)?| [-+] {U})"
NUMERAL = re.compile(
    rf"(?<![A-Za-z0-9_.^])(?P<about>(?:about|around|roughly|approximately|nearly|≈|~|约为|大约|大概|近似|接近|约"
    rf"|差不多)"
    rf"(?:是|为|等于)? ?)?(?P<sign>[-+±]|\+/- ?|正负 ?)?(?P<run>{U}(?P<percent> ?%| ?percent\b)?{_OPERATION}{{0,6}})"
    r"(?P<times> ?(?:[×*·]|times(?: the)?|倍的?)? ?(?:A(?![A-Za-z])|advantage\b|优势))?"
    r"(?![A-Za-z0-9_]|\.\d|-(?:bit|th)| ?个)",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"(?:about|around|roughly|approximately|nearly|≈|~|约|大约|大概|差不多|近似)[^\d,，。]{0,6}$", re.IGNORECASE
)
_MORE = re.compile(
    r"(?:>|\b(?:above|over|exceeds?|(?:larger|greater|bigger|higher|more) than)|大于|高于|超过|多于) ?$", re.IGNORECASE
)
_LESS = re.compile(
    r"(?:<|\b(?:below|under|(?:smaller|less|lower|fewer) than)|小于|低于|少于|不到|不足) ?$", re.IGNORECASE
)


@dataclass(frozen=True)
class Figure:
    """decimals: None where it is exact as it is written (a fraction, a power)."""

    value: Fraction
    decimals: int | None
    shown: str
    start: int
    end: int
    about: bool = False
    both: bool = False  # ±
    times: bool = False  # so many times A
    relation: str = ""  # > or <: more or less than it

    def agrees(self, x: Any) -> bool:
        """Whether a computed number is this one, at the digits shown."""
        if self.relation:
            return float(x) > float(self.value) if self.relation == ">" else float(x) < float(self.value)
        own, said = (abs(float(x)) if self.both else float(x)), float(self.value)
        apart, rounding = abs(own - said), ROUNDING * max(1.0, abs(said))
        if self.tolerance and abs(apart - self.tolerance) <= rounding and not self.about:
            return abs(said) > abs(own) or int(abs(said) * 10 ** (self.decimals or 0) + 0.5) % 2 == 0
        return apart <= self.tolerance + rounding

    @property
    def tolerance(self) -> float:
        if self.decimals is None:
            return float(abs(self.value)) * ROUGH if self.about else 0.0
        if self.decimals:
            return 0.5 * 10.0**-self.decimals
        return max(0.05, float(abs(self.value)) * LOOSE) if self.about else 0.0


def figures(body: str) -> list[Figure]:
    """Every numeral that is left, in the order of the text."""
    return [one for found in NUMERAL.finditer(body) if (one := _figure(body, found)) is not None]


def _figure(body: str, found: re.Match[str]) -> Figure | None:
    written = found["run"].replace("{", "").replace("}", "").replace(" percent", "%").replace(" %", "%")
    sign = found["sign"] or ""
    value = reckoned(f"-{written}" if sign == "-" else written)  # the sign of its first number
    if value is None:
        return None
    single = re.fullmatch(rf"{U}%?", written) is not None
    shown = decimals_shown(written) if single else None
    start = found.start("sign") if sign else found.start("run")
    return Figure(
        value,
        shown,
        found.group()[start - found.start() :].strip(),
        start,
        found.end(),
        about=bool(found["about"] or _HEDGED.search(body[: found.start()])),
        both=sign not in ("", "-", "+"),
        times=bool(found["times"]),
        relation=">" if _MORE.search(body[: found.start()]) else "<" if _LESS.search(body[: found.start()]) else "",
    )


def blank(body: str, start: int, end: int) -> str:
    """The text with a piece of it taken out; everything else stays where it is."""
    return body[:start] + " " * (end - start) + body[end:]


def without(body: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        body = blank(body, start, end)
    return body
