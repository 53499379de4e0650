"""GAE as the weighted mean of the n-step advantages, and what the weights are on a response that ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.facts import Facts, Inputs, compute, work
from engine.ops import Number, named
from engine.proofs.mixture import (
    gae_is_mixture_of_n_step_advantages,
    mixture_of_n_steps_is_decayed_sum,
    mixture_weights_sum_to_one,
    mixture_without_tail_weight,
    n_step_advantage_is_sum_of_deltas,
)
from engine.proofs.programs import mean
from engine.quantities import LONGEST_MIXTURE
from engine.readings.exact import rational
from engine.readings.worked import Worked, given
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure
from lessons._first import counted_alike, first_response, numbers
from lessons._lesson import Shown

QUANTITIES: tuple[str, ...] = ("nstep_mixture",)
MISTAKES = ("lam_tail_forgotten", "delta_for_advantage", "mc_for_gae_as_if_lam_were_one", "bootstrap_forgotten")
LONGEST_WRITTEN_OUT = 8  # tokens


def show(scenario: Scenario) -> Shown:
    alone = first_response(scenario)
    first = compute(by_steps, alone)
    whole = scenario.length <= LONGEST_MIXTURE
    return Shown(
        facts=quantities.facts("nstep_mixture" if whole else "gae", scenario).beside(first.under("first")),
        work=_written_out(alone) if alone.length <= LONGEST_WRITTEN_OUT and counted_alike(scenario) else {},
        proofs={
            "steps": n_step_advantage_is_sum_of_deltas(),
            "decayed": mixture_of_n_steps_is_decayed_sum(),
            "one": mixture_weights_sum_to_one(),
            "mixture": gae_is_mixture_of_n_step_advantages(),
        },
        counterexamples={"no_tail": mixture_without_tail_weight()},
        mistakes=_mistaken(scenario) if whole and scenario.mask is None else {},
        figures={"weights": _bars(first), **_heard(first)},
        twins=(twins.mixture,),
    )


def by_steps(x: Inputs) -> dict[str, Any]:
    """At the first token of one response: every n-step advantage, its weight, and their mean.

    A^(n+1) is A^(n) and one δ more (proved in engine.proofs.mixture): one pass, however long the response.
    """
    gamma, lam, length = x["gamma"], x["lam"], x.scenario.length
    deltas = x.on.td_errors(quantities.rewards(x), x["values"], x.mask, gamma=gamma)[0]
    steps = [deltas[0]]
    for n in range(1, length):
        steps.append(steps[-1] + formulas.discounted(deltas[n], gamma, n))
    weights = sequences.mixture_weights(length, lam)
    return {
        "weights": [weights],
        "n_step_advantages": [steps],
        "mixture": sum(w * a for w, a in zip(weights, steps, strict=True)),
        "weight_sum": sum(weights),
        "without_tail_weight": sum(weights) - weights[-1] + formulas.mixture_weight(length, lam),
        "plain_mean": mean(steps),
        "mean_steps": sum(n * w for n, w in enumerate(weights, start=1)),
        **({"horizon": 1 / (1 - lam)} if lam < 1 else {}),
        **(_hearing(x, length) if 1 < length <= LONGEST_WRITTEN_OUT else {}),
    }


def _hearing(x: Inputs, length: int) -> dict[str, Any]:
    """What each δ counts in every n-step advantage of the first token, and in the mixture of them."""
    one, gamma = x.number("weight", 1.0), x["gamma"]
    by_gamma = [formulas.discounted(one, gamma, k) for k in range(length)]
    heard = [[w if k < n else 0 * w for k, w in enumerate(by_gamma)] for n in range(1, length + 1)]
    return {"heard": heard, "heard_by_all": [formulas.discounted(one, gamma * x["lam"], k) for k in range(length)]}


def _mistaken(scenario: Scenario) -> Mapping[str, Facts]:
    """What each mistake gives for the advantages; without the tail's weight that is what the mixture comes to."""
    found = {id: mistakes.run(id, scenario) for id in MISTAKES}
    no_tail = found["lam_tail_forgotten"]
    as_advantages = [{**facts, "advantages": facts["mixture"]} for facts in (no_tail.numbers, no_tail.exact)]
    return {**found, "lam_tail_forgotten": replace(no_tail, numbers=as_advantages[0], exact=as_advantages[1])}


def _written_out(alone: Scenario) -> Mapping[str, Any]:
    """A_0 as the weighted sum, with w_n for the weights; and each n-step advantage as a sum of δ."""
    found = compute(by_steps, alone).exact
    lines = work(quantities.gae, alone)
    gamma = given(rational(alone.gamma or 0.0), "gamma")
    weighed: list[Number] = [
        given(w, "weights", n) * Worked(a)
        for n, (w, a) in enumerate(zip(found["weights"], found["n_step_advantages"], strict=True), start=1)
    ]
    return {
        "mixture": named(sum(weighed[1:], weighed[0]), "advantages", 0),
        "n_steps": [sequences.discounted_sum(lines["deltas"][:n], gamma) for n in range(1, alone.length + 1)],
    }


def _bars(first: Facts) -> Figure:
    weights = first.numbers["weights"]
    return Figure("together", tuple(range(1, len(weights) + 1)), {"weight": tuple(weights)}, "n_steps", "weight")


def _heard(first: Facts) -> dict[str, Figure]:
    """Which δ's each n-step advantage of the first token hears, and which their mixture does."""
    if "heard" not in first.numbers:
        return {}
    rows = {f"n = {n}": tuple(row) for n, row in enumerate(first.numbers["heard"], start=1)}
    rows["advantages"] = tuple(first.numbers["heard_by_all"])
    return {"heard": Figure("matrix", tuple(range(len(rows["advantages"]))), rows, "deltas", "n_steps")}


# ---------------------------------------------------------------- what learners claim of responses of any length


def _same_for_returns(scenario: Scenario) -> Judged:
    """Σ w_n (G^(n) − V) against Σ w_n G^(n) − V."""
    own = numbers(scenario)
    found = compute(by_steps, own).numbers
    v_0 = own.rows("values")[0][0]
    of_returns = sum(w * (a + v_0) for w, a in zip(found["weights"], found["n_step_advantages"], strict=True)) - v_0
    return Judged(
        holds(abs(of_returns - found["mixture"]) < 1e-9), {"returns": of_returns, "advantages": found["mixture"]}
    )


FACTS: dict[str, Check] = {"mixing_returns_is_mixing_advantages": _same_for_returns}
