"""What a term is in a situation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from engine.statements import names
from engine.statements import terms as ir
from engine.statements.by_name import BY_NAME
from engine.statements.functions import call
from engine.statements.given import EMPTY, Given, Value, batch_of, running
from engine.statements.same import about, beside, less, lifted, same
from engine.statements.terms import free


@dataclass(frozen=True)
class Scope:
    """Where a term is looked at: the situation, and what the variables stand for."""

    here: Given
    bound: Mapping[str, Value] = field(default_factory=dict)

    def binding(self, name: str, x: Value) -> Scope:
        return replace(self, bound={**self.bound, name: x})


def value(term: ir.Term, here: Given) -> Value:
    return _value(term, Scope(here))


def holds(statement: ir.Term, here: Given) -> bool:
    found = value(statement, here)
    if not isinstance(found, bool):
        raise ValueError(f"neither true nor false: {statement}")
    return found


def changed(here: Given, changes: Sequence[ir.Change]) -> Given:
    return _changed(Scope(here), changes)


def _value(term: ir.Term, at: Scope) -> Value:
    return _READERS[type(term)](term, at)


# ---------------------------------------------------------------- quantities


def _name(term: ir.Name, at: Scope) -> Value:
    name = term.name
    if name in at.bound:
        return at.bound[name]
    if name in names.CONSTANTS:
        return {"true": True, "false": False, "none": None}[name]
    if name in names.SITUATIONS:
        return {"here": at.here, "example": running(), "batch": batch_of(at.here)}[name]
    if name in names.COMPUTED and name not in names.QUANTITIES:
        return at.here.results(name)
    return at.here.value(name)


def _place(term: ir.Place, at: Scope) -> Value:
    found, place = at.here.value(term.quantity), int(_value(term.at, at))
    if place < 0:
        raise IndexError(f"{term.quantity} before the first token")
    return found[place] if place < len(found) else 0 * found[-1]


def _item(term: ir.Item, at: Scope) -> Value:
    return _value(term.of, at)[int(_value(term.at, at))]


def _slice(term: ir.Slice, at: Scope) -> Value:
    start, stop = (None if x is None else int(_value(x, at)) for x in (term.start, term.stop))
    return _value(term.of, at)[start:stop]


def _part(term: ir.Part, at: Scope) -> Value:
    if isinstance(term.of, ir.Name) and term.of.name in names.COMPUTED:
        return at.here.results(term.of.name)[names.full(term.name)]
    found = _value(term.of, at)
    return found[names.full(term.name)] if names.full(term.name) in found else found[term.name]


def _call(term: ir.Call, at: Scope) -> Value:
    if term.function in names.OF_WORDS:
        return BY_NAME[term.function](at.here, *(one.word for one in term.arguments if isinstance(one, ir.Word)))
    return call(term.function, [_value(x, at) for x in term.arguments], {key: _value(x, at) for key, x in term.named})


# ---------------------------------------------------------------- arithmetic

_ARITHMETIC: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: Fraction(a) / b if isinstance(a, int) else a / b,
    "^": lambda a, b: a ** (int(b) if isinstance(b, Fraction) and b.denominator == 1 else b),
}
_RELATIONS: Mapping[str, Callable[[Value, Value], bool]] = {
    "=": same,
    "!=": lambda a, b: not same(a, b),
    "~": about,
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": lambda a, b: _at_most(a, b),
    ">=": lambda a, b: _at_most(b, a),
    "in": lambda a, b: any(same(a, x) for x in b),
}


def _at_most(a: Value, b: Value) -> bool:
    if isinstance(a, list) or isinstance(b, list):
        return all(_at_most(x, y) for x, y in beside(a, b))
    return not less(b, a)


def _each_by_each(operator: str, a: Value, b: Value) -> Value:
    if isinstance(a, list) or isinstance(b, list):
        return [_each_by_each(operator, x, y) for x, y in beside(a, b)]
    return _ARITHMETIC[operator](lifted(a, b), b)


def _binary(term: ir.Binary, at: Scope) -> Value:
    a, b = _value(term.left, at), _value(term.right, at)
    if term.operator == "..":
        return list(range(int(a), int(b) + 1))
    if term.operator == "++":
        return [*a, *b]
    return _each_by_each(term.operator, a, b)


def _minus(term: ir.Minus, at: Scope) -> Value:
    return _each_by_each("*", -1, _value(term.of, at))


# ---------------------------------------------------------------- relations


def _relation(term: ir.Relation, at: Scope) -> bool:
    if "t" not in at.bound and "t" in free(term):
        return all(_relation(term, at.binding("t", t)) for t in range(at.here.length))
    left = _value(term.first, at)
    for relation, other in term.others:
        right = _value(other, at)
        if not _RELATIONS[relation](left, right):
            return False
        left = right
    return True


def _not(term: ir.Not, at: Scope) -> bool:
    return not _value(term.of, at)


def _joined(term: ir.Joined, at: Scope) -> bool:
    return (all if term.operator == "and" else any)(_value(part, at) for part in term.parts)


def _quantified(term: ir.Quantified, at: Scope) -> bool:
    over = range(at.here.length) if term.over is None else _value(term.over, at)
    return (all if term.kind == "all" else any)(_value(term.body, at.binding(term.variable, x)) for x in over)


# ---------------------------------------------------------------- lists


def _list(term: ir.ListOf, at: Scope) -> Value:
    return [_value(entry, at) for entry in term.entries]


def _each(term: ir.Each, at: Scope) -> Value:
    return [
        _value(term.term, one)
        for one in _through(term.loops, at)
        if term.condition is None or _value(term.condition, one)
    ]


def _through(loops: Sequence[ir.Loop], at: Scope) -> list[Scope]:
    found = [at]
    for loop in loops:
        found = [one.binding(loop.variable, x) for one in found for x in _value(loop.over, one)]
    return found


# ---------------------------------------------------------------- situations


def _changed(at: Scope, changes: Sequence[ir.Change]) -> Given:
    """Each change reads the situation as it was before all of them."""
    parts: dict[str, Value] = {}
    for change in changes:
        parts[change.name] = _set(change, at, parts)
    return at.here.with_parts(parts)


def _set(change: ir.Change, at: Scope, parts: Mapping[str, Value]) -> Value:
    if change.name == "kl":
        return change.to.name if isinstance(change.to, ir.Name) else ""
    to = _value(change.to, at)
    if change.operator == "=" and change.at is None:
        return to
    whole = parts[change.name] if change.name in parts else at.here.value(change.name)
    if change.at is None:
        return _each_by_each(change.operator[0], whole, to)
    place = int(_value(change.at, at))
    found = list(whole)
    found[place] = to if change.operator == "=" else _each_by_each(change.operator[0], found[place], to)
    return found


def _situation(term: ir.Situation, at: Scope) -> Given:
    """What its parts are set to is read outside of it."""
    return EMPTY.with_parts({change.name: _set(change, at, {}) for change in term.changes})


def _after(term: ir.Changed, at: Scope) -> Value:
    """A term after the situation was changed; of a situation itself, what it is then."""
    if _is_situation(term.term, at):
        return _changed(replace(at, here=_value(term.term, at)), term.changes)
    return _value(term.term, replace(at, here=_changed(at, term.changes)))


def _is_situation(term: ir.Term, at: Scope) -> bool:
    match term:
        case ir.Name(name):
            return name in names.SITUATIONS or isinstance(at.bound.get(name), Given)
        case ir.Changed(inner):
            return _is_situation(inner, at)
        case ir.Call(function):
            return function == "counterexample"
    return isinstance(term, ir.Situation)


def _of(term: ir.Of, at: Scope) -> Value:
    situation = _value(term.situation, at)
    if not isinstance(situation, Given):
        raise ValueError(f"no situation: {term.situation}")
    return _value(term.term, replace(at, here=situation))


_READERS: Mapping[type, Callable[[Any, Scope], Value]] = {
    ir.Number: lambda term, _at: term.x,
    ir.Name: _name,
    ir.Place: _place,
    ir.Item: _item,
    ir.Slice: _slice,
    ir.Part: _part,
    ir.Call: _call,
    ir.Binary: _binary,
    ir.Minus: _minus,
    ir.Relation: _relation,
    ir.Not: _not,
    ir.Joined: _joined,
    ir.Quantified: _quantified,
    ir.ListOf: _list,
    ir.Each: _each,
    ir.Situation: _situation,
    ir.Changed: _after,
    ir.Of: _of,
}
