"""Terms: the sides of an equation between the quantities of a response, how they are computed and how written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from engine import ops
from engine.drawn import Number, OutsideError, Response
from engine.notation import SYMBOLS

_LATEX = {name: symbol for name, (symbol, _) in SYMBOLS.items()} | {
    **{kind: rf"\mathrm{{{kind}}}" for kind in ("k1", "k2", "k3")},
    **{f"{which}_prob": rf"\pi^{{\mathrm{{{which}}}}}" for which in ("old", "new")},
}

Value = Callable[[Response, int, int], Number]  # at token t; k counts inside a sum


@dataclass(frozen=True)
class Term:
    """A side of an equation: how it is computed and how it is written."""

    value: Value = field(compare=False)
    latex: str
    quantities: frozenset[str] = frozenset()
    loose: bool = False  # a sum or difference, which needs brackets inside a product
    anywhere: bool = False  # a quantity in it has no index
    cell: tuple[str, str] | None = None  # of a single quantity or rate: its name, and the index, "any" if there is none


def number(x: Fraction) -> Term:
    return Term(lambda _response, _t, _k: x, str(x))


def rate(name: str) -> Term:
    return Term(lambda response, _t, _k: response.rates[name], _LATEX[name], cell=(name, "any"))


def quantity(name: str, place: Callable[[Response, int, int], int], index: str, said: str | None = None) -> Term:
    """A quantity at a token; after the last token it is 0."""

    def value(response: Response, t: int, k: int) -> Number:
        at = place(response, t, k)
        if at < 0:
            raise OutsideError
        return response.lists[name][at] if at < response.length else Fraction(0)

    return Term(
        value, f"{_LATEX[name]}_{{{index}}}", frozenset({name}), anywhere=said == "any", cell=(name, said or index)
    )


def penalty() -> Term:
    """β, which every token has in common."""
    return Term(lambda response, _t, _k: response.lists["beta"][0], _LATEX["beta"])


def exponential(of: Term) -> Term:
    return Term(
        lambda *at: ops.exp(of.value(*at)), rf"\exp\left({of.latex}\right)", of.quantities, anywhere=of.anywhere
    )


def total(of: Term) -> Term:
    """The sum over all tokens."""

    def value(response: Response, _t: int, _k: int) -> Fraction:
        return sum((of.value(response, t, t) for t in range(response.length)), Fraction(0))

    return Term(value, rf"\sum_{{t}} {_inside(of)}", of.quantities)


def ahead(of: Term) -> Term:
    """The sum over k = 0, 1, … as far as there are tokens after t."""

    def value(response: Response, t: int, _k: int) -> Number:
        return sum((of.value(response, t, k) for k in range(response.length - t)), Fraction(0))

    return Term(value, rf"\sum_{{k}} {_inside(of)}", of.quantities)


def plus(a: Term, b: Term) -> Term:
    return _joined(a, b, lambda *at: a.value(*at) + b.value(*at), f"{a.latex} + {b.latex}", loose=True)


def minus(a: Term, b: Term) -> Term:
    return _joined(a, b, lambda *at: a.value(*at) - b.value(*at), f"{a.latex} - {_inside(b)}", loose=True)


def times(a: Term, b: Term) -> Term:
    return _joined(a, b, lambda *at: a.value(*at) * b.value(*at), f"{_inside(a)} {_inside(b)}", loose=False)


def over(a: Term, b: Term) -> Term:
    return _joined(a, b, lambda *at: a.value(*at) / b.value(*at), rf"\frac{{{a.latex}}}{{{b.latex}}}", loose=False)


def _joined(a: Term, b: Term, value: Value, latex: str, *, loose: bool) -> Term:
    return Term(value, latex, a.quantities | b.quantities, loose, a.anywhere or b.anywhere)


def power(base: Term, exponent: Callable[[Response, int, int], int], written: str) -> Term:
    def value(response: Response, t: int, k: int) -> Number:
        return base.value(response, t, k) ** exponent(response, t, k)

    shown = base.latex if base.latex.startswith("\\") and " " not in base.latex else rf"\left({base.latex}\right)"
    return Term(value, f"{shown}^{{{written}}}", base.quantities)


def _inside(term: Term) -> str:
    return rf"\left({term.latex}\right)" if term.loose else term.latex
