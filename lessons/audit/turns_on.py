"""Signs that mean a mistake in one case and nothing in another: which check fits turns on what the numbers are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.example import RUNNING
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.scenario import Scenario, scenario
from lessons._checks import alone, exact
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._row import fraction, row
from lessons._trials import HALF, NONE, ONE, apart, judged, revalued, trial
from lessons.audit.checks import THREE

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
MIDDLE, FULL, STEP = (trial(REWARDS, VALUES, lam) for lam in (HALF, ONE, NONE))
BATCH, REAL = [[2.0, 1.0], [-1.0, -4.0]], [[1, 1], [1, 1]]
ROUNDED = 6


def _sums(gamma: Fraction) -> list[Any]:
    """The plain sum of right deltas, and G_0 − V_0."""
    found = trial(REWARDS, VALUES, HALF, gamma)
    return [sum(found.deltas), found.excess]


def _delta_sum(_: Scenario) -> Judged:
    """Right numbers that differ would show that a difference is no mistake."""
    one, half = _sums(ONE), _sums(HALF)
    return judged([total == excess for total, excess in (one, half)], gamma=HALF, one=one, half=half)


def _delta_sum_at_one(_: Scenario) -> Judged:
    one = _sums(ONE)
    return judged(one[0] == one[1], one=one)


def _advantage_sum(_: Scenario) -> Judged:
    zero, half = ([sum(found.advantages), found.excess] for found in (STEP, MIDDLE))
    return judged([total == excess for total, excess in (zero, half)], lam=HALF, zero=zero, half=half)


def _not_the_return(_: Scenario) -> Judged:
    one, half = ([found.returns[0], found.mc_returns[0]] for found in (FULL, MIDDLE))
    return judged([target == g for target, g in (one, half)], lam=HALF, one=one, half=half)


def _whitened(rows: list[list[float]]) -> list[list[float]]:
    found = alone("whiten", advantages=rows, mask=REAL)["whitened"]
    return [[round(float(a), ROUNDED) for a in line] for line in found]


def _not_the_sum(_: Scenario) -> Judged:
    """Returns less values, beside the raw advantages and beside the whitened ones."""
    found = alone("whiten", advantages=[float(a) for a in MIDDLE.advantages])["whitened"]
    whitened = [round(float(a), ROUNDED) for a in found]
    less = apart(MIDDLE.returns, MIDDLE.values)
    cases = [close(less, row_) for row_ in (MIDDLE.advantages, whitened)]
    return judged(cases, less=less[0], raw=MIDDLE.advantages[0], whitened=whitened[0])


def _mean_not_zero(_: Scenario) -> Judged:
    raw = formulas.mean(sum(MIDDLE.advantages), len(REWARDS))
    found = alone("whiten", advantages=[float(a) for a in MIDDLE.advantages])["whitened"]
    whitened = Fraction(round(float(sum(found)), ROUNDED))
    return judged([whitened == 0, raw == 0], raw=raw, whitened=whitened)


def _all_positive(_: Scenario) -> Judged:
    """A batch of two responses: the good one alone, and all of it."""
    good, bad = _whitened(BATCH)
    return judged([min(good + bad) <= 0, min(good) <= 0], good=good, bad=bad)


def _batch_positive(_: Scenario) -> Judged:
    good, bad = _whitened(BATCH)
    total = Fraction(round(sum(good + bad), ROUNDED - 1))
    return judged(total == 0 and min(good + bad) < 0 < max(good + bad), good=good, bad=bad, total=total)


def _equals_delta(_: Scenario) -> Judged:
    zero, half = ([found.advantages[0], found.deltas[0]] for found in (STEP, MIDDLE))
    return judged([a != d for a, d in (half, zero)], lam=HALF, zero=zero, half=half)


def _ratio(_: Scenario) -> Judged:
    old, new = (RUNNING.rows(name)[0][0] for name in ("logp", "new_logp"))
    first, later = (round(float(formulas.ratio(at, old)), ROUNDED) for at in (old, new))
    return judged([ratio == 1 for ratio in (first, later)], first=first, later=later)


def _middle_reward(_: Scenario) -> Judged:
    on, off = (exact("kl_rewards", beta=beta)["rewards"][:-1] for beta in (RUNNING.beta, 0.0))
    return judged([not any(rewards) for rewards in (off, on)], on=on, off=off)


def _above_the_score(_: Scenario) -> Judged:
    scores = [fraction(s) for s in RUNNING.rows("scores")[0]]
    k1, k3 = (
        max(apart([fraction(round(float(r), ROUNDED)) for r in exact("kl_rewards", kl=kind)["rewards"]], scores))
        for kind in ("k1", "k3")
    )
    return judged([most <= 0 for most in (k3, k1)], k1=k1, k3=k3)


def _negative_return(_: Scenario) -> Judged:
    """Rewards and values that are never below zero; and a response that pays more than it earns."""
    plain, paying = trial(REWARDS, VALUES, HALF), trial(("-1/2", 0, "1/4"), ("1/4", "1/8", "1/8"), HALF)
    cases = [min(found.returns) >= 0 for found in (plain, paying)]
    return judged(cases, plain=plain.returns, paying=paying.returns)


def _middle_value(_: Scenario) -> Judged:
    half, one = (revalued(found, 2).advantages[0] - found.advantages[0] for found in (MIDDLE, FULL))
    return judged([moved != 0 for moved in (half, one)], lam=HALF, half=half, one=one)


def _forgotten_gamma(_: Scenario) -> Judged:
    found = {}
    for name, gamma in (("less", 0.5), ("one", 1.0)):
        own = scenario({**THREE, "gamma": gamma})
        wrong = compute(MISTAKES["gamma_forgotten"].program, own).exact["advantages"][0]
        found[name] = [row(THREE["rewards"], THREE["values"], gamma, THREE["lam"])["advantages"][0], wrong]
    return judged([not close(right, wrong) for right, wrong in found.values()], gamma=0.5, **found)


def _value_loss(_: Scenario) -> Judged:
    errors = [formulas.value_error(v, HALF, ONE, Fraction(1, 5)) for v in (-ONE, NONE, HALF, ONE, 2 * ONE)]
    terms = [formulas.value_loss_term(error) for error in errors]
    return judged(min(terms) >= 0, terms=terms)


def _deviation(_: Scenario) -> Judged:
    """The sample deviation of everything that was whitened together, and of one response of it."""
    good, bad = _whitened(BATCH)
    squares = [
        round(sum(a * a for a in line) - len(line) * (sum(line) / len(line)) ** 2, ROUNDED) / (len(line) - 1)
        for line in (good + bad, good)
    ]
    variances = [round(s, ROUNDED - 1) for s in squares]
    return judged([v == 1 for v in variances], whole=variances[0], part=variances[1])


def _ratio_at_first(scenario: Scenario) -> Judged:
    first = _ratio(scenario).found["first"]
    return judged(first == 1, first=first)


def _return_at_one(scenario: Scenario) -> Judged:
    one = _not_the_return(scenario).found["one"]
    return judged(one[0] == one[1], one=one)


def _raw_sum(scenario: Scenario) -> Judged:
    found = _not_the_sum(scenario).found
    return judged(found["raw"] == found["less"], **found)


def _whitened_sum(scenario: Scenario) -> Judged:
    found = _not_the_sum(scenario).found
    return judged(found["whitened"] == found["less"], **found)


def _paid_kl(scenario: Scenario) -> Judged:
    on = _middle_reward(scenario).found["on"]
    return judged(not any(on), on=on)


def _delta_at_zero(_: Scenario) -> Judged:
    return judged(STEP.advantages == STEP.deltas, a=STEP.advantages)


TURNS: dict[str, Check] = {
    "before_the_first_update_a_ratio_other_than_one_is_a_mistake": _ratio_at_first,
    "at_lambda_one_returns_off_the_reward_to_go_are_a_mistake": _return_at_one,
    "raw_advantages_off_returns_less_values_are_a_mistake": _raw_sum,
    "whitened_advantages_off_returns_less_values_are_a_mistake": _whitened_sum,
    "with_kl_in_the_reward_a_middle_reward_is_a_mistake": _paid_kl,
    "at_lambda_zero_advantages_are_the_deltas": _delta_at_zero,
    "a_delta_sum_off_the_excess_is_a_mistake": _delta_sum,
    "at_gamma_one_a_delta_sum_off_the_excess_is_a_mistake": _delta_sum_at_one,
    "an_advantage_sum_off_the_excess_is_a_mistake": _advantage_sum,
    "returns_off_the_reward_to_go_are_a_mistake": _not_the_return,
    "advantages_off_returns_less_values_are_a_mistake": _not_the_sum,
    "a_mean_advantage_off_zero_is_a_mistake": _mean_not_zero,
    "whitened_advantages_all_positive_are_a_mistake": _all_positive,
    "a_whitened_batch_all_positive_is_a_mistake": _batch_positive,
    "an_advantage_equal_to_its_delta_is_a_mistake": _equals_delta,
    "a_ratio_other_than_one_is_a_mistake": _ratio,
    "a_reward_in_the_middle_is_a_mistake": _middle_reward,
    "a_reward_above_its_score_is_a_mistake": _above_the_score,
    "a_negative_return_is_a_mistake": _negative_return,
    "a_wrong_middle_value_spoils_the_first_advantage": _middle_value,
    "a_forgotten_gamma_shows": _forgotten_gamma,
    "a_negative_value_loss_is_a_mistake": _value_loss,
    "a_whitened_variance_off_one_is_a_mistake": _deviation,
}
