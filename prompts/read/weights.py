"""The fitted weights: a small file of arrays, written by fit.py, read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.encoder import Vector, meaning
from prompts.read.features import COUNTED, spelt

FILE = Path(__file__).with_name("weights.npz")

Floats = NDArray[np.float32]


class Block(NamedTuple):
    """Features that are counted: for each known key its rarity and what it says for each column."""

    keys: NDArray[np.uint32]  # ascending
    rarity: Floats
    says: NDArray[np.int8]  # [key, column]
    unit: Floats  # [column]: what 1 in `says` is worth

    def read(self, found: Mapping[int, float]) -> Floats:
        known, counts = weighed(found, self.keys, self.rarity)
        return (counts @ self.says[known].astype(np.float32)) * self.unit


class Anchors(NamedTuple):
    """The examples' places in the space of meanings, and what nearness to each says for each column."""

    centre: Floats
    axes: Floats  # [meaning, axis]
    places: Floats  # [example, axis], each of length 127, whole numbers
    says: Floats  # [example, column]

    def read(self, meant: Vector) -> Floats:
        return nearness(self.places @ placed(meant, self.centre, self.axes) / 127) @ self.says


class Weights(NamedTuple):
    """Columns are the lessons by name, then whether the message is out of scope."""

    lessons: tuple[str, ...]
    blocks: tuple[Block, ...]
    anchors: Anchors
    level: Floats  # [column]
    sharpness: Floats  # of the lessons' scores, of the scope's; and the scope's score that is half and half
    bar: float  # the margin over the second from which a lesson is sure
    fingerprint: str

    def read(self, message: str) -> Floats:
        text = spelt(message)
        counted = sum(block.read(count(text)) for block, count in zip(self.blocks, COUNTED, strict=True))
        return self.level + counted + self.anchors.read(meaning(text))


def weighed(found: Mapping[int, float], keys: NDArray[np.uint32], rarity: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The places of the known keys and their weights: rare and repeated ones count more, the whole has length 1."""
    sought = np.fromiter(found, np.uint32, len(found))
    places = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
    known = keys[places] == sought
    counts = np.fromiter(found.values(), np.float32, len(found))[known]
    weights = (1 + np.log(counts)) * rarity[places[known]]
    return places[known], weights / max(float(np.linalg.norm(weights)), 1e-9)


def placed(meant: Vector, centre: Floats, axes: Floats) -> Floats:
    """Meanings on the examples' own axes, of length 1."""
    place = (meant - centre) @ axes
    return place / np.maximum(np.linalg.norm(place, axis=-1, keepdims=True), 1e-9)


NEARNESS = 3.0


def nearness(cosine: NDArray[np.floating]) -> Floats:
    """1 for the same meaning, falling fast."""
    return np.exp(NEARNESS * (cosine - 1), dtype=np.float32)


def save(weights: Weights, file: Path = FILE) -> None:
    arrays: dict[str, NDArray] = {"lessons": np.array(weights.lessons), "fingerprint": np.array(weights.fingerprint)}
    for number, block in enumerate(weights.blocks):
        arrays |= {f"{name}{number}": array for name, array in block._asdict().items()}
    small = {"places": np.int8, "says": np.float16}
    arrays |= {f"anchor_{f}": a.astype(small.get(f, np.float32)) for f, a in weights.anchors._asdict().items()}
    arrays |= {"level": weights.level, "sharpness": weights.sharpness, "bar": np.array(weights.bar)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


@cache
def load(file: Path = FILE) -> Weights:
    with np.load(file, allow_pickle=False) as arrays:
        return Weights(
            lessons=tuple(arrays["lessons"].tolist()),
            blocks=tuple(Block(*(arrays[f"{f}{n}"] for f in Block._fields)) for n in range(len(COUNTED))),
            anchors=Anchors(*(arrays[f"anchor_{f}"].astype(np.float32) for f in Anchors._fields)),
            level=arrays["level"],
            sharpness=arrays["sharpness"],
            bar=float(arrays["bar"]),
            fingerprint=str(arrays["fingerprint"]),
        )
