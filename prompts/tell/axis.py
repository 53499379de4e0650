"""The axis that everything in a picture stands on: where, what it is called, what its signs mean.

Along a response: states as dots, tokens as squares between them, each token by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.notation import Symbol
from lessons._figure import ACTION
from lessons._figure import STATE as S
from prompts.tell.figures import ELLIPSIS, Picture
from prompts.tell.marks import LINE, ROOM, WIDTH, Layer, dot, fitted, near, rule, square, wide, words

NARROW, EDGE = 26, 18  # pixels: left of the axis where names are short, and right of it
LONGEST_NAME = 70  # that stands before its numbers; above them where it is longer
WIDEST_COLUMN = 66
MARK = 12  # a series' sign before its name
LOWER = 11


@dataclass(frozen=True)
class Columns:
    """Where things stand: on the time axis states at half columns, tokens at whole ones."""

    left: float
    step: float
    count: int
    gap: int | None
    over_time: bool
    beside: bool  # names stand before their numbers

    def state(self, i: int) -> float:
        return self.left + self.step * (self._column(i) + 0.5)

    def token(self, i: int) -> float:
        return self.left + self.step * (self._column(i) + (1 if self.over_time else 0.5))

    def place(self, i: int, of_state: bool) -> float:
        return self.state(i) if of_state and self.over_time else self.token(i)

    def between(self) -> float:
        """The middle of what is left out."""
        assert self.gap is not None
        return (self.token(self.gap - 1) + self.place(self.gap, of_state=True)) / 2

    def lowered(self, row: Sequence[float | None]) -> list[int]:
        """How much lower each number of a row stands: every other one, where they have no room beside one another."""
        tight = max(wide(near(x)) for x in row) > self.step
        return [LOWER if tight and i % 2 else 0 for i in range(len(row))]

    @property
    def right(self) -> float:
        return self.state(self.count) if self.over_time else self.token(self.count - 1) + self.step / 2

    def _column(self, i: int) -> int:
        return i + (self.gap is not None and i >= self.gap)


def columns(picture: Picture) -> Columns:
    """Names stand before their numbers where they and these are short, else above them."""
    figure = picture.figure
    names = max(wide(picture.names[key]) for key in figure.series)
    numbers = max(wide(near(x)) for x in (*picture.numbers, None))
    room = len(figure.x) + (picture.gap is not None) + (0.5 if figure.over_time else 0)
    left = max(NARROW, names + (MARK if figure.kind in ("together", "waterfall") else 0)) + 4
    beside = names <= LONGEST_NAME and (left <= NARROW * 2 or (WIDTH - left - EDGE) / room >= numbers)
    left = left if beside else NARROW / 2
    step = min((WIDTH - left - EDGE) / room, WIDEST_COLUMN)
    return Columns(left, step, len(figure.x), picture.gap, figure.over_time, beside)


def axis(picture: Picture, at: Columns) -> Layer:
    return _time(picture, at) if at.over_time else _names(picture, at)


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
    axis = picture.names[picture.figure.x_name]
    numbers = all(isinstance(x, int | float) for x in picture.figure.x)
    called = [f"{axis} = {place}" if numbers else place for place in picture.places]
    above = 0
    if numbers and max(map(wide, called)) > at.step - 2:
        called, above = list(picture.places), LINE
    parts = [words(at.left, LINE, axis, anchor="start")] if above else []
    tall = max(map(wide, called)) > at.step - 2
    parts += [
        words(at.token(i), above + LINE * (1 + (tall and i % 2)), fitted(name, at.step * (1 + tall) - 4), whole=name)
        for i, name in enumerate(called)
    ]
    if at.gap is not None:
        parts.append(words(at.between(), above + LINE, ELLIPSIS))
    return Layer(above + LINE * (1 + tall) + 8, "".join(parts))


def signs(picture: Picture) -> Iterator[Layer]:
    """What the signs mean, and what is not drawn."""
    if picture.figure.over_time:
        state, token = picture.names["state"], picture.names["action"]
        second = NARROW + wide(state) + ROOM
        marks = dot(14, LINE, size=5) + words(24, LINE + 4, state, anchor="start")
        marks += square(second, LINE, size=5) + words(second + 10, LINE + 4, token, anchor="start")
        yield Layer(2 * LINE - 4, marks)
    if picture.left_out:
        yield Layer(LINE, words(8, LINE - 4, picture.left_out, anchor="start"))
