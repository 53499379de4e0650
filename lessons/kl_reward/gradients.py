"""Which form of the KL pulls which way: in the reward, times the ratio, without its −1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from engine import formulas
from engine.facts import exact_facts
from engine.kl_samples import ESTIMATORS, Vocabulary, estimates
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

OLD, CURRENT, REFERENCE = (0.5, 0.3, 0.2), (0.6, 0.3, 0.1), (0.4, 0.2, 0.4)
VOCABULARY = Vocabulary(policy=OLD, reference=REFERENCE)
Mean = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # of the policy's log-probabilities and the reference's


def _slopes(policy: tuple[float, ...], mean: Mean) -> list[float]:
    """How a mean moves with the policy's logits."""
    logits = torch.tensor(policy, dtype=torch.float64).log().requires_grad_()
    (found,) = torch.autograd.grad(mean(torch.log_softmax(logits, 0), logits.new_tensor(REFERENCE).log()), logits)
    return [round(x, 4) + 0.0 for x in found.tolist()]


def _kl(logp: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
    return (logp.exp() * formulas.k1(logp, ref)).sum()


def _in_reward(name: str) -> Mean:
    """A number taken off the reward: drawn tokens' log-probabilities move by it."""
    return lambda logp, ref: (logp.exp().detach() * ESTIMATORS[name](logp, ref).detach() * logp).sum()


def _in_loss(name: str, *, ratio: bool) -> Mean:
    """An estimate that is differentiated, on the old policy's tokens."""

    def mean(logp: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
        old = logp.new_tensor(OLD)
        weights = formulas.ratio(logp, old.log()) if ratio else torch.ones_like(old)
        return (old * weights * ESTIMATORS[name](logp, ref)).sum()

    return mean


def _only_k1(_: Scenario) -> Judged:
    true = _slopes(OLD, _kl)
    k1, k2, k3 = (_slopes(OLD, _in_reward(name)) for name in ("k1", "k2", "k3"))
    return Judged(
        holds(close(k1, true) and not close(k2, true) and not close(k3, true)),
        {"true": true, "k1": k1, "k2": k2, "k3": k3},
    )


def _times_the_ratio(_: Scenario) -> Judged:
    true = _slopes(CURRENT, _kl)
    weighed, k3, k2 = (
        _slopes(CURRENT, _in_loss(name, ratio=ratio)) for name, ratio in (("k3", True), ("k3", False), ("k2", False))
    )
    return Judged(
        holds(close(weighed, true) and not close(k2, true) and not close(k3, true)),
        {"true": true, "weighed": weighed, "k3": k3, "k2": k2},
    )


def _minus_one(_: Scenario) -> Judged:
    """k3 with its one put back, where the two models agree and on average; and how both forms move."""

    def bare(logp: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
        return (logp.exp().detach() * (formulas.k3(logp, ref) + 1)).sum()

    def full(logp: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
        return (logp.exp().detach() * formulas.k3(logp, ref)).sum()

    alike = formulas.k3(0.0, 0.0)
    found = exact_facts(estimates(VOCABULARY), Scenario())
    mean = _short(found["mean"]["k3"])
    return Judged(
        holds(
            close(_slopes(OLD, bare), _slopes(OLD, full)) and alike == 0 and close(mean, _short(found["divergence"]))
        ),
        {"alike": alike, "bare_alike": alike + 1, "mean": mean, "bare": mean + 1},
    )


def _short(x: Any) -> float:
    return round(float(x), 4)


GRADIENTS: dict[str, Check] = {
    "only_k1_in_the_reward_has_the_gradient_of_kl": _only_k1,
    "k3_times_the_ratio_has_the_gradient_of_kl": _times_the_ratio,
    "minus_one_in_k3_is_for_the_value": _minus_one,
}
