"""More of what learners claim of what V holds: how much of it, with what weight, and of which critic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.scenario import Scenario
from engine.world import World, small
from lessons._fact import Check, Judged, holds

REWARDS = [Fraction(1, 5), Fraction(0), Fraction(1)]
ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)


def _world() -> World:
    return small(lambda _name, x: Fraction(str(x)))


def _settled(rewards: list[Fraction], gamma: Fraction = ONE) -> list[Any]:
    """V where nothing is left to chance."""
    return list(sequences.mc_returns(rewards, gamma))


def _first_holds_all(_: Scenario) -> Judged:
    values = _settled(REWARDS)
    return Judged(holds(values[0] == sum(REWARDS)), {"rewards": REWARDS, "value": values[0]})


def _falls_by_what_was_paid(_: Scenario) -> Judged:
    values = _settled(REWARDS)
    return Judged(
        holds(values[0] - values[1] == REWARDS[0]),
        {"before": values[0], "after": values[1], "reward": REWARDS[0]},
    )


def _holds_the_kl(_: Scenario) -> Judged:
    """V of the rewards with their KL, beside V of the bare scores."""
    own = quantities.facts("gae", RUNNING).exact["mc_returns"][0]
    bare = quantities.facts("gae", RUNNING.merged({"beta": 0.0})).exact["mc_returns"][0]
    return Judged(holds(own != bare), {"own": own, "bare": bare})


def _own_is_discounted(_: Scenario) -> Judged:
    """How far V_0 rises when its own reward, or the next, is one higher."""
    before = _settled(REWARDS, HALF)[0]
    own = _settled([REWARDS[0] + 1, *REWARDS[1:]], HALF)[0] - before
    following = _settled([REWARDS[0], REWARDS[1] + 1, REWARDS[2]], HALF)[0] - before
    return Judged(holds(own != 1), {"gamma": HALF, "own": own, "following": following})


def _at_gamma_zero(_: Scenario) -> Judged:
    values = _settled(REWARDS, NONE)
    return Judged(holds(values == REWARDS), {"rewards": REWARDS, "values": values})


def _any_critic(_: Scenario) -> Judged:
    """A critic that always says the same number, and a reward that rises: only what is right moves."""
    says = [HALF] * len(REWARDS)
    before, after = _settled(REWARDS)[0], _settled([REWARDS[0] + 1, *REWARDS[1:]])[0]
    return Judged(holds(says[0] == before), {"before": before, "after": after, "says": says[0]})


def _counted_twice_in_return(_: Scenario) -> Judged:
    right = quantities.facts("gae", RUNNING).exact
    wrong = mistakes.run("value_reward_twice_in_returns", RUNNING).exact["mc_returns"][-1]
    once = right["returns"][-1] == right["rewards"][-1]
    return Judged(holds(not once), {"reward": right["rewards"][-1], "target": right["returns"][-1], "wrong": wrong})


def _is_q(_: Scenario) -> Judged:
    world = _world()
    value, first, second = world.value(()), world.q((), 0), world.q((), 1)
    return Judged(holds(value == first == second), {"value": value, "first": first, "second": second})


def _chosen_reward_in_advantage(_: Scenario) -> Judged:
    """The mean over tokens of Q − V."""
    world = _world()
    advantages = [formulas.advantage(world.q((), token), world.value(())) for token in range(2)]
    return Judged(holds(sum(advantages) == 0 and any(advantages)), {"advantages": advantages, "value": world.value(())})


MORE: dict[str, Check] = {
    "first_value_holds_all_rewards": _first_holds_all,
    "value_falls_by_what_was_paid": _falls_by_what_was_paid,
    "value_holds_the_kl_penalty": _holds_the_kl,
    "own_reward_is_discounted": _own_is_discounted,
    "gamma_zero_leaves_the_own_reward": _at_gamma_zero,
    "any_critic_holds_the_reward": _any_critic,
    "return_counts_the_reward_twice": _counted_twice_in_return,
    "value_holding_the_reward_is_q": _is_q,
    "advantage_is_chosen_less_expected": _chosen_reward_in_advantage,
}
