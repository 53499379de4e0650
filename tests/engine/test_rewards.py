"""KL estimators and token rewards: theorems, golden numbers of verl, the straight-through forms, the critic's slice."""

from __future__ import annotations

import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine import formulas, rewards
from engine.errors import EngineError
from engine.kernels import rewards as kernels
from engine.readings.exact import Decimal, decimal, rational
from engine.readings.symbols import value as value_of
from engine.rewards import KL_KINDS, Placement
from engine.sequences import discounted_sum
from tests.engine.batch_strategies import lifted, logps, masked_rows, tensor

TINY = Decimal("1e-40")
LOGPS, REF_LOGPS = [-0.5, -0.7, -0.2], [-0.6, -0.5, -0.3]


@given(logps, logps)
def test_k2_k3_and_abs_are_never_negative_and_k1_has_the_sign_of_the_log_ratio(logp, ref):
    logp, ref = decimal(logp), decimal(ref)
    assert min(formulas.k2(logp, ref), formulas.k3(logp, ref), formulas.abs_kl(logp, ref)) >= 0
    assert (formulas.k1(logp, ref) > 0) == (logp > ref)


@given(st.lists(st.integers(1, 20), min_size=2, max_size=5), st.data())
def test_k1_and_k3_are_unbiased(weights, data):
    others = data.draw(st.lists(st.integers(1, 20), min_size=len(weights), max_size=len(weights)))
    p = [decimal(float(w)) / sum(weights) for w in weights]
    q = [decimal(float(w)) / sum(others) for w in others]
    kl = sum(a * formulas.log(a / b) for a, b in zip(p, q, strict=True))
    for estimator in (formulas.k1, formulas.k3):
        mean = sum(a * estimator(formulas.log(a), formulas.log(b)) for a, b in zip(p, q, strict=True))
        assert abs(mean - kl) < TINY


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("k1", [0.1, -0.2, 0.1]),
        ("abs", [0.1, 0.2, 0.1]),
        ("k2", [0.005, 0.02, 0.005]),
        ("k3", [0.004837, 0.021403, 0.004837]),
        ("k3_clamped", [0.004837, 0.021403, 0.004837]),
    ],
)
def test_kl_numbers_of_verl(kind, expected):
    found = rewards.kl_penalties(lifted(LOGPS), lifted(REF_LOGPS), [1, 1, 1], kind=kind)
    assert [round(float(x), 6) for x in found] == expected


@pytest.mark.parametrize(
    ("kind", "number", "slope"),
    [
        ("k1", 0.3, 1.0),
        ("k2", 0.045, 0.3),
        ("k3", 0.040818, 0.259182),
        ("k1+", 0.3, 0.3),
        ("k3+", 0.040818, 0.3),
        ("abs+", 0.3, 0.3),
        ("k3_clamped+", 0.040818, 0.3),
    ],
)
def test_value_and_gradient_of_verl(kind, number, slope):
    logp = torch.tensor([[0.3]], dtype=torch.float64, requires_grad=True)
    found = kernels.kl_penalties(logp, torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1), kind=kind)
    found.sum().backward()
    assert (round(found.item(), 6), round(logp.grad.item(), 6)) == (number, slope)


@given(logps, logps, st.sampled_from(sorted(KL_KINDS)))
def test_straight_through_has_the_number_of_its_base_and_the_slope_of_k2(logp, ref, kind):
    x, y = tensor([[logp]]).requires_grad_(), tensor([[ref]])
    mask = torch.ones(1, 1)
    plus = kernels.kl_penalties(x, y, mask, kind=kind + "+")
    assert plus.item() == pytest.approx(kernels.kl_penalties(x, y, mask, kind=kind).item(), abs=1e-14)
    (slope,) = torch.autograd.grad(plus.sum(), x)
    assert slope.item() == pytest.approx(logp - ref, abs=1e-14)


def test_straight_through_on_symbols():
    x, y = sympy.symbols("x y", real=True)
    plus = rewards.kl_estimator("k3+")(x, y)
    assert sympy.simplify(value_of(plus) - formulas.k3(x, y)) == 0
    assert sympy.simplify(plus.diff(x) - (x - y)) == 0


def test_an_unknown_kind_is_refused_with_the_known_ones():
    with pytest.raises(EngineError) as refused:
        rewards.kl_estimator("k4+")
    assert refused.value.code == "unknown_kl_kind"
    assert refused.value.details["kinds"] == sorted(KL_KINDS)


def test_token_rewards_of_verl():
    kl = rewards.kl_penalties(lifted(LOGPS, rational), lifted(REF_LOGPS, rational), [1, 1, 1])
    scores = rewards.place_score(rational(1.0), [1, 1, 1])
    assert rewards.token_rewards(scores, kl, [1, 1, 1], beta=rational(0.1)) == lifted([-0.01, 0.02, 0.99], rational)


@given(masked_rows(1, least=1), st.sampled_from(list(Placement)))
def test_the_placed_score_is_all_there_is(drawn, placement):
    mask, _ = drawn
    placed = rewards.place_score(rational(0.7), mask, placement=placement)
    assert discounted_sum(placed, 1) == rational(0.7)
    (position,) = [t for t, x in enumerate(placed) if x]
    last = max(t for t, m in enumerate(mask) if m)
    at_end = placement is Placement.LAST_VALID or last + 1 == len(mask)
    assert position == (last if at_end else last + 1)


def test_a_masked_token_has_no_kl_but_keeps_a_score_that_was_put_on_it():
    mask = [1, 1, 0, 0]
    scores = rewards.place_score(rational(1.0), mask, placement=Placement.FIRST_PADDING)
    found = rewards.token_rewards(scores, lifted([0.5, 0.5, 9.0, 9.0], rational), mask, beta=rational(0.1))
    assert found == lifted([-0.05, -0.05, 1.0, 0.0], rational)


def test_the_critics_slice_reads_each_value_before_its_token():
    prompt, response = 3, 4
    outputs = torch.arange(prompt + response).expand(2, -1)  # the output at position i is i
    values = kernels.critic_values(outputs, response)
    assert values.tolist() == [[prompt - 1 + t for t in range(response)]] * 2
    with_tail = kernels.critic_values(outputs.unsqueeze(-1), response)
    assert with_tail.shape == (2, response, 1)


@pytest.mark.parametrize("response", [0, 7, 8])
def test_without_a_prompt_token_there_is_no_first_value(response):
    with pytest.raises(EngineError, match="no_prompt_token"):
        kernels.critic_values(torch.zeros(1, 7), response)


@pytest.mark.parametrize(("kind", "far", "near"), [("k1", -10, -0.2), ("k2", 10, 0.02), ("k3", 10, 0.0214)])
def test_clamped_estimators_stay_within_ten(kind, far, near):
    logps, refs = lifted([-30.0, -0.7]), lifted([-1.0, -0.5])
    found = rewards.kl_penalties(logps, refs, [1, 1], kind=kind + "_clamped")
    assert found[0] == far
    assert round(float(found[1]), 4) == near


def test_the_adaptive_coefficient_follows_the_measured_kl():
    beta, steps, horizon = 0.1, 32, 10000
    up, same, down = (formulas.adaptive_kl_coefficient(beta, kl, 6.0, steps, horizon, 0.2) for kl in (60.0, 6.0, 0.0))
    assert (up, same, down) == pytest.approx((beta * 1.00064, beta, beta * 0.99936))
