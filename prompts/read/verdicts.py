"""The fitted net that matches a statement to propositions: a file of arrays, written by fit_claims.py, read once.

The net places a statement in two small spaces. Statements of one proposition lie near each other in the first,
statements that say the same and not the opposite in the second. How a statement sounds counts for nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lessons._fact import Verdict
from prompts.read.encoder import Vector
from prompts.read.likeness import Aspect, Counts, Floats, Vocabulary

FILE = Path(__file__).with_name("claims.npz")
FINENESS = 127  # of what is stored in one byte
VERDICTS: tuple[Verdict, ...] = ("false", "depends", "true")


class Layer(NamedTuple):
    """What the net makes of a statement's names and of its meaning."""

    names: Floats  # [name, axis]
    meant: Floats  # [dimension of the meaning, axis]
    level: Floats

    def place(self, names: tuple[NDArray[np.int64], Floats], meant: Floats) -> Floats:
        places, weights = names
        return weights @ self.names[places] + meant @ self.meant + self.level


class Net(NamedTuple):
    about: Layer
    turning: Layer
    steep: float  # how much more the nearest phrasings count for what it is about
    steep_turning: float  # and for which side it is on
    clear: float  # how far the sides are apart
    near: Floats  # level and slope: how much a side is trusted by how near the nearest phrasing is


class Placed(NamedTuple):
    """Where a statement lies."""

    about: Floats  # of length 1
    turning: Floats


class Weights(NamedTuple):
    """Phrasings of propositions, lesson by lesson, where they lie, and how to place a message beside them."""

    propositions: tuple[tuple[str, str], ...]  # lesson and id
    verdicts: tuple[Verdict, ...]  # of each proposition, on the running example
    starts: NDArray[np.int64]  # where each proposition's phrasings begin, and where the last one's end
    denies: Floats  # phrasing → 1 affirmed, -1 denied
    about: Floats  # [phrasing, axis]
    turning: Floats
    vocabulary: tuple[Vocabulary, Vocabulary]  # of names for the subject, of names that turn
    centre: Floats  # of the meanings
    net: Net
    trust: Floats  # what signs() is worth
    fingerprint: str

    def place(self, statement: Aspect) -> Placed:
        turning = self.vocabulary[1].weigh(statement.turning)
        return Placed(
            self.subject(statement.about, statement.meant),
            np.tanh(self.net.turning.place(turning, self._centred(statement.meant))),
        )

    def subject(self, about: Counts, meant: Vector) -> Floats:
        """Where what a text is about lies; of length 1."""
        found = self.net.about.place(self.vocabulary[0].weigh(about), self._centred(meant))
        return found / max(float(np.linalg.norm(found)), 1e-9)

    def _centred(self, meant: Vector) -> Floats:
        moved = meant - self.centre
        return moved / max(float(np.linalg.norm(moved)), 1e-9)

    def likely(self, cosines: Floats) -> Floats:
        """For each proposition how likely it is meant, as a logarithm, from how near each phrasing is."""
        counted = np.add.reduceat(np.exp(self.net.steep * (cosines - 1)), self.starts[:-1])
        return np.asarray(np.log(counted / np.diff(self.starts) + 1e-12), np.float32)

    def affirmed(self, statement: Placed, cosines: Floats, proposition: int) -> float:
        """The log-odds that the statement says the proposition and not its opposite."""
        at = slice(int(self.starts[proposition]), int(self.starts[proposition + 1]))
        near = cosines[at]
        shares = np.exp(self.net.steep_turning * (near - near.max()))
        says = self.turning[at] @ statement.turning * self.denies[at]
        trusted = 2 / (1 + np.exp(-self.net.near @ np.array([1, near.max()], np.float32)))
        return float(shares @ says / shares.sum() * self.net.clear * trusted)


def save(weights: Weights, file: Path = FILE) -> None:
    arrays: dict[str, NDArray] = {
        "propositions": np.array([" ".join(pair) for pair in weights.propositions]),
        "verdicts": np.array(weights.verdicts),
        "starts": weights.starts.astype(np.int32),
        "denies": weights.denies.astype(np.int8),
        "about": np.rint(weights.about * FINENESS).astype(np.int8),
        "turning": np.rint(weights.turning * FINENESS).astype(np.int8),
        "centre": weights.centre,
        "scalars": np.array([weights.net.steep, weights.net.steep_turning, weights.net.clear, *weights.net.near]),
        "trust": weights.trust,
        "fingerprint": np.array(weights.fingerprint),
    }
    for number, known in enumerate(weights.vocabulary):
        arrays |= {f"keys{number}": known.keys, f"rarity{number}": known.rarity.astype(np.float16)}
    for number, layer in enumerate(weights.net[:2]):
        scale = np.abs(layer.names).max(axis=0) / FINENESS
        arrays |= {
            f"names{number}": np.rint(layer.names / scale).astype(np.int8),
            f"scale{number}": scale,
            f"meant{number}": layer.meant.astype(np.float16),
            f"level{number}": layer.level,
        }
    np.savez_compressed(file, allow_pickle=False, **arrays)


@cache
def load(file: Path = FILE) -> Weights:
    with np.load(file, allow_pickle=False) as stored:
        arrays = dict(stored)
    single = {name: array.astype(np.float32) for name, array in arrays.items() if array.dtype.kind in "if"}
    about, turning = (
        Layer(single[f"names{k}"] * single[f"scale{k}"], single[f"meant{k}"], single[f"level{k}"]) for k in range(2)
    )
    steep, steep_turning, clear, *near = arrays["scalars"].tolist()
    pairs = [str(pair).split() for pair in arrays["propositions"].tolist()]
    return Weights(
        propositions=tuple((lesson, id) for lesson, id in pairs),
        verdicts=tuple(arrays["verdicts"].tolist()),
        starts=arrays["starts"].astype(np.int64),
        denies=single["denies"],
        about=single["about"] / FINENESS,
        turning=single["turning"] / FINENESS,
        vocabulary=(
            Vocabulary(arrays["keys0"], single["rarity0"]),
            Vocabulary(arrays["keys1"], single["rarity1"]),
        ),
        centre=single["centre"],
        net=Net(
            about,
            turning,
            steep=steep,
            steep_turning=steep_turning,
            clear=clear,
            near=np.array(near, np.float32),
        ),
        trust=single["trust"],
        fingerprint=str(arrays["fingerprint"]),
    )
