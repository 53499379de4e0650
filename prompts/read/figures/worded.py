"""What was found on the figures that a message states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FEW_DIGITS = 2
TINY = 1e-9


@dataclass(frozen=True)
class Finding:
    of: str  # LaTeX
    stated: str  # LaTeX; empty where it was asked
    correct: Any  # a number or a list of them
    holds: bool


@dataclass(frozen=True)
class Worded:
    """Everything that a message states in figures, and whether all of it was called wrong."""

    findings: tuple[Finding, ...]
    lesson: str
    denied: bool = False
    from_one: bool = False  # the subscripts count tokens from one
    standing: bool = False  # it is of numbers that were spoken of before

    @property
    def asks(self) -> bool:
        """Whether nothing is stated of what was computed."""
        return not any(one.stated for one in self.findings)

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.findings) != self.denied

    @property
    def listed(self) -> bool:
        """Whether whole lists are stated."""
        return any(isinstance(one.correct, list) for one in self.findings)

    @property
    def exact(self) -> bool:
        """Whether right lists have so few digits that none was rounded: else a wrong program may fit better."""
        lists = [one.correct for one in self.findings if isinstance(one.correct, list)]
        return all(abs(float(x) - round(float(x), FEW_DIGITS)) < TINY for row in lists for x in row)
