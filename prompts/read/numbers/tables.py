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
    if not 2 <= len(header) <= WIDEST or (_PROSE.search(lines[i]) and "|" not in lines[i]):
        return [], i
    first = i + 1
    while first < len(lines) and first <= i + 2 and lines[first].strip() and _RULE.fullmatch(lines[first]):
        first += 1
    if first >= len(lines) or len(_cells(lines[first])) != len(header):
        return [], i
    if not any(_value(c) is not None for c in _cells(lines[first])):
        return [], i
    meanings = [_meaning(cell) for cell in header]
    wanted = [k for k, m in enumerate(meanings) if m not in (None, "other", "tokens", "length")]
    if len(wanted) < 2 and not (len(wanted) == 1 and "|" in lines[i]):
        return [], i
    if any(m is None for m in meanings[1:]) and "|" not in lines[i]:
        return [], i
    rows: list[list[str]] = []
    last = first
    while last < len(lines):
        cells = _cells(lines[last])
        if len(cells) != len(header) or (_TOTAL.match(cells[0]) and rows):
            break
        if all(_value(cells[k]) is None for k in wanted):
            break
        rows.append(cells)
        last += 1
    if last < len(lines) and _TOTAL.match(_cells(lines[last])[0] if lines[last].strip() else ""):
        last += 1
    found: list[tuple[str, list[Any]]] = [(str(meanings[k]), [_value(row[k]) for row in rows]) for k in wanted]
    label = next((k for k, m in enumerate(meanings) if m == "tokens" or (m is None and k == 0)), None)
    if label is not None and all(_value(row[label]) is None or meanings[label] == "tokens" for row in rows):
        found.append(("tokens", [row[label].strip("\"'`") for row in rows]))
    return found, last - 1


def _by_row(lines: list[str], i: int) -> tuple[list[tuple[str, list[Any]]], int]:
    """Rows that each begin with a name: | V | 0.2 | 0.3 |."""
    found: list[tuple[str, list[Any]]] = []
    last, labels = i, []
    while last < len(lines) and lines[last].count("|") >= 2:
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
