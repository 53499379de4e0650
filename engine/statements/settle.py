"""Whether a statement is true, and what shows it: a proof, the settings that part it, the smallest response against it.

No response that was drawn proves "for all": a statement that holds on all of them is unknown, "held on n responses".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from engine.drawn import EVERYWHERE, random_responses
from engine.errors import EngineError
from engine.statements.evaluating import holds
from engine.statements.given import EMPTY, Given
from engine.statements.terms import Term

Verdict: TypeAlias = Literal["true", "false", "depends", "unknown"]
_LISTS = ("rewards", "values", "logp", "ref_logp", "old_logp", "new_logp")


@dataclass(frozen=True)
class Proved:
    theorems: tuple[str, ...]


@dataclass(frozen=True)
class Held:
    """On so many settings, or responses drawn."""

    count: int


@dataclass(frozen=True)
class Refuted:
    """Where it does not hold: the smallest response that was found."""

    here: Given


@dataclass(frozen=True)
class Parted:
    """It holds in one case and not in another: which statement and which setting, counted from zero."""

    holds: tuple[int, int]
    fails: tuple[int, int]


Witness: TypeAlias = Proved | Held | Refuted | Parted


@dataclass(frozen=True)
class Settled:
    verdict: Verdict
    witness: Witness


def settle(statements: Sequence[Term], settings: Sequence[Given], theorems: Sequence[str] = ()) -> Settled:
    """In every setting true, in none of them false; else it depends. Theorems are proved before it is called true."""
    cases = {(i, k): holds(one, here) for i, one in enumerate(statements) for k, here in enumerate(settings)}
    for_it, against = ([case for case, held in cases.items() if held is truth] for truth in (True, False))
    if for_it and against:
        return Settled("depends", Parted(for_it[0], against[0]))
    if against:
        return Settled("false", Refuted(settings[against[0][1]]))
    return Settled("true", _proved(theorems) if theorems else Held(len(cases)))


def settle_for_all(statement: Term, theorems: Sequence[str] = ()) -> Settled:
    """Of every response: refuted by one that was drawn, proved by a theorem, or unknown."""
    tried = 0
    for here in _drawn():
        try:
            if not holds(statement, here):
                return Settled("false", Refuted(here))
        except (EngineError, IndexError):
            continue
        tried += 1
    return Settled("true", _proved(theorems)) if theorems else Settled("unknown", Held(tried))


def _proved(theorems: Sequence[str]) -> Proved:
    from engine.proofs import theorem

    return Proved(tuple(theorem(name).name for name in theorems))


@cache
def _drawn() -> tuple[Given, ...]:
    """Responses drawn, the shortest first."""
    found = []
    for one in random_responses(EVERYWHERE):
        lists = {name: one.lists[name] for name in _LISTS}
        found.append(EMPTY.with_parts({**lists, **one.rates}))
    return tuple(found)
