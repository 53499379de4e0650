"""Random responses and batches, as plain floats of few digits, and their lifts into the number systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from hypothesis import settings
from hypothesis import strategies as st

from engine.readings.exact import decimal

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
torch.set_num_threads(1)

numbers = st.integers(-50, 50).map(lambda n: n / 10)
logps = st.integers(-40, 0).map(lambda n: n / 10)
probabilities = st.integers(0, 20).map(lambda n: n / 20)


def rows(of: st.SearchStrategy[float], length: int) -> st.SearchStrategy[list[float]]:
    return st.lists(of, min_size=length, max_size=length)


@st.composite
def masked_rows(draw: st.DrawFn, matrices: int = 1, of: st.SearchStrategy[float] = numbers, least: int = 2) -> Any:
    """(mask, row, …) of one length, with at least `least` valid tokens."""
    length = draw(st.integers(least, 8))
    mask = draw(st.lists(st.integers(0, 1), min_size=length, max_size=length).filter(lambda m: sum(m) >= least))
    return mask, *(draw(rows(of, length)) for _ in range(matrices))


@st.composite
def batches(draw: st.DrawFn, matrices: int = 1, of: st.SearchStrategy[float] = numbers, padded: bool = False) -> Any:
    """(mask, matrix, …): a batch of responses, padded on the right or with holes; no row without a valid token."""
    count, length = draw(st.integers(1, 4)), draw(st.integers(2, 6))
    if padded:
        lengths = [draw(st.integers(2, length)) for _ in range(count)]
        mask = [[int(t < n) for t in range(length)] for n in lengths]
    else:
        some = st.lists(st.integers(0, 1), min_size=length, max_size=length).filter(any)
        mask = [draw(some) for _ in range(count)]
        mask[0][:2] = [1, 1]
    return mask, *([draw(rows(of, length)) for _ in range(count)] for _ in range(matrices))


@st.composite
def grouped_scores(draw: st.DrawFn) -> tuple[list[float], list[int]]:
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    groups = draw(st.permutations([g for g, size in enumerate(sizes) for _ in range(size)]))
    return draw(rows(numbers, len(groups))), list(groups)


def lifted(x: Any, lift: Callable[[float], Any] = decimal) -> Any:
    """A list, or a list of lists, in another number system."""
    return [lifted(y, lift) for y in x] if isinstance(x, list) else lift(x)


def tensor(x: Any) -> torch.Tensor:
    return torch.tensor(x, dtype=torch.float64)


def floats(x: Any) -> Any:
    """A list of any number kind as tensors hold it: 0 where it has None."""
    if isinstance(x, list):
        return [floats(y) for y in x]
    return 0.0 if x is None else float(x)
