"""A picture as text: its lines and columns as they stand, a mark for every character that is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from engine.errors import EngineError
from prompts.pictures import formulas, networks
from prompts.pictures.checking import Glyph
from prompts.pictures.decoding import decoded
from prompts.pictures.ink import Ink, ink
from prompts.pictures.layout import Cell, Line, laid_out
from prompts.pictures.pieces import Piece, pieces, rows, strokes
from prompts.pictures.recognising import recognised
from prompts.pictures.stacked import stacked
from prompts.tell.words import word

MARK = "□"  # in the place of a character that is not sure
SURE = 0.75
TYPICAL = 30  # percent of the lines are less high: short ones seem higher than they are
SPACE = 0.5  # heights of a line's middle: a gap between words
MOST_TEXT = 160_000  # pixels of width of all lines, as high as they are read


@dataclass(frozen=True)
class Read:
    text: str
    unsure: int  # characters that are marked
    unread: int  # formulas that are marked


def read(data: bytes, language: str, formula: formulas.Reader | None = None) -> Read:
    """What stands in a picture; EngineError where it cannot be read."""
    networks.check()
    picture = decoded(data)
    lines = rows(networks.where_text_is(picture))
    if not lines:
        return Read("", 0, 0)
    height = float(np.percentile([line.height for line in lines], TYPICAL))
    seen = ink(picture, 2 * height)
    labels, found = strokes(seen, height)
    apart, above = stacked(found, seen.across, height)
    told = pieces(lines, [*apart, *above], seen, height)
    return _written(told, _said(told, picture, seen, labels, formula or formulas.reader()), language)


def _said(
    told: Sequence[Piece], picture: np.ndarray, seen: Ink, labels: np.ndarray, formula: formulas.Reader | None
) -> list[tuple[Glyph, ...]]:
    """The characters of every piece; of a formula all of it, unsure where nobody reads it."""
    words = [piece for piece in told if not piece.strokes[0].is_formula]
    if sum(networks.LOW * (piece.right - piece.left) / piece.row.height / 2 for piece in words) > MOST_TEXT:
        raise EngineError("picture_too_full")
    glyphs = iter(recognised(words, seen, labels))
    found: list[tuple[Glyph, ...]] = []
    for piece in told:
        one = piece.strokes[0]
        if not one.is_formula:
            found.append(next(glyphs))
            continue
        part = picture[max(0, one.top - 2) : one.bottom + 2, max(0, one.left - 2) : one.right + 2]
        written = formula(part) if formula else ""
        found.append((Glyph(f"${written}$" if written else "", float(bool(written)), one.left),))
    return found


def _written(told: Sequence[Piece], said: Sequence[tuple[Glyph, ...]], language: str) -> Read:
    unsure = unread = 0
    not_read = word(language, "pictures", "formula")
    lines = []
    for row, pairs in groupby(zip(told, said, strict=True), key=lambda pair: pair[0].row):
        cells: list[Cell] = []
        for piece, glyphs in pairs:
            marked = [one for one in glyphs if one.sure < SURE and one.text != " "]
            if marked and not row.seen:
                continue  # nobody takes it for text
            if piece.strokes[0].is_formula:
                unread += len(marked)
                text = not_read if marked else glyphs[0].text
            else:
                unsure += len(marked)
                text = "".join(MARK if one in marked else one.text for one in glyphs).strip()
            if cells and not piece.apart:
                space = " " if piece.left - cells[-1].right > SPACE * row.height else ""
                cells[-1] = Cell(cells[-1].text + space + text, cells[-1].left, piece.right)
            elif text:
                cells.append(Cell(text, piece.left, piece.right))
        lines.append(Line(tuple(cells), row.middle))
    return Read(laid_out(lines), unsure, unread)
