"""GAE's lower variance, and the other reasons that are given for it."""

from __future__ import annotations

from itertools import pairwise

from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, apart, judged, outcome, rewarded, trial
from lessons.variance.trials import LAMS
from lessons.variance.worlds import counted

TOKENS, MANY = 3, 4


def _another_reason(_: Scenario) -> Judged:
    """Raw advantages of the same courses by the same critic; the farthest reward still counts."""
    found = counted("exact").exact["variance"]
    variances = [found[k] for k in (0, 2, 4)]
    own = trial(outcome(TOKENS), [0] * TOKENS, HALF)
    weights = [apart(rewarded(own, t).advantages, own.advantages)[0] for t in range(TOKENS)]
    fading = all(later < sooner for sooner, later in pairwise(weights)) and weights[-1] > 0
    less = variances == sorted(variances) and variances[0] < variances[-1]
    return judged(not (fading and less), lams=list(LAMS), variances=variances, lam=HALF, weights=weights)


def _whose_is_whose(_: Scenario) -> Judged:
    """Given a good token: the mean and the variance of its advantage at λ = ½, by an exact critic and a wrong one."""
    exact, wrong = (counted(name).exact for name in ("given_good", "given_wrong"))
    means, truth = [found["mean"][2] for found in (exact, wrong)], exact["mean"][4]
    variance = exact["variance"][2]
    return judged(means[0] == truth != means[1] and variance > 0, truth=truth, means=means, variance=variance)


def _batch_lowers_bias(_: Scenario) -> Judged:
    """The mean over more responses: its expectation and its variance."""
    exact, wrong = (counted(name).exact for name in ("given_good", "given_wrong"))
    bias, variance = wrong["mean"][2] - exact["mean"][4], wrong["variance"][2]
    few, many = ({"bias": bias, "variance": variance / n} for n in (1, MANY))
    return judged(many["bias"] != few["bias"], bias=bias, many=MANY, few=few["variance"], more=many["variance"])


REASONS: dict[str, Check] = {
    "gae_varies_less_for_another_reason": _another_reason,
    "bias_is_the_critics_and_variance_the_samplings": _whose_is_whose,
    "a_larger_batch_lowers_the_bias": _batch_lowers_bias,
}
