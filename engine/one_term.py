"""The clipped objective of one token, in exact numbers: which of its two terms it takes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine import formulas


@dataclass(frozen=True)
class OneTerm:
    advantage: Fraction
    ratio: Fraction
    eps: Fraction

    @property
    def unclipped(self) -> Fraction:
        return Fraction(formulas.surrogate_term(self.ratio, self.advantage))

    @property
    def clipped(self) -> Fraction:
        return Fraction(formulas.clipped_term(self.ratio, self.advantage, self.eps, self.eps))

    @property
    def objective(self) -> Fraction:
        return Fraction(formulas.ppo_objective(self.ratio, self.advantage, self.eps, self.eps))

    @property
    def decided_by_the_clip(self) -> bool:
        """Whether the clipped term is the smaller one: then the token has no gradient."""
        return self.clipped < self.unclipped
