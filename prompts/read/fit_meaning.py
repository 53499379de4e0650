"""Fits the encoder to the subject: `python -m prompts.read.fit_meaning [steps]` writes meaning.npz, an adapter.

Each step reads messages beside the facts that answer them, half of them of two lessons, so that it learns to tell apart
what is near; a fact that answers a message too is no wrong answer to it. Takes about half an hour on two cores.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from prompts.read.asked import Known, known
from prompts.read.e5 import ADAPTED, ADAPTER, Encoder, Layer, model_file

RANK, LOWEST = 16, 6  # of the matrices; the layer from which on there are some
STEPS, WARM = 700, 40
LONGEST, TOGETHER = 80, 16  # tokens that are read of a text, texts that are read at a time
BATCH, OF_TWO_LESSONS = 64, 16  # messages in a step; of each of two lessons
RATE, RATE_OF_SCALE = 4e-4, 1e-3
SCALE = 20.0  # how much cosines count, at first
FEW = 4  # statements of a fact that are read, of the forty there are
REAL = 3  # times that a whole message is read


class Adapter(torch.nn.Module):
    """A matrix of low rank beside each matrix of the upper layers."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__()
        pairs = {}
        for i, layer in list(enumerate(layers))[LOWEST:]:
            for name in ADAPTED:
                rows, columns = layer._asdict()[name][0].shape
                pairs[f"{name}{i}_down"] = torch.nn.Parameter(0.02 * torch.randn(RANK, columns))
                pairs[f"{name}{i}_up"] = torch.nn.Parameter(torch.zeros(rows, RANK))
        self.pairs = torch.nn.ParameterDict(pairs)
        self.scale = torch.nn.Parameter(torch.tensor(math.log(SCALE)))

    def added(self, layers: Sequence[Layer]) -> list[Layer]:
        """The layers with it."""
        found = list(layers[:LOWEST])
        for i, layer in list(enumerate(layers))[LOWEST:]:
            pairs = {
                name: (
                    *layer._asdict()[name],
                    *(self.pairs[f"{name}{i}_{side}"].to(layer.out[0].dtype) for side in ("down", "up")),
                )
                for name in ADAPTED
            }
            found.append(layer._replace(**pairs))
        return found

    def save(self) -> None:
        arrays = {name: x.detach().numpy().astype(np.float16) for name, x in self.pairs.items()}
        np.savez_compressed(ADAPTER, allow_pickle=False, **arrays)


class Pair(NamedTuple):
    text: str
    fact: int
    answers: frozenset[int]  # all facts that do


def pairs(read: Known, draw: random.Random) -> list[Pair]:
    places = {key: i for i, key in enumerate(read.facts)}
    own = {key: frozenset([place]) for key, place in places.items()}
    found = [Pair(text, places[key], own[key]) for key, fact in read.facts.items() for text in fact.asked]
    for key, fact in read.facts.items():
        stated = [*fact.affirmed, *fact.denied]
        few = draw.sample(stated, min(FEW, len(stated)))
        found += [Pair(text, places[key], own[key]) for text in few]
    for message in read.messages:
        answers = frozenset(places[key] for key in message.facts)
        found += REAL * [Pair(message.text, fact, answers) for fact in sorted(answers)]
    return found


def batches(read: Known, draw: random.Random) -> Iterator[list[Pair]]:
    """Each step's messages: no fact twice."""
    whole = pairs(read, draw)
    lessons = [key.partition("/")[0] for key in read.facts]
    by_lesson: dict[str, list[Pair]] = {}
    for pair in whole:
        by_lesson.setdefault(lessons[pair.fact], []).append(pair)
    while True:
        two = draw.sample(sorted(by_lesson), 2)
        near = [
            pair for name in two for pair in draw.sample(by_lesson[name], min(OF_TWO_LESSONS, len(by_lesson[name])))
        ]
        chosen = {pair.fact: pair for pair in [*near, *draw.sample(whole, BATCH - len(near))]}
        yield list(chosen.values())


def _some(pairs: Sequence[Pair], draw: random.Random) -> list[Pair]:
    return draw.sample(pairs, min(OF_TWO_LESSONS, len(pairs)))


def loss(encoder: Encoder, adapter: Adapter, batch: Sequence[Pair], says: Sequence[str]) -> Tensor:
    asked, told = (places(encoder, texts) for texts in ([pair.text for pair in batch], says))
    alike = asked @ told.T * adapter.scale.exp()
    also = torch.tensor([[i != j and b.fact in a.answers for j, b in enumerate(batch)] for i, a in enumerate(batch)])
    alike = alike.masked_fill(also, -1e9)
    right = torch.arange(len(batch))
    return (functional.cross_entropy(alike, right) + functional.cross_entropy(alike.T, right)) / 2


def places(encoder: Encoder, texts: Sequence[str]) -> Tensor:
    """Texts of like length are read together."""
    read = [encoder.tokens(text)[:LONGEST] for text in texts]
    order = sorted(range(len(read)), key=lambda i: len(read[i]))
    parts = [encoder.pooled([read[i] for i in order[at : at + TOGETHER]]) for at in range(0, len(order), TOGETHER)]
    return torch.cat(parts)[torch.tensor(order).argsort()]


def main(steps: int = STEPS) -> None:
    torch.manual_seed(0)
    draw = random.Random(0)
    read = known()
    says = [fact.says for fact in read.facts.values()]
    encoder = Encoder(model_file()).quick()
    plain = encoder.layers
    adapter = Adapter(plain)
    groups = [{"params": adapter.pairs.parameters(), "lr": RATE}, {"params": [adapter.scale], "lr": RATE_OF_SCALE}]
    solver = torch.optim.AdamW(groups, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(solver, lambda step: min(1, step / WARM) * (1 - step / steps))
    running = 0.0
    for step, batch in zip(range(steps), batches(read, draw), strict=False):
        encoder.layers = adapter.added(plain)
        found = loss(encoder, adapter, batch, [draw.choice(says[pair.fact]) for pair in batch])
        solver.zero_grad()
        torch.autograd.backward(found)
        torch.nn.utils.clip_grad_norm_(adapter.parameters(), 1.0)
        solver.step()
        pace.step()
        running += (found.item() - running) / min(step + 1, 50)
        if step % 25 == 24:
            sys.stdout.write(f"step {step + 1} of {steps}: {running:.3f}\n")
            sys.stdout.flush()
            adapter.save()
    adapter.save()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
