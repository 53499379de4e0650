"""The policy's and the critic's losses: bounds, identities, where gradients vanish, golden numbers of verl."""

from __future__ import annotations

import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine import formulas, losses
from engine.errors import EngineError
from engine.kernels import losses as kernels
from engine.losses import Aggregation, Clip
from engine.masks import valid
from engine.readings.exact import Decimal, decimal, rational
from engine.statistics import masked_mean
from tests.engine.batch_strategies import batches, lifted, logps, masked_rows, numbers, rows, tensor

TINY = Decimal("1e-40")
CLIP = Clip(rational(0.2), rational(0.3))
DUAL = Clip(rational(0.2), rational(0.3), 3)
positive = st.integers(1, 60).map(lambda n: n / 10)


# ---------------------------------------------------------------- the policy


@given(masked_rows(2, of=numbers, least=1))
def test_at_the_first_step_the_objective_is_the_advantage(drawn):
    mask, old, advantages = drawn
    ratios = losses.ratios(lifted(old), lifted(old), mask)
    assert valid(ratios, mask) == [1] * sum(mask)
    for found in (
        losses.surrogates(ratios, lifted(advantages), mask),
        losses.objectives(ratios, lifted(advantages), mask, clip=Clip(0, 0)),
    ):
        assert valid(found, mask) == valid(lifted(advantages), mask)


@given(masked_rows(2, of=numbers, least=1))
def test_at_the_first_step_the_gradient_is_the_policy_gradient(drawn):
    mask, logp, advantages = drawn
    new, m = tensor([logp]).requires_grad_(), tensor([mask])
    ratios = kernels.ratios(new, tensor([logp]), m)
    kernels.objectives(ratios, tensor([advantages]), m, clip=Clip(0.2, 0.2)).sum().backward()
    assert torch.equal(new.grad, tensor([advantages]) * m)


@given(positive, numbers)
def test_the_clipped_objective_is_a_lower_bound_and_tight_inside(ratio, adv):
    r, a = rational(ratio), rational(adv)
    surrogate = formulas.surrogate_term(r, a)
    (clipped,), (floored,) = (losses.objectives([r], [a], [1], clip=clip) for clip in (CLIP, DUAL))
    assert clipped <= surrogate
    if 1 - CLIP.low <= r <= 1 + CLIP.high:
        assert clipped == surrogate
    assert floored == (max(clipped, 3 * a) if a < 0 else clipped)


@pytest.mark.parametrize(
    ("ratio", "adv", "clip", "flows"),
    [
        (1.5, 1.0, CLIP, False),  # good and already likelier: no more
        (0.5, 1.0, CLIP, True),
        (1.5, -1.0, CLIP, True),
        (0.5, -1.0, CLIP, False),  # bad and already rarer: no more
        (3.5, -1.0, CLIP, True),
        (3.5, -1.0, DUAL, False),  # bad and far too likely: dual clip lets go
        (2.5, -1.0, DUAL, True),
    ],
)
def test_where_the_gradient_vanishes(ratio, adv, clip, flows):
    new = tensor([[ratio]]).log().requires_grad_()
    mask = torch.ones(1, 1)
    clip = Clip(float(clip.low), float(clip.high), clip.floor)
    ratios = kernels.ratios(new, torch.zeros_like(new), mask)
    kernels.policy_losses(ratios, tensor([[adv]]), mask, clip=clip).sum().backward()
    assert (new.grad.item() != 0) == flows
    floored = clip.floor is not None and bool(kernels.floor_fraction(ratios, tensor([[adv]]), mask, clip=clip))
    decided = bool(kernels.clip_fraction(ratios, tensor([[adv]]), mask, clip=clip))
    assert (decided or floored) == (not flows)


@given(masked_rows(2, of=positive, least=1), st.data())
def test_clip_fractions_count_where_the_objective_was_changed(drawn, data):
    mask, ratios, _ = drawn
    advantages = lifted(data.draw(rows(numbers, len(mask))), rational)
    ratios = lifted(ratios, rational)
    surrogate = losses.surrogates(ratios, advantages, mask)
    clipped = losses.objectives(ratios, advantages, mask, clip=CLIP)
    floored = losses.objectives(ratios, advantages, mask, clip=DUAL)
    count = sum(mask)
    changed = sum(a != b for a, b in zip(surrogate, clipped, strict=True))
    raised = sum(a != b for a, b in zip(clipped, floored, strict=True))
    assert losses.clip_fraction(ratios, advantages, mask, clip=DUAL) * count == changed
    assert losses.floor_fraction(ratios, advantages, mask, clip=DUAL) * count == raised


def test_the_objective_on_symbols_is_the_piecewise_textbook_form():
    r = sympy.Symbol("r", positive=True)
    (objective,) = losses.objectives(
        [r], [sympy.Integer(1)], [1], clip=Clip(sympy.Rational(1, 5), sympy.Rational(1, 5))
    )
    assert [objective.subs(r, x) for x in (sympy.Rational(1, 2), 1, 2)] == [
        sympy.Rational(1, 2),
        1,
        sympy.Rational(6, 5),
    ]


@given(logps, logps)
def test_a_bound_on_the_log_ratio_only_matters_beyond_it(new, old):
    ((near,), (far,)) = (losses.ratios([decimal(new)], [decimal(old)], [1], bound=b) for b in (50, 1))
    assert near == formulas.ratio(decimal(new), decimal(old))
    assert abs(decimal(new) - decimal(old)) > 1 or far == near
    assert formulas.exp(decimal(-1.0)) <= far <= formulas.exp(decimal(1.0))


@given(masked_rows(2, of=logps, least=1))
def test_the_second_form_of_the_approximate_kl_is_never_negative(drawn):
    mask, new, old = drawn
    new, old = lifted(new), lifted(old)
    ratios = losses.ratios(new, old, mask)
    k1, k3 = losses.approx_kl(new, old, mask), losses.approx_kl_k3(new, old, mask)
    assert k3 >= 0
    assert abs(k3 - (masked_mean(ratios, mask) - 1 + k1)) < TINY


@given(st.lists(st.integers(1, 20), min_size=2, max_size=6))
def test_entropy_is_largest_for_the_uniform_distribution_and_adds_for_independent_ones(weights):
    p = [decimal(float(w)) / sum(weights) for w in weights]
    uniform = [decimal(1.0) / len(p)] * len(p)
    assert abs(losses.entropy(uniform) - formulas.log(decimal(float(len(p))))) < TINY
    assert losses.entropy(p) <= losses.entropy(uniform) + TINY
    pairs = [a * b for a in p for b in uniform]
    assert abs(losses.entropy(pairs) - losses.entropy(p) - losses.entropy(uniform)) < TINY


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=6))
def test_entropy_from_logits_is_that_of_the_probabilities(logits):
    weights = [formulas.exp(decimal(float(x))) for x in logits]
    p = [w / sum(weights) for w in weights]
    assert float(losses.entropy(p)) == pytest.approx(kernels.entropy_of_logits(tensor(logits)).item(), abs=1e-12)


def test_a_token_that_cannot_come_adds_nothing_to_the_entropy_or_its_gradient():
    logits = tensor([1.0, 2.0, -torch.inf]).requires_grad_()
    found = kernels.entropy_of_logits(logits)
    found.backward()
    alone = kernels.entropy_of_logits(tensor([1.0, 2.0]))
    assert found.item() == pytest.approx(alone.item(), abs=1e-15)
    assert logits.grad.isfinite().all() and logits.grad[2] == 0


# ---------------------------------------------------------------- the critic


@given(masked_rows(3, least=1), positive)
def test_clipping_never_lowers_the_value_error_and_vanishes_within_its_range(drawn, cliprange):
    mask, vpreds, old, returns = (drawn[0], *(lifted(x, rational) for x in drawn[1:]))
    cliprange = rational(cliprange)
    plain = losses.value_errors(vpreds, old, returns, mask, cliprange=None)
    clipped = losses.value_errors(vpreds, old, returns, mask, cliprange=cliprange)
    moved = formulas.clip_value
    for t in range(len(mask)):
        if mask[t]:
            assert clipped[t] >= plain[t]
            assert clipped[t] >= formulas.squared_error(moved(vpreds[t], old[t], cliprange), returns[t])
            assert clipped[t] == plain[t] or abs(vpreds[t] - old[t]) > cliprange
    raised = sum(a != b for a, b in zip(plain, clipped, strict=True))
    assert losses.value_clip_fraction(vpreds, old, returns, mask, cliprange=cliprange) * sum(mask) == raised
    halves = losses.value_losses(vpreds, old, returns, mask, cliprange=cliprange)
    assert [2 * x for x in valid(halves, mask)] == valid(clipped, mask)


def test_rounding_does_not_decide_whether_the_value_clip_does():
    """As far above the target as its clipped prediction lies below it: 0.9 and 0.7 around 0.8."""
    tie = [[0.5, 0.9], [0.4, 0.5], [1.0, 0.8]]
    exact = losses.value_clip_fraction(*(lifted(x, rational) for x in tie), [1, 1], cliprange=rational(0.2))
    mask = tensor([[1, 1]])
    assert exact == kernels.value_clip_fraction(*(tensor([x]) for x in tie), mask, cliprange=0.2) == 0
    decided = [[0.5, 0.8], [0.4, 0.5], [1.0, 0.8]]
    assert kernels.value_clip_fraction(*(tensor([x]) for x in decided), mask, cliprange=0.2) == 0.5


def test_value_loss_of_verl():
    vpreds, old, returns = lifted([0.5, 1.2, 0.1], rational), [rational(0.6)] * 3, [rational(0.9)] * 3
    terms = losses.value_losses(vpreds, old, returns, [1] * 3, cliprange=rational(0.2))
    loss = losses.aggregate([terms], [[1] * 3], Aggregation.TOKEN_MEAN)
    assert round(float(loss), 6) == 0.148333


# ---------------------------------------------------------------- one number


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Aggregation.TOKEN_MEAN, 2.5),
        (Aggregation.TOKEN_SUM, 10),
        (Aggregation.SEQ_MEAN_TOKEN_SUM, 5),
        (Aggregation.SEQ_MEAN_TOKEN_MEAN, 3),
        (Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, 1.25),
    ],
)
def test_aggregation_of_verl(mode, expected):
    terms, mask = [[1, 2, 3, 0], [4, 0, 0, 0]], [[1, 1, 1, 0], [1, 0, 0, 0]]
    assert losses.aggregate(lifted(terms, lambda n: rational(float(n))), mask, mode) == expected
    assert kernels.aggregate(tensor(terms), tensor(mask), mode).item() == expected


@given(batches(1))
def test_the_modes_differ_by_counts(drawn):
    mask, terms = drawn
    terms = lifted(terms, rational)
    by_mode = {mode: losses.aggregate(terms, mask, mode) for mode in Aggregation}
    tokens, count, width = sum(map(sum, mask)), len(mask), len(mask[0])
    total = by_mode[Aggregation.TOKEN_SUM]
    assert by_mode[Aggregation.TOKEN_MEAN] * tokens == total
    assert by_mode[Aggregation.SEQ_MEAN_TOKEN_SUM] * count == total
    assert by_mode[Aggregation.SEQ_MEAN_TOKEN_SUM_NORM] * count * width == total
    assert losses.aggregate(terms, mask, Aggregation.SEQ_MEAN_TOKEN_SUM_NORM, horizon=7) * count * 7 == total


@given(st.integers(1, 4), st.integers(1, 5), st.data())
def test_with_equal_lengths_the_two_means_are_one(count, length, data):
    terms = [lifted(data.draw(rows(numbers, length)), rational) for _ in range(count)]
    mask = [[1] * length] * count
    assert losses.aggregate(terms, mask, Aggregation.TOKEN_MEAN) == losses.aggregate(
        terms, mask, Aggregation.SEQ_MEAN_TOKEN_MEAN
    )


@given(batches(1), st.sampled_from(list(Aggregation)))
def test_a_response_without_valid_tokens_does_not_count(drawn, mode):
    mask, terms = drawn
    terms = lifted(terms, rational)
    width = len(mask[0])
    assert losses.aggregate([*terms, [None] * width], [*mask, [0] * width], mode) == losses.aggregate(terms, mask, mode)


def test_nothing_valid_is_refused():
    with pytest.raises(EngineError, match="no_valid_token"):
        losses.aggregate([[1, 2]], [[0, 0]], Aggregation.TOKEN_SUM)
