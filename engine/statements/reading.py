"""From a text to a statement: one regular expression for the words, precedence climbing for the rest.

statement   "A_t = G_t - V_t where lam = 1"       "all k in 1..T-1: sum(delta) @ {V_k += 1} = sum(delta)"
"""

from __future__ import annotations

import re
from fractions import Fraction

from engine.statements import names
from engine.statements.terms import (
    Binary,
    Call,
    Change,
    Changed,
    Defined,
    Each,
    Item,
    Joined,
    ListOf,
    Loop,
    Minus,
    Name,
    Not,
    Number,
    Of,
    Part,
    Place,
    Quantified,
    Relation,
    Situation,
    Slice,
    Term,
    Word,
)

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>\$?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)"
    r"|(?P<sign>_\{|\+\+|[-+*/]=|<=|>=|!=|\.\.|[-+*/^=<>~()\[\]{},:@.])|(?P<other>\S))"
)
RELATIONS = ("=", "!=", "<", ">", "<=", ">=", "~", "in")
_BINARY = ({"..": 1}, {"+": 1, "-": 1, "++": 1}, {"*": 1, "/": 1})  # loosest first
_RESERVED = {"and", "or", "not", "in", "all", "some", "for", "if", "of", "where"}


def read(text: str, parameters: frozenset[str] = frozenset()) -> Term:
    """The statement, or term, that a text says; ValueError where it says none or names what is not there."""
    reader = _Reader(text)
    found = reader.statement()
    reader.end()
    return _known(found, text, parameters)


def read_changes(text: str) -> tuple[Change, ...]:
    """lam = 1, V_0 += 1; of an empty text none."""
    reader = _Reader(text)
    found = reader.changes() if text.strip() else ()
    reader.end()
    _known(Situation(found), text)
    return found


def _known(term: Term, text: str, parameters: frozenset[str] = frozenset()) -> Term:
    strange = sorted(names.unknown(term) - parameters)
    if strange:
        raise ValueError(f"unknown in {text!r}: {', '.join(strange)}")
    return term


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [(m.lastgroup or "", m[m.lastgroup or 0]) for m in _TOKEN.finditer(text)]
        self._at = 0

    # ------------------------------------------------------------ tokens

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead][1] if self._at + ahead < len(self._tokens) else ""

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][1]

    def _took(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._at += 1
        return True

    def _want(self, sign: str) -> None:
        if not self._took(sign):
            raise self._error(f"{sign!r} expected")

    def _error(self, what: str) -> ValueError:
        return ValueError(f"{what} at {self._peek() or 'the end'!r} in {self._text!r}")

    def end(self) -> None:
        if self._at < len(self._tokens):
            raise self._error("nothing more expected")

    # ------------------------------------------------------------ statements

    def statement(self) -> Term:
        found = self._claim()
        return Changed(found, self.changes()) if self._took("where") else found

    def _claim(self) -> Term:
        if self._peek() in ("all", "some"):
            kind, variable = self._take(), self._new_variable()
            over = self._sum() if self._took("in") else None
            self._want(":")
            return Quantified(kind, variable, over, self._claim())
        return self._joined("or")

    def _joined(self, operator: str) -> Term:
        parts = [self._part(operator)]
        while self._took(operator):
            parts.append(self._part(operator))
        return parts[0] if len(parts) == 1 else Joined(operator, tuple(parts))

    def _part(self, operator: str) -> Term:
        return self._joined("and") if operator == "or" else self._negated()

    def _negated(self) -> Term:
        if self._took("not"):
            return Not(self._negated())
        return self._claim() if self._peek() in ("all", "some") else self._relation()

    def _relation(self) -> Term:
        first, others = self._sum(), []
        while self._peek() in RELATIONS:
            others.append((self._take(), self._sum()))
        return Relation(first, tuple(others)) if others else first

    # ------------------------------------------------------------ terms

    def _sum(self, level: int = 0) -> Term:
        if level == len(_BINARY):
            return self._signed()
        found = self._sum(level + 1)
        while self._peek() in _BINARY[level]:
            found = Binary(found, self._take(), self._sum(level + 1))
        return found

    def _signed(self) -> Term:
        return Minus(self._signed()) if self._took("-") else self._power()

    def _power(self) -> Term:
        found = self._postfixed()
        return Binary(found, "^", self._signed()) if self._took("^") else found

    def _postfixed(self) -> Term:
        found = self._primary()
        while True:
            if self._took("["):
                found = self._indexed(found)
            elif self._took("."):
                found = Part(found, self._variable())
            elif self._took("@"):
                self._want("{")
                found = Changed(found, self._changes_in())
            elif self._took("of"):
                found = Of(found, self._source())
            else:
                return found

    def _source(self) -> Term:
        """Where a term is looked at: a situation, an entry of a list of them."""
        found = self._primary()
        while self._took("["):
            found = self._indexed(found)
        return found

    def _indexed(self, of: Term) -> Term:
        start = None if self._peek() == ":" else self._sum()
        if self._took(":"):
            stop = None if self._peek() == "]" else self._sum()
            self._want("]")
            return Slice(of, start, stop)
        self._want("]")
        assert start is not None
        return Item(of, start)

    def _primary(self) -> Term:
        if self._kind() == "number":
            return Number(Fraction(self._take()))
        if self._kind() == "name" and self._peek() not in _RESERVED:
            return self._named(self._take())
        if self._took("("):
            found = self._claim()
            self._want(")")
            return found
        if self._took("["):
            return self._list()
        if self._took("{"):
            return self._situation()
        raise self._error("a term expected")

    def _situation(self) -> Term:
        changes = self._changes_in()
        if any(change.operator != "=" or change.at is not None for change in changes):
            raise self._error("a situation is made of whole parts")
        return Situation(changes)

    def _named(self, name: str) -> Term:
        if name.startswith("$"):
            return Defined(name[1:], self._arguments() if self._took("(") else ())
        if self._took("("):
            return self._call(name)
        if self._took("_{"):
            at = self._sum()
            self._want("}")
            return Place(names.full(name), at)
        quantity, place = names.split(name)
        if place is None:
            return Name(quantity)
        return Place(quantity, Number(Fraction(place)) if place.isdigit() else Name(names.full(place)))

    def _call(self, function: str) -> Term:
        if function in names.OF_WORDS:
            words = [Word(self._variable())]
            while self._took(","):
                words.append(Word(self._variable()))
            self._want(")")
            return Call(function, tuple(words))
        arguments, named = [], []
        while not self._took(")"):
            if self._peek(1) == "=" and self._kind() == "name":
                key = self._variable()
                self._want("=")
                named.append((key, self._sum()))
            else:
                arguments.append(self._claim())
            if self._peek() != ")":
                self._want(",")
        return Call(function, tuple(arguments), tuple(named))

    def _arguments(self) -> tuple[Term, ...]:
        found = [self._claim()]
        while self._took(","):
            found.append(self._claim())
        self._want(")")
        return tuple(found)

    def _list(self) -> Term:
        if self._took("]"):
            return ListOf(())
        entries = [self._claim()]
        if self._peek() == "for":
            loops = []
            while self._took("for"):
                variable = self._new_variable()
                self._want("in")
                loops.append(Loop(variable, self._sum()))
            condition = self._joined("or") if self._took("if") else None
            self._want("]")
            return Each(entries[0], tuple(loops), condition)
        while self._took(","):
            entries.append(self._claim())
        self._want("]")
        return ListOf(tuple(entries))

    def _variable(self) -> str:
        if self._kind() != "name" or self._peek().startswith("$"):
            raise self._error("a name expected")
        return self._take()

    def _new_variable(self) -> str:
        name = self._variable()
        if names.is_known(name):
            raise ValueError(f"{name} is a name already in {self._text!r}")
        return name

    # ------------------------------------------------------------ changes

    def changes(self) -> tuple[Change, ...]:
        found = [self._change()]
        while self._took(","):
            found.append(self._change())
        return tuple(found)

    def _changes_in(self) -> tuple[Change, ...]:
        if self._took("}"):
            return ()
        found = self.changes()
        self._want("}")
        return found

    def _change(self) -> Change:
        target = self._named(self._variable())
        operator = self._take() if self._peek() in ("=", "+=", "-=", "*=", "/=") else ""
        if not operator or not isinstance(target, Name | Place):
            raise self._error("a change expected")
        name, at = (target.name, None) if isinstance(target, Name) else (target.quantity, target.at)
        return Change(name, at, operator, self._sum())
