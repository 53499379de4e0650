"""What turns on the case, said of the clip in every case or in some."""

from __future__ import annotations

from lessons._fact import Check
from lessons._turns import always, sometimes
from lessons.ppo_clip.further import FURTHER
from lessons.ppo_clip.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**FURTHER, **TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "dual_clip_is_built_in_everywhere": always(TRIED["dual_clip_is_built_in"]),
    "every_good_token_is_clipped": always(TRIED["good_token_is_clipped"]),
    "a_good_token_can_be_clipped": sometimes(TRIED["good_token_is_clipped"]),
    "every_bad_token_is_clipped": always(TRIED["bad_token_is_clipped"]),
    "a_bad_token_can_be_clipped": sometimes(TRIED["bad_token_is_clipped"]),
    "above_the_range_there_is_never_a_gradient": always(TRIED["above_the_range_there_is_no_gradient"]),
    "below_the_range_there_is_never_a_gradient": always(TRIED["below_the_range_there_is_no_gradient"]),
    "minimum_always_takes_the_clipped_term": always(TRIED["minimum_takes_the_clipped_term"]),
    "minimum_can_take_the_clipped_term": sometimes(TRIED["minimum_takes_the_clipped_term"]),
    "clipping_always_raises_the_loss": always(TRIED["clipping_raises_the_loss"]),
    "epsilon_always_changes_the_loss": always(TRIED["epsilon_changes_the_loss"]),
    "epsilon_can_change_the_loss": sometimes(TRIED["epsilon_changes_the_loss"]),
    "loss_is_always_minus_ratio_times_advantage": always(TRIED["loss_is_minus_ratio_times_advantage"]),
    "loss_can_be_minus_ratio_times_advantage": sometimes(TRIED["loss_is_minus_ratio_times_advantage"]),
    "out_of_range_tokens_are_always_pulled_back": always(TRIED["token_out_of_range_is_pulled_back"]),
}
