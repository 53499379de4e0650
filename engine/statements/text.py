"""A statement as it is written: its canonical text, which is read back exactly, LaTeX, and a line for learners."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.notation import SYMBOLS
from engine.statements import terms as ir
from engine.statements.names import IN_SHORT

# How tightly a term holds together: a looser one stands in brackets inside a tighter one.
_CLAIM, _OR, _AND, _NOT, _RELATION, _RANGE, _SUM, _PRODUCT, _SIGNED, _POWER, _POSTFIX, _ATOM = range(12)
_OPERATORS = {"..": _RANGE, "+": _SUM, "-": _SUM, "++": _SUM, "*": _PRODUCT, "/": _PRODUCT, "^": _POWER}


@dataclass(frozen=True)
class _Style:
    """How names, places and signs are written."""

    symbols: Callable[[str], str]
    place: str
    signs: Mapping[str, str]
    fraction: str = ""


_CANONICAL = _Style(lambda name: IN_SHORT.get(name, name), "{0}_{1}", {})
_SIGNS = {"-": "−", "*": "·", "!=": "≠", "<=": "≤", ">=": "≥", "~": "≈", "in": "∈"}
_COMMANDS = {"*": r"\cdot", "!=": r"\neq", "<=": r"\le", ">=": r"\ge", "~": r"\approx", "in": r"\in", "..": r"\ldots"}
_PLAIN = _Style(lambda name: _symbol(name, 1), "{0}_{1}", _SIGNS)
_LATEX = _Style(lambda name: _symbol(name, 0), "{0}_{{{1}}}", _COMMANDS, r"\frac{{{0}}}{{{1}}}")
_WHERE = {"zh": ("{0}，当 {1}", "、"), "en": ("{0} where {1}", ", ")}
_SAID = {
    "zh": {"and": "且", "or": "或", "not": "并非", "all": "对所有", "some": "对某个"},
    "en": {"and": "and", "or": "or", "not": "not", "all": "for all", "some": "for some"},
}


def _symbol(name: str, which: int) -> str:
    return SYMBOLS[name][which] if name in SYMBOLS else name


def write(term: ir.Term) -> str:
    """The canonical text: reading.read gives the same statement back."""
    if isinstance(term, ir.Changed) and term.changes:
        return f"{_write(term.term, _CLAIM, _CANONICAL)} where {_changes(term.changes, _CANONICAL)}"
    return _write(term, _CLAIM, _CANONICAL)


def latex(term: ir.Term) -> str:
    if isinstance(term, ir.Changed):
        return rf"{_write(term.term, _CLAIM, _LATEX)} \quad \left({_changes(term.changes, _LATEX)}\right)"
    return _write(term, _CLAIM, _LATEX)


def line(term: ir.Term, language: str) -> str:
    """A_t = G_t − V_t where λ = 1, with the words of the language."""
    style = _Style(_PLAIN.symbols, _PLAIN.place, {**_SIGNS, **_SAID[language]})
    if isinstance(term, ir.Changed):
        frame, comma = _WHERE[language]
        return frame.format(_write(term.term, _CLAIM, style), comma.join(_change(one, style) for one in term.changes))
    return _write(term, _CLAIM, style)


def _write(term: ir.Term, least: int, style: _Style) -> str:
    """In brackets where it is looser than what it stands in asks for."""
    holds, text = _WRITERS[type(term)](term, style)
    return text if holds >= least else f"({text})"


def _sign(sign: str, style: _Style) -> str:
    return style.signs.get(sign, sign)


def _all(terms: Sequence[ir.Term], style: _Style, least: int = _CLAIM) -> str:
    return ", ".join(_write(term, least, style) for term in terms)


def _number(term: ir.Number, _style: _Style) -> tuple[int, str]:
    places = 0
    while (term.x * 10**places).denominator > 1:  # a literal is a decimal that ends
        places += 1
    if not places:
        return _ATOM, str(term.x)
    digits = str(term.x * 10**places).rjust(places + 1, "0")
    return _ATOM, f"{digits[:-places]}.{digits[-places:]}"


def _place(term: ir.Place, style: _Style) -> tuple[int, str]:
    at = _write(term.at, _RANGE, style)
    plain = isinstance(term.at, ir.Name) or (isinstance(term.at, ir.Number) and term.at.x.denominator == 1)
    if style is not _LATEX and not plain:
        at = "{" + re.sub(r" ([-+−]) ", r"\1", at) + "}"
    return _ATOM, style.place.format(style.symbols(term.quantity), at)


def _slice(term: ir.Slice, style: _Style) -> tuple[int, str]:
    start, stop = ("" if x is None else _write(x, _RANGE, style) for x in (term.start, term.stop))
    return _POSTFIX, f"{_write(term.of, _POSTFIX, style)}[{start}:{stop}]"


def _call(term: ir.Call, style: _Style) -> tuple[int, str]:
    named = [f"{key} = {_write(x, _RANGE, style)}" for key, x in term.named]
    positional = [_write(x, _RANGE, style) for x in term.arguments]  # a = b would be read as a named one
    return _ATOM, f"{term.function}({', '.join([*positional, *named])})"


def _defined(term: ir.Defined, style: _Style) -> tuple[int, str]:
    return _ATOM, f"${term.name}" + (f"({_all(term.arguments, style)})" if term.arguments else "")


def _binary(term: ir.Binary, style: _Style) -> tuple[int, str]:
    own = _OPERATORS[term.operator]
    if term.operator == "/" and style.fraction:
        return _PRODUCT, style.fraction.format(_write(term.left, _CLAIM, style), _write(term.right, _CLAIM, style))
    if term.operator == "^":
        above = _write(term.right, _SIGNED, style)
        return _POWER, f"{_write(term.left, _POSTFIX, style)}^{f'{{{above}}}' if style.fraction else above}"
    gap = "" if term.operator == ".." else " "
    left, right = _write(term.left, own, style), _write(term.right, own + 1, style)
    return own, f"{left}{gap}{_sign(term.operator, style)}{gap}{right}"


def _relation(term: ir.Relation, style: _Style) -> tuple[int, str]:
    others = (f" {_sign(sign, style)} {_write(other, _RANGE, style)}" for sign, other in term.others)
    return _RELATION, _write(term.first, _RANGE, style) + "".join(others)


def _joined(term: ir.Joined, style: _Style) -> tuple[int, str]:
    own = _OR if term.operator == "or" else _AND
    return own, f" {_sign(term.operator, style)} ".join(_write(part, own + 1, style) for part in term.parts)


def _quantified(term: ir.Quantified, style: _Style) -> tuple[int, str]:
    over = "" if term.over is None else f" {_sign('in', style)} {_write(term.over, _RANGE, style)}"
    body = _write(term.body, _CLAIM, style)
    return _CLAIM, f"{_sign(term.kind, style)} {term.variable}{over}: {body}"


def _each(term: ir.Each, style: _Style) -> tuple[int, str]:
    loops = "".join(f" for {loop.variable} in {_write(loop.over, _RANGE, style)}" for loop in term.loops)
    condition = f" if {_write(term.condition, _OR, style)}" if term.condition else ""
    return _ATOM, f"[{_write(term.term, _CLAIM, style)}{loops}{condition}]"


def _change(change: ir.Change, style: _Style) -> str:
    target = ir.Name(change.name) if change.at is None else ir.Place(change.name, change.at)
    return f"{_write(target, _ATOM, style)} {change.operator} {_write(change.to, _RANGE, style)}"


def _changes(changes: Sequence[ir.Change], style: _Style) -> str:
    return ", ".join(_change(one, style) for one in changes)


def _of(term: ir.Of, style: _Style) -> tuple[int, str]:
    """Looser than an index behind it, which would be read as the situation's."""
    return _POWER, f"{_write(term.term, _POSTFIX, style)} of {_write(term.situation, _ATOM, style)}"


_WRITERS: Mapping[type, Callable[[Any, _Style], tuple[int, str]]] = {
    ir.Number: _number,
    ir.Name: lambda term, style: (_ATOM, style.symbols(term.name)),
    ir.Defined: _defined,
    ir.Word: lambda term, _style: (_ATOM, term.word),
    ir.Place: _place,
    ir.Item: lambda term, style: (_POSTFIX, f"{_write(term.of, _POSTFIX, style)}[{_write(term.at, _RANGE, style)}]"),
    ir.Slice: _slice,
    ir.Part: lambda term, style: (_POSTFIX, f"{_write(term.of, _POSTFIX, style)}.{term.name}"),
    ir.Call: _call,
    ir.Minus: lambda term, style: (_SIGNED, f"{_sign('-', style)}{_write(term.of, _SIGNED, style)}"),
    ir.Binary: _binary,
    ir.Relation: _relation,
    ir.Not: lambda term, style: (_NOT, f"{_sign('not', style)} {_write(term.of, _NOT, style)}"),
    ir.Joined: _joined,
    ir.Quantified: _quantified,
    ir.ListOf: lambda term, style: (_ATOM, f"[{_all(term.entries, style)}]"),
    ir.Each: _each,
    ir.Situation: lambda term, style: (_ATOM, f"{{{_changes(term.changes, style)}}}"),
    ir.Changed: lambda term, style: (
        _POSTFIX, f"{_write(term.term, _POSTFIX, style)} @ {{{_changes(term.changes, style)}}}"
    ),
    ir.Of: _of,
}  # fmt: skip
