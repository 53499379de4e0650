"""What turns on the case, said of whitening in every case or in some."""

from __future__ import annotations

from lessons._fact import Check
from lessons._turns import always, sometimes
from lessons.whitening.basics import BASICS
from lessons.whitening.judged import JUDGED
from lessons.whitening.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**BASICS, **JUDGED, **TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "token_at_zero_is_always_pushed_down": always(TRIED["token_at_zero_is_pushed_down"]),
    "whitening_is_always_per_minibatch": always(TRIED["each_minibatch_has_mean_zero"]),
    "rewards_are_always_whitened": always(TRIED["rewards_are_whitened"]),
    "rewards_can_be_whitened": sometimes(TRIED["rewards_are_whitened"]),
    "padding_is_always_zero_after_whitening": always(TRIED["padding_is_zero_after_whitening"]),
    "advantages_are_always_whitened": always(TRIED["advantages_are_whitened"]),
    "most_tokens_can_end_up_negative": sometimes(TRIED["most_tokens_end_up_negative"]),
    "most_tokens_always_end_up_negative": always(TRIED["most_tokens_end_up_negative"]),
    "whitening_always_enlarges": always(TRIED["whitening_enlarges_advantages"]),
    "whitening_can_enlarge": sometimes(TRIED["whitening_enlarges_advantages"]),
    "whitening_always_lowers_the_variance": always(TRIED["lowers_the_variance_of_advantages"]),
    "whitening_can_lower_the_variance": sometimes(TRIED["lowers_the_variance_of_advantages"]),
    "gaps_always_grow": always(TRIED["gaps_grow"]),
}
