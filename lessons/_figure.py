"""A figure as data: what is to be drawn, every number out of the facts. The page draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Figure:
    """Series over one axis, or a matrix. Names are keys of the shared words, or quantities with a symbol."""

    kind: Literal["bars", "lines", "heat"]
    x: tuple[Any, ...]  # token positions, λ values …
    series: Mapping[str, tuple[Any, ...]]  # for "heat": one row of the matrix each
    x_name: str
    y_name: str
