"""Why the TD errors of a response add up to its return minus what the critic expected."""

from __future__ import annotations

from engine import formulas, quantities, sequences
from engine.facts import work
from engine.proofs.telescoping import excess, telescoping, written_out
from engine.scenario import Scenario
from lessons._lesson import Shown
from lessons._proposition import Check

QUANTITIES: tuple[str, ...] = ()
PROPOSITIONS: dict[str, Check] = {}
LONGEST_WRITTEN_OUT = 8  # tokens


def show(scenario: Scenario) -> Shown:
    facts = quantities.facts("gae", scenario)
    worked = work(quantities.gae, scenario)
    proofs = {"for_all": telescoping(), "excess": excess()}
    if scenario.length <= LONGEST_WRITTEN_OUT:
        proofs["own"] = written_out(scenario.length)
    return Shown(
        facts=facts,
        work=worked,
        proofs=proofs,
        code=(formulas.td_error, formulas.mc_step, sequences.deltas, sequences.mc_returns, sequences.discounted_sum),
    )
