"""At which index the libraries keep rewards and values: by the same rollout run as each of them counts."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.conventions import TRL, VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import judged


def _trl_counts_alike(_: Scenario) -> Judged:
    def program(x: Inputs) -> dict[str, Any]:
        rollout = Rollout(quantities.rewards(x), x["values"], x.mask)
        found = [run(rollout, c, gamma=x["gamma"], lam=x["lam"]).advantages for c in (VERL_NEW, TRL)]
        return {"verl": found[0], "trl": found[1]}

    found = exact_facts(program, RUNNING)
    return Judged(holds(close(found["verl"], found["trl"])), {"verl": found["verl"][0], "trl": found["trl"][0]})


def _other_libraries(_: Scenario) -> Judged:
    """Where the list that is read at the token's own index, or one later, has what the token earned."""
    rewards = [0.0, 2.0, 1.0]
    rollout = Rollout([rewards], [[0.25, 0.5, 0.25]], [[1] * len(rewards)])
    verl, trl = (list(run(rollout, c, gamma=1.0, lam=1.0).advantages[0]) for c in (VERL_NEW, TRL))
    t, stored = 1, [0.0, *rewards]
    later = next(k for k, r in enumerate(stored) if r == rewards[t])
    return judged([trl == verl, later == t], t=t, same=t, later=later)


FACTS: dict[str, Check] = {
    "trl_and_verl_count_alike": _trl_counts_alike,
    "another_library_has_the_same_reward_index": _other_libraries,
}
