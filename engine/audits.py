"""Stated numbers against computed ones, at the digits shown, and the program that explains the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.causes import ARITHMETIC, COUNT, ROUNDED, UNKNOWN, UNREACHABLE, Found, causes
from engine.claims import Audited, Checked, Claim
from engine.computing import computable, computed
from engine.scenario import PARAMETERS, Scenario, scenario

__all__ = [
    "ARITHMETIC", "COUNT", "ROUNDED", "UNKNOWN", "UNREACHABLE",
    "Audited", "Checked", "Claim", "audit", "computable", "decimals", "separated",
]  # fmt: skip

NOWHERE = 1_000_000  # behind the last place of any text


def audit(
    given: Scenario, claims: Sequence[Claim], quantity: str | None = None, *, free: frozenset[str] = frozenset()
) -> Audited:
    """Check the claims on the given numbers. `free` are the parameters that nobody stated."""
    base, taken = _grounded(given, claims)
    found = [one for c in claims if c.name not in taken for one in _computed(base, c, quantity)]
    why = causes(base, found, free)
    some = any(one.wrong for one in found)
    checked: list[tuple[float, Checked]] = []
    for order, one in enumerate(found):
        named = [None if some and p.right else why.get(p.where) for p in one.pairs]
        places = one.claim.places if len(one.claim.places) == len(named) else [None] * len(named)
        pairs = zip(one.pairs, named, places, strict=True)
        numbers = [Checked(p.where, p.stated, p.correct, cause, p.decimals, place) for p, cause, place in pairs]
        checked += zip(_order(one.claim, len(numbers), order), numbers, strict=True)
    known = {one.stated.where for one in found}
    unknown = [claim for claim in claims if claim.open or (claim.where not in known and claim.name not in taken)]
    return Audited(
        tuple(number for _, number in sorted(checked, key=lambda pair: pair[0])),
        tuple(claim.where for claim in unknown),
        tuple(one.facts for one in found),
        {one.claim.name: one.quantity for one in found},
        undetermined=tuple(place for claim in unknown for place in claim.places),
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
    found = None if stated.open else computed(base, stated.name, stated.quantity or quantity)
    if found is not None:
        yield Found(stated, replace(stated, name=found.name), found.quantity, found.facts)
