"""What is put in V's place in the advantage, whose numbers are whose, and why V leaves the token out."""

from __future__ import annotations

from engine import formulas
from engine.scenario import Scenario
from engine.world import World, small
from lessons._proposition import Check, Judged, holds
from lessons._row import fraction
from lessons._trials import HALF, judged, outcome, trial
from lessons.definitions.meanings import of_example


def _world() -> World:
    return small(lambda _name, x: fraction(x))


def _q_less_reward(_: Scenario) -> Judged:
    world = _world()
    q, v, r = world.q((), 0), world.value(()), world.rewards[(0,)]
    right, claimed = formulas.advantage(q, v), formulas.advantage(q, r)
    return judged(right == claimed, q=q, v=v, r=r, right=right, claimed=claimed)


def _reward_less_mean(_: Scenario) -> Judged:
    own = trial(outcome(3), ("1/4", "1/2", "3/4"), HALF)
    mean = formulas.mean(sum(own.rewards), len(own.rewards))
    claimed = [r - mean for r in own.rewards]
    return judged(own.advantages == claimed, rewards=own.rewards, found=own.advantages, claimed=claimed)


def _critic_pays(_: Scenario) -> Judged:
    """Another critic under the same scores: which of the two lists is another?"""
    before = of_example()
    after = of_example(values=[float(v) + 1 for v in before["values"]])
    rewards, values = ([found[name][0] for found in (before, after)] for name in ("rewards", "values"))
    return Judged(holds(rewards[0] != rewards[1] or values[0] == values[1]), {"rewards": rewards, "values": values})


def _another_reason(_: Scenario) -> Judged:
    """V moves with the tokens before it, and is the mean over the one to come."""
    world = _world()
    q, v, later = ([world.q((), a) for a in range(2)], world.value(()), [world.value((a,)) for a in range(2)])
    mean = sum(p * x for p, x in zip(world.chances, q, strict=True))
    return judged(not (v == mean and later[0] != later[1]), q=q, v=v, later=later)


def _received_and_predicted(_: Scenario) -> Judged:
    """What this response is paid, with one critic and another; what they foresaw."""
    found = _critic_pays(Scenario()).found
    return judged(found["rewards"][0] == found["rewards"][1] and found["values"][0] != found["values"][1], **found)


REASONS: dict[str, Check] = {
    "advantage_is_q_less_the_reward": _q_less_reward,
    "advantage_is_the_reward_less_the_mean_reward": _reward_less_mean,
    "critic_pays_and_reward_model_foresees": _critic_pays,
    "reward_is_received_and_value_predicted": _received_and_predicted,
    "value_leaves_the_token_out_for_another_reason": _another_reason,
}
