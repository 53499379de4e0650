"""Which quantity is in which estimate, which weight hangs on what, and what mixing is good for: claims of that kind."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.chance import spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import exact
from lessons._errors import STEP, TOKENS, squared_errors
from lessons._proposition import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, revalued, rewarded, trial

OWN = trial((0, "1/8", "1/4", 1), ("1/4", "1/2", "3/8", "3/4"), HALF)
LENGTHS = (2, 4, 8)
EXACT = walk(TOKENS, step=STEP, first=1)


def _steps(one: Trial, t: int = 0) -> list[Any]:
    return list(sequences.n_step_advantages(one.rewards, one.values, one.gamma, t))


def _moved(after: Trial, t: int = 0) -> list[Any]:
    """By how much the n-step advantages of a token move, from the shortest on."""
    return apart(_steps(after, t), _steps(OWN, t))


def _whitened(_: Scenario) -> Judged:
    raw = [float(a) for a in exact("gae")["advantages"]]
    mixture, whitened = exact("nstep_mixture")["mixture"][0], exact("whiten", advantages=raw)["whitened"][0]
    return judged(abs(float(mixture) - float(whitened)) < 1e-9, mixture=mixture, raw=raw[0], whitened=whitened)


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


def _in_one_course(course: int) -> list[Any]:
    rewards, values = ([Fraction(x) for x in rows[course]] for rows in (EXACT.rewards, EXACT.values))
    return list(sequences.n_step_advantages(rewards, values, ONE))


def _same_mean(_: Scenario) -> Judged:
    """Over all courses, which are equally likely."""
    by_course = [_in_one_course(i) for i in range(len(EXACT.rewards))]
    means = [sum(column) / len(by_course) for column in zip(*by_course, strict=True)]
    return judged(set(means) == {Fraction(STEP)}, means=means, truth=Fraction(STEP))


def _same_in_each(_: Scenario) -> Judged:
    steps = _in_one_course(0)
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
}
