"""Small trials that the checks of claims run: a response of a few exact numbers, and what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from engine import formulas, sequences
from lessons import _sources
from lessons._fact import Judged, Verdict

Plain: TypeAlias = int | str | Fraction
ONE, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)


def rational(xs: Iterable[Plain]) -> list[Fraction]:
    return [Fraction(x) for x in xs]


@dataclass(frozen=True)
class Trial:
    """A response without rounding: its rewards, its values, and everything made of them."""

    rewards: list[Fraction]
    values: list[Fraction]
    lam: Fraction
    gamma: Fraction

    @cached_property
    def deltas(self) -> list[Any]:
        return sequences.deltas(self.rewards, self.values, self.gamma)

    @cached_property
    def advantages(self) -> list[Any]:
        return sequences.gae_advantages(self.deltas, self.gamma, self.lam)

    @cached_property
    def returns(self) -> list[Any]:
        """The critic's targets."""
        return sequences.critic_targets(self.advantages, self.values)

    @cached_property
    def mc_returns(self) -> list[Any]:
        return sequences.mc_returns(self.rewards, self.gamma)

    @cached_property
    def mc_advantages(self) -> list[Any]:
        return sequences.mc_advantages(self.mc_returns, self.values)

    @property
    def excess(self) -> Any:
        return formulas.advantage(self.mc_returns[0], self.values[0])


def trial(rewards: Iterable[Plain], values: Iterable[Plain], lam: Plain = 1, gamma: Plain = 1) -> Trial:
    return Trial(rational(rewards), rational(values), Fraction(lam), Fraction(gamma))


def outcome(length: int, score: Plain = 1) -> list[Fraction]:
    """Rewards of a response that earns something at its end only."""
    return [NONE] * (length - 1) + [Fraction(score)]


def judged(cases: bool | Sequence[bool], **found: Any) -> Judged:
    """True where every case bears the claim out, false where none does; else it depends on the case."""
    all_of = [cases] if isinstance(cases, bool) else list(cases)
    verdict: Verdict = "true" if all(all_of) else "depends" if any(all_of) else "false"
    return Judged(verdict, found)


def default(project: str, parameter: str) -> float:
    """What a project's configuration says when nothing is changed (_sources.toml)."""
    return float(_sources.defaults()[project][parameter])
