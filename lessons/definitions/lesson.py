"""What each quantity is: sample, expectation or estimate, of what, given what."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.definitions import FIRST, definitions
from engine.facts import Facts, Inputs, compute
from engine.notation import show as written
from engine.proofs.monte_carlo import gae_is_decayed_sum_of_deltas
from engine.proofs.programs import gae
from engine.proofs.returns import advantage_plus_value_is_lambda_return
from engine.scenario import Scenario
from engine.world import World, small
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.definitions.checks import CHECKS
from lessons.definitions.whole_answer import WHOLE_ANSWER

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("mc_for_returns", "advantage_sum_for_delta_sum", "delta_for_advantage", "mc_for_gae_as_if_lam_were_one")
LAMS = (0.0, 0.5, 1.0)


def show(scenario: Scenario) -> Shown:
    own = quantities.facts("gae", first_response(scenario))
    return Shown(
        facts=quantities.facts("gae", scenario).beside(_small_world()),
        work=worked(quantities.gae, scenario),
        proofs={"decayed": gae_is_decayed_sum_of_deltas(), "target": advantage_plus_value_is_lambda_return()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"whose": lanes(own.numbers, "mc_returns", "values", "returns", "rewards", "deltas", "advantages")},
        twins=(twins.gae,),
        formulas={
            f"{name}_{counting}": formula
            for counting, first in FIRST.items()
            for name, formula in definitions(first).items()
        },
    )


def _small_world() -> Facts:
    """V, Q and A of a world that can be counted through, beside what samples of them are."""

    def program(x: Inputs) -> dict[str, Any]:
        world = small(x.number)
        value, q = world.value(()), [world.q((), token) for token in range(len(world.chances))]
        returns = [sequences.mc_returns(world.rewards_along(response), world.gamma)[0] for response in world.responses]
        return {
            "responses": len(world.responses),
            "value": value,
            "q": q,
            "advantage": [formulas.advantage(of_token, value) for of_token in q],
            "mean_advantage": sum(p * (of_token - value) for p, of_token in zip(world.chances, q, strict=True)),
            "sampled_returns": returns,
            "sampled_advantages": [formulas.advantage(g, value) for g in returns],
            "mean_estimates": {written(lam).text: _mean_estimates(world, x.number("lam", lam)) for lam in LAMS},
        }

    return compute(program, Scenario()).under("constants")


def _mean_estimates(world: World, lam: Any) -> list[Any]:
    """The mean of the estimated A_0 over the responses that begin with each token."""
    return [
        world.expected(lambda path: gae(world.rewards_along(path), world.values_along(path), world.gamma, lam)[0], (a,))
        for a in range(len(world.chances))
    ]


FACTS: dict[str, Check] = {**CHECKS, **WHOLE_ANSWER}
