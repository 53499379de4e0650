"""What words speak for which facts: counted, not trained. fit_nearest.py stores it, with what they say for lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prompts.read.asked import Known
from prompts.read.likeness import Counts
from prompts.read.wording import FINENESS, Floats, counts

SEEN = 3  # texts that must share a word
DOUBT = 2.0  # texts of a fact without the word that are added to those there are: few texts say little
COMMON = 2e-4  # how common a word is taken to be at least
ANSWERS = 3  # of the facts that answer a message, how many its words speak for


class Counted(NamedTuple):
    """Words, and for each what it speaks for."""

    keys: NDArray[np.uint32]
    starts: NDArray[np.int64]
    facts: NDArray[np.uint16]
    speaks: NDArray[np.uint8]
    unit: float
    whole: int  # facts


def texts(read: Known) -> list[list[str]]:
    """All that is said of each fact."""
    places = {key: i for i, key in enumerate(read.facts)}
    found = [[*fact.says, *fact.asked, *fact.affirmed, *fact.denied] for fact in read.facts.values()]
    for message in read.messages:
        for key in message.facts[:ANSWERS]:
            found[places[key]].append(message.text)
    return found


def counted(said: Sequence[Sequence[str]]) -> Counted:
    """How much more often a word stands in what is said of a fact than elsewhere, as a logarithm."""
    of_facts = [Counter(key for text in some for key in counts(text)) for some in said]
    spread: Counter[int] = Counter()
    for one in of_facts:
        spread.update(one)
    whole = sum(len(some) for some in said)
    keys = sorted(key for key, texts in spread.items() if texts >= SEEN)
    place = {key: i for i, key in enumerate(keys)}
    speaks: list[list[tuple[int, float]]] = [[] for _ in keys]
    for fact, (one, some) in enumerate(zip(of_facts, said, strict=True)):
        for key, often in one.items():
            if key in place:
                share = often / (len(some) + DOUBT)
                speaks[place[key]].append((fact, float(np.log1p(share / (spread[key] / whole + COMMON)))))
    flat = [pair for some in speaks for pair in some]
    amounts = np.array([amount for _, amount in flat])
    unit = float(amounts.max()) / FINENESS
    return Counted(
        keys=np.array(keys, np.uint32),
        starts=np.cumsum([0, *map(len, speaks)]),
        facts=np.array([fact for fact, _ in flat], np.uint16),
        speaks=np.rint(amounts / unit).astype(np.uint8),
        unit=unit,
        whole=len(said),
    )


def rarity(found: Sequence[Counts], keys: NDArray[np.uint32]) -> Floats:
    """How rare each word is among texts."""
    spread = Counter(key for one in found for key in one)
    return np.array([np.log((1 + len(found)) / (1 + spread[int(key)])) + 1 for key in keys], np.float32)
