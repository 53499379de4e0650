"""How a critic is set to learn and how well it does: explained variance, coefficients, ranges, starts, renewals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from engine import formulas, losses
from engine.scenario import Scenario
from engine.statistics import masked_variance, total
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, outcome, raised, rational, trial
from lessons.mc_vs_gae.baselines import always, mean_gradient

EARNED = rational((0, 1, 0, 1))
SURE, TOKENS = (NONE, ONE), 8  # of two responses the critic is as sure as it is wrong, all along
OLD, NEW, GOAL, RANGE, LARGER = HALF, Fraction(3, 5), ONE, Fraction(1, 5), 100
READ = rational(("1/4", "1/2"))  # what the reward model's head puts out at the prefixes of a response
RATE = HALF
BEFORE, AFTER = rational(("1/2", "1/4")), rational(("3/4", "1/2"))  # V along a response, in two epochs
LOGPS = (-1.0, -0.5)  # of a token, when it was sampled and now


def _explained(values: Sequence[Fraction], returns: Sequence[Fraction]) -> Fraction:
    left = [formulas.advantage(r, v) for r, v in zip(returns, values, strict=True)]
    left_over, spread = (masked_variance(xs, [1] * len(xs)) for xs in (left, returns))
    return Fraction(1 - left_over / spread)


def _explained_variance(_: Scenario) -> Judged:
    """Values that are the returns, that are so much above them, that never move, and that move the wrong way."""
    perfect, above = EARNED, [r + HALF for r in EARNED]
    level, opposite = [HALF] * len(EARNED), [ONE - r for r in EARNED]
    found = [_explained(values, EARNED) for values in (perfect, above, level, opposite)]
    return judged(
        found[0] == found[1] == 1 and found[2] == 0 > found[3],
        returns=EARNED, perfect=found[0], above=found[1], level=found[2], opposite=found[3],
    )  # fmt: skip


def _flattered(_: Scenario) -> Judged:
    """The very same values, against the targets of λ = 0 and against what was earned."""
    values = [v for v in SURE for _ in range(TOKENS)]
    zero, one = (
        _explained(values, [r for v in SURE for r in trial(outcome(TOKENS, ONE - v), [v] * TOKENS, lam).returns])
        for lam in (0, 1)
    )
    return judged(one < 0 < zero, tokens=TOKENS, zero=zero, one=one)


def _without_coefficient(_: Scenario) -> Judged:
    """By how much one step moves the only prediction, for two coefficients."""

    def loss(v: Fraction, coefficient: Fraction) -> Fraction:
        (value,) = losses.value_losses([v], [OLD], [GOAL], [1], cliprange=None)
        return Fraction(coefficient * value)

    coefficients = [NONE, HALF]
    moved = [RATE * (loss(OLD - ONE, c) - loss(OLD + ONE, c)) / 2 for c in coefficients]
    return judged(moved[0] == 0 < moved[1], coefficients=coefficients, moved=moved, v=OLD, goal=GOAL)


def _in_units_of_rewards(_: Scenario) -> Judged:
    """The same move under the same range, everything larger under the same range, and the range larger as well."""

    def clipped(scale: int, width: Fraction) -> Fraction:
        new, old, goal = (scale * x for x in (NEW, OLD, GOAL))
        return Fraction(losses.value_clip_fraction([new], [old], [goal], [1], cliprange=width))

    small, large, scaled = clipped(1, RANGE), clipped(LARGER, RANGE), clipped(LARGER, LARGER * RANGE)
    return judged(
        small == scaled == 0 < large,
        range=RANGE, wider=LARGER * RANGE, times=LARGER, small=small, large=large, scaled=scaled,
    )  # fmt: skip


def _undetached(_: Scenario) -> Judged:
    """The slope of the summed squares in each value: targets held, and targets that move with the values."""
    rewards, values = outcome(2), BEFORE

    def slopes(loss: Callable[[Sequence[Fraction]], Fraction]) -> list[Fraction]:
        return [(loss(raised(values, t)) - loss(raised(values, t, -1))) / 2 for t in range(len(values))]

    def both(lam: Fraction) -> tuple[bool, list[Fraction], list[Fraction]]:
        targets = trial(rewards, values, lam).returns

        def held(vs: Sequence[Fraction]) -> Fraction:
            return Fraction(total([formulas.squared_error(v, r) for v, r in zip(vs, targets, strict=True)]))

        def moving(vs: Sequence[Fraction]) -> Fraction:
            return Fraction(total([formulas.squared_error(a, NONE) for a in trial(rewards, vs, lam).advantages]))

        return held(values) == moving(values), slopes(held), slopes(moving)

    same, held, moving = both(HALF)
    same_at_one, held_at_one, moving_at_one = both(ONE)
    return judged(
        same and same_at_one and held != moving and held_at_one == moving_at_one,
        lam=HALF, held=held, moving=moving, at_one=moving_at_one,
    )  # fmt: skip


def _starts_from_the_reward_model(_: Scenario) -> Judged:
    """A copy of the reward model's head is fitted to the returns that its score makes; the model keeps its outputs."""
    critic = list(READ)
    returns = trial(outcome(len(READ)), critic).returns
    fitted = [v + RATE * formulas.advantage(r, v) for v, r in zip(critic, returns, strict=True)]
    before, after = (
        total([formulas.squared_error(v, r) for v, r in zip(vs, returns, strict=True)]) for vs in (critic, fitted)
    )
    return judged(critic == READ != fitted and after < before, read=READ, fitted=fitted, returns=returns)


def _renewed_each_epoch(_: Scenario) -> Judged:
    """Advantages with V before and after a critic's step; the policy's mean gradient at λ = 1 with either V; a ratio
    whose old log-prob stays, and one whose old log-prob is made anew."""
    first, second = (trial(outcome(2), values, HALF).advantages for values in (BEFORE, AFTER))
    gradients = [mean_gradient(always(values)) for values in (BEFORE, AFTER)]
    ratio, anew = (formulas.ratio(LOGPS[1], old) for old in LOGPS)
    return judged(
        first != second and gradients[0] == gradients[1] and ratio != 1 == anew,
        first=first, second=second, gradients=gradients, ratio=round(ratio, 4), anew=anew,
    )  # fmt: skip


TRAINED: dict[str, Check] = {
    "explained_variance_says_what_the_critic_foresees": _explained_variance,
    "explained_variance_flatters_below_lambda_one": _flattered,
    "value_coefficient_zero_leaves_the_critic_untrained": _without_coefficient,
    "value_clip_range_is_in_units_of_rewards": _in_units_of_rewards,
    "squared_undetached_advantage_has_another_gradient": _undetached,
    "critic_from_the_reward_model_is_trained_on": _starts_from_the_reward_model,
    "gae_may_be_renewed_before_each_epoch": _renewed_each_epoch,
}
