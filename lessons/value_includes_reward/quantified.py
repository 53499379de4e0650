"""What turns on the case, said of every case or of some."""

from __future__ import annotations

from lessons._proposition import Check
from lessons._turns import always, sometimes
from lessons.value_includes_reward.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "value_always_equals_the_next_value": always(TRIED["value_equals_the_next_value"]),
    "value_can_equal_the_next_value": sometimes(TRIED["value_equals_the_next_value"]),
}
