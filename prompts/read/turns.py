"""A conversation, turn by turn: what each message changes of what is asked, about which numbers, in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.scenario import PARAMETERS
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.characters import heart
from prompts.read.form import again, asks_why, form
from prompts.read.heard import (
    AUDIT,
    BOTH,
    LONGEST_ASIDE,
    Heard,
    brings_numbers,
    by_words,
    checks,
    completes,
    names_what_is_wanted,
    own_question,
    with_subject,
)
from prompts.read.language import asked_language, of_conversation
from prompts.read.leaning import (
    asks_again,
    chosen,
    echoes,
    leans,
    only_wishes,
    refers_back,
    says_little,
    speaks_of_an_element,
    turns_away,
)
from prompts.read.lesson import decide
from prompts.read.memory import Told, complete, told
from prompts.read.numbers import Numbers, read_numbers, wanted_facts, wanted_quantity
from prompts.read.running import wanted_run
from prompts.read.turn import RUN, Alternatives, Turn, first, run

NOWHERE = ((OUT_OF_SCOPE, 1.0),)
LIKELY = 0.6  # of a lesson's probability: a message that leans has a subject of its own
REPEATABLE = frozenset(["quiz", "example", "simple", "table", "code", "numbers", "proof"])
_BY_THE_LISTS = frozenset(["gae", "masked_gae", "lambda_sweep"])  # told apart by what is there, not by words
_FROM_OTHER_LISTS = frozenset(["reward_to_go", "whiten", "grpo", "rloo", "clip", "surrogate", "value_loss"])
_NOT_FROM_BOTH = frozenset(["grpo", "rloo", "clip", "surrogate", "value_loss", "kl_rewards", "kl_estimators"])
_ONE_LIST = {"whiten": "advantages", "grpo": "group_rewards", "rloo": "group_rewards", "reward_to_go": "rewards"}
_OWN_WAY = frozenset(["whiten", "nstep_mixture"])  # what a subject computes from r and V, beyond their advantages


def follow(messages: Sequence[str]) -> Turn:
    """The conversation up to its last message."""
    turn = Turn()
    for message in messages:
        turn = next_turn(turn, message)
    return replace(turn, language=of_conversation(messages))


def next_turn(before: Turn, message: str) -> Turn:
    picked = chosen(message, len(before.alternatives)) if not before.sure else None
    if picked is not None:
        return replace(before, alternatives=first(before.alternatives[picked][0], before.alternatives), sure=True)
    subject = before.past or before
    wanted = wanted_run(message, subject.trial, on_the_loop=subject.lesson == RUN)
    if wanted is not None:
        return run(before, wanted)
    numbers = read_numbers(message, known=frozenset(before.memory.params))
    if numbers.error is not None:
        return replace(before, error=numbers.error)
    subject = replace(before.past, memory=before.memory) if before.past else before
    turn = _heard(subject, replace(numbers, params=with_subject(numbers, _works_on(subject))), message)
    return replace(turn, past=subject) if turn.lesson == OUT_OF_SCOPE != subject.lesson else turn


def _heard(before: Turn, numbers: Numbers, message: str) -> Turn:
    """What a message makes of the turn before, its changes of numbers taken for talk where they make no sense."""
    said = heart(message)
    heard = Heard(said, numbers, decide(heart(numbers.residue)), form(said), asked_language(said))
    if not numbers.edits or numbers.data:
        return _after(before, heard, message)
    first = not before.memory.params  # there is nothing to change but the running example
    turn = _after(before, _without_changes(heard) if first and heard.in_passing else heard, message)
    no_change = turn.error is not None and (first or heard.in_passing)
    return _after(before, _without_changes(heard), message) if no_change else turn


def _works_on(turn: Turn) -> str | None:
    """The list that the computation of a subject works on, where it is one list."""
    quantity = turn.quantity or next(iter(lessons()[turn.lesson].quantities), None)
    return _ONE_LIST.get(quantity or "")


def _without_changes(heard: Heard) -> Heard:
    return replace(heard, numbers=replace(heard.numbers, edits=(), unspent=heard.message))


def _after(before: Turn, heard: Heard, message: str) -> Turn:
    numbers = heard.numbers
    checked = checks(heard)
    goes_on = bool(before.alternatives) and not checked and _goes_on(before, heard)
    base = _base(before, heard, goes_on=goes_on, checked=checked)
    subject = before.lesson if goes_on else heard.decision.lesson
    found = told(before.memory, base, numbers, subject, lasting=_lasting(before, heard, goes_on=goes_on))
    quantity = _quantity(before, heard, found, goes_on=goes_on)
    again_checked = goes_on and before.lesson == AUDIT and bool(before.claimed) and not numbers.claimed
    return Turn(
        alternatives=first(AUDIT, heard.decision.alternatives)
        if checked
        else _subject(before, heard, quantity, found.given, goes_on=goes_on),
        sure=goes_on or checked or heard.decision.sure or quantity is not None,
        given=found.given,
        claimed=before.claimed if again_checked else numbers.claimed,
        stated=before.stated if again_checked else message,
        origin=found.origin,
        memory=found.memory,
        form=_form(before, heard, quantity, goes_on=goes_on, checked=checked or again_checked),
        quantity=quantity,
        wanted=wanted_facts(heard.message) or _wanted(before, heard, goes_on=goes_on),
        notes=(*numbers.notes, *found.notes),
        only_numbers=bool(numbers.edits or numbers.data) and says_little(numbers.unspent),
        error=found.error,
    )


# ---------------------------------------------------------------- the subject


def _goes_on(before: Turn, heard: Heard) -> bool:
    """Whether a message goes on with the subject: it changes numbers, says in which form, or leans on what was said.

    A message that surely has a subject of its own is a new question, however it begins.
    """
    numbers, decision = heard.numbers, heard.decision
    if decision.lesson == before.lesson:
        return True
    if turns_away(heard.message) and decision.lesson != OUT_OF_SCOPE:
        return False
    if _goes_on_by_numbers(before, heard):
        return True
    if numbers.edits or numbers.mentions:
        return not own_question(heard, before.lesson) and len(numbers.unspent) <= LONGEST_ASIDE
    wishes = heard.wish is not None or heard.asked_language is not None
    if (wishes or again(heard.message)) and only_wishes(heard.message):
        return True
    if _names_what_is_wanted(before, heard) or asks_again(heard.message) or echoes(heard.message, "") is not None:
        return True
    if (
        before.quantity is not None
        and speaks_of_an_element(heard.message)
        and len(numbers.residue) <= LONGEST_ASIDE // 2
    ):
        return not decision.sure or asks_why(heard.message)
    if decision.sure and decision.lesson != OUT_OF_SCOPE:
        return False
    likely = decision.lesson != OUT_OF_SCOPE and decision.alternatives[0][1] >= LIKELY
    if likely and heard.wish in (None, "why") and not says_little(heard.message):
        return False
    return (wishes or leans(heard.message)) and len(numbers.residue) <= LONGEST_ASIDE and _not_thanks(heard)


def _goes_on_by_numbers(before: Turn, heard: Heard) -> bool:
    """Whether a message brings lists for the earlier ones, or others for the subject."""
    if before.memory.params and completes(heard, before.memory.params):
        return True
    return brings_numbers(heard) and _can_compute(before.lesson, heard.numbers)


def _can_compute(lesson: str, numbers: Numbers) -> bool:
    """Whether the numbers of a message are what a subject is shown on."""
    own = lessons()[lesson].quantities
    return wanted_quantity("", numbers) in own or (set(numbers.params) >= BOTH and not _NOT_FROM_BOTH & {*own})


def _not_thanks(heard: Heard) -> bool:
    return heard.wish is not None or heard.decision.lesson != OUT_OF_SCOPE or not heard.decision.sure


def _names_what_is_wanted(before: Turn, heard: Heard) -> bool:
    return names_what_is_wanted(heard, before.memory.params, before.quantity)


def _home(quantity: str | None) -> str | None:
    """The lesson of a computation."""
    return next((lesson.id for lesson in lessons().values() if quantity in lesson.quantities), None)


def _subject(
    before: Turn, heard: Heard, quantity: str | None, given: Mapping[str, Any], *, goes_on: bool
) -> Alternatives:
    """Lessons with scores, best first. Bare numbers with a wish to compute lead to the lesson of the computation."""
    decision = heard.decision
    home = _home(quantity)
    if goes_on and before.quantity is not None and home not in (None, before.lesson, _home(before.quantity)):
        return first(str(home), before.alternatives)
    if goes_on and decision.lesson != before.lesson:
        return before.alternatives
    alternatives = tuple((id, score) for id, score in decision.alternatives if id in lessons()) or NOWHERE
    computes = (
        heard.numbers.data
        or heard.numbers.edits
        or "lams" in heard.numbers.params
        or (before.memory.params and refers_back(heard.message))
    )
    elsewhere = quantity in _FROM_OTHER_LISTS and not set(given) >= BOTH and decision.lesson != AUDIT
    if home is None or not computes or (decision.sure and not elsewhere and decision.lesson != OUT_OF_SCOPE):
        return alternatives
    return first(home, alternatives)


# ---------------------------------------------------------------- the numbers


def _base(before: Turn, heard: Heard, *, goes_on: bool, checked: bool) -> Mapping[str, Any]:
    """The earlier numbers that a message builds on."""
    remembered, numbers = before.memory.params, heard.numbers
    if complete(numbers) and not refers_back(heard.message):
        return {name: x for name, x in remembered.items() if name in PARAMETERS} if goes_on else {}
    builds = heard.numeric and (goes_on or bool(numbers.edits) or completes(heard, before.memory.params))
    if builds or checked or "lams" in numbers.params or refers_back(heard.message):
        return remembered
    if _names_what_is_wanted(before, heard):
        return remembered
    return before.given if goes_on else {}


def _lasting(before: Turn, heard: Heard, *, goes_on: bool) -> bool:
    """Whether what a message says of numbers is remembered; a parameter that is only talked about is not."""
    told_of = heard.numbers.data or heard.numbers.edits or "lams" in heard.numbers.params
    return bool(told_of) or goes_on or not before.alternatives


def _quantity(before: Turn, heard: Heard, found: Told, *, goes_on: bool) -> str | None:
    """Which computation is wanted. A change of numbers wants the one before, unless its words say another."""
    if found.on_example:
        home = lessons()[before.lesson if goes_on else heard.decision.lesson].quantities
        return home[0] if home and "rewards" not in found.given else _of_example(found.given)
    numbers = replace(heard.numbers, params=dict(found.given))
    data = heard.numbers.data
    said = wanted_quantity(heard.message, numbers) if data else by_words(heard.message, numbers)
    own = lessons()[before.lesson].quantities[:1] if goes_on and data and said == "gae" else ()
    if _OWN_WAY & {*own}:
        return own[0]
    if not goes_on or data or before.quantity in (None, *_BY_THE_LISTS):
        return said
    return said if said != wanted_quantity("", numbers) else before.quantity


def _of_example(given: Mapping[str, Any]) -> str | None:
    cases = (("group_rewards", "grpo"), ("scores", "pipeline"), ("rewards", "gae"), ("advantages", "whiten"))
    return next((quantity for name, quantity in cases if name in given), None)


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
    if quantity is not None and (heard.numeric or back or other or _names_what_is_wanted(before, heard)):
        return "numbers"
    return before.form if goes_on and heard.numbers.edits else None


def _wanted(before: Turn, heard: Heard, *, goes_on: bool) -> tuple[str, ...]:
    """What the turn before wanted alone stays wanted while its numbers change."""
    return before.wanted if goes_on and heard.numbers.edits else ()
