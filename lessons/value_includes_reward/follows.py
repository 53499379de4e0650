"""What learners conclude from it: for δ, the targets, the advantage and the baseline, and for which reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.conventions import CONVENTIONS, Rollout, run
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._checks import one_token
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.value_includes_reward.parts import NONE, ONE, REWARDS, TOKENS, counted, settled


def _difference_is_surprise(_: Scenario) -> Judged:
    """δ, beside how far the reward and the next V are from their means."""
    world = counted()
    mean_r = sum(p * world.rewards[(a,)] for a, p in zip(TOKENS, world.chances, strict=True))
    mean_v = sum(p * world.value((a,)) for a, p in zip(TOKENS, world.chances, strict=True))
    deltas = [formulas.td_error(world.rewards[(a,)], world.value(()), world.value((a,)), ONE) for a in TOKENS]
    news = [world.rewards[(a,)] - mean_r + world.value((a,)) - mean_v for a in TOKENS]
    return Judged(
        holds(deltas == news),
        {"delta": deltas[0], "reward": world.rewards[(0,)] - mean_r, "value": world.value((0,)) - mean_v},
    )


def _last_delta_has_the_sign(_: Scenario) -> Judged:
    world = one_token()
    pairs = list(zip(world["deltas"], world["earned"], strict=True))
    return Judged(
        holds(all((d > 0) == (r > world["value"]) for d, r in pairs)),
        {"value": world["value"], "earned": world["earned"], "deltas": world["deltas"]},
    )


def _common_reward_leaves_no_trace(_: Scenario) -> Judged:
    """One more for whichever token is drawn, and V with it."""
    world = one_token()
    more = [r + 1 for r in world["earned"]]
    value = sum(p * r for p, r in zip(world["probabilities"], more, strict=True))
    deltas = [formulas.td_error(r, value, NONE, ONE) for r in more]
    return Judged(
        holds(deltas == world["deltas"]),
        {"before": world["deltas"], "after": deltas, "value": value, "own": world["value"]},
    )


def _zero_critic(_: Scenario) -> Judged:
    found = quantities.facts("gae", RUNNING.merged({"values": [0.0] * RUNNING.length})).exact
    return Judged(
        holds(found["deltas"] == found["rewards"]), {"delta": found["deltas"][-1], "reward": found["rewards"][-1]}
    )


def _its_target_holds_it(_: Scenario) -> Judged:
    """The mean target of the last token, with the reward in it and without."""
    world = one_token()
    with_it = sum(p * r for p, r in zip(world["probabilities"], world["earned"], strict=True))
    without = sum(p * 0 * r for p, r in zip(world["probabilities"], world["earned"], strict=True))
    return Judged(holds(with_it == world["value"] != without), {"with_it": with_it, "without": without})


def _left_out_of_the_targets(_: Scenario) -> Judged:
    right = quantities.facts("gae", RUNNING).exact["returns"][-1]
    wrong = mistakes.run("value_reward_not_in_returns", RUNNING).exact["mc_returns"][-1]
    return Judged(holds(close(right, wrong)), {"right": right, "wrong": wrong})


def _lambda_decides(_: Scenario) -> Judged:
    """The mean target of the first token with exact values, at both ends of λ."""
    world = counted()

    def target(lam: Fraction) -> Any:
        return world.expected(
            lambda path: gae(world.rewards_along(path), world.values_along(path), ONE, lam)[0] + world.value(())
        )

    ends = [target(NONE), target(ONE)]
    return Judged(holds(ends[0] != ends[1]), {"value": world.value(()), "ends": ends})


def _delta_without_the_reward(_: Scenario) -> Judged:
    """γV_{t+1} − V_t in the mean, with exact values."""
    world = one_token()
    mean = sum(p * (after - world["value"]) for p, after in zip(world["probabilities"], world["after"], strict=True))
    return Judged(holds(mean == 0), {"mean": mean, "value": world["value"], "right": world["mean_delta"]})


def _bias_is_the_mean_reward(_: Scenario) -> Judged:
    world = one_token()
    return Judged(
        holds(world["mean_delta_without_reward"] == world["mean_reward"]),
        {"bias": world["mean_delta_without_reward"], "reward": world["mean_reward"]},
    )


def _because_rewards_come_first(_: Scenario) -> Judged:
    """Another reward in this rollout: what the critic has said stays."""
    found = quantities.facts("gae", RUNNING).exact
    more = quantities.facts("gae", RUNNING.merged({"scores": [*(RUNNING.scores or ())[:-1], 5.0]})).exact
    return Judged(
        holds(found["values"] != more["values"]),
        {"value": more["values"][-1], "before": found["rewards"][-1], "after": more["rewards"][-1]},
    )


def _other_libraries_differ(_: Scenario) -> Judged:
    """A last token whose V holds its certain reward: the advantage each project gives it."""

    def program(x: Inputs) -> dict[str, Any]:
        rollout = Rollout(
            x.series("rewards", ((0.0, 1.0),)), x.series("values", ((0.5, 1.0),)), x.series("mask", ((1.0, 1.0),))
        )
        found = [run(rollout, convention, gamma=ONE, lam=ONE).advantages[0][-1] for convention in CONVENTIONS]
        return {"advantages": found}

    found = exact_facts(program, Scenario())["advantages"]
    return Judged(holds(any(found)), {"count": len(found), "advantage": found[0]})


def _keeps_the_gradient(_: Scenario) -> Judged:
    """Σ p ∂log p · V over the two tokens: the baseline's part of the policy gradient."""
    world = one_token()
    p = world["probabilities"]
    pulled = p[0] * (1 - p[0]) * world["value"] + p[1] * -p[0] * world["value"]
    return Judged(holds(pulled == 0), {"pulled": pulled, "value": world["value"]})


def _advantage_loses_it(_: Scenario) -> Judged:
    """A_t when only r_t was one higher than it is."""
    rewards = [float(r) for r in quantities.facts("gae", RUNNING).exact["rewards"]]
    plain, more = (
        quantities.facts("gae", RUNNING.merged({"scores": None, "rewards": row})).exact["advantages"][0]
        for row in (rewards, [rewards[0] + 1, *rewards[1:]])
    )
    return Judged(holds(close(plain, more)), {"plain": plain, "more": more})


def _zero_delta_zero_reward(_: Scenario) -> Judged:
    values = settled(REWARDS)
    deltas = sequences.deltas(REWARDS, values, ONE)
    return Judged(
        holds(not any(r for r, d in zip(REWARDS, deltas, strict=True) if d == 0)),
        {"rewards": REWARDS, "deltas": deltas},
    )


FOLLOWS: dict[str, Check] = {
    "delta_is_reward_less_expected_reward_and_news": _difference_is_surprise,
    "last_delta_is_positive_if_reward_exceeds_value": _last_delta_has_the_sign,
    "reward_that_every_token_gets_leaves_delta_alone": _common_reward_leaves_no_trace,
    "critic_of_zeros_makes_delta_the_reward": _zero_critic,
    "critic_learns_it_because_its_target_holds_it": _its_target_holds_it,
    "own_reward_can_be_left_out_of_the_targets": _left_out_of_the_targets,
    "delta_needs_no_reward_term": _delta_without_the_reward,
    "bias_of_leaving_it_out_is_the_mean_reward": _bias_is_the_mean_reward,
    "value_holds_it_because_rewards_come_first": _because_rewards_come_first,
    "it_depends_on_the_library": _other_libraries_differ,
    "expected_reward_in_the_baseline_keeps_the_gradient": _keeps_the_gradient,
    "advantage_loses_the_own_reward": _advantage_loses_it,
    "zero_delta_means_zero_reward": _zero_delta_zero_reward,
    "lambda_decides_whether_value_holds_it": _lambda_decides,
}
