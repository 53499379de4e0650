"""The parts of a statement. A statement is a term whose value is true or false; a situation is a value too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True)
class Number:
    x: Fraction


@dataclass(frozen=True)
class Name:
    """A quantity (a whole list), a rate, a bound variable, or a computation."""

    name: str


@dataclass(frozen=True)
class Defined:
    """$name, $name(x): what a file or a fact has defined; it is put in its place before anything is computed."""

    name: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Word:
    """The name of a mistake, of a counterexample, of a computation and its fact."""

    word: str


@dataclass(frozen=True)
class Place:
    """A_t: a quantity at a token. After the last token it is 0."""

    quantity: str
    at: Term


@dataclass(frozen=True)
class Item:
    """xs[k]: an entry of a list, from the end where k is negative."""

    of: Term
    at: Term


@dataclass(frozen=True)
class Slice:
    of: Term
    start: Term | None
    stop: Term | None


@dataclass(frozen=True)
class Part:
    """x.name: one of the results of a computation."""

    of: Term
    name: str


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple[Term, ...]
    named: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True)
class Minus:
    of: Term


@dataclass(frozen=True)
class Binary:
    """+ − * / ^, entry by entry where a side is a list; ++ joins two lists; a..b counts from a to b."""

    left: Term
    operator: str
    right: Term


@dataclass(frozen=True)
class Relation:
    """a = b < c: each beside the next. With a free t in it, at every token."""

    first: Term
    others: tuple[tuple[str, Term], ...]


@dataclass(frozen=True)
class Not:
    of: Term


@dataclass(frozen=True)
class Joined:
    """and, or."""

    operator: str
    parts: tuple[Term, ...]


@dataclass(frozen=True)
class Loop:
    variable: str
    over: Term


@dataclass(frozen=True)
class Quantified:
    """all k in xs: …; some t: …, which runs over the tokens."""

    kind: str
    variable: str
    over: Term | None
    body: Term


@dataclass(frozen=True)
class ListOf:
    entries: tuple[Term, ...]


@dataclass(frozen=True)
class Each:
    """[term for k in xs if …]."""

    term: Term
    loops: tuple[Loop, ...]
    condition: Term | None = None


@dataclass(frozen=True)
class Change:
    """lam = 1, V_0 += 1, r *= 2: what is set, in the situation as it is before."""

    name: str
    at: Term | None
    operator: str
    to: Term


@dataclass(frozen=True)
class Situation:
    """{r = […], V = […]}: a response of nothing but this, γ and λ being 1 where nothing else is said."""

    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Changed:
    """term @ {lam = 1}: the term after the situation was changed."""

    term: Term
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Of:
    """term of situation."""

    term: Term
    situation: Term


Term: TypeAlias = (
    Number | Name | Defined | Word | Place | Item | Slice | Part | Call | Minus | Binary | Relation | Not | Joined
    | Quantified | ListOf | Each | Situation | Changed | Of
)  # fmt: skip
Node: TypeAlias = Term | Loop | Change


def children(node: Node) -> Iterator[Node]:
    for field in fields(node):
        yield from _nodes(getattr(node, field.name))


def _nodes(x: object) -> Iterator[Node]:
    if isinstance(x, tuple):
        for one in x:
            yield from _nodes(one)
    elif hasattr(x, "__dataclass_fields__"):
        yield x  # type: ignore[misc]  # every dataclass in here is a node


def free(node: Node, bound: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names that nothing in it binds."""
    match node:
        case Name(name):
            return frozenset({name}) - bound
        case Quantified(_, variable, over, body):
            return (free(over, bound) if over else frozenset()) | free(body, bound | {variable})
        case Each(term, loops, condition):
            found: frozenset[str] = frozenset()
            for loop in loops:
                found |= free(loop.over, bound)
                bound = bound | {loop.variable}
            return found | free(term, bound) | (free(condition, bound) if condition else frozenset())
    return frozenset().union(*(free(child, bound) for child in children(node)))
