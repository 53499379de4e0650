"""Why stated numbers are wrong: a known wrong program, a rounding on the way, a slip, rates that do not exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine import mistakes
from engine.claims import Claim, half_a_unit
from engine.compared import Pair, paired
from engine.errors import EngineError
from engine.facts import Facts, quick_facts
from engine.following import Beside, follows
from engine.reachable import reachable
from engine.scenario import Scenario

ARITHMETIC, COUNT, UNREACHABLE, ROUNDED, UNKNOWN = "arithmetic", "count", "unreachable", "rounding", "unknown"
LONGEST_EXPLAINED = 256  # tokens: the programs with mistakes are run on no more
FEW_DIGITS = 2  # at which a wrong program and the right one may round to the same
SETTLING = 3  # right advantages, the last among them, that leave nothing open of γ and λ
FURTHEST = 3  # units of the last digit that rounding on the way may come to

Given = dict[str, float]  # the programs that give all that was stated, and how far they are from it


@dataclass(frozen=True)
class Found:
    """A claim as it was stated and as it is checked, with the computation that has its fact."""

    stated: Claim
    claim: Claim
    quantity: str
    facts: Facts

    @cached_property
    def pairs(self) -> list[Pair]:
        return paired(self.claim, self.facts.exact[self.claim.name])

    @cached_property
    def wrong(self) -> list[Pair]:
        return [pair for pair in self.pairs if not pair.right]

    def under(self, wrong: Mapping[str, Any]) -> list[Pair] | None:
        """The claim beside what another program gives; None where that has no such fact of the same shape."""
        found = paired(self.claim, wrong[self.claim.name]) if self.claim.name in wrong else []
        same = [(a.where, a.count) for a in found] == [(b.where, b.count) for b in self.pairs]
        return found if same and not any(pair.count for pair in found) else None


def causes(base: Scenario, found: Sequence[Found], free: frozenset[str]) -> dict[str, str]:
    """The cause of each number that is not right, by where it stands; empty where all are."""
    runs = _Runs(base, found)
    if not any(one.wrong for one in found):
        return _exactly(found, runs)
    named = _whole_sheet(found, runs)
    why = {} if named else _rounded(base, found)
    named = named or _claim_by_claim(
        [one for one in found if any(pair.where not in why for pair in one.wrong)], found, runs
    )
    for one in found:
        lost = _unreachable(one, found, free)
        for pair in one.wrong:
            if pair.where in why:
                continue
            of_itself = _of_its_own(one, pair)
            named_here = named.get(one.claim.where) if of_itself != COUNT else None
            why[pair.where] = named_here or of_itself or (UNREACHABLE if lost else UNKNOWN)
    _carry(base, found, why)
    return why


def _of_its_own(one: Found, pair: Pair) -> str | None:
    """What a number says of itself: that there is none, or that its own working comes to something else."""
    if pair.count or one.claim.name == "T":
        return COUNT
    return ARITHMETIC if _slips(pair) else None


def _slips(pair: Pair) -> bool:
    """Whether the working that is written comes to another number, by more than its rounding."""
    return pair.made is not None and abs(pair.made - pair.stated) > 2.02 * half_a_unit(pair.decimals)


# ---------------------------------------------------------------- programs


class _Runs:
    """Every program with a mistake, on the same numbers: only as far as it is asked for."""

    def __init__(self, base: Scenario, found: Sequence[Found]) -> None:
        self.base, self.found = base, found
        self._made: dict[tuple[str, str], Mapping[str, Any] | None] = {}

    @cached_property
    def ids(self) -> list[str]:
        if self.base.length > LONGEST_EXPLAINED:
            return []
        homes = {m.id for one in self.found for m in mistakes.on_the_way_to(one.quantity)}
        return [id for id, m in mistakes.MISTAKES.items() if id in homes and m.possible(self.base)]

    def of(self, id: str, one: Found) -> list[Pair] | None:
        """A claim beside what a program gives for it; beside what is right where the program has no part in it."""
        if not any(m.id == id for m in mistakes.on_the_way_to(one.quantity)):
            return one.pairs
        key = (id, one.quantity)
        if key not in self._made:
            self._made[key] = self._run(*key)
        made = self._made[key]
        return None if made is None else one.under(made)

    def _run(self, id: str, quantity: str) -> Mapping[str, Any] | None:
        try:
            return quick_facts(mistakes.MISTAKES[id].on(quantity), self.base)
        except (EngineError, ZeroDivisionError, OverflowError):
            return None


def _whole_sheet(found: Sequence[Found], runs: _Runs) -> dict[str, str]:
    """Claim → the program that gives all that was stated, the closest if there are several."""
    wrong = [one for one in found if one.wrong]
    if any(pair.count for one in found for pair in one.pairs):
        return {}
    whole = {id: d for id in runs.ids if (d := _distance(id, found, runs)) is not None}
    best = min(whole, key=lambda id: whole[id], default=None)
    return {} if best is None else {one.claim.where: best for one in wrong}


def _claim_by_claim(wrong: Sequence[Found], found: Sequence[Found], runs: _Runs) -> dict[str, str]:
    """Claim → the likeliest program that gives it and that no other claim speaks against."""
    whole = [one for one in wrong if not any(pair.count for pair in one.pairs)]
    explained = {one.claim.where: _explanations(one, found, runs) for one in whole}
    votes = [id for ids in explained.values() for id in ids]
    return {where: min(ids, key=lambda id: (-votes.count(id), ids[id])) for where, ids in explained.items() if ids}


def _distance(id: str, found: Sequence[Found], runs: _Runs) -> float | None:
    """How far a program is from all that was stated, if it gives all of it at the digits shown."""
    far = 0.0
    for one in found:
        pairs = runs.of(id, one)
        if pairs is None or not all(pair.right for pair in pairs):
            return None
        far = max([far, *(pair.off for pair in pairs if pair.correct is not None)])
    return far


def _explanations(one: Found, found: Sequence[Found], runs: _Runs) -> Given:
    """The programs that give a claim, and how far they are from it; none that other claims speak against."""
    kept: Given = {}
    for id in runs.ids:
        pairs = runs.of(id, one)
        if pairs is None or not all(pair.right for pair in pairs):
            continue
        if not any(_spoils(runs.of(id, other), other) for other in found if other is not one):
            kept[id] = max((pair.off for pair in pairs if pair.correct is not None), default=0.0)
    return kept


def _spoils(wrong: list[Pair] | None, other: Found) -> bool:
    """Whether a program changes a number of another claim, and not into what was stated of it."""
    return wrong is not None and any(
        not a.right and a.correct is not None and b.correct is not None
        and abs(float(a.correct) - float(b.correct)) > half_a_unit(a.decimals)
        for a, b in zip(wrong, other.pairs, strict=True)
    )  # fmt: skip


def _exactly(found: Sequence[Found], runs: _Runs) -> dict[str, str]:
    """With few digits: the program that gives all that was stated, where the right one only rounds to it."""
    pairs = [pair for one in found for pair in one.pairs]
    inexact = [pair for pair in pairs if not pair.exact]
    if not inexact or len(pairs) < 2 or any(pair.decimals > FEW_DIGITS for pair in pairs):
        return {}
    for id in runs.ids:
        under = [runs.of(id, one) for one in found]
        if all(p is not None and all(pair.exact for pair in p) for p in under):
            return {pair.where: id for pair in inexact}
    return {}


# ---------------------------------------------------------------- from number to number


def _rounded(base: Scenario, found: Sequence[Found]) -> dict[str, str]:
    """The numbers that are off by little, and that follow from rounded numbers which are not wrong themselves."""
    beside = _beside(base, found)
    lost = {pair.where for one in found for pair in one.wrong}
    for one in found:
        for pair in reversed(one.wrong):
            trusted = replace(beside, distrusted=frozenset(lost), decimals=pair.decimals)
            near = not pair.count and pair.off <= 2 * FURTHEST * half_a_unit(pair.decimals) and not _slips(pair)
            if near and _follows(one, pair, trusted):
                lost.discard(pair.where)
    return {pair.where: ROUNDED for one in found for pair in one.wrong if pair.where not in lost}


def _carry(base: Scenario, found: Sequence[Found], why: dict[str, str]) -> None:
    """What follows from a stated number that is wrong is wrong for the same reason."""
    beside = _beside(base, found)
    for one in found:
        for pair in reversed(one.wrong):
            after = why.get(f"{one.claim.name}[{_place(pair.where) + 1}]")
            if after is not None and why[pair.where] in (UNKNOWN, UNREACHABLE) and _follows(one, pair, beside):
                why[pair.where] = after


def _follows(one: Found, pair: Pair, beside: Beside) -> bool:
    return follows(one.claim.name, _place(pair.where), pair.stated, half_a_unit(pair.decimals), beside)


def _beside(base: Scenario, found: Sequence[Found]) -> Beside:
    stated: dict[str, Any] = {}
    correct: dict[str, Any] = {}
    for one in found:
        if one.claim.index is None and not isinstance(one.claim.stated, Mapping):
            stated[one.claim.name] = one.claim.stated
        elif one.claim.index is not None and isinstance(one.facts.exact[one.claim.name], list):
            row = stated.setdefault(one.claim.name, [None] * len(one.facts.exact[one.claim.name]))
            if isinstance(row, list) and 0 <= one.claim.index < len(row):
                row[one.claim.index] = one.claim.stated
        correct = {**one.facts.exact, **correct}
    return Beside(stated, correct, base)


def _place(where: str) -> int:
    inside = where.rpartition("[")[2].removesuffix("]")
    return int(inside) if inside.isdecimal() else -1


def _unreachable(one: Found, found: Sequence[Found], free: frozenset[str]) -> bool:
    """Whether γ and λ were left open, and no pair of them gives the stated advantages.

    Where the other numbers settle both, it is one number that is off and not the rates.
    """
    settled = any(other.claim.name == "deltas" and len(other.wrong) < len(other.pairs) for other in found)
    if settled or len(one.pairs) - len(one.wrong) > SETTLING:
        return False
    known, stated = one.facts.numbers, one.claim.stated
    flat = isinstance(stated, Sequence) and not isinstance(stated[0], Sequence)
    if one.claim.name != "advantages" or not flat or not {"gamma", "lam"} <= free or "rewards" not in known:
        return False
    rows = (known["rewards"], known["values"], stated)
    if any(isinstance(x, list) or x is None for row in rows for x in row) or len({len(row) for row in rows}) > 1:
        return False
    return not reachable(*rows, max(half_a_unit(pair.decimals) for pair in one.pairs))
