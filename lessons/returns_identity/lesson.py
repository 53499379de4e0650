"""R = A + V is the λ-return: the Monte Carlo return only at λ = 1, and never Q itself but at best a sample of it."""

from __future__ import annotations

from typing import Any

from engine import mistakes, quantities
from engine.example import LAM, RUNNING
from engine.facts import Inputs, compute
from engine.fork import small_world
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, over_tokens
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.returns_identity.checks import MORE
from lessons.returns_identity.further import FURTHER
from lessons.returns_identity.grid import GRID
from lessons.returns_identity.judged import JUDGED
from lessons.returns_identity.round_trip import ROUND_TRIP
from lessons.returns_identity.turns_on import TURNS_ON

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("mc_for_returns", "delta_for_advantage", "bootstrap_forgotten", "value_reward_twice_in_returns")
GAP = "monte_carlo_exceeds_lambda_return_by_later_deltas"
CLOSE = 1e-9


def show(scenario: Scenario) -> Shown:
    facts = compute(identity, scenario)
    proofs = {
        "lambda_return": theorem("advantage_plus_value_is_lambda_return"),
        "telescoping": theorem("telescoping"),
        "gap": theorem(GAP),
        "one": theorem("lambda_return_is_monte_carlo_at_lambda_one"),
    }
    return Shown(
        facts=facts.beside(small_world().under("constants")),
        work=worked(identity, scenario),
        proofs=proofs,
        counterexamples={"any": counterexample("critic_target_is_monte_carlo_at_any_lambda")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"along_the_response": _along(scenario)},
        twins=(twins.lambda_returns,),
    )


def identity(x: Inputs) -> dict[str, Any]:
    """R as A + V and by its own recursion, and what the Monte Carlo return has over it."""
    found = quantities.gae(x)
    by_recursion = x.on.lambda_returns(found["rewards"], found["values"], x.mask, gamma=x["gamma"], lam=x["lam"])
    gap = x.on.advantages_of(found["mc_returns"], found["returns"], x.mask)
    return {**found, "lambda_returns": by_recursion, "gap": gap}


def _along(scenario: Scenario) -> Figure:
    found = compute(identity, first_response(scenario)).numbers
    series = {name: tuple(found[name]) for name in ("values", "returns", "mc_returns")}
    return over_tokens("together", series, "returns")


# ---------------------------------------------------------------- what learners claim


def _at(scenario: Scenario, **changes: Any) -> dict[str, Any]:
    return dict(compute(identity, numbers(scenario).merged(changes)).exact)


def _same(xs: Any, ys: Any) -> bool:
    return all(abs(float(x - y)) < CLOSE for x, y in zip(xs, ys, strict=True))


def _is_lambda_return(scenario: Scenario) -> Judged:
    theorem("advantage_plus_value_is_lambda_return")
    found = _at(scenario)
    return Judged(
        holds(_same(found["returns"], found["lambda_returns"])),
        {"sum": found["returns"][0], "recursion": found["lambda_returns"][0]},
    )


def _is_monte_carlo(_: Scenario) -> Judged:
    found = counterexample("critic_target_is_monte_carlo_at_any_lambda")
    given = dict(found.inputs)
    return Judged(
        holds(found.left == found.right),
        {"r": given["rewards"], "v": given["values"], "lam": given["lam"], "target": found.left, "mc": found.right},
    )


def _is_monte_carlo_at_one(scenario: Scenario) -> Judged:
    theorem("lambda_return_is_monte_carlo_at_lambda_one")
    found = _at(scenario, lam=1.0)
    return Judged(
        holds(_same(found["returns"], found["mc_returns"])),
        {"target": found["returns"][0], "mc": found["mc_returns"][0]},
    )


def _is_q(_: Scenario) -> Judged:
    found = small_world().exact
    return Judged(
        holds(found["good_end"] == found["q"] == found["bad_end"]),
        {"good": found["good_end"], "bad": found["bad_end"], "q": found["q"]},
    )


def _estimates_q(_: Scenario) -> Judged:
    found = small_world().exact
    return Judged(
        holds(found["mean"] == found["q"]),
        {"mean": found["mean"], "q": found["q"], "wrong": found["mean_with_wrong_critic"]},
    )


def _critic_learns_q(_: Scenario) -> Judged:
    """A critic that sees the prompt only is drawn to the mean over its tokens."""
    found = small_world().exact
    return Judged(
        holds(found["mean_of_all"] == found["q"]),
        {"mean": found["mean_of_all"], "q": found["q"], "other": found["other_q"], "value": found["value"]},
    )


def _independent_of_critic(_: Scenario) -> Judged:
    before = _at(RUNNING)["returns"][0]
    values = list(RUNNING.rows("values")[0])
    after = _at(RUNNING, values=[values[0], values[1] + 1, *values[2:]])["returns"][0]
    return Judged(
        holds(before == after), {"before": before, "after": after, "one": _at(RUNNING, lam=1.0)["returns"][0]}
    )


def _independent_of_lambda(_: Scenario) -> Judged:
    ends = [_at(RUNNING, lam=lam)["returns"][0] for lam in (0.0, LAM, 1.0)]
    return Judged(holds(len(set(ends)) == 1), {"zero": ends[0], "some": ends[1], "one": ends[2]})


def _last_is_last_reward(scenario: Scenario) -> Judged:
    found = _at(scenario)
    return Judged(
        holds(_same(found["returns"][-1:], found["rewards"][-1:])),
        {"target": found["returns"][-1], "reward": found["rewards"][-1]},
    )


def _own_value_cancels(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    before = _at(own)["returns"][0]
    values = own.rows("values")[0]
    after = _at(own, values=[values[0] + 1, *values[1:]])["returns"][0]
    return Judged(holds(abs(float(before - after)) < CLOSE), {"before": before, "after": after})


def _of_the_past(_: Scenario) -> Judged:
    """Whether R_t moves with an earlier reward, or with its own and a later one."""
    rewards = [float(r) for r in _at(RUNNING)["rewards"]]
    t = 1
    before = _at(RUNNING)["returns"][t]
    earlier = _at(RUNNING, rewards=[rewards[0] + 1, *rewards[1:]], scores=None)["returns"][t]
    later = _at(RUNNING, rewards=[*rewards[:-1], rewards[-1] + 1], scores=None)["returns"][t]
    return Judged(holds(earlier != before == later), {"before": before, "earlier": earlier, "later": later})


def _cannot_exceed_total(_: Scenario) -> Judged:
    changed = [1.5] * RUNNING.length
    found = _at(RUNNING, values=changed)
    return Judged(
        holds(found["returns"][0] <= found["mc_returns"][0]),
        {"target": found["returns"][0], "total": found["mc_returns"][0], "value": changed[0]},
    )


FACTS: dict[str, Check] = {
    "is_the_lambda_return": _is_lambda_return,
    "is_the_monte_carlo_return": _is_monte_carlo,
    "is_monte_carlo_at_lambda_one": _is_monte_carlo_at_one,
    "is_q": _is_q,
    "is_a_sample_of_q": _estimates_q,
    "critic_learns_q_from_it": _critic_learns_q,
    "independent_of_the_critic": _independent_of_critic,
    "independent_of_lambda": _independent_of_lambda,
    "last_return_is_last_reward": _last_is_last_reward,
    "own_value_cancels": _own_value_cancels,
    "counts_earlier_rewards": _of_the_past,
    "cannot_exceed_total_reward": _cannot_exceed_total,
    **MORE,
    **FURTHER,
    **JUDGED,
    **GRID,
    **TURNS_ON,
    **ROUND_TRIP,
}
