"""The computations once more, in plain torch: what a learner can paste, run and change. Equal to the engine, by test.

A twin's parameters, and the names that it returns, are names of facts; its lines are shown as they stand here.
"""

from __future__ import annotations

import torch
from torch import Tensor

Tensors = tuple[Tensor, ...]


def gae(rewards: Tensor, values: Tensor, gamma: float, lam: float) -> Tensors:
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    advantages, later = torch.zeros_like(deltas), torch.tensor(0.0)
    for t in reversed(range(deltas.shape[-1])):
        later = deltas[..., t] + gamma * lam * later
        advantages[..., t] = later
    returns = advantages + values
    return deltas, advantages, returns


def masked_gae(rewards: Tensor, values: Tensor, mask: Tensor, gamma: float, lam: float) -> Tensors:
    advantages = torch.zeros_like(values)
    next_value, later = torch.tensor(0.0), torch.tensor(0.0)
    for t in reversed(range(values.shape[-1])):
        delta = rewards[..., t] + gamma * next_value - values[..., t]
        later = torch.where(mask[..., t] > 0, delta + gamma * lam * later, later)
        next_value = torch.where(mask[..., t] > 0, values[..., t], next_value)
        advantages[..., t] = later * mask[..., t]
    returns = advantages + values * mask
    return advantages, returns


def monte_carlo(rewards: Tensor, values: Tensor, gamma: float, lam: float) -> Tensors:
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    mc_returns, advantages = torch.zeros_like(rewards), torch.zeros_like(rewards)
    earned = later = torch.tensor(0.0)
    for t in reversed(range(rewards.shape[-1])):
        earned = rewards[..., t] + gamma * earned
        later = deltas[..., t] + gamma * lam * later
        mc_returns[..., t], advantages[..., t] = earned, later
    mc_advantages = mc_returns - values
    return mc_returns, mc_advantages, advantages


def returns_to_go(rewards: Tensor, gamma: float) -> Tensors:
    mc_returns, earned = torch.zeros_like(rewards), torch.tensor(0.0)
    for t in reversed(range(rewards.shape[-1])):
        earned = rewards[..., t] + gamma * earned
        mc_returns[..., t] = earned
    return (mc_returns,)


def lambda_returns(rewards: Tensor, values: Tensor, gamma: float, lam: float) -> Tensors:
    returns, mc_returns = torch.zeros_like(rewards), torch.zeros_like(rewards)
    target = earned = next_value = torch.tensor(0.0)
    for t in reversed(range(rewards.shape[-1])):
        target = rewards[..., t] + gamma * ((1 - lam) * next_value + lam * target)
        earned = rewards[..., t] + gamma * earned
        returns[..., t], mc_returns[..., t], next_value = target, earned, values[..., t]
    advantages = returns - values
    return returns, mc_returns, advantages


def telescoping(rewards: Tensor, values: Tensor, gamma: float) -> Tensors:
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    discounts = gamma ** torch.arange(deltas.shape[-1], dtype=deltas.dtype)
    delta_sum = (discounts * deltas).sum(dim=-1)
    excess = (discounts * rewards).sum(dim=-1) - values[..., 0]
    return deltas, delta_sum, excess


def sums(rewards: Tensor, values: Tensor, gamma: float, lam: float) -> Tensors:
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    advantage_sum = later = torch.tensor(0.0)
    for t in reversed(range(deltas.shape[-1])):
        later = deltas[..., t] + gamma * lam * later
        advantage_sum = advantage_sum + later
    discounts = gamma ** torch.arange(deltas.shape[-1], dtype=deltas.dtype)
    excess = (discounts * deltas).sum(dim=-1)
    return deltas, advantage_sum, excess


def mixture(rewards: Tensor, values: Tensor, gamma: float, lam: float) -> Tensors:
    n = torch.arange(1, rewards.shape[-1] + 1, dtype=rewards.dtype)
    after = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    earned = (gamma ** (n - 1) * rewards).cumsum(dim=-1)
    n_step_advantages = earned + gamma**n * after - values[..., :1]
    weights = torch.where(n < len(n), (1 - lam) * lam ** (n - 1), lam ** (n - 1))
    first_advantage = (weights * n_step_advantages).sum(dim=-1)
    return weights, n_step_advantages, first_advantage


def pipeline(scores: Tensor, kl: Tensor, values: Tensor, beta: float, gamma: float, lam: float) -> Tensors:
    rewards = scores - beta * kl
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    advantages, later = torch.zeros_like(deltas), torch.tensor(0.0)
    for t in reversed(range(deltas.shape[-1])):
        later = deltas[..., t] + gamma * lam * later
        advantages[..., t] = later
    returns = advantages + values
    whitened = (advantages - advantages.mean()) * torch.rsqrt(advantages.var() + 1e-8)
    return rewards, deltas, advantages, returns, whitened


def rewarded(scores: Tensor, kl: Tensor, values: Tensor, beta: float, gamma: float, lam: float) -> Tensors:
    rewards = scores - beta * kl
    next_values = torch.cat([values[..., 1:], 0 * values[..., :1]], dim=-1)
    deltas = rewards + gamma * next_values - values
    advantages, later = torch.zeros_like(deltas), torch.tensor(0.0)
    for t in reversed(range(deltas.shape[-1])):
        later = deltas[..., t] + gamma * lam * later
        advantages[..., t] = later
    returns = advantages + values
    return rewards, deltas, advantages, returns


def kl_rewards(scores: Tensor, logp: Tensor, ref_logp: Tensor, beta: float) -> Tensors:
    k1 = logp - ref_logp
    k2 = k1**2 / 2
    k3 = (torch.exp(-k1) - 1 + k1).clamp(-10, 10)
    rewards = scores - beta * k1
    return k1, k2, k3, rewards


def estimators(logp: Tensor, ref_logp: Tensor) -> Tensors:
    k1 = logp - ref_logp
    k2 = k1**2 / 2
    k3 = (torch.exp(-k1) - 1 + k1).clamp(-10, 10)
    return k1, k2, k3


def probabilities(logp: Tensor) -> Tensors:
    prob = torch.exp(logp)
    return (prob,)


def charged(scores: Tensor, kl: Tensor, beta: float) -> Tensors:
    rewards = scores - beta * kl
    return (rewards,)


def value_loss(vpreds: Tensor, old_values: Tensor, returns: Tensor, cliprange_value: float) -> Tensors:
    vpred_clipped = old_values + (vpreds - old_values).clamp(-cliprange_value, cliprange_value)
    plain, held = (vpreds - returns) ** 2, (vpred_clipped - returns) ** 2
    max_sq_err = torch.maximum(plain, held)
    vf_loss = max_sq_err.mean() / 2
    vf_clipfrac = (held > plain).double().mean()
    return vpred_clipped, max_sq_err, vf_loss, vf_clipfrac


def whiten(advantages: Tensor) -> Tensors:
    mean = advantages.mean()
    std_sample = advantages.std()
    whitened = (advantages - mean) / torch.sqrt(std_sample**2 + 1e-8)
    return mean, std_sample, whitened


def surrogate(old_logp: Tensor, new_logp: Tensor, advantages: Tensor) -> Tensors:
    ratio = torch.exp(new_logp - old_logp)
    terms = ratio * advantages
    surrogate = terms.mean()
    return ratio, terms, surrogate


def surrogate_whitened(old_logp: Tensor, new_logp: Tensor, advantages: Tensor) -> Tensors:
    whitened = (advantages - advantages.mean()) * torch.rsqrt(advantages.var() + 1e-8)
    ratio = torch.exp(new_logp - old_logp)
    terms = ratio * whitened
    surrogate = terms.mean()
    return whitened, ratio, terms, surrogate


def surrogate_of_ratios(ratio: Tensor, advantages: Tensor) -> Tensors:
    terms = ratio * advantages
    surrogate = terms.mean()
    return terms, surrogate


def clip(ratio: Tensor, advantages: Tensor, lower: float, upper: float) -> Tensors:
    unclipped = ratio * advantages
    clipped = ratio.clamp(lower, upper) * advantages
    objective_terms = torch.minimum(unclipped, clipped)
    objective = objective_terms.mean()
    clipfrac = (clipped < unclipped).double().mean()
    return unclipped, clipped, objective_terms, objective, clipfrac


def clip_whitened(ratio: Tensor, advantages: Tensor, lower: float, upper: float) -> Tensors:
    whitened = (advantages - advantages.mean()) * torch.rsqrt(advantages.var() + 1e-8)
    unclipped = ratio * whitened
    clipped = ratio.clamp(lower, upper) * whitened
    objective_terms = torch.minimum(unclipped, clipped)
    objective = objective_terms.mean()
    clipfrac = (clipped < unclipped).double().mean()
    return whitened, unclipped, clipped, objective_terms, objective, clipfrac


def groups(group_rewards: Tensor) -> Tensors:
    n = group_rewards.shape[-1]
    centered = group_rewards - group_rewards.mean(dim=-1, keepdim=True)
    grpo_advantages = centered / (group_rewards.std(dim=-1, keepdim=True) + 1e-6)
    baselines = (group_rewards.sum(dim=-1, keepdim=True) - group_rewards) / (n - 1)
    rloo_advantages = group_rewards - baselines
    return centered, grpo_advantages, baselines, rloo_advantages


def critic_slice(prompt_length: int, T: int) -> Tensors:  # noqa: N803  the length of a response
    outputs = torch.arange(prompt_length + T)
    positions = outputs[..., -T - 1 : -1]
    late_positions = outputs[..., -T:]
    return positions, late_positions


def two_policies(old_logp: Tensor, ref_logp: Tensor, new_logp: Tensor, scores: Tensor, beta: float) -> Tensors:
    kl = old_logp - ref_logp
    rewards = scores - beta * kl
    ratio = torch.exp(new_logp - old_logp)
    return kl, rewards, ratio


def exact_values(rewards: Tensor, gamma: float) -> Tensors:
    mc_returns, earned = torch.zeros_like(rewards), torch.tensor(0.0)
    for t in reversed(range(rewards.shape[-1])):
        earned = rewards[..., t] + gamma * earned
        mc_returns[..., t] = earned
    following = torch.cat([mc_returns[..., 1:], 0 * mc_returns[..., :1]], dim=-1)
    deltas_of_exact = rewards + gamma * following - mc_returns
    values_without_reward = mc_returns - rewards
    following = torch.cat([values_without_reward[..., 1:], 0 * rewards[..., :1]], dim=-1)
    deltas_without_reward = rewards + gamma * following - values_without_reward
    return deltas_of_exact, values_without_reward, deltas_without_reward


def spread(T: int, gamma: float, lam: float) -> Tensors:  # noqa: N803  the length of a response
    k = torch.arange(T, dtype=torch.double)
    mc_weights = gamma**k
    gae_weights = (gamma * lam) ** k
    mc_variance = (mc_weights**2).sum()
    gae_variance = (gae_weights**2).sum()
    share = gae_variance / mc_variance
    return mc_weights, gae_weights, mc_variance, gae_variance, share
