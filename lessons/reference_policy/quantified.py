"""What turns on the case, said of the reference in every case or in some."""

from __future__ import annotations

from lessons._fact import Check
from lessons._turns import always, sometimes
from lessons.reference_policy.claimed import CHECKS
from lessons.reference_policy.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**CHECKS, **TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "ppo_always_has_to_load_a_reference": always(TRIED["ppo_has_to_load_a_reference"]),
    "reference_always_changes_rewards_and_returns": always(TRIED["reference_changes_rewards_and_returns"]),
    "reference_always_changes_the_advantages": always(TRIED["reference_changes_the_advantages"]),
    "reference_can_change_the_advantages": sometimes(TRIED["reference_changes_the_advantages"]),
    "a_tokens_kl_always_reaches_earlier_tokens": always(TRIED["a_tokens_kl_reaches_earlier_tokens"]),
    "policy_always_stays_near_the_reference": always(TRIED["policy_stays_near_the_reference"]),
    "policy_always_likes_the_token_more": always(TRIED["policy_likes_the_token_more_than_the_reference"]),
    "group_methods_always_use_a_reference": always(TRIED["group_methods_use_a_reference"]),
    "group_methods_can_use_a_reference": sometimes(TRIED["group_methods_use_a_reference"]),
    "kl_loss_always_pushes_the_token_down": always(TRIED["kl_loss_pushes_the_token_down"]),
}
