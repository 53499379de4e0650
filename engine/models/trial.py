"""What a learner asks to be run: on which texts, with which settings. Everything that is not said has a default."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.errors import EngineError
from engine.models.learners import ALL_LAYERS, Settings
from engine.scenario import Scenario

EPOCHS, ITERATIONS = 2, 2  # the second iteration is the first whose KL is not 0
_BOUNDS: dict[str, tuple[float, float]] = {
    "epochs": (1, 8),
    "iterations": (1, 4),
    "seed": (0, 2**31 - 1),
    "actor_lr": (0, 0.01),
    "critic_lr": (0, 0.01),
    "score": (-1000, 1000),
}
_OF_SCENARIO = ("gamma", "lam", "beta", "cliprange_value", "kl")


@dataclass(frozen=True)
class Trial:
    """None: as the scenario, the settings or the running example have it."""

    prompt: str | None = None
    response: str | None = None
    sampled: bool = False  # the actor answers by itself
    score: float | None = None  # else the rule's
    epochs: int | None = None
    iterations: int | None = None
    actor_lr: float | None = None
    critic_lr: float | None = None
    seed: int | None = None
    all_layers: bool = False
    seeded_head: bool = False  # the critic's head is random, not fitted

    def __post_init__(self) -> None:
        for name, (low, high) in _BOUNDS.items():
            given = getattr(self, name)
            if given is not None and not (math.isfinite(given) and low <= given <= high):
                raise EngineError("out_of_range", field=name, position=(), value=given, low=low, high=high)

    def given(self) -> dict[str, Any]:
        """What was said."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: x for name, x in own.items() if x is not None and x is not False}

    def then(self, later: Trial) -> Trial:
        """This trial with what another one says in place of what it said. A response of one's own ends sampling."""
        kept = replace(self, sampled=False) if later.response is not None else self
        kept = replace(kept, response=None) if later.sampled or later.prompt is not None else kept
        kept = replace(kept, score=None) if later.prompt is not None or later.response is not None else kept
        return replace(kept, **later.given())

    def settings(self, scenario: Scenario) -> Settings:
        """With the parameters of a scenario; its bounds of the clip, or its one ε for both."""
        known = {name: getattr(scenario, name) for name in _OF_SCENARIO}
        for side in ("eps_low", "eps_high"):
            own = getattr(scenario, side)
            known[side] = scenario.eps if own is None else own
        known |= {"epochs": self.epochs or EPOCHS, "actor_lr": self.actor_lr, "critic_lr": self.critic_lr}
        base = ALL_LAYERS if self.all_layers else Settings()
        return replace(base, **{name: x for name, x in known.items() if x is not None})
