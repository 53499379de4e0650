"""Equations that a sentence states, from its expressions and the words of relation.toml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from engine import terms as made
from engine.drawn import CONSTANTS, POLICY, Where
from engine.equalities import Equality
from engine.terms import Term

_SAME = ("term equal term", "term differ term", "term and term alike", "term and term differ", "equal term term")
_TOKENS = {"last": "last", "before": "before", "first": "first"}
_ENDS = {"T-1": "last", "0": "first"}
Renamed = tuple[tuple[str, str], ...]


class Item(NamedTuple):
    """A piece of a sentence: an expression, or a word of relation.toml."""

    kind: str  # a key of relation.toml, or "term"
    text: str = ""
    term: Term | None = None


def equating(items: Sequence[Item], where: Where) -> Equality | None:
    kinds = [item.kind for item in items]
    places = [kind for kind in kinds if kind in _TOKENS]
    terms = [item.term for item in items if item.term is not None]
    if len(terms) < 2 or len(places) > 1 or _of_one_side(kinds):
        return None
    order = _order([kind for kind in kinds if kind not in (*_TOKENS, "single")])
    where = replace(where, single="single" in kinds, token=_TOKENS[places[0]] if places else "")
    if len(terms) > 2:
        return _chained(terms, where) if order == " equal ".join(["term"] * len(terms)) else None
    left, right = terms
    if order.startswith(("sums term ", "term sums")):
        left = left if left.latex.startswith(r"\sum") else made.total(left)
        order = _order(order.replace("sums ", "", 1).replace(" sums", "", 1).split())
        order = "term equal term" if order == "term term" else order
    if order not in _SAME[:-1]:
        return None
    return _equation(left, right, where)


def _of_one_side(kinds: Sequence[str]) -> bool:
    """Whether only the second side is said to be the last one, or the first: the first side may be any."""
    behind = list(kinds[kinds.index("equal") + 1 :]) if "equal" in kinds else []
    return behind[:2] in (["last", "term"], ["first", "term"])


def _equation(left: Term, right: Term, where: Where) -> Equality | None:
    """left = right, with the lists that the names stand for beside one another; None where that is not sure."""
    meant = _meant(left, right)
    if meant is None or _of_an_open_token(left, right) or not _says_something(left, right):
        return None
    return Equality(left, right, replace(where, token=where.token or _token(left, right), meant=meant))


def _chained(terms: Sequence[Term], where: Where) -> Equality | None:
    """a = b = c holds where each does: the first that fails stands for all of them."""
    found = [_equation(left, right, where) for left, right in pairwise(terms)]
    if any(one is None for one in found):
        return None
    return next((one for one in found if one is not None and not one.holds(one.where)), found[0])


def _token(left: Term, right: Term) -> str:
    """The token at which what has no index is meant: that of the others, where they have one."""
    places = left.places | right.places
    return _ENDS.get(next(iter(places)), "") if len(places) == 1 and (left.anywhere or right.anywhere) else ""


def _meant(left: Term, right: Term) -> Renamed | None:
    """Which lists the names stand for beside one another; None where that is not sure."""
    both = left.quantities | right.quantities
    if "action_values" in both:
        defines = any(one.cell and one.cell[0] == "advantages" for one in (left, right))
        return (("advantages", "true_advantages"),) if defines and both <= _EXACT | {"rewards"} else None
    found: list[tuple[str, str]] = []
    if "ref_logp" in both or "ref_prob" in both:
        policies = [side for side in ("", "new_", "old_") if {f"{side}logp", f"{side}prob"} & both]
        if len(policies) == 1 and policies[0]:
            found += [(f"{policies[0]}logp", "logp"), (f"{policies[0]}prob", "prob")]
    elif {"old_logp", "old_prob", "ratio"} & both and not {"new_logp", "new_prob"} & both:
        found += [("logp", "new_logp"), ("prob", "new_prob")]
    return tuple(found)


_EXACT = frozenset({"action_values", "advantages", "values"})


def _order(kinds: Sequence[str]) -> str:
    """The kinds in a row; "is … equal to …" is said once."""
    once = [kind for i, kind in enumerate(kinds) if kind != "equal" or kinds[i - 1 : i] != ["equal"]]
    more = {"equal", "alike", "differ"} & set(once[1:])
    once = once[1:] if once[:1] == ["equal"] and more else once
    others = {"alike", "differ"} & set(once)
    return " ".join(kind for kind in once if kind != "equal" or not others)


def _says_something(left: Term, right: Term) -> bool:
    """V alone may be the exact one, of which other things are true; scores may be of the whole response."""
    both = left.quantities | right.quantities
    if not (left.quantities and right.quantities and both - {"values", "rewards"}):
        return False
    if ("scores" in both and both & _LATER) or any(one.quantities <= CONSTANTS for one in (left, right)):
        return False
    two_names = both & POLICY and left.cell and right.cell and both != {"action_values", "advantages"}
    return not (both <= {"ratio", "advantages"} or two_names)  # so at a ratio of 1; scores are rewards without KL


def _of_an_open_token(left: Term, right: Term) -> bool:
    """Whether a sum over all tokens stands beside what may be had at any token."""
    plain_sum = any(term.latex.startswith(r"\sum_{t}") for term in (left, right))
    return plain_sum and (left.anywhere or right.anywhere or "t" in left.places | right.places)


_LATER = frozenset({"values", "deltas", "advantages", "returns", "mc_returns", "mc_advantages"})
