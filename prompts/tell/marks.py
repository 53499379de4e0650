"""What pictures are made of: dots for states, squares for tokens, bars, curves, words; as SVG.

Words take the page's own colour. The others stand out from white and from black, and for eyes that see fewer colours
they differ in place, shape and filling as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from engine.notation import DIGITS, show
from prompts.tell.learner_text import entities
from prompts.tell.widths import em

WIDTH = 328  # what a narrow phone shows of a page, in pixels
FONT = 11
LINE = 15  # a line of words
STATE, TOKEN = "#3b98d2", "#c77c00"  # after Okabe and Ito, as all that follow
PINK, GREEN, VIOLET = "#c4629a", "#009e73", "#8a7fd0"
RISING, FALLING = GREEN, "#d55e00"
OTHERS = (PINK, GREEN, VIOLET)  # of further series
FAINT = "#8391a7"
DEEPEST = 0.45  # how much of a cell's colour there is at most, so that its number can be read
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
SHORT = 3  # digits
ROOM = 24  # between two words in a line


@dataclass(frozen=True)
class Layer:
    """Some marks, and how high they are together. Layers are put one below the other."""

    height: float
    marks: str = ""


def stacked(layers: Iterable[Layer]) -> Layer:
    height, found = 0.0, []
    for layer in layers:
        found.append(f'<g transform="translate(0 {height:g})">{layer.marks}</g>' if height else layer.marks)
        height += layer.height
    return Layer(height, "".join(found))


def sheet(layer: Layer, title: str, told: str, *, held: bool = False) -> str:
    """A picture that names itself; told: all that it shows, in words. held: parts of it can be moved."""
    role = "group" if held else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {WIDTH} {layer.height:g}" '
        f'width="{WIDTH}" height="{layer.height:g}" role="{role}" font-family="system-ui, sans-serif" '
        f'font-size="{FONT}" text-anchor="middle" fill="currentColor">'
        f"<title>{entities(title)}</title><desc>{entities(told)}</desc>{layer.marks}</svg>"
    )


def near(x: float | None) -> str:
    return "–" if x is None else show(x, SHORT).text


def wide(text: str) -> float:
    return em(text) * FONT


def words(x: float, y: float, text: str, *, anchor: str = "", whole: str = "") -> str:
    """whole: what the pointer is told, where that is more."""
    placed = f' text-anchor="{anchor}"' if anchor else ""
    more = f"<title>{entities(whole)}</title>" if whole and whole != text else ""
    return f'<text x="{x:.4g}" y="{y:.4g}"{placed}>{more}{entities(text)}</text>'


def number(x: float, y: float, of: float | None) -> str:
    return words(x, y, near(of), whole="" if of is None else show(of, DIGITS).text)


def fitted(text: str, room: float) -> str:
    """As much of a text as there is room for."""
    if wide(text) <= room:
        return text
    kept = next((i for i in range(len(text), 0, -1) if wide(text[:i] + "…") <= room), 0)
    return text[:kept] + "…"


def dot(x: float, y: float, colour: str = STATE, size: float = 6, *, hollow: bool = False) -> str:
    return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{size:g}"{_filled(colour, hollow)}/>'


@dataclass(frozen=True)
class Held:
    """A number that can be taken hold of and moved, as far as `most` either way."""

    at: str  # which: its list and its place
    called: str
    x: float
    most: float
    first: bool  # of its list: the keyboard comes to it


def handle(x: float, zero: float, scale: float, held: Held) -> str:
    """What is taken hold of; scale: pixels for one."""
    return (
        f'<g class="handle" role="slider" tabindex="{-1 + held.first}" data-at="{held.at}" data-scale="{scale:.6g}" '
        f'aria-label="{entities(held.called)}" aria-valuenow="{held.x:.12g}" aria-valuetext="{entities(near(held.x))}" '
        f'aria-valuemin="{-held.most:g}" aria-valuemax="{held.most:g}" aria-orientation="vertical">'
        f'<circle cx="{x:.4g}" cy="{zero - held.x * scale:.4g}" r="12" fill="transparent"/></g>'
    )


def roomy(x: float) -> float:
    """The next of one, two or five with zeros: what a scale keeps while a number on it is moved."""
    if not x:
        return 1.0
    tens = 10.0 ** floor(log10(x))
    return next(step * tens for step in (1, 2, 5, 10) if x <= step * tens * (1 + 1e-9))


def square(x: float, y: float, colour: str = TOKEN, size: float = 6, *, hollow: bool = False) -> str:
    return box(x - size, y - size, 2 * size, 2 * size, colour, hollow=hollow)


def box(x: float, y: float, width: float, height: float, colour: str, *, hollow: bool = False) -> str:
    return f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}"{_filled(colour, hollow)}/>'


def cell(x: float, y: float, width: float, height: float, colour: str, share: float) -> str:
    """As deep as its number is large: share of the largest."""
    return (
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" rx="2" fill="{colour}" '
        f'fill-opacity="{DEEPEST * share:.3g}"/>'
    )


def outline(x: float, y: float, width: float, height: float) -> str:
    place = f'x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}"'
    return f'<rect {place} rx="2" fill="none" stroke="currentColor" stroke-width="1.5"/>'


def rule(*points: tuple[float, float], dotted: bool = False) -> str:
    return _path(points, FAINT, 1, "2 3" if dotted else "")


def curve(points: Sequence[tuple[float, float]], colour: str, look: int = 0) -> str:
    return _path(points, colour, 2, _DASHES[look % len(_DASHES)])


def _path(points: Sequence[tuple[float, float]], colour: str, width: float, dashes: str) -> str:
    line = "L".join(f"{x:.4g} {y:.4g}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def _filled(colour: str, hollow: bool) -> str:
    return (
        f' fill="{colour}" fill-opacity=".15" stroke="{colour}" stroke-width="1.5"' if hollow else f' fill="{colour}"'
    )
