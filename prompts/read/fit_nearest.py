"""Fits where the facts and lessons lie: `python -m prompts.read.fit_nearest` writes nearest.npz, in a few minutes.

Then said.npz: where the examples of what is said in a conversation lie.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import numpy as np
import torch

from prompts.read import meant
from prompts.read.asked import LESSONS, AskedFor, Known, known
from prompts.read.e5 import Vectors, places
from prompts.read.examples import questions
from prompts.read.nearest import Index, load, save

FEW = 4  # statements of a fact beside its sentence and its questions
EACH, OF_FACTS = 3.0, 0.3  # what a whole message counts beside a lesson's question, and what a question of a fact does
DECAY = 2e-3
SHARE_OF_OTHERS = 0.5  # of a message that several lessons answer, what all but the first count


def texts_of(fact: AskedFor, draw: random.Random) -> list[str]:
    stated = [*fact.affirmed, *fact.denied]
    return [*fact.says, *fact.asked, *draw.sample(stated, min(FEW, len(stated)))]


def fit(read: Known) -> Index:
    draw = random.Random(0)
    of_facts = {key: texts_of(fact, draw) for key, fact in read.facts.items()}
    for message in read.messages:
        for key in message.facts[:1]:
            of_facts[key].append(message.text)
    counts = [len(texts) for texts in of_facts.values()]
    found = places([text for texts in of_facts.values() for text in texts])
    centre = found.mean(axis=0)
    lessons, directions, levels = _lessons(read, of_facts, found, centre)
    return Index(
        facts=tuple(read.facts),
        starts=np.cumsum([0, *counts[:-1]]),
        places=_centred(found, centre),
        centre=centre,
        lessons=lessons,
        directions=directions,
        levels=levels,
    )


def _centred(found: Vectors, centre: Vectors) -> Vectors:
    moved = found - centre
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), np.float32)


def _lessons(
    read: Known, of_facts: dict[str, list[str]], found: Vectors, centre: Vectors
) -> tuple[tuple[str, ...], Vectors, Vectors]:
    """Multinomial regression on questions, messages and what is said of facts."""
    asked = questions(LESSONS)
    names = tuple(sorted({example.lesson for example in asked}))
    owners = [key.partition("/")[0] for key, texts in of_facts.items() for _ in texts]
    inputs = np.concatenate([found, places([e.text for e in asked]), places([m.text for m in read.messages])])
    wanted = np.zeros((len(inputs), len(names)), np.float32)
    weights = np.concatenate(
        [np.full(len(found), OF_FACTS), np.ones(len(asked)), np.full(len(read.messages), EACH)]
    ).astype(np.float32)
    for i, owner in enumerate([*owners, *(e.lesson for e in asked)]):
        wanted[i, names.index(owner)] = 1
    for i, message in enumerate(read.messages, start=len(inputs) - len(read.messages)):
        for lesson in message.lessons:
            wanted[i, names.index(lesson)] = 1 if lesson == message.lessons[0] else SHARE_OF_OTHERS
    wanted /= wanted.sum(axis=1, keepdims=True)
    directions, levels = _regression(_centred(inputs, centre), wanted, weights)
    return names, directions, levels


def _regression(inputs: Vectors, wanted: Vectors, weights: Vectors) -> tuple[Vectors, Vectors]:
    x, y, w = (torch.tensor(array) for array in (inputs, wanted, weights))
    directions = torch.zeros(y.shape[1], x.shape[1], requires_grad=True)
    levels = torch.zeros(y.shape[1], requires_grad=True)
    solver = torch.optim.LBFGS([directions, levels], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        solver.zero_grad()
        said = torch.log_softmax(x @ directions.T + levels, dim=1)
        found = -(w[:, None] * y * said).sum() / w.sum() + DECAY * (directions**2).sum() / y.shape[1]
        torch.autograd.backward(found)
        return found

    solver.step(loss)  # type: ignore[no-untyped-call]
    return directions.detach().numpy(), levels.detach().numpy()


def main(args: Sequence[str] = ()) -> None:
    index = fit(known())
    save(index)
    load.cache_clear()
    meant.save()
    sys.stdout.write(f"{len(index.facts)} facts, {len(index.places)} places {' '.join(args)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
