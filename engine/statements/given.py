"""A situation with exact numbers, and every quantity of it by name, from the programs of engine.quantities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from engine import batches, quantities
from engine.errors import EngineError
from engine.example import BOTH, RUNNING
from engine.facts import Inputs, finished
from engine.readings.exact import Decimal, IrrationalError
from engine.scenario import LISTS, PER_TOKEN, Scenario, scenario
from engine.statements.names import ENDS, INPUTS, computations

LONGEST_RATIONAL = 256  # tokens
USUAL = (("gamma", Fraction(1)), ("lam", Fraction(1)))  # of a response that says nothing of them
Value = Any  # a number, a truth, a list of values, the results of a computation, or a situation


@dataclass(frozen=True)
class Given:
    """The parts that are given, by name: a Fraction, a tuple of them, or rows."""

    parts: tuple[tuple[str, Value], ...]

    @property
    def by_name(self) -> dict[str, Value]:
        return dict(self.parts)

    @property
    def scenario(self) -> Scenario:
        return _scenario(self)

    @property
    def length(self) -> int:
        return self.scenario.length

    def with_parts(self, changed: Mapping[str, Value]) -> Given:
        return Given(tuple({**self.by_name, **{name: _frozen(x) for name, x in changed.items()}}.items()))

    def value(self, name: str) -> Value:
        """A quantity: as it is given, else from the first computation that has it."""
        if name == "T":
            return self.length
        found = self.by_name.get(name) if name != "kl" else None
        if found is not None:
            return _thawed(found)
        for program in computations(name):
            results = computed(self, program)
            if results is not None and results.get(name) is not None:
                return results[name]
        if name in ENDS:
            return 0 if name == "first" else self.length - 1
        raise EngineError("missing", field=name)

    def results(self, program: str) -> Mapping[str, Value]:
        """Everything that one computation gives."""
        found = computed(self, program)
        if found is None:
            raise EngineError("missing", field=program)
        return found


EMPTY = Given(USUAL)


def given(one: Scenario) -> Given:
    """A scenario's numbers, each read as the decimal that it prints as."""
    kept = {name: x for name, x in one.given().items() if name in INPUTS}
    return Given(tuple((name, x if name == "kl" else _lifted(x)) for name, x in kept.items()))


@cache
def running() -> Given:
    """The running example."""
    return given(RUNNING)


def batch_of(one: Given) -> Given:
    """Both responses, where the one at hand is the example's, whatever its parameters; else what is at hand."""
    parts, own = one.by_name, running().by_name
    if any(parts.get(name) != own.get(name) for name in PER_TOKEN):
        return one
    return one.with_parts({name: x for name, x in given(BOTH).by_name.items() if name in PER_TOKEN})


@lru_cache(maxsize=512)
def _scenario(one: Given) -> Scenario:
    return scenario({name: x if name == "kl" or x is None else _plain(x) for name, x in one.parts})


@lru_cache(maxsize=512)
def computed(one: Given, program: str) -> Mapping[str, Value] | None:
    """The results of a program on fractions; with 50 digits where it leaves them or the response is long."""
    try:
        if one.length <= LONGEST_RATIONAL and _rational([x for name, x in one.parts if name != "kl"]):
            try:
                return _run(one, program, lambda x: x)
            except IrrationalError:
                pass
        return _run(one, program, decimal)
    except EngineError:  # a list that it needs is not there
        return None


def decimal(x: Value) -> Value:
    """Numbers, wherever they stand, with 50 digits."""
    if isinstance(x, Mapping):
        return {name: decimal(y) for name, y in x.items()}
    if isinstance(x, list | tuple):
        return [decimal(y) for y in x]
    return Decimal(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def _run(one: Given, program: str, lift: Any) -> dict[str, Value]:
    parts = one.by_name

    def exact(name: str, x: float) -> Value:
        part = parts.get(name)
        return lift(part if isinstance(part, Fraction) and float(part) == x else Fraction(repr(x)))

    def rows(name: str, floats: tuple[tuple[float, ...], ...]) -> Value:
        part = parts.get(name)
        if part is None or name not in LISTS:
            return [[lift(Fraction(repr(x))) for x in row] for row in floats]
        return [[lift(x) for x in row] for row in (part if isinstance(part[0], tuple) else (part,))]

    inputs = Inputs(one.scenario, batches, number=exact, series=rows)
    return {name: finished(name, x, inputs) for name, x in quantities.QUANTITIES[program](inputs).items()}


def _rational(x: Value) -> bool:
    return all(map(_rational, x)) if isinstance(x, list | tuple) else x is None or isinstance(x, Fraction)


def _lifted(x: Any) -> Value:
    return tuple(map(_lifted, x)) if isinstance(x, tuple) else Fraction(repr(x))


def _plain(x: Value) -> Any:
    return [_plain(y) for y in x] if isinstance(x, tuple) else float(x)


def _frozen(x: Value) -> Value:
    """As parts are kept: hashable, and in fractions."""
    if isinstance(x, list | tuple):
        return tuple(map(_frozen, x))
    return Fraction(x) if isinstance(x, int | float) and not isinstance(x, bool) else x


def _thawed(x: Value) -> Value:
    return [_thawed(y) for y in x] if isinstance(x, tuple) else x
