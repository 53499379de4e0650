"""The wrong readings people really have, each a program that can be run beside the right one.

A mistake is a change of the right program: of a number that goes in, of one step, or of what a result is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.errors import EngineError
from engine.facts import Facts, compute, quick_facts
from engine.mistakes.critic import CRITIC
from engine.mistakes.discounting import DISCOUNTING
from engine.mistakes.grouping import GROUPING
from engine.mistakes.mistake import Mistake
from engine.mistakes.padding import PADDING
from engine.mistakes.policy import POLICY
from engine.mistakes.token_rewards import TOKEN_REWARDS
from engine.mistakes.values_and_rewards import VALUES_AND_REWARDS
from engine.mistakes.whitening import WHITENING
from engine.quantities import QUANTITIES
from engine.scenario import Scenario

__all__ = ["MISTAKES", "Mistake", "Stated", "explaining", "of", "on_the_way_to", "run"]

MISTAKES: Mapping[str, Mistake] = {  # where several give the same numbers, the likelier stands first
    mistake.id: mistake
    for mistake in (
        *DISCOUNTING,
        *VALUES_AND_REWARDS,
        *PADDING,
        *WHITENING,
        *TOKEN_REWARDS,
        *POLICY,
        *CRITIC,
        *GROUPING,
    )
}

ROUNDING = 1e-9  # of floats, on top of a tolerance

# A number, a list with None where nothing was stated, rows of them, numbers by index, or (of a sweep) lists by λ.
Stated: TypeAlias = float | Sequence[Any] | Mapping[Any, Any] | None

_KL = ("kl_rewards", "kl_estimators")
_TO_ADVANTAGES = ("gae", "mc", "masked_gae", "whiten", "pipeline", *_KL)
_HOMES: Mapping[str, tuple[str, ...]] = {  # quantity → the quantities whose mistakes can be made on the way to it
    "gae": _TO_ADVANTAGES,
    "masked_gae": _TO_ADVANTAGES,
    "padding_leak": _TO_ADVANTAGES,
    "lambda_sweep": _TO_ADVANTAGES,
    "pipeline": _TO_ADVANTAGES,
    "nstep_mixture": ("nstep_mixture", *_TO_ADVANTAGES),
    "mc": ("gae", "mc", "masked_gae", *_KL),
    "reward_to_go": ("gae", "mc", "masked_gae", *_KL),
    "kl_rewards": _KL,
    "kl_estimators": _KL,
    "whiten": (*_TO_ADVANTAGES, "pipeline"),
    "surrogate": ("surrogate", "clip"),
    "clip": ("surrogate", "clip"),
    "value_loss": ("value_loss", "surrogate", "gae", "masked_gae", "pipeline"),
    "grpo": ("grpo",),
    "rloo": ("rloo",),
    "probabilities": (),
}


def run(name: str, scenario: Scenario) -> Facts:
    """The facts of a mistake, under the names of the right ones, computed on tensors and exactly."""
    return compute(MISTAKES[name].program, scenario)


def of(lesson: str) -> tuple[Mistake, ...]:
    """The mistakes that a lesson is about."""
    return tuple(mistake for mistake in MISTAKES.values() if mistake.lesson == lesson)


def on_the_way_to(quantity: str) -> tuple[Mistake, ...]:
    """The mistakes that can change the facts of a quantity."""
    return tuple(mistake for mistake in MISTAKES.values() if mistake.quantity in _HOMES[quantity])


def explaining(quantity: str, scenario: Scenario, name: str, stated: Stated, tolerance: float) -> list[str]:
    """The mistakes that give the stated numbers of a fact, up to the tolerance, the likelier first.

    None if the right program gives them. A sweep over λ can also be asked about λ by λ, as "gae".
    """
    if _reproduces(quick_facts(QUANTITIES[quantity], scenario)[name], stated, tolerance):
        return []
    return [
        mistake.id
        for mistake in on_the_way_to(quantity)
        if mistake.possible(scenario) and _gives(mistake, quantity, scenario, name, stated, tolerance)
    ]


def _gives(mistake: Mistake, quantity: str, scenario: Scenario, name: str, stated: Stated, tolerance: float) -> bool:
    """Whether the program gives the stated numbers; one that needs a list which is not there does not."""
    try:
        found = quick_facts(mistake.on(quantity), scenario)
    except EngineError:
        return False
    return _reproduces(found[name], stated, tolerance)


def _reproduces(fact: Any, stated: Stated, tolerance: float) -> bool:
    if stated is None:
        return True
    if isinstance(stated, Mapping):
        return all(_reproduces(fact[key], part, tolerance) for key, part in stated.items())
    if isinstance(stated, Sequence):
        return len(fact) == len(stated) and all(
            _reproduces(part, number, tolerance) for part, number in zip(fact, stated, strict=True)
        )
    return fact is not None and abs(float(fact) - stated) <= tolerance + ROUNDING * max(1.0, abs(stated))
