"""γ says what a later reward is worth now, and so what is aimed at; λ only says how it is estimated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.facts import Facts, Inputs, compute
from engine.ops import named
from engine.proofs.discounting import gamma_and_lambda_are_interchangeable
from engine.proofs.value_shape import outcome_reward_reaches_back_discounted
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.why_gamma.formats import FORMATS
from lessons.why_gamma.gradient import GRADIENT
from lessons.why_gamma.settings import SETTINGS

QUANTITIES: tuple[str, ...] = ()
FACTS: dict[str, Check] = {**SETTINGS, **GRADIENT, **FORMATS}
MISTAKES = (
    "gamma_lam_swap",
    "gamma_forgotten_in_delta",
    "gamma_forgotten_in_recursion",
    "delta_for_advantage",
    "bootstrap_forgotten",
)
GAMMAS = (1.0, 0.99, 0.9, 0.5, 0.0)
DECAYS, DISTANCES = (1.0, 0.999, 0.99, 0.9), (10, 100, 1000)
PRODUCT = 0.9  # of γ and λ, shared out in two ways
SHORT, LONG, SCORE = 3, 30, 1.0  # two answers of equal score
LONGEST_WRITTEN_OUT = 8  # tokens


def show(scenario: Scenario) -> Shown:
    alone = first_response(scenario)
    quantity = "reward_to_go" if scenario.values is None else "gae"
    grid = compute(by_gamma, alone).under("grid")
    return Shown(
        facts=quantities.facts(quantity, scenario).beside(grid).beside(fixed().under("constants")),
        work={**worked(quantities.QUANTITIES[quantity], scenario), **_summed(scenario)},
        proofs={"outcome": outcome_reward_reaches_back_discounted()},
        counterexamples={"swap": gamma_and_lambda_are_interchangeable()},
        mistakes={} if scenario.values is None else {id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"returns": _returns(grid)},
        twins=(twins.monte_carlo, twins.returns_to_go),
    )


def gammas(scenario: Scenario) -> list[float]:
    """The grid, and the γ that is asked about."""
    return sorted({*GAMMAS, scenario.gamma if scenario.gamma is not None else 1.0}, reverse=True)


def by_gamma(x: Inputs) -> dict[str, Any]:
    """For each γ: what the last reward counts at the first token, and the first token's return and advantage."""
    rewards, length = quantities.rewards(x), x.scenario.length
    all_gammas = [x.number("gamma", gamma) for gamma in gammas(x.scenario)]
    returns = [x.on.mc_returns(rewards, x.mask, gamma=gamma)[0] for gamma in all_gammas]
    found = {
        "gammas": all_gammas,
        "last_counts": [formulas.discounted(x.number("weight", 1.0), gamma, length - 1) for gamma in all_gammas],
        "own_last_counts": formulas.discounted(x.number("weight", 1.0), x["gamma"], length - 1),
        "returns": [row[0] for row in returns],
        "returns_by_token": [list(row) for row in returns],
    }
    if not x.has("values"):
        return found

    def advantages(gamma: Any, lam: Any) -> Any:
        return x.on.gae(rewards, x["values"], x.mask, gamma=gamma, lam=lam)[0][0]

    one, product = x.number("gamma", 1.0), x.number("lam", PRODUCT)
    return {
        **found,
        "advantages": [advantages(gamma, x["lam"])[0] for gamma in all_gammas],
        "product": product,
        "only_lam": [list(advantages(one, product))],
        "only_gamma": [list(advantages(product, one))],
    }


@cache
def fixed() -> Facts:
    """How fast powers of γ fall, and two answers of different length and equal score."""
    return compute(_fixed, Scenario())


def _fixed(x: Inputs) -> dict[str, Any]:
    score = x.number("score", SCORE)

    def decay(gamma: float, steps: int) -> Any:
        return formulas.discounted(score, x.number("gamma", gamma), steps)

    return {
        "decays": [x.number("gamma", gamma) for gamma in DECAYS],
        "horizons": [[x.number("gamma", gamma), formulas.horizon(x.number("gamma", gamma))] for gamma in DECAYS[1:]],
        "left": [[steps, *(decay(gamma, steps) for gamma in DECAYS)] for steps in DISTANCES],
        "gamma": x.number("gamma", PRODUCT),
        "short": SHORT,
        "long": LONG,
        "score": score,
        "short_return": decay(PRODUCT, SHORT - 1),
        "long_return": decay(PRODUCT, LONG - 1),
    }


def _summed(scenario: Scenario) -> Mapping[str, Any]:
    """G_0 as one sum of discounted rewards."""
    if scenario.length > LONGEST_WRITTEN_OUT:
        return {}

    def program(x: Inputs) -> dict[str, Any]:
        return {"sum": named(sequences.discounted_sum(quantities.rewards(x)[0], x["gamma"]), "mc_returns", 0)}

    return worked(program, scenario)


def _returns(grid: Facts) -> Figure:
    found = grid.numbers["grid"]
    rows = {f"γ = {gamma:g}": tuple(row) for gamma, row in zip(found["gammas"], found["returns_by_token"], strict=True)}
    return Figure("matrix", tuple(range(len(found["returns_by_token"][0]))), rows, "mc_returns", "gamma")
