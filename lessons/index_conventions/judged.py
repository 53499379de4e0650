"""What learners ask to be told of indices: which count is better, what an exponent counts, what a place reaches."""

from __future__ import annotations

from engine import mistakes
from engine.example import RUNNING
from engine.scenario import Scenario
from engine.slices import sees
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.index_conventions.steps import HERE, PROMPT, RESPONSE, example, moved


def _from_zero_is_better(_: Scenario) -> Judged:
    """What the indices say by themselves: how many tokens stand before, how long the response is."""
    zero, one = list(range(RESPONSE)), list(range(1, RESPONSE + 1))
    before = [int(sum(row)) for row in sees(PROMPT, RESPONSE)]
    for_zero, for_one = zero == before != one, one[-1] == RESPONSE != zero[-1]
    return Judged(
        "depends" if for_zero and for_one else holds(for_zero),
        {"before": before, "zero": zero, "one": one, "T": RESPONSE},
    )


def _exponent_is_absolute(_: Scenario) -> Judged:
    own = RUNNING.merged({"gamma": 0.5})
    right, wrong = example(gamma=0.5)["mc_returns"], mistakes.run("gamma_from_the_start", own).exact["mc_returns"]
    return Judged(holds(close(right, wrong)), {"right": right[-1], "wrong": wrong[-1]})


def _later_advantages_move(_: Scenario) -> Judged:
    found = moved("advantages", "rewards", HERE)
    return Judged(holds(max(found) > HERE), {"here": HERE, "moved": found})


def _two_deltas(_: Scenario) -> Judged:
    found = moved("deltas", "values", HERE)
    return Judged(holds(found == [HERE - 1, HERE]), {"here": HERE, "moved": found})


def _own_token_is_predicted(_: Scenario) -> Judged:
    """Whether the output at a token's own place has read it already."""
    at, before = sees(PROMPT, RESPONSE, 1)[1][1], sees(PROMPT, RESPONSE)[1][1]
    return Judged(holds(not at), {"at": int(at), "before": int(before)})


def _first_is_the_prompts(_: Scenario) -> Judged:
    """How many advantages there are: whether one is left for the prompt."""
    count = len(example()["advantages"])
    return Judged(holds(count > RUNNING.length), {"count": count, "T": RUNNING.length})


JUDGED: dict[str, Check] = {
    "counting_from_zero_is_better": _from_zero_is_better,
    "discount_exponent_is_the_absolute_index": _exponent_is_absolute,
    "reward_moves_later_advantages": _later_advantages_move,
    "value_enters_two_deltas": _two_deltas,
    "output_at_a_place_predicts_its_own_token": _own_token_is_predicted,
    "first_advantage_is_the_prompts": _first_is_the_prompts,
}
