"""Fits the routing to the example messages: `python -m prompts.read.fit [folder of lessons]` writes weights.npz.

Ridge regression in its dual form, solved exactly, so that the same examples give the same weights. One kernel is the
sum of four likenesses (pieces, words, concepts, meaning); the lessons are learnt from messages in scope, the scope
from all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from lessons._lesson import OUT_OF_SCOPE
from prompts.read.encoder import meaning
from prompts.read.examples import LESSONS, NEAR, Example, fingerprint, questions
from prompts.read.features import CONCEPTS, COUNTED, Features, spelt
from prompts.read.lesson import probabilities
from prompts.read.weights import Anchors, Block, Floats, Weights, nearness, placed, save, weighed

# All chosen on leave-one-register-out and on authors left out.
AXES = 256  # of the space of meanings that are kept
SEEN = 2  # messages that must share a feature
RIDGE = 0.05  # for the mean diagonal of the kernel
FOR_LESSONS = (1.0, 1.0, 0.5, 1.0)  # pieces, words, concepts, meaning
FOR_SCOPE = (1.0, 0.5, 0.35, 1.0)
PARTS = 10
REFUSED, ACCEPTED = 0.02, 0.03  # at most, of the messages in scope and out of it: the weights of the two errors
SURE = 0.97  # of the sure answers are right, on messages left out


class Read(NamedTuple):
    """What the examples look like, before anything is fitted."""

    counted: tuple[tuple[Features, ...], ...]  # [kind][message]
    meant: Floats  # [message, 512]


class Matrix(NamedTuple):
    """One kind of counted features over all examples."""

    keys: NDArray[np.uint32]
    rarity: Floats
    rows: torch.Tensor  # sparse [message, key], rows of length 1


def read(texts: Sequence[str]) -> Read:
    spellings = [spelt(text) for text in texts]
    counted = tuple(tuple(count(text) for text in spellings) for count in COUNTED)
    return Read(counted, np.stack([meaning(text) for text in spellings]))


class Prepared(NamedTuple):
    """Everything about the examples that the labels do not change."""

    names: tuple[str, ...]
    columns: NDArray[np.int64]  # of each example; out of scope is the last
    matrices: tuple[Matrix, ...]
    centre: Floats
    axes: Floats
    places: Floats
    likenesses: tuple[Floats, ...]  # [message, message] each: pieces, words, concepts, meaning


def prepared(examples: Sequence[Example]) -> Prepared:
    seen = read([example.text for example in examples])
    names = tuple(sorted({example.lesson for example in examples} - {OUT_OF_SCOPE}))
    columns = np.array([names.index(e.lesson) if e.lesson != OUT_OF_SCOPE else len(names) for e in examples])
    matrices = tuple(matrix(kind) for kind in seen.counted)
    centre, axes = principal(seen.meant)
    places = np.rint(placed(seen.meant, centre, axes) * 127)
    near = nearness(places @ places.T / 127**2)
    return Prepared(names, columns, matrices, centre, axes, places, (*(likeness(m.rows) for m in matrices), near))


def fit(examples: Sequence[Example]) -> Weights:
    """Weights from examples."""
    ready = prepared(examples)
    duals, level = dual(ready, np.arange(len(examples)))
    by_kind = [duals * _shares(kind, len(ready.names)) for kind in range(len(ready.likenesses))]
    fitted = Weights(
        lessons=ready.names,
        blocks=tuple(block(m, torch.tensor(by_kind[i])) for i, m in enumerate(ready.matrices)),
        anchors=Anchors(ready.centre, ready.axes, ready.places, by_kind[-1]),
        level=level,
        sharpness=np.array([8.0, 8.0, 0.0], np.float32),
        bar=0.0,
        fingerprint=fingerprint(examples, CONCEPTS),
    )
    return calibrated(fitted, ready, examples)


def matrix(kind: Sequence[Features]) -> Matrix:
    spread = Counter(key for found in kind for key in found)
    keys = np.array(sorted(key for key, messages in spread.items() if messages >= SEEN), np.uint32)
    in_messages = np.array([spread[int(key)] for key in keys])
    rarity = (np.log((1 + len(kind)) / (1 + in_messages)) + 1).astype(np.float32)
    rows = [weighed(found, keys, rarity) for found in kind]
    row = np.repeat(np.arange(len(kind)), [len(places) for places, _ in rows])
    at = torch.tensor(np.stack([row, np.concatenate([places for places, _ in rows])]))
    values = torch.tensor(np.concatenate([values for _, values in rows]))
    return Matrix(
        keys, rarity, torch.sparse_coo_tensor(at, values, (len(kind), len(keys)), check_invariants=True).coalesce()
    )


def likeness(rows: torch.Tensor, at_once: int = 256) -> Floats:
    """The cosine of every message with every other."""
    parts = []
    for first in range(0, rows.shape[0], at_once):
        some = rows.index_select(0, torch.arange(first, min(first + at_once, rows.shape[0]))).to_dense()
        parts.append((rows @ some.T.contiguous()).numpy())
    return np.concatenate(parts, axis=1)


def principal(meant: Floats) -> tuple[Floats, Floats]:
    """The middle of the examples' meanings and the axes along which they differ most, each with a fixed sign."""
    centre = meant.mean(axis=0)
    spread = np.cov((meant - centre).astype(np.float64).T)
    axes = np.linalg.eigh(spread)[1][:, ::-1][:, :AXES]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    return centre, axes.astype(np.float32)


def _shares(kind: int, lessons: int) -> Floats:
    """How much one likeness counts for each column."""
    return np.array([FOR_LESSONS[kind]] * lessons + [FOR_SCOPE[kind]], np.float32)


def kernel(ready: Prepared, shares: Sequence[float], rows: NDArray[np.int64], others: NDArray[np.int64]) -> Floats:
    parts = [share * like[np.ix_(rows, others)] for share, like in zip(shares, ready.likenesses, strict=True)]
    return np.sum(parts, axis=0, dtype=np.float32)


def dual(ready: Prepared, known: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """What each known example says for every column, and the level; lessons from those in scope, the scope from all."""
    lessons = len(ready.names)
    says, level = np.zeros((len(ready.columns), lessons + 1), np.float32), np.zeros(lessons + 1, np.float32)
    inside = known[ready.columns[known] < lessons]
    for shares, rows, columns in ((FOR_LESSONS, inside, slice(0, lessons)), (FOR_SCOPE, known, slice(lessons, None))):
        like = torch.tensor(kernel(ready, shares, rows, rows))
        like.diagonal().add_(RIDGE * sum(shares))
        aim = np.eye(lessons + 1, dtype=np.float32)[ready.columns[rows], columns]
        level[columns] = aim.mean(axis=0)
        says[rows, columns] = torch.cholesky_solve(
            torch.tensor(aim - level[columns]), torch.linalg.cholesky(like)
        ).numpy()
    return says, level


def left_out(ready: Prepared, groups: NDArray) -> tuple[NDArray[np.int64], Floats]:
    """Each group's messages and their scores from all the others; rarities and axes alone are taken over all."""
    which, found = [], []
    for group in np.unique(groups):
        known, asked = np.flatnonzero(groups != group), np.flatnonzero(groups == group)
        says, level = dual(ready, known)
        lessons = kernel(ready, FOR_LESSONS, asked, known) @ says[known, :-1]
        scope = kernel(ready, FOR_SCOPE, asked, known) @ says[known, -1:]
        which.append(asked)
        found.append(level + np.concatenate([lessons, scope], axis=1))
    return np.concatenate(which), np.concatenate(found)


def by_register(ready: Prepared, examples: Sequence[Example]) -> tuple[NDArray[np.int64], Floats]:
    """Train on five registers, ask the sixth."""
    return _asked(examples, *left_out(ready, np.array([example.register for example in examples])))


def by_tenths(ready: Prepared, examples: Sequence[Example]) -> tuple[NDArray[np.int64], Floats]:
    """Train on nine tenths, ask the last."""
    return _asked(examples, *left_out(ready, np.arange(len(examples)) % PARTS))


def _asked(examples: Sequence[Example], which: NDArray[np.int64], found: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Near misses teach, but are harder than what people ask: they are not counted."""
    counted = np.array([examples[i].register != NEAR for i in which])
    return which[counted], found[counted]


def block(kind: Matrix, dual: torch.Tensor) -> Block:
    says = torch.sparse.mm(kind.rows.t(), dual).numpy()
    unit = np.maximum(np.abs(says).max(axis=0), 1e-9) / 127
    return Block(kind.keys, kind.rarity, np.rint(says / unit).astype(np.int8), unit.astype(np.float32))


def calibrated(fitted: Weights, ready: Prepared, examples: Sequence[Example]) -> Weights:
    """Probabilities as they come true on messages left out, tenth by tenth."""
    which, found = by_tenths(ready, examples)
    right = ready.columns[which]
    outside = right == len(fitted.lessons)
    even = min(np.linspace(0, 1, 201), key=lambda bar: _worse(found[:, -1] > bar, outside))
    grid = np.geomspace(1, 64, 37)
    lessons = min(grid, key=lambda sharp: _surprise(sharp * found[~outside, :-1], right[~outside]))
    choice = np.stack([np.zeros(len(found)), found[:, -1] - even], axis=1)
    scope = min(grid, key=lambda sharp: _surprise(sharp * choice, outside.astype(np.int64)))
    fitted = fitted._replace(sharpness=np.array([lessons, scope, even], np.float32))
    likely = probabilities(fitted, found)
    best = np.sort(likely, axis=1)
    margin, hit = best[:, -1] - best[:, -2], likely.argmax(axis=1) == right
    bars = [bar for bar in np.linspace(0, 0.95, 96) if hit[margin >= bar].mean() >= SURE]
    return fitted._replace(bar=float(bars[0]))


def _worse(refused: NDArray[np.bool_], outside: NDArray[np.bool_]) -> float:
    """The greater of the two errors of the scope, each by what is allowed of it."""
    return max(refused[~outside].mean() / REFUSED, (~refused[outside]).mean() / ACCEPTED)


def _surprise(logits: NDArray[np.float64], right: NDArray[np.int64]) -> float:
    logits = logits - logits.max(axis=1, keepdims=True)
    return float(np.mean(np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(right)), right]))


if __name__ == "__main__":
    torch.set_num_threads(1)
    save(fit(questions(Path(sys.argv[1]) if len(sys.argv) > 1 else LESSONS)))
