"""The fitted weights that match a message to propositions: a file of arrays, written by fit_claims.py, read once."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lessons._proposition import Verdict
from prompts.read.likeness import (
    ALIKE,
    FINENESS,
    KINDS,
    LIKENESSES,
    MEANT,
    TURNED,
    WORDS,
    Counted,
    Facts,
    Floats,
    Statements,
    Turning,
    looks,
    spoken,
    table,
    turns,
)
from prompts.read.polarity import Said

FILE = Path(__file__).with_name("claims.npz")
STEEPNESS = (0.0, 3.0, 6.0, 12.0)  # how much more the nearest phrasings count
AWAY = -1.0  # the score of a proposition that is out of the question
TRUTH = {"true": 1.0, "false": -1.0, "depends": 0.0}


class Weights(NamedTuple):
    """Phrasings of propositions, lesson by lesson, and what was learnt from them."""

    propositions: tuple[tuple[str, str], ...]  # lesson and id
    verdicts: tuple[Verdict, ...]  # of each proposition, on the running example
    belongs: NDArray[np.int32]  # phrasing → proposition, ascending
    denies: Floats  # phrasing → 1 affirmed, -1 denied
    phrasings: Statements
    duals: Floats  # [phrasing, place of the proposition in its lesson]
    sides: Floats  # [phrasing; what it says of the truth in its lesson, of the side of its proposition]
    pair: tuple[Floats, ...]  # mean, scale, hidden weights and level, weights and level: does it say the same?
    polarity: Floats  # what leads() is worth
    presence: Floats  # what signs() is worth, level last
    fingerprint: str

    def scores(self, alike: Floats, lesson: str) -> Floats:
        """A score for each proposition of a lesson."""
        own = self.lessons()[lesson]
        at = self.at(own.start, own.stop)
        return np.asarray(alike[at] @ self.duals[at, : own.stop - own.start], np.float32)

    def at(self, first: int, behind: int) -> slice:
        """Where the phrasings of some propositions stand."""
        return slice(*np.searchsorted(self.belongs, (first, behind)).tolist())

    def lessons(self) -> dict[str, slice]:
        """Where the propositions of each lesson stand."""
        return _lessons(self.propositions)

    def affirmed(self, message: Said, cosines: Floats, proposition: int) -> float:
        """The log-odds that the message states the proposition rather than its opposite."""
        at = self.at(proposition, proposition + 1)
        features = turns(message, self.phrasings.turning, at, cosines[:, at])
        same = says_same(self.pair, features)
        own = self.lessons()[self.propositions[proposition][0]]
        home = self.at(own.start, own.stop)
        alike = spoken(cosines[:, home])
        truth, side = alike @ self.sides[home, 0], spoken(cosines[:, at]) @ self.sides[at, 1]
        seen = TRUTH[self.verdicts[proposition]] * np.array([*looks(message), truth], np.float32)
        led = leads(features, same, self.denies[at], np.append(seen, side))
        return float(led @ self.polarity)

    def matches(self, cosines: Floats, scores: Floats, lesson: str, place: int) -> float:
        """The log-odds that the message is about a proposition of a lesson, and not about another one of it."""
        proposition = self.lessons()[lesson].start + place
        return float(signs(cosines[:, self.at(proposition, proposition + 1)], scores, place) @ self.presence)


@cache
def _lessons(propositions: tuple[tuple[str, str], ...]) -> dict[str, slice]:
    names = [lesson for lesson, _ in propositions]
    return {name: slice(names.index(name), names.index(name) + names.count(name)) for name in sorted(set(names))}


def says_same(pair: tuple[Floats, ...], features: Floats) -> Floats:
    """The log-odds that the message says the same as each phrasing, and not the opposite."""
    mean, scale, inner, inner_level, outer, outer_level = pair
    hidden = np.maximum((features - mean) / scale @ inner.T + inner_level, 0)
    return np.asarray(hidden @ outer + outer_level, np.float32)


def leads(features: Floats, same: Floats, denies: Floats, others: Floats) -> Floats:
    """By how much the affirmed phrasings lead over the denied ones, in several ways; turned round for the opposite."""
    near = features[:, MEANT] + features[:, WORDS]
    found = []
    for steepness in STEEPNESS:
        weights = np.exp(steepness * (near - near.max()))
        found.append(float(weights / weights.sum() @ (same * denies)))
    yes, no = denies > 0, denies < 0
    for language in (0, 1):
        for turned in (0, 1):
            some = (features[:, ALIKE] == language) & (features[:, TURNED] == turned)
            most = [_most(features[some & side]) for side in (yes, no)]
            found += [most[0][kind] - most[1][kind] for kind in LIKENESSES]
    found += [_most(same[yes]) - _most(same[no]), -_most(-same[yes]) + _most(-same[no])]
    return np.concatenate([np.array(found, np.float32), others]).astype(np.float32)


def _most(values: Floats) -> Any:
    """The largest of each column; nothing where there is no row."""
    return values.max(axis=0) if len(values) else np.zeros(values.shape[1:], np.float32)


def signs(cosines: Floats, scores: Floats, place: int) -> Floats:
    """What tells whether a message is about a proposition: its score, its lead, how near the nearest phrasings are."""
    others = np.delete(scores, place)
    nearest = np.sort(cosines, axis=1)[:, ::-1]
    score = scores[place]
    return np.array([score, score - others.max(), *nearest[:, 0], *nearest[:, 1:3].mean(axis=1), 1.0], np.float32)


def save(weights: Weights, counted: tuple[Counted, ...], file: Path = FILE) -> None:
    known = weights.phrasings
    unit = np.abs(weights.duals).max()
    arrays: dict[str, NDArray] = {
        "propositions": np.array([" ".join(pair) for pair in weights.propositions]),
        "verdicts": np.array(weights.verdicts),
        "belongs": weights.belongs,
        "denies": weights.denies.astype(np.int8),
        "negated": known.turning.negated,
        "ends": known.turning.ends.astype(np.int8),
        "chinese": known.turning.chinese,
        "facts": np.array(json.dumps([[sorted(part) for part in one] for one in known.turning.facts])),
        "places": np.rint(known.places * FINENESS).astype(np.int8),
        "centre": known.centre,
        "axes": known.axes.astype(np.float16),
        "duals": (weights.duals / unit).astype(np.float16),
        "sides": weights.sides.astype(np.float16),
        "unit": np.array(unit, np.float32),
        "polarity": weights.polarity,
        "presence": weights.presence,
        "fingerprint": np.array(weights.fingerprint),
    }
    for number, one in enumerate(counted):
        arrays |= {f"{name}{number}": array for name, array in one._asdict().items()}
    arrays |= {f"pair{number}": array for number, array in enumerate(weights.pair)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


def _facts(settings: list[list[str]], numerals: list[str], shifts: list[str]) -> Facts:
    return Facts(frozenset((a, b, c) for a, b, c in settings), frozenset(numerals), frozenset(shifts))


@cache
def load(file: Path = FILE) -> Weights:
    with np.load(file, allow_pickle=False) as arrays:
        count = len(arrays["belongs"])
        counted = [Counted(*(arrays[f"{name}{k}"] for name in Counted._fields)) for k in range(len(KINDS))]
        facts = tuple(_facts(*one) for one in json.loads(str(arrays["facts"])))
        turning = Turning(arrays["negated"], arrays["ends"].astype(np.float32), arrays["chinese"], facts)
        phrasings = Statements(
            turning=turning,
            tables=tuple(table(one, count) for one in counted),
            centre=arrays["centre"],
            axes=arrays["axes"].astype(np.float32),
            places=arrays["places"].astype(np.float32) / FINENESS,
        )
        pairs = [str(pair).split() for pair in arrays["propositions"].tolist()]
        return Weights(
            propositions=tuple((lesson, id) for lesson, id in pairs),
            verdicts=tuple(arrays["verdicts"].tolist()),
            belongs=arrays["belongs"],
            denies=arrays["denies"].astype(np.float32),
            phrasings=phrasings,
            duals=arrays["duals"].astype(np.float32) * arrays["unit"],
            sides=arrays["sides"].astype(np.float32),
            pair=tuple(arrays[f"pair{k}"] for k in range(6)),
            polarity=arrays["polarity"],
            presence=arrays["presence"],
            fingerprint=str(arrays["fingerprint"]),
        )
