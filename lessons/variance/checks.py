"""More of what learners claim of variance: what it is of, what lowers it, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, quantities
from engine.chance import World, coins, even, noise_of_later_tokens, one_coin, spread, walk
from engine.facts import exact_facts
from engine.proofs.programs import expected
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds
from lessons.variance.worlds import STEP, TOKENS

ENDS = (0.0, 0.5, 1.0)
GIVEN = walk(TOKENS, step=STEP, first=1)
SHIFTED = walk(TOKENS, step=STEP, first=1, error=1.0)  # off by the same amount after every token
DRAWN = walk(TOKENS, step=STEP)


@cache
def _of(world: World, lams: tuple[float, ...] = ENDS) -> dict[str, Any]:
    return exact_facts(spread(world, lams), Scenario())


def _variance(numbers: Sequence[Fraction]) -> Any:
    p = [Fraction(1, len(numbers))] * len(numbers)
    mean = expected(p, lambda i: numbers[i])
    return expected(p, lambda i: formulas.squared_error(numbers[i], mean))


def _nothing_at_zero(_: Scenario) -> Judged:
    variances = _of(DRAWN)["variance"]
    return Judged(holds(variances[0] == 0), {"zero": variances[0], "one": variances[2]})


def _exact_has_none(_: Scenario) -> Judged:
    variances = _of(DRAWN)["variance"]
    return Judged(holds(not any(variances)), {"lams": list(ENDS), "variances": variances})


def _zero_is_quietest(_: Scenario) -> Judged:
    found = _of(GIVEN)
    steady = len(set(found["mean"])) == 1
    return Judged(
        holds(steady and found["variance"] == sorted(found["variance"])),
        {"lams": list(ENDS), "variances": found["variance"], "mean": found["mean"][0]},
    )


def _offset(_: Scenario) -> Judged:
    right, shifted = _of(GIVEN), _of(SHIFTED)
    return Judged(
        holds(right["variance"] != shifted["variance"]),
        {"right": right["variance"][1], "shifted": shifted["variance"][1], "mean": right["mean"][1],
         "shifted_mean": shifted["mean"][1]},
    )  # fmt: skip


def _smaller_gamma(_: Scenario) -> Judged:
    one, news = Fraction(1), Fraction(str(STEP)) ** 2
    variances = [noise_of_later_tokens(news, TOKENS, Fraction(g), one, own=True) for g in ("1", "0.9", "0.5")]
    return Judged(
        holds(variances == sorted(variances, reverse=True)),
        {"gammas": [1.0, 0.9, 0.5], "variances": [round(float(v), 4) for v in variances]},
    )


def _more_responses(_: Scenario) -> Judged:
    """The mean of two independent advantages, each plus or minus one at even odds."""
    single = [Fraction(x) for x in (1, -1)]
    pairs = [formulas.mean(a + b, 2) for a in single for b in single]
    one, two = _variance(single), _variance(pairs)
    return Judged(holds(two < one), {"one": one, "two": two})


def _spread_along_response(_: Scenario) -> Judged:
    """One coin at the end, λ = 1: within a response the advantages agree, between responses they do not."""
    world = one_coin(3)
    given = [
        {"rewards": r, "values": v, "gamma": 1, "lam": 1} for r, v in zip(world.rewards, world.values, strict=True)
    ]
    rows = [quantities.facts("gae", scenario(one)).exact["advantages"] for one in given]
    within, between = _variance(rows[0]), _variance([row[0] for row in rows])
    return Judged(holds(within == between), {"rows": rows, "within": within, "between": between})


def _scaling_quietens(_: Scenario) -> Judged:
    """Signal and noise, and the same divided by two, as whitening may do."""
    found = _of(GIVEN)
    mean, variance = found["mean"][2], found["variance"][2]
    half = mean / 2, variance / 4
    return Judged(
        holds(variance / mean**2 != half[1] / half[0] ** 2),
        {"mean": mean, "variance": variance, "half_mean": half[0], "half_variance": half[1],
         "relative": variance / mean**2},
    )  # fmt: skip


def _early_are_noisier(_: Scenario) -> Judged:
    """λ = 1, with news at every token, and with one coin at the end: the first token beside the last."""
    steady, ended = ([_of(world(n))["variance"][-1] for n in (TOKENS, 1)] for world in (coins, one_coin))
    more, same = steady[0] > steady[1], ended[0] == ended[1]
    return Judged("depends" if more and same else holds(more), {"tokens": TOKENS, "steady": steady, "ended": ended})


def _sure_outcome(_: Scenario) -> Judged:
    sure = World(even(2), ((0.0, 1.0),) * 2, ((0.5, 0.5),) * 2)
    variances = _of(sure)["variance"]
    return Judged(holds(not any(variances)), {"reward": [0, 1], "variances": variances})


MORE: dict[str, Check] = {
    "lambda_zero_has_no_variance": _nothing_at_zero,
    "an_exact_critic_has_no_variance": _exact_has_none,
    "exact_critic_lambda_zero_is_quietest": _zero_is_quietest,
    "a_constant_offset_adds_variance": _offset,
    "smaller_gamma_lowers_the_variance": _smaller_gamma,
    "more_responses_make_the_mean_quieter": _more_responses,
    "variance_is_the_spread_along_a_response": _spread_along_response,
    "scaling_advantages_removes_noise": _scaling_quietens,
    "early_tokens_are_noisier": _early_are_noisier,
    "no_chance_means_no_variance": _sure_outcome,
}
