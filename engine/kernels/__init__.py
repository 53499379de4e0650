"""The fast batched forms, batch × time, on any device torch has: tested against the definitions in engine.batches."""

from engine.kernels.advantages import advantages_of, critic_targets, gae, n_step_advantages, td_errors
from engine.kernels.columns import over_columns as everywhere
from engine.kernels.columns import over_valid
from engine.kernels.device import default_device, widest_float
from engine.kernels.groups import (
    grpo,
    mean_centred,
    reinforce_plus_plus,
    reinforce_plus_plus_baseline,
    remax,
    rloo,
    rloo_baselines,
    same_group,
    share,
)
from engine.kernels.losses import (
    aggregate,
    approx_kl,
    approx_kl_k3,
    clip_fraction,
    clipped_terms,
    clipped_values,
    entropy_of_logits,
    floor_fraction,
    objectives,
    policy_losses,
    probabilities,
    ratios,
    surrogates,
    value_clip_fraction,
    value_errors,
    value_losses,
)
from engine.kernels.positions import carried, last_valid, one_more, zeroed
from engine.kernels.returns import lambda_returns, mc_returns
from engine.kernels.rewards import critic_values, kl_penalties, place_score, token_rewards
from engine.kernels.scan import linear_scan
from engine.kernels.statistics import masked_mean, masked_variance, whiten, whiten_everywhere
from engine.kernels.totals import discounted_sum, excess, total

__all__ = [
    "advantages_of",
    "aggregate",
    "approx_kl",
    "approx_kl_k3",
    "carried",
    "clip_fraction",
    "clipped_terms",
    "clipped_values",
    "critic_targets",
    "critic_values",
    "default_device",
    "discounted_sum",
    "entropy_of_logits",
    "everywhere",
    "excess",
    "floor_fraction",
    "gae",
    "grpo",
    "kl_penalties",
    "lambda_returns",
    "last_valid",
    "linear_scan",
    "masked_mean",
    "masked_variance",
    "mc_returns",
    "mean_centred",
    "n_step_advantages",
    "objectives",
    "one_more",
    "over_valid",
    "place_score",
    "policy_losses",
    "probabilities",
    "ratios",
    "reinforce_plus_plus",
    "reinforce_plus_plus_baseline",
    "remax",
    "rloo",
    "rloo_baselines",
    "same_group",
    "share",
    "surrogates",
    "td_errors",
    "token_rewards",
    "total",
    "value_clip_fraction",
    "value_errors",
    "value_losses",
    "whiten",
    "whiten_everywhere",
    "widest_float",
    "zeroed",
]
