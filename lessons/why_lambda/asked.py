"""What people ask of λ beside its ends: what it sets and does not, and whether one number or one rule is best."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._errors import moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, default, judged, outcome, raised, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
LAM = Fraction("0.95")
GRID = tuple(k / 20 for k in range(21))


def _between(_: Scenario) -> Judged:
    zero, one = (trial(REWARDS, VALUES, lam) for lam in (NONE, ONE))
    ends = zero.advantages == zero.deltas and one.advantages == one.mc_advantages
    return judged(ends, td=zero.advantages[0], mc=one.advantages[0], half=trial(REWARDS, VALUES, HALF).advantages[0])


def _reach(_: Scenario) -> Judged:
    """The first advantage when the last surprise of four is larger by one."""
    deltas, moved = trial(REWARDS, VALUES).deltas, []
    for lam in (NONE, HALF, ONE):
        before, after = (sequences.gae_advantages(d, ONE, lam) for d in (deltas, raised(deltas, -1)))
        moved.append(apart(after, before)[0])
    return judged(moved == sorted(set(moved)), lams=[NONE, HALF, ONE], moved=moved)


def _is_beta(_: Scenario) -> Judged:
    own, by_lam = gae(), gae(lam=0.5)["rewards"]
    by_beta = exact("kl_rewards", beta=1.0)["rewards"]
    return judged(by_lam == by_beta, r=own["rewards"], by_lam=by_lam, by_beta=by_beta)


def _is_clip(_: Scenario) -> Judged:
    """Ratio and clip range as they are: λ moves the advantage, and not what the ratio is allowed."""
    ratio, eps = Fraction("1.5"), Fraction("0.2")
    found = [trial(REWARDS, VALUES, lam).advantages[0] for lam in (HALF, ONE)]
    kept = [formulas.clipped_term(ratio, a, eps, eps) / a for a in found]
    return judged(kept[0] != kept[1], ratio=ratio, a=found, kept=kept)


def _next_half(_: Scenario) -> Judged:
    deltas = trial(REWARDS, VALUES).deltas
    before = sequences.gae_advantages(deltas, ONE, HALF)[0]
    moved = [sequences.gae_advantages(raised(deltas, k), ONE, HALF)[0] - before for k in range(4)]
    return judged(moved == [formulas.discounted(ONE, HALF, k) for k in range(4)], lam=HALF, moved=moved)


def _td_lambda(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    direct = sequences.lambda_returns(own.rewards, own.values, own.gamma, own.lam)
    return judged(own.returns == direct, lam=HALF, returns=own.returns, direct=direct)


def _095_is_best(_: Scenario) -> Judged:
    errors = (0.0, 2.0, 4.0)
    rows = [squared_errors(error, GRID) for error in errors]
    best = [GRID[row.index(min(row))] for row in rows]
    return judged([Fraction(str(lam)) == LAM for lam in best], lam=LAM, errors=list(errors), best=best)


def _learns_faster(_: Scenario) -> Judged:
    """What a critic from zero knows of the end after a round; and, once it is exact, how many samples a λ takes."""
    zero, one = (trial(outcome(3), [0] * 3, lam).returns[0] for lam in (NONE, ONE))
    noise = moments(0.0, (0.5, 1.0))["variance"]
    return judged([one > zero, noise[1] < noise[0]], zero=zero, one=one, half_noise=noise[0], one_noise=noise[1])


def _suits_outcomes(_: Scenario) -> Judged:
    good, bad = squared_errors(0.0), squared_errors(4.0)
    found = {"good_zero": good[0], "good_one": good[1], "bad_zero": bad[0], "bad_one": bad[1]}
    return judged([one < zero for zero, one in (good, bad)], **found)


def _long_matters(_: Scenario) -> Judged:
    tokens = (1, 10, 100)
    left = [round(float(formulas.discounted(ONE, LAM, n - 1)), 4) for n in tokens]
    return judged(left == sorted(set(left), reverse=True), lam=LAM, tokens=list(tokens), left=left)


def _is_the_share(_: Scenario) -> Judged:
    lam = Fraction("0.9")
    own = trial(REWARDS, VALUES, lam)
    share = lam * own.mc_advantages[0] + (1 - lam) * own.deltas[0]
    return judged(own.advantages[0] == share, lam=lam, a=own.advantages[0], share=share)


def _differs_by_token(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    factors = [(own.advantages[t] - own.deltas[t]) / own.advantages[t + 1] for t in range(3)]
    return judged(len(set(factors)) > 1, lam=HALF, factors=factors)


def _always_biased(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 0.95, 1.0)
    means = moments(0.0, lams)["mean"]
    return judged(means[-1] not in means[:-1], lams=list(lams), means=means)


def _reinforce(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES)
    return judged(own.advantages == own.mc_advantages, a=own.advantages, g=own.mc_returns, v=own.values)


def _explores(_: Scenario) -> Judged:
    """The same rollout under two λ, and what they change: bias and variance of its advantage."""
    low, high = (gae(lam=lam)["rewards"] for lam in (0.5, 1.0))
    found = moments(0.5, (0.5, 1.0))
    return judged(low != high, lams=[HALF, ONE], means=found["mean"], noise=found["variance"], r=high)


def _learned(_: Scenario) -> Judged:
    """Learned it would stand in no configuration."""
    settings = {project: default(project, "lam") for project in ("verl", "trl")}
    return judged(not settings, **settings)


ASKED: dict[str, Check] = {
    "lambda_goes_between_td_and_monte_carlo": _between,
    "lambda_sets_how_far_a_surprise_reaches": _reach,
    "lambda_is_the_kl_coefficient": _is_beta,
    "lambda_limits_the_size_of_the_update": _is_clip,
    "at_lambda_half_the_next_delta_counts_half": _next_half,
    "it_is_the_lambda_of_td_lambda": _td_lambda,
    "095_is_the_best_lambda": _095_is_best,
    "a_larger_lambda_learns_faster": _learns_faster,
    "lambda_one_suits_outcome_rewards": _suits_outcomes,
    "lambda_matters_more_on_long_responses": _long_matters,
    "lambda_is_the_share_of_monte_carlo": _is_the_share,
    "lambda_differs_by_token": _differs_by_token,
    "every_lambda_below_one_is_biased": _always_biased,
    "lambda_one_is_reinforce_with_a_baseline": _reinforce,
    "lambda_balances_exploration": _explores,
    "lambda_is_learned": _learned,
}
