"""Learns from phrasings of known polarity whether a message states a proposition or its opposite.

A small net on pairs of phrasings says whether they say the same, and a regression weighs what they say together.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from prompts.read.likeness import Floats, Turning, looks, spoken, turns
from prompts.read.polarity import Said, said
from prompts.read.verdicts import leads, says_same

HIDDEN, EPOCHS, BATCH, STEP, DECAY = 16, 4, 1024, 5e-3, 0.3
PARTS = 3  # lessons are left out in so many parts
PENALTY = 1e-3
RIDGE = 0.3  # for the mean diagonal of the kernel
ABRIDGED = 0.2


class Beside(NamedTuple):
    """A statement beside the phrasings of its lesson."""

    said: Said
    cosines: Floats  # [kind, phrasing of the lesson]


class Home(Protocol):
    """The phrasings of one lesson compared with each other."""

    @property
    def at(self) -> slice: ...
    @property
    def beside(self) -> tuple[Beside, ...]: ...
    @property
    def belongs(self) -> NDArray[np.int64]: ...
    @property
    def near(self) -> NDArray[np.bool_]: ...


class Reading(NamedTuple):
    """A message of known polarity beside phrasings of its proposition."""

    features: Floats
    same: NDArray  # of each phrasing: whether it says the same
    denies: Floats  # of each phrasing
    others: Floats  # whether it looks true, for what would be true; which side it is on by the signed phrasings
    affirms: bool
    abridged: bool
    part: int


def read_polarity(
    known: Turning, homes: Sequence[Home], denies: Floats, truths: Floats
) -> tuple[tuple[Floats, ...], Floats, Floats]:
    """The net, the regression, and each phrasing's log-odds with its part left out of both.

    Authors write opposites in pairs that differ by a word. A phrasing is therefore read without those near it, or being
    near would come to mean the opposite; and once more as somebody might abridge it, beside all of them.
    """
    readings = [r for part, home in enumerate(homes) for r in _readings(known, home, denies, truths, part % PARTS)]
    led = np.zeros((len(readings), 0), np.float32)
    parts = np.array([r.part for r in readings])
    for left in range(PARTS):
        pair = _net([r for r in readings if r.part != left])
        found = {i: _led(pair, r) for i, r in enumerate(readings) if r.part == left}
        led = led if led.shape[1] else np.zeros((len(readings), len(next(iter(found.values())))), np.float32)
        for i, one in found.items():
            led[i] = one
    affirms, whole = np.array([r.affirms for r in readings]), np.array([not r.abridged for r in readings])
    odds = np.zeros(len(readings), np.float32)
    for left in range(PARTS):
        seen = parts != left
        odds[~seen] = led[~seen] @ regression(led[seen], affirms[seen], mirrored=True)
    return _net(readings), regression(led, affirms, mirrored=True), odds[whole]


def _led(pair: tuple[Floats, ...], r: Reading) -> Floats:
    return leads(r.features, says_same(pair, r.features), r.denies, r.others)


def _readings(known: Turning, home: Home, denies: Floats, truths: Floats, part: int) -> list[Reading]:
    count, first = len(home.belongs), home.at.start
    sides = signed(home, denies[home.at], truths[home.at])[1]
    found = []
    for i, one in enumerate(home.beside):
        own, as_is = i % count, i < count
        mates = np.flatnonzero(home.belongs == home.belongs[own])
        far = mates[~home.near[own][mates]] if as_is else mates
        kept = far if len(far) else mates[mates != own]
        at = slice(first + int(mates[0]), first + int(mates[-1]) + 1)
        features = turns(one.said, known, at, one.cosines[:, mates])[kept - mates[0]]
        side = denies[home.at][own]
        alike = spoken(one.cosines)
        truth, turned = alike @ sides[0][:, own], alike @ sides[1][:, own]
        others = np.array([*(truths[home.at][own] * np.array([*looks(one.said), truth])), turned], np.float32)
        found.append(
            Reading(
                features,
                denies[home.at][kept] == side,
                denies[home.at][kept],
                others,
                bool(side > 0),
                not as_is,
                part,
            )
        )
    return found


def signed(home: Home, denies: Floats, truths: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """What each phrasing says of the truth in its lesson and of the side of its proposition, by ridge regression.

    And the same for each phrasing [by others, of it] as if those near it were not there.
    """
    count = len(home.belongs)
    kernel = np.stack([spoken(one.cosines) for one in home.beside[:count]]).astype(np.float64)
    kernel = (kernel + kernel.T) / 2
    mates = home.belongs[:, None] == home.belongs
    whole, left = zip(
        _ridge(kernel, truths * denies, home.near), _ridge(kernel * mates, denies, home.near), strict=True
    )
    return np.stack(whole, 1), (left[0], left[1])


def _ridge(kernel: NDArray, targets: Floats, near: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    count = len(targets)
    inverse = np.linalg.inv(kernel + RIDGE * np.trace(kernel) / count * np.eye(count))
    duals = inverse @ targets
    without = np.zeros((count, count))
    for i in range(count):
        out = np.flatnonzero(near[i])
        without[:, i] = duals - inverse[:, out] @ np.linalg.solve(inverse[np.ix_(out, out)], duals[out])
        without[out, i] = 0
    return duals.astype(np.float32), without.astype(np.float32)


_CHUNKS = re.compile(r"[\u3400-\u9fff]{2}|[a-z]+|\s+|.")


def abridged(text: str, seed: int) -> str:
    """The text with about a quarter of it left out, where that turns nothing."""
    choice, chunks = random.Random(seed), _CHUNKS.findall(text)
    kept = "".join(chunk for chunk in chunks if choice.random() > ABRIDGED) or text
    before, after = said(text), said(kept)
    return (
        kept if (before.negated, before.ends, before.settings) == (after.negated, after.ends, after.settings) else text
    )


def _net(readings: Sequence[Reading]) -> tuple[Floats, ...]:
    """Whether two phrasings of one proposition say the same or the opposite."""
    seen, says = np.concatenate([r.features for r in readings]), np.concatenate([r.same for r in readings])
    mean, scale = seen.mean(axis=0), seen.std(axis=0) + 1e-3
    inputs, wanted = torch.tensor((seen - mean) / scale), torch.tensor(says, dtype=torch.float32)
    torch.manual_seed(0)
    inner, outer = torch.nn.Linear(inputs.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, 1)
    steps = torch.optim.AdamW([*inner.parameters(), *outer.parameters()], lr=STEP, weight_decay=DECAY)
    for _ in range(EPOCHS):
        for batch in torch.split(torch.randperm(len(inputs)), BATCH):
            odds = outer(torch.relu(inner(inputs[batch])))[:, 0]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, wanted[batch])
            steps.zero_grad()
            torch.autograd.backward(loss)
            steps.step()
    arrays = [x.detach().numpy() for x in (inner.weight, inner.bias, outer.weight[0], outer.bias[0])]
    return (mean, scale, *(np.asarray(x, np.float32) for x in arrays))


def regression(inputs: Floats, wanted: NDArray, *, mirrored: bool = False) -> Floats:
    """Logistic regression, solved to the end. Mirrored: the opposite input has the opposite answer."""
    if mirrored:
        inputs, wanted = np.concatenate([inputs, -inputs]), np.concatenate([wanted, ~wanted])
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
