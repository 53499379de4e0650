"""More of what learners claim of whose a number is: reward, value and advantage, the score, a tool's words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.conventions import TRL_LATER, VERL_NEW, Rollout, Scored, run
from engine.example import RUNNING
from engine.facts import compute
from engine.scenario import Scenario, scenario
from engine.world import SMALL_REWARDS, World, small
from lessons._fact import Check, Judged, holds

HOLE = {"rewards": [0, 0, 7, 1], "values": [0.2, 0.3, 0.9, 0.4], "mask": [1, 1, 0, 1], "gamma": 1, "lam": 1}


def _world() -> World:
    return small(lambda _name, x: Fraction(str(x)))


def _of_the_state_reached(_: Scenario) -> Judged:
    """The state reached is the tokens so far, and each has one reward."""
    choices = {(path[:-1], path[-1]) for path in SMALL_REWARDS}
    reached = Counter((*state, token) for state, token in choices)
    found = _world().rewards
    return Judged(
        holds(max(reached.values()) == 1), {"states": len(reached), "one": found[(0, 0)], "other": found[(1, 0)]}
    )


def _before_the_token(_: Scenario) -> Judged:
    """A reward known before the choice would be the same for every choice."""
    rewards = [_world().rewards[(token,)] for token in range(2)]
    return Judged(holds(rewards[0] == rewards[1]), {"first": rewards[0], "second": rewards[1]})


def _value_is_the_tokens(_: Scenario) -> Judged:
    world = _world()
    return Judged(
        holds(world.value(()) in (world.q((), 0), world.q((), 1))),
        {"value": world.value(()), "first": world.q((), 0), "second": world.q((), 1)},
    )


def _advantage_is_the_tokens(_: Scenario) -> Judged:
    world = _world()
    first, second = (formulas.advantage(world.q((), token), world.value(())) for token in range(2))
    return Judged(holds(first != second), {"value": world.value(()), "first": first, "second": second})


def _tool_output_earns(_: Scenario) -> Judged:
    """The third token was written by a tool: with another number on it nothing moves."""
    other = {**HOLE, "rewards": [0, 0, 70, 1]}
    found, moved = (quantities.facts("masked_gae", scenario(given)).exact["advantages"] for given in (HOLE, other))
    return Judged(holds(found != moved), {"advantage": found[1], "moved": moved[1]})


def _split_evenly(_: Scenario) -> Judged:
    found = quantities.facts("kl_rewards", RUNNING.merged({"beta": 0.0})).exact["rewards"]
    share = Fraction(1, RUNNING.length)
    return Judged(holds(all(r == share for r in found)), {"rewards": found, "tokens": RUNNING.length, "share": share})


def _last_holds_both(_: Scenario) -> Judged:
    found = compute(quantities.kl_rewards, RUNNING).exact
    score, kl, reward = Fraction(1), found["kl"][-1], found["rewards"][-1]
    beta = Fraction("0.1")
    return Judged(
        holds(reward == formulas.token_reward(score, kl, beta) != score),
        {"score": score, "kl": kl, "beta": beta, "reward": reward},
    )


def _placed(convention: Any) -> list[Any]:
    """Where a project puts a score of 1, behind two real tokens and one of padding."""
    nothing = [[0.0] * 3]
    scored = Scored([1.0], nothing, nothing, 0.0)
    found = run(Rollout(scored, nothing, [[1, 1, 0]]), convention, gamma=1.0, lam=1.0).rewards
    return list(found[0])


def _on_last_real_token(_: Scenario) -> Judged:
    verl, trl = _placed(VERL_NEW), _placed(TRL_LATER)
    return Judged(holds(verl[1] == trl[1] == 1), {"mask": [1, 1, 0], "verl": verl, "trl": trl})


def _unscored_have_none(_: Scenario) -> Judged:
    """The tokens without a score, with a KL to pay."""
    found = compute(quantities.kl_rewards, RUNNING).exact
    return Judged(holds(not any(found["rewards"][:-1])), {"kl": found["kl"][0], "reward": found["rewards"][0]})


def _end_only(_: Scenario) -> Judged:
    """Whether a score on the way reaches the rewards at all."""
    found = quantities.facts("kl_rewards", RUNNING.merged({"scores": [0.5] * RUNNING.length, "beta": 0.0})).exact
    return Judged(holds(not any(found["rewards"][:-1])), {"rewards": found["rewards"]})


def _process_scores(_: Scenario) -> Judged:
    """The scores of two steps beside one score at the end: both are rewards by token."""
    rest = {"values": [0.5, 0.5, 0.5, 0.5], "gamma": 1, "lam": 1}
    outcome, process = ([0, 0, 0, 1], [0, 0.5, 0, 0.5])
    found = [quantities.facts("gae", scenario({"rewards": r, **rest})).exact["mc_returns"] for r in (outcome, process)]
    one, several = (sum(1 for r in rewards if r) for rewards in (outcome, process))
    return Judged(
        "depends" if one == 1 < several else holds(one == 1),
        {"outcome": outcome, "process": process, "returns": found[0], "others": found[1]},
    )


MORE: dict[str, Check] = {
    "reward_is_of_the_state_reached": _of_the_state_reached,
    "reward_is_known_before_the_token": _before_the_token,
    "value_belongs_to_the_token": _value_is_the_tokens,
    "advantage_belongs_to_the_token": _advantage_is_the_tokens,
    "tool_output_earns_reward": _tool_output_earns,
    "score_is_split_evenly": _split_evenly,
    "last_reward_holds_score_and_kl": _last_holds_both,
    "every_project_scores_the_last_real_token": _on_last_real_token,
    "unscored_tokens_have_no_reward": _unscored_have_none,
    "only_the_end_is_scored": _process_scores,
    "scores_can_stand_at_the_end_only": _end_only,
}
