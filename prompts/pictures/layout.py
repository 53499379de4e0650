"""What was read, in lines and columns as they stand in the picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from unicodedata import east_asian_width

APART = 1.4  # times the usual way from line to line: an empty one stands between
INDENT = 0.7  # of a sign: less is none
FEWEST = 2  # rows and columns of a table
_NUMBER = re.compile(r"[-+−]?[\d.,□]+(?:[eE][-+]?\d+)?%?")


@dataclass(frozen=True)
class Cell:
    """Words that stand together, and where."""

    text: str
    left: float
    right: float

    @property
    def width(self) -> int:
        return sum(1 + (east_asian_width(sign) in "WF") for sign in self.text)


@dataclass(frozen=True)
class Line:
    """The cells of one line from left to right, and where its middle runs."""

    cells: tuple[Cell, ...]
    middle: float


def laid_out(lines: Sequence[Line]) -> str:
    """Tables as Markdown where their columns are clear, everything else with its gaps and its empty lines."""
    told = [line for line in lines if line.cells]
    if not told:
        return ""
    blocks = [list(block) for _, block in groupby(told, key=lambda line: len(line.cells) >= FEWEST)]
    widths = [(cell.right - cell.left) / cell.width for line in told for cell in line.cells if cell.width > 1]
    sign = median(widths) if widths else 1.0
    edge = min(line.cells[0].left for line in told)
    ways = [after.middle - line.middle for line, after in pairwise(told)]
    usual = sorted(ways)[len(ways) // 4] if ways else 0.0
    written, before = "", None
    for block in blocks:
        table = _table(block)
        entries = table.split("\n") if table else [_aligned(line, edge, sign) for line in block]
        for i, entry in enumerate(entries):
            line = block[min(i, len(block) - 1)]
            apart = before is not None and line.middle - before.middle > APART * usual
            opens = i == 0 and (table or "|---" in written.rpartition("\n\n")[2])
            written += "\n\n" if before is not None and (opens or (apart and not table)) else "\n" if written else ""
            written, before = written + entry, line
    return written


def _table(block: Sequence[Line]) -> str:
    """The lines as a table; nothing where they are none: what stands under the first line is numbers for the most part,
    and no line has two cells in one column."""
    columns = _columns(block)
    rows = [[_within(line, column) for column in columns] for line in block]
    below = [cell for row in rows[1:] for cell in row if cell]
    figures = sum(bool(_NUMBER.fullmatch(cell.replace(" ", ""))) for cell in below)
    if len(block) < FEWEST or len(columns) < FEWEST or any(None in row for row in rows) or 2 * figures < len(below):
        return ""
    written = [f"| {' | '.join((cell or '').replace('|', '/') for cell in row)} |" for row in rows]
    return "\n".join([written[0], "|" + "---|" * len(columns), *written[1:]])


def _columns(block: Sequence[Line]) -> list[tuple[float, float]]:
    """Where cells stand under each other."""
    found: list[tuple[float, float]] = []
    for left, right in sorted((cell.left, cell.right) for line in block for cell in line.cells):
        if found and left < found[-1][1]:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _within(line: Line, column: tuple[float, float]) -> str | None:
    """The cell of a line in a column, empty if there is none; None where there are two."""
    cells = [cell.text for cell in line.cells if column[0] <= cell.left and cell.right <= column[1]]
    return None if len(cells) > 1 else "".join(cells)


def _aligned(line: Line, edge: float, sign: float) -> str:
    """A line with its indent and its gaps, as wide as they are in signs."""
    written, used = "", 0
    for cell in line.cells:
        wanted = int((cell.left - edge) / sign + 1 - INDENT)
        gap = max(2 if written else 0, wanted - used)
        written, used = written + " " * gap + cell.text, used + gap + cell.width
    return written
