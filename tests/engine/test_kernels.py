"""The batched forms: they give the list forms' numbers, on any device, and nothing outside the mask matters."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from engine import conventions
from engine.conventions import CONVENTIONS, Rollout, Scored
from engine.errors import EngineError
from engine.kernels import columns, groups, losses, positions, rewards, statistics
from engine.losses import Aggregation
from tests.engine.batch_strategies import floats, lifted, tensor
from tests.engine.kernel_calls import GROUPS, KERNELS, MASK, Call, Inputs, inputs

every_kernel = pytest.mark.parametrize("name", KERNELS)
GARBAGE = [float("nan"), float("inf"), 1e300]
STEPS = {"clip_fraction", "floor_fraction", "value_clip_fraction"}  # counts: their derivative is 0
PLUS = {name for name in KERNELS if name.endswith("+")}  # a derivative that is meant to be another one


def as_lists(i: Inputs) -> Inputs:
    numbers = [lifted(x.tolist()) for x in (i.x, i.y, i.z, i.s)]
    return Inputs(*numbers, MASK, GROUPS)


@every_kernel
def test_tensors_give_the_numbers_of_the_lists(name):
    on_tensors, on_lists = KERNELS[name]
    given = inputs()
    assert torch.allclose(on_tensors(given), tensor(floats(on_lists(as_lists(given)))), rtol=1e-12, atol=1e-12)


@every_kernel
def test_float32_stays_float32_and_near(name):
    on_tensors, _ = KERNELS[name]
    single = on_tensors(inputs(torch.float32))
    assert single.dtype == torch.float32
    assert torch.allclose(single.double(), on_tensors(inputs()), rtol=1e-5, atol=1e-5)


@every_kernel
def test_nothing_is_made_on_another_device(name):
    on_tensors, _ = KERNELS[name]
    real, meta = on_tensors(inputs()), on_tensors(inputs().changed(lambda x: x.to("meta")))
    assert meta.is_meta
    assert (meta.shape, meta.dtype) == (real.shape, real.dtype)


@every_kernel
def test_a_boolean_mask_is_the_same_mask(name):
    on_tensors, _ = KERNELS[name]
    given = inputs()
    expected = on_tensors(given)
    for kind in (torch.bool, torch.float64):
        given.mask = inputs().mask.to(kind)
        assert torch.equal(on_tensors(given), expected)


def same_beside(garbage: float, call: Call) -> bool:
    """Whether garbage outside the mask changes neither the result nor a gradient."""
    clean, dirty = inputs(), inputs()
    for matrix in (dirty.x, dirty.y, dirty.z):
        matrix[dirty.mask == 0] = garbage
    leaves = [[x.requires_grad_() for x in (i.x, i.y, i.z, i.s)] for i in (clean, dirty)]
    values = [call(clean), call(dirty)]
    if not torch.equal(*values):
        return False
    if not values[0].requires_grad:
        return True
    slopes = [
        torch.autograd.grad(value.sum(), at, allow_unused=True, materialize_grads=True)
        for value, at in zip(values, leaves, strict=True)
    ]
    return all(torch.equal(a, b) for a, b in zip(*slopes, strict=True))


@every_kernel
@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_outside_the_mask_reaches_no_result_and_no_gradient(name, garbage):
    assert same_beside(garbage, KERNELS[name][0])


@pytest.mark.parametrize(
    "careless",
    [
        lambda i: (i.x * i.mask).sum(),
        lambda i: torch.where(i.mask.bool(), i.x.exp(), 0).sum(),
    ],
)
def test_careless_masking_is_noticed(careless):
    assert not all(same_beside(garbage, careless) for garbage in GARBAGE)


@pytest.mark.parametrize("name", sorted(STEPS))
def test_the_fractions_of_the_table_are_neither_0_nor_1(name):
    assert 0 < KERNELS[name][0](inputs()) < 1


@pytest.mark.parametrize("name", sorted(set(KERNELS) - STEPS - PLUS))
def test_gradients(name):
    on_tensors, _ = KERNELS[name]
    given = inputs()

    def function(x: Tensor, y: Tensor, z: Tensor, s: Tensor) -> Tensor:
        return on_tensors(Inputs(x, y, z, s, given.mask, given.groups))

    leaves = [x.clone().requires_grad_() for x in (given.x, given.y, given.z, given.s)]
    assert torch.autograd.gradcheck(function, leaves)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: c.name)
def test_conventions_run_on_any_device(convention):
    i = inputs().changed(lambda x: x.to("meta"))
    scored = Scored(i.s, i.x, i.y, 0.1, "k3")
    found = conventions.run(Rollout(scored, i.z, i.mask), convention, gamma=0.9, lam=0.8)
    for part in (found.rewards, found.values, found.advantages, found.returns, found.normalised):
        assert part.is_meta and part.shape == i.x.shape
    assert conventions.policy_loss(convention, i.x, i.y, found.advantages, i.mask, 0.2).is_meta
    assert conventions.value_loss(convention, i.x, i.z, found.returns, i.mask, 0.5).is_meta


def test_the_shifted_mask_and_the_last_valid_token():
    mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
    assert positions.one_more(mask).tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert positions.last_valid(mask).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("no_valid_token", lambda: statistics.masked_mean(torch.ones(2, 2), torch.zeros(2, 2))),
        ("one_value_has_no_sample_variance", lambda: statistics.whiten(torch.ones(1, 2), torch.tensor([[1, 0]]))),
        ("no_valid_token", lambda: rewards.place_score(torch.ones(2), torch.tensor([[1, 1], [0, 0]]))),
        ("no_valid_token", lambda: losses.aggregate(torch.ones(1, 2), torch.zeros(1, 2), Aggregation.TOKEN_SUM)),
        ("group_of_one", lambda: groups.rloo(torch.ones(3), torch.tensor([0, 0, 1]))),
        ("group_of_one", lambda: groups.grpo(torch.ones(3), torch.tensor([0, 0, 1]), divide_by_std=False)),
        ("group_out_of_range", lambda: groups.grpo(torch.ones(2), torch.tensor([7, 7]))),
    ],
)
def test_refusals(code, call):
    with pytest.raises(EngineError) as refused:
        call()
    assert refused.value.code == code


@pytest.mark.parametrize("mode", list(Aggregation))
def test_a_row_without_valid_tokens_does_not_count(mode):
    x, mask = inputs().x, inputs().mask.clone()
    mask[1] = 0
    kept = [0, 2, 3, 4]
    assert losses.aggregate(x, mask, mode).item() == pytest.approx(losses.aggregate(x[kept], mask[kept], mode).item())


def test_a_horizon_of_ones_choice():
    i = inputs()
    own = losses.aggregate(i.x, i.mask, Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, horizon=12)
    assert own.item() == pytest.approx(
        losses.aggregate(i.x, i.mask, Aggregation.SEQ_MEAN_TOKEN_SUM_NORM).item() / 2, rel=1e-15
    )


def test_a_long_row_keeps_the_order_of_its_tokens():
    draw = torch.Generator().manual_seed(3)
    mask = torch.rand(1, 300, generator=draw) < 0.5
    steps = torch.arange(300.0).unsqueeze(0)
    before = columns.over_valid(lambda x: [torch.zeros_like(x[0]), *x[:-1]], mask, steps)  # the valid token before
    kept = steps[mask]
    assert torch.equal(before[mask], torch.cat([torch.zeros(1), kept[:-1]]))
