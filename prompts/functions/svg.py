"""A response as SVG: along a time axis, states (circles) and tokens (squares), and a lane of bars for each quantity.

What belongs to a state stands on its circle, before the token; what a token did stands on its square.
Text takes the page's own colour, so that it can be read on white and on black.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.notation import SYMBOLS, show

COLUMN, LEFT, RIGHT, TOP = 64, 52, 24, 64  # pixels
LANE, BAR, AXIS = 62, 17, 34
DIGITS = 3
LONGEST_TOKEN = 8  # characters
STATE, TOKEN = "#3b98d2", "#c77c00"  # to every eye apart, on white and on black
_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Lane:
    name: str  # a quantity with a symbol
    numbers: Sequence[float | None]
    of_state: bool  # it stands before its token


def svg(lanes: Sequence[Lane], tokens: Sequence[str], title: str, alt: str) -> str:
    count = len(lanes[0].numbers)
    width, height = LEFT + COLUMN * count + RIGHT, TOP + LANE * len(lanes) + AXIS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="12" '
        'text-anchor="middle" fill="currentColor">',
        f"<title>{_safe(title)}</title><desc>{_safe(alt)}</desc>",
        *_axis(count, tokens, height),
    ]
    for i, lane in enumerate(lanes):
        parts += _lane(lane, TOP + LANE * i + LANE / 2)
    return "".join([*parts, "</svg>"])


def _safe(text: str) -> str:
    return html.escape(_UNPRINTABLE.sub(" ", text))


def _state(t: int) -> float:
    return LEFT + COLUMN * t


def _token(t: int) -> float:
    return _state(t) + COLUMN / 2


def _axis(count: int, tokens: Sequence[str], height: int) -> Iterator[str]:
    """State, token, state, token … and the places below."""
    yield f'<path d="M{_state(0)} 24H{_state(count)}" stroke="#94a3b8"/>'
    for t in range(count + 1):
        yield f'<circle cx="{_state(t)}" cy="24" r="6" fill="{STATE}"/>'
        yield f'<text x="{_state(t)}" y="12">s<tspan font-size="8" dy="3">{t}</tspan></text>'
    for t in range(count):
        yield f'<rect x="{_token(t) - 6}" y="18" width="12" height="12" fill="{TOKEN}"/>'
        text = tokens[t] if t < len(tokens) else ""
        yield f'<text x="{_token(t)}" y="47">{_safe(text[:LONGEST_TOKEN])}</text>'
        yield f'<text x="{_token(t)}" y="{height - 12}" opacity=".7">t = {t}</text>'


def _lane(lane: Lane, middle: float) -> Iterator[str]:
    place, colour = (_state, STATE) if lane.of_state else (_token, TOKEN)
    largest = max((abs(x) for x in lane.numbers if x is not None), default=0.0) or 1.0
    letter = html.escape(SYMBOLS[lane.name][1])
    yield f'<path d="M{LEFT - 8} {middle}H{_state(len(lane.numbers))}" stroke="#94a3b8" stroke-width=".5"/>'
    yield f'<text x="18" y="{middle + 4}" font-style="italic">{letter}<tspan font-size="8" dy="3">t</tspan></text>'
    for t, x in enumerate(lane.numbers):
        if x is None:
            continue
        tall = abs(x) / largest * BAR
        top = middle - tall if x > 0 else middle
        yield f'<rect x="{place(t) - 7}" y="{top:.2f}" width="14" height="{tall:.2f}" fill="{colour}"/>'
        y = top - 3 if x >= 0 else top + tall + 11
        yield f'<text x="{place(t)}" y="{y:.2f}" font-size="10">{html.escape(show(x, DIGITS).text)}</text>'
