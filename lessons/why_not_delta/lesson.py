"""δ is the first piece of news that a token causes; the advantage also hears the later ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import mistakes, quantities
from engine.chance import blind, spread, walk
from engine.facts import Facts, Inputs, compute
from engine.proofs.monte_carlo import gae_is_decayed_sum_of_deltas, gae_lambda_zero_is_td_error
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._figure import first_of, over_tokens
from lessons._first import worked
from lessons._lesson import Shown
from lessons.why_not_delta.projects import FACTS

__all__ = ["FACTS", "MISTAKES", "QUANTITIES", "show"]

QUANTITIES: tuple[str, ...] = ()
MISTAKES = (
    "delta_for_advantage",
    "bootstrap_forgotten",
    "bootstrap_next_value_forgotten",
    "value_reward_left_out",
)
TOKENS, STEP, OFF, FADE = 6, 0.25, 0.5, 0.5  # of the small world
LAMS = (0.0, 1.0)  # δ, and return minus value


def show(scenario: Scenario) -> Shown:
    facts = compute(heard, scenario)
    return Shown(
        facts=facts.beside(worlds().under("constants")),
        work=worked(quantities.gae, scenario),
        proofs={"sum": gae_is_decayed_sum_of_deltas(), "zero": gae_lambda_zero_is_td_error()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKES},
        figures={"thrown_away": over_tokens("together", first_of(facts.numbers, "deltas", "advantages"), "number")},
        twins=(twins.gae,),
    )


def heard(x: Inputs) -> dict[str, Any]:
    """GAE, and what every token's advantage has beyond its own δ."""
    found = quantities.gae(x)
    return {**found, "later": x.on.advantages_of(found["advantages"], found["deltas"], x.mask)}


@cache
def worlds() -> Facts:
    """Token 0 is known to be good; what δ and G − V say of it, over all ways to go on, with three critics."""
    critics = {
        "exact": walk(TOKENS, step=STEP, first=1),
        "wrong": walk(TOKENS, step=STEP, error=OFF, fade=FADE, first=1),
        "blind": blind(walk(TOKENS, step=STEP, first=1)),
    }
    found = [compute(spread(world, LAMS), Scenario()).under(name) for name, world in critics.items()]
    truth = compute(lambda x: {"truth": x.number("step", STEP), "tokens": TOKENS}, Scenario())
    return truth.beside(found[0]).beside(found[1]).beside(found[2])
