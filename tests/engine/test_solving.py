"""Unknowns that are solved for: what was planted is found, what is found holds, and what is denied is nowhere."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import compute
from engine.scenario import scenario
from engine.solving import FACTS, LISTS, LONGEST, Goal, Unknown, evaluated, solve, solve_rates
from engine.spans import Point, holding, roots

X = sympy.Symbol("x")
UNKNOWNS = (
    Unknown("lam"),
    Unknown("gamma"),
    Unknown("beta"),
    Unknown("values", 2),
    Unknown("scores", -1),
    Unknown("rewards", -1),
)


def response(seed: int, length: int = 5, **parts: float):
    draw = random.Random(seed)

    def row():
        return [draw.randint(-100, 100) / 100 for _ in range(length)]

    return scenario(
        {"scores": row(), "kl_values": row(), "values": row(), "beta": 0.2, "gamma": 0.9, "lam": 0.7, **parts}
    )


@pytest.mark.parametrize("unknown", UNKNOWNS, ids=lambda u: u.name)
@pytest.mark.parametrize("fact", FACTS)
def test_the_number_that_was_planted_is_among_those_found(unknown, fact):
    for seed in range(3):
        planted = Fraction(random.Random(seed).randint(0, 100), 100)
        given = response(seed)
        index = 1 if fact in LISTS else None
        base = solve(given, unknown, [Goal(fact, "=", Fraction(0), index)])
        value = evaluated(base.polynomials[0], planted)
        found = solve(given, unknown, [Goal(fact, "=", value, index, 3)])
        assert any(low_to_high(span, planted) for span in found.exact)
        assert any(low_to_high(span, planted) for span in found.rounded)
        assert found.checks
        assert all(check.ok for check in found.checks)


def low_to_high(span, x):
    return (span.low is None or span.low.low <= x) and (span.high is None or x <= span.high.high)


@pytest.mark.parametrize("unknown", UNKNOWNS, ids=lambda u: u.name)
def test_the_polynomial_is_what_the_program_gives(unknown):
    for seed in range(3):
        found = solve(response(seed), unknown, [Goal("advantages", "=", Fraction(0), 0)])
        for x in (Fraction(0), Fraction(1, 4), Fraction(1)):
            made = quantities.facts("gae", found.unknown.put(found.given, float(x))).exact["advantages"][0]
            assert abs(evaluated(found.polynomials[0], x) - made) < Fraction(1, 10**12)


def test_with_irrational_numbers_the_polynomial_is_of_their_decimals():
    given = RUNNING.merged({"kl_values": None, "kl": "k3"})
    found = solve(given, Unknown("beta"), [Goal("rewards", "=", Fraction("-0.001"), 0, 3)])
    assert found.value is not None
    assert all(check.ok for check in found.checks)


def test_a_goal_is_denied_only_where_it_holds_nowhere():
    for seed in range(20):
        given = response(seed)
        low, high = solve(given, Unknown("lam"), [Goal("advantages", "=", Fraction(0), 0)]).range
        for value in (low[0] - Fraction(1, 9), high[0] + Fraction(1, 9)):
            assert not solve(given, Unknown("lam"), [Goal("advantages", "=", value, 0)]).exact
        for value in (low[0], high[0], (low[0] + high[0]) / 2):
            rounding = Fraction(1, 10**25)  # a turning point is known to so much
            reached = solve(given, Unknown("lam"), [Goal("advantages", "=", value, 0)]).exact
            assert reached or abs(value - low[0]) < rounding or abs(value - high[0]) < rounding


@pytest.mark.parametrize("relation", ["=", "<", "<=", ">", ">="])
def test_spans_are_where_the_conditions_hold_and_nowhere_else(relation):
    draw = random.Random(7)
    truth = {"=": (0,), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}[relation]
    for _ in range(20):
        zeros = [Fraction(draw.randint(-6, 6), 4) for _ in range(draw.randint(0, 4))]
        one = sympy.Poly(draw.choice([-1, 1]) * sympy.prod([X - sympy.Rational(z) for z in zeros]), X)
        other = sympy.Poly(X**2 - 2, X)  # with ends that are not rational
        low, high = draw.choice([(Fraction(-1), Fraction(1)), (None, None), (Fraction(0), None)])
        spans = holding([(one, relation), (other, "<=")], low, high)
        for x in [*zeros, *(Fraction(k, 8) for k in range(-16, 17))]:
            if (low is not None and x < low) or (high is not None and x > high):
                continue
            value = one.eval(sympy.Rational(x))
            holds = int(sympy.sign(value)) in truth and x * x <= 2
            assert any(inside(span, x) for span in spans) == holds, (one, relation, x, spans)


def inside(span, x):
    above = span.low is None or span.low.value < x or (span.with_low and span.low.value == x)
    return above and (span.high is None or x < span.high.value or (span.with_high and span.high.value == x))


def test_double_roots_are_found_once_and_change_no_sign():
    square = sympy.Poly((X - sympy.Rational(1, 2)) ** 2, X)
    half = Point(Fraction(1, 2), Fraction(1, 2))
    assert roots(square, Fraction(0), Fraction(1)) == (half,)
    below = holding([(square, "<=")], Fraction(0), Fraction(1))
    assert [(span.low, span.high) for span in below] == [(half, half)]
    assert not holding([(square, "<")], Fraction(0), Fraction(1))


@pytest.mark.parametrize(
    ("low", "high", "shortest"), [("0.948", "0.95", "0.95"), ("0.311", "0.39", "0.32"), ("-1.5", "7", "-1")]
)
def test_of_a_span_the_shortest_decimal_is_taken(low, high, shortest):
    above, below = (sympy.Poly(X - sympy.Rational(x), X) for x in (low, high))
    assert holding([(above, ">="), (below, "<=")], None, None)[0].inside == Fraction(shortest)


def test_a_wrong_number_put_back_is_noticed():
    found = solve(RUNNING, Unknown("lam"), [Goal("advantages", "=", Fraction("0.651"), 0, 3)])
    elsewhere = found.unknown.put(found.given, found.value + 0.01)
    assert abs(quantities.facts("gae", elsewhere).numbers["advantages"][0] - 0.651) > 0.001
    assert all(check.ok for check in found.checks)


def test_what_cannot_be_asked_is_refused():
    too_long = response(1, LONGEST + 1)
    for given, unknown, goal in (
        (RUNNING, Unknown("values", 9), Goal("advantages", "=", Fraction(0), 0)),
        (RUNNING, Unknown("lam"), Goal("advantages", "=", Fraction(0), 9)),
        (too_long, Unknown("lam"), Goal("advantages", "=", Fraction(0), 0)),
        (RUNNING.merged({"mask": [1, 1, 1, 1, 1, 0]}), Unknown("lam"), Goal("advantages", "=", Fraction(0), 0)),
    ):
        with pytest.raises(EngineError):
            solve(given, unknown, [goal])


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_the_rates_that_made_advantages_lie_within_the_bounds_and_some_are_found(decimals):
    draw = random.Random(decimals)
    for seed in range(20):
        gamma, lam = draw.randint(50, 100) / 100, draw.randint(0, 100) / 100
        given = response(seed, gamma=gamma, lam=lam)
        stated = [round(a, decimals) for a in compute(quantities.gae, given).numbers["advantages"]]
        found = solve_rates(given, stated, decimals)
        assert found.gamma[0] <= Fraction(str(gamma)) <= found.gamma[1]
        assert found.lam[0] <= Fraction(str(lam)) <= found.lam[1]
        assert found.found is not None
        assert all(check.ok for check in found.checks)


def test_advantages_that_no_rates_give_are_told_from_others():
    found = solve_rates(scenario({"rewards": [0, 0, 1], "values": [0.2, 0.5, 0.7]}), [0.4, 0.35, 0.3], 2)
    assert found.corners == ()
    assert found.found is None
