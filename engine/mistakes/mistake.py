"""What a mistake is, and the ways to make one: misread what goes in, do one step otherwise, misname what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from engine.facts import Inputs, Program
from engine.mistakes.agreements import Agreement
from engine.ops import Number
from engine.quantities import QUANTITIES
from engine.scenario import Scenario

Change: TypeAlias = Callable[[Program], Program]
Step: TypeAlias = Callable[[Inputs], Callable[..., Any]]


@dataclass(frozen=True)
class Mistake:
    """A misconception as a change that makes a wrong program of a right one."""

    id: str
    lesson: str
    quantity: str  # where it is at home; the change can be made to every program that takes the same way
    change: Change
    coincides: Agreement | None  # where wrong and right agree in everything; None: nowhere
    needs: tuple[str, ...] = ()  # parts of the scenario without which it cannot be made
    tokens: int = 1  # valid tokens without which it cannot be made

    @property
    def agreement(self) -> str:
        """Where it makes no difference, by name."""
        return self.coincides.name if self.coincides else "nowhere"

    @property
    def program(self) -> Program:
        return self.on(self.quantity)

    def on(self, quantity: str) -> Program:
        """The program of a quantity with this mistake in it."""
        return self.change(QUANTITIES[quantity])

    def possible(self, scenario: Scenario) -> bool:
        return all(getattr(scenario, name) is not None for name in self.needs) and self._enough_tokens(scenario)

    def _enough_tokens(self, scenario: Scenario) -> bool:
        if scenario.mask is None:
            return scenario.length >= self.tokens
        return sum(map(sum, scenario.rows("mask"))) >= self.tokens


# ---------------------------------------------------------------- what goes in


Parts: TypeAlias = Mapping[str, Callable[[Inputs], Any]]


@dataclass(frozen=True)
class Misread(Inputs):
    """Inputs of which some parts are made from the true ones."""

    true: Inputs = field(kw_only=True)
    parts: Parts = field(kw_only=True)
    added: bool = field(kw_only=True)  # the parts count as given even if they were not

    def has(self, *names: str) -> bool:
        return all(self.true.has(name) or (self.added and name in self.parts) for name in names)

    def __getitem__(self, name: str) -> Any:
        return self.parts[name](self.true) if name in self.parts else self.true[name]

    @property
    def mask(self) -> Any:
        """Of the lists that are really there: a part that was added has no shape of its own."""
        return self["mask"] if self.has("mask") else self.true.mask


def reading(**parts: Callable[[Inputs], Any]) -> Change:
    """The right program on misread numbers."""
    return _misreading(parts, added=False)


def supplying(**parts: Callable[[Inputs], Any]) -> Change:
    """The right program on numbers of which some stand where it would have derived its own."""
    return _misreading(parts, added=True)


def _misreading(parts: Parts, *, added: bool) -> Change:
    def change(program: Program) -> Program:
        return lambda x: program(
            Misread(x.scenario, x.on, x.number, x.series, x.used, true=x, parts=parts, added=added)
        )

    return change


def both(one: Change, other: Change) -> Change:
    return lambda program: one(other(program))


# ---------------------------------------------------------------- one step


def stepping(**steps: Step) -> Change:
    """The right program with the named functions of engine.batches and engine.kernels replaced."""

    def change(program: Program) -> Program:
        def changed(x: Inputs) -> dict[str, Any]:
            on = ModuleType(x.on.__name__)
            vars(on).update({**vars(x.on), **{name: step(x) for name, step in steps.items()}})
            return program(replace(x, on=on))

        return changed

    return change


class Terms(NamedTuple):
    """What δ and A are made from."""

    rewards: Any
    values: Any
    mask: Any
    gamma: Number


def recursing(otherwise: Callable[[Inputs, Terms], Terms]) -> Change:
    """δ and A from other numbers; the critic's targets are A plus the values that were given."""

    def td_errors(x: Inputs) -> Callable[..., Any]:
        def step(rewards: Any, values: Any, mask: Any, *, gamma: Number) -> Any:
            seen = otherwise(x, Terms(rewards, values, mask, gamma))
            return x.on.td_errors(seen.rewards, seen.values, seen.mask, gamma=seen.gamma)

        return step

    def advantages(x: Inputs, terms: Terms, lam: Number) -> Any:
        seen = otherwise(x, terms)
        return x.on.gae(seen.rewards, seen.values, seen.mask, gamma=seen.gamma, lam=lam)[0]

    return stepping(td_errors=td_errors, gae=_targeting(advantages))


def advancing(advantages: Callable[[Inputs, Terms, Number], Any]) -> Change:
    """A made otherwise; the critic's targets are A plus the values that were given."""
    return stepping(gae=_targeting(advantages))


def _targeting(advantages: Callable[[Inputs, Terms, Number], Any]) -> Step:
    def gae(x: Inputs) -> Callable[..., Any]:
        def step(rewards: Any, values: Any, mask: Any, *, gamma: Number, lam: Number) -> tuple[Any, Any]:
            found = advantages(x, Terms(rewards, values, mask, gamma), lam)
            return found, x.on.critic_targets(found, values, mask)

        return step

    return gae


# ---------------------------------------------------------------- what comes out


def concluding(outcome: Callable[[Inputs, Mapping[str, Any]], Mapping[str, Any]]) -> Change:
    """The right program, some of whose facts are then replaced."""

    def change(program: Program) -> Program:
        def changed(x: Inputs) -> dict[str, Any]:
            found = program(x)
            return {**found, **outcome(x, found)}

        return changed

    return change


# ---------------------------------------------------------------- batches in either reading


def each(on: ModuleType, function: Callable[..., Number], mask: Any, *batches: Any) -> Any:
    """A function of one token's numbers at every valid token, 0 elsewhere."""
    return on.over_valid(lambda *rows: [function(*numbers) for numbers in zip(*rows, strict=True)], mask, *batches)


def none(on: ModuleType, mask: Any) -> Any:
    """0 at every position."""
    return on.everywhere(lambda row: [0 * keep for keep in row], mask)


def unmasked(on: ModuleType, mask: Any) -> Any:
    """A mask of the same shape that keeps every position."""
    return on.everywhere(lambda row: [0 * keep + 1 for keep in row], mask)
