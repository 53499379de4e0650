"""What was found on one stated figure: what it is of, what was stated, what it computes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from prompts.read.worded.figure import Figure


@dataclass(frozen=True)
class Finding:
    of: str  # LaTeX
    stated: str  # LaTeX
    correct: Any  # a number, a list of them, or LaTeX
    holds: bool
    working: str = ""  # LaTeX, as far as it is short


class Read(NamedTuple):
    """What one reader found, the lesson that it belongs to, and whether subscripts were counted from one."""

    findings: list[Finding]
    lesson: str
    from_one: bool = False
    standing: bool = False  # it is of numbers that were spoken of before


@dataclass(frozen=True)
class Worded:
    """Everything that a message states in words, and whether all of it was called wrong."""

    findings: tuple[Finding, ...]
    lesson: str
    denied: bool = False
    from_one: bool = False  # the subscripts count tokens from one
    standing: bool = False

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.findings) != self.denied


def tex(figure: Figure) -> str:
    shown = (f"{figure.relation} " if figure.relation else "") + figure.shown.replace("%", r"\%").replace(
        "±", r"\pm "
    ).replace("×", r"\times ")
    return shown.replace("*", r"\times ").replace("·", r"\cdot ")


def one(of: str, correct: Any, stated: Sequence[Figure], working: str = "") -> list[Finding]:
    """One quantity, and every figure that it is said to be."""
    return [Finding(of, tex(figure), correct, figure.agrees(correct), working) for figure in stated]


def row(of: str, correct: Sequence[Any], stated: Sequence[Figure], working: str = "") -> list[Finding]:
    """Several numbers, each beside its figure, at the decimals of the most precise one."""
    most = max(figure.decimals or 0 for figure in stated)
    stated = [replace(figure, decimals=most) if figure.decimals is not None else figure for figure in stated]
    holds = all(figure.agrees(x) for x, figure in zip(correct, stated, strict=True))
    shown = r",\ ".join(tex(figure) for figure in stated)
    return [Finding(of, shown, list(correct), holds, working)]
