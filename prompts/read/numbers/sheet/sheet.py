"""Everything of a message that is pasted numbers, in whatever format: series, single results, settings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from prompts.read.numbers.sheet.cell import Cell, Series
from prompts.read.numbers.sheet.grid import grids
from prompts.read.numbers.sheet.literals import literals, runs
from prompts.read.numbers.sheet.settings import estimator, final_score, settings, single_results
from prompts.read.numbers.sheet.steps import steps
from prompts.read.numbers.sheet.tidy import tidy
from prompts.read.numbers.sheet.working import worked_out

_BLANK = re.compile(r"\s+")
_AFTER_THE_END = re.compile(
    r"(?:last|final|bootstrap(?:ped)?|terminal)[ _]?(?:v|val|value)s? ?[=:] ?(?P<x>-?\d*\.?\d+)", re.IGNORECASE
)
_ROWS = re.compile(r"\]\s*,\s*\[\s*[-+.\d]")  # a batch of several responses


@dataclass(frozen=True)
class Sheet:
    series: tuple[Series, ...]
    single: dict[str, Cell]
    settings: dict[str, float]
    kl: str | None
    said: dict[str, tuple[float, ...]]  # every value that is spoken of, of each setting
    after: float  # the value after the end, of a response that is cut there
    score: float | None  # of the whole response
    rest: str  # the words that are left
    text: str

    @property
    def worked(self) -> bool:
        """Whether numbers are shown to come about, line by line."""
        return sum(cell is not None and cell.made is not None for one in self.series for cell in one.cells) > 1

    @property
    def batched(self) -> bool:
        return _ROWS.search(self.text) is not None


def _after_the_end(text: str) -> float:
    said = _AFTER_THE_END.search(text)
    return float(said["x"]) if said else 0.0


@lru_cache(maxsize=16)
def sheet(message: str) -> Sheet:
    text = tidy(message)
    lists, left = literals(text)
    stepwise, left = steps(left)
    tables, left = grids(left)
    rows, left = runs(left)
    said, left = settings(left)
    found = {name: values[0] for name, values in said.items()}
    single, left = single_results(left)
    every = [*lists, *stepwise, *tables, *rows]
    worked, rates = worked_out(every, found)
    return Sheet(
        (*every, *worked),
        single,
        {**found, **rates},
        estimator(text),
        said,
        _after_the_end(text),
        final_score(left),
        _BLANK.sub(lambda gap: "\n" if "\n" in gap[0] else " ", left),
        text,
    )
