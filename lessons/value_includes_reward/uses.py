"""What learners conclude for comparing, fitting and adding up, once they know what V holds."""

from __future__ import annotations

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from engine.statistics import total
from lessons._checks import one_token, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.value_includes_reward.parts import HALF, ONE, REWARDS, counted, settled


def _whitening_hides_it(_: Scenario) -> Judged:
    right, wrong = whitened(), whitened(program=mistakes.MISTAKES["value_reward_left_out"].program)
    return Judged(holds(close(right, wrong)), {"right": float(right[0]), "wrong": float(wrong[0])})


def _compare_at_one_index(_: Scenario) -> Judged:
    """How far the exact first V is from the mean return, counted with the token's reward and without."""
    world = counted()
    with_it = world.expected(lambda path: total(world.rewards_along(path)))
    without = world.expected(lambda path: total(world.rewards_along(path)[1:]))
    value = world.value(())
    return Judged(holds(value == with_it != without), {"value": value, "with_it": with_it, "without": without})


def _less_the_drawn(_: Scenario) -> Judged:
    world = one_token()
    left = [world["value"] - r for r in world["earned"]]
    return Judged(holds(left == world["after"]), {"left": left, "after": world["after"], "value": world["value"]})


def _td_target(_: Scenario) -> Judged:
    """The critic's target at λ = 0 when only the first reward is one higher."""
    rewards = [float(r) for r in exact_facts(quantities.gae, RUNNING)["rewards"]]
    before, after = (
        exact_facts(quantities.gae, RUNNING.merged({"scores": None, "rewards": row, "lam": 0.0}))["returns"][0]
        for row in (rewards, [rewards[0] + 1, *rewards[1:]])
    )
    return Judged(holds(after > before), {"before": before, "after": after})


def _last_without_is_nought(_: Scenario) -> Judged:
    last = {gamma: settled(REWARDS, gamma)[-1] - REWARDS[-1] for gamma in (HALF, ONE)}
    return Judged(
        holds(not any(last.values())), {"reward": REWARDS[-1], "without": last[ONE], "value": settled(REWARDS)[-1]}
    )


def _counted_once_in_all(_: Scenario) -> Judged:
    """Any critic, undiscounted: how far the sum of the δ's rises with one reward."""
    values = [HALF] * len(REWARDS)
    before = total(sequences.deltas(REWARDS, values, ONE))
    after = total(sequences.deltas([REWARDS[0], REWARDS[1] + 1, REWARDS[2]], values, ONE))
    return Judged(holds(after - before == 1), {"before": before, "after": after})


def _exact_target_is_value(_: Scenario) -> Judged:
    """r_t + γV_{t+1} beside V_t, for each choice of the token."""
    world = counted()
    targets = [formulas.mc_step(world.rewards[(a,)], world.value((a,)), ONE) for a in range(2)]
    return Judged(holds(all(x == world.value(()) for x in targets)), {"targets": targets, "value": world.value(())})


USES: dict[str, Check] = {
    "whitening_hides_a_left_out_reward": _whitening_hides_it,
    "compare_value_with_the_return_of_the_same_index": _compare_at_one_index,
    "value_less_the_drawn_reward_is_always_the_next_value": _less_the_drawn,
    "td_target_holds_the_own_reward": _td_target,
    "leaving_it_out_makes_the_last_value_zero": _last_without_is_nought,
    "sum_of_deltas_counts_each_reward_once": _counted_once_in_all,
    "with_exact_values_every_td_target_is_the_value": _exact_target_is_value,
}
