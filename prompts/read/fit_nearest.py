"""Fits where the facts and lessons lie: `python -m prompts.read.fit_nearest`, in a few minutes.

It writes nearest.npz and words.npz (what meaning and words say), then said.npz: where the examples of what is said in a
conversation lie.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from prompts.read import meant, nearest, wording
from prompts.read.asked import LESSONS, AskedFor, Known, known
from prompts.read.e5 import Vectors, places
from prompts.read.examples import questions
from prompts.read.fit_wording import ANSWERS, counted, rarity, texts
from prompts.read.gist import gist
from prompts.read.nearest import Index
from prompts.read.weights import weighed
from prompts.read.wording import Words, counts

FEW = 4  # statements of a fact beside its sentence and its questions
EACH, OF_FACTS = 3.0, 0.3  # what a whole message counts beside a lesson's question, and what a question of a fact does
DECAY, ROUNDS = 2e-3, 120
FINEST = 127  # of what a word says for a lesson, stored in one byte
SHARE_OF_OTHERS = 0.5  # of a message that several lessons answer, what all but the first count


def texts_of(fact: AskedFor, draw: random.Random) -> list[str]:
    stated = [*fact.affirmed, *fact.denied]
    return [*fact.says, *fact.asked, *draw.sample(stated, min(FEW, len(stated)))]


def read_as(message: str) -> str:
    """What of a message the reader looks at."""
    return " ".join(gist(message))


def fit(read: Known) -> tuple[Index, Words]:
    draw = random.Random(0)
    of_facts = {key: texts_of(fact, draw) for key, fact in read.facts.items()}
    for message in read.messages:
        for key in message.facts[:ANSWERS]:
            of_facts[key].append(read_as(message.text))
    counts = [len(texts) for texts in of_facts.values()]
    found = places([text for texts in of_facts.values() for text in texts])
    centre = found.mean(axis=0)
    of_words = counted(texts(read))
    lessons, directions, levels, by_words = _lessons(read, of_facts, found, centre, of_words.keys)
    index = Index(
        facts=tuple(read.facts),
        starts=np.cumsum([0, *counts[:-1]]),
        places=_centred(found, centre),
        centre=centre,
        lessons=lessons,
        directions=directions,
        levels=levels,
    )
    return index, Words(*of_words, *by_words)


def _centred(found: Vectors, centre: Vectors) -> Vectors:
    moved = found - centre
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), np.float32)


def _lessons(
    read: Known, of_facts: dict[str, list[str]], found: Vectors, centre: Vectors, keys: NDArray[np.uint32]
) -> tuple[tuple[str, ...], Vectors, Vectors, tuple[Vectors, NDArray[np.int8], Vectors]]:
    """Multinomial regression, on meaning and words, of questions, messages and what is said of facts."""
    asked = questions(LESSONS)
    names = tuple(sorted({example.lesson for example in asked}))
    owners = [key.partition("/")[0] for key, texts in of_facts.items() for _ in texts]
    messages = [read_as(message.text) for message in read.messages]
    beside = [*(example.text for example in asked), *messages]
    inputs = _centred(np.concatenate([found, places(beside)]), centre)
    wanted = np.zeros((len(inputs), len(names)), np.float32)
    shares = [(len(found), OF_FACTS), (len(asked), 1.0), (len(messages), EACH)]
    weights = np.concatenate([np.full(count, weight, np.float32) for count, weight in shares])
    for i, owner in enumerate([*owners, *(e.lesson for e in asked)]):
        wanted[i, names.index(owner)] = 1
    for i, message in enumerate(read.messages, start=len(inputs) - len(messages)):
        for lesson in message.lessons:
            wanted[i, names.index(lesson)] = 1 if lesson == message.lessons[0] else SHARE_OF_OTHERS
    wanted /= wanted.sum(axis=1, keepdims=True)
    seen = [counts(text) for text in [*(text for texts in of_facts.values() for text in texts), *beside]]
    rare = rarity(seen, keys)
    rows = _sparse([weighed(one, keys, rare) for one in seen], len(keys))
    directions, by_words, levels = _regression(inputs, rows, wanted, weights)
    unit = np.maximum(np.abs(by_words).max(axis=0), 1e-9) / FINEST
    return names, directions, levels, (rare, np.rint(by_words / unit).astype(np.int8), unit)


def _sparse(rows: Sequence[tuple[NDArray[np.int64], Vectors]], width: int) -> torch.Tensor:
    row = np.repeat(np.arange(len(rows)), [len(places) for places, _ in rows])
    places, values = (np.concatenate([found[side] for found in rows]) for side in (0, 1))
    at = torch.tensor(np.stack([row, places]))
    whole = torch.sparse_coo_tensor(at, torch.tensor(values), (len(rows), width), check_invariants=True)
    return whole.coalesce().to_sparse_csr()


def _regression(
    inputs: Vectors, rows: torch.Tensor, wanted: Vectors, weights: Vectors
) -> tuple[Vectors, Vectors, Vectors]:
    x, y, w = (torch.tensor(array) for array in (inputs, wanted, weights))
    directions = torch.zeros(x.shape[1], y.shape[1], requires_grad=True)
    by_words = torch.zeros(rows.shape[1], y.shape[1], requires_grad=True)
    levels = torch.zeros(y.shape[1], requires_grad=True)
    fitted = [directions, by_words, levels]
    solver = torch.optim.LBFGS(fitted, max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        solver.zero_grad()
        said = torch.log_softmax(x @ directions + rows @ by_words + levels, dim=1)
        size = (directions**2).sum() + (by_words**2).sum()
        found = -(w[:, None] * y * said).sum() / w.sum() + DECAY * size / y.shape[1]
        torch.autograd.backward(found)
        return found

    solver.step(loss)  # type: ignore[no-untyped-call]
    return directions.detach().numpy().T.copy(), by_words.detach().numpy(), levels.detach().numpy()


def main() -> None:
    index, of_words = fit(known())
    nearest.save(index)
    wording.save(of_words)
    nearest.load.cache_clear()
    wording.load.cache_clear()
    meant.save()
    sys.stdout.write(f"{len(index.facts)} facts, {len(index.places)} places, {len(of_words.keys)} words\n")


if __name__ == "__main__":
    main()
