"""A computed row is hidden and typed by the learner: which cells are right, and which idea gives their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from engine.errors import EngineError
from engine.facts import quick_facts
from engine.grading import Numeral
from engine.scenario import Scenario
from prompts.bench import computing
from prompts.bench.state import plainly, typed_number
from prompts.read.numbers.numerals import decimals_shown

Outcome: TypeAlias = Literal["right", "wrong", "coarse"]
HIDEABLE = ("deltas", "advantages", "returns", "mc_returns", "whitened")
_GIVING_AWAY: Mapping[str, tuple[str, ...]] = {  # rows that are made of a hidden one, and hidden with it
    "deltas": ("advantages", "returns", "whitened"),
    "advantages": ("returns", "whitened"),
}


@dataclass(frozen=True)
class Guess:
    text: str
    outcome: Outcome | None = None  # none where it is no number


@dataclass(frozen=True)
class Guessed:
    """What was typed in the place of a row, token by token, graded at the digits typed."""

    row: str
    right: tuple[float | None, ...]
    cells: Mapping[int, Guess]
    causes: tuple[str, ...] = ()  # mistakes whose programs give all that was typed, the likelier first

    @property
    def hides(self) -> tuple[str, ...]:
        return hidden_with(self.row)

    def places(self, outcome: Outcome) -> tuple[int, ...]:
        return tuple(t for t, cell in self.cells.items() if cell.outcome == outcome)

    @property
    def asked_for(self) -> int:
        return sum(x is not None for x in self.right)


def hidden_with(row: str) -> tuple[str, ...]:
    return (row, *_GIVING_AWAY.get(row, ())) if row else ()


def guessed(row: str, texts: Mapping[int, str], found: computing.Computed, given: Scenario) -> Guessed:
    right = found.rows[row].numbers
    cells, numerals = {}, {}
    for t, text in sorted(texts.items()):
        if not (0 <= t < len(right) and right[t] is not None and text.strip()):
            continue
        numeral = _numeral(text, row, t)
        cells[t] = Guess(text, None if numeral is None else _outcome(numeral, right[t]))
        if numeral is not None:
            numerals[t] = numeral
    wrong = any(cell.outcome == "wrong" for cell in cells.values())
    return Guessed(row, right, cells, _causes(row, numerals, given) if wrong else ())


def _numeral(text: str, row: str, t: int) -> Numeral | None:
    try:
        x = typed_number(text, row, (t,))
        return Numeral(Fraction(x), decimals_shown(plainly(text)))
    except (EngineError, ValueError, OverflowError):
        return None


def _outcome(typed: Numeral, right: float | None) -> Outcome:
    if not typed.agrees(right):
        return "wrong"
    exactly = right is not None and abs(float(typed.value) - right) <= computing.SAME * max(1.0, abs(right))
    return "coarse" if typed.leaves_open(right) and not exactly else "right"


def _causes(row: str, typed: Mapping[int, Numeral], given: Scenario) -> tuple[str, ...]:
    """The mistakes whose programs give every number that was typed."""
    found = []
    for mistake in computing.breakable(given):
        try:
            numbers = quick_facts(mistake.change(computing.following), given)[row]
        except (EngineError, KeyError, ZeroDivisionError, OverflowError):  # it needs what is not there
            continue
        if isinstance(numbers, list) and all(x.agrees(numbers[t]) for t, x in typed.items()):
            found.append(mistake.id)
    return tuple(found)
