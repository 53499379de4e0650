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
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from engine.example import RUNNING
from lessons._lesson import lessons
from lessons._proposition import Verdict
from prompts.read import verdicts
from prompts.read.likeness import Aspect, Floats, Statements, aspect, statements, turns
from prompts.read.polarity import said
from prompts.read.verdicts import AWAY, LEADS, Weights, homes, leads, says_same, signs

LESSONS = Path(__file__).parents[2] / "lessons"
SOURCES = tuple(
    Path(__file__).with_name(name) for name in ("polarity.toml", "polarity.py", "likeness.py", "verdicts.py")
)
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


def on_the_example() -> dict[tuple[str, str], Verdict]:
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


class Known(NamedTuple):
    """The phrasings compared with each other."""

    aspects: tuple[Aspect, ...]
    abridged: tuple[Aspect, ...]
    side_by_side: Statements
    cosines: Floats  # [phrasing, kind, phrasing]
    abridged_cosines: Floats
    belongs: NDArray[np.int32]  # phrasing → proposition
    home: NDArray[np.int64]  # proposition → lesson
    denies: Floats
    near: NDArray[np.bool_]  # [phrasing, phrasing]: itself and its variants

    @property
    def part(self) -> NDArray[np.int64]:
        """Which part a phrasing is left out with: lessons stay together."""
        return self.home[self.belongs] % PARTS


def compared(read: Sequence[Phrasing], names: Sequence[tuple[str, str]]) -> Known:
    aspects = tuple(aspect(phrasing.text) for phrasing in read)
    abridged = tuple(aspect(_abridged(a.said.core, i)) for i, a in enumerate(aspects))
    side_by_side = statements(aspects)
    cosines, short = (np.stack([side_by_side.cosines(a) for a in some]) for some in (aspects, abridged))
    belongs = np.array([names.index((p.lesson, p.proposition)) for p in read], np.int32)
    near = (belongs[:, None] == belongs) & (cosines[:, 0] > NEAR) | np.eye(len(read), dtype=bool)
    denies = np.array([-1.0 if p.denies else 1.0 for p in read], np.float32)
    return Known(aspects, abridged, side_by_side, cosines, short, belongs, homes(names), denies, near)


def fit(read: Sequence[Phrasing], verdict_of: Mapping[tuple[str, str], Verdict]) -> tuple[Weights, LeftOut]:
    torch.set_num_threads(1)
    names = tuple(sorted({(p.lesson, p.proposition) for p in read}))
    known = compared(read, names)
    duals, scores = ridge(known)
    pair, polarity, affirmed = read_polarity(known)
    short = zip(known.abridged_cosines, known.abridged, strict=True)
    alike = np.stack([known.side_by_side.alike(cosines, message) for cosines, message in short])
    proposition, left = read_presence(known, scores, alike @ duals)
    verdicts_of_names = tuple(verdict_of[name] for name in names)
    fitted = Weights(
        propositions=names,
        homes=known.home,
        verdicts=verdicts_of_names,
        belongs=known.belongs,
        denies=known.denies,
        phrasings=known.side_by_side,
        duals=duals,
        pair=pair,
        polarity=polarity,
        proposition=proposition,
        fingerprint=fingerprint(read),
    )
    return fitted, left._replace(affirmed=affirmed)


def ridge(known: Known) -> tuple[Floats, Floats]:
    """The duals, and each phrasing's scores by those that are not near it (in closed form). Each lesson by itself."""
    kernel = [known.side_by_side.alike(c, a) for c, a in zip(known.cosines, known.aspects, strict=True)]
    alike = np.stack(kernel).astype(np.float64)
    targets = np.eye(len(known.home))[known.belongs]
    duals, scores = np.zeros_like(targets), np.zeros_like(targets)
    for lesson in np.unique(known.home):
        at = np.flatnonzero(known.home[known.belongs] == lesson)
        own = (alike + alike.T)[np.ix_(at, at)] / 2
        inverse = np.linalg.inv(own + RIDGE * np.trace(own) / len(own) * np.eye(len(own)))
        duals[at] = inverse @ targets[at]
        for place, i in enumerate(at):
            out = np.flatnonzero(known.near[i][at])
            left = targets[at[out]] - np.linalg.solve(inverse[np.ix_(out, out)], duals[at[out]])
            scores[i] = left[out == place]
    return duals.astype(np.float32), scores.astype(np.float32)


class Reading(NamedTuple):
    """A message of known polarity beside phrasings of its proposition."""

    features: Floats
    same: NDArray  # of each phrasing: whether it says the same
    denies: Floats


def read_polarity(known: Known) -> tuple[tuple[Floats, ...], Floats, Floats]:
    """The net, the regression, and each phrasing's log-odds with its part left out of both.

    Authors write opposites in pairs that differ by a word. A phrasing is therefore read without those near it, or being
    near would come to mean the opposite; and once more as somebody might abridge it, beside all of them.
    """
    left_out, abridged = [], []
    for i, own in enumerate(known.aspects):
        at = np.flatnonzero(known.belongs == known.belongs[i])
        far = at[~known.near[i][at]]
        left_out.append(_reading(known, i, own, known.cosines[i], far if len(far) else at[at != i]))
        abridged.append(_reading(known, i, known.abridged[i], known.abridged_cosines[i], at))
    everything, part, affirmed = np.arange(len(known.aspects)), known.part, known.denies > 0

    def net(chosen: NDArray) -> tuple[Floats, ...]:
        return _net([readings[i] for readings in (left_out, abridged) for i in chosen])

    def led(pair: tuple[Floats, ...], readings: Sequence[Reading]) -> Floats:
        return np.stack([leads(r.features, says_same(pair, r.features), r.denies) for r in readings])

    outside = np.zeros((2, len(everything), LEADS), np.float32)
    for left in range(PARTS):
        pair = net(everything[part != left])
        at = everything[part == left]
        for readings, found in zip((left_out, abridged), outside, strict=True):
            found[at] = led(pair, [readings[i] for i in at])
    odds = np.zeros(len(everything), np.float32)
    for left in range(PARTS):
        seen = part != left
        weights = regression(np.concatenate(outside[:, seen]), np.tile(affirmed[seen], 2), mirrored=True)
        odds[~seen] = outside[0, ~seen] @ weights
    return net(everything), regression(np.concatenate(outside), np.tile(affirmed, 2), mirrored=True), odds


def _reading(known: Known, i: int, message: Aspect, cosines: Floats, at: NDArray) -> Reading:
    """The i-th phrasing, as this message, beside the phrasings at these places."""
    features = turns(message.said, [known.side_by_side.apart[j] for j in at], cosines[:, at])
    return Reading(features, known.denies[at] == known.denies[i], known.denies[at])


_CHUNKS = re.compile(r"[\u3400-\u9fff]{2}|[a-z]+|\s+|.")


def _abridged(text: str, seed: int) -> str:
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


def read_presence(known: Known, scores: Floats, abridged_scores: Floats) -> tuple[Floats, LeftOut]:
    """The regression for whether the best proposition of a lesson is meant.

    Learnt from right ones, wrong ones, and the best one of the lesson without the right one; from phrasings as if
    nobody had written them nearly so, and from abridged ones.
    """
    hidden = np.where(known.near[:, None], -1.0, known.cosines)
    left_out, abridged = _presence(known, hidden, scores), _presence(known, known.abridged_cosines, abridged_scores)
    weights = regression(
        np.concatenate([x for p in (left_out, abridged) for x in (p.best, p.without)]),
        np.concatenate([x for p in (left_out, abridged) for x in (p.right, np.zeros_like(p.right))]),
    )
    nothing = np.zeros(len(scores), np.float32)
    return weights, LeftOut(left_out.proposition, left_out.best @ weights, left_out.without @ weights, nothing)


class Presence(NamedTuple):
    proposition: NDArray[np.int64]  # the best one of the lesson
    right: NDArray[np.bool_]
    best: Floats  # signs of the best one
    without: Floats  # signs of the best of the others than the right one


def _presence(known: Known, cosines: Floats, scores: Floats) -> Presence:
    found, best, without = [], [], []
    for i, own in enumerate(known.belongs):
        at_home = np.where(known.home == known.home[own], scores[i], AWAY)
        others = np.where(np.arange(len(known.home)) == own, AWAY, at_home)
        first, second = int(at_home.argmax()), int(others.argmax())
        found.append(first)
        best.append(signs(cosines[i][:, known.belongs == first], at_home, first))
        without.append(signs(cosines[i][:, known.belongs == second], others, second))
    return Presence(np.array(found), np.array(found) == known.belongs, np.stack(best), np.stack(without))


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


def main() -> None:
    read = phrasings()
    fitted, left = fit(read, on_the_example())
    verdicts.save(fitted)
    found, polarity = left.proposition == fitted.belongs, (left.affirmed > 0) == (fitted.denies > 0)
    sure = left.matches > 0
    sys.stdout.write(
        f"{len(read)} phrasings of {len(fitted.propositions)} propositions. Left out with those near them:\n"
        f"proposition right {found.mean():.3f}, "
        f"polarity right {polarity.mean():.3f}; sure of the proposition "
        f"{sure.mean():.3f}, right then {found[sure].mean():.3f}, "
        f"sure when it is missing {(left.absent > 0).mean():.3f}\n"
    )


if __name__ == "__main__":
    main()
