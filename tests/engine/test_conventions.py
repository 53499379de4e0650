"""One rollout under several conventions: golden numbers of verl, and where the conventions must and must not differ."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import conventions, formulas, sequences
from engine.conventions import (
    CONVENTIONS,
    OPENRLHF,
    TEXTBOOK,
    TRL,
    TRL_LATER,
    VERL_NEW,
    VERL_OLD,
    Kept,
    Masked,
    Rollout,
    Scored,
    run,
)
from engine.masks import spread, valid
from engine.readings.exact import Decimal, decimal, rational
from engine.readings.worked import given as given_number
from tests.engine.batch_strategies import batches, floats, lifted, logps, numbers, probabilities, tensor

TINY = Decimal("1e-40")
UNMASKED = replace(VERL_OLD, values=Kept.AS_GIVEN)
by_name = pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: c.name)


def running_example(lift: Any = decimal) -> Rollout:
    """Three tokens, two of padding, and V left behind after the end."""
    scored = Scored(
        scores=[lift(1.0)],
        logps=lifted([[-0.5, -0.7, -0.2, 0.0, 0.0]], lift),
        ref_logps=lifted([[-0.6, -0.5, -0.3, 0.0, 0.0]], lift),
        beta=lift(0.1),
    )
    return Rollout(scored, lifted([[0.5, 0.6, 0.9, 0.8, 0.7]], lift), [[1, 1, 1, 0, 0]])


def as_tensors(rollout: Rollout) -> Rollout:
    rewards = rollout.rewards
    if isinstance(rewards, Scored):
        rewards = Scored(
            tensor(floats(rewards.scores)),
            tensor(floats(rewards.logps)),
            tensor(floats(rewards.ref_logps)),
            float(rewards.beta),
            rewards.kl_kind,
        )
    else:
        rewards = tensor(floats(rewards))
    return Rollout(rewards, tensor(floats(rollout.values)), tensor(rollout.mask))


RIGHT = [0.773453, 0.355788, -1.129241]


@pytest.mark.parametrize(
    ("convention", "lam", "advantages", "returns", "normalised"),
    [
        (VERL_NEW, 1.0, [0.5, 0.41, 0.09], [1.0, 1.01, 0.99], RIGHT),
        (VERL_NEW, 0.95, [0.475225, 0.4055, 0.09], [0.975225, 1.0055, 0.99], [0.738804, 0.39912, -1.137924]),
        (VERL_OLD, 1.0, [0.5, 0.41, 0.09], [1.0, 1.01, 0.99], RIGHT),
        (VERL_OLD, 0.95, [0.511325, 0.4435, 0.13], [1.011325, 1.0435, 1.03], [0.735978, 0.402564, -1.138542]),
        (UNMASKED, 0.95, [0.541333, 0.475087, 0.16325], [1.041333, 1.075087, 1.06325], [0.733584, 0.405471, -1.139055]),
    ],
)
def test_numbers_of_verl(convention, lam, advantages, returns, normalised):
    found = run(running_example(), convention, gamma=decimal(1.0), lam=decimal(lam))
    assert floats(found.rewards[0][:3]) == pytest.approx([-0.01, 0.02, 0.99], abs=1e-12)
    for got, expected in ((found.advantages, advantages), (found.returns, returns), (found.normalised, normalised)):
        assert floats(got[0][:3]) == pytest.approx(expected, abs=1.1e-6)


@pytest.mark.parametrize(
    ("convention", "advantages"),
    [
        (UNMASKED, [0.733175, 0.6665, 0.07, 0.6]),
        (replace(VERL_OLD, values=Kept.RESPONSE), [0.690425, 0.6215, 0.97, 0.6]),
        (VERL_NEW, [0.7365, 0.67, 0.6, 0.6]),  # the hole is given what the token after it has
        (TEXTBOOK, [0.7365, 0.67, 0.0, 0.6]),
    ],
)
def test_a_hole_as_in_verl(convention, advantages):
    rollout = Rollout(lifted([[0.0, 0.0, 0.0, 1.0]]), lifted([[0.2, 0.3, 0.9, 0.4]]), [[1, 1, 0, 1]])
    found = run(rollout, convention, gamma=decimal(1.0), lam=decimal(0.95))
    assert floats(found.advantages[0]) == pytest.approx(advantages, abs=1e-12)


def test_in_the_hole_stands_the_next_advantage_and_beside_raw_values_their_sum():
    rollout = Rollout(lifted([[0.0, 0.0, 0.0, 1.0]]), lifted([[0.2, 0.3, 0.9, 0.4]]), [[1, 1, 0, 1]])
    for batch in (rollout, as_tensors(rollout)):
        found = run(batch, replace(VERL_NEW, values=Kept.AS_GIVEN), gamma=1.0, lam=0.95)
        assert floats(list(found.returns[0])) == pytest.approx([0.9365, 0.97, 1.5, 1.0], abs=1e-12)


def test_after_the_end_verl_holds_no_advantage_and_minus_the_mean_whitened():
    mean, deviation = (0.475225 + 0.4055 + 0.09) / 3, 0.205265
    found = run(running_example(), VERL_NEW, gamma=decimal(1.0), lam=decimal(0.95))
    assert floats(found.advantages[0][3:]) == floats(found.returns[0][3:]) == [0, 0]
    assert floats(found.normalised[0][3:]) == pytest.approx([-mean / deviation] * 2, rel=1e-5)


@pytest.mark.parametrize(
    ("convention", "last"), [(VERL_OLD, 63.279), (VERL_NEW, 63.279), (TRL, 63.279), (TRL_LATER, 0), (OPENRLHF, 77.5)]
)
def test_most_whiten_what_is_outside_too(convention, last):
    """What the padding held before is whitened with the mean and the deviation of the tokens inside."""
    unshaped = replace(convention, rewards=Kept.AS_GIVEN, values=Kept.AS_GIVEN, masked=Masked.STEP)
    rollout = Rollout(lifted([[1.0, 2.0, 4.0, 99.0]]), lifted([[0.0] * 4]), [[1, 1, 1, 0]])
    for batch in (rollout, as_tensors(rollout)):
        found = run(batch, unshaped, gamma=0.0, lam=0.0)
        inside, outside = floats(list(found.normalised[0][:3])), floats([found.normalised[0][3]])
        if convention is not OPENRLHF:
            assert inside == pytest.approx([-0.872872, -0.218218, 1.091089], abs=1e-6)
        assert outside == pytest.approx([last], rel=1e-3)


def test_garbage_in_the_padding_reaches_the_old_recursion_only():
    rollout = Rollout(lifted([[0.0, 0.0, 1.0, 0.0]]), lifted([[0.5, 0.6, 0.9, 100.0]]), [[1, 1, 1, 0]])
    old, new = (run(rollout, c, gamma=decimal(1.0), lam=decimal(0.95)).advantages[0][:3] for c in (UNMASKED, VERL_NEW))
    assert floats(old) == pytest.approx([4.987738, 5.145, 5.1], abs=1e-4)
    assert floats(new) == pytest.approx([0.47525, 0.395, 0.1], abs=1e-12)


@settings(max_examples=25)
@given(batches(3, of=numbers), probabilities, probabilities)
@by_name
def test_lists_and_tensors_agree(convention, drawn, gamma, lam):
    mask, rewards, values, other = drawn
    rollout = Rollout(lifted(rewards), lifted(values), mask)
    exact = run(rollout, convention, gamma=decimal(gamma), lam=decimal(lam))
    fast = run(as_tensors(rollout), convention, gamma=gamma, lam=lam)
    for name in ("rewards", "values", "advantages", "returns", "normalised"):
        expected = tensor(floats(getattr(exact, name)))
        if convention.whitening is not conventions.Whitening.NONE and name == "normalised":
            flat = expected[tensor(mask).bool()]
            if flat.abs().max() < 1e-3:  # nothing to whiten: rounding is all there is
                continue
        assert torch.allclose(getattr(fast, name), expected, rtol=1e-12, atol=1e-11), name
    old = lifted(other)
    for function, last in ((conventions.policy_loss, 0.2), (conventions.value_loss, 0.5)):
        exactly = function(convention, lifted(values), old, exact.advantages, mask, decimal(last))
        fastly = function(convention, tensor(values), tensor(other), fast.advantages, tensor(mask), last)
        assert fastly.item() == pytest.approx(float(exactly), rel=1e-11, abs=1e-11)


@settings(max_examples=25)
@given(batches(3, of=logps), st.sampled_from(["k1", "k3", "k3+", "abs", "k2"]))
@by_name
def test_scored_rollouts_agree_too(convention, drawn, kind):
    mask, logp, ref, values = drawn
    scored = Scored(lifted([1.0] * len(mask)), lifted(logp), lifted(ref), decimal(0.1), kind)
    rollout = Rollout(scored, lifted(values), mask)
    exact = run(rollout, convention, gamma=decimal(0.9), lam=decimal(0.5))
    fast = run(as_tensors(rollout), convention, gamma=0.9, lam=0.5)
    assert torch.allclose(fast.rewards, tensor(floats(exact.rewards)), atol=1e-12)
    assert torch.allclose(fast.returns, tensor(floats(exact.returns)), atol=1e-11)


@given(batches(2, padded=True))
def test_at_lambda_1_what_is_left_after_the_end_changes_nothing(drawn):
    mask, rewards, values = drawn
    quiet = [[r if m else 0.0 for r, m in zip(*row, strict=True)] for row in zip(rewards, mask, strict=True)]
    rollout = Rollout(lifted(quiet, rational), lifted(values, rational), mask)
    one = rational(1.0)
    old, new = (
        run(rollout, replace(c, whitening=conventions.Whitening.NONE), gamma=one, lam=one) for c in (VERL_OLD, VERL_NEW)
    )
    for a, b, m in zip(old.advantages, new.advantages, mask, strict=True):
        assert valid(a, m) == valid(b, m)


@given(batches(2, padded=True), probabilities, probabilities)
def test_below_that_the_value_after_the_end_leaks_into_every_advantage_before_it(drawn, gamma, lam):
    mask, rewards, values = drawn
    quiet = [[r if m else 0.0 for r, m in zip(*row, strict=True)] for row in zip(rewards, mask, strict=True)]
    rollout = Rollout(lifted(quiet, rational), lifted(values, rational), mask)
    gamma, lam = rational(gamma), rational(lam)
    old, new = (
        run(rollout, replace(c, whitening=conventions.Whitening.NONE), gamma=gamma, lam=lam)
        for c in (VERL_OLD, VERL_NEW)
    )
    for a, b, v, m in zip(old.advantages, new.advantages, rollout.values, mask, strict=True):
        length = sum(m)
        left = v[length] if length < len(m) else 0
        leaks = [gamma * (1 - lam) * left * (gamma * lam) ** (length - 1 - t) for t in range(length)]
        assert [x - y for x, y in zip(a[:length], b[:length], strict=True)] == leaks


@given(batches(2), probabilities, probabilities)
def test_the_textbook_sees_each_response_alone(drawn, gamma, lam):
    mask, rewards, values = drawn
    rollout = Rollout(lifted(rewards, rational), lifted(values, rational), mask)
    gamma, lam = rational(gamma), rational(lam)
    found = run(rollout, TEXTBOOK, gamma=gamma, lam=lam)
    for r, v, m, a, ret in zip(rollout.rewards, rollout.values, mask, found.advantages, found.returns, strict=True):
        alone = sequences.gae_advantages(sequences.deltas(valid(r, m), valid(v, m), gamma), gamma, lam)
        assert a == spread(alone, m, outside=0)
        assert ret == spread(sequences.critic_targets(alone, valid(v, m)), m, outside=0)
    assert found.normalised == found.advantages


def test_the_later_trl_discounts_its_score_once_more_and_only_when_padded():
    gamma, lam = decimal(0.9), decimal(1.0)
    padded = running_example()
    late, early = (run(padded, c, gamma=gamma, lam=lam) for c in (TRL_LATER, TRL))
    assert abs(early.returns[0][0] - late.returns[0][0] - gamma**2 * (1 - gamma)) < TINY
    scored = padded.rewards
    full = Rollout(
        replace(scored, logps=[scored.logps[0][:3]], ref_logps=[scored.ref_logps[0][:3]]),
        [padded.values[0][:3]],
        [[1] * 3],
    )
    assert run(full, TRL_LATER, gamma=gamma, lam=lam).returns == run(full, TRL, gamma=gamma, lam=lam).returns


def test_openrlhf_whitens_with_the_population_variance():
    ours, theirs = (run(running_example(), c, gamma=decimal(1.0), lam=decimal(0.95)) for c in (TRL, OPENRLHF))
    assert ours.advantages == theirs.advantages
    ratio = (decimal(3.0) / 2) ** decimal(0.5)
    assert floats(theirs.normalised[0][:3]) == pytest.approx(
        floats([x * ratio for x in ours.normalised[0][:3]]), rel=1e-6
    )


def test_dual_clip_and_half_are_conventions():
    one, zero = [[decimal(1.5)]], [[decimal(0.0)]]
    policy = [
        conventions.policy_loss(c, one, zero, [[decimal(-1.0)]], [[1]], decimal(0.2)) for c in (VERL_OLD, VERL_NEW)
    ]
    assert policy == [formulas.exp(decimal(1.5)), 3]
    value = [conventions.value_loss(c, one, zero, zero, [[1]], None) for c in (VERL_OLD, TEXTBOOK)]
    assert value == [decimal(1.125), decimal(2.25)]


def test_where_values_keep_one_more_the_critic_is_trained_on_it():
    vpreds, zeros, mask = lifted([[1.0, 1.0, 3.0, 9.0]]), lifted([[0.0] * 4]), [[1, 1, 0, 0]]
    old, new = (conventions.value_loss(c, vpreds, zeros, zeros, mask, None) for c in (VERL_OLD, VERL_NEW))
    assert (float(old), float(new)) == pytest.approx((11 / 6, 0.5))


@pytest.mark.parametrize(
    ("kind", "openrlhf", "verl"), [("k1", -10, -29), ("k2", 10, 420.5), ("k3", 10, 10), ("k1+", -10, -29)]
)
def test_openrlhf_clamps_every_estimator_and_verl_k3_alone(kind, openrlhf, verl):
    scored = Scored(lifted([0.0]), lifted([[-30.0, -30.0]]), lifted([[-1.0, -1.0]]), decimal(1.0), kind)
    rollout = Rollout(scored, lifted([[0.0, 1.0]]), [[1, 1]])
    for batch in (rollout, as_tensors(rollout)):
        found = [-float(run(batch, c, gamma=1.0, lam=1.0).rewards[0][0]) for c in (OPENRLHF, VERL_OLD, VERL_NEW)]
        assert found == pytest.approx([openrlhf, verl, verl])


def test_k3_is_clamped_by_convention():
    scored = Scored(lifted([0.0]), lifted([[-9.0, -9.0]]), lifted([[-1.0, -1.0]]), decimal(1.0), "k3")
    rollout = Rollout(scored, lifted([[0.0, 1.0]]), [[1, 1]])
    clamped, free = (run(rollout, c, gamma=decimal(1.0), lam=decimal(1.0)).rewards[0][0] for c in (VERL_OLD, TEXTBOOK))
    assert clamped == -10
    assert abs(free + formulas.exp(decimal(8.0)) - 9) < TINY


def test_a_row_without_valid_tokens_has_no_advantage_and_harms_none():
    rollout = Rollout(lifted([[1.0, 2.0], [9.0, 9.0]]), lifted([[0.0, 1.0], [5.0, 5.0]]), [[1, 1], [0, 0]])
    found = run(rollout, TEXTBOOK, gamma=decimal(1.0), lam=decimal(1.0))
    assert found.advantages == [[3, 1], [0, 0]]
    assert floats(run(as_tensors(rollout), TEXTBOOK, gamma=1.0, lam=1.0).advantages.tolist()) == [[3, 1], [0, 0]]


@by_name
def test_worked_numbers_and_symbols_run_too(convention):
    plain = running_example()
    worked = [[given_number(v, "values", t) for t, v in enumerate(plain.values[0])]]
    rewards = [[given_number(r, "rewards", t) for t, r in enumerate(lifted([-0.01, 0.02, 0.99, 0.0, 0.0]))]]
    gamma, lam = decimal(0.9), decimal(0.5)
    expected = run(
        Rollout(lifted([[-0.01, 0.02, 0.99, 0.0, 0.0]]), plain.values, plain.mask), convention, gamma=gamma, lam=lam
    )
    found = run(
        Rollout(rewards, worked, plain.mask),
        convention,
        gamma=given_number(gamma, "gamma"),
        lam=given_number(lam, "lam"),
    )
    for ours, theirs in zip(found.normalised[0][:3], expected.normalised[0][:3], strict=True):
        assert abs(ours.value - theirs) < TINY
    assert found.advantages[0][0].line("text").startswith("A₀ = δ₀ + γλ·A₁ = ")

    r, v = sympy.symbols("r:5"), sympy.symbols("V:5")
    g, lam_symbol = sympy.symbols("gamma lambda")
    symbols = run(
        Rollout([list(r)], [list(v)], plain.mask),
        replace(convention, whitening=conventions.Whitening.NONE),
        gamma=g,
        lam=lam_symbol,
    )
    left = convention.values is Kept.ONE_MORE
    slope = sympy.expand(symbols.advantages[0][2]).coeff(v[3])
    assert sympy.simplify(slope - (g * (1 - lam_symbol) if left else 0)) == 0


@given(batches(2, padded=True), probabilities, probabilities)
def test_with_right_padding_four_of_them_agree_whatever_stands_in_it(drawn, gamma, lam):
    mask, rewards, values = drawn
    rollout = Rollout(lifted(rewards, rational), lifted(values, rational), mask)
    raw = [
        run(rollout, replace(c, whitening=conventions.Whitening.NONE), gamma=rational(gamma), lam=rational(lam))
        for c in (TEXTBOOK, VERL_NEW, TRL, OPENRLHF)
    ]
    for i, row in enumerate(mask):
        textbook, *others = (valid(found.advantages[i], row) for found in raw)
        assert all(other == textbook for other in others)


def test_only_some_bound_the_log_ratio():
    logps = [[decimal(30.0)]], [[decimal(0.0)]]
    bounded, free = (
        conventions.policy_loss(c, *logps, [[decimal(-1.0)]], [[1]], decimal(0.2)) for c in (OPENRLHF, TRL)
    )
    assert bounded == formulas.exp(decimal(20.0))
    assert free == formulas.exp(decimal(30.0))


def test_openrlhf_lets_no_variance_be_smaller_than_epsilon():
    rollout = Rollout(lifted([[0.0, 0.0001]]), lifted([[0.0, 0.0]]), [[1, 1]])
    found = run(rollout, OPENRLHF, gamma=decimal(0.0), lam=decimal(1.0))
    assert floats(found.normalised[0]) == pytest.approx([-0.5, 0.5], rel=1e-12)
