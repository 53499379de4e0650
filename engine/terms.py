"""Terms: the sides of an equation between the quantities of a response, how they are computed and how written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from engine import ops
from engine.drawn import Number, OutsideError, Response
from engine.notation import SYMBOLS

_LATEX = {name: symbol for name, (symbol, _) in SYMBOLS.items()} | {
    **{kind: rf"\mathrm{{{kind}}}" for kind in ("k1", "k2", "k3")},
    **{f"{which}_prob": rf"\pi^{{\mathrm{{{which}}}}}" for which in ("old", "new", "ref")},
    "prob": r"\pi",
    "action_values": "Q",
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
    places: frozenset[str] = frozenset()  # the indices that are written in it

    def written(self, latex: str) -> Term:
        return replace(self, latex=latex)


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
        found = response.lists[name][at] if at < response.length else Fraction(0)
        if found is None:
            raise OutsideError
        return found

    return Term(
        value,
        f"{_LATEX.get(name, name)}_{{{index}}}",
        frozenset({name}),
        anywhere=said == "any",
        cell=(name, said or index),
        places=frozenset() if said else frozenset({index}),
    )


def constant(name: str) -> Term:
    """β: what every token has in common."""
    return quantity(name, lambda _response, _t, _k: 0, "", "common").written(_LATEX[name])


_FUNCTIONS: Mapping[str, tuple[Callable[..., Number], int]] = {
    "exp": (ops.exp, 1),
    "log": (lambda x: ops.log(x) if x > 0 else _outside(), 1),
    "abs": (abs, 1),
    "sqrt": (lambda x: ops.sqrt(x) if x >= 0 else _outside(), 1),
}
ARITIES: Mapping[str, int] = {name: arity for name, (_, arity) in _FUNCTIONS.items()}


def _outside() -> Number:
    raise OutsideError


def function(name: str, arguments: Sequence[Term]) -> Term:
    """exp, log, abs or sqrt of a term."""
    compute, _ = _FUNCTIONS[name]
    command = rf"\{name}" if name not in ("abs", "sqrt") else rf"\operatorname{{{name}}}"
    inner = ", ".join(term.latex for term in arguments)
    return Term(
        lambda *at: compute(*(term.value(*at) for term in arguments)),
        rf"{command}\left({inner}\right)",
        frozenset().union(*(term.quantities for term in arguments)),
        anywhere=any(term.anywhere for term in arguments),
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
    def value(response: Response, t: int, k: int) -> Number:
        divisor = b.value(response, t, k)
        return a.value(response, t, k) / divisor if divisor else _outside()

    return _joined(a, b, value, rf"\frac{{{a.latex}}}{{{b.latex}}}", loose=False)


def _joined(a: Term, b: Term, value: Value, latex: str, *, loose: bool) -> Term:
    anywhere, places = a.anywhere or b.anywhere, a.places | b.places
    return Term(value, latex, a.quantities | b.quantities, loose, anywhere, places=places)


def power(base: Term, exponent: Callable[[Response, int, int], int], written: str) -> Term:
    def value(response: Response, t: int, k: int) -> Number:
        return base.value(response, t, k) ** exponent(response, t, k)

    shown = base.latex if base.latex.startswith("\\") and " " not in base.latex else rf"\left({base.latex}\right)"
    return Term(value, f"{shown}^{{{written}}}", base.quantities, anywhere=base.anywhere, places=base.places)


def _inside(term: Term) -> str:
    return rf"\left({term.latex}\right)" if term.loose else term.latex
