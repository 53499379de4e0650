"""How wide a table is on a phone, and how one that is too wide is cut into several below one another."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence

from prompts.tell.rows import RELATED, width

WIDEST = 26.4  # em of a table's letters that a phone shows beside one another
GAP = 0.6  # em between two columns
FEW = 4  # Chinese signs that stay together in a head
_FORMULA = re.compile(r"\\\((.+?)\\\)")
_FORMULAS_ARE_LARGER = 1.21
_NARROW = dict.fromkeys(".,:;'|!()[] -−", 0.35)
_LATIN, _BOLD = 0.64, 1.05


def columns(head: Sequence[str], body: Sequence[Sequence[str]], keys: int) -> list[list[int]]:
    """Which columns stand together: as few tables as a phone takes, each with the first columns, as even as can be."""
    widths = [GAP + max(_of_words(name) * _BOLD, _widest(row[i] for row in body)) for i, name in enumerate(head)]
    widths[0] = GAP + max(map(_of_words, (head[0], *(row[0] for row in body))))
    room = WIDEST - sum(widths[:keys])
    others = list(range(keys, len(head)))
    for count in range(1, len(others)):
        size = -(-len(others) // count)
        found = [others[i : i + size] for i in range(0, len(others), size)]
        if all(sum(widths[i] for i in part) <= room for part in found):
            return [[*range(keys), *part] for part in found]
    return [[*range(keys), i] for i in others]


def _widest(cells: Iterable[str]) -> float:
    return max(map(em, cells), default=0.0)


def _of_words(written: str) -> float:
    """The longest word, where the others may go on below."""
    plain = html.unescape(_FORMULA.sub("", written))
    formulas = [side for one in _FORMULA.findall(written) for side in RELATED.split(one)]
    words = plain.split() if plain.isascii() else [plain[:FEW]]
    return max([0.0, *map(em, words), *(width(one) * _FORMULAS_ARE_LARGER for one in formulas)])


def em(written: str) -> float:
    """About how many em a cell takes in one line."""
    formulas = sum(width(inside) * _FORMULAS_ARE_LARGER for inside in _FORMULA.findall(written))
    return formulas + sum(map(_of_sign, html.unescape(_FORMULA.sub("", written))))


def _of_sign(sign: str) -> float:
    return 1.0 if unicodedata.east_asian_width(sign) in "WF" else _NARROW.get(sign, _LATIN)
