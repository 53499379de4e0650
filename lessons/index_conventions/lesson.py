"""Which index belongs to what: V, R and G to the state before a token; r, δ and A to the token."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.facts import Facts, Inputs, compute
from engine.mistakes.mistake import each
from engine.proofs.bellman import exact_value_has_unbiased_delta
from engine.scenario import Scenario
from engine.world import in_place, mean_deltas, one_early, one_late, small
from lessons import _twins as twins
from lessons._figure import lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.index_conventions.conventions import FACTS

__all__ = ["FACTS", "QUANTITIES", "show"]

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("reward_index_later", "reward_index_earlier")


def show(scenario: Scenario) -> Shown:
    own = compute(quantities.gae, first_response(scenario))
    return Shown(
        facts=compute(in_place_and_one_off, scenario).beside(_small_world()),
        work=worked(quantities.gae, scenario),
        proofs={"unbiased": exact_value_has_unbiased_delta()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"timeline": lanes(own.numbers, "values", "returns", "rewards", "deltas", "advantages")},
        twins=(twins.gae,),
    )


def in_place_and_one_off(x: Inputs) -> dict[str, Any]:
    """A + V with both at the same index, and with V taken from the next."""
    found = quantities.gae(x)
    after = x.on.over_valid(one_late, x.mask, found["values"])
    return {
        **found,
        "added_in_place": each(x.on, formulas.critic_target, x.mask, found["advantages"], found["values"]),
        "added_one_off": each(x.on, formulas.critic_target, x.mask, found["advantages"], after),
    }


def _small_world() -> Facts:
    """E[δ] over every response of a world of two tokens, with V in its place and beside it."""

    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        orders = {"in_place": in_place, "one_late": one_late, "one_early": one_early}
        return {
            "responses": len(world.responses),
            **{name: mean_deltas(world, order) for name, order in orders.items()},
        }

    return compute(program, Scenario()).under("constants")
