"""What learners claim of what V is made of: which rewards, with what chance, whose reason, and what follows for δ."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.scenario import Scenario
from engine.world import World, small
from lessons._checks import one_token
from lessons._fact import Check, Judged, holds

REWARDS = [Fraction(1, 5), Fraction(0), Fraction(1)]
ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)
TOKENS = range(2)


def counted() -> World:
    return small(lambda _name, x: Fraction(str(x)))


def settled(rewards: list[Fraction], gamma: Fraction = ONE) -> list[Any]:
    """V where nothing is left to chance."""
    return list(sequences.mc_returns(rewards, gamma))


def raised(t: int, gamma: Fraction = ONE) -> list[Any]:
    """By how much each V rises when the reward at t is one higher."""
    more = [r + (i == t) for i, r in enumerate(REWARDS)]
    return [b - a for a, b in zip(settled(REWARDS, gamma), settled(more, gamma), strict=True)]


def _holds_later(_: Scenario) -> Judged:
    moved = [raised(t)[0] for t in range(len(REWARDS))]
    return Judged(holds(moved == [1] * len(REWARDS)), {"moved": moved})


def _holds_past(_: Scenario) -> Judged:
    moved = raised(0)
    return Judged(holds(any(moved[1:])), {"own": moved[0], "later": moved[1:]})


def _last_is_mean_reward(_: Scenario) -> Judged:
    world = one_token()
    return Judged(
        holds(world["value"] == world["mean_reward"]),
        {name: world[name] for name in ("value", "earned", "mean_reward")},
    )


def _terminal_holds_the_last(_: Scenario) -> Judged:
    after = sequences.next_values(settled(REWARDS))[-1]
    return Judged(holds(after != 0), {"reward": REWARDS[-1], "after": after, "value": settled(REWARDS)[-1]})


def _bellman(_: Scenario) -> Judged:
    world = counted()
    after = [formulas.mc_step(world.rewards[(a,)], world.value((a,)), world.gamma) for a in TOKENS]
    mean = sum(p * x for p, x in zip(world.chances, after, strict=True))
    return Judged(holds(world.value(()) == mean), {"value": world.value(()), "after": after})


def _mean_of_next_value(_: Scenario) -> Judged:
    world = counted()
    mean = sum(p * world.value((a,)) for a, p in zip(TOKENS, world.chances, strict=True))
    reward = sum(p * world.rewards[(a,)] for a, p in zip(TOKENS, world.chances, strict=True))
    return Judged(holds(world.value(()) == mean), {"value": world.value(()), "mean": mean, "reward": reward})


def _raises_up_to_its_token(_: Scenario) -> Judged:
    moved = raised(1)
    return Judged(holds(moved == [1, 1, 0]), {"t": 1, "moved": moved})


def _needs_gamma_one(_: Scenario) -> Judged:
    moved = {gamma: raised(0, gamma)[0] for gamma in (NONE, HALF, ONE)}
    others = [moved[gamma] for gamma in (NONE, HALF)]
    return Judged(holds(not any(others)), {"gammas": [NONE, HALF, ONE], "moved": [moved[g] for g in (NONE, HALF, ONE)]})


def _first_holds_the_last_score(_: Scenario) -> Judged:
    moved = raised(len(REWARDS) - 1)
    return Judged(holds(moved[0] == 1), {"moved": moved})


def _q_holds_the_chosen(_: Scenario) -> Judged:
    world = counted()
    more = World(world.chances, {**world.rewards, (0,): world.rewards[(0,)] + 1}, world.gamma)
    own, other = (more.q((), a) - world.q((), a) for a in TOKENS)
    return Judged(
        holds(own == 1 and other == 0), {"own": own, "other": other, "value": more.value(()) - world.value(())}
    )


def _q_less_v_is_the_reward(_: Scenario) -> Judged:
    world = counted()
    gap = world.q((), 0) - world.value(())
    return Judged(holds(gap == world.rewards[(0,)]), {"gap": gap, "reward": world.rewards[(0,)]})


def _q_is_reward_plus_own_value(_: Scenario) -> Judged:
    world = counted()
    added = world.rewards[(0,)] + world.value(())
    return Judged(holds(world.q((), 0) == added), {"q": world.q((), 0), "added": added})


def _outcome_only_differs_at_the_end(_: Scenario) -> Judged:
    rewards = [NONE, NONE, ONE]
    values = settled(rewards)
    without = [v - r for v, r in zip(values, rewards, strict=True)]
    differ = [t for t, (a, b) in enumerate(zip(values, without, strict=True)) if a != b]
    return Judged(holds(differ == [len(rewards) - 1]), {"values": values, "without": without})


def _after_the_token_it_is_out(_: Scenario) -> Judged:
    moved = raised(0)
    return Judged(holds(moved[0] == 1 and moved[1] == 0), {"before": moved[0], "after": moved[1]})


def _share_follows_the_policy(_: Scenario) -> Judged:
    """The same rewards under two policies."""
    earned = one_token()["earned"]
    values = [p * earned[0] + (1 - p) * earned[1] for p in (Fraction(3, 5), Fraction(9, 10))]
    return Judged(holds(values[0] != values[1]), {"chances": [Fraction(3, 5), Fraction(9, 10)], "values": values})


def _any_gamma_without_factor(_: Scenario) -> Judged:
    values = settled(REWARDS, HALF)
    added = REWARDS[0] + values[1]
    return Judged(holds(values[0] == added), {"gamma": HALF, "value": values[0], "added": added})


def _suttons_next_reward(_: Scenario) -> Judged:
    """What the first action earned, under whichever name, is in the first state's V."""
    literal = mistakes.run("reward_index_later", RUNNING).exact["mc_returns"][0]
    right = quantities.facts("gae", RUNNING).exact
    return Judged(
        holds(
            right["mc_returns"][0] - right["mc_returns"][1] == right["rewards"][0] and literal != right["mc_returns"][0]
        ),
        {"reward": right["rewards"][0], "first": right["mc_returns"][0], "second": right["mc_returns"][1]},
    )


PARTS: dict[str, Check] = {
    "value_holds_all_later_rewards": _holds_later,
    "value_holds_rewards_already_paid": _holds_past,
    "last_value_is_the_mean_last_reward": _last_is_mean_reward,
    "terminal_value_holds_the_last_reward": _terminal_holds_the_last,
    "value_is_mean_of_reward_and_next_value": _bellman,
    "value_is_mean_of_next_value_alone": _mean_of_next_value,
    "raising_a_reward_raises_values_up_to_its_token": _raises_up_to_its_token,
    "value_holds_it_only_at_gamma_one": _needs_gamma_one,
    "first_value_holds_the_final_score": _first_holds_the_last_score,
    "q_holds_the_chosen_tokens_reward": _q_holds_the_chosen,
    "q_less_v_is_the_reward": _q_less_v_is_the_reward,
    "q_is_reward_plus_own_value": _q_is_reward_plus_own_value,
    "outcome_only_settles_it_at_the_last_token": _outcome_only_differs_at_the_end,
    "value_read_after_the_token_lacks_its_reward": _after_the_token_it_is_out,
    "share_of_the_reward_follows_the_policy": _share_follows_the_policy,
    "value_is_reward_plus_next_value_at_any_gamma": _any_gamma_without_factor,
    "suttons_next_reward_is_in_the_value": _suttons_next_reward,
}
