"""What has no relation between quantities: where projects put a score, and what a prompt is paid."""

from __future__ import annotations

from typing import Any

from engine.conventions import TRL_LATER, VERL_NEW, Rollout, Scored, run
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.quantities import kl_rewards
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds


def _placed(convention: Any) -> list[Any]:
    """Where a project puts a score of 1, behind two real tokens and one of padding."""
    nothing = [[0.0] * 3]
    scored = Scored([1.0], nothing, nothing, 0.0)
    found = run(Rollout(scored, nothing, [[1, 1, 0]]), convention, gamma=1.0, lam=1.0).rewards
    return list(found[0])


def _on_last_real_token(_: Scenario) -> Judged:
    verl, trl = _placed(VERL_NEW), _placed(TRL_LATER)
    return Judged(holds(verl[1] == trl[1] == 1), {"mask": [1, 1, 0], "verl": verl, "trl": trl})


def _prompt_earns(_: Scenario) -> Judged:
    """One reward for each response token, the prompt's length notwithstanding."""
    count = len(exact_facts(kl_rewards, RUNNING)["rewards"])
    prompt = len(RUNNING.prompt or "")
    return Judged(holds(count == prompt + RUNNING.length), {"count": count, "T": RUNNING.length, "prompt": prompt})


CHECKS: dict[str, Check] = {
    "every_project_scores_the_last_real_token": _on_last_real_token,
    "prompt_tokens_earn_rewards": _prompt_earns,
}
