"""Signs, comparisons and changes, supposed and stated of one token of a case: tried on the cases that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine import cases
from engine.cases import Case, Setting
from engine.drawn import Number, OutsideError
from engine.readings.exact import IrrationalError
from engine.terms import Term

LEAST = 12  # tokens that have to be there
STEP = Fraction(3, 7)
NOISE = 1e-12  # a float nearer to another is no other number

Sides = tuple[Number, Number]
RELATIONS: dict[str, Callable[[Number, Number], bool]] = {
    ">": lambda a, b: _apart(a, b) and a > b,
    "<": lambda a, b: _apart(a, b) and a < b,
    ">=": lambda a, b: a >= b or not _apart(a, b),
    "<=": lambda a, b: a <= b or not _apart(a, b),
    "=": lambda a, b: not _apart(a, b),
    "!=": lambda a, b: _apart(a, b),
    "same sign": lambda a, b: a * b > 0,
    "other sign": lambda a, b: a * b < 0,
}


def _apart(a: Number, b: Number) -> bool:
    return bool(abs(a - b) > NOISE) if isinstance(a - b, float) else bool(a != b)


@dataclass(frozen=True)
class Stands:
    """left relation right, at a token; or left as the next token has it beside left at this one."""

    left: Term
    relation: str
    right: Term
    over: str = ""  # supposed of "every" token, or of all "later" ones
    span: Term | None = None  # or how far apart they may be at most, for "=" and "!="

    def sides(self, case: Case, t: int) -> Sides:
        return self.left.value(case.response, t, 0), self.right.value(case.response, t, 0)

    def at(self, case: Case, t: int) -> bool:
        left, right = self.sides(case, t)
        if self.span is not None:
            span = self.span.value(case.response, t, 0)
            return RELATIONS[self.relation](max(abs(left - right), span), span)
        return RELATIONS[self.relation](left, right)

    def holds(self, case: Case, t: int) -> bool:
        tokens = {"every": range(case.length), "later": range(t + 1, case.length)}.get(self.over, (t,))
        return bool(tokens) and all(self.at(case, i) for i in tokens)


@dataclass(frozen=True)
class Along:
    """What a quantity does from one token to the next."""

    of: Term
    relation: str

    def sides(self, case: Case, t: int) -> Sides:
        if t + 1 >= case.length:
            raise OutsideError
        return self.of.value(case.response, t + 1, 0), self.of.value(case.response, t, 0)

    def holds(self, case: Case, t: int) -> bool:
        return RELATIONS[self.relation](*self.sides(case, t))


@dataclass(frozen=True)
class Moves:
    """What a quantity does when another one is raised, or lowered, and what follows is computed anew."""

    cause: str
    up: bool
    effect: Term
    relation: str
    ahead: int = 0  # how many tokens on the cause stands; from the end, where it is below 0

    def sides(self, case: Case, t: int) -> Sides:
        at = case.length + self.ahead if self.ahead < 0 else t + self.ahead
        if not 0 <= at < case.length or (self.cause in cases.RATES and t == case.length - 1):
            raise OutsideError
        after = case.moved(self.cause, at, STEP)
        if after is None:
            raise OutsideError
        low, high = (self.effect.value(one.response, t, 0) for one in (case, after))
        return (high, low) if self.up else (low, high)

    def holds(self, case: Case, t: int) -> bool:
        return RELATIONS[self.relation](*self.sides(case, t))


Statement = Stands | Along | Moves


@dataclass(frozen=True)
class Tried:
    """At how many tokens it was tried, at how many it holds, and one of each kind, if there is one."""

    seen: int
    held: int
    good: tuple[Case, int] | None
    bad: tuple[Case, int] | None

    @property
    def enough(self) -> bool:
        return self.seen >= LEAST

    @property
    def always(self) -> bool:
        return self.held == self.seen

    @property
    def never(self) -> bool:
        return self.held == 0


EVERY = Setting()


@dataclass(frozen=True)
class Supposed:
    setting: Setting = EVERY
    conditions: tuple[Stands | Along, ...] = ()
    token: str = ""  # first, last, before the last; else every one


def settle(statement: Statement, supposed: Supposed) -> Tried:
    tried = list(_tried(statement, supposed))
    good, bad = ([place for place, so in tried if so is which] for which in (True, False))
    return Tried(len(tried), len(good), next(iter(good), None), next(iter(bad), None))


def _tried(statement: Statement, supposed: Supposed) -> Iterator[tuple[tuple[Case, int], bool]]:
    for case in cases.drawn(supposed.setting):
        length = case.length
        tokens = {"first": range(1), "last": range(length - 1, length), "before": range(length - 1)}
        for t in tokens.get(supposed.token, range(length)):
            try:
                if all(condition.holds(case, t) for condition in supposed.conditions):
                    yield (case, t), statement.holds(case, t)
            except (OutsideError, IrrationalError, TypeError):
                continue
