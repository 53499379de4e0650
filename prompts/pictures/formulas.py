"""Who reads formulas whose parts stand above one another: a recogniser from a hub, where one is named; else nobody."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

NAMED = "TELESCOPE_FORMULA_OCR"
LONGEST = 400  # characters of LaTeX
Reader = Callable[[np.ndarray], str]  # the part of a picture where a formula stands, as LaTeX; empty: not read


def reader() -> Reader | None:
    """The one that is named."""
    named = os.environ.get(NAMED)
    return _from_hub(named) if named else None


@cache
def _from_hub(named: str) -> Reader:
    """Loaded when the first formula is to be read."""
    loaded: list[Any] = []

    def read(part: np.ndarray) -> str:
        from PIL import Image

        if not loaded:
            loaded.append(_load(named))
        return latex(loaded[0](Image.fromarray(part)))

    return read


def _load(named: str) -> Callable[[Any], str]:
    """A model that writes what a picture shows, with the processor that belongs to it."""
    from transformers import AutoProcessor, VisionEncoderDecoderModel

    processor = AutoProcessor.from_pretrained(named)
    model = VisionEncoderDecoderModel.from_pretrained(named)

    def write(picture: Any) -> str:
        given = processor(images=picture, return_tensors="pt").pixel_values
        written = model.generate(given, max_new_tokens=LONGEST)
        return str(processor.batch_decode(written, skip_special_tokens=True)[0])

    return write


def latex(written: str) -> str:
    """What a recogniser wrote, as one formula; nothing where it is none."""
    inside = " ".join(written.replace("$", " ").split()).removeprefix(r"\[").removesuffix(r"\]").strip()
    return inside if inside and len(inside) <= LONGEST and inside.count("{") == inside.count("}") else ""
