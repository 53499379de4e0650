"""Scenarios on which a mistake makes no difference, as named changes of any scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.scenario import PER_TOKEN, Scenario


@dataclass(frozen=True)
class Agreement:
    """Where wrong and right give the same: the name says it, the change makes any scenario one of that kind."""

    name: str
    change: Callable[[Scenario], Scenario]

    def __call__(self, scenario: Scenario) -> Scenario:
        return self.change(scenario)


def named(change: Callable[[Scenario], Scenario]) -> Agreement:
    """An agreement under the name of the function that makes it."""
    return Agreement(change.__name__, change)


def with_parameters(**numbers: float) -> Agreement:
    name = "_and_".join(f"{parameter}_is_{number:g}" for parameter, number in numbers.items())
    return Agreement(name, lambda scenario: scenario.merged(numbers))


@named
def lam_equals_gamma(scenario: Scenario) -> Scenario:
    return scenario.merged({"lam": scenario.gamma})


def without(*lists: str) -> Agreement:
    """These lists, whether or not they were given, are 0 at every token."""
    return Agreement("_and_".join(lists) + "_are_0", level(**dict.fromkeys(lists, 0.0)))


def level(**lists: float) -> Callable[[Scenario], Scenario]:
    """These lists have one number at every token."""

    def change(scenario: Scenario) -> Scenario:
        lengths = _lengths(scenario)
        return scenario.merged({name: [[number] * n for n in lengths] for name, number in lists.items()})

    return change


no_padding = Agreement("no_padding", level(mask=1.0))
equal_advantages = Agreement("equal_advantages", level(advantages=1.0))


@named
def one_value(scenario: Scenario) -> Scenario:
    """V does not move along the response."""
    first = scenario.rows("values")[0][0]
    return level(values=first)(scenario)


@named
def right_padded(scenario: Scenario) -> Scenario:
    """As many valid tokens as before, all at the start."""
    return scenario.merged({"mask": [sorted(row, reverse=True) for row in scenario.rows("mask")]})


def same(**lists: str) -> Callable[[Scenario], Scenario]:
    """Each of these lists is another one."""
    return lambda scenario: scenario.merged({name: getattr(scenario, other) for name, other in lists.items()})


@named
def one_score_no_padding(scenario: Scenario) -> Scenario:
    """The response fills its row and is scored at its last token."""
    scores = [[*[0.0] * (n - 1), 1.0] for n in _lengths(scenario)]
    return no_padding(scenario).merged({"scores": scores})


@named
def equal_scores(scenario: Scenario) -> Scenario:
    """All responses of a group are scored alike."""
    groups = scenario.rows("group_rewards")
    return scenario.merged({"group_rewards": [[group[0]] * len(group) for group in groups]})


@named
def equal_bounds(scenario: Scenario) -> Scenario:
    return scenario.merged({"eps_high": scenario.eps_low})


def _lengths(scenario: Scenario) -> list[int]:
    """The length of each row that the scenario's lists by token have."""
    like = next(name for name in PER_TOKEN if getattr(scenario, name) is not None)
    return [len(row) for row in scenario.rows(like)]
