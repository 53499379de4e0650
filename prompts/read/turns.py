"""A conversation, turn by turn: what each message changes of what is asked, about which numbers, in which form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.scenario import LISTS, PARAMETERS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.asking import wants_something
from prompts.read.asserting import assertions
from prompts.read.characters import heart
from prompts.read.claim import states_a_figure
from prompts.read.form import again, asks_why, form
from prompts.read.going_on import asks_for_another_fact, goes_on, shows_elsewhere
from prompts.read.handing import as_called, hands_it_over, lacks, names_an_estimator
from prompts.read.heard import AUDIT, BOTH, Heard, checks, completes, enough, own_question, unread, with_subject
from prompts.read.language import asked_language, of_conversation
from prompts.read.leaning import asks_again, chosen, only_names, refers_back, says_little, supposes
from prompts.read.memory import complete, told
from prompts.read.new_subject import unannounced
from prompts.read.numbers import Numbers, read_numbers, wanted_facts
from prompts.read.parts import pastes
from prompts.read.results import statement
from prompts.read.returning import Returned, remembered, returned
from prompts.read.running import wanted_run
from prompts.read.sought import sought
from prompts.read.standing import another_subject, decision, numbers_stay, wants_the_example
from prompts.read.subjects import brings_others, quantity_after, subject_after, works_on
from prompts.read.talk import kept, talked
from prompts.read.texts import with_tokens
from prompts.read.turn import RUN, Turn, first, run
from prompts.read.understanding import understand

__all__ = ["Turn", "follow", "last_two", "next_turn"]

REPEATABLE = frozenset(["quiz", "example", "simple", "table", "code", "numbers", "proof"])


def follow(messages: Sequence[str]) -> Turn:
    """The conversation up to its last message."""
    return last_two(messages)[1]


def last_two(messages: Sequence[str]) -> tuple[Turn, Turn]:
    """What stands before the last message, and after it."""
    before = turn = Turn()
    for i, message in enumerate(messages):
        before, turn = turn, replace(next_turn(turn, message), language=of_conversation(messages[: i + 1]))
    return before, turn


def next_turn(before: Turn, message: str) -> Turn:
    """What stands after a message, in a conversation that remembers what it has shown."""
    offered = len(before.alternatives) if not before.sure and before.practice is None else 0
    picked = chosen(message, offered) if offered else None
    if picked is not None:
        one = first(before.alternatives[picked][0], before.alternatives)
        return kept(before, replace(before, alternatives=one, sure=True, move=False), message)
    said = talked(before, message)
    if isinstance(said, str):
        return kept(before, replace(_asked(before, said), spoken=said), message)
    return kept(before, said or _asked(before, message), message)


def _asked(before: Turn, message: str) -> Turn:
    """What a message that asks or gives something makes of the turn before."""
    before = replace(before, practice=None)
    underway = before.past or before
    unknown = sought(message)
    message = message if unknown is None else unknown.rest  # what is wished of a result is not given
    understood = understand(message)
    wanted = (
        None
        if pastes(message) or not wants_something(message)
        else wanted_run(message, underway.trial, on_the_loop=underway.lesson == RUN)
    )
    if wanted is not None:
        turn = run(before, wanted)
        return replace(turn, history=remembered(before, turn, on=underway.lesson == RUN))
    back = returned(before.history, message)
    if back is not None:
        before, message = replace(back.turn, history=before.history), back.rest
    else:
        message = understood.text
    message = f"use {message}" if names_an_estimator(message) and before.memory.params else message
    offered = understood.numeric or message != understood.text
    numbers = read_numbers(message, known=frozenset(before.memory.params)) if offered else Numbers.none(message)
    if numbers.error is not None:
        if understood.wished:
            return replace(before, error=numbers.error)
        numbers = Numbers.none(message)
    if numbers.edits and understood.seen:  # the loss has become negative: nobody wants it changed
        numbers = Numbers.none(message)
    numbers = with_tokens(_only_checked(numbers, message, before), message)
    subject = replace(before.past, memory=before.memory) if before.past else before
    own = replace(numbers, params=with_subject(numbers, works_on(subject)))
    for_the_group = "group_rewards" in own.params and "group_rewards" not in numbers.params
    handed = bool(subject.alternatives) and (for_the_group or hands_it_over(own, message))
    own = as_called(own, subject.lesson) if handed else own
    meant = dict(understood.lessons)
    turn, on = _heard(subject, own, message, back=back, handed=handed, meant=meant)
    if turn.error is not None and not understood.wished:
        turn, on = _heard(subject, Numbers.none(message), message, back=back, handed=False, meant=meant)
    turn = replace(turn, history=remembered(before, turn, on=on))
    return replace(turn, past=subject) if turn.lesson == OUT_OF_SCOPE != subject.lesson else turn


def _only_checked(numbers: Numbers, message: str, before: Turn) -> Numbers:
    """Without lists that are results of the earlier numbers, asked to be checked: and returns [.9, 1]?"""
    if not numbers.data or numbers.claimed or numbers.edits or not before.memory.params:
        return numbers
    says = statement(message, None, before.memory.params)
    on_earlier = says is not None and dict(says.given) == dict(before.memory.params)
    kept = {name: x for name, x in numbers.params.items() if name in PARAMETERS}
    return (
        replace(numbers, params=kept, claimed={c.name: c.stated for c in says.claims})
        if on_earlier and says
        else numbers
    )


def _heard(
    before: Turn,
    numbers: Numbers,
    message: str,
    *,
    back: Returned | None,
    handed: bool,
    meant: Mapping[str, float],
) -> tuple[Turn, bool]:
    """What a message makes of the turn before, its changes of numbers taken for talk where they make no sense."""
    said = heart(message)
    left = replace(numbers, unspent=heart(numbers.unspent))
    decided = decision(unannounced(heart(numbers.residue)), left, meant)
    heard = Heard(said, numbers, decided, form(said), asked_language(said))
    heard = replace(
        heard, handed=handed, resumes=back is not None and (back.points or not own_question(heard, before.lesson))
    )
    if not numbers.edits or numbers.data:
        return _after(before, heard, message)
    nothing_yet = not before.memory.params  # there is nothing to change but the running example
    talk = nothing_yet and (heard.in_passing or _states(heard))
    turn, on = _after(before, _without_changes(heard) if talk else heard, message)
    no_change = turn.error is not None and (nothing_yet or heard.in_passing)
    return _after(before, _without_changes(heard), message) if no_change else (turn, on)


def _states(heard: Heard) -> bool:
    """Whether a message says that something is so, and not that it be made so: all the weights are 1."""
    asks_for_it = heard.settings or heard.wish is not None or supposes(heard.message)
    return not asks_for_it and bool(assertions(heard.message)) and not _MAKES.match(heard.message)


def _only_numbers(heard: Heard) -> bool:
    """Whether a message gives or changes numbers, and claims nothing of them: γ=0.9, λ=0.8."""
    numbers = heard.numbers
    some = bool(numbers.edits or numbers.data or numbers.params) and says_little(numbers.unspent)
    return some and not (_WORD.search(_SETTINGS.sub(" ", heard.message)) and _claims(heard))


def _claims(heard: Heard) -> bool:
    does = any(edit.op not in ("set", "scale", "add") for edit in heard.numbers.edits)  # back to the first numbers
    asks_for_it = does or heard.wish is not None or supposes(heard.message) or _MAKES.match(heard.message)
    numbers = heard.numbers
    given = {name for name in numbers.params if name not in numbers.mentions} | {edit.target for edit in numbers.edits}
    lists = bool(given & ({*LISTS} - {"lams"}))  # two λ may be compared
    return bool(assertions(heard.message)) and not asks_for_it and not lists


_WORD = re.compile(r"[A-Za-z]{2}|[\u3400-\u9fff]")
_SETTINGS = re.compile(
    r"\b(?:gamma|lambda|lam|lamda|beta|eps|epsilon|kl|and|is|are|be|of|at|to|now|with)\b|[取为是设都令和]|等于"
    r"|(?:换|改|设|变|调)(?:成|为|到)",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"\W*(?:please |now |then |and |ok(?:ay)?,? )?(?:set|change|make|let|put|replace|double|halve|swap|negate|flip|add"
    r"|append|drop|remove|raise|lower|increase|decrease|multiply|scale|mask|zero)\b"
    r"|\W*(?:请|那|再|现在|然后)*(?:把|将|改|换|设|令|让|调|加|去掉|删|取)",
    re.IGNORECASE,
)


def _without_changes(heard: Heard) -> Heard:
    return replace(heard, numbers=replace(heard.numbers, edits=(), unspent=heard.message))


def _after(before: Turn, heard: Heard, message: str) -> tuple[Turn, bool]:
    """The turn, and whether it goes on with the subject before."""
    numbers = heard.numbers
    checked = checks(heard)
    moved = bool(before.alternatives) and not (checked or heard.resumes) and another_subject(before, heard)
    on = bool(before.alternatives) and not (checked or moved) and goes_on(before, heard)
    stands = bool(before.alternatives) and not (on or checked) and numbers_stay(before, heard)
    base = before.memory.params if stands else _base(before, heard, goes_on=on, checked=checked)
    subject = before.lesson if on else heard.decision.lesson
    found = told(before.memory, base, numbers, subject, lasting=_lasting(before, heard, goes_on=on))
    sweeps = "lams" in numbers.params and {*found.given} >= BOTH
    short = heard.handed and lacks(subject, found.given)
    computes = sweeps or shows_elsewhere(before, heard) or (refers_back(heard.message) and not moved)
    carried = short or (stands and not computes)
    quantity = None if carried else quantity_after(before, heard, found, goes_on=on)
    stated_before = on and before.lesson == AUDIT and bool(before.claimed)
    again_checked = stated_before and not (numbers.claimed or brings_others(heard) or states_a_figure(heard.message))
    turn = Turn(
        alternatives=first(AUDIT, heard.decision.alternatives)
        if checked
        else subject_after(before, heard, quantity, found.given, goes_on=on, moved=moved),
        sure=on or checked or heard.decision.sure or quantity is not None,
        given=found.given,
        claimed=before.claimed if again_checked else numbers.claimed,
        stated=before.stated if again_checked else message,
        origin=found.origin,
        memory=found.memory.agreed(_agreed(before, heard)),
        form=_form(before, heard, quantity, goes_on=on, checked=checked or again_checked),
        quantity=quantity,
        computed=quantity if quantity and (heard.numeric or only_names(heard.message)) else before.computed,
        wanted=wanted_facts(heard.message) or numbers.asked or _wanted(before, heard, goes_on=on),
        notes=(*numbers.notes, *found.notes),
        carried=carried,
        only_numbers=_only_numbers(heard),
        error=found.error or (None if checked else unread(heard, found.given)),
    )
    return turn, on


# ---------------------------------------------------------------- the numbers


def _base(before: Turn, heard: Heard, *, goes_on: bool, checked: bool) -> Mapping[str, Any]:
    """The earlier numbers that a message builds on."""
    earlier, numbers = before.memory.params, heard.numbers
    if wants_the_example(heard.message) and not numbers.edits:
        return before.memory.standing
    if (complete(numbers) or enough(heard)) and not refers_back(heard.message):
        kept = {name: x for name, x in earlier.items() if name in PARAMETERS} if goes_on else {}
        return {**before.memory.standing, **kept}
    builds = heard.numeric and (goes_on or bool(numbers.edits) or completes(heard, before.memory.params))
    if builds or checked or "lams" in numbers.params or refers_back(heard.message):
        return earlier
    if _elsewhere(before, heard):
        return earlier
    outside = heard.decision.lesson == OUT_OF_SCOPE
    return before.given if goes_on else {} if outside else before.memory.standing


def _lasting(before: Turn, heard: Heard, *, goes_on: bool) -> bool:
    """Whether what a message says of numbers is remembered; a parameter that is only talked about is not."""
    told_of = heard.numbers.data or heard.numbers.edits or "lams" in heard.numbers.params
    return bool(told_of) or goes_on or not before.alternatives or heard.settings


def _agreed(before: Turn, heard: Heard) -> Mapping[str, Any]:
    """Parameters that are set while there is nothing to compute with: they hold for what comes."""
    nothing_yet = not any(name in LISTS and name != "lams" for name in before.memory.params)
    return heard.numbers.params if nothing_yet and heard.settings else {}


# ---------------------------------------------------------------- the form


def _form(before: Turn, heard: Heard, quantity: str | None, *, goes_on: bool, checked: bool) -> str | None:
    """What was wished for; a request to compute wants numbers, a change of numbers the same form again."""
    if heard.wish is not None:
        return heard.wish
    if goes_on and heard.asked_language and not heard.numbers.data:
        return "translate"
    if goes_on and again(heard.message) and before.form in REPEATABLE:
        return before.form
    if goes_on and asks_again(heard.message):
        return before.form
    back = bool(before.memory.params) and refers_back(heard.message)
    if (back or goes_on) and bool(before.alternatives) and asks_why(heard.message) and not heard.numbers.edits:
        return "why"
    if checked:
        return None
    other = goes_on and before.quantity is not None and quantity != before.quantity
    if quantity is not None and (heard.numeric or back or other or _elsewhere(before, heard)):
        return "numbers"
    return before.form if goes_on and heard.numbers.edits else None


def _elsewhere(before: Turn, heard: Heard) -> bool:
    return asks_for_another_fact(before, heard) or shows_elsewhere(before, heard)


def _wanted(before: Turn, heard: Heard, *, goes_on: bool) -> tuple[str, ...]:
    """What the turn before wanted alone stays wanted while its numbers change."""
    return before.wanted if goes_on and heard.numbers.edits else ()
