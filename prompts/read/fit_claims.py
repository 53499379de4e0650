"""Fits the matching of messages to propositions: `python -m prompts.read.fit_claims` writes claims.npz.

A small net is trained on the phrasings of the propositions (fit_net.py). How far its verdicts can be trusted is learnt
from phrasings that a first net has not seen: with the others of their proposition there, and with it taken away.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from engine.example import RUNNING
from lessons._fact import Verdict, opposite
from lessons._lesson import lessons
from prompts.read import verdicts
from prompts.read.asked import known
from prompts.read.claim import judge
from prompts.read.fit_net import Known, trained
from prompts.read.likeness import Aspect, Floats, aspect, vocabulary, words
from prompts.read.verdicts import Net, Weights

SOURCES = tuple(
    Path(__file__).with_name(name)
    for name in (
        "polarity.toml",
        "polarity.py",
        "likeness.py",
        "order.py",
        "verdicts.py",
        "fit_net.py",
        "concepts.toml",
    )
)
LEAST = 4  # statements that a name stands in
NEAR = 0.45  # likeness in words from which phrasings of one author are variants of each other
PARTS = 5  # one of them is left out of the first net
PENALTY = 1e-3


class Phrasing(NamedTuple):
    lesson: str
    proposition: str
    denies: bool
    text: str


def phrasings() -> tuple[Phrasing, ...]:
    """Every way to state or deny what the check of a fact is of."""
    found = []
    for key, fact in known().facts.items():
        lesson, _, id = key.partition("/")
        found += [Phrasing(lesson, id, False, text) for text in fact.affirmed]
        found += [Phrasing(lesson, id, True, text) for text in fact.denied]
    return tuple(found)


def fingerprint(known: Sequence[Phrasing]) -> str:
    digest = hashlib.sha256(json.dumps(list(known), ensure_ascii=False).encode())
    for source in SOURCES:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def on_the_example() -> dict[tuple[str, str], Verdict]:
    """The verdict on every proposition, as its check gives it on the running example."""
    return {
        (lesson.id, id): fact.judge(RUNNING, denied=False).verdict
        for lesson in lessons().values()
        for id, fact in lesson.facts.items()
    }


def compared(read: Sequence[Phrasing]) -> tuple[Known, list[Aspect]]:
    """The phrasings as the net sees them."""
    aspects = [aspect(phrasing.text) for phrasing in read]
    vocabularies = vocabulary([a.about for a in aspects], LEAST), vocabulary([a.turning for a in aspects], LEAST)
    meant = np.stack([a.meant for a in aspects])
    centre = meant.mean(axis=0)
    meant = meant - centre
    names = {name: i for i, name in enumerate(dict.fromkeys((p.lesson, p.proposition) for p in read))}
    belongs = np.array([names[p.lesson, p.proposition] for p in read])
    known = Known(
        propositions=tuple(names),
        belongs=belongs,
        denies=np.array([-1.0 if p.denies else 1.0 for p in read], np.float32),
        about=[vocabularies[0].weigh(a.about) for a in aspects],
        turning=[vocabularies[1].weigh(a.turning) for a in aspects],
        meant=(meant / np.linalg.norm(meant, axis=1, keepdims=True)).astype(np.float32),
        centre=centre,
        vocabulary=vocabularies,
        near=_near([p.text for p in read], belongs),
    )
    return known, aspects


def _near(texts: Sequence[str], belongs: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Of each phrasing those of its proposition that are variants of it, itself among them."""
    found: list[NDArray[np.int64]] = []
    for proposition in range(int(belongs.max()) + 1):
        at = np.flatnonzero(belongs == proposition)
        said = [set(words(texts[i].lower())) for i in at.tolist()]
        alike = [[len(a & b) / np.sqrt(len(a) * len(b) + 1e-9) > NEAR or a is b for b in said] for a in said]
        found += [at[row] for row in np.array(alike)]
    return found


def weights_of(
    known: Known, net: Net, kept: NDArray[np.bool_], verdict_of: Mapping[tuple[str, str], Verdict]
) -> Weights:
    """A net with some of the phrasings beside which it places messages."""
    belongs = known.belongs[kept]
    weights = Weights(
        propositions=known.propositions,
        verdicts=tuple(verdict_of[name] for name in known.propositions),
        starts=np.searchsorted(belongs, np.arange(len(known.propositions) + 1)),
        denies=known.denies[kept],
        about=np.zeros((0, 0), np.float32),
        turning=np.zeros((0, 0), np.float32),
        vocabulary=known.vocabulary,
        centre=known.centre,
        net=net,
        trust=np.zeros(0, np.float32),
        fingerprint="",
    )
    subject, turning = known.placed(net)
    return weights._replace(about=subject[kept], turning=turning[kept])


class LeftOut(NamedTuple):
    """How phrasings are read by a net that has not seen them."""

    proposition: NDArray[np.bool_]  # whether the one that gives the verdict is the right one
    right: NDArray[np.bool_]  # the verdict
    signs: Floats
    absent: Floats  # the same, when its proposition is taken away


def left_out(
    known: Known, aspects: Sequence[Aspect], held: NDArray[np.bool_], verdict_of: Mapping[tuple[str, str], Verdict]
) -> LeftOut:
    weights = weights_of(known, trained(known, ~held), ~held, verdict_of)
    place_of = np.cumsum(~held) - 1
    seen = []
    for i in np.flatnonzero(held).tolist():
        message, own = weights.place(aspects[i]), int(known.belongs[i])
        variants = [int(place_of[j]) for j in known.near[i] if not held[j]]
        found = judge(weights, message, {}, variants)
        without = judge(weights, message, {}, range(int(weights.starts[own]), int(weights.starts[own + 1])))
        said = (
            opposite(verdict_of[known.propositions[own]])
            if known.denies[i] < 0
            else verdict_of[known.propositions[own]]
        )
        right = found.option.verdict == said
        seen.append((found.option.proposition == own, right, found.signs, without.signs))
    return LeftOut(*(np.array(column) for column in zip(*seen, strict=True)))


def regression(inputs: Floats, wanted: NDArray) -> Floats:
    """Logistic regression, solved to the end."""
    scale = np.sqrt((inputs.astype(np.float64) ** 2).mean(axis=0)) + 1e-6
    x, y = torch.tensor(inputs / scale), torch.tensor(wanted, dtype=torch.float64)
    weights = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    solver = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        solver.zero_grad()
        found = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights, y) + PENALTY * (weights**2).sum()
        torch.autograd.backward(found)
        return found

    solver.step(loss)  # type: ignore[no-untyped-call]
    return (weights.detach().numpy() / scale).astype(np.float32)


def fit(read: Sequence[Phrasing], verdict_of: Mapping[tuple[str, str], Verdict]) -> tuple[Weights, LeftOut]:
    torch.set_num_threads(1)
    known, aspects = compared(read)
    held = np.array([zlib.crc32(p.text.encode()) % PARTS == 0 for p in read])
    left = left_out(known, aspects, held, verdict_of)
    trust = regression(
        np.concatenate([left.signs, left.absent]), np.concatenate([left.right, np.zeros(len(left.right), bool)])
    )
    everything = np.ones(len(read), bool)
    fitted = weights_of(known, trained(known, everything), everything, verdict_of)
    return fitted._replace(trust=trust, fingerprint=fingerprint(read)), left


def main() -> None:
    read = phrasings()
    fitted, left = fit(read, on_the_example())
    verdicts.save(fitted)
    sys.stdout.write(
        f"{len(read)} phrasings of {len(fitted.propositions)} propositions. Left out with those near them:\n"
        f"proposition right {left.proposition.mean():.3f}, verdict right {left.right.mean():.3f}\n"
    )


if __name__ == "__main__":
    main()
