"""Fits the matching of messages to propositions: `python -m prompts.read.fit_claims` writes claims.npz.

Three parts, each learnt from the phrasings of the propositions by leaving out: which proposition (ridge regression on
likeness, solved exactly), which polarity (a small net on pairs of phrasings, then a regression on what they say
together), and whether it is about a proposition at all (the right one, against the best of the others).
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from engine.example import RUNNING
from lessons._lesson import lessons
from prompts.read import verdicts
from prompts.read.likeness import Aspect, Floats, Statements, aspect, statements, turns
from prompts.read.polarity import said
from prompts.read.verdicts import AWAY, LEADS, Weights, homes, leads, says_same, signs

LESSONS = Path(__file__).parents[2] / "lessons"
SOURCES = tuple(Path(__file__).with_name(name) for name in ("polarity.toml", "polarity.py", "likeness.py", "verdicts.py"))
RIDGE = 0.05  # for the mean diagonal of the kernel
HIDDEN, EPOCHS, BATCH, STEP, DECAY = 16, 8, 1024, 5e-3, 0.3
PARTS = 4  # lessons are left out in so many parts
PENALTY = 1e-3
NEAR = 0.4  # likeness in spelling from which phrasings of one author are variants of each other
ABRIDGED = 0.2


class Phrasing(NamedTuple):
    lesson: str
    proposition: str
    denies: bool
    text: str


def phrasings() -> tuple[Phrasing, ...]:
    """Every phrasing of every proposition of every lesson."""
    found = []
    for file in sorted(LESSONS.glob("[!_]*/propositions.toml")):
        for id, entry in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for side in ("affirmed", "denied"):
                found += [Phrasing(file.parent.name, id, side == "denied", text) for text in entry[side]]
    return tuple(found)


def fingerprint(known: Sequence[Phrasing]) -> str:
    digest = hashlib.sha256(json.dumps(list(known), ensure_ascii=False).encode())
    for source in SOURCES:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def on_the_example() -> dict[tuple[str, str], str]:
    """The verdict on every proposition, as its check gives it on the running example."""
    return {
        (lesson.id, id): proposition.judge(RUNNING, denied=False).verdict
        for lesson in lessons().values()
        for id, proposition in lesson.propositions.items()
    }


class LeftOut(NamedTuple):
    """How each phrasing is read by weights that have not seen it."""

    proposition: NDArray[np.int64]  # the best one
    matches: Floats  # log-odds that the best one is meant
    absent: Floats  # the same, when its own proposition is not there
    affirmed: Floats  # log-odds for its own proposition


def fit(known: Sequence[Phrasing], verdict_of: Mapping[tuple[str, str], str]) -> tuple[Weights, LeftOut]:
    torch.set_num_threads(1)
    aspects = [aspect(phrasing.text) for phrasing in known]
    names = tuple(sorted({(p.lesson, p.proposition) for p in known}))
    belongs = np.array([names.index((p.lesson, p.proposition)) for p in known], np.int32)
    denies = np.array([-1.0 if p.denies else 1.0 for p in known], np.float32)
    side_by_side = statements(aspects)
    cosines = np.stack([side_by_side.cosines(a) for a in aspects])  # [phrasing, kind, phrasing]
    kernel = np.stack([side_by_side.alike(c, a) for c, a in zip(cosines, aspects, strict=True)])
    near = [(belongs == b) & (c[0] > NEAR) | (np.arange(len(belongs)) == i) for i, (b, c) in enumerate(zip(belongs, cosines, strict=True))]
    home = homes(names)
    duals, scores = ridge(kernel, belongs, home, near)
    part = np.array([names[b][0] for b in belongs])
    part = np.searchsorted(np.unique(part), part) % PARTS
    pair, polarity, affirmed = read_polarity(aspects, side_by_side, cosines, belongs, denies, part, near)
    proposition, best, matches, absent = read_presence(cosines, scores, belongs, home, near)
    fitted = Weights(names, home, tuple(verdict_of[name] for name in names), belongs, denies, side_by_side, duals, pair, polarity, proposition, fingerprint(known))
    return fitted, LeftOut(best, matches, absent, affirmed)


def ridge(kernel: Floats, belongs: NDArray, home: NDArray, near: Sequence[NDArray]) -> tuple[Floats, Floats]:
    """The duals, and each phrasing's scores by those that are not near it (in closed form). Each lesson by itself."""
    targets = np.eye(len(home))[belongs]
    duals, scores = np.zeros_like(targets), np.zeros_like(targets)
    for lesson in np.unique(home):
        at = np.flatnonzero(home[belongs] == lesson)
        own = kernel[np.ix_(at, at)].astype(np.float64)
        own = (own + own.T) / 2
        inverse = np.linalg.inv(own + RIDGE * np.trace(own) / len(own) * np.eye(len(own)))
        duals[at] = inverse @ targets[at]
        for place, i in enumerate(at):
            out = np.flatnonzero(near[i][at])
            left = targets[at[out]] - np.linalg.solve(inverse[np.ix_(out, out)], duals[at[out]])
            scores[i] = left[out == place]
    return duals.astype(np.float32), scores.astype(np.float32)


class Reading(NamedTuple):
    """A message of known polarity beside phrasings of its proposition."""

    features: Floats
    same: NDArray  # of each phrasing: whether it says the same
    denies: Floats


def read_polarity(
    aspects: Sequence[Aspect], side_by_side: Statements, cosines: Floats, belongs: NDArray, denies: Floats, part: NDArray, near: Sequence[NDArray]
) -> tuple[tuple[Floats, ...], Floats, Floats]:
    """The net, the regression, and each phrasing's log-odds with its part left out of both.

    Authors write opposites in pairs that differ by a word. A phrasing is therefore read without those near it, or being
    near would come to mean the opposite; and once more as somebody might abridge it, beside all of them.
    """
    left_out, abridged = [], []
    for i, own in enumerate(aspects):
        at = np.flatnonzero(belongs == belongs[i])
        bare = np.flatnonzero((belongs == belongs[i]) & ~near[i])
        left_out.append(_reading(own, side_by_side, cosines[i], bare if len(bare) else at[at != i], denies, i))
        short = aspect(_abridged(own.said.core, i))
        abridged.append(_reading(short, side_by_side, side_by_side.cosines(short), at, denies, i))
    everything = np.arange(len(aspects))

    def net(chosen: NDArray) -> tuple[Floats, ...]:
        return _net([readings[i] for readings in (left_out, abridged) for i in chosen])

    def led(pair: tuple[Floats, ...], readings: Sequence[Reading]) -> Floats:
        return np.stack([leads(r.features, says_same(pair, r.features), r.denies) for r in readings])

    outside = np.zeros((2, len(aspects), LEADS), np.float32)
    for left in range(PARTS):
        pair = net(everything[part != left])
        at = everything[part == left]
        for readings, found in zip((left_out, abridged), outside, strict=True):
            found[at] = led(pair, [readings[i] for i in at])
    affirmed = np.zeros(len(aspects), np.float32)
    for left in range(PARTS):
        weights = regression(np.concatenate(outside[:, part != left]), np.tile(denies[part != left] > 0, 2), mirrored=True)
        affirmed[part == left] = outside[0, part == left] @ weights
    return net(everything), regression(np.concatenate(outside), np.tile(denies > 0, 2), mirrored=True), affirmed


def _reading(message: Aspect, known: Statements, cosines: Floats, at: NDArray, denies: Floats, i: int) -> Reading:
    return Reading(turns(message.said, [known.apart[j] for j in at], cosines[:, at]), denies[at] == denies[i], denies[at])


_CHUNKS = re.compile(r"[\u3400-\u9fff]{2}|[a-z]+|\s+|.")


def _abridged(text: str, seed: int) -> str:
    """The text with about a quarter of it left out, where that turns nothing."""
    choice, chunks = random.Random(seed), _CHUNKS.findall(text)
    kept = "".join(chunk for chunk in chunks if choice.random() > ABRIDGED) or text
    before, after = said(text), said(kept)
    return kept if (before.negated, before.ends, before.settings) == (after.negated, after.ends, after.settings) else text


def _net(readings: Sequence[Reading]) -> tuple[Floats, ...]:
    """Whether two phrasings of one proposition say the same or the opposite."""
    seen, says = np.concatenate([r.features for r in readings]), np.concatenate([r.same for r in readings])
    mean, scale = seen.mean(axis=0), seen.std(axis=0) + 1e-3
    inputs, wanted = torch.tensor((seen - mean) / scale), torch.tensor(says, dtype=torch.float32)
    torch.manual_seed(0)
    inner, outer = torch.nn.Linear(inputs.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, 1)
    steps = torch.optim.AdamW([*inner.parameters(), *outer.parameters()], lr=STEP, weight_decay=DECAY)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(inputs)).split(BATCH):
            odds = outer(torch.relu(inner(inputs[batch])))[:, 0]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, wanted[batch])
            steps.zero_grad()
            loss.backward()
            steps.step()
    arrays = [x.detach().numpy() for x in (inner.weight, inner.bias, outer.weight[0], outer.bias[0])]
    return (mean, scale, *(np.asarray(x, np.float32) for x in arrays))


def read_presence(
    cosines: Floats, scores: Floats, belongs: NDArray, home: NDArray, near: Sequence[NDArray]
) -> tuple[Floats, NDArray, Floats, Floats]:
    """The regression for whether the best proposition of a lesson is meant.

    Learnt from right ones, wrong ones, and the best one of the lesson without the right one.
    """
    present, absent, right, best = [], [], [], []
    for i, own in enumerate(belongs):
        hidden = np.where(near[i], -1.0, cosines[i])  # as if nobody had written it nearly so
        at_home = np.where(home == home[own], scores[i], AWAY)
        first = int(at_home.argmax())
        best.append(first)
        right.append(first == own)
        present.append(signs(hidden[:, belongs == first], at_home, first))
        without = np.where(np.arange(len(home)) == own, AWAY, at_home)
        second = int(without.argmax())
        absent.append(signs(hidden[:, belongs == second], without, second))
    seen = np.concatenate([np.stack(present), np.stack(absent)])
    weights = regression(seen, np.array([*right, *([False] * len(absent))]))
    return weights, np.array(best), np.stack(present) @ weights, np.stack(absent) @ weights


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
        found.backward()
        return found

    solver.step(loss)
    return (weights.detach().numpy() / scale).astype(np.float32)


def main() -> None:
    known = phrasings()
    fitted, left = fit(known, on_the_example())
    verdicts.save(fitted)
    print(f"{len(known)} phrasings of {len(fitted.propositions)} propositions")
    for bar in (0.3, 0.4, 0.5, 0.6, 0.7):
        odds = np.log(bar / (1 - bar))
        sure = left.matches > odds
        print(bar, f"given {sure.mean():.3f}, right {(left.proposition == fitted.belongs)[sure].mean():.3f}, absent {(left.absent > odds).mean():.3f}")
    print(f"left out: proposition {(left.proposition == fitted.belongs).mean():.3f}, polarity {((left.affirmed > 0) == (fitted.denies > 0)).mean():.3f}")


if __name__ == "__main__":
    main()
