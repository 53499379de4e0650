"""A message and what came before it become one Question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from threadpoolctl import threadpool_limits

from engine.audits import Claim, audit
from engine.scenario import PARAMETERS, Scenario, scenario
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.asking import sentences
from prompts.read.asserting import wishes_within, yes_or_no
from prompts.read.beside import Beside, beside, spoken_of, with_typed
from prompts.read.characters import heart
from prompts.read.checkable import checkable, pasted, says_wrong
from prompts.read.claim import Assertion, claim
from prompts.read.form import asks_why, form
from prompts.read.heard import AUDIT
from prompts.read.in_full import in_full
from prompts.read.leaning import asks_again, echoes, only_wishes, speaks_in_general, supposes
from prompts.read.numbers import read_numbers
from prompts.read.numbers.cues import says
from prompts.read.own_page import own_page
from prompts.read.owned import completed, own_scenario, whose
from prompts.read.pronoun import spelled_out
from prompts.read.question import Question
from prompts.read.relation import Stated, relation
from prompts.read.signing import Signed
from prompts.read.standing import beside_numbers
from prompts.read.stated import as_exactly, claims, one_step
from prompts.read.statement import Statement
from prompts.read.turn import Turn, first
from prompts.read.turns import last_two
from prompts.read.understanding import understand
from prompts.read.worded.finding import Worded
from prompts.read.worded.reader import worded

__all__ = ["Question", "completed", "read"]

STYLES = ("plain", "full", "simple", "rigorous")
threadpool_limits(limits=1, user_api="blas")  # numpy's products are small here: more threads wait for one another


def read(
    messages: Sequence[str],
    *,
    chosen_language: str | None = None,
    given: Mapping[str, Any] | None = None,
    style: str = "plain",
) -> Question:
    """The last message, understood in the light of the ones before. `given` are numbers set beside the messages."""
    before, turn = last_two(messages)
    language = chosen_language or turn.language
    if turn.retells:
        return retold(read(messages[: turn.retells], chosen_language=language, given=given), turn)
    set_beside = beside(given) if isinstance(given, Mapping) else None
    standing = set_beside.inputs if set_beside is not None else before.memory.params
    page = own_page(messages[-1], standing, turn, language)
    if page is not None:
        return page
    brought = pasted(messages[-1]) if given is None else None
    if brought is not None:
        return _checked(brought, None, turn, language, style)
    if turn.move:
        return _talked(turn, given, language)
    messages = messages if turn.spoken is None else (*messages[:-1], turn.spoken)
    whole = in_full(messages, before.lesson, before.memory.params) if set_beside is None else None
    last, messages = messages[-1], messages if whole is None else (*messages[:-1], whole)
    understood = understand(messages[-1])
    says = checkable(messages, set_beside, before.memory.params) if understood.numeric else None
    if says is not None:
        says = as_exactly(says, last, (read_numbers(message).claimed for message in messages[:-1]))
    said = _said(messages, before.past or before, turn)
    asked = turn.trial is not None or wishes_within(messages[-1])
    elsewhere = asked or not understood.stated or _in_itself(relation(said), messages[-1], standing)
    in_words = None if elsewhere else worded(messages[-1], standing if says is None else {})
    if says is not None and (in_words is None or _audited_alike(says.given, says.claims, in_words, says.denied)):
        checked = _checked(says, set_beside, turn, language, style)
        return checked if set_beside is not None else _since_earlier(checked, standing, messages[-1])
    checks_numbers = turn.lesson == AUDIT and bool(turn.claimed)
    denied = checks_numbers and says_wrong(messages[-1])
    stated = _stated(turn, again=turn.stated not in (messages[-1], last))
    audits = checks_numbers and turn.error is None
    if in_words is not None and not (audits and _audited_alike(turn.given, stated, in_words, denied)):
        read_exactly = _worded(in_words, turn, standing, language, style)
        read_exactly = read_exactly if set_beside is not None else _since_earlier(read_exactly, standing, messages[-1])
        return replace(read_exactly, judged=_sentence(last))
    step = one_step(turn.claimed)
    inputs = set_beside.inputs if set_beside is not None else given
    told = spoken_of(turn.given, set_beside.inputs) if set_beside is not None else turn.given
    own, error = own_scenario(
        with_typed(inputs, {**told, **step}, turn.origin) if isinstance(inputs, Mapping | None) else inputs
    )
    aside = error is not None and not understood.wished and set_beside is None
    own, error = (Scenario(), None) if aside else (own, error)
    complete, origin = (own, {}) if error else completed(own)
    belongs = whose(turn, origin, inputs or {})
    failed = turn.error is not None or error is not None
    silent = failed or turn.only_numbers or turn.trial is not None or _only_computes(messages[-1], turn)
    silent = silent or not understood.stated
    found = None if silent or checks_numbers else _claimed((*messages[:-1], said), turn.alternatives, understood.single)
    alternatives = turn.alternatives
    related = None if silent else relation(said)
    if found is not None and turn.lesson == OUT_OF_SCOPE:
        alternatives = first(found.lesson, alternatives)
    elif related is not None and turn.lesson == OUT_OF_SCOPE:
        alternatives = (*(pair for pair in alternatives if pair[0] != OUT_OF_SCOPE), (OUT_OF_SCOPE, 0.0))
    return Question(
        lesson=alternatives[0][0] if alternatives else turn.lesson,
        alternatives=alternatives,
        language=language,
        form=style if style != "plain" and turn.trial is None else (not aside and turn.form) or "plain",
        scenario=complete,
        origin=belongs,
        quantity=None if aside else turn.quantity,
        wanted=turn.wanted,
        notes=turn.notes,
        wished=understood.wished or set_beside is not None,
        sure=turn.sure or found is not None,
        points=() if turn.carried or _asks_nothing_of_itsown_scenario(messages[-1]) else understood.points,
        judged=_sentence(last) if found is not None or related is not None else None,
        assertion=found,
        trial=turn.trial,
        relation=related,
        claims=stated,
        denied=denied,
        carried=turn.carried,
        in_general=speaks_in_general(messages[-1]),
        error=turn.error or error,
    )


def _talked(turn: Turn, given: Any, language: str) -> Question:
    """What a message that asks for no subject comes to: nothing is claimed in it."""
    inputs = beside(given).inputs if isinstance(given, Mapping) else {}
    drawn = "drawn" in turn.origin.values()  # lists beside them would be of other tokens
    own, error = own_scenario(
        {**turn.given, **{name: x for name, x in inputs.items() if not drawn or name in PARAMETERS}}
    )
    complete, origin = completed(Scenario() if error else own)
    return Question(
        lesson=turn.lesson,
        alternatives=turn.alternatives,
        language=language,
        form=turn.form or "plain",
        scenario=complete,
        origin=whose(turn, origin),
        quantity=turn.quantity,
        notes=turn.notes,
        without=turn.without,
        leads=turn.leads,
        error=turn.error or error,
    )


def retold(question: Question, turn: Turn) -> Question:
    """A page that was told, in another form and without what opened it; or only its opening, or that and a section."""
    form = turn.form or "plain"
    if turn.unfolds:
        return replace(question, form=form, sure=True, brief=False, trial=None, leads=turn.leads)
    if turn.brief:
        return replace(question, brief=True, form=form if form == "simple" else question.form, leads=turn.leads)
    said = {"points": (), "judged": None, "assertion": None, "relation": None, "worded": None, "trial": None}
    told = {
        "form": form,
        "notes": turn.notes,
        "without": turn.without,
        "leads": turn.leads,
        "brief": False,
        "sure": True,
    }
    return replace(question, **said, **told)  # type: ignore[arg-type]


def _asks_nothing_of_itsown_scenario(message: str) -> bool:
    """Whether a message only wishes, or is a lesson's own question, as pages offer it: the whole lesson answers."""
    return only_wishes(heart(message)) or any(
        message.strip() in lesson.question.values() for lesson in lessons().values()
    )


def _sentence(message: str) -> str:
    """The words of a statement, as they were typed."""
    return " ".join(sentences(message))


def _stated(turn: Turn, *, again: bool) -> tuple[Claim, ...]:
    """The numbers that a message states; again: those of an earlier one, each of the token that it was stated of."""
    found = checkable([turn.stated], None, turn.given) if again and turn.claimed else None
    return found.claims if found is not None else claims(turn.claimed, turn.given, turn.stated)


def _in_itself(stated: Stated | None, message: str, standing: Mapping[str, Any]) -> bool:
    """Whether a relation is read of all numbers, and not of one token of those that were spoken of."""
    of_one = stated is not None and isinstance(stated.relation, Signed) and not speaks_in_general(message)
    return stated is not None and not (of_one and any(isinstance(x, list) for x in standing.values()))


def _checked(says: Statement, set_beside: Beside | None, turn: Turn, language: str, style: str) -> Question:
    """Results that are stated of given numbers: every one is computed again, and the numbers decide."""
    own = scenario(says.given)
    complete, origin = completed(own)
    also = {} if set_beside is None else set_beside.results
    names = {claim.name for claim in says.claims}
    return Question(
        lesson=AUDIT,
        alternatives=first(AUDIT, turn.alternatives),
        language=language,
        form=style if style != "plain" else "plain",
        scenario=complete,
        origin={**origin, **dict.fromkeys(says.solved, "solved")},
        quantity=says.quantity or (turn.quantity if "group_rewards" in says.given else None),  # which of the groups'
        notes=says.notes,
        claims=(*says.claims, *claims({name: x for name, x in also.items() if name not in names}, {}, "")),
        denied=says.denied,
    )


def _since_earlier(question: Question, standing: Mapping[str, Any], message: str) -> Question:
    """The question, its numbers that only an earlier message gave marked so."""
    own, before = {*read_numbers(message).params}, own_scenario(standing)[0].given()
    since = {name for name, whose in question.origin.items() if whose == "learner" and name not in own}
    kept = {name for name in since if name in before and before[name] == question.scenario.given().get(name)}
    return replace(question, origin={**question.origin, **dict.fromkeys(kept, "earlier")})


def _only_computes(message: str, turn: Turn) -> bool:
    """Whether a message asks for numbers, and not whether anything is so."""
    return turn.quantity is not None and says("compute", message) and not yes_or_no(message)


def _said(messages: Sequence[str], before: Turn, turn: Turn) -> str:
    """The last message without the words that say on which earlier numbers something is to be shown, its "it" named."""
    if len(messages) == 1:
        return messages[-1]
    last = beside_numbers(messages[-1])
    again = asks_again(heart(last)) or echoes(heart(last), "") is not None
    named = None if again or turn.lesson != before.lesson else spelled_out(heart(last), before.lesson)
    return named or last


def _audited_alike(given: Mapping[str, Any], stated: Sequence[Claim], found: Worded, denied: bool) -> bool:
    """Whether an audit of the numbers comes to the same as what was read of the words: its page says more."""
    own, error = own_scenario(given)
    audited = audit(completed(own)[0], stated) if error is None else None
    decided = audited is not None and audited.checked and not audited.unchecked
    return bool(decided) and audited is not None and (bool(audited.wrong) == denied) == found.holds


def _worded(found: Worded, turn: Turn, standing: Mapping[str, Any], language: str, style: str) -> Question:
    """Figures that the sentence itself decides: the verdict opens the page of the lesson that they belong to."""
    own, error = own_scenario(standing if found.standing else turn.given)
    complete, origin = completed(Scenario() if error else own)
    return Question(
        lesson=found.lesson,
        alternatives=first(found.lesson, turn.alternatives),
        language=language,
        form=style,
        scenario=complete,
        origin=origin,
        notes=("counted_from_one",) if found.from_one else (),
        worded=found,
    )


def _claimed(
    messages: Sequence[str], likely: Sequence[tuple[str, float]], nearest: str | None = None
) -> Assertion | None:
    """What the last message claims. Doubting an answer claims again what the answer was about: it turns no verdict."""
    last = heart(messages[-1])
    earlier = [message for message in messages[:-1] if not asks_why(message)]
    wishes = form(last) is not None and only_wishes(last) and not asks_again(last)
    if len(messages) > 1 and (wishes or supposes(last)):
        return None
    same = echoes(last, earlier[-1]) if earlier else None
    if earlier and (same is not None or asks_again(last)):
        before = _claimed(earlier, likely)
        return before if before is None or same in (True, None) else replace(before, denied=not before.denied)
    return claim(last, likely, nearest)
