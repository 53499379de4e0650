"""The batched forms: they give the list forms' numbers, on any device, and nothing outside the mask matters."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from engine import conventions, kernels
from engine.conventions import CONVENTIONS, Rollout, Scored
from engine.errors import EngineError
from engine.kernels import columns, groups, losses, positions, rewards, statistics
from engine.losses import Aggregation
from engine.readings.exact import decimal
from tests.engine.batch_strategies import floats, tensor
from tests.engine.kernel_calls import (
    DISCOUNTING,
    KERNELS,
    MASKLESS,
    PLACES,
    Call,
    Inputs,
    as_lists,
    inputs,
    long_inputs,
)
from tests.engine.kernels.kernel_oracle import Devices, without_shape_checks

ALL = KERNELS | MASKLESS
every_kernel = pytest.mark.parametrize("name", ALL)
every_masked_kernel = pytest.mark.parametrize("name", KERNELS)
PRECISION = {torch.float32: 1e-6, torch.float64: 1e-12}
NO_KERNELS = {"default_device", "widest_float"}
GARBAGE = [float("nan"), float("inf"), 1e300]
STEPS = {"clip_fraction", "floor_fraction", "value_clip_fraction"}  # counts: their derivative is 0
PLUS = {name for name in KERNELS if name.endswith("+")}  # a derivative that is meant to be another one


def test_every_kernel_is_called_here():
    called = {name.split(",")[0] for name in ALL} | set(PLACES)
    assert called == set(kernels.__all__) - NO_KERNELS


def off(found: Tensor, expected: Tensor) -> float:
    """The largest difference, as a part of the largest number there, or of 1."""
    assert found.shape == expected.shape
    return ((found.double() - expected).abs().max() / expected.abs().max().clamp(min=1)).item()


@every_kernel
def test_tensors_give_the_numbers_of_the_lists(name):
    on_tensors, on_lists = ALL[name]
    given = inputs()
    assert off(on_tensors(given), tensor(floats(on_lists(as_lists(given, decimal))))) <= 1e-12


@pytest.mark.parametrize(("name", "discount"), [*((name, 1.0) for name in ALL), *((n, 0.9999) for n in DISCOUNTING)])
@pytest.mark.parametrize("dtype", PRECISION, ids=str)
def test_long_responses_keep_the_precision_of_their_type(name, discount, dtype):
    """32768 tokens, against the lists on the same numbers."""
    on_tensors, on_lists = ALL[name]
    given = long_inputs(dtype, discount)
    found = on_tensors(given)
    assert found.dtype == dtype
    assert off(found, tensor(floats(on_lists(as_lists(given, float))))) <= PRECISION[dtype]


@every_kernel
def test_float32_stays_float32_and_near(name):
    on_tensors, _ = ALL[name]
    given = inputs(torch.float32)
    single = on_tensors(given)
    assert single.dtype == torch.float32
    assert off(single, on_tensors(given.changed(lambda x: x.double() if x.is_floating_point() else x))) <= 1e-6


@pytest.mark.parametrize("name", [*ALL, *PLACES])
def test_nothing_is_made_on_another_device(name):
    on_tensors = ALL[name][0] if name in ALL else PLACES[name]
    real = on_tensors(inputs())
    given = inputs().changed(lambda x: x.to("meta"))
    with Devices() as devices:
        meta = on_tensors(given)
    assert meta.is_meta and devices.seen == {"meta"}
    assert (meta.shape, meta.dtype) == (real.shape, real.dtype)


@every_masked_kernel
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


@every_masked_kernel
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


@pytest.mark.parametrize("name", sorted(set(ALL) - STEPS - PLUS))
def test_gradients(name):
    on_tensors, _ = ALL[name]
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


UNMASKED = {"grpo", "mean_centred", "rloo", "rloo_baselines"}
SHAPED_BY_THE_MASK = {"share", "place_score", "reinforce_plus_plus_baseline"}  # what else they take is [B]
OTHER_SHAPES = {
    "of one row": lambda mask: mask[0],
    "for one response": lambda mask: mask[:1],
    "for fewer responses": lambda mask: mask[:-1],
    "in one more dimension": lambda mask: mask[None],
}
OTHER_LENGTHS = {"for one token": lambda mask: mask[:, :1], "for fewer tokens": lambda mask: mask[:, :-1]}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((name, c) for name in KERNELS if name.split(",")[0] not in UNMASKED for c in OTHER_SHAPES),
        *((n, c) for n in KERNELS if n.split(",")[0] not in UNMASKED | SHAPED_BY_THE_MASK for c in OTHER_LENGTHS),
    ],
)
def test_a_mask_of_another_shape_is_refused(name, change):
    """A mask is never repeated: one for a single response, or token, is not one for all."""
    given = inputs()
    given.mask = (OTHER_SHAPES | OTHER_LENGTHS)[change](given.mask)
    with without_shape_checks(), pytest.raises(ValueError, match="shape"):
        KERNELS[name][0](given)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("of", ["x", "y", "z"])
def test_no_other_input_is_repeated_either(name, of):
    """One row for a whole batch gives nothing, if it is read at all."""
    given = inputs()
    setattr(given, of, getattr(given, of)[:1])
    with without_shape_checks():
        try:
            found = KERNELS[name][0](given)
        except ValueError as refused:
            assert "shape" in str(refused)
        else:
            assert torch.equal(found, KERNELS[name][0](inputs()))
