"""Worked numbers print the line a teacher would write, and their value is the computed one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given as cases

from engine import formulas, ops, sequences
from engine.notation import show
from engine.readings.worked import given
from tests.responses import fractions, responses


def worked(name, numbers):
    return [given(x, name, t) for t, x in enumerate(numbers)]


@cases(responses(), fractions, fractions)
def test_working_changes_no_number(response, gamma, lam):
    rewards, values = response
    deltas = sequences.deltas(worked("rewards", rewards), worked("values", values), given(gamma, "gamma"))
    advantages = sequences.gae_advantages(deltas, given(gamma, "gamma"), given(lam, "lam"))
    expected = sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)
    assert [x.value for x in advantages] == expected


LINES = [
    (
        formulas.gae_step(given(Fraction(1, 5), "deltas", 1), given(Fraction(2, 5), "advantages", 2),
                          given(Fraction(1), "gamma"), given(Fraction(19, 20), "lam")),
        "δ₁ + γλ·A₂ = 0.2 + 1·0.95·0.4 = 0.58",
        r"\delta_{1} + \gamma \lambda A_{2} = 0.2 + 1 \cdot 0.95 \cdot 0.4 = 0.58",
    ),
    (
        formulas.token_reward(given(Fraction(1), "scores", 5), given(Fraction(-1, 20), "kl", 5),
                              given(Fraction(1, 10), "beta")),
        "score₅ - β·KL₅ = 1 - 0.1·(-0.05) = 1.005",
        r"\mathrm{score}_{5} - \beta \mathrm{KL}_{5} = 1 - 0.1 \cdot \left(-0.05\right) = 1.005",
    ),
    (
        formulas.advantage(given(Fraction(-1), "mc_returns", 0), given(Fraction(-2), "values", 0)),
        "G₀ - V₀ = -1 - (-2) = 1",
        r"G_{0} - V_{0} = -1 - \left(-2\right) = 1",
    ),
    (
        given(Fraction(1), "rewards", 0) / given(Fraction(3), "values", 0),
        "r₀ / V₀ = 1 / 3 ≈ 0.333333",
        r"r_{0} / V_{0} = 1 / 3 \approx 0.333333",
    ),
    (
        given(Fraction(1), "rewards", 0) - (given(Fraction(2), "values", 0) - given(Fraction(3), "values", 1)),
        "r₀ - (V₀ - V₁) = 1 - (2 - 3) = 2",
        r"r_{0} - \left(V_{0} - V_{1}\right) = 1 - \left(2 - 3\right) = 2",
    ),
    (
        formulas.discounted(given(Fraction(1), "deltas", 2), given(Fraction(9, 10), "gamma"), 2),
        "γ²·δ₂ = 0.9²·1 = 0.81",
        r"\gamma^{2} \delta_{2} = 0.9^{2} \cdot 1 = 0.81",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("number", "text", "latex"), LINES, ids=[line[1] for line in LINES])
def test_a_line(number, text, latex):
    assert number.working("text") == text
    assert number.working("latex") == latex


NUMBERS = [
    (Fraction(19, 20), "0.95", True),
    (Fraction(1, 3), "0.333333", False),
    (Fraction(-1, 1), "-1", True),
    (0.1 + 0.2, "0.3", False),
    (Fraction(0), "0", True),
    (1e12, "1×10¹²", True),
    (Fraction(1, 10**8), "1×10⁻⁸", True),
    (Fraction(123456789, 10), "1.23457×10⁷", False),
    (0.00012345678, "0.000123457", False),
    (6, "6", True),
]


@pytest.mark.parametrize(("number", "text", "exact"), NUMBERS, ids=[n[1] for n in NUMBERS])
def test_a_number(number, text, exact):
    shown = show(number)
    assert (shown.text, shown.exact) == (text, exact)


def r(t, x=1):
    return given(Fraction(x), "rewards", t)


WRITTEN = [
    (ops.minimum(r(0), r(1, 2)) * r(2), "min(r₀, r₁)·r₂ = min(1, 2)·1 = 1"),
    (-(r(0) + r(1, 2)), "-(r₀ + r₁) = -(1 + 2) = -3"),
    (-r(0), "-r₀ = -1"),
    (abs(r(0, -3)), "abs(r₀) = abs(-3) = 3"),
    (r(0) ** 1 * r(1, 2), "r₀·r₁ = 1·2 = 2"),  # a power of 1 is not written
    (r(0) ** 3 * r(1, 2), "r₀³·r₁ = 1·2 = 2"),  # nor one of 1
    (r(0, 2) ** (r(1, 3) - 1), "r₀^(r₁ - 1) = 2^(3 - 1) = 4"),
    ((r(0, 2) + 1) ** 2, "(r₀ + 1)² = (2 + 1)² = 9"),
    (r(0) / (r(1, 2) * r(2, 4)), "r₀ / (r₁·r₂) = 1 / (2·4) = 0.125"),
    (given(Fraction(2), "gamma") * given(Fraction(3), "lam"), "γλ = 2·3 = 6"),
    (Fraction(2) * r(0), "2·r₀ = 2·1 = 2"),
]


@pytest.mark.parametrize(("number", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_an_expression_is_written_as_a_teacher_would(number, text):
    assert number.working("text") == text


def test_numbers_that_are_worked_can_be_compared():
    assert r(0, 1) < r(0, 2) and r(0, 2) > 1
    assert not r(0, 2) < r(0, 2)


@pytest.mark.parametrize(
    ("number", "latex"), [(1e12, r"1\times 10^{12}"), (Fraction(-1, 10**8), r"-1\times 10^{-8}"), (0.5, "0.5")]
)
def test_a_number_in_latex(number, latex):
    assert show(number).latex == latex
