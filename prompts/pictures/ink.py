"""What stands out from its ground in a picture: dark on light or light on dark, with the rules of tables apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FAINTEST = 40  # grey levels between ink and its ground
FAINTEST_RULE = 14  # the same of a long stroke: noise is not that straight
GROUND = 2.5  # text heights around a pixel that tell its ground
LONG = 2.2  # text heights: a stroke that is longer belongs to no character
THIN = 0.25


@dataclass(frozen=True)
class Ink:
    contrast: np.ndarray  # how far each pixel stands out, 0 to 255
    text: np.ndarray  # what may belong to characters
    across: np.ndarray  # rules
    down: np.ndarray


def ink(picture: np.ndarray, height: float) -> Ink:
    """The strokes of a picture whose text is so high, in the colour in which they stand out most."""
    import cv2

    ground = cv2.medianBlur(np.ascontiguousarray(picture), max(9, round(GROUND * height)) | 1)
    contrast = cv2.absdiff(picture, ground).max(axis=2)
    faint = (contrast > FAINTEST_RULE).astype(np.uint8)
    length, thin = max(9, round(LONG * height)), max(2, round(THIN * height))
    across = _only_thin(cv2.morphologyEx(faint, cv2.MORPH_OPEN, np.ones((1, length), np.uint8)), (thin + 1, 1))
    down = _only_thin(cv2.morphologyEx(faint, cv2.MORPH_OPEN, np.ones((length, 1), np.uint8)), (1, thin + 1))
    beside = cv2.dilate(across, np.ones((3, 7), np.uint8)) | cv2.dilate(down, np.ones((7, 3), np.uint8))
    return Ink(contrast, (contrast > FAINTEST).astype(np.uint8) & (1 - beside), across, down)


def _only_thin(rules: np.ndarray, thicker: tuple[int, int]) -> np.ndarray:
    import cv2

    return rules & (1 - cv2.morphologyEx(rules, cv2.MORPH_OPEN, np.ones(thicker, np.uint8)))
