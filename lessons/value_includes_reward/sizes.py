"""What learners claim of sizes and signs: what V is at least, when it vanishes, what of it is whose, what is actual."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, sequences
from engine.scenario import Scenario
from engine.world import World
from lessons._checks import one_token
from lessons._fact import Check, Judged, holds
from lessons.value_includes_reward.parts import HALF, NONE, ONE, REWARDS, TOKENS, counted, raised, settled

COST = Fraction(-1, 5)  # of a step


def _still_to_come(_: Scenario) -> Judged:
    """One V, and afterwards one of several rewards."""
    world = one_token()
    earned = list(world["earned"])
    return Judged(
        holds(len(set(earned)) > 1 and world["value"] not in earned), {"value": world["value"], "earned": earned}
    )


def _never_below(_: Scenario) -> Judged:
    rewards = [ONE, COST]
    values = settled(rewards)
    at_least = all(v >= r for v, r in zip(values, rewards, strict=True))
    return Judged(holds(at_least), {"rewards": rewards, "values": values})


def _is_the_actual_return(_: Scenario) -> Judged:
    world = counted()
    actual = [sequences.mc_returns(world.rewards_along(path), ONE)[0] for path in world.responses]
    return Judged(holds(all(g == world.value(()) for g in actual)), {"returns": actual, "value": world.value(())})


def _expected_score(_: Scenario) -> Judged:
    """The small world with nothing paid on the way: each V beside the mean score given the tokens so far."""
    plain = counted()
    last = len(plain.responses[0])
    world = World(
        plain.chances, {path: r if len(path) == last else NONE for path, r in plain.rewards.items()}, plain.gamma
    )
    states = [(), (0,), (1,)]
    values = [world.value(path) for path in states]
    scores = [world.expected(lambda response: world.rewards[response], path) for path in states]
    return Judged(holds(values == scores), {"values": values, "scores": scores})


def _cost_makes_it_negative(_: Scenario) -> Judged:
    rewards = [COST, ONE]
    values = settled(rewards)
    return Judged(holds(values[0] < 0), {"reward": rewards[0], "later": rewards[1], "value": values[0]})


def _zero_means_nothing_left(_: Scenario) -> Judged:
    rewards = [COST, -COST]
    value = settled(rewards)[0]
    return Judged(holds(value != 0 or not any(rewards)), {"rewards": rewards, "value": value})


def _largest_part(_: Scenario) -> Judged:
    """The own reward's share at the last token and at the first."""
    values = settled(REWARDS)
    last, first = REWARDS[-1] / values[-1], REWARDS[0] / values[0]
    most, least = last > HALF, first < HALF
    return Judged(
        "depends" if most and least else holds(most),
        {"reward": REWARDS[0], "value": values[0], "last": REWARDS[-1], "last_value": values[-1]},
    )


def _last_is_the_actual_score(_: Scenario) -> Judged:
    world = one_token()
    return Judged(
        holds(all(world["value"] == r for r in world["earned"])), {"earned": world["earned"], "value": world["value"]}
    )


def _neighbours_share(_: Scenario) -> Judged:
    moved = raised(1)[:2]
    return Judged(holds(all(moved)), {"t": 1, "moved": moved})


def _next_has_gamma(_: Scenario) -> Judged:
    own, following = (raised(t, HALF)[0] for t in (0, 1))
    return Judged(holds(own == 1 and following == HALF), {"gamma": HALF, "own": own, "following": following})


def _minus_in_delta(_: Scenario) -> Judged:
    values = [HALF] * len(REWARDS)
    before = sequences.deltas(REWARDS, values, ONE)[0]
    after = sequences.deltas([REWARDS[0] + 1, *REWARDS[1:]], values, ONE)[0]
    return Judged(holds(after < before), {"before": before, "after": after})


def _every_value_holds_the_score(_: Scenario) -> Judged:
    moved = raised(len(REWARDS) - 1)
    return Judged(holds(all(moved)), {"moved": moved})


def _target_swaps(_: Scenario) -> Judged:
    """The one-step target of each choice less V: what is actual less what was expected."""
    world = counted()
    v = world.value(())
    targets = [formulas.mc_step(world.rewards[(a,)], world.value((a,)), ONE) for a in TOKENS]
    mean = sum(p * x for p, x in zip(world.chances, targets, strict=True))
    return Judged(holds(mean == v and v not in targets), {"value": v, "targets": targets, "mean": mean})


SIZES: dict[str, Check] = {
    "reward_is_still_to_come_when_value_is_read": _still_to_come,
    "value_is_never_below_its_reward": _never_below,
    "value_equals_the_actual_return": _is_the_actual_return,
    "with_outcome_only_each_value_is_the_expected_score": _expected_score,
    "negative_reward_makes_the_value_negative": _cost_makes_it_negative,
    "zero_value_means_no_rewards_left": _zero_means_nothing_left,
    "own_reward_is_the_largest_part_of_value": _largest_part,
    "last_value_is_the_actual_score": _last_is_the_actual_score,
    "neighbouring_values_share_the_later_rewards": _neighbours_share,
    "next_reward_in_value_has_gamma": _next_has_gamma,
    "reward_enters_delta_with_a_minus": _minus_in_delta,
    "every_value_holds_the_final_score": _every_value_holds_the_score,
    "td_target_swaps_expected_for_actual": _target_swaps,
}
