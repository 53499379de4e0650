"""What stands outside the mask cannot be seen from inside, in numbers or in derivatives."""

from __future__ import annotations

import functools

import pytest
import torch
from jaxtyping import TypeCheckError

from engine.kernels import gae, lambda_returns, mc_returns, n_step_advantages, td_errors
from tests.engine.kernels.kernel_oracle import KINDS, random_batch, random_mask

MASKED = KINDS[1:]
KERNELS = {
    "advantages": lambda r, v, m: gae(r, v, m, gamma=0.9, lam=0.8)[0],
    "targets": lambda r, v, m: gae(r, v, m, gamma=0.9, lam=0.8)[1],
    "lambda_returns": functools.partial(lambda_returns, gamma=0.9, lam=0.8),
    "td_errors": functools.partial(td_errors, gamma=0.9),
    "mc_returns": lambda r, v, m: mc_returns(r + 0 * v, m, gamma=0.9),
    "n_step_advantages": functools.partial(n_step_advantages, gamma=0.9, n=3),
}
GARBAGE = [torch.nan, torch.inf, -torch.inf, 1e300]
SHAPES = [(4, 9), (4, 75), (3, 96)]
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())


@every_kernel
@pytest.mark.parametrize("kind", MASKED)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_outside_the_mask_changes_no_bit(kernel, kind, shape, garbage):
    rewards, values = random_batch(*shape, torch.float64)
    mask = random_mask(kind, *shape)
    clean = kernel(rewards, values, mask)
    dirty = kernel(rewards.masked_fill(~mask, garbage), values.masked_fill(~mask, garbage), mask)
    assert torch.equal(clean, dirty)
    assert (dirty[~mask] == 0).all()


@every_kernel
@pytest.mark.parametrize("kind", MASKED)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("garbage", "upstream"), [(torch.nan, torch.nan), (torch.inf, torch.nan), (1e300, torch.inf)])
def test_garbage_outside_the_mask_reaches_no_gradient(kernel, kind, shape, garbage, upstream):
    mask = random_mask(kind, *shape)

    def gradients(filling, flowing):
        inputs = [x.masked_fill(~mask, filling).requires_grad_() for x in random_batch(*shape, torch.float64)]
        flow = torch.ones(shape, dtype=torch.float64).masked_fill(~mask, flowing)
        return torch.autograd.grad(kernel(*inputs, mask), inputs, flow)

    for clean, dirty in zip(gradients(0.0, 0.0), gradients(garbage, upstream), strict=True):
        assert torch.equal(clean, dirty)
        assert (dirty[~mask] == 0).all()


@every_kernel
def test_a_hole_is_no_step(kernel):
    rewards, values = random_batch(1, 100, torch.float64)
    mask = random_mask("holes", 1, 100)
    closed = kernel(rewards[mask][None], values[mask][None], None)
    assert torch.allclose(kernel(rewards, values, mask)[mask], closed[0], rtol=0, atol=1e-13)


@every_kernel
@pytest.mark.parametrize("kind", MASKED)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int64, torch.int32, torch.float32, torch.float64, torch.bfloat16])
def test_a_mask_may_be_of_any_type(kernel, kind, dtype):
    rewards, values = random_batch(3, 70, torch.float64)
    mask = random_mask(kind, 3, 70)
    assert torch.equal(kernel(rewards, values, mask), kernel(rewards, values, mask.to(dtype)))


@every_kernel
@pytest.mark.parametrize("length", [1, 5, 80])
def test_a_row_without_tokens_is_all_zero(kernel, length):
    rewards, values = random_batch(3, length, torch.float64)
    mask = random_mask("whole", 3, length)
    mask[1] = False
    found = kernel(rewards, values, mask)
    assert (found[1] == 0).all() and torch.equal(found[0], kernel(rewards, values, None)[0])


def test_left_padding_is_a_hole_too():
    rewards, values = random_batch(1, 10, torch.float64)
    mask = torch.arange(10)[None] >= 4
    found = KERNELS["advantages"](rewards, values, mask)
    assert torch.allclose(found[:, 4:], KERNELS["advantages"](rewards[:, 4:], values[:, 4:], None))


def test_a_mask_of_another_shape_stops_at_the_door():
    x = torch.zeros(2, 3)
    with pytest.raises(TypeCheckError):
        td_errors(x, x, torch.ones(1, 3), gamma=1.0)
