"""Tables of any make: pipes, boxes, commas, tabs, LaTeX, columns aligned with spaces; tokens across or down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prompts.read.numbers.sheet.cell import SIGNED, Cell, Series, cell, empty
from prompts.read.numbers.sheet.labels import meanings

WIDEST = 64  # cells
LONGEST = 24  # rows that are looked at again, without the first, where they are no table
MARKS = ("|", "│", "┃", "&", "\t", ";", ",", "  ", " ")
_RULE = re.compile(
    r"\s*(?:\|?(?:\s{0,9}:?-{1,99}:?\s{0,9}\|)+(?:\s{0,9}:?-{1,99}:?\s{0,9})?|[|+\-=:_─━═┼╪╋│┃┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╬\s]*[-=─━═_]{2,}[|+\-=:_─━═┼╪╋│┃┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╬\s]*|\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})\s*|```\w*)\s*"
)
_TOTAL = re.compile(r"[*`$\s]*(?:Σ|sum|total|mean|avg|average|std|合计|总和|总计|均值|平均|标准差|求和)", re.IGNORECASE)
_INDEX = re.compile(
    r"[*`$\s(]*(?:t|i|k|step|token|第)? ?[=_#]? ?\{?(\d{1,4})\}? ?(?:步|个|个 token)?[*`$\s):]*", re.IGNORECASE
)
_ASSIGNS = re.compile(rf"(?!.*\b(?:t|i|k|step|token) ?[=:])[^|&]*[^\s|&\d.]\s*[=:：]\s*[\[(]?\s*{SIGNED}")
_LAST = re.compile(rf".*(?:=|≈|→)\s*({SIGNED})[*`$\s]*")
_ASIDE = re.compile(rf"({SIGNED})\s*\([^()]*\)")


@dataclass(frozen=True)
class Piece:
    """A cell as it stands in the text."""

    text: str
    start: int

    @property
    def number(self) -> Cell | None:
        """The number that a cell holds, or that its working comes to."""
        found = cell(self.text, self.start)
        if found is None and (worked := _LAST.fullmatch(self.text) or _ASIDE.fullmatch(self.text.strip())):
            found = cell(worked[1], self.start + worked.start(1) + self.text.index(worked.string))
        return found


Row = list[Piece]


@dataclass(frozen=True)
class Grid:
    """Rows of one width, and the lines that they took."""

    rows: tuple[Row, ...]
    first: int
    last: int


def grids(text: str) -> tuple[list[Series], str]:
    """The series of every table, and the text with the tables blanked."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: list[Series] = []
    taken: set[int] = set()
    i = 0
    while i < len(lines):
        grid = next((g for mark in MARKS if (g := _grid(lines, starts, i, mark)) is not None), None)
        series = _read(grid.rows) if grid is not None else []
        if grid is None or not series:
            i = i + 1 if grid is None or len(grid.rows) < LONGEST else grid.last + 1
            continue
        found += series
        taken |= {*range(grid.first, grid.last + 1)}
        i = grid.last + 1
    return found, "\n".join(" " * len(line) if i in taken else line for i, line in enumerate(lines))


# ---------------------------------------------------------------- lines to rows


def _grid(lines: Sequence[str], starts: Sequence[int], first: int, mark: str) -> Grid | None:
    """The run of rows of one width that begins at a line."""
    head = _pieces(lines[first], starts[first], mark)
    if not 2 <= len(head) <= WIDEST:
        return None
    rows, last = [head], first
    for j in range(first + 1, len(lines)):
        if _RULE.fullmatch(lines[j]) and "```" not in lines[j]:
            continue
        row = _pieces(lines[j], starts[j], mark)
        if len(row) != len(rows[-1]) and len(rows) == 1 and len(row) == len(head) + 1 and mark in ("  ", " "):
            rows[0] = [Piece("", starts[first]), *head]
        numbers = len(row) == len(rows[0]) and any(p.number for p in row)
        if not numbers and (len(rows) == 1 or not _words_only(row, len(rows[0]))):
            break
        if mark == " " and not _dense(row):
            return None
        rows.append(row)
        last = j
    return Grid(tuple(rows), first, last) if len(rows) > 1 else None


def _dense(row: Row) -> bool:
    """Whether words that stand one space apart can be a row of a table: nothing but numbers beside its name."""
    return len(row) > 2 and all(p.number for p in row[1:])


def _words_only(row: Row, width: int) -> bool:
    """A row of tokens in a table that runs across."""
    return (
        len(row) == width and bool(meanings(row[0].text)) and meanings(row[0].text)[0] in ("tokens", "index", "other")
    )


def _pieces(line: str, start: int, mark: str) -> Row:
    if not line.strip() or _RULE.fullmatch(line):
        return []
    if mark in ("  ", " "):
        gap = re.compile(r"\S+(?: \S+)*" if mark == "  " else r"\S+")
        return [Piece(found[0], start + found.start()) for found in gap.finditer(line.replace("\t", "  "))]
    if mark not in line:
        return []
    bare = (
        re.sub(r"\\\\(?:\s*\[[^\]]*\])?\s*(?:\\hline)?\s*$", lambda m: " " * len(m[0]), line) if mark == "&" else line
    )
    edges = [k for k, c in enumerate(bare) if c == mark]
    cuts = [-1, *edges, len(bare)]
    pieces = [Piece(bare[a + 1 : b].strip(), start + a + 1 + _indent(bare[a + 1 : b])) for a, b in pairwise(cuts)]
    if mark in "|│┃" and pieces and not pieces[0].text and bare.lstrip()[:1] == mark:
        pieces = pieces[1:]
    if mark in "|│┃" and pieces and not pieces[-1].text and bare.rstrip()[-1:] == mark:
        pieces = pieces[:-1]
    assigning = sum(_ASSIGNS.match(p.text) is not None for p in pieces)
    return pieces if assigning * 2 < len(pieces) and not (assigning and mark in ",;") else []


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


# ---------------------------------------------------------------- rows to series


def _read(rows: Sequence[Row]) -> list[Series]:
    """The series of a table by column or by row, whichever has names for them."""
    by_row = _named(rows)
    by_column = _named(_turned(rows))
    chosen = rows if _weight(by_row) > _weight(by_column) else _turned(rows)
    return [] if not max(_weight(by_row), _weight(by_column)) else list(_series(chosen))


def _turned(rows: Sequence[Row]) -> list[Row]:
    return [list(column) for column in zip(*rows, strict=True)]


def _named(rows: Sequence[Row]) -> list[Row]:
    """Rows that begin with the name of a quantity and go on with numbers."""
    return [
        row
        for row in rows
        if _is_quantity(row[0].text) and sum(p.number is not None for p in row[1:]) * 2 > len(row[1:]) - 1
    ]


def _weight(rows: Sequence[Row]) -> float:
    return sum(len(row) - 1 for row in rows) + 0.5 * len(rows)


def _is_quantity(label: str) -> bool:
    found = meanings(label)
    return bool(found) and found[0] not in ("index", "tokens", "other") and cell(label, 0) is None


def _series(rows: Sequence[Row]) -> Iterator[Series]:
    """Each row that has a label and numbers; without the entries of totals."""
    totals = {k for row in rows for k, p in enumerate(row[1:]) if _TOTAL.match(p.text) and not cell(p.text, 0)}
    indexed = next((row for row in rows if (meanings(row[0].text) or ("",))[0] == "index"), None) or next(
        (row for row in rows if not row[0].text and all(_INDEX.fullmatch(p.text) for p in row[1:])), None
    )
    labels = [found[1] if (found := _INDEX.fullmatch(p.text)) else None for p in indexed[1:]] if indexed else []
    for row in rows:
        cells = [p for k, p in enumerate(row[1:]) if k not in totals]
        if row is indexed or not cells:
            continue
        numbers = tuple(p.number for p in cells)
        if not any(numbers) or not all(n is not None or empty(p.text) for n, p in zip(numbers, cells, strict=True)):
            continue
        ordered = _ordered([x for k, x in enumerate(labels) if k not in totals], numbers)
        yield Series(row[0].text, ordered)


def _ordered(labels: Sequence[str | None], numbers: tuple[Cell | None, ...]) -> tuple[Cell | None, ...]:
    """In the order of the tokens, where a table runs from the last to the first."""
    known = [int(x) for x in labels if x is not None]
    backwards = len(known) == len(numbers) > 1 and known == sorted(known, reverse=True)
    return numbers[::-1] if backwards else numbers
