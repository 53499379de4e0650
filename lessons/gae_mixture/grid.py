"""Which quantity is in which estimate, which weight hangs on what, and what mixing is good for: claims of that kind."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from engine import sequences
from engine.chance import World, spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import exact, whitened
from lessons._errors import STEP, TOKENS, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, "1/8", "1/4", 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)
LENGTHS = (2, 4, 8)
EXACT = walk(TOKENS, step=STEP, first=1)
TOO_HIGH = walk(TOKENS, step=STEP, first=1, error=0.5, fade=0.5)


def _steps(one: Trial, t: int = 0) -> list[Any]:
    return list(sequences.n_step_advantages(one.rewards, one.values, one.gamma, t))


def _moved(after: Trial, t: int = 0) -> list[Any]:
    """By how much the n-step advantages of a token move, from the shortest on."""
    return apart(_steps(after, t), _steps(OWN, t))


def _whitened(_: Scenario) -> Judged:
    raw = [float(a) for a in exact("gae")["advantages"]]
    mixture, white = exact("nstep_mixture")["mixture"][0], whitened()[0]
    return judged(abs(float(mixture) - float(white)) < 1e-9, mixture=mixture, raw=raw[0], whitened=white)


def _own_reward(_: Scenario) -> Judged:
    moved = _moved(rewarded(OWN, 0))
    return judged(all(moved), moved=moved)


def _final_reward(_: Scenario) -> Judged:
    moved = _moved(rewarded(OWN, -1))
    return judged(all(moved), moved=moved)


def _look_back(_: Scenario) -> Judged:
    """From the third token on: the two before it are changed, then those after."""
    before = _moved(rewarded(revalued(OWN, 0), 1), 2)
    after = _moved(rewarded(OWN, 3), 2)
    return judged(any(before), before=before, after=after)


def _sum(_: Scenario) -> Judged:
    steps, gae = _steps(OWN), OWN.advantages[0]
    return judged(sum(steps) == gae, steps=steps, sum=sum(steps), gae=gae)


def _longest_by_length(_: Scenario) -> Judged:
    lam = Fraction(9, 10)
    longest = [sequences.mixture_weights(n, lam)[-1] for n in LENGTHS]
    falls = longest == sorted(longest, reverse=True) and longest[0] > longest[-1]
    return judged(falls, lam=lam, tokens=list(LENGTHS), longest=longest)


def _first_by_length(_: Scenario) -> Judged:
    first = [sequences.mixture_weights(n, HALF)[0] for n in LENGTHS]
    return judged(len(set(first)) > 1, tokens=list(LENGTHS), first=first)


def _return_or_advantage(_: Scenario) -> Judged:
    found = [sequences.n_step_return(OWN.rewards, OWN.values, ONE, 0, n) for n in (1, 2, 3, 4)]
    return judged(found == _steps(OWN), returns=found, steps=_steps(OWN), v=OWN.values[0])


def _one_step_hears(_: Scenario) -> Judged:
    moved = [_moved(rewarded(OWN, k))[0] for k in range(4)]
    return judged(any(moved[1:]), moved=moved)


def _in_one_course(world: World, course: int) -> list[Any]:
    rewards, values = ([Fraction(x) for x in rows[course]] for rows in (world.rewards, world.values))
    return list(sequences.n_step_advantages(rewards, values, ONE))


def _means(world: World) -> list[Any]:
    """Of the n-step advantages, by n, over all courses, which are equally likely."""
    by_course = [_in_one_course(world, i) for i in range(len(world.rewards))]
    return [sum(column) / len(by_course) for column in zip(*by_course, strict=True)]


def _same_mean(_: Scenario) -> Judged:
    means = _means(EXACT)
    return judged(set(means) == {Fraction(STEP)}, means=means, truth=Fraction(STEP))


def _same_in_each(_: Scenario) -> Judged:
    steps = _in_one_course(EXACT, 0)
    return judged(len(set(steps)) == 1, steps=steps)


def _steadier(_: Scenario) -> Judged:
    """Than the longest estimate it is, than the shortest it is not."""
    one_step, mixed, mc = exact_facts(spread(EXACT, (0.0, 0.5, 1.0)), Scenario())["variance"]
    return judged([mixed < mc, mixed < one_step], one_step=one_step, mixed=mixed, mc=mc)


def _near_one(_: Scenario) -> Judged:
    lams = (0.5, 0.9)
    good, bad = squared_errors(0.0, lams), squared_errors(2.0, lams)
    shown = {"good": [round(float(x), 3) for x in good], "bad": [round(float(x), 3) for x in bad]}
    return judged([high < low for low, high in (good, bad)], lams=list(lams), **shown)


def _at_nine_tenths(_: Scenario) -> Judged:
    lam = Fraction(9, 10)
    weights = sequences.mixture_weights(6, lam)
    return judged(weights[:3] == [1 - lam, lam * (1 - lam), lam * lam * (1 - lam)], weights=weights, total=sum(weights))


def _gamma_zero(_: Scenario) -> Judged:
    steps = _steps(trial(OWN.rewards, OWN.values, HALF, 0))
    return judged(set(steps) == {OWN.rewards[0] - OWN.values[0]}, r=OWN.rewards[0], v=OWN.values[0], steps=steps)


def _value_in_one(_: Scenario) -> Judged:
    counts = [sum(x != 0 for x in _moved(revalued(OWN, k))) for k in range(4)]
    return judged(counts[1:] == [1, 1, 1], counts=counts)


def _value_weighs(_: Scenario) -> Judged:
    moved = [revalued(OWN, k).advantages[0] - OWN.advantages[0] for k in (1, 2, 3)]
    weights = sequences.mixture_weights(4, HALF)
    return judged(moved == weights[:3], moved=moved, weights=weights)


def _second_weight(_: Scenario) -> Judged:
    lam = Fraction(9, 10)
    second = sequences.mixture_weights(6, lam)[1]
    return judged(second == lam * (1 - lam), lam=lam, first=1 - lam, second=second)


def _from_zero(_: Scenario) -> Judged:
    """Nought steps ahead there is V alone, and V less V says nothing."""
    nought = sequences.n_step_return(OWN.rewards, OWN.values, ONE, 0, 0) - OWN.values[0]
    return judged(nought in _steps(OWN) or nought != NONE, nought=nought, steps=_steps(OWN))


def _from_td_to_mc(_: Scenario) -> Judged:
    ends = [trial(REWARDS, VALUES, lam).advantages[0] for lam in (NONE, HALF, ONE)]
    return judged(
        ends[0] == OWN.deltas[0] and ends[2] == OWN.mc_advantages[0] and ends[1] not in (ends[0], ends[2]),
        delta=OWN.deltas[0], mc=OWN.mc_advantages[0], gae=ends,
    )  # fmt: skip


def _rely_less(_: Scenario) -> Judged:
    """By n: how far a critic that is too high about later states carries the n-step advantage off."""
    biases = [mean - Fraction(STEP) for mean in _means(TOO_HIGH)]
    return judged(biases == sorted(biases, reverse=True) and biases[0] > biases[-1] == 0, biases=biases)


def _middle_values(_: Scenario) -> Judged:
    moved = [_moved(revalued(OWN, k))[2] for k in range(4)]
    return judged(moved[1] != 0 and moved[2] != 0, moved=moved)


def _geometric(_: Scenario) -> Judged:
    weights = sequences.mixture_weights(6, HALF)
    quotients = [b / a for a, b in pairwise(weights[:-1])]
    return judged(set(quotients) == {HALF}, lam=HALF, weights=weights, quotients=quotients)


def _weighted_average(_: Scenario) -> Judged:
    weights, steps = sequences.mixture_weights(4, HALF), _steps(OWN)
    mean = sum(w * a for w, a in zip(weights, steps, strict=True))
    return judged(
        mean == OWN.advantages[0] and sum(weights) == 1, steps=steps, weights=weights, mean=mean, gae=OWN.advantages[0]
    )


def _bias_for_variance(_: Scenario) -> Judged:
    """With growing λ: the bias before a critic that is off, the variance before an exact one."""
    lams = (0.0, 0.5, 1.0)
    biases = [mean - Fraction(STEP) for mean in moments(0.5, lams)["mean"]]
    variances = list(moments(0.0, lams)["variance"])
    trades = biases == sorted(biases, reverse=True) and variances == sorted(variances) and variances[0] < variances[-1]
    return judged(trades, lams=list(lams), biases=biases, variances=variances)


def _within_one(_: Scenario) -> Judged:
    """Scores and values from nought to one: every estimate is a difference of two of them, so their mean is within."""
    grid = (NONE, HALF, ONE)
    tried = [trial(outcome(3, score), values, HALF) for score in grid for values in product(grid, repeat=3)]
    found = [a for one in tried for a in one.advantages]
    return judged(min(found) >= -1 and max(found) <= 1, tried=len(tried), least=min(found), most=max(found))


def _one_sign(_: Scenario) -> Judged:
    steps = _steps(trial(outcome(3, 0), ("1/4", "3/4", "1/2")))
    return judged(min(steps) >= 0 or max(steps) <= 0, steps=steps)


def _midway(_: Scenario) -> Judged:
    ends = [OWN.deltas[0], OWN.mc_advantages[0]]
    middle = sum(ends) / 2
    return judged(middle == OWN.advantages[0], ends=ends, middle=middle, gae=OWN.advantages[0])


def _at_095(_: Scenario) -> Judged:
    lam = Fraction(19, 20)
    weights = sequences.mixture_weights(6, lam)
    return judged(weights[0] == 1 - lam < HALF < weights[-1], lam=lam, first=weights[0], longest=weights[-1])


GRID: dict[str, Check] = {
    "mixture_gives_whitened_advantages": _whitened,
    "every_estimate_contains_the_own_reward": _own_reward,
    "every_estimate_contains_the_final_reward": _final_reward,
    "estimates_look_back": _look_back,
    "gae_is_the_sum_of_the_estimates": _sum,
    "longest_weight_shrinks_with_length": _longest_by_length,
    "first_weight_depends_on_the_length": _first_by_length,
    "n_step_return_is_the_n_step_advantage": _return_or_advantage,
    "one_step_estimate_contains_later_rewards": _one_step_hears,
    "estimates_share_the_mean_with_an_exact_critic": _same_mean,
    "exact_critic_makes_all_estimates_equal": _same_in_each,
    "mixing_makes_advantages_steadier": _steadier,
    "lambda_should_be_near_one": _near_one,
    "weights_at_nine_tenths": _at_nine_tenths,
    "gamma_zero_makes_all_estimates_equal": _gamma_zero,
    "each_later_value_is_in_one_estimate": _value_in_one,
    "a_later_value_counts_as_its_estimate_weighs": _value_weighs,
    "two_step_weight_is_lambda_times_one_less_lambda": _second_weight,
    "shortest_estimate_looks_no_step_ahead": _from_zero,
    "gae_runs_from_td_to_monte_carlo": _from_td_to_mc,
    "longer_estimates_rely_less_on_the_critic": _rely_less,
    "middle_values_are_in_an_n_step_estimate": _middle_values,
    "weights_decay_geometrically_before_the_tail": _geometric,
    "gae_is_a_weighted_average_of_n_step_advantages": _weighted_average,
    "lambda_trades_bias_for_variance": _bias_for_variance,
    "advantages_lie_between_minus_one_and_one": _within_one,
    "estimates_of_one_token_share_the_sign": _one_sign,
    "lambda_half_is_midway_between_the_ends": _midway,
    "one_step_has_five_percent_at_095": _at_095,
}
