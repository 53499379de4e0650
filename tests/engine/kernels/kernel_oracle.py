"""What the kernels are tested against: the definitions, run on one response's valid tokens at a time in float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jaxtyping
import torch
from hypothesis import settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from engine import sequences

DETERMINISTIC = settings(derandomize=True, deadline=None, max_examples=30)
TOLERANCE = {torch.float32: 1e-6, torch.float64: 1e-12}
KINDS = ["none", "whole", "padded", "holes"]


def random_batch(rows: int, length: int, dtype: torch.dtype, seed: int = 0) -> tuple[Tensor, Tensor]:
    source = torch.Generator().manual_seed(seed)
    rewards, values = torch.randn(2, rows, length, generator=source, dtype=torch.float64).to(dtype)
    return rewards, values


def random_mask(kind: str, rows: int, length: int, seed: int = 0) -> Tensor | None:
    source = torch.Generator().manual_seed(seed)
    if kind == "none":
        return None
    if kind == "whole":
        return torch.ones(rows, length, dtype=torch.bool)
    if kind == "padded":
        lengths = torch.randint(0, length + 1, (rows, 1), generator=source)
        return torch.arange(length) < lengths
    return torch.rand(rows, length, generator=source) < 0.6


def row_by_row(definition: Callable[..., list[float]], mask: Tensor | None, *inputs: Tensor) -> Tensor:
    """The definition on each row's valid tokens; 0 at the others."""
    found = torch.zeros(inputs[0].shape, dtype=torch.float64)
    for b in range(found.shape[0]):
        valid = slice(None) if mask is None else mask[b].bool()
        rows = [x[b][valid].double().tolist() for x in inputs]
        if rows[0]:
            found[b, valid] = torch.tensor(definition(*rows), dtype=torch.float64)
    return found


def defined_gae(
    rewards: Tensor, values: Tensor, mask: Tensor | None, gamma: float, lam: float
) -> tuple[Tensor, Tensor]:
    def definition(r: list[float], v: list[float]) -> list[float]:
        return sequences.gae_advantages(sequences.deltas(r, v, gamma), gamma, lam)

    advantages = row_by_row(definition, mask, rewards, values)
    return advantages, row_by_row(sequences.critic_targets, mask, advantages, values)


def assert_same(found: Tensor, expected: Tensor, dtype: torch.dtype, scale: float = 1.0) -> None:
    """Equal within the type's tolerance, relative to the largest number in play."""
    assert found.dtype == dtype and found.shape == expected.shape
    if expected.numel():
        scale = max(scale, expected.abs().max().item())
        error = (found.double() - expected).abs().max().item()  # NaN compares false
        assert error <= TOLERANCE[dtype] * scale, f"off by {error / scale:.2g} of the scale"


discounts = st.sampled_from([0.0, 0.5, 0.95, 0.99, 1.0]) | st.floats(0, 1)
dtypes = st.sampled_from([torch.float32, torch.float64])
batches = st.tuples(st.integers(1, 3), st.integers(1, 100)) | st.sampled_from([(1, 1024), (1, 1041)])


class Devices(TorchDispatchMode):
    """Notes where every operand and result of every operation is."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        self.seen |= {x.device.type for x in tree_leaves((args, kwargs, result)) if isinstance(x, torch.Tensor)}
        return result


@contextmanager
def without_shape_checks() -> Iterator[None]:
    """As outside the tests, where nobody reads the shapes in the signatures."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
