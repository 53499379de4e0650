"""Statements that one quantity reaches another, or moves with it, from the words of relation.toml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.drawn import Where
from engine.reach import ABOVE, GIVEN, Cell, Reach
from engine.terms import Term
from prompts.read.settled import RATES


class Item(NamedTuple):
    """A piece of a sentence: an expression, or a word of relation.toml."""

    kind: str  # a key of relation.toml, or "term"
    text: str = ""
    term: Term | None = None


_ENDS = {"T-1": "last", "-1": "last"}
_KNOWN_PLACE = re.compile(r"any|last|\d+|t(?:[+-]\d)?")
_AT = {"last": "last", "first": "0", "later": "later", "earlier": "earlier", "next": "t+1"}
_RELATIVE = ("later", "earlier", "t", "t+1", "t-1", "t+2", "t-2")
# x and y in the order of the words; whether the first is the cause.
_FORMS = {
    **dict.fromkeys(
        [
            "x reach y", "x change y", "change x reach y", "change x change y", "change x y change",
            "x change y change",
            "x to y reach", "x to y equal reach", "x into y", "equal x into y", "x equal into y", "x leave y alone",
            "change x leave y alone", "change x leave y", "when x change y change", "change x into y",
            "x into y reach", "x reach y sums", "x change y sums", "change x change y sums", "change x y sums change",
        ],
        True,
    ),
    **dict.fromkeys(
        [
            "x reach by y", "x change by y", "x equal reach by y", "x equal change by y", "x by y reach",
            "x by y change",
            "x with y change", "x and y change", "x change with y", "x needs y", "x equal needs y", "x inside y",
            "x inside needs y", "x inside equal y", "x change when y change", "x sums needs y", "x sums inside y",
            "x sums change with y", "x sums equal needs y", "x inside when y", "x into needs y",
        ],
        False,
    ),
}  # fmt: skip
_EITHER = ("x related y", "x equal related y", "x and y related", "x and y equal related", "equal x related y")


def reaching(items: Sequence[Item], where: Where, all_items: Sequence[Item]) -> tuple[Reach, ...] | None:
    read = _operands(items)
    averaged = any(item.term is not None and (item.term.expects or "mean" in item.term.latex) for item in items)
    if read is None or averaged or {"some", "merely"} & {item.kind for item in all_items}:
        return None
    form, cells, terms = read
    if len(cells) == 1:
        return _whatever(form, cells[0], terms[0], where, all_items)
    if len(cells) != 2 or any(item.kind == "every" and not of_rates(item) for item in all_items):
        return None
    either = form in _EITHER
    if not either and form not in _FORMS:
        return None
    first = _below(terms[1], cells[0]) if either else _FORMS[form]
    causes, effect, place = (
        (cells[0], terms[1], cells[1][0].place) if first else (cells[1], terms[0], cells[0][0].place)
    )
    if len(cells[first]) > 1:
        return None
    return _reaches(causes, effect, place, where)


def _reaches(causes: Sequence[Cell], effect: Term, place: str, where: Where) -> tuple[Reach, ...] | None:
    token = {"last": "last", "0": "first"}.get(place, "")
    if any(cause.place in _RELATIVE for cause in causes) and place.isdigit() and place != "0":
        return None
    made = any(cause.name not in (*GIVEN, *RATES.values()) for cause in causes)
    if made and effect.cell is None and not effect.latex.startswith(r"\sum"):
        return None
    if not _below(effect, causes) or place in ("later", "earlier") or (effect.cell and place == "t+1"):
        return None
    return tuple(Reach(cause, effect, replace(where, token=token)) for cause in causes)


def _operands(items: Sequence[Item]) -> tuple[str, list[list[Cell]], list[Term]] | None:
    """The order of the words, with x and y for what it is about, and these."""
    cells: list[list[Cell]] = []
    terms: list[Term] = []
    form: list[str] = []
    place: str | None = None
    for i, item in enumerate(items):
        if item.kind in _AT and (place is not None or not terms) and items[i + 1 : i + 2] == []:
            return None
        if item.kind in _AT and items[i + 1 : i + 2] and items[i + 1].kind == "term" and place is None:
            place = _AT[item.kind]
        elif item.kind in _AT:
            if not form or form[-1] not in ("x", "y") or cells[-1][-1].place != "any" or place is not None:
                return None
            cells[-1] = [Cell(cell.name, _AT[item.kind]) for cell in cells[-1]]
        elif item.term is None:
            form.append(item.kind)
        else:
            name, at = item.term.cell or ("", "any")
            at = _ENDS.get(at, at)
            if (place is not None and at != "any") or not _KNOWN_PLACE.fullmatch(at):
                return None
            cell, place = Cell(name, place or at), None
            if form[-1:] == ["and"] and form[-2:-1] in (["x"], ["y"]) and _goes_on(items[i + 1 :], form):
                form.pop()
                cells[-1].append(cell)
            else:
                form.append("xyz"[min(len(cells), 2)])
                cells.append([cell])
                terms.append(item.term)
    return (" ".join(form), cells, terms) if place is None else None


def _goes_on(after: Sequence[Item], form: Sequence[str]) -> bool:
    """Whether "x and y" are two of a kind: where another operand is to come, or has been."""
    return form[-2] == "y" or any(item.term is not None for item in after)


def of_rates(item: Item) -> list[str]:
    return [name for letter, name in RATES.items() if letter in item.text]


def _whatever(
    form: str, cells: Sequence[Cell], term: Term, where: Where, items: Sequence[Item]
) -> tuple[Reach, ...] | None:
    """The same whatever γ and λ are: that they do not reach it."""
    rates = [Cell(name) for item in items if item.kind == "every" for name in of_rates(item)]
    if not rates or len(cells) != 1 or form not in ("x change", "x alike", "x equal alike", "x equal x"):
        return None
    return _reaches(rates, term, cells[0].place, where)


def _below(effect: Term, causes: Sequence[Cell]) -> bool:
    """Whether the effect is computed from the causes; of what the critic or the reward model gives nothing is known."""
    made = [ABOVE[name] for name in effect.quantities if name in ABOVE]
    return bool(made) and all(any(cause.name in above for above in made) for cause in causes)
