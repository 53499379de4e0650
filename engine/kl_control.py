"""How β goes on after each batch: fixed, or adapted to the KL that was measured."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import formulas
from engine.ops import Number


@dataclass(frozen=True, slots=True)
class FixedKL:
    beta: Number

    def after(self, _kl: Number, *, steps: Number) -> FixedKL:  # noqa: ARG002
        """Whatever was measured, β stays."""
        return self


@dataclass(frozen=True, slots=True)
class AdaptiveKL:
    """β rises while the KL is above its target and falls while it is below, by at most `bound` per horizon."""

    beta: Number
    target: Number
    horizon: Number
    bound: Number = 0.2

    def after(self, kl: Number, *, steps: Number) -> AdaptiveKL:
        """The controller after a batch of so many responses with this mean KL."""
        beta = formulas.adaptive_kl_coefficient(self.beta, kl, self.target, steps, self.horizon, self.bound)
        return replace(self, beta=beta)
