"""Stated numbers at their tokens: subscripts that count from 0 or from 1, the ends of a list that leaves some out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.audits import Claim
from prompts.read.numbers.results import Result

FROM_ONE = "counted_from_one"
CUT = "cut_at_the_end"  # there is a value after the last token
ROUNDING = 1e-9


@dataclass(frozen=True)
class Placed:
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()


def placed(known: Sequence[tuple[Result, tuple[str, Any]]]) -> Placed:
    """Each result with its fact, as claims on the fact."""
    counted = [(one, fact) for one, fact in known if one.index and one.at is None and not _is_whole(one, fact[1])]
    first_of_whole = {one.index[0] for one, fact in known if one.index and _is_whole(one, fact[1])}
    shift = _shift(counted, first_of_whole)
    claims = [claim for one, (name, fact) in known for claim in _claims(one, name, fact, shift)]
    return Placed(tuple(claims), (FROM_ONE,) if (shift and counted) or first_of_whole == {1} else ())


def _is_whole(one: Result, fact: Any) -> bool:
    """Whether the subscripts are those of every token: 0 to T − 1, or 1 to T."""
    if not _flat(fact):
        return False
    first = one.index[0]
    return first in (0, 1) and one.index == tuple(range(first, first + len(fact))) and _count(one) in (len(fact), 0)


def _count(one: Result) -> int:
    """How many numbers are stated; 0 where some are left out."""
    return 0 if one.elided else len(_numbers(one))


def _numbers(one: Result) -> list[Any]:
    return one.value if isinstance(one.value, list) else [one.value]


def _flat(fact: Any) -> bool:
    return isinstance(fact, list) and not any(isinstance(x, list) for x in fact)


def _claims(one: Result, name: str, fact: Any, shift: int) -> list[Claim]:
    """A list or a number as one claim, some tokens of a list as one claim each; none where it cannot be said which."""
    numbers = _numbers(one)
    if not isinstance(fact, list):
        alone = len(numbers) == 1 and not isinstance(fact, dict)
        return [Claim(name, numbers[0], one.decimals, None, one.places[:1], typed=one.typed[:1])] if alone else []
    if not _flat(fact):
        batch = not one.index and not one.elided and one.at is None and isinstance(one.value, list)
        return [Claim(name, one.value, one.decimals, None, one.places)] if batch else []
    if any(isinstance(x, list) for x in numbers):
        return [Claim(name, one.value, one.decimals, None, one.places)] if len(numbers) == 1 else []
    places = _places(one, len(fact), shift)
    if one.everywhere and not one.index and one.at is None:
        numbers = numbers * len(fact)
        return [Claim(name, numbers, one.decimals, None, one.places * len(fact))]
    if places is None:
        return (
            [Claim(name, numbers, one.decimals, None, one.places, typed=one.typed)]
            if isinstance(one.value, list)
            else []
        )
    return [
        Claim(name, x, one.decimals, t, one.places[k : k + 1], typed=one.typed[k : k + 1])
        for k, (t, x) in enumerate(zip(places, numbers, strict=False))
        if x is not None
    ]


def _places(one: Result, length: int, shift: int) -> list[int] | None:
    """The tokens of the numbers; None where they are the whole list."""
    count = len(_numbers(one))
    if one.elided:
        ahead = count - one.from_end
        return [*range(ahead), *range(length - one.from_end, length)] if count < length else None
    if one.at is not None and count == 1:
        return [one.at if one.at >= 0 else length - 1]
    if one.index and len(one.index) == count:
        whole = one.index[0] in (0, 1) and one.index == tuple(range(one.index[0], one.index[0] + length))
        return None if whole and isinstance(one.value, list) else [t - shift for t in one.index]
    return [0] if count == length == 1 else None


# ---------------------------------------------------------------- from 0 or from 1


def _shift(counted: Sequence[tuple[Result, tuple[str, Any]]], first_of_whole: set[int]) -> int:
    """Where the text counts from: what its subscripts show, else what makes its numbers right, else 0."""
    pairs = [(one, fact) for one, (_, fact) in counted if _flat(fact)]
    indices = [t for one, _ in pairs for t in one.index]
    if not indices:
        return 0
    if min(indices) == 0:
        return 0
    if any(max(one.index) == len(fact) for one, fact in pairs) or first_of_whole == {1}:
        return 1
    return 0 if _right(pairs, 0) or not _right(pairs, 1) else 1


def agrees(one: Result, fact: Any) -> bool:
    """Whether a whole list is right at the digits shown."""
    numbers = _numbers(one)
    everywhere = tuple(range(len(fact))) if _flat(fact) else ()
    return len(numbers) == len(everywhere) > 0 and _right([(replace(one, index=everywhere), fact)], 0)


def _right(pairs: Sequence[tuple[Result, Sequence[Any]]], shift: int) -> bool:
    for one, fact in pairs:
        tolerance = 0.5 * 10.0**-one.decimals
        for t, x in zip(one.index, _numbers(one), strict=False):
            there = 0 <= t - shift < len(fact)
            if not there or x is None or fact[t - shift] is None:
                return False
            if abs(float(fact[t - shift]) - x) > tolerance + ROUNDING * max(1.0, abs(x)):
                return False
    return True
