"""What is said of groups first: what the group's numbers are taken over, and what a baseline does to the mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from statistics import median
from typing import Any, TypeAlias

from engine import groups, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed
from lessons.group_baselines.further import _alike, _facts, _grpo, _rloo

SCORES = (1, 0, 0.5, 0)
EARLIER = (1, 1, 1, 0)
HALF, RARE = Fraction(1, 2), Fraction(1, 10)
Advantages: TypeAlias = Callable[[Sequence[int]], Sequence[Any]]


def _mean_gradient(chance: Fraction, advantages: Advantages, count: int) -> float:
    """Over all groups of right and wrong answers: the mean of A · ∂ log π by the right answer's chance."""

    def drawn(group: tuple[int, ...]) -> float:
        slopes = [1 / chance if right else -1 / (1 - chance) for right in group]
        terms = (float(a) * float(s) for a, s in zip(advantages(group), slopes, strict=True))
        return sum(terms) / count

    return sum(
        float(prod(chance if right else 1 - chance for right in group)) * drawn(group)
        for group in product((1, 0), repeat=count)
    )


def _over_responses(_: Scenario) -> Judged:
    """Scores of a long response and of three short ones: the mean over responses, and over their tokens."""
    lengths = (9, 1, 1, 1)
    found = _facts("grpo", *SCORES)
    mean = SCORES[0] - float(found["centered"][0])
    by_token = sum(s * n for s, n in zip(SCORES, lengths, strict=True)) / sum(lengths)
    return Judged(holds(close(mean, by_token)), {"mean": mean, "tokens": by_token, "length": lengths[0]})


def _by_median(_: Scenario) -> Judged:
    """What is taken off the first score."""
    taken = SCORES[0] - float(_facts("grpo", *SCORES)["centered"][0])
    middle, best = float(median(SCORES)), float(max(SCORES))
    return Judged(holds(taken in (middle, best)), {"taken": taken, "middle": middle, "best": best})


def _by_the_past(_: Scenario) -> Judged:
    """What is taken off the first score, and the mean of the group before."""
    taken, earlier = (s[0] - float(_facts("grpo", *s)["centered"][0]) for s in (SCORES, EARLIER))
    return Judged(holds(close(taken, earlier)), {"taken": taken, "earlier": earlier})


def _one_for_the_group(_: Scenario) -> Judged:
    found = _grpo(*SCORES)
    return Judged(holds(len(set(found)) == 1), {"scores": SCORES, "found": found})


def _no_baseline(_: Scenario) -> Judged:
    """What is taken off the first score by two programs that read no values."""
    grpo = SCORES[0] - float(_facts("grpo", *SCORES)["centered"][0])
    rloo = float(_facts("rloo", *SCORES)["baselines"][0])
    return Judged(holds(grpo == 0 and rloo == 0), {"grpo": grpo, "rloo": round(rloo, 3)})


def _lone_success(_: Scenario) -> Judged:
    """One right answer among two, four and eight: its advantage, and its distance from the group's mean."""
    groups_of_one = [(1, *[0] * (count - 1)) for count in (2, 4, 8)]
    found = [float(_rloo(*g)[0]) for g in groups_of_one]
    centred = [float(_facts("grpo", *g)["centered"][0]) for g in groups_of_one]
    return Judged(holds(all(close(x, 1) for x in found)), {"found": found, "centred": centred})


def _one_list(_: Scenario) -> Judged:
    """A program without values makes one list; there is nothing to add to it."""
    found = _facts("grpo", *SCORES)
    return Judged(holds("returns" not in found), {"found": _grpo(*SCORES)})


def _one_epsilon(_: Scenario) -> Judged:
    """What stands beside the deviation, and what clips the ratio."""
    beside, clip = float(groups.GRPO_EPSILON), RUNNING.eps
    return Judged(holds(clip == beside), {"beside": beside, "clip": clip})


def _by_variance(_: Scenario) -> Judged:
    """The first score above its mean, over the deviation and over its square."""
    found = _facts("grpo", *SCORES)
    above, advantage = (float(found[name][0]) for name in ("centered", "advantages"))
    deviation = above / advantage
    over = deviation**2
    return Judged(
        holds(close(advantage, above / over)),
        {"above": above, "std": round(deviation, 3), "adv": round(advantage, 3), "over": round(above / over, 3)},
    )


def _rloo_is_unbiased(_: Scenario) -> Judged:
    """By the chance of the right answer the expected score rises by exactly one."""
    found = [_mean_gradient(p, lambda group: _rloo(*group), 3) for p in (HALF, RARE)]
    return Judged(holds(all(close(x, 1) for x in found)), {"found": [round(x, 6) for x in found], "truth": 1})


def _grpo_is_unbiased(_: Scenario) -> Judged:
    found = [_mean_gradient(p, lambda group: _facts("grpo", *group)["advantages"], 4) for p in (HALF, RARE)]
    return Judged(
        holds(all(close(x, 1) for x in found)),
        {"even": round(found[0], 4), "rare": round(found[1], 4), "chances": [HALF, RARE]},
    )


def _plus_plus_critic(_: Scenario) -> Judged:
    """Three scores, a token each, and nothing else."""
    found = [round(float(row[0]), 4) for row in groups.reinforce_plus_plus([[1.0], [0.0], [0.5]], [[1]] * 3)]
    return Judged(holds(not any(found)), {"found": found, "count": len(found)})


def _best_is_up(_: Scenario) -> Judged:
    """The best of a group in which all are bad."""
    scores = (-3, -1, -2, -3)
    found = _grpo(*scores)
    return Judged(holds(max(found) > 0), {"scores": list(scores), "found": found})


def _signs_agree(_: Scenario) -> Judged:
    pairs = list(zip(_grpo(*SCORES), _rloo(*SCORES), strict=True))
    return Judged(
        holds(all((a > 0) == (b > 0) for a, b in pairs)),
        {"grpo": [a for a, _ in pairs], "rloo": [round(float(b), 4) for _, b in pairs]},
    )


def _numbers_agree(_: Scenario) -> Judged:
    grpo, rloo = _grpo(*SCORES), [round(float(a), 4) for a in _rloo(*SCORES)]
    return Judged(holds(_alike(grpo, rloo)), {"grpo": grpo, "rloo": rloo})


def _is_the_score(_: Scenario) -> Judged:
    found = _grpo(*SCORES)
    return Judged(holds(_alike(found, SCORES)), {"scores": list(SCORES), "found": found})


def _less(baseline: float) -> Advantages:
    return lambda group: [score - baseline for score in group]


def _any_constant(_: Scenario) -> Judged:
    """A good constant, a bad one, and none."""
    found = [_mean_gradient(HALF, _less(b), 2) for b in (0.5, 100.0, 0.0)]
    return Judged(holds(all(close(x, found[0]) for x in found)), {"found": [round(x, 6) for x in found], "far": 100})


def _spread(baseline: float) -> float:
    """The variance of one response's A · ∂ log π, right and wrong equally likely."""
    slopes = [(1 - baseline) * 2, (0 - baseline) * -2]
    mean = sum(slopes) / 2
    return sum((s - mean) ** 2 for s in slopes) / 2


def _any_lowers(_: Scenario) -> Judged:
    bare, good, far = (_spread(b) for b in (0.0, 0.5, 5.0))
    return Judged(holds(max(good, far) < bare), {"bare": bare, "good": good, "far": far, "baseline": 5})


def _right_is_up(_: Scenario) -> Judged:
    """Every group of four that has both right and wrong answers."""
    mixed = [g for g in product((1, 0), repeat=4) if 0 < sum(g) < 4]
    exceptions = sum((a > 0) != bool(s) for g in mixed for s, a in zip(g, _grpo(*g), strict=True))
    return Judged(holds(not exceptions), {"groups": len(mixed), "exceptions": exceptions})


def _half_and_half(_: Scenario) -> Judged:
    found = _grpo(1, 1, 0, 0)
    return Judged(holds(found[0] == -found[-1]), {"right": found[0], "wrong": found[-1]})


def _one_right_against_many(_: Scenario) -> Judged:
    """One right answer and three wrong ones: how hard each is pushed."""
    found = _grpo(1, 0, 0, 0)
    return Judged(holds(abs(found[0]) == abs(found[1])), {"right": found[0], "wrong": found[1]})


def _cheaper(_: Scenario) -> Judged:
    """What each way reads: GAE the values of a critic, and one response is enough; RLOO none, but no response alone."""
    critic = "values" in quantities.facts("gae", RUNNING).used
    spared = "values" not in quantities.facts("rloo", RUNNING).used
    try:
        groups.rloo([HALF], [0])
    except EngineError:
        return Judged(weighed(critic and spared, True), {"least": 2, "one": 1})
    return Judged(weighed(critic and spared, False), {"least": 1, "one": 1})


BASICS: dict[str, Check] = {
    "group_methods_are_cheaper": _cheaper,
    "right_answers_of_a_mixed_group_are_pushed_up": _right_is_up,
    "half_right_half_wrong_is_symmetric": _half_and_half,
    "right_and_wrong_are_always_pushed_equally_hard": _one_right_against_many,
    "group_statistics_are_taken_over_tokens": _over_responses,
    "grpo_subtracts_the_median_or_the_best": _by_median,
    "grpo_subtracts_an_average_of_the_past": _by_the_past,
    "grpo_divides_by_the_variance": _by_variance,
    "epsilon_beside_the_std_is_the_clip_range": _one_epsilon,
    "answers_of_a_group_share_one_advantage": _one_for_the_group,
    "without_a_critic_there_is_no_baseline": _no_baseline,
    "lone_success_gets_one_in_rloo": _lone_success,
    "grpo_returns_are_its_advantages": _one_list,
    "rloo_gradient_is_unbiased": _rloo_is_unbiased,
    "grpo_gradient_is_unbiased": _grpo_is_unbiased,
    "reinforce_plus_plus_needs_a_critic": _plus_plus_critic,
    "best_of_the_group_is_always_pushed_up": _best_is_up,
    "grpo_and_rloo_agree_in_sign": _signs_agree,
    "grpo_and_rloo_give_the_same_numbers": _numbers_agree,
    "group_advantage_is_the_raw_score": _is_the_score,
    "any_constant_baseline_keeps_the_mean_gradient": _any_constant,
    "any_baseline_lowers_the_variance": _any_lowers,
}
