"""The worked reading: numbers that remember how they were made, and print as the line a teacher would write.

A₁ = δ₁ + γλ·A₂ = 0.2 + 1·0.95·0.4 = 0.58
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from engine import ops
from engine.notation import DIGITS, SUPERSCRIPT, Shown, Symbol, digits_now, show
from engine.readings.exact import Exact

Script: TypeAlias = Literal["latex", "text"]

# operator → how tightly it binds; an operand that binds less tightly than its place asks for is put in brackets
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 2, "**": 3}
_TIGHTEST = 4


@dataclass(frozen=True, slots=True, eq=False)
class Worked:
    """A value, and how it came about: a name, an operation on other worked numbers, or just a number."""

    value: Exact
    symbol: Symbol | None = None
    operation: str | None = None
    operands: tuple[Worked, ...] = ()
    made_from: Worked | None = None  # for a named number that was computed: the working
    function: Callable[..., Any] | None = None  # of an operation that has no sign

    def __add__(self, other: ops.Number) -> Worked:
        return _operate("+", self, other)

    def __radd__(self, other: ops.Number) -> Worked:
        return _operate("+", other, self)

    def __sub__(self, other: ops.Number) -> Worked:
        return _operate("-", self, other)

    def __rsub__(self, other: ops.Number) -> Worked:
        return _operate("-", other, self)

    def __mul__(self, other: ops.Number) -> Worked:
        return _operate("*", self, other)

    def __rmul__(self, other: ops.Number) -> Worked:
        return _operate("*", other, self)

    def __truediv__(self, other: ops.Number) -> Worked:
        return _operate("/", self, other)

    def __rtruediv__(self, other: ops.Number) -> Worked:
        return _operate("/", other, self)

    def __pow__(self, other: ops.Number) -> Worked:
        return _operate("**", self, other)

    def __neg__(self) -> Worked:
        return Worked(-self.value, operation="neg", operands=(self,))

    def __abs__(self) -> Worked:
        return _call("abs", abs, self)

    def __lt__(self, other: ops.Number) -> bool:
        return bool(self.value < _worked(other).value)

    def __gt__(self, other: ops.Number) -> bool:
        return bool(self.value > _worked(other).value)

    def line(self, script: Script) -> str:
        """name = symbols = numbers = result: the working of a named number."""
        assert self.symbol is not None and self.made_from is not None, "only a named, computed number has a line"
        return f"{getattr(self.symbol, script)} = {self.made_from.working(script)}"

    def put_in(self, script: Script) -> str:
        """name = symbols = numbers: the line but for its result."""
        made = self.made_from or self
        parts = dict.fromkeys([_written(made, script), _written(made, script, _enough(made))])
        return " = ".join([*([getattr(self.symbol, script)] if self.symbol else []), *parts])

    def formula(self, script: Script) -> str:
        """name = symbols."""
        made = _written(self.made_from or self, script)
        return f"{getattr(self.symbol, script)} = {made}" if self.symbol else made

    @property
    def parts(self) -> tuple[Worked, ...]:
        """The computed numbers that it is made of, each once."""
        found: dict[Symbol, Worked] = {}
        waiting = [self.made_from or self]
        while waiting:
            x = waiting.pop(0)
            if x.symbol is not None and x.made_from is not None:
                found.setdefault(x.symbol, x)
            else:
                waiting += x.operands
        return tuple(found.values())

    def working(self, script: Script) -> str:
        """symbols = numbers = result, without the parts that would repeat."""
        parts = [_written(self, script), _written(self, script, _enough(self))]
        result = show(self.value)
        outcome = getattr(result, script)
        equation = " = ".join(dict.fromkeys(parts))
        return equation if outcome == parts[-1] else f"{equation} {_relation(result.sign, script)} {outcome}"


def given(value: Exact, quantity: str, index: int | None = None) -> Worked:
    """A number that the working starts from."""
    return Worked(value, symbol=Symbol(quantity, index))


_OPERATE: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}


def _worked(x: ops.Number) -> Worked:
    return x if isinstance(x, Worked) else Worked(x)


def _operate(operation: str, a: ops.Number, b: ops.Number) -> Worked:
    left, right = _worked(a), _worked(b)
    return Worked(_OPERATE[operation](left.value, right.value), operation=operation, operands=(left, right))


def _call(name: str, function: Callable[..., Any], *arguments: ops.Number) -> Worked:
    operands = tuple(_worked(x) for x in arguments)
    return Worked(function(*(x.value for x in operands)), operation=name, operands=operands, function=function)


def _boundary(_like: Worked, quantity: str, index: int) -> Worked:
    return given(Fraction(0), quantity, index)


def _named(x: Worked, quantity: str, index: int | None) -> Worked:
    return Worked(x.value, symbol=Symbol(quantity, index), made_from=x)


# ---------------------------------------------------------------- printing


def _leaf(x: Worked, digits: int | None) -> Shown:
    """What the working starts from stands as it was given; what was computed, with as many digits as are shown."""
    whole = show(x.value, DIGITS)
    return whole if x.made_from is None and whole.exact else show(x.value, digits)


def _enough(x: Worked) -> int:
    """With how many digits the numbers shown come to the result as it is shown."""
    result = show(x.value).text
    enough = (digits for digits in range(digits_now(), DIGITS) if show(_as_shown(x, digits)).text == result)
    return next(enough, DIGITS)


def _as_shown(x: Worked, digits: int) -> Exact:
    """What the working comes to with the numbers that are shown."""
    if x.operation is None:
        shown = _leaf(x, digits)
        return x.value if shown.exact else type(x.value)(f"{shown.mantissa}e{shown.exponent or 0}")
    operands = [_as_shown(y, digits) for y in x.operands]
    if x.function is not None:
        return x.function(*operands)
    return -operands[0] if x.operation == "neg" else _OPERATE[x.operation](*operands)


def _written(x: Worked, script: Script, digits: int | None = None) -> str:
    """In symbols, or in numbers of so many digits."""
    if x.operation is None:
        if x.symbol is not None and digits is None:
            return str(getattr(x.symbol, script))
        return str(getattr(_leaf(x, digits), script))
    if x.operation not in _BINDING:
        name, operands = _called(x)
        inside = ", ".join(_written(y, script, digits) for y in operands)
        if script != "latex":
            return f"{name}({inside})"
        return rf"\sqrt{{{inside}}}" if name == "sqrt" else rf"\operatorname{{{name}}}({inside})"
    binding = _BINDING[x.operation]
    if x.operation == "neg":
        return "-" + _bracketed(x.operands[0], binding, script, digits)
    left, right = x.operands
    if x.operation == "**":
        return _power(left, right, script, digits)
    a = _bracketed(left, binding, script, digits, first=True)
    b = _bracketed(right, binding + (x.operation in "-/"), script, digits)
    return a + _joint(x.operation, left, right, script, digits) + b


def _called(x: Worked) -> tuple[str, tuple[Worked, ...]]:
    """A function and its arguments: min(max(x, low), high) is clip(x, low, high), as the papers write it."""
    assert x.operation is not None, "a number was not called"
    first, *others = x.operands
    if x.operation == "min" and first.symbol is None and first.operation == "max":
        return "clip", (*first.operands, *others)
    return x.operation, x.operands


def _power(base: Worked, exponent: Worked, script: Script, digits: int | None) -> str:
    if digits is not None and base.value == 1:
        return "1"
    if exponent.value == 1:
        return _bracketed(base, _BINDING["*"], script, digits)
    below = _bracketed(base, _TIGHTEST, script, digits)
    if script == "latex":
        return f"{below}^{{{_written(exponent, script, digits)}}}"
    above = _bracketed(exponent, _TIGHTEST, script, digits, first=True)
    return below + above.translate(SUPERSCRIPT) if above.isdecimal() else f"{below}^{above}"


def _joint(operation: str, left: Worked, right: Worked, script: Script, digits: int | None) -> str:
    """What stands between two operands. Named scalars stand side by side: γλ·A₂."""
    if operation != "*":
        return f" {operation} "
    if digits is not None or not (_ends_named(left) and right.symbol is not None):
        return r" \cdot " if script == "latex" else "·"
    if script == "latex":
        return " "
    return "" if right.symbol.index is None else "·"


def _ends_named(x: Worked) -> bool:
    if x.operation == "**":
        return _ends_named(x.operands[0])
    return x.symbol is not None or (x.operation == "*" and _ends_named(x.operands[1]))


def _bracketed(x: Worked, binding: int, script: Script, digits: int | None, *, first: bool = False) -> str:
    """x, in brackets where it binds less tightly than its place, or is a negative number that is not first."""
    inside = _written(x, script, digits)
    loose = x.operation is not None and _BINDING.get(x.operation, _TIGHTEST) < binding
    negative = inside.startswith("-") and not first
    power_of_ten = "×10" in inside or r"\times" in inside
    if loose or negative or (power_of_ten and binding == _TIGHTEST):
        return rf"\left({inside}\right)" if script == "latex" else f"({inside})"
    return inside


def _relation(sign: str, script: Script) -> str:
    return r"\approx" if sign == "≈" and script == "latex" else sign


ops.register(
    Worked,
    ops.Functions(
        exp=lambda x: _call("exp", ops.exp, x),
        log=lambda x: _call("log", ops.log, x),
        sqrt=lambda x: _call("sqrt", ops.sqrt, x),
        minimum=lambda a, b: _call("min", ops.minimum, a, b),
        maximum=lambda a, b: _call("max", ops.maximum, a, b),
        where=lambda condition, a, b: _worked(a if condition else b),
        named=_named,
        boundary=_boundary,
    ),
)
