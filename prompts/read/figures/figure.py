"""A stated figure: a number, a fraction, a power, a percentage, some arithmetic; and whether a computed one is it."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from prompts.read.numbers.numerals import decimals_shown

ROUNDING = 1e-9
SLIGHT = 2e-6  # what an ε in a divisor leaves of a whole number
LOOSE = 0.02  # of a whole number that is only about right
ROUGH = 0.1  # of a fraction: about a third
LARGEST, LARGEST_EXPONENT = 10**12, 2000
_U = r"(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})"
_OPERATION = rf"(?: ?(?:\^|\*\*) ?\(?\{{?-?{_U}\}}?\)?|/{_U}(?![\d.])| ?[×*·] ?\(?-?{_U}\)?| [-+] {_U})"
NUMERAL = re.compile(
    rf"(?P<about>(?:about|around|roughly|approximately|nearly|≈|~|约为|大约|大概|近似|接近|约|差不多)(?:是|为)? ?)?"
    rf"(?P<run>[-+]?{_U}(?: ?%| ?percent\b)?{_OPERATION}{{0,6}})(?![A-Za-z0-9_]|\.\d|-(?:bit|th))",
    re.IGNORECASE,
)
_SIGNS = str.maketrans({"×": "*", "·": "*", "^": "**", "{": "(", "}": ")", " ": ""})
_DONE: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class Figure:
    """decimals: None where it is exact as it is written (a fraction, a power)."""

    value: Fraction
    decimals: int | None
    shown: str
    about: bool = False

    def agrees(self, x: Any) -> bool:
        """Whether a computed number is this one, at the digits shown; a tie may be rounded up, or to even."""
        own, said = float(x), float(self.value)
        apart, rounding = abs(own - said), ROUNDING * max(1.0, abs(said))
        if self.decimals and abs(apart - self.tolerance) <= rounding and not self.about:
            return abs(said) > abs(own) or int(abs(said) * 10 ** (self.decimals or 0) + 0.5) % 2 == 0
        return apart <= self.tolerance + rounding

    @property
    def tolerance(self) -> float:
        if self.decimals is None:
            return float(abs(self.value)) * ROUGH if self.about else SLIGHT
        if self.decimals:
            return 0.5 * 10.0**-self.decimals
        return max(0.05, float(abs(self.value)) * LOOSE) if self.about else SLIGHT

    @property
    def latex(self) -> str:
        return self.shown.replace("%", r"\%").replace("*", r"\times ").replace("×", r"\times ").replace("·", r"\cdot ")


ZERO = Figure(Fraction(0), None, "0")


def plain(x: Fraction) -> Figure:
    """A number of a list."""
    written = f"{float(x):.12g}"
    return Figure(x, len(written.partition(".")[2]), written)


def figure(found: re.Match[str]) -> Figure | None:
    """What a match of NUMERAL is; None where it has no value."""
    written = re.sub(" ?percent", "%", found["run"], flags=re.IGNORECASE).replace(" %", "%")
    value = reckoned(written)
    if value is None:
        return None
    single = re.fullmatch(rf"[-+]?{_U}%?", written) is not None
    return Figure(value, decimals_shown(written) if single else None, written, found["about"] is not None)


def reckoned(written: str) -> Fraction | None:
    """The value of some arithmetic, exactly; None where it has none."""
    code = written.translate(_SIGNS).replace("%", "/100")
    try:
        return _value(ast.parse(code, mode="eval").body, code)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None


def _value(node: ast.expr, code: str) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(code[node.col_offset : node.end_col_offset])
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, code)
        return -inner if isinstance(node.op, ast.USub) else inner
    if not isinstance(node, ast.BinOp):
        raise ValueError(code)
    left, right = _value(node.left, code), _value(node.right, code)
    if isinstance(node.op, ast.Pow):
        if right.denominator != 1 or abs(right) > LARGEST_EXPONENT or (not left and right < 0):
            raise ValueError(code)
        return _bounded(left ** int(right))
    return _bounded(_DONE[type(node.op)](left, right))


def _bounded(value: Fraction) -> Fraction:
    if abs(value) > LARGEST:
        raise ValueError
    return value
