"""What learners claim of scores: tried on their own response where it has any, else on the running example."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._first import numbers


def _scored(scenario: Scenario) -> Scenario:
    own = numbers(scenario)
    return own if own.scores is not None else RUNNING


def _lists(x: Inputs) -> dict[str, Any]:
    return {"scores": x["scores"], **quantities.gae(x)}


def _lists_and_kl(x: Inputs) -> dict[str, Any]:
    return {"kl": quantities.kl(x), **_lists(x)}


def _only_the_last_token_is_scored(scenario: Scenario) -> Judged:
    *others, last = _scored(scenario).scores or ()
    return Judged("depends" if any(others) else "true", {"last": last, "others": sum(map(bool, others))})


def _rewards_are_scores_less_kl(scenario: Scenario) -> Judged:
    own = _scored(scenario)
    found = exact_facts(_lists_and_kl, own)
    rows = zip(found["scores"], found["kl"], found["rewards"], strict=True)
    same = all(close(formulas.token_reward(s, k, own.beta), r) for s, k, r in rows)
    return Judged(holds(same), {"score": found["scores"][0], "kl": found["kl"][0], "reward": found["rewards"][0]})


def _unscored_tokens_learn_nothing(scenario: Scenario) -> Judged:
    found = exact_facts(_lists, _scored(scenario))
    learnt = [a for s, a in zip(found["scores"], found["advantages"], strict=True) if s == 0]
    return Judged(holds(not any(learnt)), {"advantage": max(learnt, key=abs, default=0), "count": len(learnt)})


def _every_token_has_a_reward(scenario: Scenario) -> Judged:
    found = exact_facts(_lists, _scored(scenario))["rewards"]
    return Judged(
        "true" if all(found) else "depends", {"count": sum(map(bool, found)), "T": len(found), "first": found[0]}
    )


SCORED: dict[str, Check] = {
    "only_the_last_token_is_scored": _only_the_last_token_is_scored,
    "rewards_are_scores_less_kl": _rewards_are_scores_less_kl,
    "unscored_tokens_learn_nothing": _unscored_tokens_learn_nothing,
    "every_token_has_a_reward": _every_token_has_a_reward,
}
