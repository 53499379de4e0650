"""Questions of judgement about groups, and what a group's numbers are said to be: cases for and against, computed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from engine import formulas, groups, quantities
from engine.fork import small_world
from engine.scenario import Scenario, scenario
from lessons._checks import alone
from lessons._proposition import Check, Judged, holds
from lessons._weighed import weighed

HALF = Fraction(1, 2)
BUDGET = 64  # responses that can be generated


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
    """The spread of the mean over all outcomes of fair coins, and how many responses one prompt costs."""

    def spread(count: int) -> Fraction:
        means = [Fraction(sum(way), count) for way in product((0, 1), repeat=count)]
        return sum((formulas.squared_error(m, HALF) for m in means), Fraction(0)) / len(means)

    counts = [2, 8]
    spreads = [spread(count) for count in counts]
    prompts = [BUDGET // count for count in counts]
    return Judged(
        weighed(spreads[1] < spreads[0], prompts[1] < prompts[0]),
        {"counts": counts, "spreads": spreads, "budget": BUDGET, "prompts": prompts},
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
    """Two prompts, one of them all right: the mean over all responses, and over those that say something."""
    silent, telling = _grpo(1, 1), _grpo(1, 0)
    diluted = sum(abs(a) for a in silent + telling) / len(silent + telling)
    kept = sum(abs(a) for a in telling) / len(telling)
    return Judged(
        weighed(kept > diluted and not any(silent), len(telling) < len(silent + telling)),
        {
            "silent": silent[0],
            "diluted": round(diluted, 4),
            "kept": round(kept, 4),
            "counts": [len(silent + telling), len(telling)],
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
