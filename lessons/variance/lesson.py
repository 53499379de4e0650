"""Why GAE varies less than Monte Carlo, where it does, and where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import formulas, mistakes, quantities
from engine.chance import noise_of_later_tokens
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute
from engine.proofs.news import gae_variance_of_independent_news
from engine.proofs.variance import gae_variance_counts_tokens, gae_variance_in_closed_form
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure
from lessons._first import first_response
from lessons._lesson import Shown
from lessons.variance.worlds import told

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("lam_forgotten_leaves_mc", "delta_for_advantage", "lam_upside_down", "bootstrap_forgotten")


def show(scenario: Scenario) -> Shown:
    if scenario.length == 0:
        raise EngineError("missing", field="rewards")
    known = scenario.values is not None and (scenario.rewards is not None or scenario.scores is not None)
    facts = compute(weights, first_response(scenario)).under("first").beside(told().under("constants"))
    return Shown(
        facts=quantities.facts("gae", scenario).beside(facts) if known else facts,
        proofs={
            "variance": gae_variance_of_independent_news(),
            "closed": gae_variance_in_closed_form(),
            "monte_carlo": gae_variance_counts_tokens(),
        },
        mistakes=_mistaken(scenario) if known else {},
        figures={"weights": _figure(facts)},
        twins=(twins.spread,),
    )


def weights(x: Inputs) -> dict[str, Any]:
    """How much of each δ goes into A_0, Monte Carlo and GAE; and Var A_0 if each δ had the variance 1."""
    one, gamma, lam, length = x.number("variance", 1.0), x["gamma"], x["lam"], x.scenario.length
    found = {
        "tokens": length,
        "mc_weights": [[formulas.discounted(one, gamma, k) for k in range(length)]],
        "gae_weights": [[formulas.discounted(one, gamma * lam, k) for k in range(length)]],
        "mc_variance": noise_of_later_tokens(one, length, gamma, one, own=True),
        "gae_variance": noise_of_later_tokens(one, length, gamma, lam, own=True),
    }
    return {**found, "share": found["gae_variance"] / found["mc_variance"]}


def _mistaken(scenario: Scenario) -> Mapping[str, Facts]:
    return {id: mistakes.run(id, scenario) for id in MISTAKES}


def _figure(facts: Facts) -> Figure:
    found = facts.numbers["first"]
    series = {"mc_weight": tuple(found["mc_weights"]), "gae_weight": tuple(found["gae_weights"])}
    return Figure("matrix", tuple(range(len(found["mc_weights"]))), series, "deltas", "weight")
