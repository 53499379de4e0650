"""How many tokens a sheet has, where its subscripts count from, and lists laid out over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.errors import EngineError
from prompts.read.numbers.sheet.cell import Cell, Series

BLANK_IS_ZERO = frozenset(["rewards", "scores", "mask"])


@dataclass(frozen=True)
class Tokens:
    count: int
    first: int  # the subscript of the first

    def placed(self, one: Series) -> list[Cell | None]:
        """Numbers with subscripts, each at its token; None where none is stated."""
        row: list[Cell | None] = [None] * self.count
        first = one.indices[0] if _unbroken(one) and len(one.cells) == self.count else self.first
        for t, x in zip(one.indices, one.cells, strict=True):
            if 0 <= t - first < self.count:
                row[t - first] = x
        return row

    def whole(self, one: Series, name: str) -> list[float]:
        """A list to compute with. Without a reward there is none; what is told from a later token on begins there."""
        cells = self.placed(one) if one.indices else list(one.cells)
        if len(cells) == self.count + 1 and cells[-1] is not None and cells[-1].value == 0:
            cells = cells[:-1]  # the value after the end
        gaps = [t for t, x in enumerate(cells) if x is None and t >= self.begins([one])]
        if gaps and name not in BLANK_IS_ZERO:
            raise EngineError("missing", field=name, position=(gaps[0],))
        return [0.0 if x is None else x.value for x in cells]

    def begins(self, lists: Iterable[Series]) -> int:
        """The first token of which all of them tell."""
        rows = (self.placed(one) for one in lists if one.indices)
        return max((next((t for t, x in enumerate(row) if x is not None), 0) for row in rows), default=0)


def _unbroken(one: Series) -> bool:
    """Whether the subscripts go on without a gap."""
    return bool(one.indices) and one.indices == tuple(range(one.indices[0], one.indices[0] + len(one.indices)))


def tokens(choice: Mapping[str, Series], given: Collection[str], again: Iterable[Series] = ()) -> tuple[Tokens, ...]:
    """As the lists say that are computed with, else the other lists, else the subscripts; where the subscripts leave
    open whether they count from 0 or from 1, both. again: what is stated once more."""
    inputs = [len(choice[name].cells) for name in given if not choice[name].indices]
    listed = inputs or [len(one.cells) for one in choice.values() if not one.indices]
    subscripts = [t for one in (*choice.values(), *again) for t in one.indices]
    if listed:
        count = Counter(listed).most_common(1)[0][0]
        if not subscripts or 0 in subscripts:
            return (Tokens(count, 0),)
        return (Tokens(count, 1),) if max(subscripts) == count else (Tokens(count, 0), Tokens(count, 1))
    lengths = {len(one.cells) for one in choice.values()}
    if len(lengths) == 1 and all(map(_unbroken, choice.values())):
        return (Tokens(lengths.pop(), min(t for one in choice.values() for t in one.indices)),)  # R_1 may follow G_0
    first = 1 if min(subscripts, default=0) == 1 else 0
    return (Tokens(max(subscripts, default=-1) + 1 - first, first),)
