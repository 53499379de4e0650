"""Whether numbers that came about in different readings are the same."""

from __future__ import annotations

from typing import Any

TOLERANCE = 1e-9


def close(a: Any, b: Any) -> bool:
    """Two numbers, or two lists entry by entry."""
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b, strict=True))
    return bool(abs(float(a) - float(b)) <= TOLERANCE * max(1.0, abs(float(a))))
