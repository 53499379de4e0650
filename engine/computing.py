"""Which computation has a fact, where nobody said which."""

from __future__ import annotations

from dataclasses import dataclass

from engine import quantities
from engine.errors import EngineError
from engine.facts import Facts
from engine.scenario import Scenario

# The first of these that can be computed and has the fact.
ORDER = (
    "masked_gae", "gae", "mc", "reward_to_go", "kl_rewards", "kl_estimators", "whiten", "clip", "surrogate",
    "value_loss", "nstep_mixture", "lambda_sweep", "padding_leak", "grpo", "rloo", "probabilities",
)  # fmt: skip
OTHERWISE = {"returns": "mc_returns"}


@dataclass(frozen=True)
class Computed:
    """A fact under the name that it has, and the computation that has it."""

    name: str
    quantity: str
    facts: Facts


def computed(base: Scenario, name: str, quantity: str | None = None) -> Computed | None:
    """The computation that has a fact, if there is one. Returns without values are the Monte Carlo ones."""
    order = [*([quantity] if quantity else []), *(one for one in ORDER if one != quantity)]
    for fact in dict.fromkeys((name, OTHERWISE.get(name, name))):
        for one in order:
            facts = facts_of(one, base)
            if facts is not None and fact in facts.exact:
                return Computed(fact, one, facts)
    return None


def facts_of(quantity: str, base: Scenario) -> Facts | None:
    try:
        return quantities.facts(quantity, base)
    except EngineError:  # a list that this computation needs is not there
        return None


def computable(quantity: str, base: Scenario) -> bool:
    """Whether the numbers are there that a computation needs."""
    return facts_of(quantity, base) is not None
