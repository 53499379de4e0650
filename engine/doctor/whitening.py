"""Which mean and which deviation a slope and a shift are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

from engine import formulas
from engine.doctor.fit import Line
from engine.statistics import WHITENING_EPSILON

EPSILON = float(WHITENING_EPSILON)
SAMPLE, POPULATION = "sample", "population"
ELSEWHERE = "elsewhere"  # the mean and the deviation of other tokens than these
ENOUGH = 32  # tokens that lie on a line by no accident
WIDE = 3.0  # deviations from the mean to where two lines are compared


@dataclass(frozen=True)
class Moments:
    """Of a recursion's numbers x inside the mask, and of the line from them to the stated y."""

    count: int = 0
    places: int = 0  # with those outside the mask
    mean: float = 0.0
    squares: float = 0.0  # of the deviations
    mean_y: float = 0.0
    products: float = 0.0  # of both deviations

    def __add__(self, other: Moments) -> Moments:
        count = self.count + other.count
        if not count:
            return Moments(places=self.places + other.places)
        dx, dy = other.mean - self.mean, other.mean_y - self.mean_y
        both = self.count * other.count / count
        return Moments(
            count,
            self.places + other.places,
            self.mean + dx * other.count / count,
            self.squares + other.squares + dx * dx * both,
            self.mean_y + dy * other.count / count,
            self.products + other.products + dx * dy * both,
        )

    @property
    def line(self) -> Line:
        slope = self.products / self.squares if self.squares > 0 else 1.0
        return Line(slope, self.mean_y - slope * self.mean)

    @property
    def sample(self) -> float:
        return formulas.sample_variance(self.squares, max(self.count, 2))

    @property
    def population(self) -> float:
        return formulas.mean(self.squares, max(self.count, 1))

    @property
    def everywhere(self) -> Moments:
        """With a 0 at every place outside the mask."""
        return self + Moments(self.places - self.count)


KINDS: Mapping[str, Callable[[float, Moments], float]] = {
    SAMPLE: lambda x, m: formulas.whiten(x, m.mean, m.sample, EPSILON),
    POPULATION: lambda x, m: formulas.whiten(x, m.mean, max(m.population, EPSILON)),
    "whiten_mask_ignored": lambda x, m: formulas.whiten(x, m.everywhere.mean, m.everywhere.sample, EPSILON),
    "whiten_by_variance": lambda x, m: formulas.standardise(x, m.mean, m.sample, EPSILON),
    "whiten_without_shift": lambda x, m: formulas.whiten_about_mean(x, m.mean, m.sample, EPSILON),
}


def line_of(kind: str, moments: Moments) -> Line:
    start, end = (KINDS[kind](x, moments) for x in (0.0, 1.0))
    return Line(end - start, start)


def kinds(moments: Moments, line: Line, unit: float) -> tuple[str, ...]:
    """The ways of whitening these tokens that give this line; none: another batch's mean and deviation."""
    if moments.count < 2:
        return ()
    careful = max(16 * unit, 2e-7) if unit < 1e-10 else 2e-6
    slack = careful + 30 * unit / math.sqrt(moments.count)
    deviation = math.sqrt(moments.population)
    found = [kind for kind in KINDS if _same(line, line_of(kind, moments), moments.mean, deviation) <= slack]
    right = [kind for kind in found if kind in (SAMPLE, POPULATION)]
    return tuple(right or found)


def _same(one: Line, other: Line, mean: float, deviation: float) -> float:
    """How far two lines are apart within the numbers that there are, as a part of what they reach there."""
    at_mean = abs((one.slope - other.slope) * mean + one.shift - other.shift)
    reach = other.slope * deviation + abs(other.slope * mean + other.shift)
    return (at_mean + abs(one.slope - other.slope) * WIDE * deviation) / max(reach, 1e-30)


def together(parts: list[Moments]) -> Moments:
    return reduce(Moments.__add__, parts, Moments())
