"""λ: how far the critic is believed. A by token for several λ, and bias against variance in a world that is known."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.facts import Facts, Inputs, compute
from engine.proofs.monte_carlo import (
    gae_is_decayed_sum_of_deltas,
    gae_lambda_one_is_monte_carlo,
    gae_lambda_zero_is_td_error,
)
from engine.proofs.news import gae_variance_of_independent_news
from engine.proofs.variance import gae_bias_of_a_wrong_value
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.why_lambda.defaults import FACTS
from lessons.why_lambda.world import world

__all__ = ["FACTS", "QUANTITIES", "show"]

QUANTITIES: tuple[str, ...] = ("lambda_sweep",)
MISTAKES = ("lam_upside_down", "lam_on_values", "lam_forgotten_leaves_mc", "bootstrap_forgotten")
WIDEST = 6  # λ side by side
DIAL = (0.0, 0.5, 1.0)
ENDS = (DIAL[0], DIAL[-1])  # no waiting, and waiting to the end
PLOTTED = tuple(i / 5 for i in range(6))


def show(scenario: Scenario) -> Shown:
    alone = first_response(scenario)
    facts = quantities.facts("gae", scenario)
    if scenario.lams is not None:
        facts = facts.beside(quantities.facts("lambda_sweep", scenario))
    facts = facts.beside(compute(dial, alone).under("grid")).beside(world().under("constants"))
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={
            "sum": gae_is_decayed_sum_of_deltas(),
            "zero": gae_lambda_zero_is_td_error(),
            "one": gae_lambda_one_is_monte_carlo(),
            "bias": gae_bias_of_a_wrong_value(),
            "variance": gae_variance_of_independent_news(),
        },
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"sweep": _sweep(facts), "tradeoff": _tradeoff(facts)},
        twins=(twins.gae,),
    )


def lams(scenario: Scenario) -> list[float]:
    """The λ that are asked about, else the two ends, the middle and the one that is set."""
    asked = list(dict.fromkeys(scenario.lams or ()))[:WIDEST]
    if len(asked) > 1:
        return asked
    if asked:
        return sorted({0.0, *asked, 1.0})
    return sorted({*DIAL, scenario.lam if scenario.lam is not None else 1.0})


def dial(x: Inputs) -> dict[str, Any]:
    """The first response's advantages for each λ, and what the last δ counts at the first token."""
    r, gamma = quantities.rewards(x), x["gamma"]

    def advantages(lam: float) -> list[Any]:
        return list(x.on.gae(r, x["values"], x.mask, gamma=gamma, lam=x.number("lam", lam))[0][0])

    chosen = lams(x.scenario)
    kept = gamma * x["lam"]
    columns = [advantages(lam) for lam in chosen]
    return {
        "lams": [x.number("lam", lam) for lam in chosen],
        "by_token": {str(t): list(row) for t, row in enumerate(zip(*columns, strict=True))},
        "first": [column[0] for column in columns],
        "ends": [x.number("lam", lam) for lam in ENDS],
        "first_at_ends": [advantages(lam)[0] for lam in ENDS],
        "last_counts": [
            formulas.discounted(x.number("weight", 1.0), gamma * x.number("lam", lam), x.scenario.length - 1)
            for lam in chosen
        ],
        **({"horizon": formulas.horizon(kept)} if kept < 1 else {}),
        "plotted": [advantages(lam) for lam in PLOTTED],
    }


def _sweep(facts: Facts) -> Figure:
    rows = facts.numbers["grid"]["plotted"]
    by_lam = {f"λ = {lam:g}": tuple(row) for lam, row in zip(PLOTTED, rows, strict=True)}
    return Figure("matrix", tuple(range(len(rows[0]))), by_lam, "advantages", "lam")


def _tradeoff(facts: Facts) -> Figure:
    lam, bias, variance, error = zip(*facts.numbers["constants"]["curve"], strict=True)
    squared = tuple(formulas.squared_error(b, 0.0) for b in bias)
    return Figure(
        "lines", lam, {"bias_squared": squared, "variance_of_it": variance, "mean_error": error}, "lam", "error"
    )
