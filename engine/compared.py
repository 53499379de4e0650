"""Stated numbers laid beside computed ones, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.claims import Claim, half_a_unit

ROUNDING = 1e-9
LARGE = 100  # from here on a number without decimals may be a rounded one


@dataclass(frozen=True)
class Pair:
    """One number: where it belongs, what was stated, what is right (None: there is no such number, or it is masked)."""

    where: str
    stated: float
    correct: Any
    decimals: int
    count: bool = False  # a list of another length, as a whole
    made: float | None = None
    typed: int | None = None

    @property
    def right(self) -> bool:
        """Right at the digits shown; what the mask leaves out is not checked against anything."""
        if self.count:
            return False
        whole = self.decimals == 0 and abs(self.stated) >= LARGE
        unit = 0.5 if whole else half_a_unit(self.decimals)
        return self.correct is None or self.off <= unit + ROUNDING * max(1.0, abs(self.stated))

    @property
    def exact(self) -> bool:
        """Right without any rounding."""
        return not self.count and (self.correct is None or self.off <= ROUNDING * max(1.0, abs(self.stated)))

    @property
    def off(self) -> float:
        return abs(float(self.correct) - self.stated)


def paired(claim: Claim, correct: Any) -> list[Pair]:
    """The numbers of a claim, each beside its own of a fact."""
    found = list(_pairs(claim.name, claim.stated, correct, claim.index))
    return [
        Pair(
            where,
            own,
            right,
            claim.decimals_of(k),
            count,
            claim.made[k] if k < len(claim.made) else None,
            claim.typed[k] if k < len(claim.typed) else None,
        )
        for k, (where, own, right, count) in enumerate(found)
    ]


def _pairs(name: str, stated: Any, correct: Any, index: int | None) -> Iterator[tuple[str, float, Any, bool]]:
    if index is None:
        yield from _beside(name, stated, correct)
    elif -len(correct) <= index < len(correct):
        yield f"{name}[{index}]", stated, correct[index], False
    else:
        yield f"{name}[{index}]", stated, None, True


def _beside(where: str, stated: Any, correct: Any) -> Iterator[tuple[str, float, Any, bool]]:
    """Number by number; a list of another length is wrong as a whole."""
    if isinstance(stated, Mapping):
        for lam, row in stated.items():
            yield from _beside(f"{where}[{lam}]", row, correct[lam])
        return
    if not isinstance(stated, Sequence):
        yield where, stated, correct, False
        return
    if len(stated) == 1 and isinstance(stated[0], Sequence) and not isinstance(correct[0], list):
        stated = stated[0]
    if not isinstance(correct, list):
        yield where, stated[0], correct, False
        return
    places = list(range(len(correct)))
    if len(stated) != len(correct):
        places = [t for t, x in enumerate(correct) if x is not None]
    if len(stated) != len(places):
        yield where, float(len(stated)), len(correct), True
        return
    for t, own in zip(places, stated, strict=True):
        if own is not None:
            yield from _beside(f"{where}[{t}]", own, correct[t])
