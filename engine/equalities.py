"""Equations between the quantities of a response: whether they hold for every response, or when.

An equation is evaluated exactly, on responses with random rational rewards and values of several lengths: an identity
of polynomials that holds there holds. Where it fails in general, the corners of γ and λ are tried.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

from engine import formulas, ops, sequences
from engine.notation import SYMBOLS

RATES = ("gamma", "lam")
LOGS = ("logp", "ref_logp", "old_logp", "new_logp")
COMPUTED = ("old_prob", "new_prob", "ratio", "kl_values", "k1", "k2", "k3")
POLICY = frozenset([*LOGS, *COMPUTED, "scores"])  # what comes from policies, and the scores
_LATEX = {name: symbol for name, (symbol, _) in SYMBOLS.items()} | {
    **{kind: rf"\mathrm{{{kind}}}" for kind in ("k1", "k2", "k3")},
    **{f"{which}_prob": rf"\pi^{{\mathrm{{{which}}}}}" for which in ("old", "new")},
}
ROUNDING = 1e-9  # of numbers that are no fractions
LENGTHS = (1, 2, 3, 4, 6)
DRAWS = 3  # responses of each length
RESPONSES = DRAWS * len(LENGTHS)
CORNERS: tuple[Mapping[str, Fraction], ...] = (
    {"gamma": Fraction(1)},
    {"lam": Fraction(1)},
    {"lam": Fraction(0)},
    {"gamma": Fraction(1), "lam": Fraction(1)},
    {"gamma": Fraction(1), "lam": Fraction(0)},
)


@dataclass(frozen=True)
class Where:
    """What is said of the responses: their γ and λ, lists that are zero throughout, one token only, which tokens."""

    rates: tuple[tuple[str, Fraction], ...] = ()
    zero: frozenset[str] = frozenset()
    single: bool = False  # responses of one token
    token: str = ""  # "first", "last" or "before" the last; else every one
    inner: bool = False  # γ or λ is said to lie strictly between 0 and 1

    def tokens(self, length: int) -> range:
        named = {"first": range(1), "last": range(length - 1, length), "before": range(length - 1)}
        return named.get(self.token, range(length))


EVERYWHERE = Where()


@dataclass(frozen=True)
class Response:
    """One response's lists, exact, with its γ and λ."""

    lists: Mapping[str, list[Any]]
    rates: Mapping[str, Fraction]

    @property
    def length(self) -> int:
        return len(self.lists["rewards"])


class OutsideError(Exception):
    """A token before the first one is asked for."""


Number = Any  # a fraction, or a float where there is an exp in it
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


@dataclass(frozen=True)
class Equality:
    """left = right at every token, with what was said of γ and λ."""

    left: Term
    right: Term
    where: Where = EVERYWHERE

    @property
    def latex(self) -> str:
        return f"{self.left.latex} = {self.right.latex}"

    @property
    def quantities(self) -> frozenset[str]:
        return self.left.quantities | self.right.quantities

    def sides(self, response: Response, t: int = 0) -> tuple[Number, Number]:
        return self.left.value(response, t, 0), self.right.value(response, t, 0)

    def holds(self, where: Where) -> bool:
        """On every one of the random responses there, at every token that it speaks of."""
        return all(self._holds_on(response) for response in random_responses(where))

    def _holds_on(self, response: Response) -> bool:
        for t in self.where.tokens(response.length):
            try:
                left, right = self.sides(response, t)
            except OutsideError:
                continue
            if not same(left, right):
                return False
        return True


def same(left: Number, right: Number) -> bool:
    """Exactly, or up to rounding where a number is no fraction."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    return math.isclose(left, right, rel_tol=ROUNDING, abs_tol=ROUNDING)


@dataclass(frozen=True)
class Found:
    """Whether an equation always holds, and if not, the settings of γ and λ at which it does."""

    always: bool
    where: tuple[Mapping[str, Fraction], ...] = ()


def settle(equality: Equality) -> Found:
    if equality.holds(equality.where):
        return Found(True)
    said, holding = dict(equality.where.rates), list[Mapping[str, Fraction]]()
    for corner in corners(said):
        implied = any(known.items() <= corner.items() for known in holding)
        if not implied and equality.holds(replace(equality.where, rates=tuple({**said, **corner}.items()))):
            holding.append(corner)
    return Found(False, tuple(holding))


def corners(said: Mapping[str, Fraction]) -> Iterator[Mapping[str, Fraction]]:
    """The corners that add something to what was said, and contradict nothing."""
    for corner in CORNERS:
        added = {name: x for name, x in corner.items() if name not in said}
        if added and len(added) == len(corner):
            yield added


def response(rewards: list[Fraction], values: list[Fraction], rates: Mapping[str, Fraction]) -> Response:
    gamma, lam = (rates[name] for name in RATES)
    deltas = sequences.deltas(rewards, values, gamma)
    advantages = sequences.gae_advantages(deltas, gamma, lam)
    mc_returns = sequences.mc_returns(rewards, gamma)
    lists = {
        "rewards": rewards,
        "values": values,
        "deltas": deltas,
        "advantages": advantages,
        "returns": sequences.critic_targets(advantages, values),
        "mc_returns": mc_returns,
        "mc_advantages": sequences.mc_advantages(mc_returns, values),
    }
    return Response(lists, rates)


@cache
def random_responses(where: Where) -> tuple[Response, ...]:
    """Responses from a seed, with other γ and λ each where these are not fixed."""
    chance, found = random.Random(0), []
    for length in (1,) if where.single else LENGTHS:
        for _ in range(DRAWS):
            free = {name: Fraction(chance.randint(1, 18), 19) for name in RATES}
            rewards, values = ([Fraction(chance.randint(-40, 40), 7) for _ in range(length)] for _ in range(2))
            for name, numbers in (("rewards", rewards), ("values", values)):
                if name in where.zero:
                    numbers[:] = [Fraction(0)] * length
            whole = response(rewards, values, {**free, **dict(where.rates)})
            found.append(replace(whole, lists={**whole.lists, **_policy(chance, rewards)}))
    return tuple(found)


def _policy(chance: random.Random, rewards: list[Fraction]) -> dict[str, list[Number]]:
    """Log-probabilities of the policies, as floats, what is computed of them, and the scores behind the rewards."""
    lists: dict[str, list[Number]] = {name: [-chance.randint(1, 40) / 13 for _ in rewards] for name in LOGS}
    pairs = list(zip(lists["logp"], lists["ref_logp"], strict=True))
    for name, estimate in (("k1", formulas.k1), ("k2", formulas.k2), ("k3", formulas.k3)):
        lists[name] = [estimate(*pair) for pair in pairs]
    for name in ("old", "new"):
        lists[f"{name}_prob"] = [ops.exp(x) for x in lists[f"{name}_logp"]]
    lists["ratio"] = [formulas.ratio(*pair) for pair in zip(lists["new_logp"], lists["old_logp"], strict=True)]
    beta = chance.randint(1, 18) / 19
    lists |= {"kl_values": lists["k1"], "beta": [beta] * len(rewards)}
    lists["scores"] = [float(r) + beta * k for r, k in zip(rewards, lists["kl_values"], strict=True)]
    return lists
