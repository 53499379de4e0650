"""An exercise as it is asked, hinted at, graded and solved; all numbers come from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from engine.exercise import DIGITS, Exercise, Moved
from engine.exercises import LEVELS
from engine.grading import LETTERS, Answered, Graded, Numeral
from engine.mistakes import MISTAKES
from engine.notation import SYMBOLS, Symbol, show
from engine.scenario import LISTS
from lessons._lesson import lessons
from prompts.read.practising import HINTS, Practised
from prompts.tell.ground import Grounded, emit, release
from prompts.tell.markdown import cell, folded, inline, table, worked
from prompts.tell.reviewing import reviewed
from prompts.tell.says import says
from prompts.tell.words import word

FORMULAS = {  # of facts whose name is no symbol
    "delta_sum": r"\textstyle\sum_t \gamma^t \delta_t",
    "advantage_sum": r"\textstyle\sum_t A_t",
    "vf_loss": r"L^{V}",
}
SYMBOL_OF = {"terms": "objectives", "k1": "kl"}  # as the working has them
TOKEN, RESPONSE = "t", "i"
MOST_LINES = 10
BETWEEN = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")  # Chinese words stand without a space
WAYS = {1: "up", -1: "down", 0: "same"}
SIDES = {1: "positive", -1: "negative", 0: "zero"}


def told(practice: Practised, language: str) -> str:
    """What is said after a message of a practice."""
    return release("\n\n".join(emit(part) for part in _Telling(practice, language).parts() if part))


def on_page(lesson: str) -> Practised:
    """The exercise that a lesson's page prints, the same each time."""
    return Practised(lesson, LEVELS[1], 0)


@lru_cache(maxsize=128)
def printed(lesson: str, language: str) -> str:
    """It, with its solution folded."""
    practice = on_page(lesson)
    telling = _Telling(practice, language)
    solution = folded(word(language, "practice", "solution"), "\n\n".join([telling.solved(), *telling.working()]))
    return release("\n\n".join(emit(part) for part in (*telling.question(), solution)))


class _Telling:
    def __init__(self, practice: Practised, language: str) -> None:
        self.practice, self.language = practice, language
        self.exercise: Exercise = practice.exercise

    def parts(self) -> Iterator[str]:
        practice = self.practice
        if practice.note:
            yield self.say(practice.note)
        match practice.did:
            case "asked":
                yield from self.asked()
                yield self.say("how_" + self.exercise.kind)
            case "hinted":
                yield from self.hint()
            case "shown":
                yield self.solved()
                yield from self.working()
                yield self.say("onward")
            case "reviewed":
                yield reviewed(practice.done, self.language)
            case "answered":
                assert practice.graded is not None and practice.answer is not None, "an answer was graded"
                yield from self.graded(practice.graded, practice.answer)

    def say(self, key: str, **inside: str) -> Grounded:
        return Grounded(BETWEEN.sub("", word(self.language, "practice", key).format(**inside)))

    def line(self, *parts: str) -> Grounded:
        return Grounded(("" if self.language == "zh" else " ").join(parts))

    # ------------------------------------------------------------ the question

    def asked(self) -> Iterator[str]:
        practice = self.practice
        if practice.name is not None:
            yield self.say("name", name=practice.name, level=str(practice.level), levels=str(LEVELS[-1]))
        yield from self.question()

    def question(self) -> Iterator[str]:
        exercise = self.exercise
        if exercise.kind == "truth":
            yield self.say("truth")
            yield "\n".join(f"- {LETTERS[i]}: {self.statement(id)}" for i, id in enumerate(exercise.options))
            return
        yield self.given()
        if exercise.moved is not None:
            yield self.change(exercise.moved)
        else:
            yield self.say(exercise.kind, quantity=self.quantity())
        if exercise.options:
            yield Grounded("\n".join(f"- {LETTERS[i]}: {_text(x)}" for i, x in enumerate(exercise.options)))

    def given(self) -> str:
        """The numbers, those of a change as they were before it."""
        exercise = self.exercise
        assert exercise.ask is not None, "statements have no numbers"
        own = exercise.moved.before if exercise.moved is not None else exercise.scenario
        parameters = [name for name in exercise.ask.given if name not in LISTS]
        line = inline(",\\ ".join(f"{SYMBOLS[name][0]} = {show(getattr(own, name)).latex}" for name in parameters))
        lists = [name for name in exercise.ask.given if name in LISTS and getattr(own, name) is not None]
        index = RESPONSE if "group_rewards" in lists else TOKEN
        head = [inline(index), *(inline(f"{SYMBOLS[name][0]}_{index}") for name in lists)]
        columns = [own.rows(name)[0] for name in lists]
        body = [[str(t), *(cell(column[t]) for column in columns)] for t in range(len(columns[0]))]
        with_line = self.say("with", parameters=line) if parameters else Grounded("")
        return Grounded("\n\n".join(filter(None, [with_line, table(head, body)])))

    def change(self, moved: Moved) -> Grounded:
        part = inline(_symbol(moved.part, moved.index))
        ends = {"old": inline(show(moved.old).latex), "new": inline(show(moved.new).latex)}
        return self.say(
            "change", part=part, quantity=self.quantity(), before=inline(_latex(self.exercise.before)), **ends
        )

    def quantity(self) -> Grounded:
        exercise = self.exercise
        assert exercise.ask is not None, "a statement has no symbol"
        index: int | str | None = exercise.index
        if exercise.kind == "list":
            index = RESPONSE if "group_rewards" in exercise.ask.given else TOKEN
        return inline(_symbol(exercise.ask.fact, index))

    def statement(self, id: str) -> str:
        """A fact as it is, or, where it is an option that does not hold, what its check finds false."""
        lesson = lessons()[self.practice.lesson]
        assert lesson.practice is not None, "it asks"
        own = lesson.facts[id].says if id == self.exercise.right else lesson.practice.false[id]
        return emit(says(own[self.language]))

    # ------------------------------------------------------------ hints and the solution

    def hint(self) -> Iterator[str]:
        exercise, number = self.exercise, self.practice.hints
        yield self.say("hint", number=str(number), hints=str(HINTS))
        if exercise.ask is None:
            yield self.left_out(number)
            return
        line = exercise.line
        assert line is not None, "numbers have their working"
        match number:
            case 1:
                group = exercise.ask.fact if "group_rewards" not in exercise.ask.given else exercise.ask.quantity
                yield Grounded(word(self.language, "ideas", group))
            case 2:
                yield worked([line.formula("latex")])
            case _ if exercise.kind == "list":
                yield worked(
                    [
                        exercise.lines[0].line("latex")
                        if exercise.lines[0].symbol
                        else exercise.lines[0].working("latex")
                    ]
                )
            case _:
                found = [part.line("latex") for part in line.parts][:MOST_LINES]
                yield worked(found or [line.put_in("latex")])

    def left_out(self, number: int) -> Grounded:
        """A statement that does not hold, and what does."""
        false = [id for id in self.exercise.options if id != self.exercise.right]
        id = false[min(number, len(false)) - 1]
        letter = LETTERS[self.exercise.options.index(id)]
        return self.say("left_out", letter=letter, true=self.true(id))

    def true(self, id: str) -> str:
        return release(emit(says(lessons()[self.practice.lesson].facts[id].says[self.language])))

    def solved(self) -> Grounded:
        exercise = self.exercise
        if exercise.kind == "truth":
            letter = LETTERS[exercise.options.index(exercise.right)]
            return self.say("true", letter=letter, true=self.true(exercise.right))
        if exercise.kind == "list":
            row = ", ".join(_latex(x) if x is not None else "-" for x in exercise.right)
            return self.say(
                "it_is", answer=inline(rf"{_symbol(exercise.ask.fact, TOKEN)}:\ {row}" if exercise.ask else row)
            )
        letter = f"{LETTERS[exercise.options.index(exercise.right)]}, " if exercise.options else ""
        sign = show(exercise.right, DIGITS).sign.replace("≈", r"\approx")
        equation = inline(
            f"{_symbol(exercise.ask.fact, exercise.index)} {sign} {_latex(exercise.right)}" if exercise.ask else ""
        )
        if exercise.kind == "sign":
            side = word(self.language, "replies", SIDES[(exercise.right > 0) - (exercise.right < 0)])
            return self.say("it_is", answer=f"{side}, {equation}")
        if exercise.moved is not None:
            way = word(
                self.language, "practice", WAYS[(exercise.right > exercise.before) - (exercise.right < exercise.before)]
            )
            moves = inline(rf"{_latex(exercise.before)} \to {_latex(exercise.right)}")
            return self.say("it_moves", way=way, quantity=self.quantity(), moves=moves)
        return self.say("it_is", answer=f"{letter}{equation}")

    def working(self) -> Iterator[str]:
        lines = self.exercise.lines[-MOST_LINES:]
        if lines:
            yield worked([x.line("latex") if x.symbol and x.made_from else x.working("latex") for x in lines])

    # ------------------------------------------------------------ what is said of an answer

    def graded(self, graded: Graded, answer: Answered) -> Iterator[str]:
        exercise = self.exercise
        match graded.outcome:
            case "right":
                yield self.line(self.say("right"), self.solved())
                yield from self.working()
                yield self.say("onward")
            case "wrong":
                yield from self.wrong(graded, answer)
            case "coarse":
                yield self.say("coarse", said=_said(answer))
            case "half":
                yield self.say("half", quantity=self.quantity())
            case "other_length":
                yield self.say("other_length", count=str(exercise.length), came=str(len(answer.numbers)))
            case _:
                yield self.say("no_option", said=self.spoken(graded, answer))
                yield from self.asked()

    def wrong(self, graded: Graded, answer: Answered) -> Iterator[str]:
        exercise = self.exercise
        if exercise.kind == "truth":
            yield self.say("not_true", letter=answer.letter or "", true=self.true(graded.option))
        else:
            said = self.spoken(graded, answer)
            causes = [word(self.language, "causes", id) for id in graded.causes if id in MISTAKES][:2]
            key = ("slip_way" if answer.direction is not None else "slip") if causes else "no_slip"
            cause = word(self.language, "practice", "or").join(causes)
            yield self.line(self.say("wrong", said=said), self.say(key, cause=cause))
            if graded.place is not None:
                yield self.say(
                    "first_wrong", place=inline(_symbol(exercise.ask.fact, graded.place) if exercise.ask else "")
                )
        yield self.say("again" if not self.practice.over else "onward")

    def spoken(self, graded: Graded, answer: Answered) -> str:
        if answer.letter is not None:
            return answer.letter if graded.option is None else f"{answer.letter} ({_text(graded.option)})"
        if answer.direction is None:
            return _said(answer)
        return word(self.language, "replies", (WAYS if self.exercise.kind == "change" else SIDES)[answer.direction])


def _symbol(name: str, index: int | str | None) -> str:
    if name in FORMULAS:
        return FORMULAS[name]
    symbol = Symbol(SYMBOL_OF.get(name, name)).latex if SYMBOL_OF.get(name, name) in SYMBOLS else "L"
    return symbol if index is None else f"{symbol}_{{{index}}}"


def _latex(x: Any) -> str:
    return show(x, DIGITS).latex


def _text(x: Any) -> str:
    return show(x, DIGITS).text


def _said(answer: Answered) -> str:
    return ", ".join(_written(x) for x in answer.numbers)


def _written(typed: Numeral) -> str:
    """As it was typed: with its digits, or as a fraction."""
    return str(typed.value) if typed.decimals is None else f"{float(typed.value):.{min(typed.decimals, 12)}f}"
