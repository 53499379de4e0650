"""Fits the matching of messages to propositions: `python -m prompts.read.fit_claims` writes claims.npz.

Three parts, each learnt from the phrasings of the propositions by leaving out: which proposition of a lesson (ridge
regression on likeness, solved exactly), which polarity (fit_polarity.py), and whether it is about a proposition at all
(the right one, against the best of the others).
"""

from __future__ import annotations

import hashlib
import json
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
from prompts.read.fit_polarity import Beside, abridged, read_polarity, regression, signed
from prompts.read.likeness import (
    DIMENSIONS,
    KINDS,
    Counted,
    Floats,
    Statements,
    alike,
    aspect,
    counted,
    placed,
    table,
    turning,
)
from prompts.read.verdicts import AWAY, TRUTH, Weights, signs

LESSONS = Path(__file__).parents[2] / "lessons"
SOURCES = tuple(
    Path(__file__).with_name(name) for name in ("polarity.toml", "polarity.py", "likeness.py", "verdicts.py")
)
RIDGE = 0.05  # for the mean diagonal of the kernel
NEAR = 0.45  # likeness in words from which phrasings of one author are variants of each other


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

    proposition: NDArray[np.bool_]  # whether the best one of its lesson is the right one
    matches: Floats  # log-odds that the best one is meant
    absent: Floats  # the same, when its own proposition is not there
    affirmed: Floats  # log-odds for its own proposition


class Home(NamedTuple):
    """The phrasings of one lesson compared with each other."""

    at: slice  # where they stand among all
    beside: tuple[Beside, ...]  # each as it is, then each as somebody might abridge it
    belongs: NDArray[np.int64]  # phrasing → place of the proposition in the lesson
    near: NDArray[np.bool_]  # [phrasing, phrasing]: itself and its variants


def compared(read: Sequence[Phrasing]) -> tuple[Statements, tuple[Counted, ...], list[Home]]:
    aspects = [aspect(phrasing.text) for phrasing in read]
    meant = np.stack([a.meant for a in aspects])
    centre = meant.mean(axis=0)
    axes = np.linalg.eigh(np.cov((meant - centre).astype(np.float64).T))[1][:, ::-1][:, :DIMENSIONS].astype(np.float32)
    features = tuple(counted([a.counts[kind] for a in aspects]) for kind in range(len(KINDS)))
    known = Statements(
        turning([a.said for a in aspects]),
        tuple(table(one, len(read)) for one in features),
        centre,
        axes,
        placed(meant, centre, axes),
    )
    homes = []
    names = [phrasing.lesson for phrasing in read]
    for lesson in sorted(set(names)):
        at = slice(names.index(lesson), names.index(lesson) + names.count(lesson))
        own = aspects[at]
        short = [aspect(abridged(a.said.core, at.start + i)) for i, a in enumerate(own)]
        beside = tuple(Beside(a.said, known.cosines(a)[:, at].copy()) for a in (*own, *short))
        ids = list(dict.fromkeys(phrasing.proposition for phrasing in read[at]))
        belongs = np.array([ids.index(phrasing.proposition) for phrasing in read[at]])
        likeness = np.stack([one.cosines[0] for one in beside[: len(own)]])
        near = (belongs[:, None] == belongs) & (likeness > NEAR) | np.eye(len(own), dtype=bool)
        homes.append(Home(at, beside, belongs, near))
    return known, features, homes


def fit(
    read: Sequence[Phrasing], verdict_of: Mapping[tuple[str, str], Verdict]
) -> tuple[Weights, tuple[Counted, ...], LeftOut]:
    torch.set_num_threads(1)
    names = tuple(dict.fromkeys((p.lesson, p.proposition) for p in read))
    known, features, homes = compared(read)
    found = tuple(verdict_of[name] for name in names)
    belongs = np.array([names.index((p.lesson, p.proposition)) for p in read], np.int32)
    denies = np.array([-1.0 if p.denies else 1.0 for p in read], np.float32)
    duals = np.zeros((len(read), max(int(home.belongs.max()) + 1 for home in homes)), np.float32)
    sides = np.zeros((len(read), 2), np.float32)
    truths = np.array([TRUTH[found[proposition]] for proposition in belongs], np.float32)
    scores = []
    for home in homes:
        own, by_others = ridge(home)
        duals[home.at, : own.shape[1]] = own
        scores.append(by_others)
        sides[home.at] = signed(home, denies[home.at], truths[home.at])[0]
    presence, left = read_presence(homes, scores, duals)
    pair, polarity, affirmed = read_polarity(known.turning, homes, denies, truths)
    fitted = Weights(
        propositions=names,
        verdicts=found,
        belongs=belongs,
        denies=denies,
        phrasings=known,
        duals=duals,
        sides=sides,
        pair=pair,
        polarity=polarity,
        presence=presence,
        fingerprint=fingerprint(read),
    )
    return fitted, features, left._replace(affirmed=affirmed)


def ridge(home: Home) -> tuple[Floats, Floats]:
    """The duals, and each phrasing's scores by those that are not near it (in closed form)."""
    count = len(home.belongs)
    kernel = np.stack([alike(one.cosines) for one in home.beside[:count]]).astype(np.float64)
    kernel = (kernel + kernel.T) / 2
    targets = np.eye(int(home.belongs.max()) + 1)[home.belongs]
    inverse = np.linalg.inv(kernel + RIDGE * np.trace(kernel) / count * np.eye(count))
    duals, scores = inverse @ targets, np.zeros_like(targets)
    for i in range(count):
        out = np.flatnonzero(home.near[i])
        left = targets[out] - np.linalg.solve(inverse[np.ix_(out, out)], duals[out])
        scores[i] = left[out == i][0]
    return duals.astype(np.float32), scores.astype(np.float32)


def read_presence(homes: Sequence[Home], scores: Sequence[Floats], duals: Floats) -> tuple[Floats, LeftOut]:
    """The regression for whether the best proposition of a lesson is meant.

    Learnt from right ones, wrong ones, and the best one of the lesson without the right one; from phrasings as if
    nobody had written them nearly so, and from abridged ones.
    """
    seen = []
    for home, by_others in zip(homes, scores, strict=True):
        count, width = len(home.belongs), by_others.shape[1]
        for i, one in enumerate(home.beside):
            own, as_is = i % count, i < count
            cosines = np.where(home.near[own], -1.0, one.cosines) if as_is else one.cosines
            score = by_others[own] if as_is else alike(one.cosines) @ duals[home.at, :width]
            seen.append(_presence(home, own, cosines, score))
    weights = regression(
        np.concatenate([[p.best, p.without] for p in seen]), np.array([x for p in seen for x in (p.right, False)])
    )
    first = [p for home, part in zip(homes, _split(seen, homes), strict=True) for p in part[: len(home.belongs)]]
    return weights, LeftOut(
        np.array([p.right for p in first]),
        np.stack([p.best for p in first]) @ weights,
        np.stack([p.without for p in first]) @ weights,
        np.zeros(len(first), np.float32),
    )


def _split(seen: Sequence[Presence], homes: Sequence[Home]) -> list[Sequence[Presence]]:
    ends = np.cumsum([len(home.beside) for home in homes]).tolist()
    return [seen[end - len(home.beside) : end] for end, home in zip(ends, homes, strict=True)]


class Presence(NamedTuple):
    right: bool  # whether the best proposition of the lesson is the right one
    best: Floats  # signs of the best one
    without: Floats  # signs of the best of the others than the right one


def _presence(home: Home, own: int, cosines: Floats, score: Floats) -> Presence:
    right = int(home.belongs[own])
    others = np.where(np.arange(len(score)) == right, AWAY, score)
    first, second = int(score.argmax()), int(others.argmax())
    return Presence(
        first == right,
        signs(cosines[:, home.belongs == first], score, first),
        signs(cosines[:, home.belongs == second], others, second),
    )


def main() -> None:
    read = phrasings()
    fitted, features, left = fit(read, on_the_example())
    verdicts.save(fitted, features)
    found, polarity = left.proposition, (left.affirmed > 0) == (fitted.denies > 0)
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
