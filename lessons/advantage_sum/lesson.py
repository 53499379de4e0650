"""The excess of a response is the sum of its deltas; the sum of its advantages counts each of them several times."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.facts import Facts, Inputs, compute
from engine.ops import Number
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure, over_tokens
from lessons._first import first_response, worked
from lessons._lesson import Shown

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("advantage_sum_for_delta_sum", "bootstrap_forgotten", "bootstrap_next_value_forgotten")


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
