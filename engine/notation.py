"""How quantities and numbers are written: one table of symbols, one way to print a number, as LaTeX and as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

import mpmath

DIGITS = 6  # significant digits shown, unless fewer will do
_PLAIN_EXPONENTS = range(-5, 9)  # numbers of these magnitudes are written without a power of ten
_ENDS = 30  # digits: of forty, the last ten being zeros, it is a decimal that ends
_NOISE = Decimal("1e-45")  # what 50-digit decimals can leave of a difference that is zero
_SUBSCRIPT = str.maketrans("0123456789-+", "₀₁₂₃₄₅₆₇₈₉₋₊")
SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

# quantity → (LaTeX, text). The names are those of the facts and parameters.
SYMBOLS: dict[str, tuple[str, str]] = {
    "gamma": (r"\gamma", "γ"),
    "lam": (r"\lambda", "λ"),
    "beta": (r"\beta", "β"),
    "eps": (r"\varepsilon", "ε"),
    "scores": (r"\mathrm{score}", "score"),
    "kl": (r"\mathrm{KL}", "KL"),
    "kl_values": (r"\mathrm{KL}", "KL"),
    "rewards": ("r", "r"),
    "values": ("V", "V"),
    "deltas": (r"\delta", "δ"),
    "advantages": ("A", "A"),
    "returns": ("R", "R"),
    "mc_returns": ("G", "G"),
    "mc_advantages": (r"A^{\mathrm{MC}}", "Aᴹᶜ"),
    "logp": (r"\log\pi", "logπ"),
    "ref_logp": (r"\log\pi^{\mathrm{ref}}", "logπ_ref"),
    "ratio": (r"\rho", "ρ"),
    "mean": (r"\mu", "μ"),
    "variance": (r"\sigma^2", "σ²"),
    "std": (r"\sigma", "σ"),
    "whitened": (r"\hat{A}", "Â"),
    "baselines": ("b", "b"),
    "objectives": ("L", "L"),
    "objective_terms": ("L", "L"),
    "clipped": (r"\bar{L}", "L̄"),
    "vpreds": (r"V^{\mathrm{new}}", "Vⁿᵉʷ"),
    "vpred_clipped": (r"V^{\mathrm{clip}}", "Vᶜˡⁱᵖ"),
    "new_logp": (r"\log\pi^{\mathrm{new}}", "logπ_new"),
    "old_logp": (r"\log\pi^{\mathrm{old}}", "logπ_old"),
    "old_values": (r"V^{\mathrm{old}}", "Vᵒˡᵈ"),
    "cliprange_value": (r"\varepsilon_V", "ε_V"),
    "eps_low": (r"\varepsilon_{\mathrm{low}}", "ε_low"),
    "eps_high": (r"\varepsilon_{\mathrm{high}}", "ε_high"),
    "group_rewards": (r"\mathrm{score}", "score"),
    "mask": ("m", "m"),
    # The inputs of counterexamples.
    "p": ("p", "p"),
    "q": ("q", "q"),
    "slope": ("c", "c"),
    "epsilon": (r"\varepsilon", "ε"),
    "value_errors": ("e", "e"),
    "weights": ("w", "w"),
    "s": ("s", "s"),
    "a": ("a", "a"),
    # What a policy's values really are, beside the critic's estimates.
    "true_values": (r"V^{\pi}", "Vπ"),
    "action_values": (r"Q^{\pi}", "Qπ"),
    "true_advantages": (r"A^{\pi}", "Aπ"),
    # What the environment may do after a token.
    "outcome_chances": ("P", "P"),
    "outcome_rewards": ("r", "r"),
    "outcome_values": ("V", "V"),
    "mean_reward": (r"\bar r", "r̄"),
    "values_without_reward": ("W", "W"),
}


@dataclass(frozen=True, slots=True)
class Precision:
    """How many significant digits are shown, and what has been: text → the numbers that it stood for."""

    digits: int
    seen: dict[str, set[float]] = field(default_factory=dict)

    @property
    def confuses(self) -> bool:
        """Whether different numbers were shown as one."""
        return any(max(some) - min(some) > _SAME * max(map(abs, some)) for some in self.seen.values())


_SAME = 1e-9  # of their size: what may lie between two numbers that are one
_PRECISION: ContextVar[Precision] = ContextVar("precision", default=Precision(DIGITS))  # noqa: B039  never written to


@contextmanager
def shown_to(digits: int) -> Iterator[Precision]:
    """Numbers shown in here have so many digits, where nobody asks for others."""
    found = Precision(digits)
    before = _PRECISION.set(found)
    try:
        yield found
    finally:
        _PRECISION.reset(before)


def digits_now() -> int:
    return _PRECISION.get().digits


@dataclass(frozen=True, slots=True)
class Symbol:
    """A quantity, or its value at one tensor index."""

    quantity: str
    index: int | None = None

    @property
    def latex(self) -> str:
        letter = SYMBOLS[self.quantity][0]
        return letter if self.index is None else f"{letter}_{{{self.index}}}"

    @property
    def text(self) -> str:
        letter = SYMBOLS[self.quantity][1]
        return letter if self.index is None else letter + str(self.index).translate(_SUBSCRIPT)


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as it is written, and whether that is all of it."""

    mantissa: str
    exponent: int | None  # of ten; None: written without
    exact: bool

    @property
    def text(self) -> str:
        if self.exponent is None:
            return self.mantissa
        return f"{self.mantissa}×10{str(self.exponent).translate(SUPERSCRIPT)}"

    @property
    def latex(self) -> str:
        if self.exponent is None:
            return self.mantissa
        return rf"{self.mantissa}\times 10^{{{self.exponent}}}"

    @property
    def sign(self) -> str:
        """How it is joined to what it equals."""
        return "=" if self.exact else "≈"


def _as_decimal(x: Any) -> tuple[Decimal, bool]:
    """x to more digits than are ever shown, and whether nothing was lost."""
    wide = Context(prec=40)
    if isinstance(x, Fraction):
        quotient = wide.divide(Decimal(x.numerator), Decimal(x.denominator))
        return quotient, Fraction(quotient) == x
    if isinstance(x, int | float):
        return Decimal(repr(x)), True
    written = Decimal(mpmath.nstr(x, 40, strip_zeros=False))
    if abs(written) <= _NOISE:
        return Decimal(0), True
    return written, len(written.normalize().as_tuple().digits) <= _ENDS


def show(x: Any, digits: int | None = None) -> Shown:
    """x at `digits` significant digits, without trailing zeros; a whole number is not cut."""
    number, whole = _as_decimal(x)
    if number == 0:
        return Shown("0", None, True)
    precision = _PRECISION.get()
    if digits is None:
        digits = DIGITS if whole and number == number.to_integral_value() else precision.digits
        shown = _rounded(number, digits, whole=whole)
        if precision.digits < DIGITS:
            precision.seen.setdefault(shown.text, set()).add(float(number))
        return shown
    return _rounded(number, digits, whole=whole)


def _rounded(number: Decimal, digits: int, *, whole: bool) -> Shown:
    digits = max(digits, min(number.adjusted() + 1, DIGITS))  # what stands before the point is not cut
    rounded = Context(prec=digits, rounding=ROUND_HALF_EVEN).plus(number)
    exact = whole and rounded == number
    exponent = rounded.adjusted()
    if exponent in _PLAIN_EXPONENTS and (exact or exponent < digits):
        return Shown(_trimmed(f"{rounded:f}"), None, exact)
    return Shown(_trimmed(f"{rounded.scaleb(-exponent):f}"), exponent, exact)


def _trimmed(numeral: str) -> str:
    return numeral.rstrip("0").rstrip(".") if "." in numeral else numeral
