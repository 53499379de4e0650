"""What follows from what on one token: the name, what it takes, the formula and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas
from engine.ops import log


def _reward(score: Any, logp: Any, ref_logp: Any, beta: Any) -> Any:
    return formulas.token_reward(score, formulas.k1(logp, ref_logp), beta)


def _half(value: Any, target: Any) -> Any:
    return formulas.value_loss_term(formulas.squared_error(value, target))


def _clipped_half(vpred: Any, old: Any, ret: Any, width: Any) -> Any:
    return formulas.value_loss_term(formulas.value_error(vpred, old, ret, width))


FOLLOWS: tuple[tuple[str, tuple[str, ...], Callable[..., Any], str], ...] = (
    ("logp", ("prob",), log, r"\log p"),
    ("ref_logp", ("ref_prob",), log, r"\log p^{\mathrm{ref}}"),
    ("ratio", ("new_logp", "old_logp"), formulas.ratio, r"e^{\log\pi^{\mathrm{new}} - \log\pi^{\mathrm{old}}}"),
    ("ratio", ("new_prob", "old_prob"), lambda new, old: new / old, r"p^{\mathrm{new}} / p^{\mathrm{old}}"),
    ("ratio", ("log_ratio",), formulas.probability, r"e^{\log\rho}"),
    ("k1", ("logp", "ref_logp"), formulas.k1, r"\log\pi - \log\pi^{\mathrm{ref}}"),
    ("k2", ("logp", "ref_logp"), formulas.k2,
     r"\tfrac{1}{2}(\log\pi - \log\pi^{\mathrm{ref}})^2"),
    ("k3", ("logp", "ref_logp"), formulas.k3,
     r"e^{\log\pi^{\mathrm{ref}} - \log\pi} - (\log\pi^{\mathrm{ref}} - \log\pi) - 1"),
    ("rewards", ("scores", "k1", "beta"), formulas.token_reward, r"\mathrm{score} - \beta\,\mathrm{KL}"),
    ("rewards", ("scores", "logp", "ref_logp", "beta"), _reward,
     r"\mathrm{score} - \beta(\log\pi - \log\pi^{\mathrm{ref}})"),
    ("deltas", ("rewards", "values", "next values", "gamma"), formulas.td_error, r"r_t + \gamma V_{t+1} - V_t"),
    ("advantages", ("deltas", "next advantages", "gamma", "lam"), formulas.gae_step,
     r"\delta_t + \gamma\lambda A_{t+1}"),
    ("advantages", ("action_values", "values"), formulas.advantage, "Q - V"),
    ("advantages", ("returns", "values"), formulas.advantage, r"R_t - V_t"),
    ("mc_advantages", ("mc_returns", "values"), formulas.advantage, r"G_t - V_t"),
    ("returns", ("advantages", "values"), formulas.critic_target, r"A_t + V_t"),
    ("clipped", ("ratio", "eps"), lambda ratio, eps: formulas.clipped_term(ratio, 1, eps, eps),
     r"\mathrm{clip}(\rho,\ 1-\varepsilon,\ 1+\varepsilon)"),
    ("objective", ("ratio", "advantages", "eps"), lambda ratio, a, eps: formulas.ppo_objective(ratio, a, eps, eps),
     r"\min(\rho A,\ \mathrm{clip}(\rho)\,A)"),
    ("objective", ("ratio", "advantages", "eps_low", "eps_high"), formulas.ppo_objective,
     r"\min(\rho A,\ \mathrm{clip}(\rho)\,A)"),
    ("surrogate", ("ratio", "advantages"), formulas.surrogate_term, r"\rho A"),
    ("vf_loss", ("vpreds", "old_values", "returns", "cliprange_value"), _clipped_half,
     r"\tfrac{1}{2}\max\bigl((V-R)^2,\ (V^{\mathrm{clip}}-R)^2\bigr)"),
    ("vf_loss", ("vpreds", "returns"), _half, r"\tfrac{1}{2}(V - R)^2"),
)  # fmt: skip
LESSONS = {
    **dict.fromkeys(["k1", "k2", "k3", "rewards", "logp", "ref_logp"], "kl_reward"),
    **dict.fromkeys(["ratio", "surrogate"], "surrogate"),
    **dict.fromkeys(["clipped", "objective"], "ppo_clip"),
    **dict.fromkeys(["vf_loss", "returns"], "critic_target"),
    **dict.fromkeys(["delta_sum", "excess"], "telescoping"),
    "deltas": "why_not_delta",
    "advantage_sum": "advantage_sum",
    "whitened": "whitening",
    "weights": "gae_mixture",
}
