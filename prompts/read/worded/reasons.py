"""A reckoning that is given as the reason of a figure: because 10·0.05 = 0.5."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

from prompts.read.worded.arithmetic import reckoned
from prompts.read.worded.figure import U, figures

ROUNDED = 0.005  # of the number: what was rounded on the way
_TERM = rf"\(?-?{U}\)?"
_SUM = rf"{_TERM}(?:(?: ?[-+*/×·÷^] ?| ?\*\* ?){_TERM}){{1,8}}"
_SAYS = rf"(?P<sum>{_SUM}) ?(?:=|≈|is(?: about)?|equals|等于|约为|是|得) ?(?P<said>-?{U})(?!\d|\.\d| ?[-+*/×·^])"
_BECAUSE = r"(?:\bbecause\b|\bsince\b|\bas\b|\bthat is\b|\bi\.e\.|\bnamely\b|因为|由于|毕竟|即)"
_BEHIND = re.compile(rf"[,，(:;]? ?{_BECAUSE} ?{_SAYS} ?\)?(?=\s*(?:$|[,，.。;)]))", re.IGNORECASE)
_BEFORE = re.compile(rf"{_BECAUSE} ?{_SAYS} ?[,，]? ?(?:\bso\b|\bhence\b|所以|因此|那么)?", re.IGNORECASE)


class Reason(NamedTuple):
    """What it comes to, and whether that is what it is said to come to."""

    value: Fraction
    holds: bool

    def gives(self, x: Any) -> bool:
        """Whether a number is reckoned by it, and not only near to it."""
        return self.holds and abs(float(self.value) - float(x)) <= ROUNDED * abs(float(x))


def without_reason(text: str) -> tuple[str, Reason | None]:
    """The text without its one reckoned reason."""
    found = _BEHIND.search(text) or _BEFORE.search(text)
    if found is None:
        return text, None
    value = reckoned(found["sum"])
    said = next(iter(figures(f" {found['said']} ")), None)
    if value is None or said is None:
        return text, None
    return f"{text[: found.start()]} {text[found.end() :]}", Reason(value, said.agrees(value))
