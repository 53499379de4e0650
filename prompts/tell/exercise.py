"""An exercise with options: as it is asked, and what is said of the one that a learner picks."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prompts.tell.ground import Grounded, emit
from prompts.tell.markdown import folded
from prompts.tell.words import word

LETTERS = "ABCDEFGH"
BETWEEN = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")  # Chinese words stand without a space


_OPENED = re.compile(r"</?details>|<summary>.*?</summary>")


@dataclass(frozen=True)
class Exercise:
    """Which number is it? The right one among what programs with mistakes give, in order of size."""

    quantity: str  # its symbol or its name
    options: tuple[str, ...]  # the numbers as they are shown
    right: str
    causes: Mapping[str, tuple[str, ...]]  # number → the mistakes that lead to it
    working: str = ""

    def letter(self, option: str) -> str:
        return LETTERS[self.options.index(option)]

    @property
    def letters(self) -> str:
        return LETTERS[: len(self.options)]

    def option(self, picked: str) -> str | None:
        """The number that a letter stands for, or that a number means at the digits it is given with."""
        if picked in LETTERS:
            return self.options[LETTERS.index(picked)] if picked in self.letters else None
        near = [x for x in self.options if _same(picked, x)]
        return min(near, key=lambda x: abs(_number(x) - _number(picked))) if near else None


def asked(exercise: Exercise, language: str) -> Grounded:
    """The question, the options, and the solution behind a line."""
    choices = "\n".join(f"- {exercise.letter(x)}: {x}" for x in exercise.options)
    question = BETWEEN.sub("", word(language, "labels", "quiz").format(quantity=exercise.quantity))
    if len(exercise.options) == 1:
        question += word(language, "labels", "quiz_of_one")
    head = f"{exercise.letter(exercise.right)}: {exercise.right}"
    solution = "\n\n".join(filter(None, [head, exercise.working, _causes(exercise)]))
    return Grounded(f"{question}\n\n{choices}\n\n{folded(word(language, 'labels', 'solution'), solution)}")


def answered(exercise: Exercise, picked: str, language: str) -> Grounded | None:
    """Whether the option is right, and how the number comes about; nothing where there is no such option."""
    option = exercise.option(picked) if picked else None
    if picked and picked in LETTERS and option is None:
        return None
    key = "solution" if not picked else "right" if option == exercise.right else "wrong" if option else "none_of_them"
    line = word(language, "exercise", key).format(
        letter=exercise.letter(option) if option else "",
        number=option or picked,
        cause=word(language, "exercise", "or").join(exercise.causes.get(option or "", ())),
        quantity=exercise.quantity,
        right_letter=exercise.letter(exercise.right),
        right=exercise.right,
    )
    others = folded(word(language, "exercise", "others"), _causes(exercise, without=option))
    worked = [word(language, "exercise", "working"), exercise.working] if exercise.working else []
    more = [others] if _causes(exercise, without=option) else []
    return Grounded("\n\n".join([BETWEEN.sub("", line), *worked, *more, word(language, "exercise", "more")]))


def on_pick(exercises: Sequence[Exercise], picked: str, page: Sequence[str], language: str) -> list[str]:
    """What is said of a pick; with the exercise once more where no option has that letter, or it has no options."""
    if not exercises:
        return [_OPENED.sub("", part) for part in page]
    told = answered(exercises[0], picked, language)
    return [emit(told)] if told is not None else [emit(not_there(exercises[0], picked, language)), *page]


def not_there(exercise: Exercise, picked: str, language: str) -> Grounded:
    """That no option has this letter."""
    first, last = exercise.letters[0], exercise.letters[-1]
    return Grounded(word(language, "exercise", "not_there").format(letter=picked, first=first, last=last))


def _causes(exercise: Exercise, without: str | None = None) -> str:
    told = [x for x in exercise.options if x not in (exercise.right, without)]
    return "\n".join(f"- {exercise.letter(x)}: {cause}" for x in told for cause in exercise.causes[x])


def _same(stated: str, shown: str) -> bool:
    """Whether a number agrees with the one shown at the digits it is stated with."""
    digits = len(stated.partition(".")[2].partition("e")[0])
    try:
        return math.isclose(_number(stated), _number(shown), abs_tol=0.5 * 10**-digits * 1.0001, rel_tol=1e-6)
    except ValueError:
        return False


def _number(text: str) -> float:
    return float(text.replace("−", "-"))
