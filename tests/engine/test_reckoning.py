"""Arithmetic that is written out, against Python's own fractions."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from engine.reckoning import MOST, operations, reckoned


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (".9/4", "9/40"),
        ("3+4", "7"),
        ("0.2 + 0.95 × 0.4", "29/50"),
        ("2(3 + 4)", "14"),
        ("-(.1 + .2) * 2", "-3/5"),
        ("-2^2", "-4"),
        (".5**3", "1/8"),
        ("25% + 50%", "3/4"),
        ("6 ÷ 4 · 2", "3"),
        ("min(1.3*.5, 1.2*.5)", "3/5"),
        ("clip(1.3, .8, 1.2) * 2", "12/5"),
        ("mean(1, 2, 6)", "3"),
    ],
)
def test_an_expression_has_its_value(written, value):
    assert reckoned(written) == Fraction(value)


@pytest.mark.parametrize(
    "written", ["", "(", "1/0", "1 +", "2 3", "a + 1", "1,2", "exp(1000)", "log(0)", "min(1)", "9^99", ".1.2"]
)
def test_what_is_no_arithmetic_has_none(written):
    assert reckoned(written) is None


def test_nobody_writes_this_much():
    assert reckoned("+".join(["1"] * MOST)) is None
    assert reckoned("(" * 500 + "1" + ")" * 500) is None
    assert reckoned("((9^60)^60)^60") is None


def test_functions_are_good_to_more_digits_than_are_shown():
    for x in (-0.12, 0.1, 2.5):
        assert float(reckoned(f"exp({x})") or 0) == pytest.approx(math.exp(x), abs=1e-12)
    assert float(reckoned("sqrt(2)") or 0) == pytest.approx(math.sqrt(2), abs=1e-12)


@pytest.mark.parametrize(("written", "count"), [("1", 0), ("-1", 0), ("1 - -1", 1), ("(1 + 2) * 3", 2), ("exp(1)", 1)])
def test_how_much_is_worked_out(written, count):
    assert operations(written) == count


def _expression(chance: random.Random, depth: int) -> tuple[str, Fraction]:
    if depth == 0:
        x = Fraction(chance.randint(0, 999), 100)
        return f"{float(x):.2f}", x
    (a, x), (b, y) = _expression(chance, depth - 1), _expression(chance, depth - 1)
    sign = chance.choice("+-*" if not y else "+-*/")
    value = {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else x}[sign]
    return f"({a} {sign} {b})", value


def test_random_expressions_come_out_exactly():
    chance = random.Random(7)
    for _ in range(200):
        written, value = _expression(chance, chance.randint(1, 3))
        assert reckoned(written) == value, written
