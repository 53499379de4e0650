"""GAE's lower variance, and the other reasons that are given for it."""

from __future__ import annotations

from itertools import pairwise

from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, apart, judged, outcome, rewarded, trial
from lessons.variance.trials import LAMS
from lessons.variance.worlds import counted

TOKENS = 3


def _another_reason(_: Scenario) -> Judged:
    """Raw advantages of the same courses by the same critic; the farthest reward still counts."""
    found = counted("exact").exact["variance"]
    variances = [found[k] for k in (0, 2, 4)]
    own = trial(outcome(TOKENS), [0] * TOKENS, HALF)
    weights = [apart(rewarded(own, t).advantages, own.advantages)[0] for t in range(TOKENS)]
    fading = all(later < sooner for sooner, later in pairwise(weights)) and weights[-1] > 0
    less = variances == sorted(variances) and variances[0] < variances[-1]
    return judged(not (fading and less), lams=list(LAMS), variances=variances, lam=HALF, weights=weights)


REASONS: dict[str, Check] = {"gae_varies_less_for_another_reason": _another_reason}
