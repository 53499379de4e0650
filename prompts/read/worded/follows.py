"""What follows from what on one token: the formula, and the names of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas
from engine.notation import SYMBOLS
from engine.ops import log, minimum


def _reward(score: Any, logp: Any, ref_logp: Any, beta: Any) -> Any:
    return formulas.token_reward(score, formulas.k1(logp, ref_logp), beta)


def _error(vpred: Any, old: Any, ret: Any, width: Any) -> Any:
    return formulas.value_error(vpred, old, ret, width)


def _of_probabilities(p: Any, ref: Any) -> Any:
    return formulas.k1(log(p), log(ref))


def _plain_excess(g: Any, v: Any, gamma: Any) -> Any:
    """The plain sum of the δ, which is G − V where nothing is discounted."""
    return formulas.advantage(g, v) if gamma == 1 else None


def _taken_off(kl: Any, beta: Any) -> Any:
    return -formulas.token_reward(0, kl, beta)


def _floored(ratio: Any, adv: Any, floor: Any) -> Any:
    """The dual clip, where the advantage is negative and the ratio so large that ε has no part in it."""
    return formulas.surrogate_term(minimum(ratio, floor), adv) if adv < 0 and ratio >= 2 else None


_OFF = r"\beta\,\mathrm{KL}"
# What follows from what: the name, the names of its arguments, the formula, and how it is written.
FOLLOWS: tuple[tuple[str, tuple[str, ...], Callable[..., Any], str], ...] = (
    ("ratio", ("new_logp", "old_logp"), formulas.ratio, r"e^{\log\pi^{\mathrm{new}} - \log\pi^{\mathrm{old}}}"),
    ("ratio", ("new_prob", "old_prob"), lambda new, old: new / old, r"p^{\mathrm{new}} / p^{\mathrm{old}}"),
    ("ratio", ("log_ratio",), formulas.probability, r"e^{\log\rho}"),
    ("kl", ("logp", "ref_logp"), formulas.k1, r"k_1"),
    ("k2", ("logp", "ref_logp"), formulas.k2, r"k_2"),
    ("k3", ("logp", "ref_logp"), formulas.k3, r"k_3"),
    ("rewards", ("scores", "kl", "beta"), formulas.token_reward, r"\mathrm{score} - \beta\,\mathrm{KL}"),
    ("rewards", ("scores", "logp", "ref_logp", "beta"), _reward,
     r"\mathrm{score} - \beta(\log\pi - \log\pi^{\mathrm{ref}})"),
    ("deltas", ("rewards", "values", "next_values", "gamma"), formulas.td_error, r"r_t + \gamma V_{t+1} - V_t"),
    ("advantages", ("deltas", "next_advantages", "gamma", "lam"), formulas.gae_step, (
        r"\delta_t + \gamma\lambda A_{t+1}"
    )),
    ("advantages", ("deltas", "next_advantages", "decay"), lambda d, a, g: formulas.gae_step(d, a, g, 1), (
        r"\delta_t + \gamma\lambda A_{t+1}"
    )),
    ("advantages", ("q_values", "values"), formulas.advantage, "Q - V"),
    ("logp", ("prob",), log, r"\log p"),
    ("ref_logp", ("ref_prob",), log, r"\log p^{\mathrm{ref}}"),
    ("kl", ("prob", "ref_prob"), _of_probabilities, r"\log (p / p^{\mathrm{ref}})"),
    ("reward_drop", ("kl", "beta"), _taken_off, _OFF),
    ("reward_gain", ("kl", "beta"), lambda kl, beta: -_taken_off(kl, beta), f"-{_OFF}"),
    ("whitened", ("advantages", "batch_mean", "batch_std"), formulas.standardise, r"(A - \mu) / \sigma"),
    ("delta_sum", ("mc_returns", "values", "gamma"), _plain_excess, "G_0 - V_0"),
    ("advantages", ("returns", "values"), formulas.advantage, r"R_t - V_t"),
    ("returns", ("advantages", "values"), formulas.critic_target, r"A_t + V_t"),
    ("clipped_ratio", ("ratio", "eps"), lambda r, e: formulas.clipped_term(r, 1, e, e), (
        r"\mathrm{clip}(\rho,\ 1-\varepsilon,\ 1+\varepsilon)"
    )),
    ("objective", ("ratio", "advantages", "eps"), lambda r, a, e: formulas.ppo_objective(r, a, e, e),
     r"\min(\rho A,\ \mathrm{clip}(\rho)\,A)"),
    ("objective", ("ratio", "advantages", "eps_low", "eps_high"), formulas.ppo_objective,
     r"\min(\rho A,\ \mathrm{clip}(\rho)\,A)"),
    ("objective", ("ratio", "advantages", "floor"), _floored, r"\max(\rho A,\ cA)"),
    ("clipped_ratio", ("ratio", "eps_low", "eps_high"), lambda r, a, b: formulas.clipped_term(r, 1, a, b), (
        r"\mathrm{clip}(\rho,\ 1-\varepsilon,\ 1+\varepsilon)"
    )),
    ("surrogate", ("ratio", "advantages"), formulas.surrogate_term, r"\rho A"),
    ("policy_loss", ("ratio", "advantages", "eps"), lambda r, a, e: -formulas.ppo_objective(r, a, e, e), (
        r"-\min(\rho A,\ \mathrm{clip}(\rho)\,A)"
    )),
    ("vpred_clipped", ("vpreds", "old_values", "cliprange_value"), formulas.clip_value, SYMBOLS["vpred_clipped"][0]),
    ("error", ("vpreds", "old_values", "returns", "cliprange_value"), _error,
     r"\max\bigl((V-R)^2,\ (V^{\mathrm{clip}}-R)^2\bigr)"),
    ("vf_loss", ("vpreds", "old_values", "returns", "cliprange_value"), lambda *x: formulas.value_loss_term(_error(*x)),
     r"\tfrac{1}{2}\max\bigl((V-R)^2,\ (V^{\mathrm{clip}}-R)^2\bigr)"),
    ("error", ("values", "returns"), formulas.squared_error, r"(V - R)^2"),
    ("error", ("vpreds", "returns"), formulas.squared_error, r"(V - R)^2"),
    ("vf_loss", ("values", "returns"), lambda v, r: formulas.value_loss_term(formulas.squared_error(v, r)), (
        r"\tfrac{1}{2}(V - R)^2"
    )),
    ("vf_loss", ("vpreds", "returns"), lambda v, r: formulas.value_loss_term(formulas.squared_error(v, r)), (
        r"\tfrac{1}{2}(V - R)^2"
    )),
)  # fmt: skip
LESSONS = {
    "reward_drop": "kl_reward",
    "reward_gain": "kl_reward",
    "logp": "kl_reward",
    "ref_logp": "kl_reward",
    "whitened": "whitening",
    "delta_sum": "telescoping",
    "surrogate": "surrogate",
    "ratio": "surrogate",
    "kl": "kl_reward",
    "k2": "kl_reward",
    "k3": "kl_reward",
    "rewards": "kl_reward",
    "deltas": "why_not_delta",
    "advantages": "mc_vs_gae",
    "returns": "critic_target",
    "clipped_ratio": "ppo_clip",
    "objective": "ppo_clip",
    "policy_loss": "ppo_clip",
    "vpred_clipped": "critic_target",
    "error": "critic_target",
    "vf_loss": "critic_target",
}
BESIDE = {
    "vpred_clipped": ("returns",),
    "clipped_ratio": ("advantages",),
    "objective": ("clipped_ratio",),
    "kl": ("beta",),
    "k3": ("beta",),
}  # and not needed
TARGETS = {name for name, *_ in FOLLOWS}
