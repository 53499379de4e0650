"""Trains the net that places statements: which proposition, and which side of it.

Every step reads half the propositions of one lesson beside half of another's, so that it learns to tell apart what is
near and what only sounds alike. Authors write opposites in pairs that differ by a word: a phrasing is therefore read
without those near it, or being near would come to mean the opposite. Names are dropped at random, so that the net does
not lean on any one of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from prompts.read.likeness import Floats, Vocabulary
from prompts.read.verdicts import Layer, Net

ABOUT, TURNING = 64, 24  # axes of the two spaces
MEANT = 512  # dimensions of a meaning
EPOCHS, STEP, DECAY = 24, 4e-3, 1e-5
SIDE_STEP = STEP / 2  # sides are learnt by heart sooner than subjects
DROPPED = 0.5  # of the names
SMOOTH = 0.05  # of the sides may be wrong
NOT_SEEN = -1e9

Weighed = tuple[NDArray[np.int64], Floats]  # places of names, weights


class Known(NamedTuple):
    """Phrasings, ordered by proposition."""

    propositions: tuple[tuple[str, str], ...]
    belongs: NDArray[np.int64]
    denies: Floats
    about: list[Weighed]
    turning: list[Weighed]
    meant: Floats
    centre: Floats
    vocabulary: tuple[Vocabulary, Vocabulary]
    near: list[NDArray[np.int64]]

    def mixtures(self, epoch: int) -> list[NDArray[np.int64]]:
        """All phrasings, in parts: half the propositions of one lesson beside half of another's."""
        draw = np.random.default_rng(epoch)
        names = np.array([lesson for lesson, _ in self.propositions])
        halves = [np.array_split(draw.permutation(np.flatnonzero(names == one)), 2) for one in sorted({*names})]
        order = draw.permutation(len(halves))
        both = zip(order, np.roll(order, 1), strict=True)
        return [np.flatnonzero(np.isin(self.belongs, [*halves[a][0], *halves[b][1]])) for a, b in both]

    def placed(self, net: Net) -> tuple[Floats, Floats]:
        """Where all of them lie: what they are about, and how they are turned."""
        both = zip(self.about, self.turning, self.meant, strict=True)
        places = [(net.about.place(a, m), np.tanh(net.turning.place(t, m))) for a, t, m in both]
        subject = np.stack([a for a, _ in places])
        return subject / np.linalg.norm(subject, axis=1, keepdims=True), np.stack([t for _, t in places])


class _Layer(torch.nn.Module):
    def __init__(self, names: int, axes: int, spread: float, *, level: bool = True) -> None:
        super().__init__()
        self.names = torch.nn.EmbeddingBag(names, axes, mode="sum")
        self.meant = torch.nn.Linear(MEANT, axes, bias=level)
        torch.nn.init.normal_(self.names.weight, 0, spread)
        if not level:
            torch.nn.init.normal_(self.meant.weight, 0, spread)

    def forward(self, bag: tuple[torch.Tensor, torch.Tensor, torch.Tensor], meant: torch.Tensor) -> torch.Tensor:
        names, weights, starts = bag
        found: torch.Tensor = self.names(names, starts, per_sample_weights=weights) + self.meant(meant)
        return found

    def fixed(self) -> Layer:
        bias = self.meant.bias
        level = np.zeros(self.meant.out_features, np.float32) if bias is None else bias.detach().numpy()
        return Layer(self.names.weight.detach().numpy(), self.meant.weight.detach().numpy().T, level)


class _Placing(torch.nn.Module):
    def __init__(self, about: int, turning: int) -> None:
        super().__init__()
        self.about = _Layer(about, ABOUT, 1 / math.sqrt(ABOUT), level=False)
        self.turning = _Layer(turning, TURNING, 0.3 / math.sqrt(TURNING))
        self.steep = torch.nn.Parameter(torch.tensor(2.3))
        self.steep_turning = torch.nn.Parameter(torch.tensor(1.5))
        self.clear = torch.nn.Parameter(torch.tensor(1.0))
        self.near = torch.nn.Parameter(torch.tensor([0.0, 3.0]))

    def fixed(self) -> Net:
        return Net(
            self.about.fixed(),
            self.turning.fixed(),
            self.steep.exp().item(),
            self.steep_turning.exp().item(),
            self.clear.exp().item(),
            self.near.detach().numpy(),
        )


def trained(known: Known, kept: NDArray[np.bool_]) -> Net:
    """The net after some rounds through the phrasings, in other mixtures each; only kept ones are read."""
    torch.manual_seed(0)
    net = _Placing(*(len(v.keys) for v in known.vocabulary))
    pace = {"turning": SIDE_STEP}
    groups = [{"params": [p], "lr": pace.get(name.partition(".")[0], STEP)} for name, p in net.named_parameters()]
    steps = torch.optim.AdamW(groups, weight_decay=DECAY)
    slower = torch.optim.lr_scheduler.LambdaLR(steps, lambda epoch: 1 - epoch / EPOCHS)
    for epoch in range(EPOCHS):
        for rows in known.mixtures(epoch):
            loss = _Mixture(known, rows[kept[rows]]).loss(net)
            steps.zero_grad()
            torch.autograd.backward(loss)
            steps.step()
        slower.step()
    return net.fixed()


class _Mixture:
    """Phrasings, ready to be read beside each other."""

    def __init__(self, known: Known, rows: NDArray[np.int64]) -> None:
        self.about, self.turning = _bag(known.about, rows), _bag(known.turning, rows)
        self.meant = torch.tensor(known.meant[rows])
        self.denies = torch.tensor(known.denies[rows])
        self.belongs = torch.tensor(np.unique(known.belongs[rows], return_inverse=True)[1])
        place = {int(row): i for i, row in enumerate(rows)}
        self.hidden = torch.zeros(len(rows), len(rows), dtype=torch.bool)
        for i, row in enumerate(rows):
            self.hidden[i, [place[int(j)] for j in known.near[row] if int(j) in place]] = True

    def loss(self, net: _Placing) -> torch.Tensor:
        turning = _dropped(self.turning)
        subject = functional.normalize(net.about(_dropped(self.about), self.meant), dim=1)
        cosines = subject @ subject.T
        return self._which(net, cosines) + self._side(net, cosines, torch.tanh(net.turning(turning, self.meant)))

    def _which(self, net: _Placing, cosines: torch.Tensor) -> torch.Tensor:
        """Whether the phrasings of the right proposition are nearer than those of the others."""
        near = torch.exp(net.steep.exp() * (cosines - 1)).masked_fill(self.hidden, 0)
        own = functional.one_hot(self.belongs).float()
        shares = near @ own / own.sum(0) + 1e-12
        return -torch.log(shares.gather(1, self.belongs[:, None])[:, 0] / shares.sum(1)).mean()

    def _side(self, net: _Placing, cosines: torch.Tensor, turned: torch.Tensor) -> torch.Tensor:
        """Whether the nearest phrasings of its proposition are turned like it where they say the same."""
        others = (self.belongs[:, None] == self.belongs) & ~self.hidden
        some = others.any(1)
        near = cosines[some].masked_fill(~others[some], NOT_SEEN)
        shares = torch.softmax(net.steep_turning.exp() * near, 1)
        says = (shares * (turned[some] @ turned.T) * self.denies).sum(1)
        trusted = 2 * torch.sigmoid(net.near[0] + net.near[1] * near.max(1).values)
        wanted = (self.denies[some] > 0).float() * (1 - 2 * SMOOTH) + SMOOTH
        return functional.binary_cross_entropy_with_logits(says * net.clear.exp() * trusted, wanted)


def _bag(weighed: list[Weighed], rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    places, weights = zip(*(weighed[row] for row in rows), strict=True)
    starts = np.cumsum([0, *(len(p) for p in places[:-1])])
    return torch.tensor(np.concatenate(places)), torch.tensor(np.concatenate(weights)), torch.tensor(starts)


def _dropped(bag: tuple[torch.Tensor, torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    names, weights, starts = bag
    return names, weights * (torch.rand(len(weights)) > DROPPED) / (1 - DROPPED), starts
