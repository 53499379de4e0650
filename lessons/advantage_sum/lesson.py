"""The excess of a response is the sum of its deltas; the sum of its advantages counts each of them several times."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import BOTH, LAM, RUNNING
from engine.facts import Facts, Inputs, compute
from engine.ops import Number
from engine.proofs import counterexample, theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, over_tokens
from lessons._first import first_response, numbers, on_own, worked
from lessons._lesson import Shown
from lessons.advantage_sum.basics import BASICS
from lessons.advantage_sum.checks import MORE
from lessons.advantage_sum.claimed import CHECKS
from lessons.advantage_sum.filtered import FILTERED
from lessons.advantage_sum.stated import STATED
from lessons.advantage_sum.trials import TRIED
from lessons.advantage_sum.turns_on import TURNS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("advantage_sum_for_delta_sum", "bootstrap_forgotten", "bootstrap_next_value_forgotten")
CLOSE = 1e-9


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario)
    own = first_response(scenario)
    figures = {}
    if own.length > 1:
        counted = compute(counting, own)
        facts = facts.beside(counted)
        figures = {"counted": _bars(counted)}
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={
            "telescoping": theorem("telescoping"),
            "excess": theorem("excess"),
            "weights": theorem("sum_of_advantages_weighs_deltas"),
            "counts": theorem("sum_of_advantages_counts_deltas"),
            "right_weights": theorem("excess_weighs_the_advantages"),
        },
        counterexamples={"sum": counterexample("sum_of_advantages_is_initial_advantage")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures=figures,
        twins=(twins.sums,),
    )


def counting(x: Inputs) -> dict[str, Any]:
    """How often each δ of a single response is counted in ΣA, and in the excess; and the sum by those weights."""
    found = quantities.gae(x)
    length, deltas = x.scenario.length, found["deltas"][0]
    in_excess = [formulas.discounted(x.number("weight", 1.0), x["gamma"], k) for k in range(length)]
    weights = _decayed_counts(x.number("weight", 1.0), x["gamma"] * x["lam"], length)
    terms = [weight * deltas[k] for k, weight in enumerate(weights)]
    advantages = found["advantages"][0]
    kept = [x.number("weight", 1.0), *((1 - x["lam"]) * weight for weight in in_excess[1:])]
    weighed = [weight * advantages[k] for k, weight in enumerate(kept)]
    return {
        "counted_in_excess": in_excess,
        "counted_in_sum": weights,
        "first_deltas": [deltas[k] for k in range(length)],
        "weighted_sum": sum(terms[1:], terms[0]),
        "advantage_weights": kept,
        "excess_from_advantages": sum(weighed[1:], weighed[0]),
    }


def _decayed_counts(one: Number, decay: Number, length: int) -> list[Number]:
    """1, 1 + γλ, 1 + γλ + (γλ)² …: token k's δ is in its own advantage and, decayed, in each one before."""
    counts = [one]
    for _ in range(length - 1):
        counts.append(formulas.mc_step(one, counts[-1], decay))
    return counts


def _bars(counted: Facts) -> Figure:
    series = {name: tuple(counted.numbers[name]) for name in ("counted_in_excess", "counted_in_sum")}
    return over_tokens("together", series, "weight")


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", numbers(scenario).merged(changes)).exact)


def _close(a: Any, b: Any) -> bool:
    return abs(float(a - b)) < CLOSE


def _sum_is_excess(own: Scenario) -> Judged:
    counterexample("sum_of_advantages_is_initial_advantage")
    found = _at(own)
    return Judged(
        holds(_close(found["advantage_sum"], found["excess"])),
        {"sum": found["advantage_sum"], "excess": found["excess"]},
    )


def _deltas_are_excess(scenario: Scenario) -> Judged:
    theorem("excess")
    found = _at(scenario)
    return Judged(
        holds(_close(found["delta_sum"], found["excess"])),
        {"sum": found["delta_sum"], "excess": found["excess"]},
    )


def _enough_that_gamma_is_one(_: Scenario) -> Judged:
    found = {lam: _at(RUNNING, gamma=1.0, lam=lam) for lam in (0.5, 1.0)}
    return Judged(
        holds(all(_close(x["advantage_sum"], x["excess"]) for x in found.values())),
        {"half": found[0.5]["advantage_sum"], "one": found[1.0]["advantage_sum"], "excess": found[1.0]["excess"]},
    )


def _at_lambda_zero(scenario: Scenario) -> Judged:
    found = _at(scenario, gamma=1.0, lam=0.0)
    return Judged(
        holds(_close(found["advantage_sum"], found["excess"])),
        {"sum": found["advantage_sum"], "excess": found["excess"]},
    )


def _counts_again(own: Scenario) -> Judged:
    theorem("sum_of_advantages_weighs_deltas")
    found = compute(counting, own).exact["counted_in_sum"]
    return Judged(holds(found[-1] > 1), {"first": found[0], "last": found[-1]})


def _positive_sum_means_more(_: Scenario) -> Judged:
    rewards, values = [Fraction(-1), Fraction(3, 5)], [Fraction(0), Fraction(0)]
    total = sum(gae(rewards, values, Fraction(1), Fraction(1)))
    excess = formulas.advantage(sequences.mc_returns(rewards, Fraction(1))[0], values[0])
    return Judged(holds(not (total > 0 > excess)), {"r": rewards, "v": values, "sum": total, "excess": excess})


def _whitened_sum_says_nothing(_: Scenario) -> Judged:
    whitened = [*chain(*quantities.facts("whiten", BOTH).exact["whitened"])]
    excess = _at(RUNNING)["excess"]
    return Judged(holds(_close(sum(whitened), excess)), {"sum": abs(round(float(sum(whitened)), 6)), "excess": excess})


def _first_advantage_is_excess_at_one(scenario: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    found = _at(scenario, lam=1.0)
    return Judged(
        holds(_close(found["advantages"][0], found["excess"])),
        {"first": found["advantages"][0], "excess": found["excess"]},
    )


def _first_advantage_is_excess(_: Scenario) -> Judged:
    found = _at(at_hand(), lam=LAM)
    return Judged(
        holds(_close(found["advantages"][0], found["excess"])),
        {"first": found["advantages"][0], "excess": found["excess"]},
    )


def _mean_is_excess(own: Scenario) -> Judged:
    found = _at(own)
    mean = formulas.mean(found["advantage_sum"], own.length)
    return Judged(holds(_close(mean, found["excess"])), {"mean": mean, "excess": found["excess"]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "sum_of_advantages_is_the_excess": on_own(_sum_is_excess, decayed=True),
    "sum_of_deltas_is_the_excess": _deltas_are_excess,
    "gamma_one_is_enough": _enough_that_gamma_is_one,
    "equal_at_lambda_zero": _at_lambda_zero,
    "later_deltas_are_counted_again": on_own(_counts_again),
    "positive_sum_means_more_than_expected": _positive_sum_means_more,
    "whitened_sum_is_the_excess": _whitened_sum_says_nothing,
    "first_advantage_is_the_excess_at_lambda_one": _first_advantage_is_excess_at_one,
    "first_advantage_is_the_excess": _first_advantage_is_excess,
    "mean_advantage_is_the_excess": on_own(_mean_is_excess),
    **MORE,
    **TRIED,
    **STATED,
    **BASICS,
    **TURNS,
    **FILTERED,
}
