"""What else learners take for a proof or for a mistake: what a number may be, and what whitening or γ at one hides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import quantities
from engine.facts import compute
from engine.mistakes import MISTAKES
from engine.scenario import Scenario, scenario
from lessons._proposition import Check, Judged, holds
from lessons._row import moved, row
from lessons._trials import raised
from lessons._weighed import weighed
from lessons.audit.checks import THREE, _floats, _whitened

REWARDS, VALUES, LAM = ("0", "0", "1"), ("0.5", "0.25", "0.75"), "0.5"


def _facts(quantity: str, **given: Any) -> dict[str, Any]:
    return dict(quantities.facts(quantity, scenario(given)).exact)


def _first_number(_: Scenario) -> Judged:
    """Two wrong rewards whose errors cancel in the first advantage."""
    right = row(REWARDS, VALUES, lam=LAM)["advantages"]
    wrong = row(("0.5", "-1", "1"), VALUES, lam=LAM)["advantages"]
    return Judged(holds(not (right[0] == wrong[0] and right != wrong)), {"right": right, "wrong": wrong})


def _mean_zero(_: Scenario) -> Judged:
    """The mean taken off, the division forgotten."""
    given = [1.0, 2.0, 6.0]
    stated = [x - sum(given) / len(given) for x in given]
    right = _whitened(given)
    return Judged(
        holds(not (sum(stated) == 0 and _floats(stated) != right)),
        {"stated": stated, "right": right, "sum": sum(stated)},
    )


def _hidden_constant(_: Scenario) -> Judged:
    given = [1.0, 2.0, 6.0]
    right, wrong = _whitened(given), _whitened([x + 5 for x in given])
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _hidden_scale(_: Scenario) -> Judged:
    given = [1.0, 2.0, 6.0]
    right, wrong = _whitened(given), _whitened([10 * x for x in given])
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _two_deltas(_: Scenario) -> Judged:
    found = moved(row(REWARDS, raised(VALUES, 1))["deltas"], row(REWARDS, VALUES)["deltas"])
    return Judged(holds(sum(map(bool, found)) == 2), {"moved": found, "count": sum(map(bool, found))})


def _one_delta(_: Scenario) -> Judged:
    found = moved(row(raised(REWARDS, 1), VALUES)["deltas"], row(REWARDS, VALUES)["deltas"])
    return Judged(holds(sum(map(bool, found)) == 1), {"moved": found, "count": sum(map(bool, found))})


def _gamma_hidden(_: Scenario) -> Judged:
    """A program without γ, where γ is one and where it is not."""
    program = MISTAKES["gamma_forgotten"].program
    at: dict[str, list[Any]] = {}
    for name, gamma in (("one", 1.0), ("less", 0.5)):
        own = scenario({**THREE, "gamma": gamma})
        at[name] = [run["advantages"][0] for run in (quantities.facts("gae", own).exact, compute(program, own).exact)]
    return Judged(
        holds(at["one"][0] == at["one"][1] and at["less"][0] != at["less"][1]),
        {"one": at["one"], "less": at["less"], "gamma": 0.5},
    )


def _solved(rewards: tuple[str, ...]) -> list[Fraction]:
    """What the first advantage is for three λ."""
    return [row(rewards, VALUES, lam=lam)["advantages"][0] for lam in ("0", "0.5", "1")]


def _lambda_follows(_: Scenario) -> Judged:
    """With news later on each λ has a number of its own; where all later deltas are zero, all have the same."""
    news, none = _solved(REWARDS), _solved(("0", "-0.5", "0.75"))
    return Judged(weighed(len(set(news)) == len(news), len(set(none)) == 1), {"news": news, "none": none})


def _two_values(_: Scenario) -> Judged:
    found = _facts("whiten", advantages=[0.25, 0.75])
    sample, population = (round(float(found[name][1]), 4) for name in ("whitened", "whitened_population"))
    return Judged(holds(sample != population), {"sample": sample, "population": population})


def _negative_ratio(_: Scenario) -> Judged:
    """From hardly likely any more to much likelier than before."""
    found = _facts("surrogate", new_logp=[-9.0, -1.0], old_logp=[-1.0, -9.0], advantages=[1, -1])["ratio"]
    ratios = [round(float(x), 4) for x in found]
    return Judged(holds(min(found) > 0), {"ratios": ratios})


def _negative_kl(_: Scenario) -> Judged:
    found = _facts("kl_estimators", logp=[-1.0, -0.5], ref_logp=[-0.5, -1.0])["k1"]
    return Judged(holds(min(found) >= 0), {"kl": _floats(found)})


def _negative_k3(_: Scenario) -> Judged:
    found = _facts("kl_estimators", logp=[-1.0, -0.5, -2.0], ref_logp=[-0.5, -1.0, -2.0])["k3"]
    return Judged(holds(min(found) >= 0), {"kl": _floats(found)})


def _above_one(_: Scenario) -> Judged:
    found = row(("0.5", "0.5", "1"), ("0.25", "0", "0.5"), lam="1")["advantages"]
    return Judged(holds(max(found) <= 1), {"a": found})


def _right_but_negative(_: Scenario) -> Judged:
    """A right answer whose second token takes the hope down before the end lifts it again."""
    found = row(REWARDS, ("0.5", "0.9", "0.2"), lam="0")["advantages"]
    return Judged(holds(min(found) >= 0), {"score": Fraction(REWARDS[-1]), "a": found})


def _falling_returns(_: Scenario) -> Judged:
    """A reward on the way: what is still to come falls once it is paid."""
    found = row(("0.5", "0", "1"), VALUES, lam="1")
    right = found["mc_returns"]
    return Judged(holds(right == sorted(right)), {"r": found["rewards"], "right": right})


BETWEEN: dict[str, Check] = {
    "right_first_number_proves_the_rest": _first_number,
    "mean_zero_proves_the_whitening": _mean_zero,
    "whitening_hides_a_constant_error": _hidden_constant,
    "whitening_hides_an_error_of_scale": _hidden_scale,
    "a_wrong_value_spoils_two_deltas": _two_deltas,
    "a_wrong_reward_spoils_one_delta": _one_delta,
    "gamma_one_hides_a_forgotten_gamma": _gamma_hidden,
    "lambda_follows_from_the_advantages": _lambda_follows,
    "two_values_tell_the_divisor": _two_values,
    "a_negative_ratio_is_a_mistake": _negative_ratio,
    "a_negative_sampled_kl_is_a_mistake": _negative_kl,
    "a_negative_k3_is_a_mistake": _negative_k3,
    "an_advantage_above_one_is_a_mistake": _above_one,
    "a_negative_advantage_in_a_right_answer_is_a_mistake": _right_but_negative,
    "falling_returns_are_a_mistake": _falling_returns,
}
