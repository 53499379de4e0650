"""What learners claim of the estimates' bias and variance, counted over every course of a small world."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.chance import World, spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import ONE, judged, rational

TOKENS, STEP = 5, 0.25
EXACT = walk(TOKENS, step=STEP, first=1)
TOO_HIGH = walk(TOKENS, step=STEP, first=1, error=0.5, fade=0.5)


def moments(world: World, n: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the first token's n-step advantage over all courses, which are equally likely."""
    found = []
    for rewards, values in zip(world.rewards, world.values, strict=True):
        r, v = ([Fraction(x) for x in row] for row in (rewards, values))
        found.append(formulas.advantage(sequences.n_step_return(r, v, ONE, 0, n), v[0]))
    mean = formulas.mean(sum(found), len(found))
    return mean, formulas.mean(sum(formulas.squared_error(a, mean) for a in found), len(found))


def _gae(world: World, lam: float) -> tuple[Any, Any]:
    found = exact_facts(spread(world, (lam, 1.0)), Scenario())
    return found["mean"][0], found["variance"][0]


def _more_steps(_: Scenario) -> Judged:
    (truth,) = rational((str(STEP),))
    found = [moments(TOO_HIGH, n) for n in range(1, TOKENS + 1)]
    biases, variances = [mean - truth for mean, _ in found], [variance for _, variance in found]
    falls, rises = biases == sorted(biases, reverse=True), variances == sorted(variances)
    return judged(falls and rises and biases[-1] == 0, truth=truth, biases=biases, variances=variances)


def _removes_bias(_: Scenario) -> Judged:
    mean, _variance = _gae(TOO_HIGH, 0.5)
    return judged(mean == STEP, truth=STEP, mean=mean)


def _less_than_every(_: Scenario) -> Judged:
    one_step, mc = moments(EXACT, 1)[1], moments(EXACT, TOKENS)[1]
    _mean, gae = _gae(EXACT, 0.5)
    return judged(gae < one_step, one_step=one_step, gae=gae, mc=mc)


COUNTED: dict[str, Check] = {
    "more_steps_less_bias_more_variance": _more_steps,
    "mixing_removes_the_bias": _removes_bias,
    "mixture_has_less_variance_than_every_estimate": _less_than_every,
}
