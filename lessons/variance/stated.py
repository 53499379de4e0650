"""What people still say of variance: whether less is better, where it comes from, and what does not follow from it."""

from __future__ import annotations

from fractions import Fraction

from engine.chance import blind, one_coin, spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import judged, rational

TOKENS = (2, 4, 6)


def _less_is_better(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0), squared_errors(2.0)
    found = {"good_quiet": good[0], "good_noisy": good[1], "bad_quiet": bad[0], "bad_noisy": bad[1]}
    return judged([quiet < noisy for quiet, noisy in (good, bad)], **found)


def _needed(_: Scenario) -> Judged:
    """Noise at λ = 1 against the square of what is to be seen."""
    signal = Fraction(STEP) ** 2
    long, short = (moments(0.0, tokens=tokens)["variance"][1] for tokens in (6, 1))
    return judged([noise > signal for noise in (long, short)], signal=signal, long=long, short=short)


def _baseline_costs_bias(_: Scenario) -> Judged:
    """(Q − b)·∂log p by the first choice's logit, at even odds: its mean for several b."""
    q, half, baselines = rational((3, 1)), Fraction(1, 2), rational((0, 2, 5))
    means = [half * (q[0] - b) * half - half * (q[1] - b) * half for b in baselines]
    return judged(len(set(means)) > 1, b=baselines, means=means)


def _from_the_critic(_: Scenario) -> Judged:
    world = walk(6, step=STEP, first=1)
    seen, none = (exact_facts(spread(one, (0.0, 1.0)), Scenario())["variance"][1] for one in (world, blind(world)))
    return judged(seen != none, seen=seen, blind=none)


def _proportional(_: Scenario) -> Judged:
    found = [exact_facts(spread(walk(n, step=STEP), (0.0, 1.0)), Scenario())["variance"][1] for n in TOKENS]
    each = [v / n for v, n in zip(found, TOKENS, strict=True)]
    return judged(len(set(each)) == 1, tokens=list(TOKENS), variances=found, each=each[0])


def _batch(_: Scenario) -> Judged:
    parts = {"gamma": 1, "lam": 0.5}
    row, values = [0, 0, 1], [0.25, 0.5, 0.75]
    one = alone("gae", rewards=row, values=values, **parts)["advantages"]
    many = alone("gae", rewards=[row, [0, 0, 0], [1, 0, 1]], values=[values] * 3, **parts)["advantages"][0]
    return judged(one != many, one=one, many=many)


def _zero_mean(_: Scenario) -> Judged:
    found = exact_facts(spread(one_coin(4), (0.0, 1.0)), Scenario())
    mean, variance = found["mean"][1], found["variance"][1]
    return judged(not (mean == 0 and variance > 0), mean=mean, variance=variance)


def _unbiased_is_accurate(_: Scenario) -> Judged:
    mean, error = moments(0.0)["mean"][1], squared_errors(0.0)[1]
    biased = squared_errors(0.5, (0.5, 1.0))[0]
    return judged(not (mean == Fraction(STEP) and biased < error), mean=mean, error=error, biased=biased)


STATED: dict[str, Check] = {
    "less_variance_is_better": _less_is_better,
    "variance_reduction_is_needed": _needed,
    "a_baseline_buys_low_variance_with_bias": _baseline_costs_bias,
    "monte_carlo_noise_comes_from_the_critic": _from_the_critic,
    "monte_carlo_variance_is_proportional_to_the_length": _proportional,
    "a_larger_batch_changes_each_advantage": _batch,
    "averaging_to_zero_means_no_variance": _zero_mean,
    "unbiased_means_accurate": _unbiased_is_accurate,
}
