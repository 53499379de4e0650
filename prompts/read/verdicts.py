"""The fitted weights that match a message to propositions: a file of arrays, written by fit_claims.py, read once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lessons._proposition import Verdict
from prompts.read.likeness import ALIKE, KINDS, TURNED, Aspect, Floats, Statements, Table, placed, turns
from prompts.read.polarity import Said

FILE = Path(__file__).with_name("claims.npz")
FINENESS = 400  # of a meaning's coordinates, which are below 0.3
STEEPNESS = (0.0, 3.0, 6.0, 12.0)  # how much more the nearest phrasings count
AWAY = -1.0  # the score of a proposition that is out of the question
LEADS = len(STEEPNESS) + 4 * 2 * 2 + 2


class Weights(NamedTuple):
    """Phrasings of propositions, and what was learnt from them."""

    propositions: tuple[tuple[str, str], ...]  # lesson and id
    homes: NDArray[np.int64]  # proposition → number of its lesson
    verdicts: tuple[Verdict, ...]  # of each proposition, on the running example
    belongs: NDArray[np.int32]  # phrasing → proposition
    denies: Floats  # phrasing → 1 affirmed, -1 denied
    phrasings: Statements
    duals: Floats  # [phrasing, proposition]
    pair: tuple[Floats, ...]  # mean, scale, hidden weights and level, weights and level: does it say the same?
    polarity: Floats  # what leads() is worth
    proposition: Floats  # what signs() is worth, level last
    fingerprint: str

    def scores(self, message: Aspect) -> tuple[Floats, Floats]:
        """Cosines with each phrasing, and a score for each proposition."""
        cosines = self.phrasings.cosines(message)
        return cosines, self.phrasings.alike(cosines, message) @ self.duals

    def affirmed(self, message: Aspect, cosines: Floats, proposition: int) -> float:
        """The log-odds that the message states the proposition rather than its opposite."""
        at = np.flatnonzero(self.belongs == proposition)
        features = turns(message.said, [self.phrasings.apart[i] for i in at], cosines[:, at])
        return float(leads(features, says_same(self.pair, features), self.denies[at]) @ self.polarity)

    def matches(self, cosines: Floats, scores: Floats, proposition: int, agreeing: Sequence[int] = ()) -> float:
        """The log-odds that the message is about the proposition, and not about another one of its lesson.

        Others that agree with it are no rivals.
        """
        rivals = np.where(self.homes == self.homes[proposition], scores, AWAY)
        rivals[list(agreeing)] = AWAY
        return float(signs(cosines[:, self.belongs == proposition], rivals, proposition) @ self.proposition)

    def likeliest(self, scores: Floats, lesson: str, count: int) -> list[int]:
        """The propositions of a lesson that have the best scores, best first."""
        own = [i for i, (home, _) in enumerate(self.propositions) if home == lesson]
        return sorted(own, key=lambda i: -scores[i])[:count]


def homes(propositions: Sequence[tuple[str, str]]) -> NDArray[np.int64]:
    return np.unique([lesson for lesson, _ in propositions], return_inverse=True)[1]


def says_same(pair: tuple[Floats, ...], features: Floats) -> Floats:
    """The log-odds that the message says the same as each phrasing, and not the opposite."""
    mean, scale, inner, inner_level, outer, outer_level = pair
    hidden = np.maximum((features - mean) / scale @ inner.T + inner_level, 0)
    return np.asarray(hidden @ outer + outer_level, np.float32)


def leads(features: Floats, same: Floats, denies: Floats) -> Floats:
    """By how much the affirmed phrasings lead over the denied ones, in several ways; turned round for the opposite."""
    near = features[:, 3] + 0.5 * features[:, 1] + 0.5 * features[:, 0]
    found = []
    for steepness in STEEPNESS:
        weights = np.exp(steepness * (near - near.max()))
        found.append(float(weights / weights.sum() @ (same * denies)))
    for kind in range(4):
        for language in (0, 1):
            for turned in (0, 1):
                some = (features[:, ALIKE] == language) & (features[:, TURNED] == turned)
                found.append(_most(features[some & (denies > 0), kind]) - _most(features[some & (denies < 0), kind]))
    yes, no = same[denies > 0], same[denies < 0]
    found += [_most(yes) - _most(no), -_most(-yes) + _most(-no)]
    return np.array(found, np.float32)


def _most(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0


def signs(cosines: Floats, scores: Floats, proposition: int) -> Floats:
    """What tells whether a message is about a proposition: its score, its lead, how near the nearest phrasings are."""
    others = np.delete(scores, proposition)
    nearest = np.sort(cosines, axis=1)[:, ::-1]
    score = scores[proposition]
    return np.array([score, score - others.max(), *nearest[:, 0], *nearest[:, 1:3].mean(axis=1), 1.0], np.float32)


def save(weights: Weights, file: Path = FILE) -> None:
    known = weights.phrasings
    unit = np.abs(weights.duals).max()
    arrays: dict[str, NDArray] = {
        "propositions": np.array([" ".join(pair) for pair in weights.propositions]),
        "verdicts": np.array(weights.verdicts),
        "belongs": weights.belongs,
        "denies": weights.denies.astype(np.int8),
        "apart": np.array(json.dumps([_packed(one) for one in known.apart], ensure_ascii=False)),
        "meant": np.rint(known.meant * FINENESS).astype(np.int8),
        "centre": known.centre,
        "duals": (weights.duals / unit).astype(np.float16),
        "unit": np.array(unit, np.float32),
        "polarity": weights.polarity,
        "proposition": weights.proposition,
        "fingerprint": np.array(weights.fingerprint),
    }
    for number, one in enumerate(known.tables):
        arrays |= {
            f"{name}{number}": array
            for name, array in one._replace(weights=one.weights.astype(np.float16))._asdict().items()
        }
    arrays |= {f"pair{number}": array for number, array in enumerate(weights.pair)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


def _packed(one: Said) -> list:
    return [*one[:3], one.ends, sorted(one.settings), sorted(one.numerals), sorted(one.shifts)]


def _unpacked(packed: list) -> Said:
    core, neutral, negated, ends, settings, numerals, shifts = packed
    return Said(
        core, neutral, negated, tuple(ends), frozenset(map(tuple, settings)), frozenset(numerals), frozenset(shifts)
    )


@cache
def load(file: Path = FILE) -> Weights:
    with np.load(file, allow_pickle=False) as arrays:
        counted = (Table(**{name: arrays[f"{name}{k}"] for name in Table._fields}) for k in range(len(KINDS)))
        tables = tuple(table._replace(weights=table.weights.astype(np.float32)) for table in counted)
        propositions = tuple(tuple(pair.split()) for pair in arrays["propositions"].tolist())
        meant = arrays["meant"].astype(np.float32) / FINENESS
        apart = tuple(_unpacked(one) for one in json.loads(str(arrays["apart"])))
        return Weights(
            propositions=propositions,
            homes=homes(propositions),
            verdicts=tuple(arrays["verdicts"].tolist()),
            belongs=arrays["belongs"],
            denies=arrays["denies"].astype(np.float32),
            phrasings=Statements(apart, tables, meant, arrays["centre"], placed(meant, arrays["centre"])),
            duals=arrays["duals"].astype(np.float32) * arrays["unit"],
            pair=tuple(arrays[f"pair{k}"] for k in range(6)),
            polarity=arrays["polarity"],
            proposition=arrays["proposition"],
            fingerprint=str(arrays["fingerprint"]),
        )
