"""Pictures as SVG. Every number drawn is the figure's, and all of them stand on one axis.

Along a response that is the time axis: states as dots, tokens as squares between them. What belongs to a state stands
below its dot and is drawn as dots in its colour, what belongs to a token below its square and as bars in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

from engine.notation import Symbol
from lessons._figure import ACTION
from lessons._figure import STATE as S
from prompts.tell import curves
from prompts.tell.figures import ELLIPSIS, Picture
from prompts.tell.marks import (
    FALLING,
    LINE,
    OTHERS,
    RISING,
    ROOM,
    STATE,
    TOKEN,
    WIDTH,
    Layer,
    box,
    cell,
    curve,
    dot,
    fitted,
    near,
    number,
    outline,
    rule,
    sheet,
    square,
    stacked,
    wide,
    words,
)

NARROW, EDGE = 26, 10  # pixels: left of the axis where names are short, and right of it
LONGEST_NAME = 60  # that stands before its numbers; above them where it is longer
WIDEST_COLUMN = 66
BAR, PLOT, CELL = 20, 84, 24  # heights
UNDER = 5  # between a number and its baseline


@dataclass(frozen=True)
class Columns:
    """Where things stand: on the time axis states at half columns, tokens at whole ones."""

    left: float
    step: float
    count: int
    gap: int | None
    over_time: bool

    def state(self, i: int) -> float:
        return self.left + self.step * (self._column(i) + 0.5)

    def token(self, i: int) -> float:
        return self.left + self.step * (self._column(i) + (1 if self.over_time else 0.5))

    def place(self, i: int, of_state: bool) -> float:
        return self.state(i) if of_state and self.over_time else self.token(i)

    def between(self) -> float:
        """The middle of what is left out."""
        assert self.gap is not None
        return (self.token(self.gap - 1) + self.token(self.gap)) / 2

    @property
    def right(self) -> float:
        return self.state(self.count) if self.over_time else self.token(self.count - 1) + self.step / 2

    def _column(self, i: int) -> int:
        return i + (self.gap is not None and i >= self.gap)


def drawn(picture: Picture) -> str:
    """The picture as SVG."""
    if picture.figure.kind == "lines":
        return sheet(curves.lines(picture), picture.title, picture.told)
    at = _columns(picture)
    axis = _time(picture, at) if picture.figure.over_time else _names(picture, at)
    layers = [axis, *_KINDS[picture.figure.kind](picture, at), *_below(picture)]
    return sheet(stacked(layers), picture.title, picture.told)


def _columns(picture: Picture) -> Columns:
    figure = picture.figure
    count = len(figure.x) + (picture.gap is not None)
    names = [wide(picture.names[key]) for key in figure.series]
    left = max([NARROW, *names]) + 6 if _beside(picture) else NARROW - ROOM / 2
    step = (WIDTH - left - EDGE) / (count + (0.5 if figure.over_time else 0))
    return Columns(left, min(step, WIDEST_COLUMN), len(figure.x), picture.gap, figure.over_time)


def _beside(picture: Picture) -> bool:
    """Whether names stand before their numbers."""
    return all(wide(picture.names[key]) <= LONGEST_NAME for key in picture.figure.series)


# ---------------------------------------------------------------- the axis


def _time(picture: Picture, at: Columns) -> Layer:
    """State, token, state, token …, each token by its name."""
    middle, parts = LINE + 12, []
    ends = [at.state(0), at.right]
    if at.gap is None:
        parts.append(rule((ends[0], middle), (ends[1], middle)))
    else:
        before, after = at.token(at.gap - 1) + at.step / 2, at.state(at.gap)
        parts += [rule((ends[0], middle), (before, middle)), rule((after, middle), (ends[1], middle))]
        parts += [rule((before, middle), (after, middle), dotted=True), words(at.between(), LINE, ELLIPSIS)]
    places = picture.figure.x
    for i, t in enumerate(places):
        parts += [dot(at.state(i), middle), words(at.state(i), LINE, Symbol(S, t).text)]
        called = picture.tokens[i] if picture.tokens else Symbol(ACTION, t).text
        parts += [
            square(at.token(i), middle),
            words(at.token(i), middle + 21, fitted(called, at.step - 2), whole=called),
        ]
    parts += [dot(at.right, middle, hollow=True), words(at.right, LINE, Symbol(S, places[-1] + 1).text)]
    return Layer(middle + 30, "".join(parts))


def _names(picture: Picture, at: Columns) -> Layer:
    """Another axis: its places by their names, in two lines in turn where they are wide."""
    called = [
        f"{picture.names[picture.figure.x_name]}{' = '}{near(x)}" if isinstance(x, int | float) else name
        for x, name in zip(picture.figure.x, picture.places, strict=True)
    ]
    if max(map(wide, called)) > at.step:
        called = list(picture.places)
    tall = max(map(wide, called)) > at.step - 2
    parts = [
        words(at.token(i), LINE * (1 + (tall and i % 2)), fitted(name, at.step * (1 + tall) - 4), whole=name)
        for i, name in enumerate(called)
    ]
    if at.gap is not None:
        parts.append(words(at.between(), LINE, ELLIPSIS))
    return Layer(LINE * (1 + tall) + 8, "".join(parts))


def _below(picture: Picture) -> Iterator[Layer]:
    """What the signs mean, and what is not drawn."""
    if picture.figure.over_time:
        state, token = picture.names["state"], picture.names["action"]
        second = NARROW + wide(state) + ROOM
        marks = dot(14, LINE, size=5) + words(24, LINE + 4, state, anchor="start")
        marks += square(second, LINE, size=5) + words(second + 10, LINE + 4, token, anchor="start")
        yield Layer(2 * LINE - 4, marks)
    if picture.left_out:
        yield Layer(LINE, words(8, LINE - 4, picture.left_out, anchor="start"))


# ---------------------------------------------------------------- what stands on it


def _colours(picture: Picture) -> Mapping[str, tuple[str, bool]]:
    """Each series' colour, and whether it is hollow: the first of the states' and of the tokens' have their signs'."""
    found: dict[str, tuple[str, bool]] = {}
    further = iter(OTHERS * len(picture.figure.series))
    for key in picture.figure.series:
        own = STATE if picture.figure.of_state(key) else TOKEN
        taken = own in {colour for colour, _ in found.values()}
        found[key] = (next(further) if taken else own, taken)
    return found


def _lanes(picture: Picture, at: Columns) -> Iterator[Layer]:
    for key, row in picture.figure.series.items():
        numbers = [x for x in row if x is not None]
        above = (BAR if any(x > 0 for x in numbers) else 0) + LINE
        below = BAR + LINE if any(x < 0 for x in numbers) else 4
        largest = max(map(abs, numbers), default=0) or 1
        of_state = picture.figure.of_state(key)
        if not _beside(picture):
            yield _key(picture, key)
        parts = [rule((at.left - 2, above), (at.right, above))]
        if _beside(picture):
            parts.append(words(4, above + 4, picture.names[key], anchor="start"))
        for i, x in enumerate(row):
            tall, place = (x or 0) / largest * BAR, at.place(i, of_state)
            if x:
                parts.append(_bar(place, above, tall, 14, STATE if of_state else TOKEN))
            parts.append(number(place, above - max(tall, 0) - 3 if (x or 0) >= 0 else above - tall + 11, x))
        yield Layer(above + below + 2, "".join(parts))


def _bar(x: float, zero: float, tall: float, width: float, colour: str, *, hollow: bool = False) -> str:
    return box(x - width / 2, zero - max(tall, 0), width, abs(tall), colour, hollow=hollow)


def _together(picture: Picture, at: Columns) -> Iterator[Layer]:
    """One scale for all: states' numbers as dots that are joined, tokens' as bars; below, the numbers."""
    figure, colours = picture.figure, _colours(picture)
    numbers = [0.0, *(x for row in figure.series.values() for x in row if x is not None)]
    low, high = min(numbers), max(numbers)
    scale = PLOT / ((high - low) or 1)
    zero = 4 + high * scale
    bars = [key for key in figure.series if not figure.of_state(key)]
    width = min(14, at.step * 0.7 / max(len(bars), 1))
    parts = [rule((at.left, zero), (at.right, zero))]
    for look, (key, row) in enumerate(figure.series.items()):
        colour, hollow = colours[key]
        if key in bars:
            shift = (bars.index(key) - (len(bars) - 1) / 2) * (width + 2)
            parts += [
                _bar(at.token(i) + shift, zero, x * scale, width, colour, hollow=hollow) for i, x in enumerate(row) if x
            ]
            continue
        points = [None if x is None else (at.place(i, True), zero - x * scale) for i, x in enumerate(row)]
        steps = [pair for i, pair in enumerate(pairwise(points), start=1) if None not in pair and i != at.gap]
        parts += [curve([one, other], colour, look) for one, other in steps if one and other]
        parts += [dot(x, y, colour, 4.5, hollow=hollow) for x, y in filter(None, points)]
    yield Layer(PLOT + 12, "".join(parts))
    for key in figure.series:
        yield from _numbers(picture, key, at)


def _numbers(picture: Picture, key: str, at: Columns) -> Iterator[Layer]:
    """A series' numbers, below or behind its name and its sign."""
    row, of_state = picture.figure.series[key], picture.figure.of_state(key)
    told = "".join(number(at.place(i, of_state), LINE - 4, x) for i, x in enumerate(row))
    if not _beside(picture):
        yield _key(picture, key)
        yield Layer(LINE + 3, told)
        return
    colour, hollow = _colours(picture)[key]
    mark = (dot if of_state else square)(7, LINE - 8, colour, 4, hollow=hollow)
    yield Layer(LINE + 3, mark + words(15, LINE - 4, picture.names[key], anchor="start") + told)


def _key(picture: Picture, key: str) -> Layer:
    colour, hollow = _colours(picture)[key]
    mark = (dot if picture.figure.of_state(key) else square)(13, LINE - 7, colour, 4, hollow=hollow)
    return Layer(LINE, mark + words(22, LINE - 3, fitted(picture.names[key], WIDTH - 30), anchor="start"))


def _matrix(picture: Picture, at: Columns) -> Iterator[Layer]:
    """A cell for each number, deep where it is large; the row's own place has its sign, or an edge."""
    figure = picture.figure
    largest = max((abs(x) for row in figure.series.values() for x in row if x is not None), default=0) or 1
    column_state, row_state = figure.of_state(figure.x_name), figure.of_state(figure.y_name)
    for r, (key, row) in enumerate(figure.series.items()):
        if r == picture.row_gap:
            yield Layer(LINE, words(at.left / 2, LINE - 4, ELLIPSIS))
        if not _beside(picture):
            yield Layer(LINE, words(8, LINE - 3, fitted(picture.names[key], WIDTH - 16), anchor="start"))
        parts = [words(4, CELL / 2 + 4, picture.names[key], anchor="start")] if _beside(picture) else []
        for i, x in enumerate(row):
            left = at.place(i, column_state) - at.step / 2 + 1
            if x:
                parts.append(cell(left, 1, at.step - 2, CELL - 2, RISING if x > 0 else FALLING, abs(x) / largest))
            if key == str(figure.x[i]) and column_state == row_state:
                parts.append(outline(left, 1, at.step - 2, CELL - 2))
            elif key == str(figure.x[i]) and figure.over_time:
                sign = dot if row_state else square
                parts.append(sign(at.place(i, row_state), CELL / 2, size=4))
            parts.append(number(at.place(i, column_state), CELL / 2 + 4, x))
        yield Layer(CELL, "".join(parts))


def _waterfall(picture: Picture, at: Columns) -> Iterator[Layer]:
    """From where it starts, at the first state, up and down by each token's step, to where it ends, at the last."""
    figure = picture.figure
    ((key, steps),) = figure.series.items()
    split = len(steps) if at.gap is None else at.gap
    before = list(accumulate(steps[:split], initial=figure.start))
    after = list(accumulate((-step for step in reversed(steps[split:])), initial=figure.end))[::-1]
    levels = [*pairwise(before), *pairwise(after)]
    heights = [0.0, figure.start, figure.end, *(x for pair in levels for x in pair)]
    scale = PLOT / ((max(heights) - min(heights)) or 1)
    zero, width = LINE + max(heights) * scale, min(16, at.step * 0.42)

    def y(level: float) -> float:
        return zero - level * scale

    parts = [rule((at.left, zero), (at.right, zero))]
    for x, level in ((at.state(0), figure.start), (at.right, figure.end)):
        parts.append(_bar(x, zero, level * scale, width, STATE))
        parts.append(number(x, min(y(level), zero) - 4 if level >= 0 else y(level) + 12, level))
    for i, (low, high) in enumerate(levels):
        parts.append(_bar(at.token(i), y(low), (high - low) * scale, width, RISING if high > low else FALLING))
        parts.append(rule((at.state(i), y(low)), (at.token(i), y(low)), dotted=True))
        parts.append(rule((at.token(i), y(high)), (at.token(i) + at.step / 2, y(high)), dotted=True))
    yield Layer(PLOT + 2 * LINE, "".join(parts))
    yield from _numbers(picture, key, at)


_KINDS: Mapping[str, Callable[[Picture, Columns], Iterator[Layer]]] = {
    "lanes": _lanes,
    "together": _together,
    "matrix": _matrix,
    "waterfall": _waterfall,
}
