"""Advantages from the scores of groups of responses to one prompt."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.facts import Inputs


def grpo(x: Inputs) -> dict[str, Any]:
    return _by_group(x, lambda scores, one: {
        "centered": x.on.mean_centred(scores, one),
        "advantages": x.on.grpo(scores, one),
        "advantages_population": x.on.grpo(scores, one, sample=False),
    })  # fmt: skip


def rloo(x: Inputs) -> dict[str, Any]:
    return _by_group(x, lambda scores, one: {
        "baselines": x.on.rloo_baselines(scores, one),
        "advantages": x.on.rloo(scores, one),
    })  # fmt: skip


def _by_group(x: Inputs, program: Any) -> dict[str, Any]:
    """A program on each group's scores; groups may differ in size."""
    if not x.has("group_rewards"):
        raise EngineError("missing", field="group_rewards")
    x.used.add("group_rewards")
    found = []
    for row in x.scenario.rows("group_rewards"):
        (scores,) = x.series("group_rewards", (row,))
        found.append(program(scores, x.on.same_group(scores)))
    return {name: [group[name] for group in found] for name in found[0]}
