"""γ says what a later reward is worth now, and so what is aimed at; λ only says how it is estimated."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.chance import spread, walk
from engine.facts import Facts, Inputs, compute
from engine.ops import named
from engine.proofs.discounting import (
    gamma_and_lambda_are_interchangeable,
    lambda_stands_in_the_td_error,
    smaller_gamma_means_smaller_return,
)
from engine.proofs.value_shape import outcome_reward_reaches_back_discounted
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.why_gamma.asked import ASKED
from lessons.why_gamma.checks import MORE
from lessons.why_gamma.formats import FORMATS
from lessons.why_gamma.gradient import GRADIENT
from lessons.why_gamma.lengths import LENGTHS
from lessons.why_gamma.stated import STATED
from lessons.why_gamma.trials import TRIED
from lessons.why_gamma.turns_on import TURNS_ON

QUANTITIES: tuple[str, ...] = ()
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


# ---------------------------------------------------------------- what learners claim


def _outcome(length: int, gamma: Fraction, score: int = 1) -> Any:
    return sequences.mc_returns([Fraction(0)] * (length - 1) + [Fraction(score)], gamma)[0]


def _at(**changes: float) -> Mapping[str, Any]:
    return quantities.facts("gae", at_hand().merged(changes)).exact


@cache
def _means() -> Mapping[str, Any]:
    """A_0 given a good first token, critic exact, at λ = 0 and 1."""
    return compute(spread(walk(6, step=0.25, first=1), (0.0, 1.0)), Scenario()).exact


def _changes_the_objective(_: Scenario) -> Judged:
    """γ changes what responses are worth; λ leaves the mean estimate where it is."""
    short, long = (_outcome(length, Fraction(9, 10)) for length in (SHORT, LONG))
    level = _outcome(SHORT, Fraction(1)) == _outcome(LONG, Fraction(1))
    same = _means()["mean"][0] == _means()["mean"][1]
    return Judged(
        holds(level and short != long and same),
        {"gamma": PRODUCT, "tokens_short": SHORT, "tokens_long": LONG, "short": short, "long": long,
         "mean": _means()["mean"][0]},
    )  # fmt: skip


def _interchangeable(_: Scenario) -> Judged:
    found = gamma_and_lambda_are_interchangeable()
    given = dict(found.inputs)
    return Judged(
        holds(found.left == found.right),
        {"r": given["rewards"], "v": given["values"], "one": given["gamma"], "half": given["lam"], "left": found.left,
         "right": found.right},
    )  # fmt: skip


def _in_delta(_: Scenario) -> Judged:
    found = lambda_stands_in_the_td_error()
    lams = [_at(lam=lam)["deltas"][0] for lam in (0.0, 1.0)]
    return Judged(holds(lams[0] != lams[1]), {"delta": lams[0], "right": found.left, "wrong": found.right})


def _only_in_the_product(_: Scenario) -> Judged:
    """With λ = 0 the product is 0 whatever γ is: yet δ moves."""
    one, half = (_at(gamma=gamma, lam=0.0)["advantages"][0] for gamma in (1.0, 0.5))
    return Judged(holds(one == half), {"one": one, "half": half})


def _diverges(_: Scenario) -> Judged:
    tokens = 1000
    total = sequences.mc_returns([Fraction(1)] * tokens, Fraction(1))[0]
    return Judged(holds(total > tokens), {"tokens": tokens, "total": total})


def _safe_if_it_ends(_: Scenario) -> Judged:
    tokens = 1000
    total = sequences.mc_returns([Fraction(1)] * tokens, Fraction(1))[0]
    return Judged(holds(total == tokens), {"tokens": tokens, "total": total})


def _distance_does_not_matter(_: Scenario) -> Judged:
    near, far = (_outcome(length, Fraction(1)) for length in (2, 1000))
    return Judged(holds(near == far), {"near": near, "far": far})


def _smaller_return(_: Scenario) -> Judged:
    """It does for a reward at the end that is positive, and not for a penalty there."""
    found = smaller_gamma_means_smaller_return()
    reward = [_outcome(2, gamma) for gamma in (Fraction(1, 4), Fraction(1, 2))]
    rises, falls = reward[0] < reward[1], found.left > found.right
    return Judged(
        "depends" if rises and falls else holds(rises),
        {"low": Fraction(1, 4), "high": Fraction(1, 2), "reward_low": reward[0], "reward_high": reward[1],
         "penalty_low": found.left, "penalty_high": found.right},
    )  # fmt: skip


def _favours_short(_: Scenario) -> Judged:
    """For a positive score at the end; with γ = 1 there is no such pull."""
    short, long = (_outcome(length, Fraction(9, 10)) for length in (SHORT, LONG))
    return Judged(
        holds(short > long),
        {"gamma": PRODUCT, "tokens_short": SHORT, "tokens_long": LONG, "short": short, "long": long,
         "bad_short": -short, "bad_long": -long},
    )  # fmt: skip


def _critic_only(_: Scenario) -> Judged:
    one, less = (_at(gamma=gamma)["advantages"][0] for gamma in (1.0, 0.9))
    return Judged(holds(one == less), {"one": one, "less": less, "gamma": 0.9})


def _two_gammas_in_one_run(_: Scenario) -> Judged:
    """Returns with one γ, advantages with another: R = A + V breaks."""
    returns, advantages = _at(gamma=0.99)["returns"], _at(gamma=1.0)["advantages"]
    value = Fraction(repr(at_hand().rows("values")[0][0]))
    return Judged(holds(advantages[0] + value == returns[0]), {"sum": advantages[0] + value, "returns": returns[0]})


FACTS: dict[str, Check] = {
    "gamma_changes_the_objective_lambda_does_not": _changes_the_objective,
    "gamma_and_lambda_are_interchangeable": _interchangeable,
    "lambda_stands_in_delta": _in_delta,
    "gamma_enters_only_with_lambda": _only_in_the_product,
    "gamma_one_makes_returns_infinite": _diverges,
    "gamma_one_is_safe_for_responses_that_end": _safe_if_it_ends,
    "at_gamma_one_distance_does_not_matter": _distance_does_not_matter,
    "smaller_gamma_means_smaller_return": _smaller_return,
    "gamma_below_one_favours_short_answers": _favours_short,
    "gamma_concerns_the_critic_only": _critic_only,
    "returns_and_advantages_may_have_their_own_gamma": _two_gammas_in_one_run,
    **MORE,
    **TRIED,
    **LENGTHS,
    **STATED,
    **ASKED,
    **TURNS_ON,
    **GRADIENT,
    **FORMATS,
}
