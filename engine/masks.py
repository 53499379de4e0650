"""Masks over lists: 1 where a token counts, 0 where it does not. What stands at a 0 is never looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.errors import EngineError
from engine.ops import Number
from engine.sequences import Row

Mask: TypeAlias = Sequence[Any]  # 0 or 1, False or True


def valid(xs: Row, mask: Mask) -> list[Number]:
    return [x for x, m in zip(xs, mask, strict=True) if m]


def spread(kept: Row, mask: Mask, outside: Any = None) -> list[Any]:
    """The inverse of `valid`: the kept numbers at their positions, `outside` at the others."""
    following = iter(kept)
    return [next(following) if m else outside for m in mask]


def zeroed(xs: Row, mask: Mask) -> list[Number]:
    return [x if m else 0 for x, m in zip(xs, mask, strict=True)]


def carried(xs: Row, mask: Mask) -> list[Number]:
    """Outside the mask what the next valid token has, 0 where none follows."""
    found: list[Number] = []
    for x, m in zip(reversed(xs), reversed(mask), strict=True):
        found.append(x if m else found[-1] if found else 0)
    return found[::-1]


def one_more(mask: Mask) -> list[Any]:
    """The mask moved one to the right, behind the prompt's last token: it keeps V after the end."""
    return [1, *mask[:-1]]


def last_valid(mask: Mask) -> int:
    positions = [t for t, m in enumerate(mask) if m]
    if not positions:
        raise EngineError("no_valid_token")
    return positions[-1]


def over_valid(recursion: Callable[..., list[Number]], mask: Mask, *rows: Row) -> list[Number]:
    """A recursion over the valid tokens as if no others existed; 0 at the others."""
    if not any(mask):
        return [0] * len(mask)
    return spread(recursion(*(valid(row, mask) for row in rows)), mask, outside=0)


def each_valid(quantity: Callable[..., Number], mask: Mask, *rows: Row) -> list[Any]:
    """quantity(t, x_t, y_t, …) at the valid tokens, None at the others."""
    columns = zip(mask, *rows, strict=True)
    return [quantity(t, *xs) if m else None for t, (m, *xs) in enumerate(columns)]
