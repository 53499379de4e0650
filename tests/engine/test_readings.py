"""One definition, four readings: the same formula on tensors, exact numbers, symbols and worked numbers agrees."""

from __future__ import annotations

import inspect
from fractions import Fraction

import pytest
import sympy
import torch

from engine import formulas, ops, readings
from engine.readings.exact import Decimal, IrrationalError, decimal, exactly, rational
from engine.readings.symbols import constant, value
from engine.readings.worked import given

FORMULAS = [f for _, f in inspect.getmembers(formulas, inspect.isfunction) if f.__module__ == formulas.__name__]
# Inside (0, 1), all different, so that no operand can be taken for another and every log and root is real.
VALUES = [0.375, 0.8125, 0.25, 0.625, 0.125, 0.5]


def test_the_formulas_are_found():
    assert {formulas.td_error, formulas.gae_step, formulas.k3} <= set(FORMULAS)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda f: f.__name__)
def test_four_readings_of_one_formula_agree(formula):
    count = len(inspect.signature(formula).parameters)
    numbers = VALUES[:count]
    tensor = formula(*(torch.tensor([[x]], dtype=torch.float64) for x in numbers))
    exact = exactly(lambda lift: formula(*(lift(x) for x in numbers)), size=count)
    worked = exactly(lambda lift: formula(*(given(lift(x), "rewards", i) for i, x in enumerate(numbers))), size=count)
    symbols = sympy.symbols(f"x:{count}", positive=True)
    read = value(sympy.sympify(formula(*symbols)))
    symbolic = read.subs({s: sympy.Rational(str(Fraction(x))) for s, x in zip(symbols, numbers, strict=True)}).doit()
    expected = float(exact)
    assert float(tensor) == pytest.approx(expected, abs=1e-12)
    assert float(getattr(worked, "value", worked)) == pytest.approx(expected, abs=1e-12)
    assert float(symbolic) == pytest.approx(expected, abs=1e-12)


def test_every_reading_is_registered():
    assert readings.__all__ == ["exact", "symbols", "tensors", "worked"]
    for x in (torch.tensor(0.0), Decimal(0), sympy.Integer(0), given(Fraction(1), "gamma")):
        assert ops.maximum(x, x + 1) - x - 1 == 0 or ops.maximum(x, x + 1).value == 2


def test_a_float_is_read_as_the_decimal_it_prints_as():
    assert rational(0.95) == Fraction(19, 20)
    assert decimal(0.1) * 10 == 1


def test_rationals_give_way_to_decimals_only_when_they_must():
    assert isinstance(exactly(lambda lift: lift(0.5) + 1, size=1), Fraction)
    assert isinstance(exactly(lambda lift: ops.exp(lift(0.5)), size=1), Decimal)
    assert isinstance(exactly(lambda lift: lift(0.5) + 1, size=1000), Decimal)
    with pytest.raises(IrrationalError):
        ops.exp(Fraction(1, 2))


def test_fifty_digits():
    error = exactly(lambda lift: ops.exp(lift(1.0)), size=1) - Decimal(
        "2.71828182845904523536028747135266249775724709369996"
    )
    assert abs(error) < Decimal("1e-48")


def test_the_straight_through_form_has_one_value_and_the_other_gradient():
    x = sympy.Symbol("x")
    form = formulas.straight_through(x**3, x**2)
    assert value(form).expand() == x**3
    assert sympy.diff(form, x) == 2 * x
    assert constant(x).diff(x) == 0
    tensor = torch.tensor(3.0, requires_grad=True)
    formulas.straight_through(tensor**3, tensor**2).backward()
    assert tensor.grad == 6.0


def test_formulas_read_whole_batches():
    rows = torch.arange(6.0).reshape(2, 3)
    found = formulas.td_error(rows, rows, rows, 0.5)
    assert found.shape == (2, 3)
    assert torch.equal(found, rows * 0.5)
