"""Right facts about V with a wrong reason: the reason is taken away, and the fact stays."""

from __future__ import annotations

from engine import sequences
from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import judged
from lessons.value_includes_reward.parts import ONE, REWARDS, TOKENS, counted, raised, settled


def _through_delta(_: Scenario) -> Judged:
    """The expectation of the rewards to come, with no δ in sight, when the own reward is one higher."""
    own = raised(0)[0]
    return judged(own == 0, own=own)


def _left_out(_: Scenario) -> Judged:
    """δ of exact values that hold the own reward; with its r taken away it is off by just that."""
    values = settled(REWARDS)
    deltas = sequences.deltas(REWARDS, values, ONE)
    bare = [d - r for d, r in zip(deltas, REWARDS, strict=True)]
    return judged(any(deltas) and not any(bare), deltas=deltas, bare=bare, rewards=REWARDS)


def _last_by_bootstrap(_: Scenario) -> Judged:
    values = settled(REWARDS)
    after = sequences.next_values(values)[-1]
    return judged(after != 0, last=values[-1], reward=REWARDS[-1], after=after)


def _always_shared(_: Scenario) -> Judged:
    world = counted()
    parted = [world.value((a,)) for a in TOKENS]
    return judged(len(set(parted)) == 1, first=world.value(()), parted=parted)


REASONS: dict[str, Check] = {
    "value_holds_the_reward_because_delta_adds_it": _through_delta,
    "delta_adds_the_reward_because_the_value_lacks_it": _left_out,
    "the_last_value_is_not_zero_because_of_bootstrap": _last_by_bootstrap,
    "responses_to_a_prompt_always_share_their_values": _always_shared,
}
