"""What verl does with the lists, run by its conventions: what is whitened when, and what padding earns."""

from __future__ import annotations

from itertools import chain
from typing import Any

from engine import conventions, quantities
from engine.conventions import VERL_NEW, VERL_OLD, Rollout, Scored
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from engine.statistics import total
from lessons._at_hand import batch_at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds


def _rollout(x: Inputs) -> Rollout:
    return Rollout(quantities.rewards(x), x["values"], x.mask)


def _rewards_are_whitened_first(_: Scenario) -> Judged:
    """What the recursion has seen, beside the rewards that went in."""

    def program(x: Inputs) -> dict[str, Any]:
        seen = conventions.run(_rollout(x), VERL_NEW, gamma=x["gamma"], lam=x["lam"])
        return {"seen": seen.rewards, "given": quantities.rewards(x)}

    found = exact_facts(program, RUNNING)
    return Judged(holds(found["seen"] != found["given"]), found)


def _function_returns_whitened(_: Scenario) -> Judged:
    """What is handed on as advantages, old and new: mean 0, the raw ones not."""

    def program(x: Inputs) -> dict[str, Any]:
        found = [conventions.run(_rollout(x), c, gamma=x["gamma"], lam=x["lam"]) for c in (VERL_OLD, VERL_NEW)]
        return {"raw": found[1].advantages, "old": found[0].normalised, "new": found[1].normalised}

    batch = batch_at_hand()
    found = exact_facts(program, batch)
    raw, old, new = (found[name] if batch.batched else [found[name]] for name in ("raw", "old", "new"))
    level = all(close(total([*chain(*rows)]), 0) for rows in (old, new))
    return Judged(holds(level and not close(total([*chain(*raw)]), 0)), {"raw": raw[0][0], "handed_on": new[0][0]})


def _padding_earns(_: Scenario) -> Judged:
    """Log-probabilities far from the reference behind the end."""
    scored = Scored([1.0], [[-1.0, -1.0, -9.0]], [[-1.0, -1.0, -1.0]], 0.1)
    rollout = Rollout(scored, [[0.5, 0.5, 0.5]], [[1, 1, 0]])
    found = conventions.run(rollout, VERL_NEW, gamma=1.0, lam=1.0).rewards[0]
    return Judged(holds(found[-1] != 0), {"mask": [1, 1, 0], "rewards": list(found)})


VERLS: dict[str, Check] = {
    "rewards_are_whitened_before_gae": _rewards_are_whitened_first,
    "gae_function_returns_whitened_advantages": _function_returns_whitened,
    "padding_earns_rewards": _padding_earns,
}
