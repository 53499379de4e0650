"""What stands in a piece of a line: its characters, where each stands, and how sure each is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prompts.pictures.checking import Glyph, checked
from prompts.pictures.ink import Ink
from prompts.pictures.networks import LOW, alphabet, characters, variants
from prompts.pictures.pieces import AROUND, Piece

MARGIN = 12  # pixels beside a line, at the height at which it is read
NOISE = 10  # grey levels


def recognised(pieces: Sequence[Piece], ink: Ink, labels: np.ndarray) -> list[tuple[Glyph, ...]]:
    lines = [line(piece, ink, labels) for piece in pieces]
    return [_glyphs(said, piece) for said, piece in zip(characters(lines), pieces, strict=True)]


def line(piece: Piece, ink: Ink, labels: np.ndarray) -> np.ndarray:
    """A piece as the network reads it: dark on white, always as high, without what belongs to other lines."""
    import cv2

    reach = AROUND * piece.row.height
    top = min(piece.row.middle - reach, *(one.top for one in piece.strokes))
    bottom = max(piece.row.middle + reach, *(one.bottom for one in piece.strokes))
    above, below, left, right = round(top), round(bottom) + 1, piece.left - 2, piece.right + 2
    own = np.isin(_window(labels, above, below, left, right), [one.label for one in piece.strokes]).astype(np.uint8)
    rest = _window(ink.text | ink.across | ink.down, above, below, left, right) & (1 - own)
    grown = cv2.dilate(own, np.ones((3, 3), np.uint8))
    kept = grown | (1 - cv2.dilate(rest, np.ones((3, 3), np.uint8)))
    shade = _window(ink.contrast, above, below, left, right).astype(np.float32) * kept
    shade = np.clip((shade - NOISE) / max(1.0, float(shade.max()) - NOISE), 0, 1)
    scale = LOW / shade.shape[0]
    width = max(1, round(shade.shape[1] * scale))
    sized = cv2.resize(255 * (1 - shade), (width, LOW), interpolation=cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA)
    return np.pad(np.clip(sized, 0, 255), ((0, 0), (MARGIN, MARGIN)), constant_values=255)


def _window(pixels: np.ndarray, above: int, below: int, left: int, right: int) -> np.ndarray:
    """A part of the pixels, with nothing where it reaches beyond them."""
    height, width = pixels.shape
    part = pixels[max(0, above) : below, max(0, left) : right]
    return np.pad(part, ((max(0, -above), max(0, below - height)), (max(0, -left), max(0, right - width))))


def _glyphs(said: np.ndarray, piece: Piece) -> tuple[Glyph, ...]:
    """What is said most surely at each step, each character once."""
    signs = alphabet()
    reach = 2 * AROUND * piece.row.height
    per_step = (piece.right - piece.left + 4 + 2 * MARGIN / LOW * reach) / len(said)
    start = piece.left - 2 - MARGIN / LOW * reach
    glyphs: list[Glyph] = []
    before = 0
    for i, sign in enumerate(said.argmax(axis=1).tolist()):
        if sign:
            sure, at = float(said[i, variants(sign)].sum()), start + (i + 0.5) * per_step
            if sign == before:
                last = glyphs.pop()
                sure, at = max(last.sure, sure), last.at + per_step / 2
            glyphs.append(Glyph(signs[sign], sure, at))
        before = sign
    return checked(glyphs, piece)
