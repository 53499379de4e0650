"""Curves over numbers: a scale on each side, and below them which is which."""

from __future__ import annotations

from prompts.tell.figures import Picture
from prompts.tell.marks import (
    LINE,
    OTHERS,
    ROOM,
    STATE,
    TOKEN,
    WIDTH,
    Layer,
    curve,
    dot,
    fitted,
    near,
    rule,
    stacked,
    wide,
    words,
)  # fmt: skip

HEIGHT, TOP = 150, 10
COLOURS = (STATE, TOKEN, *OTHERS)
NEAR = 13  # pixels between two numbers of a scale


def lines(picture: Picture) -> Layer:
    figure = picture.figure
    numbers = [x for row in figure.series.values() for x in row if x is not None]
    low, high = min(numbers), max(numbers)
    marked = _apart([high, low, *([0.0] if low < 0 < high else [])], HEIGHT / ((high - low) or 1))
    left = max(wide(near(y)) for y in marked) + 10
    across, up = WIDTH - left - ROOM, HEIGHT / ((high - low) or 1)
    first, last = figure.x[0], figure.x[-1]

    def at(x: float, y: float) -> tuple[float, float]:
        return left + across * (x - first) / ((last - first) or 1), TOP + (high - y) * up

    parts = [rule(at(first, y), at(last, y), dotted=y != 0) for y in marked]
    parts += [words(left - 5, at(first, y)[1] + 4, near(y), anchor="end") for y in marked]
    bottom = TOP + HEIGHT + LINE
    middle = figure.x[len(figure.x) // 2]
    parts += [words(at(x, low)[0], bottom, near(x)) for x in dict.fromkeys((first, middle, last))]
    parts.append(words(WIDTH - 8, bottom + LINE, picture.names[figure.x_name], anchor="end"))
    for look, row in enumerate(figure.series.values()):
        points = [at(x, y) for x, y in zip(figure.x, row, strict=True) if y is not None]
        parts.append(curve(points, COLOURS[look % len(COLOURS)], look))
    return stacked([Layer(bottom + LINE + 4, "".join(parts)), *_which(picture)])


def _apart(numbers: list[float], scale: float) -> list[float]:
    """Those that do not stand upon one before."""
    kept: list[float] = []
    for y in numbers:
        if all(abs(y - other) * scale >= NEAR for other in kept):
            kept.append(y)
    return kept


def _which(picture: Picture) -> list[Layer]:
    found = []
    for look, key in enumerate(picture.figure.series):
        colour = COLOURS[look % len(COLOURS)]
        marks = curve([(8, 8), (32, 8)], colour, look) + dot(20, 8, colour, 3)
        found.append(Layer(LINE + 1, marks + words(40, 12, fitted(picture.names[key], WIDTH - 44), anchor="start")))
    return found
