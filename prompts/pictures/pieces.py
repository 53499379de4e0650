"""Where the lines of a picture run, and what stands in them piece by piece: from what is seen, not what it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from prompts.pictures.ink import Ink

LIKELY = 0.3  # how sure the network is of a line's middle
AROUND = 1.2  # heights of a line's middle that the line reaches above and below
SAME_ROW = 1.1  # the same: how far apart the middles of what stands in one line are, at most
GAP = 2.0  # the same: space that parts columns
REACH = 1.6  # the same: how far from it what belongs to the line is, at most
TALL, TALLEST = 4.4, 9  # the same: what is higher is no character; no bracket of a formula either
FORMULA = 0  # the label of what is no single stroke
LONGEST = 24  # times its height that a piece is wide at most


@dataclass(frozen=True)
class Row:
    """A line: where its middle runs, and how high that is; whether the network saw it."""

    middle: float
    height: float
    seen: bool = True


@dataclass(frozen=True)
class Stroke:
    """Ink that hangs together."""

    label: int
    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def tall(self) -> int:
        return self.bottom - self.top

    @property
    def wide(self) -> int:
        return self.right - self.left

    @property
    def is_formula(self) -> bool:
        """Whether it stands for a formula whose parts stand above one another."""
        return self.label == FORMULA


@dataclass(frozen=True)
class Piece:
    """Part of a row without a wide gap; whether one, or a rule, stands before it."""

    row: Row
    strokes: tuple[Stroke, ...]
    apart: bool = True

    @property
    def left(self) -> int:
        return min(one.left for one in self.strokes)

    @property
    def right(self) -> int:
        return max(one.right for one in self.strokes)


def rows(middles: np.ndarray) -> list[Row]:
    """The lines that the network sees, from above."""
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats((middles > LIKELY).astype(np.uint8))
    boxes = [tuple(map(int, stats[i][:4])) for i in range(1, count) if min(stats[i][2:4]) >= 3]
    found: list[list[tuple[int, ...]]] = []
    for box in sorted(boxes, key=lambda box: -box[2]):  # the longest lead
        middle = box[1] + box[3] / 2
        for row in found:
            first = row[0]
            if abs(first[1] + first[3] / 2 - middle) < SAME_ROW * first[3]:
                row.append(box)
                break
        else:
            found.append([box])
    return sorted(map(_row, found), key=lambda row: row.middle)


def _row(boxes: Sequence[tuple[int, ...]]) -> Row:
    widths = [box[2] for box in boxes]
    middle = float(np.average([box[1] + box[3] / 2 for box in boxes], weights=widths))
    return Row(middle, float(np.average([box[3] for box in boxes], weights=widths)))


def strokes(ink: Ink, height: float) -> tuple[np.ndarray, list[Stroke]]:
    """All ink that may belong to characters, and the map of its labels."""
    import cv2

    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.text, connectivity=8)
    found = []
    for i in range(1, count):
        left, top, width, tall, area = map(int, stats[i])
        if area >= 2 and tall <= TALLEST * height:
            found.append(Stroke(i, left, top, left + width, top + tall))
    return labels, found


def pieces(lines: Sequence[Row], found: Sequence[Stroke], ink: Ink, height: float) -> list[Piece]:
    """Every stroke in its row, every row in pieces; rows of strokes that the network has not seen come with them."""
    middles = np.array([row.middle for row in lines])
    reach = REACH * np.array([row.height for row in lines])
    of: dict[int, list[Stroke]] = defaultdict(list)
    left_over: list[Stroke] = []
    for stroke in found:
        if stroke.tall > TALL * height and not stroke.is_formula:
            continue
        away = np.abs(middles - stroke.middle)
        near = int(np.argmin(away))
        (of[near] if away[near] <= reach[near] else left_over).append(stroke)
    told = [(lines[i], members) for i, members in of.items()]
    told += _unseen(left_over, height)
    told.sort(key=lambda pair: pair[0].middle)
    return [piece for row, members in told for piece in _parted(row, members, ink.down)]


def _unseen(left_over: Sequence[Stroke], height: float) -> Iterator[tuple[Row, list[Stroke]]]:
    """Strokes between the lines, row by row."""
    row: list[Stroke] = []
    for stroke in sorted(left_over, key=lambda one: one.middle):
        if row and stroke.middle - row[0].middle > height:
            yield Row(float(np.mean([one.middle for one in row])), height, seen=False), row
            row = []
        row.append(stroke)
    if row:
        yield Row(float(np.mean([one.middle for one in row])), height, seen=False), row


def _parted(row: Row, members: Sequence[Stroke], down: np.ndarray) -> Iterator[Piece]:
    """At wide gaps, where the rule of a table stands in a gap, and around what is no character."""
    band = down[max(0, round(row.middle - row.height / 2)) : round(row.middle + row.height / 2) + 1]
    ruled = np.asarray(band.max(axis=0, initial=0))
    part: list[Stroke] = []
    edge, apart = 0, True
    for stroke in sorted(members, key=lambda one: one.left):
        gap = stroke.left - edge
        wide = gap > GAP * row.height or (gap > 0 and bool(ruled[edge : stroke.left].any()))
        if part and (wide or stroke.is_formula or part[-1].is_formula):
            yield from _short(Piece(row, tuple(part), apart))
            part, apart = [], wide
        part.append(stroke)
        edge = max(edge, stroke.right)
    if part:
        yield from _short(Piece(row, tuple(part), apart))


def _short(piece: Piece) -> Iterator[Piece]:
    """As pieces that are not too long to be read in one go, cut at the widest gap near the middle."""
    part = piece.strokes
    middle, width = (piece.left + piece.right) / 2, piece.right - piece.left
    edges = np.maximum.accumulate([one.right for one in part])[:-1]
    starts = np.array([one.left for one in part[1:]])
    gaps = np.where(np.abs((edges + starts) / 2 - middle) < width / 4, starts - edges, 0)
    if width <= LONGEST * 2 * AROUND * piece.row.height or gaps.max(initial=0) <= 0:
        yield piece
        return
    cut = int(np.argmax(gaps)) + 1
    yield from _short(Piece(piece.row, part[:cut], piece.apart))
    yield from _short(Piece(piece.row, part[cut:], apart=False))
