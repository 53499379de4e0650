"""The two networks that come with rapidocr: where text stands, and what it says. Loaded when first needed."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError

NEEDED = ("rapidocr", "onnxruntime", "cv2")
WHERE, WHAT = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
THREADS = 2
LOW, WIDE = 48, 32  # pixels: the height at which lines are read; sides are multiples of the other
AT_A_TIME = 2_000_000  # pixels of a picture
MARGIN = 64  # pixels: by how much its parts overlap
DASHES = ("-", "−", "–")
_ONE_AT_A_TIME = threading.Lock()


def where_text_is(picture: np.ndarray) -> np.ndarray:
    """For every pixel how sure it is that the middle of a line of text runs there; a long picture part by part."""
    step = max(4 * MARGIN, AT_A_TIME // picture.shape[1])
    parts = []
    for top in range(0, len(picture), step):
        above = min(top, MARGIN)
        parts.append(_where(picture[top - above : top + step + MARGIN])[above:][:step])
    return np.concatenate(parts)


def _where(picture: np.ndarray) -> np.ndarray:
    import cv2

    height, width = picture.shape[:2]
    size = [max(WIDE, round(side / WIDE) * WIDE) for side in (width, height)]
    given = cv2.resize(picture, size).astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1
    with _ONE_AT_A_TIME:
        (found,) = _session(WHERE).run(None, {"x": given})
    return cv2.resize(found[0, 0], (width, height))


def characters(lines: Sequence[np.ndarray]) -> list[np.ndarray]:
    """For every line, LOW pixels high, how likely each character is at each step along it."""
    found: list[np.ndarray] = []
    for line in lines:
        given = np.repeat((line.astype(np.float32) / 127.5 - 1)[None], 3, axis=0)[None]
        with _ONE_AT_A_TIME:
            (said,) = _session(WHAT).run(None, {"x": given})
        found.append(said[0])
    return found


@cache
def alphabet() -> tuple[str, ...]:
    """The characters that lines are read in; the first stands for none."""
    written = _session(WHAT).get_modelmeta().custom_metadata_map["character"].splitlines()
    return ("", *written, " ")


@cache
def variants(sign: int) -> list[int]:
    """All characters that are the same but for their width, or the length of a dash."""
    return [i for i, other in enumerate(alphabet()) if _plain(other) == _plain(alphabet()[sign])]


def _plain(sign: str) -> str:
    return "-" if sign in DASHES else unicodedata.normalize("NFKC", sign)


@cache
def _session(name: str) -> Any:
    check()
    import onnxruntime

    place = find_spec("rapidocr")
    assert place is not None and place.origin is not None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # others work on this machine too
    file = Path(place.origin).parent / "models" / name
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def check() -> None:
    """Raises where what reads pictures is not installed."""
    if any(find_spec(package) is None for package in NEEDED):
        raise EngineError("missing_package", package="rapidocr", command='pip install ".[pictures]"')
