"""Whose reward it is: the transition's in general; the token's just as well where the token settles the next state."""

from __future__ import annotations

from engine import mistakes, quantities
from engine.proofs.ownership import (
    certain_outcome_has_its_own_reward_as_mean,
    mean_reward_gives_every_sampled_delta,
    only_the_mean_reward_enters_the_value,
)
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.reward_owner.checks import CHECKS
from lessons.reward_owner.transitions import SETTLED, text, tool

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("reward_index_earlier", "reward_index_later")


def show(scenario: Scenario) -> Shown:
    own = quantities.facts("gae", first_response(scenario))
    return Shown(
        facts=quantities.facts("gae", scenario).beside(text()).beside(tool()),
        work=worked(quantities.gae, scenario),
        proofs={
            "mean": only_the_mean_reward_enters_the_value(),
            "certain": certain_outcome_has_its_own_reward_as_mean(),
        },
        counterexamples={"sampled": mean_reward_gives_every_sampled_delta()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"between": lanes(own.numbers, "values", "rewards")},
        twins=(twins.gae,),
    )


FACTS: dict[str, Check] = {**CHECKS, **SETTLED}
