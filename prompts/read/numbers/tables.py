"""Tables by column or by row: Markdown, comma or tab separated, aligned with spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from prompts.read.numbers.tokens import scan

WIDEST = 64  # cells
MOST_COLUMNS = 256  # of all tables of a message
LONGEST_CELL = 40

_RULE = re.compile(r"[\s|:\-+=]*-[\s|:\-+=]*")
_NUMERIC = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?|[+-]?\d+/\d+")
_DRESS = str.maketrans("", "", "*`$ \t\"'")
_TOTAL = re.compile(r"Σ|sum|total|mean|合计|总和|总计|均值", re.IGNORECASE)
_PROSE = re.compile(r"[.。?!？！:：]\s*$")


@dataclass(frozen=True)
class Column:
    name: str
    value: list[Any]
    start: int
    end: int


def tables(text: str) -> tuple[list[Column], str]:
    """The columns (or rows) of every table by meaning, and the text with the tables blanked, lengths kept."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    columns: list[Column] = []
    i = 0
    while i < len(lines) and len(columns) < MOST_COLUMNS:
        found, last = _by_column(lines, i)
        if not found:
            found, last = _by_row(lines, i)
        if found:
            columns += [Column(name, value, starts[i], starts[last + 1] - 1) for name, value in found]
            lines[i : last + 1] = [" " * len(line) for line in lines[i : last + 1]]
            i = last
        i += 1
    return columns, "\n".join(lines)


def _cells(line: str) -> list[str]:
    if "|" in line:
        return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")][: WIDEST + 1]
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")][: WIDEST + 1]
    if "," in line:
        return [cell.strip() for cell in line.split(",")][: WIDEST + 1]
    return line.split()[: WIDEST + 1]


def _meaning(cell: str) -> str | None:
    """What a header cell names: one quantity, dressed or not."""
    if not cell or len(cell) > LONGEST_CELL:
        return None
    tokens = scan(cell.replace("*", " ").replace("`", " ").split("=")[0])
    meanings = {t.sense.meaning for t in tokens if t.sense is not None and not t.sense.weak}
    plain = sum(t.kind == "word" for t in tokens)
    return meanings.pop() if len(meanings) == 1 and plain <= 2 and not any(t.kind == "number" for t in tokens) else None


def _value(cell: str) -> float | None:
    plain = cell.translate(_DRESS)
    if len(plain) > 2 * LONGEST_CELL or not _NUMERIC.fullmatch(plain):
        return None
    read = scan(plain)
    return read[0].value if len(read) == 1 else None


def _by_column(lines: list[str], i: int) -> tuple[list[tuple[str, list[Any]]], int]:
    """A header of names over rows of numbers."""
    header = _cells(lines[i])
    piped = "|" in lines[i]
    first = _below_rules(lines, i + 1)
    if _numbered(lines, first, header):
        header = ["", *header]
    if not 2 <= len(header) <= WIDEST or (_PROSE.search(lines[i]) and not piped) or not _is_row(lines, first, header):
        return [], i
    meanings = [_meaning(cell) for cell in header]
    wanted = [k for k, m in enumerate(meanings) if m not in (None, "other", "tokens", "length")]
    if len(wanted) < (1 if piped else 2) or (None in meanings[1:] and not piped):
        return [], i
    rows, last = _rows(lines, first, len(header), wanted)
    found: list[tuple[str, list[Any]]] = [(str(meanings[k]), [_value(row[k]) for row in rows]) for k in wanted]
    label = next((k for k, m in enumerate(meanings) if m == "tokens" or (m is None and k == 0)), None)
    if label is not None and all(_value(row[label]) is None or meanings[label] == "tokens" for row in rows):
        found.append(("tokens", [row[label].strip("\"'`") for row in rows]))
    return (found, last) if rows else ([], i)


def _numbered(lines: list[str], first: int, header: list[str]) -> bool:
    """Whether rows begin with their number, over which the header has nothing: what pandas prints."""
    rows = [_cells(line) for line in lines[first : first + 2]]
    aligned = not any(set("|,\t") & set(line) for line in lines[first - 1 : first + 2])
    return aligned and len(rows) == 2 and all(len(r) == len(header) + 1 and r[0] == str(k) for k, r in enumerate(rows))


def _below_rules(lines: list[str], first: int) -> int:
    """The first line that is no rule, at most two lines on."""
    end = min(len(lines), first + 2)
    return next((j for j in range(first, end) if not (lines[j].strip() and _RULE.fullmatch(lines[j]))), end)


def _is_row(lines: list[str], j: int, header: list[str]) -> bool:
    if j >= len(lines):
        return False
    cells = _cells(lines[j])
    return len(cells) == len(header) and any(_value(cell) is not None for cell in cells)


def _rows(lines: list[str], first: int, width: int, wanted: list[int]) -> tuple[list[list[str]], int]:
    """The rows below a header, and the last line of the table; a line of totals belongs to it, but is no row."""
    rows: list[list[str]] = []
    for j in range(first, len(lines)):
        cells = _cells(lines[j])
        if cells and rows and _TOTAL.match(cells[0]):
            return rows, j
        if len(cells) != width or all(_value(cells[k]) is None for k in wanted):
            return rows, j - 1
        rows.append(cells)
    return rows, len(lines) - 1


def _by_row(lines: list[str], i: int) -> tuple[list[tuple[str, list[Any]]], int]:
    """Rows that each begin with a name: | V | 0.2 | 0.3 |."""
    found: list[tuple[str, list[Any]]] = []
    last, labels = i, []
    while last < len(lines) and lines[last].count("|") >= 2 and (found or last < i + 3):
        cells = _cells(lines[last])
        if not _RULE.fullmatch(lines[last]):
            meaning = _meaning(cells[0])
            numbers = [_value(cell) for cell in cells[1:]]
            if meaning == "tokens":
                labels = [cell.strip("\"'`") for cell in cells[1:]]
            elif meaning not in (None, "other", "length") and numbers and any(x is not None for x in numbers):
                found.append((str(meaning), numbers))
            elif found or last > i + 1:
                break
        last += 1
    if not found:
        return [], i
    if labels and len(labels) == len(found[0][1]):
        found.append(("tokens", labels))
    return found, last - 1
