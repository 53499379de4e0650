"""An answer to an exercise, graded by its value at the digits typed, and the mistake that leads to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from engine.exercise import Exercise, sign
from engine.mistakes import explaining
from engine.readings.exact import Decimal

Outcome: TypeAlias = Literal["right", "wrong", "coarse", "half", "no_option", "other_length"]
LETTERS = "ABCDEFGH"
COARSE = Fraction(1, 20)  # of the number: digits that leave more open are too few
ROUNDING = Fraction(1, 10**9)


@dataclass(frozen=True)
class Numeral:
    """A number as it was typed; a fraction or a whole list's entry may be exact."""

    value: Fraction
    decimals: int | None  # typed; none for a fraction

    @property
    def half_unit(self) -> Fraction:
        return Fraction(0) if self.decimals is None else Fraction(1, 2 * 10**self.decimals)

    def agrees(self, x: Any) -> bool:
        """Whether a number, rounded to the digits typed, is this one."""
        slack = max(abs(self.value), Fraction(1)) * (ROUNDING if self.decimals is not None else 1000 * ROUNDING)
        return x is not None and abs(_fraction(x) - self.value) <= self.half_unit + slack

    def leaves_open(self, x: Any) -> bool:
        """Whether the digits typed are too few to tell this number from its neighbours."""
        return self.half_unit > COARSE * abs(_fraction(x))


@dataclass(frozen=True)
class Answered:
    """What a learner answers: the letter of an option, one number or several, or a direction: up, down, neither."""

    letter: str | None = None
    numbers: tuple[Numeral, ...] = ()
    direction: int | None = None


@dataclass(frozen=True)
class Graded:
    outcome: Outcome
    causes: tuple[str, ...] = ()  # of a wrong answer: mistakes whose programs give it, the likelier first
    place: int | None = None  # of a list: the first entry that is wrong
    option: Any = None  # what the letter stands for

    @property
    def final(self) -> bool:
        """Whether it says right or wrong."""
        return self.outcome in ("right", "wrong")


def grade(exercise: Exercise, answer: Answered) -> Graded:
    if answer.letter is not None:
        return _letter(exercise, answer.letter)
    if answer.direction is not None:
        return _direction(exercise, answer.direction)
    if exercise.kind == "truth":
        return Graded("no_option")
    if exercise.kind == "list":
        return _list(exercise, answer.numbers)
    numbers = answer.numbers
    if len(numbers) > 1 and exercise.index is not None and len(numbers) == exercise.scenario.length:
        numbers = numbers[exercise.index : exercise.index + 1]
    return _number(exercise, numbers[0]) if len(numbers) == 1 else Graded("other_length")


def _letter(exercise: Exercise, letter: str) -> Graded:
    place = LETTERS.index(letter)
    if place >= len(exercise.options):
        return Graded("no_option")
    option = exercise.options[place]
    if option == exercise.right:
        return Graded("right", option=option)
    return Graded("wrong", () if exercise.kind == "truth" else exercise.causes(option), option=option)


def _direction(exercise: Exercise, direction: int) -> Graded:
    """Which way a number moves, or on which side of zero it lies."""
    if exercise.kind in ("truth", "list"):
        return Graded("no_option")
    if exercise.kind == "change":
        right = sign(exercise.right - exercise.before)
        wrong = {id: sign(x - exercise.wrongly_before[id]) for id, x in exercise.wrong.items()}
    else:
        right = sign(exercise.right)
        wrong = {id: sign(x) for id, x in exercise.wrong.items()}
    if direction == right:
        return Graded("right" if exercise.kind in ("sign", "change") else "half")
    return Graded("wrong", tuple(id for id, x in wrong.items() if x == direction))


def _number(exercise: Exercise, typed: Numeral) -> Graded:
    if exercise.kind == "sign":
        return _direction(exercise, sign(typed.value)) if not typed.agrees(exercise.right) else Graded("right")
    rights = [exercise.right]
    if exercise.kind == "change" and not typed.agrees(exercise.right):  # by how much it moves is an answer as well
        rights.append(exercise.right - exercise.before)
    near = {id: x for id, x in exercise.wrong.items() if typed.agrees(x)}
    right = next((x for x in rights if typed.agrees(x)), None)
    if right is not None:
        if typed.value == right or not (typed.leaves_open(right) or _confuses(near.values(), right)):
            return Graded("right")
        exactly = tuple(id for id, x in near.items() if typed.decimals is not None and typed.value == _fraction(x))
        return Graded("wrong", exactly) if exactly else Graded("coarse")
    return Graded("wrong", tuple(near) or _explained(exercise, typed))


def _confuses(others: Any, right: Any) -> bool:
    return any(x != right for x in others)


def _list(exercise: Exercise, typed: tuple[Numeral, ...]) -> Graded:
    if len(typed) != len(exercise.right):
        return Graded("other_length")
    place = next((t for t, (x, y) in enumerate(zip(typed, exercise.right, strict=True)) if not x.agrees(y)), None)
    if place is None:
        return Graded("right")
    causes = tuple(
        id for id, row in exercise.wrong.items() if all(x.agrees(y) for x, y in zip(typed, row, strict=True))
    )
    return Graded("wrong", causes or _explained(exercise, *typed), place)


def _explained(exercise: Exercise, *typed: Numeral) -> tuple[str, ...]:
    """Any known mistake whose program gives the number, though it is none that the exercise is about."""
    ask = exercise.ask
    if ask is None:
        return ()
    stated: Any = [float(x.value) for x in typed]
    if exercise.kind != "list":
        stated = stated[0]
        if exercise.index is not None:
            length = exercise.scenario.length or len(exercise.scenario.rows("group_rewards")[0])
            stated = [stated if t == exercise.index else None for t in range(length)]
    found = explaining(ask.quantity, exercise.scenario, ask.fact, stated, float(max(x.half_unit for x in typed)))
    return tuple(found[:1])


def _fraction(x: Any) -> Fraction:
    if isinstance(x, Decimal):
        return Fraction(str(x))
    return Fraction(x)
