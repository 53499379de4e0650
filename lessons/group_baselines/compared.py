"""One method beside another, and what dividing by the deviation does to the size."""

from __future__ import annotations

from typing import Any

from engine import groups
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._proposition import Check, Judged
from lessons._trials import judged
from lessons.group_baselines.further import _facts, _grpo, _rloo

TIMES = 10
RIGHT_WRONG, WIDE = (1, 0), (9, 0)


def _tokens(_: Scenario) -> Judged:
    row = groups.share(_grpo(*RIGHT_WRONG)[:1], [[1, 1, 1]])[0]
    told = [round(float(a), 4) for a in gae()["advantages"]]
    return judged(len(set(row)) == 1 < len(set(told)), grpo=float(row[0]), first=told[0], last=told[-1])


def _own_score(_: Scenario) -> Judged:
    """The first response's baseline when its own score alone is another."""
    rloo = [_facts("rloo", own, 1, 0)["baselines"][0] for own in RIGHT_WRONG]
    means = [own - _facts("grpo", own, 1, 0)["centered"][0] for own in RIGHT_WRONG]
    return judged(
        rloo[0] == rloo[1] and means[0] != means[1],
        rloo_low=rloo[1], rloo_high=rloo[0], mean_low=round(float(means[1]), 4), mean_high=round(float(means[0]), 4),
    )  # fmt: skip


def _scale(_: Scenario) -> Judged:
    larger = [TIMES * score for score in RIGHT_WRONG]
    grpo, rloo = ([method(*scores)[0] for scores in (RIGHT_WRONG, larger)] for method in (_grpo, _rloo))
    return judged(
        abs(grpo[1] - grpo[0]) < 0.001 and rloo[1] == TIMES * rloo[0],
        times=TIMES, grpo=grpo[0], grpo_scaled=grpo[1], rloo=rloo[0], rloo_scaled=rloo[1],
    )  # fmt: skip


def _size(scores: tuple[int, ...]) -> dict[str, Any]:
    centred, divided = float(_facts("grpo", *scores)["centered"][0]), _grpo(*scores)[0]
    return {"centred": centred, "divided": divided, "std": round(centred / divided, 4)}


def _enlarges(_: Scenario) -> Judged:
    found = _size(RIGHT_WRONG)
    return judged(found["std"] < 1 and found["divided"] > found["centred"], **found)


def _changes_the_size(_: Scenario) -> Judged:
    near, wide = _size(RIGHT_WRONG), _size(WIDE)
    return judged(
        [found["divided"] > found["centred"] for found in (near, wide)],
        small=near["std"], centred=near["centred"], divided=near["divided"],
        wide_centred=wide["centred"], wide_divided=wide["divided"],
    )  # fmt: skip


def _sum_within(_: Scenario) -> Judged:
    row = groups.share(_grpo(*RIGHT_WRONG)[:1], [[1, 1, 1]])[0]
    return judged(sum(row) == 0, grpo=float(row[0]))


COMPARED: dict[str, Check] = {
    "ppo_tells_tokens_apart_and_grpo_does_not": _tokens,
    "rloo_leaves_the_own_score_out_and_grpo_does_not": _own_score,
    "grpo_divides_by_the_std_and_rloo_does_not": _scale,
    "a_small_std_enlarges_the_advantages": _enlarges,
    "dividing_by_the_std_changes_the_size": _changes_the_size,
    "token_advantages_of_a_response_sum_to_zero": _sum_within,
}
