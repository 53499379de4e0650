"""A conversation, turn by turn: what each message changes of what is asked, about which numbers, in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import EngineError
from engine.scenario import PARAMETERS
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.form import again, asks_why, form
from prompts.read.language import asked_language, of_conversation
from prompts.read.leaning import (
    asks_again,
    chosen,
    doubts,
    leans,
    names_a_fact,
    only_names,
    only_wishes,
    refers_back,
    says_little,
    speaks_of_an_element,
    turns_away,
)
from prompts.read.lesson import Decision, decide
from prompts.read.memory import Memory, Told, complete, told
from prompts.read.numbers import Numbers, read_numbers, wanted_facts, wanted_quantity
from prompts.read.numbers.cues import says

NOWHERE = ((OUT_OF_SCOPE, 1.0),)
LIKELY = 0.6  # of a lesson's probability: a message that leans has a subject of its own
LONGEST_ASIDE = 60  # characters of a message that can go on with a subject without naming it
AUDIT = "audit"
REPEATABLE = frozenset(["quiz", "example", "simple", "table", "code", "numbers", "proof"])
_BY_THE_LISTS = frozenset(["gae", "masked_gae", "lambda_sweep"])  # told apart by what is there, not by words
_NEEDS_BOTH = frozenset(["rewards", "values"])
_FROM_OTHER_LISTS = frozenset(["reward_to_go", "whiten", "grpo", "rloo", "clip", "surrogate", "value_loss"])

Alternatives = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Turn:
    """What stands after a message: the subject, the learner's numbers so far, the wishes."""

    alternatives: Alternatives = ()
    sure: bool = True
    given: Mapping[str, Any] = field(default_factory=dict)
    claimed: Mapping[str, Any] = field(default_factory=dict)
    stated: str = ""  # the message in which the claimed numbers stand
    origin: Mapping[str, str] = field(default_factory=dict)  # part → learner (this message), earlier or example
    memory: Memory = field(default_factory=Memory)
    language: str = "en"
    form: str | None = None
    quantity: str | None = None
    wanted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: EngineError | None = None

    @property
    def lesson(self) -> str:
        return self.alternatives[0][0] if self.alternatives else OUT_OF_SCOPE


@dataclass(frozen=True)
class _Heard:
    """One message, read by itself."""

    message: str
    numbers: Numbers
    decision: Decision
    wish: str | None
    asked_language: str | None

    @property
    def numeric(self) -> bool:
        """Whether it gives or changes numbers."""
        return bool(self.numbers.edits or self.numbers.mentions or self.numbers.data)


def follow(messages: Sequence[str]) -> Turn:
    """The conversation up to its last message."""
    turn = Turn()
    for message in messages:
        turn = _next(turn, message)
    return replace(turn, language=of_conversation(messages))


def _next(before: Turn, message: str) -> Turn:
    picked = chosen(message, len(before.alternatives)) if not before.sure else None
    if picked is not None:
        return replace(before, alternatives=_first(before.alternatives[picked][0], before.alternatives), sure=True)
    numbers = read_numbers(message, known=frozenset(before.memory.params))
    if numbers.error is not None:
        return replace(before, error=numbers.error)
    heard = _Heard(message, numbers, decide(numbers.residue), form(message), asked_language(message))
    checked = _checks(heard)
    goes_on = bool(before.alternatives) and not checked and _goes_on(before, heard)
    base = _base(before, heard, goes_on=goes_on, checked=checked)
    subject = before.lesson if goes_on else heard.decision.lesson
    found = told(before.memory, base, numbers, subject, lasting=_lasting(before, heard, goes_on=goes_on))
    quantity = _quantity(before, heard, found, goes_on=goes_on)
    again_checked = goes_on and before.lesson == AUDIT and bool(before.claimed) and not numbers.claimed
    return Turn(
        alternatives=_first(AUDIT, heard.decision.alternatives)
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
        wanted=wanted_facts(message) or _wanted(before, heard, goes_on=goes_on),
        notes=(*numbers.notes, *found.notes),
        error=found.error,
    )


# ---------------------------------------------------------------- the subject


def _goes_on(before: Turn, heard: _Heard) -> bool:
    """Whether a message goes on with the subject: it changes numbers, says in which form, or leans on what was said.

    A message that surely has a subject of its own is a new question, however it begins.
    """
    numbers, decision = heard.numbers, heard.decision
    if decision.lesson == before.lesson:
        return True
    if turns_away(heard.message) and decision.lesson != OUT_OF_SCOPE:
        return False
    if before.memory.params and _completes(before, heard):
        return True
    if numbers.edits or numbers.mentions:
        own_question = _own_question(before, heard)
        return not own_question and len(numbers.unspent) <= LONGEST_ASIDE
    wishes = heard.wish is not None or heard.asked_language is not None
    if (wishes or again(heard.message)) and only_wishes(heard.message):
        return True
    if _only_names_what_is_wanted(before, heard) or asks_again(heard.message):
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


def _not_thanks(heard: _Heard) -> bool:
    return heard.wish is not None or heard.decision.lesson != OUT_OF_SCOPE or not heard.decision.sure


def _own_question(before: Turn, heard: _Heard) -> bool:
    """Whether what is left beside the changes asks for something else."""
    left = heard.numbers.unspent
    if not heard.numbers.edits:
        left = heard.message if not says_little(_without_parameters(heard.message)) else ""
    if says_little(left):
        return False
    other = decide(left)
    return other.sure and other.lesson not in (OUT_OF_SCOPE, before.lesson)


def _without_parameters(message: str) -> str:
    return " ".join(word for word in message.split() if not any(c.isdigit() for c in word))


def _completes(before: Turn, heard: _Heard) -> bool:
    """Whether a message brings lists that need those of earlier turns: oops, values = [0.1, 0.2, 0.5]."""
    numbers, remembered = heard.numbers, before.memory.params
    lists = {
        name for name, x in numbers.params.items() if isinstance(x, list) and name not in ("lams", *numbers.mentions)
    }
    if not lists or complete(numbers) or not any(isinstance(x, list) for x in remembered.values()):
        return False
    alone = wanted_quantity(heard.message, replace(numbers, params={name: numbers.params[name] for name in lists}))
    return (
        alone not in ("reward_to_go", "whiten") or bool(lists & set(remembered)) or _NEEDS_BOTH <= {*lists, *remembered}
    )


def _only_names_what_is_wanted(before: Turn, heard: _Heard) -> bool:
    """What about the returns? after a computation."""
    brief = len(heard.message) <= LONGEST_ASIDE // 2 and heard.wish in (None, "numbers", "table")
    if not before.memory.params or heard.numbers.data or not brief:
        return False
    return before.quantity is not None and (names_a_fact(heard.message) or _other_quantity(before, heard) is not None)


def _other_quantity(before: Turn, heard: _Heard) -> str | None:
    """The computation on the remembered numbers that the words of a message change to."""
    numbers = replace(heard.numbers, params={**before.memory.params, **heard.numbers.params})
    found = _by_words(heard.message, numbers)
    changed = found not in (before.quantity, wanted_quantity("", numbers)) and only_names(heard.message)
    return found if changed else None


def _by_words(message: str, numbers: Numbers) -> str | None:
    """The computation that the words and the lists say; advantages that are to be whitened are computed first."""
    whitened = says("whiten", message) and set(numbers.params) >= _NEEDS_BOTH
    return "whiten" if whitened else wanted_quantity(message, numbers)


def _checks(heard: _Heard) -> bool:
    """Whether results are stated and doubted: numbers to compute with alone are no audit."""
    doubted = doubts(heard.message) or heard.decision.lesson == AUDIT
    return bool(heard.numbers.claimed) and doubted


def _first(id: str, alternatives: Alternatives) -> Alternatives:
    """The lesson before the others, with the best score."""
    best = alternatives[0][1] if alternatives else 1.0
    return ((id, best), *((other, score) for other, score in alternatives if other != id))


def _home(quantity: str | None) -> str | None:
    """The lesson of a computation."""
    return next((lesson.id for lesson in lessons().values() if quantity in lesson.quantities), None)


def _subject(
    before: Turn, heard: _Heard, quantity: str | None, given: Mapping[str, Any], *, goes_on: bool
) -> Alternatives:
    """Lessons with scores, best first. Bare numbers with a wish to compute lead to the lesson of the computation."""
    decision = heard.decision
    home = _home(quantity)
    if goes_on and before.quantity is not None and home not in (None, before.lesson, _home(before.quantity)):
        return _first(str(home), before.alternatives)
    if goes_on and decision.lesson != before.lesson:
        return before.alternatives
    alternatives = tuple((id, score) for id, score in decision.alternatives if id in lessons()) or NOWHERE
    computes = (
        heard.numbers.data
        or heard.numbers.edits
        or "lams" in heard.numbers.params
        or (before.memory.params and refers_back(heard.message))
    )
    elsewhere = quantity in _FROM_OTHER_LISTS and not set(given) >= _NEEDS_BOTH and decision.lesson != AUDIT
    if home is None or not computes or (decision.sure and not elsewhere and decision.lesson != OUT_OF_SCOPE):
        return alternatives
    return _first(home, alternatives)


# ---------------------------------------------------------------- the numbers


def _base(before: Turn, heard: _Heard, *, goes_on: bool, checked: bool) -> Mapping[str, Any]:
    """The earlier numbers that a message builds on."""
    remembered, numbers = before.memory.params, heard.numbers
    if complete(numbers) and not refers_back(heard.message):
        return {name: x for name, x in remembered.items() if name in PARAMETERS} if goes_on else {}
    builds = heard.numeric and (goes_on or bool(numbers.edits) or _completes(before, heard))
    if builds or checked or "lams" in numbers.params or refers_back(heard.message):
        return remembered
    if _only_names_what_is_wanted(before, heard):
        return remembered
    return before.given if goes_on else {}


def _lasting(before: Turn, heard: _Heard, *, goes_on: bool) -> bool:
    """Whether what a message says of numbers is remembered; a parameter that is only talked about is not."""
    return heard.numbers.data or bool(heard.numbers.edits) or goes_on or not before.alternatives


def _quantity(before: Turn, heard: _Heard, found: Told, *, goes_on: bool) -> str | None:
    """Which computation is wanted. A change of numbers wants the one before, unless its words say another."""
    if found.on_example:
        home = lessons()[before.lesson if goes_on else heard.decision.lesson].quantities
        return home[0] if home and "rewards" not in found.given else _of_example(found.given)
    numbers = replace(heard.numbers, params=dict(found.given))
    data = heard.numbers.data
    by_words = wanted_quantity(heard.message, numbers) if data else _by_words(heard.message, numbers)
    if not goes_on or data or before.quantity in (None, *_BY_THE_LISTS):
        return by_words
    return by_words if by_words != wanted_quantity("", numbers) else before.quantity


def _of_example(given: Mapping[str, Any]) -> str | None:
    cases = (("group_rewards", "grpo"), ("scores", "pipeline"), ("rewards", "gae"), ("advantages", "whiten"))
    return next((quantity for name, quantity in cases if name in given), None)


# ---------------------------------------------------------------- the form


def _form(before: Turn, heard: _Heard, quantity: str | None, *, goes_on: bool, checked: bool) -> str | None:
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
    if quantity is not None and (heard.numeric or back or other or _only_names_what_is_wanted(before, heard)):
        return "numbers"
    return before.form if goes_on and heard.numbers.edits else None


def _wanted(before: Turn, heard: _Heard, *, goes_on: bool) -> tuple[str, ...]:
    """What the turn before wanted alone stays wanted while its numbers change."""
    return before.wanted if goes_on and heard.numbers.edits else ()
