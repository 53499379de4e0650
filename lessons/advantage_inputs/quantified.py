"""What turns on the case, said of every case or of some."""

from __future__ import annotations

from lessons._proposition import Check
from lessons._turns import always, sometimes
from lessons.advantage_inputs.between import BETWEEN
from lessons.advantage_inputs.turns_on import TURNS

TRIED: dict[str, Check] = {**BETWEEN, **TURNS}

QUANTIFIED: dict[str, Check] = {
    "a_value_always_reaches_other_tokens": always(TRIED["a_value_reaches_other_tokens"]),
    "a_value_can_reach_other_tokens": sometimes(TRIED["a_value_reaches_other_tokens"]),
    "a_later_reward_always_lifts_the_advantage": always(TRIED["a_later_reward_lifts_the_advantage_now"]),
    "a_later_reward_can_lift_the_advantage": sometimes(TRIED["a_later_reward_lifts_the_advantage_now"]),
    "advantages_always_depend_on_the_batch": always(TRIED["advantages_depend_on_the_batch"]),
    "advantages_can_depend_on_the_batch": sometimes(TRIED["advantages_depend_on_the_batch"]),
}
