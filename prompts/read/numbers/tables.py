"""Tables by column or by row: Markdown, comma or tab separated, aligned with spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from prompts.read.glossary import Sense
from prompts.read.numbers.tokens import scan

WIDEST = 64  # cells
MOST_COLUMNS = 256  # of all tables of a message
LONGEST_CELL = 40

_RULE = re.compile(r"[\s|:\-+=]*-[\s|:\-+=]*")
_NUMERIC = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?|[+-]?\d+/\d+")
_DRESS = str.maketrans("", "", "*`$ \t\"'")
_TOTAL = re.compile(r"Σ|sum|total|mean|合计|总和|总计|均值", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"(?:^|[\s,;|])[^\W\d]\w{0,40}[ ]?=[ ]?(?=[\[({\"']|[+-]?\.?\d|[A-Za-z_.]{1,40}\()")
_NO_LISTS = frozenset(["other", "tokens", "length"])
_PROSE = re.compile(r"[.。?!？！:：]\s*$")


@dataclass(frozen=True)
class Column:
    """A column or row by what its head names; weakly, where the head names a list only beside others: ref, old."""

    name: str
    value: list[Any]
    weak: bool = False
    head: str = ""

    @property
    def empty(self) -> bool:
        """Whether it has a name and no entry: it is to be filled in."""
        return self.name != "tokens" and not any(isinstance(x, float) for x in self.value)


def tables(text: str) -> tuple[list[Column], str]:
    """The columns (or rows) of every table by meaning, and the text with the tables blanked, lengths kept."""
    lines = text.split("\n")
    columns: list[Column] = []
    i = 0
    while i < len(lines) and len(columns) < MOST_COLUMNS:
        found, last = _by_column(lines, i)
        if not found:
            found, last = _by_row(lines, i)
        if found:
            columns += found
            lines[i : last + 1] = [" " * len(line) for line in lines[i : last + 1]]
            i = last
        i += 1
    return columns, "\n".join(lines)


def _cells(line: str) -> list[str]:
    """The cells of a line; none where it gives a name its numbers, unless it is framed like a table."""
    if not line.lstrip().startswith("|") and _ASSIGNMENT.search(line):
        return []
    if "|" in line:
        bare = line.strip()
        framed = bare[1:].removesuffix("|") if bare.startswith("|") else bare
        return [cell.strip() for cell in framed.split("|")][: WIDEST + 1]
    if "\t" in line:
        return [cell.strip() for cell in line.split("\t")][: WIDEST + 1]
    if "," in line:
        return [cell.strip() for cell in line.split(",")][: WIDEST + 1]
    return line.split()[: WIDEST + 1]


def _head(cell: str) -> Sense | None:
    """What a head names: one quantity, dressed or not; a weak name only where it is the whole head."""
    if not cell or len(cell) > LONGEST_CELL:
        return None
    tokens = scan(cell.replace("*", " ").replace("`", " ").split("=")[0])
    plain = sum(t.kind == "word" for t in tokens)
    senses = {t.sense.meaning: t.sense for t in tokens if t.sense is not None and not t.sense.weak}
    if plain == 0 and not senses and len(tokens) == 1 and tokens[0].sense is not None:
        return tokens[0].sense
    named = len(senses) == 1 and plain <= 2 and not any(t.kind == "number" for t in tokens)
    return next(iter(senses.values())) if named else None


def _is_list(head: Sense | None) -> bool:
    return head is not None and head.meaning not in _NO_LISTS


def _value(cell: str) -> float | None:
    plain = cell.translate(_DRESS)
    if len(plain) > 2 * LONGEST_CELL or not _NUMERIC.fullmatch(plain):
        return None
    read = scan(plain)
    return read[0].value if len(read) == 1 else None


def _by_column(lines: list[str], i: int) -> tuple[list[Column], int]:
    """A header of names over rows of numbers."""
    header = _cells(lines[i])
    piped = "|" in lines[i]
    first = _below_rules(lines, i + 1)
    if _numbered(lines, first, header):
        header = ["", *header]
    if not 2 <= len(header) <= WIDEST or (_PROSE.search(lines[i]) and not piped) or not _is_row(lines, first, header):
        return [], i
    heads = [_head(cell) for cell in header]
    wanted = [(k, head) for k, head in enumerate(heads) if head is not None and _is_list(head)]
    strong = sum(not head.weak for _, head in wanted)
    if strong < (1 if piped else 2) or (None in heads[1:] and not piped):
        return [], i
    rows, last = _rows(lines, first, len(header), [k for k, _ in wanted])
    if all(_is_list(_head(row[0])) for row in rows):
        return [], i
    found = [Column(head.meaning, [_value(row[k]) for row in rows], head.weak, header[k]) for k, head in wanted]
    spelt = [head is not None and head.meaning == "tokens" for head in heads]
    label = spelt.index(True) if True in spelt else 0 if heads[0] is None else None
    if label is not None and (spelt[label] or all(_value(row[label]) is None for row in rows)):
        found.append(Column("tokens", [row[label].strip("\"'`") for row in rows]))
    return found, last


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


def _by_row(lines: list[str], i: int) -> tuple[list[Column], int]:
    """Rows that each begin with a name: | V | 0.2 | 0.3 |."""
    found: list[Column] = []
    last, labels = i, []
    while last < len(lines) and lines[last].count("|") >= 2 and (found or last < i + 3):
        cells = _cells(lines[last])
        if not cells:
            break
        if not _RULE.fullmatch(lines[last]):
            head = _head(cells[0])
            numbers = [_value(cell) for cell in cells[1:]]
            if head is not None and head.meaning == "tokens":
                labels = [cell.strip("\"'`") for cell in cells[1:]]
            elif head is not None and _is_list(head) and any(x is not None for x in numbers):
                found.append(Column(head.meaning, numbers, head.weak))
            elif found or last > i + 1:
                break
        last += 1
    if all(column.weak for column in found):
        return [], i
    if labels and len(labels) == len(found[0].value):
        found.append(Column("tokens", labels))
    return found, last - 1
