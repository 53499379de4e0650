"""What turns on the case, said of ρA in every case or in some."""

from __future__ import annotations

from lessons._fact import Check
from lessons._turns import always, sometimes
from lessons.surrogate.checks import MORE
from lessons.surrogate.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**MORE, **TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "ratio_is_always_above_one": always(TRIED["ratio_is_above_one"]),
    "ratio_can_be_above_one": sometimes(TRIED["ratio_is_above_one"]),
    "surrogate_always_equals_the_mean_advantage": always(TRIED["value_is_the_mean_advantage"]),
    "ratio_always_stays_near_one": always(TRIED["ratio_stays_near_one"]),
    "surrogate_is_always_the_token_mean": always(TRIED["surrogate_is_the_mean_over_tokens"]),
    "surrogate_can_be_the_token_mean": sometimes(TRIED["surrogate_is_the_mean_over_tokens"]),
    "raising_the_surrogate_can_improve_the_policy": sometimes(TRIED["raising_the_surrogate_improves_the_policy"]),
    "scale_of_rewards_always_enters": always(TRIED["value_changes_when_rewards_double"]),
}
