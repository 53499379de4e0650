"""Advantages within a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.facts import Inputs
from engine.mistakes.agreements import equal_scores
from engine.mistakes.mistake import Mistake, stepping


def _grpo(**choices: bool) -> Any:
    return lambda x: lambda scores, groups, **given: x.on.grpo(scores, groups, **{**given, **choices})


def _mean_of_all(x: Inputs) -> Callable[..., Any]:
    """What is left of a score when its group's mean is taken away is what it has beyond that mean."""

    def rloo_baselines(scores: Any, groups: Any) -> Any:
        (found,) = x.on.everywhere(
            lambda row, centred: [score - beyond for score, beyond in zip(row, centred, strict=True)],
            *(_as_batch(y) for y in (scores, x.on.mean_centred(scores, groups))),
        )
        return found

    return rloo_baselines


def _as_batch(scores: Any) -> Any:
    return [scores] if isinstance(scores, list) else scores.unsqueeze(0)


GROUPING = (
    Mistake(
        id="grpo_population",
        lesson="group_baselines",
        quantity="grpo",
        change=stepping(grpo=_grpo(sample=False)),
        coincides=equal_scores,
        tokens=0,
    ),
    Mistake(
        id="grpo_without_std",
        lesson="group_baselines",
        quantity="grpo",
        change=stepping(grpo=_grpo(divide_by_std=False)),
        coincides=equal_scores,
        tokens=0,
    ),
    Mistake(
        id="rloo_own_score_in_baseline",
        lesson="group_baselines",
        quantity="rloo",
        change=stepping(rloo_baselines=_mean_of_all, rloo=lambda x: x.on.mean_centred),
        coincides=equal_scores,
        tokens=0,
    ),
)
