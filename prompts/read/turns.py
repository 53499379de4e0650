"""A conversation, turn by turn: what each message changes of what is asked, about which numbers, in which form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.form import form
from prompts.read.language import asked_language, language
from prompts.read.lesson import Decision, decide
from prompts.read.numbers import Numbers, edited, read_numbers, wanted_facts, wanted_quantity

NOWHERE = ((OUT_OF_SCOPE, 1.0),)
LONGEST_ASIDE = 60  # characters of a message that can go on with a subject without naming it
LONGEST_WISH = 24  # of one that only says in which form, or which language

# Words that lean on what was said before.
_LEANING = re.compile(
    r"^\W*(and|but|so|then|now|ok(ay)?|why|how so|again|another|more|what (about|if)|same|what does that mean)\b"
    r"|^\W*(那|再|还|又|接着|然后|继续|换|改成|如果|要是|为什么|为何|好的|好|嗯|可是|但是)"
    r"|\b(those|these|that|it|same|previous|above|last one) ?(numbers|values|example|lists?)?\W*$"
    r"|(刚才|上面|之前|前面|同样|还是)|呢\W*$",
    re.IGNORECASE,
)


_BACK = re.compile(
    r"\b(those|these|same|my|previous|above|earlier) (numbers|values|example|lists?|data|rewards)\b|\bthe same\b"
    r"|刚才|上面(那|的)|之前(那|的)|前面(那|的)|同样(的|这)|还是(那|这|刚)|那组数|这组数",
    re.IGNORECASE,
)


_CHECKING = re.compile(
    r"\b(is|are|was|were|does|do|did) (this|that|it|these|those|they|he|she|i|my|the)\b"
    r".{0,60}\b(right|correct|ok|fine|true|add up|wrong|match|agree)\b"
    r"|\b(right|correct|true|ok)\W*$|\b(check|verify|audit|double.?check|spot|find)\b"
    r".{0,40}\b(this|these|my|the|number|error|mistake|table|result)"
    r"|对吗|对么|对不对|对没|正确吗|是否正确|没错吧|有没有(算)?错|哪里错|哪儿错|错在|算得对|检查|核对|验算|验证一下",
    re.IGNORECASE,
)
AUDIT = "audit"


@dataclass(frozen=True)
class Turn:
    """What stands after a message: the subject, the learner's numbers so far, the wishes."""

    alternatives: tuple[tuple[str, float], ...] = ()
    sure: bool = True
    given: Mapping[str, Any] = field(default_factory=dict)
    claimed: Mapping[str, Any] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)  # part → learner (this message) or earlier
    language: str = "en"
    form: str | None = None
    quantity: str | None = None
    wanted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: EngineError | None = None

    @property
    def lesson(self) -> str:
        return self.alternatives[0][0] if self.alternatives else OUT_OF_SCOPE


def follow(messages: Sequence[str]) -> Turn:
    """The conversation up to its last message."""
    turn = Turn()
    for message in messages:
        turn = _next(turn, message)
    return turn


def _next(before: Turn, message: str) -> Turn:
    numbers = read_numbers(message)
    if numbers.error is not None:
        return replace(before, error=numbers.error, language=language(message) or before.language)
    decision = decide(numbers.residue)
    wish = form(message)
    goes_on = bool(before.alternatives) and _goes_on(before, message, numbers, decision, wish)
    given, origin, error = _given(before, numbers, keeps=goes_on or bool(numbers.mentions) or _refers_back(message))
    quantity = _quantity(before, message, numbers, given, goes_on=goes_on)
    return Turn(
        alternatives=(
            _first(AUDIT, decision.alternatives)
            if _is_to_be_checked(message, numbers)
            else _subject(before, decision, quantity, numbers, goes_on=goes_on)
        ),
        sure=goes_on or decision.sure,
        given=given,
        claimed=numbers.claimed,
        origin=origin,
        language=asked_language(message) or language(message) or before.language,
        form=_form(before, message, numbers, wish, quantity, goes_on=goes_on),
        quantity=quantity,
        wanted=wanted_facts(message),
        notes=numbers.notes,
        error=error,
    )


def _goes_on(before: Turn, message: str, numbers: Numbers, decision: Decision, wish: str | None) -> bool:
    """Whether a message goes on with the subject: it changes numbers, says in which form, or leans on what was said.

    A message that surely has a subject of its own is a new question, however it begins.
    """
    if decision.lesson == before.lesson:
        return True
    if "lams" in numbers.params:
        return False  # several λ are a question of their own
    changes = bool(numbers.edits or numbers.mentions)
    wishes = wish is not None or asked_language(message) is not None
    if decision.sure and decision.lesson != OUT_OF_SCOPE:
        return (changes and len(message) <= LONGEST_ASIDE) or (wishes and len(message) <= LONGEST_WISH)
    leans = changes or wishes or _LEANING.search(message) is not None
    return leans and len(numbers.residue) <= LONGEST_ASIDE


def _refers_back(message: str) -> bool:
    """Whether a message speaks of numbers that were given before."""
    return _BACK.search(message) is not None


def _form(
    before: Turn, message: str, numbers: Numbers, wish: str | None, quantity: str | None, *, goes_on: bool
) -> str | None:
    """What was wished for; a request to compute wants numbers, a change of numbers the same form again."""
    if wish is not None:
        return wish
    if goes_on and asked_language(message) and not numbers.data:
        return "translate"
    if quantity is not None and (numbers.data or numbers.edits or numbers.mentions):
        return "numbers"
    return before.form if goes_on and numbers.edits else None


def _given(before: Turn, numbers: Numbers, *, keeps: bool) -> tuple[dict[str, Any], dict[str, str], EngineError | None]:
    """The learner's numbers after the message, whose each part is, and what could not be changed.

    A follow-up changes and adds; a new question brings its own. A parameter that is only talked about is a setting
    where there is nothing else to compute with.
    """
    own = {name: x for name, x in numbers.params.items() if name not in numbers.mentions or not numbers.data}
    kept = dict(before.given) if keeps else {}
    example = {} if kept.keys() & set(LISTS) or not _changes_a_list(numbers) else _example_lists()
    kept = {**example, **kept}
    try:
        given, error = edited({**kept, **own}, numbers.edits), None
    except EngineError as refused:
        given, error = {**kept, **own}, refused
    kept_from = {**dict.fromkeys(kept, "earlier"), **dict.fromkeys(example, "example")}
    origin = {
        name: kept_from[name] if name not in own and kept.get(name) == x else "learner" for name, x in given.items()
    }
    return given, origin, error


def _changes_a_list(numbers: Numbers) -> bool:
    return any(edit.name in LISTS and edit.kind != "set" for edit in numbers.edits)


@cache
def _example_lists() -> Mapping[str, Any]:
    """What a learner who changes a number has seen: the running example's rewards and values."""
    facts = quantities.facts("gae", RUNNING).exact
    return {"rewards": [float(x) for x in facts["rewards"]], "values": list(RUNNING.rows("values")[0])}


def _is_to_be_checked(message: str, numbers: Numbers) -> bool:
    """Whether results are stated and doubted: numbers to compute with alone are no audit."""
    return bool(numbers.claimed) and _CHECKING.search(message) is not None


def _first(id: str, alternatives: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    """The lesson before the others, with the best score."""
    return ((id, alternatives[0][1]), *((other, score) for other, score in alternatives if other != id))


def _quantity(before: Turn, message: str, numbers: Numbers, given: Mapping[str, Any], *, goes_on: bool) -> str | None:
    found = wanted_quantity(message, replace(numbers, params=dict(given)))
    if found is None or not goes_on or numbers.data:
        return found
    return before.quantity or found


def _subject(
    before: Turn, decision: Decision, quantity: str | None, numbers: Numbers, *, goes_on: bool
) -> tuple[tuple[str, float], ...]:
    """Lessons with scores, best first. Bare numbers with a wish to compute lead to the lesson of the computation."""
    if goes_on and decision.lesson != before.lesson:
        return before.alternatives
    alternatives = tuple((id, score) for id, score in decision.alternatives if id in lessons()) or NOWHERE
    if quantity is None or not numbers.data or (decision.sure and decision.lesson != OUT_OF_SCOPE):
        return alternatives
    home = next((lesson.id for lesson in lessons().values() if quantity in lesson.quantities), None)
    if home is None or home == alternatives[0][0]:
        return alternatives
    return _first(home, alternatives)
