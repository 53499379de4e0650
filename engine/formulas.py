"""Every scalar formula of token-level PPO, once, in plain operators.

The index is in the name: `x_t` belongs to response token t, `x_tp1` to the token after it. V_t is read before
token t is chosen; r_t is what token t earned (engine/README.md draws it). The same functions run on tensors,
exact numbers, sympy symbols and worked numbers (engine/readings).
"""

from __future__ import annotations

from engine.ops import Number, clip, constant, exp, less, log, maximum, minimum, sqrt, where

# ---------------------------------------------------------------- from scores to rewards


def k1(logp_t: Number, ref_logp_t: Number) -> Number:
    """The log-ratio itself: unbiased for the KL divergence, and of either sign."""
    return logp_t - ref_logp_t


def k2(logp_t: Number, ref_logp_t: Number) -> Number:
    """Half the squared log-ratio: never negative, biased."""
    return (logp_t - ref_logp_t) ** 2 / 2


def k3(logp_t: Number, ref_logp_t: Number) -> Number:
    """Inverse ratio minus its tangent: never negative, unbiased."""
    return exp(ref_logp_t - logp_t) - (ref_logp_t - logp_t) - 1


def k3_clamped(logp_t: Number, ref_logp_t: Number, inner: Number = 20, outer: Number = 10) -> Number:
    """k3 as verl computes it: the log-ratio is clamped before exp, the result after."""
    clamped = clip(ref_logp_t - logp_t, -inner, inner)
    return clip(exp(clamped) - clamped - 1, -outer, outer)


def clamped_kl(kl_t: Number, bound: Number = 10) -> Number:
    """As OpenRLHF does with each of its estimators, k1 and k2 too."""
    return clip(kl_t, -bound, bound)


def abs_kl(logp_t: Number, ref_logp_t: Number) -> Number:
    return abs(logp_t - ref_logp_t)


def straight_through(value_t: Number, gradient_t: Number) -> Number:
    """The number of `value_t` with the derivative of `gradient_t`: verl's "+" forms take k2's."""
    return constant(value_t) + gradient_t - constant(gradient_t)


def token_reward(score_t: Number, kl_t: Number, beta: Number) -> Number:
    return score_t - beta * kl_t


def adaptive_kl_coefficient(
    beta: Number, kl: Number, target: Number, steps: Number, horizon: Number, bound: Number
) -> Number:
    """The next β of the adaptive controller: up when the measured KL is above its target, down when below."""
    return beta * (1 + clip(kl / target - 1, -bound, bound) * steps / horizon)


# ---------------------------------------------------------------- from rewards and values to advantages


def td_error(r_t: Number, v_t: Number, v_tp1: Number, gamma: Number) -> Number:
    return r_t + gamma * v_tp1 - v_t


def gae_step(delta_t: Number, adv_tp1: Number, gamma: Number, lam: Number) -> Number:
    return delta_t + gamma * lam * adv_tp1


def mc_step(r_t: Number, g_tp1: Number, gamma: Number) -> Number:
    """One step of the discounted sum. Started from V instead of 0 it is the n-step return."""
    return r_t + gamma * g_tp1


def value_change(r_t: Number, v_tp1: Number, gamma: Number) -> Number:
    """V_{t+1} − V_t where nothing is left to chance: what is still to come grows nearer, and r_t has been paid."""
    return (1 - gamma) * v_tp1 - r_t


def discounted(x: Number, gamma: Number, steps: Number) -> Number:
    """What x is worth that many tokens earlier."""
    return gamma**steps * x


def horizon(discount: Number) -> Number:
    """How many tokens count in all when each counts `discount` times the one before: 1 + γ + γ² + …, for γ below 1."""
    return 1 / (1 - discount)


def lambda_return_step(r_t: Number, v_tp1: Number, ret_tp1: Number, gamma: Number, lam: Number) -> Number:
    return r_t + gamma * ((1 - lam) * v_tp1 + lam * ret_tp1)


def advantage(return_t: Number, v_t: Number) -> Number:
    """What a return, of whatever kind, has over the value before the token."""
    return return_t - v_t


def critic_target(adv_t: Number, v_t: Number) -> Number:
    return adv_t + v_t


def mixture_weight(n: Number, lam: Number) -> Number:
    """How much of the n-step advantage GAE takes, n counted from 1."""
    return (1 - lam) * lam ** (n - 1)


def tail_weight(n: Number, lam: Number) -> Number:
    """The weight that is left for the longest, n-step, advantage: all of what the shorter ones did not take."""
    return lam ** (n - 1)


# ---------------------------------------------------------------- normalising


def mean(total: Number, count: Number) -> Number:
    return total / count


def sample_variance(squares: Number, count: Number) -> Number:
    """Bessel's form: the squared deviations are divided by one less than their number."""
    return squares / (count - 1)


def whiten(x: Number, mean: Number, variance: Number, epsilon: Number = 0) -> Number:
    return (x - mean) / sqrt(variance + epsilon)


def whiten_about_mean(x: Number, mean: Number, variance: Number, epsilon: Number = 0) -> Number:
    """Whitening without the shift: the spread becomes 1, the level stays."""
    return whiten(x, mean, variance, epsilon) + mean


def standardise(x: Number, mean: Number, std: Number, epsilon: Number = 0) -> Number:
    """As GRPO does: ε is added to the standard deviation, not to the variance."""
    return (x - mean) / (std + epsilon)


def leave_one_out(total: Number, own: Number, count: Number) -> Number:
    """The mean of the others in a group: RLOO's baseline."""
    return (total - own) / (count - 1)


# ---------------------------------------------------------------- the policy


def probability(logp_t: Number) -> Number:
    return exp(logp_t)


def ratio(new_logp_t: Number, old_logp_t: Number) -> Number:
    return exp(new_logp_t - old_logp_t)


def ratio_clamped(new_logp_t: Number, old_logp_t: Number, bound: Number = 20) -> Number:
    """The ratio with its logarithm kept within ±bound, so that exp cannot overflow."""
    return exp(clip(new_logp_t - old_logp_t, -bound, bound))


def surrogate_term(ratio_t: Number, adv_t: Number) -> Number:
    return ratio_t * adv_t


def clipped_term(ratio_t: Number, adv_t: Number, eps_low: Number, eps_high: Number) -> Number:
    return clip(ratio_t, 1 - eps_low, 1 + eps_high) * adv_t


def ppo_objective(ratio_t: Number, adv_t: Number, eps_low: Number, eps_high: Number) -> Number:
    return minimum(surrogate_term(ratio_t, adv_t), clipped_term(ratio_t, adv_t, eps_low, eps_high))


def dual_clip_objective(ratio_t: Number, adv_t: Number, eps_low: Number, eps_high: Number, floor: Number = 3) -> Number:
    """The clipped objective, kept above `floor` times a negative advantage."""
    objective = ppo_objective(ratio_t, adv_t, eps_low, eps_high)
    return where(adv_t < 0, maximum(objective, floor * adv_t), objective)


def is_clipped(ratio_t: Number, adv_t: Number, eps_low: Number, eps_high: Number) -> Number:
    """1 where the clip decides the objective, else 0; the mean of it is the clip fraction."""
    return where(clipped_term(ratio_t, adv_t, eps_low, eps_high) < surrogate_term(ratio_t, adv_t), 1, 0)


def is_floored(ratio_t: Number, adv_t: Number, eps_low: Number, eps_high: Number, floor: Number = 3) -> Number:
    """1 where dual clip replaces the clipped objective, else 0."""
    below = where(ppo_objective(ratio_t, adv_t, eps_low, eps_high) < floor * adv_t, 1, 0)
    return where(adv_t < 0, below, 0)


def approx_kl(new_logp_t: Number, old_logp_t: Number) -> Number:
    """The policy's movement since the rollout as verl logs it; k3(old, new) is the other form in use."""
    return old_logp_t - new_logp_t


def entropy_term(p: Number) -> Number:
    return -p * log(p)


# ---------------------------------------------------------------- the critic


def clip_value(vpred_t: Number, old_v_t: Number, cliprange: Number) -> Number:
    return clip(vpred_t, old_v_t - cliprange, old_v_t + cliprange)


def squared_error(vpred_t: Number, return_t: Number) -> Number:
    return (vpred_t - return_t) ** 2


def value_error(vpred_t: Number, old_v_t: Number, return_t: Number, cliprange: Number) -> Number:
    """The larger of the squared errors with and without clipping; half its mean is the value loss."""
    return maximum(
        squared_error(vpred_t, return_t),
        squared_error(clip_value(vpred_t, old_v_t, cliprange), return_t),
    )


def is_value_clipped(vpred_t: Number, old_v_t: Number, return_t: Number, cliprange: Number) -> Number:
    """1 where the clipped prediction has the larger error, else 0."""
    clipped = squared_error(clip_value(vpred_t, old_v_t, cliprange), return_t)
    return where(less(squared_error(vpred_t, return_t), clipped), 1, 0)


def value_loss_term(error_t: Number) -> Number:
    return error_t / 2
