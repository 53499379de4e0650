"""Bootstrapping: the critic's next forecast stands for the rewards still to come; where it enters, and how far back."""

from __future__ import annotations

from engine import mistakes, quantities
from engine.fork import small_world
from engine.influence import influence
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import by_place
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.bootstrap.after_the_end import AFTER_THE_END

QUANTITIES: tuple[str, ...] = ()
MISTAKES = ("bootstrap_forgotten", "bootstrap_next_value_forgotten", "bootstrap_after_the_end")
PROOFS = {
    "later": "later_value_reaches_back_through_bootstrap",
    "own": "own_value_lowers_advantage_one_to_one",
    "one": "later_values_vanish_at_lambda_one",
}

FACTS: dict[str, Check] = AFTER_THE_END


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario).beside(small_world().under("constants"))
    tokens = first_response(scenario).length
    figures = {}
    if tokens > 1:
        reach = influence(scenario, tokens)
        facts = facts.beside(reach)
        figures = {"reach": by_place(reach.numbers["advantages_by_value"], "values", "advantages")}
    return Shown(
        facts=facts,
        work=worked(quantities.gae, scenario),
        proofs={name: theorem(full) for name, full in PROOFS.items()},
        counterexamples={"only_delta": counterexample("bootstrap_affects_only_its_own_delta")},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures=figures,
        twins=(twins.gae,),
    )
