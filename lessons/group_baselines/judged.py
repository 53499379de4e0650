"""Questions of judgement about groups, and what a group's numbers are said to be: cases for and against, computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import groups, quantities
from engine.coin_groups import batch_variance, dropped
from engine.fork import small_world
from engine.scenario import Scenario, scenario
from lessons._checks import alone
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

HALF = Fraction(1, 2)
BUDGET, SIZES = 64, (2, 8)  # responses that can be generated, responses in a group
ALIKE, UNLIKE = (HALF,), (HALF, Fraction(0))  # how likely a right response is, by the kind of prompt
EASY, COSTS = Fraction(3, 4), (Fraction(0),) * 4  # of one prompt; what each response of its group pays


def _facts(quantity: str, *scores: float) -> dict[str, Any]:
    return dict(quantities.facts(quantity, scenario({"group_rewards": list(scores)})).exact)


def _grpo(*scores: float) -> list[float]:
    return [round(float(a), 4) + 0.0 for a in _facts("grpo", *scores)["advantages"]]


def _over_ppo(_: Scenario) -> Judged:
    """A critic that errs biases GAE; one that foresees tells the tokens apart, which no group can."""
    world = small_world().exact
    row = groups.share([HALF], [[1, 1, 1]])[0]
    told = [float(a) for a in alone("gae", rewards=[0, 0, 1], values=[0.5, 0.5, 1], gamma=1, lam=0)["advantages"]]
    return Judged(
        weighed(world["mean_with_wrong_critic"] != world["q"], len(set(row)) == 1 < len(set(told))),
        {"q": world["q"], "wrong": world["mean_with_wrong_critic"], "told": told, "row": [float(a) for a in row]},
    )


def _larger_group(_: Scenario) -> Judged:
    """A budget spent on small groups and on large ones: what the step varies by, over prompts alike and unlike."""
    alike, unlike = ([batch_variance(kinds, n, BUDGET) for n in SIZES] for kinds in (ALIKE, UNLIKE))
    return Judged(
        weighed(alike[1] < alike[0], unlike[1] > unlike[0]),
        {
            "counts": list(SIZES),
            "budget": BUDGET,
            "prompts": [BUDGET // n for n in SIZES],
            "alike": [round(float(x), 5) for x in alike],
            "unlike": [round(float(x), 5) for x in unlike],
        },
    )


def _by_std(_: Scenario) -> Judged:
    """Scores ten times as large, and two scores that hardly differ."""
    scaled = [_facts("grpo", *row)["centered"][0] for row in ([1, 0], [10, 0])]
    steady = abs(_grpo(1, 0)[0] - _grpo(10, 0)[0]) < 0.001
    noise = _grpo(0.51, 0.5)[0]
    return Judged(
        weighed(steady and scaled[0] != scaled[1], noise > 0.5),
        {"steady": _grpo(10, 0)[0], "scaled": scaled, "a": 0.51, "b": 0.5, "noise": noise},
    )


def _rloo_over_grpo(_: Scenario) -> Judged:
    """Whether the baseline moves with the own score, and whether the size moves with the scores."""
    own = [_facts("rloo", first, 1, 0)["baselines"][0] for first in (0, 9)]
    sizes = [float(_facts("rloo", *row)["advantages"][0]) for row in ([1, 0], [10, 0])]
    return Judged(
        weighed(own[0] == own[1], sizes[1] > sizes[0]),
        {"baseline": own[0], "sizes": sizes, "grpo": _grpo(10, 0)[0]},
    )


def _right_is_constant(_: Scenario) -> Judged:
    hard, easy = _grpo(1, 0, 0, 0)[0], _grpo(1, 1, 1, 0)[0]
    return Judged(holds(hard == easy), {"hard": hard, "easy": easy})


def _own_in_mean(_: Scenario) -> Judged:
    """The centred first score, when only that score is another: it moves by less than the score."""
    low, high = (_facts("grpo", first, 1, 0)["centered"][0] for first in (0, 3))
    return Judged(holds(high - low < 3), {"raised": 3, "moved": high - low})


def _sum_over_tokens(_: Scenario) -> Judged:
    """A right response of three tokens and a wrong one of one token."""
    rows = groups.share(groups.mean_centred([Fraction(1), Fraction(0)], [0, 0]), [[1, 1, 1], [1, 0, 0]])
    total = sum(a for row in rows for a in row if a is not None)
    return Judged(holds(total == 0), {"long": rows[0][0], "short": rows[1][0], "sum": total, "count": 3})


def _not_a_number(_: Scenario) -> Judged:
    found = _grpo(1, 1, 1, 1)
    return Judged(holds(any(a != a for a in found)), {"score": 1, "found": found[0]})


def _drop_silent(_: Scenario) -> Judged:
    """Groups as they come, and only those that tell, others sampled for the rest: how steady a step is, its price."""
    found = dropped(EASY, COSTS)
    return Judged(
        weighed(found.kept > found.plain, found.generated > 1),
        {
            "group": len(COSTS),
            "chance": EASY,
            "plain": round(found.plain, 4),
            "kept": round(found.kept, 4),
            "generated": round(float(found.generated), 4),
        },
    )


JUDGED: dict[str, Check] = {
    "grpo_is_better_than_ppo": _over_ppo,
    "larger_group_is_better": _larger_group,
    "dividing_by_the_std_is_better": _by_std,
    "rloo_is_better_than_grpo": _rloo_over_grpo,
    "right_answers_always_get_the_same_advantage": _right_is_constant,
    "grpo_mean_contains_the_own_score": _own_in_mean,
    "token_advantages_of_a_group_sum_to_zero": _sum_over_tokens,
    "equal_scores_give_nan": _not_a_number,
    "silent_groups_should_be_dropped": _drop_silent,
}
