"""Series as stated results: each number at its token, with the digits that it is meant to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.audits import Claim
from prompts.read.numbers.sheet.cell import Cell, Series
from prompts.read.numbers.sheet.naming import GRPO, RLOO
from prompts.read.numbers.sheet.tokens import Tokens


def single(fact: str, cell: Cell) -> Claim:
    """A result that is one number."""
    return Claim(fact, cell.value, cell.decimals, None, (cell.place,), (cell.decimals,), None, (cell.made,))


def claim(fact: str, one: Series, tokens: Tokens) -> Claim:
    """A result that has a number for each token, or for some of them."""
    cells = tokens.placed(one) if one.indices else list(one.cells)
    typed = [x for x in cells if x is not None]
    digits = shown(typed)
    return Claim(
        name=fact,
        stated=[None if x is None else x.value for x in cells],
        decimals=max(digits, default=1),
        places=tuple(x.place for x in typed),
        shown=digits,
        quantity=_method(one.label) if fact == "advantages" else None,
        made=tuple(x.made for x in typed),
    )


def known_from(begins: int, one: Claim) -> tuple[Claim, ...]:
    """What is stated of the tokens from one on, and what is stated of those before, of which not all is known."""
    if not begins or one.index is not None or not isinstance(one.stated, list):
        return (one,)
    before = sum(x is not None for x in one.stated[:begins])
    parts = [
        replace(
            one,
            stated=[x if (t < begins) == early else None for t, x in enumerate(one.stated)],
            places=one.places[part],
            shown=one.shown[part],
            made=one.made[part],
            open=early,
        )
        for early, part in ((True, slice(before)), (False, slice(before, None)))
    ]
    return tuple(part for part in parts if any(x is not None for x in part.stated))


def _method(label: str) -> str | None:
    """Which of a group's advantages a label says that they are."""
    rloo, grpo = RLOO.search(label), GRPO.search(label)
    return None if bool(rloo) == bool(grpo) else "rloo" if rloo else "grpo"


def shown(typed: Sequence[Cell]) -> tuple[int, ...]:
    """The digits to which each number of a list is meant: as typed, or, where zeros at the end are not written, those
    of the finest. A number that shows as many digits in all as the finest is meant as typed, too."""
    finest = max((x.decimals for x in typed), default=0)
    keeps = any(x.decimals == finest and x.typed.rstrip("%").endswith("0") for x in typed) and finest > 0
    most = max((_significant(x) for x in typed if x.decimals == finest), default=0)
    return tuple(x.decimals if keeps or _significant(x) >= most else finest for x in typed)


def _significant(x: Cell) -> int:
    """How many digits a number shows from its first that is not zero."""
    return len(x.typed.lstrip("+-").rstrip("%").replace(".", "").lstrip("0"))
