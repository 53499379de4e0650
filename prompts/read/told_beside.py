"""A pasted answer, sentence by sentence: the fact nearest to each that states something, and where two disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.audits import Claim
from engine.claims import half_a_unit
from prompts.read.asking import mood, sentences
from prompts.read.claim import Assertion, claim
from prompts.read.e5 import length
from prompts.read.nearest import nearest, see
from prompts.read.parts import said, titles

LONG = 400  # characters of prose from which a message is somebody's whole answer
FEWEST, MOST = 3, 24  # sentences that are set beside a fact
SHORTEST = 8  # tokens of a sentence
# Of sentences that were read one by one the nearest fact is about the very point in 94 % of the Chinese and 97 % of the
# English ones that are at least so near.
NEAR, LIKE = 0.7, 0.45
SURELY, ALIKE = 0.7, 0.55  # how far a verdict is from another one: of 32 such none was the opposite of what is right
_NO_STATEMENT = re.compile(r"[:：]\W*$|=\s*\W?\[\s*[-\d.]|^\W*(?:用户|助手|user|assistant)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Beside:
    """A sentence as it stands in the message, the fact that is nearest, and what it states, if that is known."""

    sentence: str
    fact: str  # lesson/id
    likeness: float
    states: Assertion | None

    @property
    def sure(self) -> bool:
        """Whether its verdict can be given: that what it states is the fact that is shown below it."""
        states = self.states
        return states is not None and states.margin >= SURELY and self.likeness >= ALIKE and self.fact == states.id


@lru_cache(maxsize=16)
def told_beside(message: str) -> tuple[Beside, ...]:
    """Of a long message; nothing where too few of its sentences lie near to any fact."""
    if len(said(message)) < LONG:
        return ()
    heads = titles(message)
    found = [_beside(one) for one in list(_statements(message, heads))[:MOST]]
    near = tuple(one for one in found if one is not None)
    return near if len(near) >= FEWEST else ()


def _statements(message: str, heads: frozenset[str]) -> Iterator[str]:
    for one in dict.fromkeys(sentences(message)):
        states = mood(one) in ("claims", "context") and not _NO_STATEMENT.search(one) and one not in heads
        if states and length(one) >= SHORTEST:
            yield one


def _beside(sentence: str) -> Beside | None:
    seen = see((sentence,))
    best = nearest(seen, (0,), 1)[0]
    if best.score < NEAR or best.likeness < LIKE:
        return None
    states = claim(sentence, sorted(seen.likely.items(), key=lambda pair: -pair[1]), best.fact)
    return Beside(sentence, best.fact, best.likeness, states)


def opposed(found: Sequence[Beside]) -> tuple[tuple[Beside, Beside], ...]:
    """Two sentences of which one says what the other denies."""
    return tuple((a, b) for a, b in combinations(found, 2) if a.states and b.states and _opposite(a.states, b.states))


def _opposite(one: Assertion, other: Assertion) -> bool:
    return one.id == other.id and one.denied != other.denied


def two_numbers(claims: Sequence[Claim]) -> tuple[tuple[str, int | None, str, str], ...]:
    """Of one quantity at one place two stated numbers that no rounding makes one: what, where, and both as typed."""
    stated: dict[tuple[str, int | None], list[tuple[float, int]]] = {}
    for one in claims:
        for index, x, digits in _numbers(one):
            stated.setdefault((one.name, index), []).append((x, digits))
    return tuple(
        (name, index, f"{a[0]:.{a[1]}f}", f"{b[0]:.{b[1]}f}")
        for (name, index), numbers in stated.items()
        for a, b in combinations(numbers, 2)
        if abs(a[0] - b[0]) > half_a_unit(a[1]) + half_a_unit(b[1]) + 1e-9
    )


def _numbers(one: Claim) -> Iterator[tuple[int | None, float, int]]:
    """Each with its place and its digits; those of batches and of sweeps are of many."""
    if not isinstance(one.stated, list):
        if isinstance(one.stated, int | float):
            yield one.index, float(one.stated), one.decimals_of(0)
        return
    typed = ((t, x) for t, x in enumerate(one.stated) if isinstance(x, int | float))
    yield from ((t, float(x), one.decimals_of(k)) for k, (t, x) in enumerate(typed))
