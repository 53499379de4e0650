"""What a message that asks for no subject makes of the conversation: an option picked, another exercise, a shorter or
another telling, the next lesson, a courtesy, a way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.scenario import LISTS
from lessons._lesson import OUT_OF_SCOPE, lessons
from lessons._museum import Exhibit
from prompts.read.checkable import pasted
from prompts.read.exhibits import place
from prompts.read.features import concept_marks
from prompts.read.form import beside_wish, form, section
from prompts.read.fresh import drawn
from prompts.read.language import asked_language
from prompts.read.leaning import asks_again
from prompts.read.lesson import decide
from prompts.read.mark import Mark
from prompts.read.meant import meant
from prompts.read.moves import moves, named_besides, speaks_of_an_exercise, speaks_of_numbers
from prompts.read.numbers import read_numbers
from prompts.read.practice import begun, gone_on, practice_turn
from prompts.read.practising import FIRST_EXERCISE, taught, without_level
from prompts.read.steps import finds_none, step
from prompts.read.turn import Turn, first

QUIZ = "quiz"
EXAMPLE, ALL_TOLD = "example", "all_told"
OWN = "own"  # with my numbers
SAME = {"zh": "用同样的数。", "en": "With the same numbers."}
PATH = ("ppo_loop", "token_pipeline", "ppo_clip")  # for a newcomer: who takes part, the numbers, the update
LEADS = 3
PRACTISING = frozenset(["hint", "harder", "easier", "review", "predict", "show"])  # moves within a practice
WAYS_IN = ("start", "quiz", "sample")  # words are kept for them
# The other ways to tell a lesson, and what of each page is new to whoever has read another one.
WAYS: Mapping[str, tuple[str, ...]] = {
    "simple": ("numbers", "figures"),
    EXAMPLE: ("answer", "figures"),
    "plain": (),
    "why": ("answer", "numbers", "figures"),
    "code": ("answer", "numbers"),
    "rigorous": ("answer", "numbers", "figures", "proof", "meaning", "mistake", "code", "verl"),
}
ORDER = ("thanks", "shorter", "otherwise", "start", "help", "quiz", "again", "next", "goodbye", "hello", "ok")


@step(finds_none)
def talked(before: Turn, message: str) -> Turn | str | None:
    """The turn that such a message makes, or the question that it stands for; None where it asks for something."""
    now = before.practice is not None
    goes_on = gone_on(before, message, done)
    if goes_on is not None:
        return practice_turn(before, goes_on)
    subject = before if before.lesson != OUT_OF_SCOPE else before.past or before
    exhibit = place(message)
    if exhibit is not None:
        return _on_an_exhibit(before, exhibit)
    unfolded = section(message)
    if unfolded == OWN:
        return _on_own_numbers(before, subject)
    if unfolded is not None and subject.lesson != OUT_OF_SCOPE and before.talk.page and not now:
        return _retold(before, subject, form=unfolded, unfolds=True, brief=False)
    doing = done(message)
    if form(message) == QUIZ and "quiz" not in moves(message):  # on a subject, perhaps
        return without_level(message)
    move = next((move for move in ORDER if move in doing), None)
    return _MAKES[move](before, subject, message) if move is not None else None


def _on_an_exhibit(before: Turn, exhibit: Exhibit) -> Turn:
    """What is asked next is about what the exhibit is about."""
    alternatives = first(exhibit.lesson, before.alternatives)
    return Turn(alternatives=alternatives, memory=before.memory, history=before.history, talk=before.talk, move=True)


def done(message: str) -> frozenset[str]:
    """All that a message does, by its words or by what it is most like: no form, no language, no change of numbers."""
    if asks_again(message):  # are you sure? compute it again
        return frozenset()
    known = moves(message)
    if (
        known - PRACTISING
        or form(message) not in (None, QUIZ)
        or asked_language(message)
        or read_numbers(message).edits
    ):
        return known
    like = meant(message)
    return known if like is None else known | {like}


def kept(before: Turn, turn: Turn, message: str) -> Turn:
    """The turn with what the conversation has shown so far; an example that was there comes with other numbers."""
    if not turn.move:
        turn = replace(turn, talk=before.talk)
    if turn.form == EXAMPLE and turn.error is None and turn.trial is None and page(turn) in before.talk.shown:
        turn = another(before, turn, EXAMPLE)
    if turn.form == QUIZ and turn.lesson == OUT_OF_SCOPE:
        turn = _on_what_is_named(before, turn, message)
    asks = turn.form == QUIZ and turn.practice is None and turn.error is None and turn.lesson != OUT_OF_SCOPE
    if asks and pasted(message) is None:
        turn = practice_turn(before, begun(before, turn, message))
    talk = replace(turn.talk, count=before.talk.count + 1)
    if turn.lesson != OUT_OF_SCOPE and turn.error is None and turn.practice is None:
        talk = replace(talk, shown=(*talk.shown, page(turn)))
        talk = replace(talk, page=talk.page if turn.retells else talk.count)
    return replace(turn, talk=talk)


def _on_what_is_named(before: Turn, turn: Turn, message: str) -> Turn:
    """A wish for an exercise that is no question about anything: on what it names besides, or on what was spoken of."""
    named = named_besides(beside_wish(without_level(message)))
    if not named:
        return _quiz(before, before if before.lesson != OUT_OF_SCOPE else before.past or before, message)
    found = decide(named)
    if found.lesson == OUT_OF_SCOPE:  # what of it is of the subject, by itself: whitening, one at a time
        found = decide(" ".join(named[mark.start : mark.end] for mark in concept_marks(named) if _whole(named, mark)))
    return replace(turn, alternatives=found.alternatives)


def _whole(text: str, mark: Mark) -> bool:
    """Whether a word begins there: eigenvalues are no values."""
    before = text[: mark.start][-1:]
    return not (before.isascii() and before.isalpha())


def page(turn: Turn) -> tuple[str, str, str]:
    """What a page is known by: its lesson, its form, its numbers."""
    return turn.lesson, turn.form or "plain", str(sorted(turn.given.items(), key=lambda item: item[0]))


def another(before: Turn, subject: Turn, form: str) -> Turn:
    """The same in that form, with other numbers; what is audited is the learner's own and has no others."""
    lesson = FIRST_EXERCISE if lessons()[subject.lesson].audit is not None else subject.lesson
    seed = before.talk.asked + 1
    own = frozenset(name for name, x in subject.given.items() if before.talk.drawn.get(name) != x)
    numbers = drawn(subject.given, own, seed)
    fresh = {name: x for name, x in numbers.items() if name not in own or subject.given[name] != x}
    return Turn(
        alternatives=first(lesson, subject.alternatives),
        given=numbers,
        origin={name: "drawn" if name in fresh else "earlier" for name in numbers},
        memory=replace(before.memory, params=numbers, previous=before.memory.params),
        form=form,
        quantity=subject.quantity,
        computed=subject.computed,
        history=before.history,
        talk=replace(before.talk, asked=seed, drawn=fresh),
        move=True,
    )


def onward(turn: Turn) -> tuple[str, ...]:
    """The lessons that come next: those not told yet that the last one leads to, the nearest first."""
    told = {lesson for lesson, _, _ in turn.talk.shown}
    subject = turn if turn.lesson != OUT_OF_SCOPE else turn.past
    line = [*PATH] if subject is None else [*lessons()[subject.lesson].next]
    for lesson in line:  # it grows: a lesson's own next ones stand behind it
        line += [further for further in lessons()[lesson].next if further not in line]
    new = [lesson for lesson in line if lesson not in told]
    return tuple((new or line)[:LEADS])


def _on_own_numbers(before: Turn, subject: Turn) -> Turn | str:
    """The lesson before on the numbers that the learner gave; where there are none, how to give them."""
    if subject.lesson == OUT_OF_SCOPE or not {*before.memory.params} & {*LISTS} - {"lams"}:
        return replace(_says(OWN, before, subject), leads=("sample", *WAYS_IN[:2]))
    return f"{lessons()[subject.lesson].question[before.language]} {SAME[before.language]}"


def _shorter(before: Turn, subject: Turn, _: str) -> Turn:
    known = subject.lesson != OUT_OF_SCOPE
    return _retold(before, subject, brief=True) if known else _says("help", before, subject)


def _retold(before: Turn, subject: Turn, **changes: object) -> Turn:
    """The last page told again in another way."""
    stays = {"notes": (), "history": before.history, "talk": before.talk, "retells": before.talk.page, "move": True}
    stays |= {"unfolds": False, "practice": None}
    return replace(subject, **{**stays, **changes})  # type: ignore[arg-type]


def _otherwise(before: Turn, subject: Turn, _message: str) -> Turn:
    """Another way to tell the same lesson, one that was not told yet."""
    if subject.lesson == OUT_OF_SCOPE:
        return _says("help", before, subject)
    told = {form for lesson, form, _ in before.talk.shown if lesson == subject.lesson}
    audits = lessons()[subject.lesson].audit is not None
    ways = [form for form in WAYS if form not in told and not (audits and form == EXAMPLE)]
    if not ways:
        return _retold(before, subject, form=ALL_TOLD, notes=(ALL_TOLD,), brief=False, leads=("asked",))
    note = (f"told_{ways[0]}",)
    without = WAYS[ways[0]] if told & {"plain", "why", "numbers", "rigorous", "proof"} else ()
    if ways[0] == EXAMPLE:
        return replace(another(before, subject, EXAMPLE), notes=note, without=WAYS[EXAMPLE])
    return _retold(before, subject, form=ways[0], brief=False, notes=note, without=without)


def _again(before: Turn, subject: Turn, message: str) -> Turn | None:
    if speaks_of_an_exercise(message):
        return _quiz(before, subject, message)
    if subject.form in ("simple", "code", "proof") and not speaks_of_numbers(message):
        return None  # one more of the same
    if subject.lesson == OUT_OF_SCOPE:
        return _says("help", before, subject)
    return another(before, subject, subject.form if subject.form in ("numbers", "table") else EXAMPLE)


def _quiz(before: Turn, subject: Turn, _: str) -> Turn:
    """An exercise on what was spoken of, or a first one."""
    lesson = taught(subject.lesson)
    return Turn(
        alternatives=first(lesson, ()),
        memory=before.memory,
        history=before.history,
        talk=before.talk,
        form=QUIZ,
        move=True,
    )


def _next(before: Turn, subject: Turn, message: str) -> Turn | str:
    if speaks_of_an_exercise(message):
        return _quiz(before, subject, message)
    return lessons()[onward(before)[0]].question[before.language]


def _start(before: Turn, subject: Turn, _: str) -> Turn:
    return replace(_says("start", before, subject), leads=PATH)


def _help(before: Turn, subject: Turn, _: str) -> Turn:
    return _says("help", before, subject)


def _says(form: str, before: Turn, subject: Turn) -> Turn:
    """A word that is no lesson: what was spoken of stays."""
    past = subject if subject.lesson != OUT_OF_SCOPE else None
    leads = WAYS_IN if past is None or form == "help" else onward(replace(before, past=past))
    return Turn(
        alternatives=((OUT_OF_SCOPE, 1.0),),
        memory=before.memory,
        computed=before.computed,
        form=form,
        past=past,
        history=before.history,
        talk=before.talk,
        leads=leads,
        move=True,
    )


def _courtesy(form: str) -> Callable[[Turn, Turn, str], Turn]:
    return lambda before, subject, _: _says(form, before, subject)


_MAKES: Mapping[str, Callable[[Turn, Turn, str], Turn | str | None]] = {
    "shorter": _shorter,
    "otherwise": _otherwise,
    "start": _start,
    "help": _help,
    "quiz": _quiz,
    "again": _again,
    "next": _next,
    **{form: _courtesy(form) for form in ("thanks", "goodbye", "hello", "ok")},
}
