"""Pictures as SVG. Every number drawn is the figure's, and all of them stand on one axis.

Along a response that is the time axis: states as dots, tokens as squares between them. What belongs to a state stands
below its dot and is drawn as dots in its colour, what belongs to a token below its square and as bars in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from engine.notation import Symbol
from prompts.tell import curves
from prompts.tell.axis import Columns, axis, columns, signs
from prompts.tell.figures import ELLIPSIS, Picture
from prompts.tell.marks import (
    FALLING,
    GREEN,
    LINE,
    OTHERS,
    PINK,
    RISING,
    STATE,
    TOKEN,
    VIOLET,
    WIDTH,
    Held,
    Layer,
    box,
    cell,
    curve,
    dot,
    fitted,
    handle,
    number,
    outline,
    roomy,
    rule,
    sheet,
    square,
    stacked,
    words,
)

COLOURS = {  # of quantities that often stand together
    "returns": PINK, "mc_returns": GREEN, "vpreds": VIOLET, "deltas": VIOLET, "mc_advantages": GREEN, "whitened": PINK,
}  # fmt: skip
BAR, PLOT, CELL, BETWEEN = 20, 84, 24, 8  # heights
HELD = 36  # of a bar that can be moved


def drawn(picture: Picture) -> str:
    """The picture as SVG."""
    if picture.figure.kind == "lines":
        return sheet(curves.lines(picture), picture.title, picture.told)
    at, draw = columns(picture), _KINDS[picture.figure.kind]
    layers = [
        layer for one in picture.responses for layer in (axis(one, at), *draw(one, at, picture.numbers), Layer(BETWEEN))
    ]
    return sheet(stacked([*layers[:-1], *signs(picture)]), picture.title, picture.told, held=bool(picture.held))


# ---------------------------------------------------------------- what stands on it


def _colours(picture: Picture) -> Mapping[str, tuple[str, bool]]:
    """Each series' colour, the same in all pictures, and whether it is hollow: all but the first of its kind."""
    found: dict[str, tuple[str, bool]] = {}
    figure = picture.figure
    for key in figure.series:
        kind = [other for other in found if figure.of_state(other) == figure.of_state(key)]
        taken = {colour for colour, _ in found.values()} if figure.kind != "lanes" else set()
        own = COLOURS.get(key, STATE if figure.of_state(key) else TOKEN)
        left = [own, *(colour for colour in OTHERS if colour not in taken), own]
        found[key] = (left[own in taken], bool(kind))
    return found


def _lanes(picture: Picture, at: Columns, numbers: Sequence[float]) -> Iterator[Layer]:
    """A lane for each series, all on one scale: states' numbers on stems, tokens' on bars."""
    figure, colours = picture.figure, _colours(picture)
    largest = max(map(abs, numbers), default=0) or 1
    scale = HELD / roomy(largest) if picture.held else BAR / largest
    for key, row in figure.series.items():
        talls, lower = [(x or 0) * scale for x in row], at.lowered(row)
        above = max(0, *talls) + LINE + max(lower)
        below = max((LINE - tall + max(lower) for tall in talls if tall < 0), default=0)
        of_state, colour = figure.of_state(key), colours[key][0]
        if not at.beside:
            yield _key(picture, key, hollow=False)
        parts = [rule((at.left - 2, above), (at.right, above))]
        if at.beside:
            parts.append(words(4, above + 4, picture.names[key], anchor="start"))
        for i, (x, tall) in enumerate(zip(row, talls, strict=True)):
            place = at.place(i, of_state)
            if x and of_state:
                parts += [_bar(place, above, tall, 2, colour), dot(place, above - tall, colour, 4)]
            elif x:
                parts.append(_bar(place, above, tall, 14, colour))
            beyond = 6 if of_state and x else 3
            up = above - max(tall, 0) - beyond - lower[i]
            parts.append(number(place, above - tall + 8 + beyond + lower[i] if tall < 0 else up, x))
        parts += _handles(picture, key, at, above, scale)
        yield Layer(above + below + 5, "".join(parts))


def _handles(picture: Picture, key: str, at: Columns, zero: float, scale: float) -> Iterator[str]:
    of_state, row = picture.figure.of_state(key), picture.figure.series[key]
    most = 2 * roomy(max((abs(x) for x in row if x is not None), default=0))
    for i, t in enumerate(picture.held.get(key, ())):
        held = Held(f"{key}.{t}", Symbol(key, t).text, row[i] or 0, most, first=not i)
        yield handle(at.place(i, of_state), zero, scale, held)


def _bar(x: float, zero: float, tall: float, width: float, colour: str, *, hollow: bool = False) -> str:
    return box(x - width / 2, zero - max(tall, 0), width, abs(tall), colour, hollow=hollow)


def _together(picture: Picture, at: Columns, numbers: Sequence[float]) -> Iterator[Layer]:
    """One scale for all: states' numbers as dots that are joined, tokens' as bars; below, the numbers."""
    figure, colours = picture.figure, _colours(picture)
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    if picture.held:
        low, high = -roomy(-low) if low else low, roomy(high) if high else high
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
    for key in picture.held:
        parts += _handles(picture, key, at, zero, scale)
    yield Layer(PLOT + 12, "".join(parts))
    for key in figure.series:
        yield from _numbers(picture, key, at)


def _numbers(picture: Picture, key: str, at: Columns) -> Iterator[Layer]:
    """A series' numbers, below or behind its name and its sign."""
    row, of_state = picture.figure.series[key], picture.figure.of_state(key)
    lower = at.lowered(row)
    told = "".join(number(at.place(i, of_state), LINE - 4 + lower[i], x) for i, x in enumerate(row))
    height = LINE + 3 + max(lower)
    if not at.beside:
        yield _key(picture, key)
        yield Layer(height, told)
        return
    colour, hollow = _colours(picture)[key]
    mark = (dot if of_state else square)(7, LINE - 8, colour, 4, hollow=hollow)
    yield Layer(height, mark + words(15, LINE - 4, picture.names[key], anchor="start") + told)


def _key(picture: Picture, key: str, *, hollow: bool | None = None) -> Layer:
    colour, unfilled = _colours(picture)[key]
    hollow = unfilled if hollow is None else hollow
    mark = (dot if picture.figure.of_state(key) else square)(13, LINE - 7, colour, 4, hollow=hollow)
    return Layer(LINE, mark + words(22, LINE - 3, fitted(picture.names[key], WIDTH - 30), anchor="start"))


def _matrix(picture: Picture, at: Columns, numbers: Sequence[float]) -> Iterator[Layer]:
    """A cell for each number, deep where it is large; the row's own place has its sign, or an edge."""
    figure = picture.figure
    largest = max(map(abs, numbers), default=0) or 1
    column_state, row_state = figure.of_state(figure.x_name), figure.of_state(figure.y_name)
    for r, (key, row) in enumerate(figure.series.items()):
        if r == picture.row_gap:
            yield Layer(LINE, words(at.left / 2, LINE - 4, ELLIPSIS))
        if not at.beside:
            yield Layer(LINE, words(8, LINE - 3, fitted(picture.names[key], WIDTH - 16), anchor="start"))
        lower = at.lowered(row)
        parts = [words(4, CELL / 2 + 4, picture.names[key], anchor="start")] if at.beside else []
        for i, x in enumerate(row):
            left = at.place(i, column_state) - at.step / 2 + 1
            if x:
                parts.append(cell(left, 1, at.step - 2, CELL - 2, RISING if x > 0 else FALLING, abs(x) / largest))
            if key == str(figure.x[i]) and column_state == row_state:
                parts.append(outline(left, 1, at.step - 2, CELL - 2))
            elif key == str(figure.x[i]) and figure.over_time:
                sign = dot if row_state else square
                parts.append(sign(at.place(i, row_state), CELL / 2, size=4))
            high = CELL / 2 + 4 + lower[i] - max(lower) / 2
            parts.append(number(at.place(i, column_state), high, x))
        yield Layer(CELL, "".join(parts))


def _waterfall(picture: Picture, at: Columns, _: Sequence[float]) -> Iterator[Layer]:
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


_KINDS: Mapping[str, Callable[[Picture, Columns, Sequence[float]], Iterator[Layer]]] = {
    "lanes": _lanes,
    "together": _together,
    "matrix": _matrix,
    "waterfall": _waterfall,
}
