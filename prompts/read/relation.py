"""A relation between quantities that a sentence states: equal, or one reaching the other; read only as a whole.

The sentence is cut into expressions and the words of relation.toml. A word that stands in neither ends the reading:
what is half understood is nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from engine import terms as made
from engine.drawn import POLICY, Where
from engine.equalities import Equality
from engine.reach import ABOVE, Cell, Reach
from engine.terms import Term
from prompts.read.asserting import assertions
from prompts.read.expressions import expressions
from prompts.read.polarity import said
from prompts.read.settled import RATES, settled

_FILE = Path(__file__).with_name("relation.toml")
_NOT = re.compile(r"n't\b")
_GIVEN = re.compile(r"\w+\s*=\s*\[[^\]]*\]")  # a list of numbers
_GAE = re.compile(r"^\W*(?:the )?GAE(?=\s*(?:=|is\b|equals|reduces|等于|就是|退化))", re.IGNORECASE)
_GLUED = re.compile(r"(?<=_[0-9t])-(?=[A-Za-zΣδγλ(])|(?<=[}\])])-(?=[A-Za-zΣδγλ(])")  # G_0-V_0
_LISTED = re.compile(  # x_0 + x_1 + … + x_{T−1}
    r"(?P<x>\\?[A-Za-zδ]+)_\{?0\}?\s*\+\s*(?P=x)_\{?1\}?\s*\+\s*"
    r"(?:…|⋯|\.{2,}|\\[lc]?dots)\s*\+\s*(?P=x)_\{?\(?[TN]\s*-\s*1\)?\}?"
)


@dataclass(frozen=True)
class Stated:
    """A relation, whether its failure was claimed, and whether it was claimed of all settings or of some."""

    relation: Equality | tuple[Reach, ...]
    denied: bool
    every: bool = False
    some: bool = False


class _Item(NamedTuple):
    kind: str  # a key of relation.toml, or "term"
    text: str = ""
    term: Term | None = None


@cache
def _words() -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?P<{name}>{'|'.join(patterns)})" for name, patterns in table.items()), re.IGNORECASE)


def relation(message: str) -> Stated | None:
    """The one relation that a message claims, or asks to be confirmed."""
    sentences = assertions(message)
    return _stated(sentences[0]) if len(sentences) == 1 else None


def _stated(sentence: str) -> Stated | None:
    apart = said(sentence)
    plain = _GLUED.sub(" - ", _GIVEN.sub(" ", _NOT.sub(" not", apart.stated)))
    text, where = settled(_GAE.sub("A", _LISTED.sub(r"Σ \g<x>_t", plain)))
    items = None if where is None or apart.contrasted else _items(text)
    if items is None or where is None:
        return None
    kinds = [item.kind for item in items]
    if _restricted(kinds) or "lastgaelam" in sentence:
        return None
    if any(name in dict(where.rates) for item in items if item.kind == "every" for name in _of_rates(item)):
        return None
    some, every = "some" in kinds, _of_all_settings(kinds)
    turned = sum(kinds.count(kind) for kind in _TURNING) + apart.denials
    every |= "merely" in kinds
    left = _trimmed([item for item in items if item.kind not in _ASIDE])
    found = _equality(left, where) or _reach(left, where, items)
    turned += sum(item.kind == "alike" for item in left if isinstance(found, tuple))
    return Stated(found, turned % 2 == 1, every and not some, some) if found else None


def _of_all_settings(kinds: Sequence[str]) -> bool:
    """Whether "all" is said of the settings, and not of what is added up."""
    shown = [kind for kind in kinds if kind not in ("skip", "fill")]
    added = [i for i, kind in enumerate(shown) if kind == "every" and shown[i + 1 : i + 2] in (["term"], ["sums"])]
    return shown.count("every") > (len(added) if "sums" in shown else 0)


def _restricted(kinds: Sequence[str]) -> bool:
    """Whether "only" says more than which thing alone is changed."""
    shown = [kind for kind in kinds if kind != "skip"]
    return any(kind == "only" and (shown[i + 1 : i + 2] != ["change"] or i > 0) for i, kind in enumerate(shown))


def _trimmed(items: list[_Item]) -> list[_Item]:
    """Without what joined two settings: "λ = 0 and γ = 1"."""
    while items and items[0].kind == "and":
        items = items[1:]
    while items and items[-1].kind == "and":
        items = items[:-1]
    return items


_TURNING = ("not", "differ", "leave")
_ASIDE = ("skip", "fill", "not", "every", "some", "merely", "only")


def _items(text: str) -> list[_Item] | None:
    """The sentence as expressions and known words; None if anything else stands in it."""
    found: list[_Item] = []
    spans = {start: (end, term) for term, start, end in expressions(text)}
    position, words = 0, _words()
    while position < len(text):
        if position in spans:
            position, term = spans[position]
            found.append(_Item("term", term=term))
            continue
        following = min((start for start in spans if start > position), default=len(text))
        match = words.match(text, position)
        if match is None or match.lastgroup != "every":
            match = words.match(text, position, following)
        if match is None or match.end() == position:
            return None
        found.append(_Item(match.lastgroup or "", match.group()))
        position = match.end()
    return found


# ---------------------------------------------------------------- equalities

_SAME = ("term equal term", "term differ term", "term and term alike", "term and term differ", "equal term term")
_TOKENS = {"last": "last", "before": "before", "first": "first"}


def _equality(items: Sequence[_Item], where: Where) -> Equality | None:
    kinds = [item.kind for item in items]
    places = [kind for kind in kinds if kind in _TOKENS]
    terms = [item.term for item in items if item.term is not None]
    if len(terms) != 2 or len(places) > 1:
        return None
    left, right = terms
    order = _order([kind for kind in kinds if kind not in (*_TOKENS, "single")])
    if order.startswith(("sums term ", "term sums")):
        left = made.total(left)
        order = _order(order.replace("sums ", "", 1).replace(" sums", "", 1).split())
        order = "term equal term" if order == "term term" else order
    if order not in _SAME[:-1] or not _says_something(left, right):
        return None
    token = _TOKENS[places[0]] if places else ""
    return Equality(left, right, replace(where, single="single" in kinds, token=token))


def _order(kinds: Sequence[str]) -> str:
    """The kinds in a row; "is … equal to …" is said once."""
    once = [kind for i, kind in enumerate(kinds) if kind != "equal" or kinds[i - 1 : i] != ["equal"]]
    more = {"equal", "alike", "differ"} & set(once[1:])
    once = once[1:] if once[:1] == ["equal"] and more else once
    others = {"alike", "differ"} & set(once)
    return " ".join(kind for kind in once if kind != "equal" or not others)


def _says_something(left: Term, right: Term) -> bool:
    """V alone may be the exact one, of which other things are true; and Σδ = G − V may mean any token."""
    both = left.quantities | right.quantities
    alone = both & POLICY and left.cell and right.cell  # scores are rewards where no KL is taken off
    summed = any(term.latex.startswith(r"\sum") for term in (left, right))
    loose = left.anywhere or right.anywhere
    return bool(left.quantities and right.quantities and both - {"values", "rewards"}) and not (
        (summed and loose) or alone
    )


# ---------------------------------------------------------------- what reaches what

_ENDS = {"T-1": "last", "-1": "last"}
_KNOWN_PLACE = re.compile(r"any|last|\d+|t(?:[+-]\d)?")
_AT = {"last": "last", "first": "0", "later": "later", "earlier": "earlier", "next": "t+1"}
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


def _reach(items: Sequence[_Item], where: Where, all_items: Sequence[_Item]) -> tuple[Reach, ...] | None:
    read = _operands(items)
    if read is None:
        return None
    form, cells, terms = read
    if len(cells) == 1:
        return _whatever(form, cells[0], terms[0], where, all_items)
    if len(cells) != 2 or any(item.kind == "every" and not _of_rates(item) for item in all_items):
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
    if not _below(effect, causes) or place in ("later", "earlier") or (effect.cell and place == "t+1"):
        return None
    return tuple(Reach(cause, effect, replace(where, token=token)) for cause in causes)


def _operands(items: Sequence[_Item]) -> tuple[str, list[list[Cell]], list[Term]] | None:
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


def _goes_on(after: Sequence[_Item], form: Sequence[str]) -> bool:
    """Whether "x and y" are two of a kind: where another operand is to come, or has been."""
    return form[-2] == "y" or any(item.term is not None for item in after)


def _of_rates(item: _Item) -> list[str]:
    return [name for letter, name in RATES.items() if letter in item.text]


def _whatever(
    form: str, cells: Sequence[Cell], term: Term, where: Where, items: Sequence[_Item]
) -> tuple[Reach, ...] | None:
    """The same whatever γ and λ are: that they do not reach it."""
    rates = [Cell(name) for item in items if item.kind == "every" for name in _of_rates(item)]
    if not rates or len(cells) != 1 or form not in ("x change", "x alike", "x equal alike", "x equal x"):
        return None
    return _reaches(rates, term, cells[0].place, where)


def _below(effect: Term, causes: Sequence[Cell]) -> bool:
    """Whether the effect is computed from the causes; of what the critic or the reward model gives nothing is known."""
    made = [ABOVE[name] for name in effect.quantities if name in ABOVE]
    return bool(made) and all(any(cause.name in above for above in made) for cause in causes)
