"""Where a practice begins and goes on in a conversation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.scenario import LISTS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.form import section
from prompts.read.moves import moves
from prompts.read.owned import completed, own_scenario
from prompts.read.practising import Practised, level, named, practised, seed, taught
from prompts.read.turn import Turn, first


def gone_on(before: Turn, message: str, done: Callable[[str], frozenset[str]]) -> Practised | None:
    """The practice after a message that goes on with it, calls for one by its name, or wants to foretell a number.

    `done`: all that a message does.
    """
    so_far, now = before.talk.practice, before.practice is not None
    called = named(message, so_far)
    if called is not None:
        return called
    number = seed(so_far, message)
    doing = {*moves(message)}
    if "predict" in doing:
        subject = before if before.lesson != OUT_OF_SCOPE else before.past or before
        own = completed(own_scenario(before.memory.params)[0])[0]
        past = so_far.done if so_far is not None else ()
        return Practised(taught(subject.lesson), 2, number, standing=own, done=past)
    if so_far is None:
        return None
    if now:
        doing |= {"solution"} if "show" in doing else {*done(message)}
        doing |= {"why"} if so_far.did == "answered" and section(message) == "meaning" else {*()}
    return practised(so_far, message, now=now, doing=doing, seed=number)


def begun(before: Turn, turn: Turn, message: str) -> Practised:
    """A practice of the lesson, on the learner's numbers where the message brings them."""
    so_far = before.talk.practice
    brought = {name for name, whose in turn.origin.items() if whose == "learner"} & {*LISTS}
    own, error = own_scenario(turn.given) if brought else (None, None)
    return Practised(
        taught(turn.lesson),
        level(message, so_far),
        seed(so_far, message),
        own=None if error else own,
        quantity=turn.quantity,
        done=so_far.done if so_far is not None else (),
    )


def practice_turn(before: Turn, practice: Practised) -> Turn:
    """It takes no number of the conversation, and leaves none."""
    return Turn(
        alternatives=first(practice.lesson, before.alternatives),
        memory=before.memory,
        form="quiz",
        quantity=None,
        computed=before.computed,
        history=before.history,
        talk=replace(before.talk, practice=practice),
        practice=practice,
        move=True,
    )
