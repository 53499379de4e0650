"""Random responses for the theorems: exact rationals of few digits, so that equalities are equalities."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

numbers = st.integers(-300, 300).map(lambda n: Fraction(n, 100))
fractions = st.integers(0, 20).map(lambda n: Fraction(n, 20))  # γ and λ, 0 and 1 among them


@st.composite
def responses(draw: st.DrawFn, longest: int = 8) -> tuple[list[Fraction], list[Fraction]]:
    """Rewards and values of one response."""
    length = draw(st.integers(1, longest))
    row = st.lists(numbers, min_size=length, max_size=length)
    return draw(row), draw(row)
