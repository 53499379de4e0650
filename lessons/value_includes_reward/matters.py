"""What learners claim of whether including it matters, how one would notice, and what else is in V with it."""

from __future__ import annotations

from fractions import Fraction

from engine import mistakes, sequences
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import gae, one_token
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed
from lessons.value_includes_reward.parts import HALF, NONE, ONE, REWARDS, TOKENS, counted, raised, settled

COST = Fraction(1, 10)  # of the first token's KL


def _fixed_by_the_state(_: Scenario) -> Judged:
    """What the first token earns, for each choice in the one first state."""
    world = counted()
    earned = [world.rewards[(a,)] for a in TOKENS]
    return Judged(holds(len(set(earned)) == 1), {"earned": earned, "value": world.value(())})


def _level_where_nothing_is_paid(_: Scenario) -> Judged:
    values = settled([NONE, *REWARDS])
    return Judged(holds(values[0] == values[1]), {"reward": NONE, "own": values[0], "next": values[1]})


def _leaks(_: Scenario) -> Judged:
    """V before the draw, beside what each draw brings: one V for all of them."""
    world = one_token()
    told = len({world["value"] for _reward in world["earned"]})
    return Judged(holds(told > 1), {"value": world["value"], "earned": world["earned"]})


def _mean_zero_shows_it(_: Scenario) -> Judged:
    world = one_token()
    with_it, without = world["mean_delta"], world["mean_delta_without_reward"]
    return Judged(holds(with_it == 0 != without), {"with_it": with_it, "without": without})


def _score_is_discounted(_: Scenario) -> Judged:
    values = settled([NONE, NONE, ONE], HALF)
    return Judged(holds(values == [HALF * HALF, HALF, ONE]), {"gamma": HALF, "values": values})


def _own_kl_is_in(_: Scenario) -> Judged:
    """The first token's reward less a KL cost: which V's fall."""
    before, after = settled(REWARDS), settled([REWARDS[0] - COST, *REWARDS[1:]])
    fallen = [b - a for b, a in zip(before, after, strict=True)]
    return Judged(holds(fallen[0] == COST), {"cost": COST, "own": fallen[0], "next": fallen[1]})


def _shifts_all_alike(_: Scenario) -> Judged:
    values = settled(REWARDS)
    without = [v - r for v, r in zip(values, REWARDS, strict=True)]
    shifts = [v - w for v, w in zip(values, without, strict=True)]
    return Judged(holds(len(set(shifts)) == 1), {"values": values, "without": without})


def _only_the_critic(_: Scenario) -> Judged:
    right = gae()["advantages"]
    wrong = mistakes.run("value_reward_left_out", RUNNING).exact["advantages"]
    return Judged(holds(close(right, wrong)), {"right": right[-1], "wrong": wrong[-1]})


def _at_lambda_one(_: Scenario) -> Judged:
    """λ = 1: the last token's advantage with an exact V, and with one that leaves the reward out."""
    values = settled(REWARDS)
    without = [v - r for v, r in zip(values, REWARDS, strict=True)]
    right, wrong = (sequences.mc_advantages(settled(REWARDS), v)[-1] for v in (values, without))
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong, "reward": REWARDS[-1]})


def _same_rewards(_: Scenario) -> Judged:
    """Which rewards the second V feels, and which the second return."""
    here = 1
    by_value = [t for t in range(len(REWARDS)) if raised(t)[here]]
    more = [[r + (i == t) for i, r in enumerate(REWARDS)] for t in range(len(REWARDS))]
    plain = sequences.lambda_returns(REWARDS, settled(REWARDS), ONE, ONE)[here]
    by_return = [
        t for t, rewards in enumerate(more)
        if sequences.lambda_returns(rewards, settled(REWARDS), ONE, ONE)[here] != plain
    ]  # fmt: skip
    return Judged(holds(by_value == by_return), {"t": here, "value": by_value, "ret": by_return})


def _after_is_better(_: Scenario) -> Judged:
    """A V that starts after the own reward: under the usual δ, and under a δ whose reward is moved one on with it."""
    world = one_token()
    usual = world["mean_delta_without_reward"]
    after = world["value"] - world["mean_reward"]  # nothing is left after the last token
    moved = NONE + NONE - after  # the next reward and the next V, both of them past the end
    return Judged(weighed(moved == 0, usual != 0), {"usual": usual, "moved": moved})


MATTERS: dict[str, Check] = {
    "a_value_after_the_reward_is_the_better_definition": _after_is_better,
    "reward_is_fixed_by_the_state": _fixed_by_the_state,
    "where_nothing_is_paid_values_stay_level": _level_where_nothing_is_paid,
    "including_it_leaks_the_future": _leaks,
    "mean_zero_delta_shows_it_is_included": _mean_zero_shows_it,
    "final_score_is_discounted_in_earlier_values": _score_is_discounted,
    "own_kl_is_in_the_value": _own_kl_is_in,
    "leaving_it_out_shifts_all_values_alike": _shifts_all_alike,
    "inclusion_matters_to_the_critic_only": _only_the_critic,
    "lambda_one_makes_inclusion_irrelevant": _at_lambda_one,
    "return_and_value_cover_the_same_rewards": _same_rewards,
}
