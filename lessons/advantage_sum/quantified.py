"""What turns on the case, said of every case or of some."""

from __future__ import annotations

from lessons._proposition import Check
from lessons._turns import always, sometimes
from lessons.advantage_sum.turns_on import TURNS

TRIED: dict[str, Check] = {**TURNS}

QUANTIFIED: dict[str, Check] = {
    "the_sum_can_be_larger_than_the_excess": sometimes(TRIED["the_sum_is_larger_than_the_excess"]),
    "the_advantages_can_add_up_to_the_excess": sometimes(TRIED["advantages_add_up_to_the_excess_at_this_lambda"]),
    "first_advantage_can_be_the_excess": sometimes(TRIED["first_advantage_equals_the_excess"]),
    "the_advantages_always_sum_to_zero": always(TRIED["the_advantages_sum_to_zero"]),
}
