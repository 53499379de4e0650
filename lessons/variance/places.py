"""What learners claim of where the noise sits, what it is a matter of, and what cannot lower it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.chance import noise_of_later_tokens, spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, raised, rational, trial
from lessons.variance.worlds import STEP, TOKENS


def _variance(numbers: list[Any]) -> Any:
    mean = formulas.mean(sum(numbers), len(numbers))
    return formulas.mean(sum(formulas.squared_error(x, mean) for x in numbers), len(numbers))


def _at_most(_: Scenario) -> Judged:
    gamma, steps = Fraction(9, 10), range(4)
    mc, gae = ([formulas.discounted(ONE, weight, k) for k in steps] for weight in (gamma, gamma * HALF))
    return judged(all(a <= b for a, b in zip(gae, mc, strict=True)), gamma=gamma, mc=mc, gae=gae)


def _same_factor(_: Scenario) -> Judged:
    left = (6, 3, 1)
    shares = [noise_of_later_tokens(ONE, n, ONE, HALF, own=True) / n for n in left]
    return judged(len(set(shares)) == 1, left=list(left), shares=[round(float(x), 4) for x in shares])


def _of_the_drawn(_: Scenario) -> Judged:
    """What one response alone shows of the spread, whichever it is, and what all that could come show."""
    scores = rational((1, 0))
    could_be = [trial((0, score), (HALF, HALF)).advantages[0] for score in scores]
    alone, together = [_variance([one]) for one in could_be], _variance(could_be)
    return judged(together in alone or alone[0] > alone[1], scores=scores, alone=alone, variance=together)


def _whitening_alike(_: Scenario) -> Judged:
    """Signal against noise of a good first token, before and after a division, and at another λ."""
    found = exact_facts(spread(walk(TOKENS, step=STEP, first=1), (0.5, 1.0)), Scenario())
    half, one = (mean**2 / noise for mean, noise in zip(found["mean"], found["variance"], strict=True))
    scale = found["variance"][1]
    scaled = (found["mean"][1] ** 2 / scale) / (found["variance"][1] / scale)
    return judged(scaled == half, one=round(float(one), 6), scaled=round(float(scaled), 6), half=round(float(half), 6))


def _far_noise(_: Scenario) -> Judged:
    places, nothing = (0, 1, 3), [NONE] * 4

    def noise(place: int) -> Any:
        return _variance([trial(raised(nothing, place, sign), nothing, HALF).advantages[0] for sign in (1, -1)])

    variances = [noise(place) for place in places]
    return judged(variances == sorted(set(variances), reverse=True), places=list(places), variances=variances)


PLACES: dict[str, Check] = {
    "every_weight_of_gae_is_at_most_monte_carlos": _at_most,
    "variance_falls_by_the_same_factor_at_every_token": _same_factor,
    "variance_depends_on_the_score_that_was_drawn": _of_the_drawn,
    "whitening_and_lambda_lower_variance_alike": _whitening_alike,
    "distant_noise_reaches_gae_less": _far_noise,
}
