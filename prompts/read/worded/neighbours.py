"""The numbers of one token and of the next, by their indices: r_5, V_5, V_6, A_6 are r_t, V_t, V_{t+1}, A_{t+1}."""

from __future__ import annotations

import re

_INDEXED = re.compile(
    r"(?<![A-Za-z])(?P<of>(?-i:[rVARG])|δ|delta)_?(?:\{(?P<a>\d{1,3})\}|\[(?P<b>\d{1,3})\]"
    r"|(?<=_)(?P<c>\d{1,3})(?![\d.]))"
)
_ANY_INDEX = re.compile(r"_\{?t\b|t ?\+ ?1|_\{?T\b")
_NEXT = ("V", "A", "R", "G")


def of_one_token(body: str) -> str:
    """The words with t and t + 1 for two indices that follow one another; unchanged where more or others are named."""
    found = list(_INDEXED.finditer(body))
    indices = sorted({_index(x) for x in found})
    if not 1 <= len(indices) <= 2 or indices[-1] > indices[0] + 1:
        return body
    later = [x["of"] for x in found if _index(x) > indices[0]]
    if _ANY_INDEX.search(body) or not {*later} <= {*_NEXT}:
        return body
    return _INDEXED.sub(lambda x: f"{x['of']}_{'t' if _index(x) == indices[0] else '{t+1}'}", body)


def _index(found: re.Match[str]) -> int:
    return int(found["a"] or found["b"] or found["c"])
