"""Stated numbers against computed ones, at the digits shown, and the program that explains the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import mistakes
from engine.claims import Audited, Checked, Claim
from engine.computing import computable, computed
from engine.facts import Facts, quick_facts
from engine.reachable import reachable
from engine.scenario import PARAMETERS, Scenario, scenario

__all__ = ["Audited", "Checked", "Claim", "audit", "computable", "decimals", "separated"]

ARITHMETIC, COUNT, UNREACHABLE = "arithmetic", "count", "unreachable"
LONGEST_EXPLAINED = 256  # tokens: the programs with mistakes are run on no more
ROUNDING = 1e-9
NOWHERE = 1_000_000  # behind the last place of any text


@dataclass(frozen=True)
class Found:
    """A claim as it was stated and as it is checked, with the computation that has its fact."""

    stated: Claim
    claim: Claim
    quantity: str
    facts: Facts


def audit(
    given: Scenario, claims: Sequence[Claim], quantity: str | None = None, *, free: frozenset[str] = frozenset()
) -> Audited:
    """Check the claims on the given numbers. `free` are the parameters that nobody stated."""
    base, taken = _grounded(given, claims)
    found = [one for c in claims if c.name not in taken for one in _computed(base, c, quantity)]
    causes = _causes(base, found, free)
    checked: list[tuple[float, Checked]] = []
    for order, one in enumerate(found):
        numbers = _compared(one.claim, one.facts.exact[one.claim.name], causes[one.claim.where])
        checked += zip(_order(one.claim, len(numbers), order), numbers, strict=True)
    known = {one.stated.where for one in found}
    return Audited(
        tuple(number for _, number in sorted(checked, key=lambda pair: pair[0])),
        tuple(claim.where for claim in claims if claim.where not in known and claim.name not in taken),
        tuple(one.facts for one in found),
        {one.claim.name: one.quantity for one in found},
    )


def separated(given: Scenario) -> tuple[Scenario, tuple[Claim, ...]]:
    """Lists of a scenario that follow from its other lists, as claims."""
    own = given.given()
    scored = "scores" in own and ("kl_values" in own or {"logp", "ref_logp"} <= set(own))
    rewarded = "values" in own and ("rewards" in own or scored)
    follows = {
        "rewards": scored,
        "advantages": rewarded,
        "returns": rewarded or {"values", "advantages"} <= set(own),
        "ratio": "new_logp" in own and ("old_logp" in own or "logp" in own),
    }
    names = [name for name, does in follows.items() if does and name in own and "vpreds" not in own]
    claims = tuple(Claim(name, own[name], decimals(own[name])) for name in names)
    return given.merged(dict.fromkeys(names)), claims


def decimals(stated: Any) -> int:
    """How many decimals the numbers show when nothing is known but their values; a whole number shows one."""
    return max((len(f"{x:.12g}".partition(".")[2]) for x in _numbers(stated)), default=0) or 1


def _numbers(stated: Any) -> Iterator[float]:
    if isinstance(stated, Mapping):
        stated = list(stated.values())
    if isinstance(stated, Sequence):
        for part in stated:
            yield from _numbers(part)
    elif stated is not None:
        yield stated


def _order(claim: Claim, count: int, last: int) -> Sequence[float]:
    """Where the numbers of a claim stand; behind all others, claim by claim, if that is not known."""
    if len(claim.places) == count:
        return claim.places
    return [min(claim.places, default=NOWHERE + last)] * count


# ---------------------------------------------------------------- what is right


def _grounded(given: Scenario, claims: Sequence[Claim]) -> tuple[Scenario, frozenset[str]]:
    """The numbers to compute from, and the claims that they are. Stated alone, δ and k1 are what the rest is made of.

    As rewards before a critic that says 0, the stated δ are their own TD errors.
    """
    whole = {one.name: one.stated for one in claims if one.index is None and isinstance(one.stated, Sequence)}
    parameters = {name: x for name in PARAMETERS if (x := getattr(given, name)) is not None}
    if "deltas" in whole and given.rewards is None and given.scores is None:
        silent = [[0.0] * len(row) for row in _rows(whole["deltas"])]
        given_up = frozenset({"deltas", "returns", "mc_returns"})
        return scenario({"rewards": whole["deltas"], "values": silent, **parameters}), given_up
    if "k1" in whole and given.logp is None and given.ref_logp is None:
        rows = _rows(whole["k1"])
        level = -max(1.0, *(abs(x) for row in rows for x in row))
        logp = [[level + min(x, 0.0) for x in row] for row in rows]
        ref = [[level - max(x, 0.0) for x in row] for row in rows]
        return scenario({"logp": logp, "ref_logp": ref, **parameters}), frozenset({"k1"})
    return given, frozenset()


def _rows(stated: Any) -> list[Any]:
    return list(stated) if isinstance(stated[0], Sequence) else [stated]


def _computed(base: Scenario, stated: Claim, quantity: str | None) -> Iterator[Found]:
    found = computed(base, stated.name, quantity)
    if found is not None:
        yield Found(stated, replace(stated, name=found.name), found.quantity, found.facts)


def _compared(claim: Claim, correct: Any, cause: str) -> list[Checked]:
    if claim.index is not None:
        if not -len(correct) <= claim.index < len(correct):
            return [Checked(claim.where, claim.stated, None, COUNT, claim.decimals)]
        return [_one(claim.where, claim.stated, correct[claim.index], claim, cause)]
    return _beside(claim.name, claim.stated, correct, claim, cause)


def _beside(where: str, stated: Any, correct: Any, claim: Claim, cause: str) -> list[Checked]:
    """Number by number; a list of another length is wrong as a whole."""
    if isinstance(stated, Mapping):
        return [x for lam, row in stated.items() for x in _beside(f"{where}[{lam}]", row, correct[lam], claim, cause)]
    if not isinstance(stated, Sequence):
        return [_one(where, stated, correct, claim, cause)]
    if len(stated) == 1 and isinstance(stated[0], Sequence) and not isinstance(correct[0], list):
        stated = stated[0]
    if not isinstance(correct, list):
        return [_one(where, stated[0], correct, claim, cause)]
    if len(stated) != len(correct):
        kept = [x for x in correct if x is not None]
        if len(stated) != len(kept):
            return [Checked(where, float(len(stated)), len(correct), COUNT)]
        places = [t for t, x in enumerate(correct) if x is not None]
        return [_one(f"{where}[{t}]", x, correct[t], claim, cause) for t, x in zip(places, stated, strict=True)]
    pairs = enumerate(zip(stated, correct, strict=True))
    return [
        x for t, (own, right) in pairs if own is not None for x in _beside(f"{where}[{t}]", own, right, claim, cause)
    ]


def _one(where: str, stated: float, correct: Any, claim: Claim, cause: str) -> Checked:
    """A number that the mask leaves out is not checked against anything, and so is right."""
    right = correct is None or abs(float(correct) - stated) <= claim.tolerance + ROUNDING * max(1.0, abs(stated))
    return Checked(where, stated, correct, None if right else cause, claim.decimals)


# ---------------------------------------------------------------- why it is wrong


def _causes(base: Scenario, found: Sequence[Found], free: frozenset[str]) -> dict[str, str]:
    """For each claim the likeliest program that gives it: one that gives several claims, then the closest."""
    explained = {one.claim.where: _explanations(base, one, found) for one in found}
    votes = [id for ids in explained.values() for id in ids]
    causes = {}
    for one in found:
        ids = explained[one.claim.where]
        best = min(ids, key=lambda id: (-votes.count(id), ids[id]), default=None)
        causes[one.claim.where] = best or _without_a_program(one.claim, one.facts, free)
    return causes


def _explanations(base: Scenario, one: Found, found: Sequence[Found]) -> dict[str, float]:
    """The programs that give a claim, and how far they are from it; none that other claims speak against."""
    stated = _like(one.claim, one.facts.exact[one.claim.name])
    if stated is None or base.length > LONGEST_EXPLAINED:
        return {}
    ids = mistakes.explaining(one.quantity, base, one.claim.name, stated, one.claim.tolerance)
    near = [other for other in found if other.quantity == one.quantity and other is not one]
    kept = {}
    for id in ids:
        wrong = quick_facts(mistakes.MISTAKES[id].on(one.quantity), base)
        if not any(_spoils(wrong, other) for other in near):
            kept[id] = _distance(stated, wrong[one.claim.name])
    return kept


def _spoils(wrong: Mapping[str, Any], other: Found) -> bool:
    """Whether a program changes a number of another claim, and not into what was stated of it."""
    correct = other.facts.exact[other.claim.name]
    stated = _compared(other.claim, wrong[other.claim.name], ARITHMETIC)
    unchanged = _compared(other.claim, correct, ARITHMETIC)
    numbers = zip(stated, unchanged, strict=True) if len(stated) == len(unchanged) else ()
    return any(
        not a.right and a.correct is not None and abs(float(a.correct) - float(b.correct)) > other.claim.tolerance
        for a, b in numbers
    )


def _distance(stated: Any, wrong: Any) -> float:
    """The largest difference from what was stated."""
    if isinstance(stated, Mapping):
        return max(_distance(part, wrong[key]) for key, part in stated.items())
    if isinstance(stated, Sequence):
        return max((_distance(a, b) for a, b in zip(stated, wrong, strict=True) if a is not None), default=0.0)
    return abs(stated - float(wrong))


def _like(claim: Claim, correct: Any) -> Any:
    """The stated numbers in the shape of the fact, None where nothing was stated."""
    stated = claim.stated
    if claim.index is not None:
        if not isinstance(correct, list) or not 0 <= claim.index < len(correct):
            return None
        return [stated if t == claim.index else None for t in range(len(correct))]
    if not isinstance(stated, Sequence) or not isinstance(correct, list):
        return stated[0] if isinstance(stated, Sequence) else stated
    if len(stated) == 1 and isinstance(stated[0], Sequence) and not isinstance(correct[0], list):
        stated = stated[0]
    places = [t for t, x in enumerate(correct) if x is not None]
    if len(stated) == len(places) != len(correct):
        return [stated[places.index(t)] if t in places else None for t in range(len(correct))]
    if len(stated) != len(correct):
        return None
    return [None if right is None else own for own, right in zip(stated, correct, strict=True)]


def _without_a_program(claim: Claim, facts: Facts, free: frozenset[str]) -> str:
    """No program gives these numbers: a slip, or, where γ and λ were left open, numbers that none of them gives."""
    if claim.name == "T":
        return COUNT
    known = facts.numbers
    flat = isinstance(claim.stated, Sequence) and not isinstance(claim.stated[0], Sequence)
    if claim.name != "advantages" or not flat or not {"gamma", "lam"} <= free or "rewards" not in known:
        return ARITHMETIC
    rows = (known["rewards"], known["values"], claim.stated)
    if any(isinstance(x, list) or x is None for row in rows for x in row) or len({len(row) for row in rows}) > 1:
        return ARITHMETIC
    return ARITHMETIC if reachable(*rows, claim.tolerance) else UNREACHABLE
