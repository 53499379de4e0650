"""What people still say of λ: whether to lower it, what it multiplies, and what is needed for it."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.scenario import Scenario
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
FAR = 4.0


def _smaller_is_better(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0), squared_errors(2.0)
    found = {"good_zero": good[0], "good_one": good[1], "bad_zero": bad[0], "bad_one": bad[1]}
    return judged([zero < one for zero, one in (good, bad)], **found)


def _below_one_is_better(_: Scenario) -> Judged:
    lams = (0.95, 1.0)
    good, bad = squared_errors(0.0, lams), squared_errors(FAR, lams)
    found = {"good": good[0], "good_one": good[1], "bad": bad[0], "bad_one": bad[1]}
    return judged([below < one for below, one in (good, bad)], lam=Fraction("0.95"), **found)


def _own_value(_: Scenario) -> Judged:
    moved = []
    for lam in (NONE, HALF, ONE):
        own = trial(REWARDS, VALUES, lam)
        moved.append(revalued(own, 0).advantages[0] - own.advantages[0])
    return judged(len(set(moved)) > 1, lams=[NONE, HALF, ONE], moved=moved)


def _one_is_quietest(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    found = moments(0.0, lams)["variance"]
    return judged(found[-1] == min(found), lams=list(lams), variances=found)


def _keeps_most(_: Scenario) -> Judged:
    tokens = (20, 100, 1000)
    left = [round(float(Fraction("0.95") ** (n - 1)), 4) for n in tokens]
    return judged(min(left) > 0.5, lam=Fraction("0.95"), tokens=list(tokens), left=left)


def _product(_: Scenario) -> Judged:
    pairs = ((HALF, ONE), (ONE, HALF))
    found = [trial(REWARDS, VALUES, lam, gamma).advantages for lam, gamma in pairs]
    return judged(found[0] == found[1], half_lambda=found[0], half_gamma=found[1])


def _without(_: Scenario) -> Judged:
    lams, errors = tuple(k / 20 for k in range(21)), (0.0, 0.5)
    tried = [squared_errors(error, lams) for error in errors]
    best = [lams[row.index(min(row))] for row in tried]
    return judged([lam in (0.0, 1.0) for lam in best], errors=list(errors), best=best)


def _whole_response(_: Scenario) -> Judged:
    moved = []
    for lam in (NONE, HALF, ONE):
        own = trial(REWARDS, VALUES, lam)
        moved.append(apart(rewarded(own, -1).advantages, own.advantages)[0])
    return judged(moved[0] == 0 and all(moved[1:]), lams=[NONE, HALF, ONE], moved=moved)


def _truth_is_lambdas(_: Scenario) -> Judged:
    means = moments(0.5)["mean"]
    return judged(means[0] == means[1], truth=Fraction(STEP), zero=means[0], one=means[1])


def _cuts_off(_: Scenario) -> Judged:
    lam = Fraction("0.95")
    horizon = int(formulas.horizon(lam))
    silent = trial(outcome(2 * horizon + 1, 0), outcome(2 * horizon + 1, 0), lam)
    ahead = [horizon, horizon + 1, 2 * horizon]
    moved = [apart(rewarded(silent, k).advantages, silent.advantages)[0] for k in ahead]
    shown = [round(float(one), 4) for one in moved]
    return judged(not any(moved[1:]), lam=lam, horizon=horizon, ahead=ahead, moved=shown)


STATED: dict[str, Check] = {
    "lambda_cuts_off_at_its_horizon": _cuts_off,
    "a_smaller_lambda_is_better": _smaller_is_better,
    "lambda_below_one_is_better_than_one": _below_one_is_better,
    "lambda_weights_the_own_value": _own_value,
    "lambda_one_has_the_least_variance": _one_is_quietest,
    "lambda_095_keeps_most_of_the_final_reward": _keeps_most,
    "only_the_product_of_gamma_and_lambda_matters": _product,
    "one_could_do_without_lambda": _without,
    "lambda_above_zero_needs_the_whole_response": _whole_response,
    "lambda_leaves_the_mean_alone_with_a_wrong_critic": _truth_is_lambdas,
}
