"""What the ink itself shows of a character goes before what the network says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from prompts.pictures.pieces import Piece, Stroke

DOTS = (".", "·", "•", "・")
BARS = ("|", "丨", "1", "I", "l", "!")
DRAWN = {**dict.fromkeys(("一", "—", "–", "-", "−"), "-"), "十": "+", "+": "+", "|": "|", " ": " "}
# In heights of a line's middle.
BAR, SLENDER = 1.6, 6  # how high a bar is at least; and how much higher than wide, as a ratio
HIGHER = 1.3  # times the characters beside it
SMALL = 0.5  # a dot, a comma or a dash is less high
FLAT = 0.35
SHORT = 1.2  # a dash is less wide, the Chinese one is wider
DIGIT, HIGHEST = 0.7, 2.2  # how high a digit is at least and at most
SPECK = 0.15  # what is smaller is no part of a character
ON_THE_LINE = 0.3  # how far from the line a full stop ends at most
NEAR = 0.8  # how far from its ink a character may be said to stand
BETWEEN = 0.7  # words stand farther apart
IN_PARTS = '"“”…«»%‰≪≫'  # what one character draws beside one another
FEWEST = 4  # signs of a line that is drawn


@dataclass(frozen=True)
class Glyph:
    text: str
    sure: float
    at: float  # where its middle stands, from the left of the picture

    @property
    def unsure(self) -> Glyph:
        return replace(self, sure=0.0)


@dataclass(frozen=True)
class Span:
    """Strokes above one another."""

    strokes: tuple[Stroke, ...]
    height: float  # of the line's middle; it measures the rest

    @property
    def left(self) -> int:
        return min(one.left for one in self.strokes)

    @property
    def right(self) -> int:
        return max(one.right for one in self.strokes)

    @property
    def bottom(self) -> int:
        return max(one.bottom for one in self.strokes)

    @property
    def tall(self) -> float:
        return (self.bottom - min(one.top for one in self.strokes)) / self.height

    @property
    def wide(self) -> float:
        return (self.right - self.left) / self.height

    def away(self, at: float) -> float:
        return max(self.left - at, at - self.right, 0.0) / self.height


def checked(glyphs: Sequence[Glyph], piece: Piece) -> tuple[Glyph, ...]:
    """The characters of a piece: corrected where the ink is plain, unsure where it contradicts, none left out."""
    spans = _spans(piece)
    drawn = _drawn(spans, glyphs)
    if drawn:
        return drawn
    line = _line(spans, piece)
    told = [_held(one, spans, line) for one in glyphs]
    named = [replace(told[i], sure=0.0) if _begins_a_name(told, i) else told[i] for i in range(len(told))]
    return tuple(sorted([*named, *_left_out(named, spans, line)], key=lambda one: one.at))


def _spans(piece: Piece) -> list[Span]:
    parts: list[list[Stroke]] = []
    edge = -1
    for one in sorted(piece.strokes, key=lambda one: one.left):
        if parts and one.left <= edge:
            parts[-1].append(one)
        else:
            parts.append([one])
        edge = max(edge, one.right) if len(parts[-1]) > 1 else one.right
    return [Span(tuple(part), piece.row.height) for part in parts]


def _drawn(spans: Sequence[Span], glyphs: Sequence[Glyph]) -> tuple[Glyph, ...]:
    """A bar by itself, and a line that is drawn with dashes, bars and crosses and holds no words."""
    flat = [one.tall < FLAT for one in spans]
    plain = all(no_height or _is_bar(one, ()) for one, no_height in zip(spans, flat, strict=True))
    if plain and (len(spans) >= FEWEST or not any(flat)):
        signs = ["-" if no_height else "|" for no_height in flat]
        return tuple(Glyph(x, 1.0, (one.left + one.right) / 2) for x, one in zip(signs, spans, strict=True))
    if len(glyphs) < FEWEST or any(one.text not in DRAWN for one in glyphs):
        return ()
    return tuple(replace(one, text=DRAWN[one.text], sure=1.0) for one in glyphs)


def _is_bar(span: Span, spans: Sequence[Span]) -> bool:
    """Higher than the characters beside it, and thin."""
    usual = [one.tall for one in spans if one.tall > DIGIT]
    high = HIGHER * float(np.median(usual)) if len(usual) >= FEWEST else BAR
    return span.tall >= high and span.tall >= SLENDER * span.wide


def _line(spans: Sequence[Span], piece: Piece) -> float:
    """Where the characters stand."""
    ends = [span.bottom for span in spans if span.tall > DIGIT]
    return float(np.median(ends)) if ends else piece.row.middle + DIGIT * piece.row.height


def _held(glyph: Glyph, spans: Sequence[Span], line: float) -> Glyph:
    """A character against its ink."""
    dots = [one for one in spans if max(one.tall, one.wide) < SMALL and one.away(glyph.at) <= NEAR]
    if glyph.text in DOTS and dots:
        span = min(dots, key=lambda one: one.away(glyph.at))
        low = line - span.bottom < ON_THE_LINE * span.height
        return Glyph("." if low else "·", 1.0, glyph.at)
    span = min(spans, key=lambda one: one.away(glyph.at))
    if span.away(glyph.at) > NEAR:
        return glyph
    if glyph.text == "一" and span.tall < FLAT and span.wide < SHORT:
        return replace(glyph, text="–")
    if glyph.text in BARS and _is_bar(span, spans):
        return replace(glyph, text="|", sure=1.0)
    in_parts = span.wide < SHORT and _in_parts(span)
    if glyph.text.isdigit() and (in_parts or not DIGIT < span.tall < HIGHEST):
        return glyph.unsure
    return glyph


def _in_parts(span: Span) -> bool:
    """Whether one stroke ends above where another begins, as a dot above a letter."""
    parts = [one for one in span.strokes if one.tall > SPECK * span.height]
    return any(one.bottom < other.top for one in parts for other in parts)


def _begins_a_name(told: Sequence[Glyph], i: int) -> bool:
    """A digit with an underscore behind it and no name before it: no name begins so."""
    follows = i + 1 < len(told) and told[i + 1].text == "_"
    return told[i].text.isdigit() and follows and not (i and (told[i - 1].text.isalnum() or told[i - 1].text in "_."))


def _left_out(told: Sequence[Glyph], spans: Sequence[Span], line: float) -> list[Glyph]:
    """A mark for all ink that nothing was said of; every dot and every dash is to have a sign of its own."""
    said = [one for one in told if one.text.strip()]
    signs = [one for one in said if not one.text.isalnum()]
    silent = []
    for span in spans:
        middle = (span.left + span.right) / 2
        near = [one for one in said if span.away(one.at) <= NEAR]
        if not near:
            silent.append(middle)
        elif _is_sign(span, line) and not any(one.text > "\u2e80" or one.text == "…" for one in near):
            own = min(signs, key=lambda one: abs(one.at - middle), default=None)
            if own is None or span.away(own.at) > NEAR:
                silent.append(middle)
            else:
                signs.remove(own)
    silent += _fewer(said, spans, silent)
    return [Glyph("", 0.0, at) for at in silent]


def _fewer(said: Sequence[Glyph], spans: Sequence[Span], silent: Sequence[float]) -> list[float]:
    """Where a word has fewer characters than it has parts of ink: the part that is farthest from any of them."""
    words: list[list[Span]] = []
    for span in spans:
        if words and span.left - words[-1][-1].right < BETWEEN * span.height:
            words[-1].append(span)
        else:
            words.append([span])
    found = []
    for word in words:
        room = BETWEEN / 2 * word[0].height
        own = [one for one in said if word[0].left - room <= one.at <= word[-1].right + room]
        known = len(own) + sum(word[0].left <= at <= word[-1].right for at in silent)
        if known < len(word) and all(one.text < "\u2e80" and one.text not in IN_PARTS for one in own):
            away = [min((span.away(one.at) for one in own), default=NEAR) for span in word]
            span = word[int(np.argmax(away))]
            found.append((span.left + span.right) / 2)
    return found


def _is_sign(span: Span, line: float) -> bool:
    """A dot or a dash on the line or at its middle, and no quotation mark."""
    return max(span.tall, span.wide) > SPECK and span.tall < SMALL and line - span.bottom < DIGIT * span.height
