"""A file as pixels: only kinds that are known, only so many bytes and pixels, nothing half read."""

from __future__ import annotations

import io
import warnings

import numpy as np

from engine.errors import EngineError
from prompts.pictures.place import KINDS, MOST_BYTES

MOST_PIXELS = 16_000_000
LONGEST_SIDE = 12_000  # pixels
SMALLEST_SIDE = 8
MIDDLE = 128  # of the grey values


def decoded(data: bytes) -> np.ndarray:
    """The picture as rows of red, green and blue; its first frame, the way up that its camera noted."""
    from PIL import Image, ImageOps

    if len(data) > MOST_BYTES:
        raise EngineError("picture_too_large", most=MOST_BYTES // 2**20)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of what unpacks to more than it should
            with Image.open(io.BytesIO(data), formats=KINDS) as picture:
                _bounded(picture.size)
                return _on_its_ground(ImageOps.exif_transpose(picture))
    except EngineError:
        raise
    except Exception as error:  # a file can be broken in as many ways as decoders have lines
        raise EngineError("bad_picture") from error


def _bounded(size: tuple[int, int]) -> None:
    """Checked on the head of the file, before anything is unpacked."""
    width, height = size
    if width * height > MOST_PIXELS or max(size) > LONGEST_SIDE:
        raise EngineError("picture_too_many_pixels", width=width, height=height, most=MOST_PIXELS // 10**6)
    if min(size) < SMALLEST_SIDE:
        raise EngineError("bad_picture")


def _on_its_ground(picture: object) -> np.ndarray:
    """What is transparent stands on white, or on black where what is drawn is light."""
    from PIL import Image

    assert isinstance(picture, Image.Image)
    if not picture.has_transparency_data:
        return np.asarray(picture.convert("RGB"))
    drawn = np.asarray(picture.convert("RGBA"))
    opaque = drawn[..., 3] > MIDDLE
    light = bool(opaque.any()) and float(drawn[opaque][:, :3].mean()) > MIDDLE and not bool(opaque.all())
    share = drawn[..., 3:] / 255
    return (drawn[..., :3] * share + (0 if light else 255) * (1 - share)).round().astype(np.uint8)
