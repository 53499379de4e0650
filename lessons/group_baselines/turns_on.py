"""What is so of groups in one case and not in another: by the estimator, the other scores, the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import groups, quantities, sequences
from engine.errors import EngineError
from engine.losses import Aggregation
from engine.scenario import Scenario, scenario
from lessons._checks import gae
from lessons._fact import Check, Judged, holds
from lessons._trials import HALF, ONE, judged, outcome
from lessons.group_baselines.basics import RARE, _mean_gradient
from lessons.group_baselines.further import _alike, _facts, _grpo, _rloo, _weights

MIXED, HARD, RIGHT, WRONG = (1, 1, 0, 0), (1, 0, 0, 0), (1, 1, 1, 1), (0, 0, 0, 0)
LOW, HIGH = (0.5, 0, 0, 0), (0.5, 1, 1, 1)  # the first response's score, beside those of its group


def _share_one(_: Scenario) -> Judged:
    row = [round(float(a), 4) for a in groups.share(_grpo(*MIXED)[:1], [[1, 1, 1]])[0]]
    told = [round(float(a), 4) for a in gae()["advantages"]]
    return judged([len(set(r)) == 1 for r in (row, told)], grpo=row[0], first=told[0], last=told[-1])


def _read(quantity: str, **given: Any) -> Any:
    """The advantages, to four digits."""
    found = quantities.facts(quantity, scenario(given)).exact["advantages"]
    return [[round(float(a), 4) for a in row] if isinstance(row, list) else round(float(row), 4) for row in found]


def _gives_gradient(scores: Sequence[float]) -> bool:
    return any(_grpo(*scores))


def _group_found() -> dict[str, Any]:
    return {"mixed": _grpo(*HARD), "same": _grpo(*RIGHT), "scores": list(HARD)}


def _group_teaches(_: Scenario) -> Judged:
    return judged([_gives_gradient(HARD), _gives_gradient(RIGHT)], **_group_found())


def _every_group_teaches(_: Scenario) -> Judged:
    return Judged(holds(all(map(_gives_gradient, (HARD, RIGHT, WRONG)))), _group_found())


def _right_up_wrong_down(group: Sequence[int]) -> bool:
    return all(a > 0 if score else a < 0 for score, a in zip(group, _grpo(*group), strict=True))


def _sides_found() -> dict[str, Any]:
    return {"right": _grpo(*HARD)[0], "wrong": _grpo(*HARD)[-1], "all_right": _grpo(*RIGHT)[0],
            "all_wrong": _grpo(*WRONG)[0]}  # fmt: skip


def _sides(_: Scenario) -> Judged:
    return judged([_right_up_wrong_down(group) for group in (HARD, RIGHT, WRONG)], **_sides_found())


def _sides_always(_: Scenario) -> Judged:
    return Judged(holds(all(map(_right_up_wrong_down, (HARD, RIGHT, WRONG)))), _sides_found())


def _right_can_be_silent(_: Scenario) -> Judged:
    return Judged(holds(_grpo(*RIGHT)[0] == 0), _sides_found())


def _middling(_: Scenario) -> Judged:
    found = [_grpo(*group)[0] for group in (LOW, HIGH)]
    return judged([a > 0 for a in found], score=LOW[0], low=found[0], high=found[1])


def _scaled() -> dict[str, list[float]]:
    """The first advantage at scores of one and nought, and at ten times as much."""
    rows = [(1, 0), (10, 0)]
    return {
        "grpo": [_grpo(*row)[0] for row in rows],
        "rloo": [round(float(_rloo(*row)[0]), 4) for row in rows],
        "centred": [round(float(_facts("grpo", *row)["centered"][0]), 4) for row in rows],
    }


def _divides(_: Scenario) -> Judged:
    found = _scaled()
    return judged([_alike(row[:1], row[1:]) for row in found.values()], **found)


def _all_divide(_: Scenario) -> Judged:
    found = _scaled()
    return Judged(holds(all(_alike(row[:1], row[1:]) for row in found.values())), found)


def _scales(_: Scenario) -> Judged:
    found = _scaled()
    return judged([_alike([10 * row[0]], row[1:]) for row in found.values()], times=10, **found)


def _own_in_baseline(_: Scenario) -> Judged:
    """What is taken off the first score, when only that score is another."""
    mean = [first - float(_facts("grpo", first, 1, 0)["centered"][0]) for first in (0, 3)]
    others = [round(float(_facts("rloo", first, 1, 0)["baselines"][0]), 4) for first in (0, 3)]
    shown = [round(m, 4) for m in mean]
    return judged([row[0] != row[1] for row in (shown, others)], grpo=shown, rloo=others, scores=[0, 3])


def _refuses_one(program: Any) -> bool:
    try:
        program()
    except EngineError:
        return True
    return False


def _needs_several(_: Scenario) -> Judged:
    """Two prompts with one response each: RLOO has nobody to compare it with, REINFORCE++ has the batch."""
    scores = [1.0, 0.0]
    whole = groups.reinforce_plus_plus([[s] for s in scores], [[1]] * len(scores))
    refused = [_refuses_one(lambda: groups.rloo(scores, [0, 1])), not whole]
    return judged(refused, least=2, scores=scores, whole=[round(float(row[0]), 4) for row in whole])


def _long_weighs_more(_: Scenario) -> Judged:
    """The whole of a long response beside a response of one token."""
    token, mean = (_weights(mode) for mode in (Aggregation.TOKEN_MEAN, Aggregation.SEQ_MEAN_TOKEN_MEAN))
    length = 4
    totals = [(length * row[0], row[1]) for row in (token, mean)]
    return judged(
        [long > short for long, short in totals], length=length, token=list(totals[0]), response=list(totals[1])
    )


def _long_always_weighs_more(_: Scenario) -> Judged:
    long, short = _weights(Aggregation.SEQ_MEAN_TOKEN_MEAN)
    return Judged(holds(4 * long > short), {"length": 4, "response": [4 * long, short]})


def _within_the_group(_: Scenario) -> Judged:
    """One prompt's advantages beside two different other prompts."""
    others = ([1.0, 0.0], [9.0, 3.0])
    grpo = [_read("grpo", group_rewards=[[1.0, 0.0], other])[0][0] for other in others]
    whole = [
        round(float(groups.reinforce_plus_plus([[s] for s in (1.0, 0.0, *other)], [[1]] * 4)[0][0]), 4)
        for other in others
    ]
    return judged([row[0] == row[1] for row in (grpo, whole)], grpo=grpo[0], whole=whole)


def _same_score(_: Scenario) -> Judged:
    """Two right answers of one group, and two of different groups."""
    together, apart = _grpo(*MIXED)[:2], [_grpo(*MIXED)[0], _grpo(*HARD)[0]]
    return judged([pair[0] == pair[1] for pair in (together, apart)], together=together, apart=apart)


def _unbiased(_: Scenario) -> Judged:
    """The mean of a rare right answer's gradient over all groups, in units of the true one."""
    rloo = _mean_gradient(RARE, lambda group: _rloo(*group), 4)
    grpo = _mean_gradient(RARE, lambda group: _facts("grpo", *group)["advantages"], 4)
    return judged([abs(x - 1) < 1e-9 for x in (rloo, grpo)], rloo=round(rloo, 6), grpo=round(grpo, 4), chance=RARE)


def _gamma_matters(_: Scenario) -> Judged:
    """A score at the end of three tokens: REINFORCE++ starts from discounted returns, GRPO from the score alone."""
    plain, discounted = (sequences.mc_returns(outcome(3), gamma) for gamma in (ONE, HALF))
    grpo = [_read("grpo", group_rewards=list(MIXED), gamma=g)[0] for g in (1.0, 0.5)]
    return judged([plain != discounted, grpo[0] != grpo[1]], gamma=HALF, plain=plain, discounted=discounted,
                  grpo=grpo[0])  # fmt: skip


def _equally_hard(_: Scenario) -> Judged:
    even, rare = _grpo(*MIXED), _grpo(*HARD)
    return judged([abs(row[0]) == abs(row[-1]) for row in (even, rare)], even=even, rare=rare)


def _above_one(_: Scenario) -> Judged:
    """The only right answer of eight, and one of two."""
    lone, half = _grpo(1, *([0] * 7))[0], _grpo(1, 0)[0]
    return judged([a > 1 for a in (lone, half)], lone=lone, half=half)


def _grpo_above_rloo(_: Scenario) -> Judged:
    """The only right answer of eight, and one of two, by both estimators."""
    lone, pair = ((_grpo(*row)[0], round(float(_rloo(*row)[0]), 4)) for row in ((1, *([0] * 7)), (1, 0)))
    return judged([grpo > rloo for grpo, rloo in (lone, pair)], lone=list(lone), pair=list(pair))


def _ones(population: bool) -> Check:
    """Half right and half wrong: by the sample's deviation and by the population's."""

    def check(_: Scenario) -> Judged:
        found = _facts("grpo", *MIXED)
        sample, whole = (round(float(found[k][0]), 4) for k in ("advantages", "advantages_population"))
        return Judged(holds((whole if population else sample) == 1), {"scores": list(MIXED), "sample": sample,
                                                                      "population": whole})  # fmt: skip

    return check


TURNS_ON: dict[str, Check] = {
    "answers_tokens_share_one_advantage": _share_one,
    "a_group_gives_a_gradient": _group_teaches,
    "every_group_gives_a_gradient": _every_group_teaches,
    "right_is_pushed_up_and_wrong_down": _sides,
    "right_is_always_pushed_up_and_wrong_down": _sides_always,
    "right_answer_can_get_zero": _right_can_be_silent,
    "middling_score_is_pushed_up": _middling,
    "group_advantage_is_divided_by_the_std": _divides,
    "every_group_method_divides_by_the_std": _all_divide,
    "group_advantages_scale_with_the_scores": _scales,
    "baseline_contains_the_own_score": _own_in_baseline,
    "several_responses_per_prompt_are_needed": _needs_several,
    "long_responses_weigh_more": _long_weighs_more,
    "long_responses_always_weigh_more": _long_always_weighs_more,
    "normalisation_stays_within_the_group": _within_the_group,
    "right_answers_get_the_same_advantage": _same_score,
    "critic_free_gradient_is_unbiased": _unbiased,
    "gamma_matters_without_a_critic": _gamma_matters,
    "right_and_wrong_are_pushed_equally_hard": _equally_hard,
    "right_answers_advantage_is_above_one": _above_one,
    "grpo_is_larger_than_rloo": _grpo_above_rloo,
    "sample_std_gives_ones_for_half_and_half": _ones(False),
    "population_std_gives_ones_for_half_and_half": _ones(True),
}
