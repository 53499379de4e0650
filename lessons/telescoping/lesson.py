"""Why the TD errors of a response add up to its return minus what the critic expected."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.facts import Inputs, compute
from engine.proofs import theorem
from engine.proofs.telescoping import excess, telescoping, written_out
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import Figure, first_of
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.telescoping.checks import FACTS

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("advantage_sum_for_delta_sum", "bootstrap_forgotten", "bootstrap_after_the_end")
LONGEST_WRITTEN_OUT = 8  # tokens

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario)
    proofs = {"for_all": telescoping(), "excess": excess(), "stopped": theorem("n_step_advantage_is_sum_of_deltas")}
    length = first_response(scenario).length
    if length <= LONGEST_WRITTEN_OUT:
        proofs["own"] = written_out(length)
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs=proofs,
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"steps": _steps(first_response(scenario))},
        twins=(twins.telescoping,),
    )


def counted(x: Inputs) -> dict[str, Any]:
    """Every δ as the sum at the first token counts it."""
    found = quantities.gae(x)
    deltas = [formulas.discounted(d, x["gamma"], t) for t, d in enumerate(found["deltas"][0])]
    return {"values": found["values"], "deltas": [deltas], "mc_returns": found["mc_returns"]}


def _steps(own: Scenario) -> Figure:
    found = first_of(compute(counted, own).numbers, "values", "deltas", "mc_returns")
    return Figure(
        "waterfall",
        tuple(range(len(found["deltas"]))),
        {"discounted_deltas": found["deltas"]},
        x_name="token",
        y_name="values",
        z_name="mc_returns",
        start=found["values"][0],
        end=found["mc_returns"][0],
    )
