"""λ from 0 to 1 in steps of 0.25: a range written in words."""

from __future__ import annotations

import re

from engine.scenario import LONGEST

_N = r"(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})"
_RANGE = re.compile(
    rf"(?:λ|\blam(?:bda|da)?s?\b)[^\d.\n]{{0,16}}{_N} ?(?:to|until|through|up to|到|至|~|-|\.{{2,3}}|…) ?{_N}"
    r"[^\d.\n]{0,16}(?:\bin(?= [\d.]+ ?-?steps?\b)|step|steps of|by|increments?|步长|间隔|每隔|每次|interval|每)"
    rf"[^\d.\n]{{0,8}}{_N}",
    re.IGNORECASE,
)


def lam_ranges(text: str) -> tuple[list[float], str]:
    """The values of λ that a range names, and the text with the range blanked."""
    found = _RANGE.search(text)
    if found is None:
        return [], text
    low, high, step = (float(part) for part in found.groups())
    if not step > 0 or not low < high or (high - low) / step > LONGEST:
        return [], text
    count = int((high - low) / step + 1e-9) + 1
    values = [round(low + k * step, 9) for k in range(count)]
    return values, text[: found.start()] + " " * (found.end() - found.start()) + text[found.end() :]
