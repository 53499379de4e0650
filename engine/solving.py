"""For which γ, λ, β, value or reward a computed number is as it is wished: exactly, and at the digits that were typed.

What is computed is a polynomial in any one of them: the program itself is run on a symbol in its place. Its roots are
isolated, what was found is put back into the program, and where nothing is found Sturm's count is the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy

from engine import quantities, reachable, spans
from engine.claims import half_a_unit
from engine.errors import EngineError
from engine.facts import Check, Facts, facts_of_lists, quick_facts
from engine.readings.exact import exactly, rational
from engine.scenario import FRACTIONS, Scenario
from engine.spans import Condition, Relation, Span

QUANTITY = "gae"  # whose facts can be wished for
LISTS = ("deltas", "advantages", "returns", "mc_returns", "mc_advantages", "rewards")
FACTS = (*LISTS, "excess", "advantage_sum", "delta_sum")
UNKNOWNS = (*FRACTIONS, "beta", "values", "rewards", "scores")
SHARES = tuple(Fraction(k, 6) for k in range(1, 6))  # of the way out, where a polygon is searched
LONGEST = 24  # tokens: the polynomials grow with them


@dataclass(frozen=True)
class Unknown:
    """A parameter, or one number of a list; -1 is the last."""

    name: str
    index: int | None = None

    @property
    def bounds(self) -> tuple[spans.Bound, spans.Bound]:
        """What can be taken for it at all."""
        if self.name in FRACTIONS:
            return Fraction(0), Fraction(1)
        return (Fraction(0), None) if self.name == "beta" else (None, None)

    def put(self, given: Scenario, x: float) -> Scenario:
        """The scenario with a number in its place."""
        if self.index is None:
            return given.merged({self.name: x})
        row = list(given.rows(self.name)[0])
        row[self.index] = x
        return given.merged({self.name: row})


@dataclass(frozen=True)
class Goal:
    """A number of a fact, and what it is to be; -1 is the last."""

    fact: str
    relation: Relation
    value: Fraction
    index: int | None = None
    decimals: int = 0  # as typed

    def of(self, facts: Any) -> Any:
        return facts[self.fact] if self.index is None else facts[self.fact][self.index]


@dataclass(frozen=True)
class Solved:
    """All that is to be said of one unknown."""

    unknown: Unknown
    goals: tuple[Goal, ...]
    given: Scenario
    polynomials: tuple[sympy.Poly, ...]  # what each goal is of, in the unknown
    exact: tuple[Span, ...]  # where the goals hold as they stand
    rounded: tuple[Span, ...]  # where they hold at the digits that were typed

    @property
    def found(self) -> tuple[Span, ...]:
        return self.exact or self.rounded

    @cached_property
    def value(self) -> float | None:
        """The number to go on with, where there is one and no choice."""
        if len(self.found) != 1 or (any(goal.relation != "=" for goal in self.goals) and not self.found[0].single):
            return None
        return float(self.found[0].inside)

    @cached_property
    def put(self) -> Scenario:
        return self.given if self.value is None else self.unknown.put(self.given, self.value)

    @cached_property
    def facts(self) -> Facts:
        """Of the computation, with what was found put in."""
        return quantities.facts(QUANTITY, self.put)

    @property
    def depends(self) -> bool:
        return any(p.degree() > 0 for p in self.polynomials)

    @cached_property
    def range(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None:
        """The least and the greatest of the first goal's number, each with where; None where there is no end to it."""
        low, high = self.unknown.bounds
        if low is None or high is None:
            return None
        first = self.polynomials[0]
        where = [low, *(point.value for point in spans.roots(first.diff(), low, high)), high]
        reached = [(evaluated(first, x), x) for x in where]
        return min(reached), max(reached)

    @property
    def checks(self) -> tuple[Check, ...]:
        """Each goal, on tensors, with what was found put back: how far from what it was to be."""
        return tuple(
            Check(f"{goal.fact}[{goal.index}]" if goal.index is not None else goal.fact, self._off(goal, span))
            for span in self.found
            for goal in self.goals
        )

    def _off(self, goal: Goal, span: Span) -> float:
        made = goal.of(quantities.facts(QUANTITY, self.unknown.put(self.given, float(span.inside))).numbers)
        beyond = made - float(goal.value)
        if goal.relation == "=":
            return abs(beyond) if self.exact else max(0.0, abs(beyond) - half_a_unit(goal.decimals))
        return max(0.0, beyond if goal.relation in ("<", "<=") else -beyond)


@dataclass(frozen=True)
class Rates:
    """All that is to be said of γ and λ together, for stated advantages."""

    given: Scenario
    stated: tuple[float, ...]
    decimals: int
    corners: tuple[reachable.Corner, ...]  # of γ and γλ: nothing outside gives them
    found: tuple[float, float] | None  # γ and λ that do

    @property
    def gamma(self) -> tuple[Fraction, Fraction]:
        some = [gamma for gamma, _ in self.corners]
        return min(some), max(some)

    @property
    def lam(self) -> tuple[Fraction, Fraction]:
        some = [both / gamma for gamma, both in self.corners if gamma] or [Fraction(0), Fraction(1)]
        whole = any(gamma == 0 for gamma, _ in self.corners)
        return (Fraction(0), Fraction(1)) if whole else (min(some), max(some))

    @cached_property
    def put(self) -> Scenario:
        return self.given if self.found is None else self.given.merged({"gamma": self.found[0], "lam": self.found[1]})

    @cached_property
    def facts(self) -> Facts:
        return quantities.facts(QUANTITY, self.put)

    @property
    def checks(self) -> tuple[Check, ...]:
        made = self.facts.numbers["advantages"] if self.found else ()
        slack = half_a_unit(self.decimals)
        pairs = zip(made, self.stated, strict=False)
        return tuple(Check(f"advantages[{t}]", max(0.0, abs(a - b) - slack)) for t, (a, b) in enumerate(pairs))


def settled(given: Scenario, unknown: Unknown) -> Scenario:
    """One response with rewards of its own, where one of them is to be found or none are."""
    if given.batched or given.mask is not None:
        raise EngineError("one_response", field=unknown.name)
    if given.length > LONGEST:
        raise EngineError("too_long", field="values", length=given.length, limit=LONGEST)
    if unknown.name != "rewards" or given.rewards is not None:
        return given
    made = quantities.facts("gae", given).exact["rewards"]
    derived = ("scores", "kl_values", "logp", "ref_logp")
    return given.merged({**dict.fromkeys(derived), "rewards": [float(x) for x in made]})


def solve(given: Scenario, unknown: Unknown, goals: Sequence[Goal]) -> Solved:
    """Where the goals hold, over all that can be taken for the unknown."""
    own = settled(given, unknown)
    place = unknown
    if unknown.index is not None:
        count = len(own.rows(unknown.name)[0])
        if not -count <= unknown.index < count:
            raise EngineError("no_such_token", field=unknown.name, position=(unknown.index,), length=count)
        place = Unknown(unknown.name, unknown.index % count)
    known = unknown.put(own, 0.0) if unknown.index is not None else own.merged({unknown.name: 0.0})
    made = exactly(lambda lift: _symbolic(known, place, lift), known.length)
    polynomials = tuple(_polynomial(_number_of(goal, made), place) for goal in goals)
    pairs = list(zip(goals, polynomials, strict=True))
    low, high = place.bounds
    exact = spans.holding([(_less(p, goal.value), goal.relation) for goal, p in pairs], low, high)
    typed = [one for goal, p in pairs for one in _as_typed(goal, p)]
    return Solved(place, tuple(goals), own, polynomials, exact, spans.holding(typed, low, high))


def solve_rates(given: Scenario, stated: Sequence[float], decimals: int) -> Rates:
    """γ and λ that give the stated advantages at their digits, or the proof that none do."""
    own = settled(given, Unknown("lam"))
    known = quantities.facts(QUANTITY, own.merged({"gamma": 1.0, "lam": 1.0})).exact
    if len(stated) != own.length:
        raise EngineError(
            "length_mismatch", field="advantages", length=len(stated), other="values", other_length=own.length
        )
    corners = reachable.admitted(
        [float(x) for x in known["rewards"]], [float(x) for x in known["values"]], stated, half_a_unit(decimals)
    )
    return Rates(own, tuple(stated), decimals, corners, _within(own, stated, decimals, corners))


# ---------------------------------------------------------------- the program as a polynomial


def _symbolic(known: Scenario, unknown: Unknown, lift: Any) -> dict[str, Any]:
    """The facts with a symbol in the unknown's place; numbers as exact as `lift` has them."""
    symbol = sympy.Symbol(unknown.name)

    def number(name: str, t: int | None, x: float) -> Any:
        return symbol if (name, t) == (unknown.name, unknown.index) else lift(x)

    return facts_of_lists(quantities.QUANTITIES[QUANTITY], known, number)


def _number_of(goal: Goal, made: Any) -> Any:
    whole = made[goal.fact]
    if goal.index is not None and not -len(whole) <= goal.index < len(whole):
        raise EngineError("no_such_token", field=goal.fact, position=(goal.index,), length=len(whole))
    return goal.of(made)


def _polynomial(expression: Any, unknown: Unknown) -> sympy.Poly:
    """With rational coefficients: where the numbers are decimals, as these are written."""
    symbol = sympy.Symbol(unknown.name)
    found = sympy.Poly(expression, symbol)
    return sympy.Poly([c if c.is_Rational else sympy.Rational(str(c)) for c in found.all_coeffs()], symbol, domain="QQ")


def _less(polynomial: sympy.Poly, x: Fraction) -> sympy.Poly:
    return polynomial - sympy.Rational(x.numerator, x.denominator)


def _as_typed(goal: Goal, polynomial: sympy.Poly) -> list[Condition]:
    """What rounds to the number that was typed; an inequality stays as it is."""
    if goal.relation != "=":
        return [(_less(polynomial, goal.value), goal.relation)]
    half = rational(half_a_unit(goal.decimals))
    return [(_less(polynomial, goal.value - half), ">="), (_less(polynomial, goal.value + half), "<=")]


def evaluated(polynomial: sympy.Poly, x: Fraction) -> Fraction:
    found = polynomial.eval(sympy.Rational(x.numerator, x.denominator))
    return Fraction(int(found.p), int(found.q))


# ---------------------------------------------------------------- γ and λ


def _within(
    own: Scenario, stated: Sequence[float], decimals: int, corners: Sequence[reachable.Corner]
) -> tuple[float, float] | None:
    """The shortest decimals among the polygon's that give the stated numbers."""
    if not corners:
        return None
    for gamma, both in dict.fromkeys(_candidates(corners)):
        lam = both / gamma if gamma else Fraction(0)
        rates = (float(gamma), float(lam))
        made = quick_facts(quantities.QUANTITIES[QUANTITY], own.merged({"gamma": rates[0], "lam": rates[1]}))
        slack = half_a_unit(decimals) + 1e-12
        if all(abs(a - b) <= slack for a, b in zip(made["advantages"], stated, strict=True)):
            return rates
    return None


def _candidates(corners: Sequence[reachable.Corner]) -> Iterator[reachable.Corner]:
    """Short decimals in the polygon and beside it, the shortest first; then a net of points within it."""
    count, nothing = len(corners), Fraction(0)
    middle = (sum((g for g, _ in corners), nothing) / count, sum((k for _, k in corners), nothing) / count)
    edges = [(one, other) for one, other in zip(corners, (*corners[1:], corners[0]), strict=True)]
    net = [_mixed(middle, _mixed(*edge, share), out) for out in SHARES for edge in edges for share in SHARES]
    for places in (0, 1, 2, 3, 4):
        for gamma, both in (middle, *corners, *net):
            short, lam = _short(gamma, places), _short(both / gamma if gamma else nothing, places)
            if 0 <= short <= 1 and 0 <= lam <= 1:
                yield short, short * lam
    yield from (middle, *corners, *net)


def _short(x: Fraction, places: int) -> Fraction:
    return Fraction(round(x * 10**places), 10**places)


def _mixed(one: reachable.Corner, other: reachable.Corner, share: Fraction) -> reachable.Corner:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])
