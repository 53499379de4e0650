"""A message and what came before it become one Question."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from threadpoolctl import threadpool_limits

from engine.audits import Claim
from engine.scenario import PARAMETERS, Scenario, scenario
from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.asking import sentences
from prompts.read.asserting import wishes_within, yes_or_no
from prompts.read.beside import Beside, beside, spoken_of, with_typed
from prompts.read.characters import heart
from prompts.read.checkable import checkable, pasted, says_wrong
from prompts.read.claim import Assertion, claim
from prompts.read.figures import figures
from prompts.read.figures.worded import Worded
from prompts.read.form import asks_why, form
from prompts.read.heard import AUDIT
from prompts.read.leaning import asks_again, echoes, only_wishes, speaks_in_general, supposes
from prompts.read.numbers import read_numbers
from prompts.read.numbers.cues import says
from prompts.read.own_page import own_page
from prompts.read.owned import completed, looked_at, own_scenario, whose
from prompts.read.question import Question
from prompts.read.relation import relation
from prompts.read.standing import beside_numbers
from prompts.read.stated import as_exactly, at_one_lambda, claims, one_step
from prompts.read.statement import Statement
from prompts.read.turn import Turn, first
from prompts.read.turns import last_two
from prompts.read.understanding import Understanding, understand

__all__ = ["Question", "completed", "looked_at", "read"]

_OF_NOW = re.compile(r"\b(?:then|now)\b|这时|此时|现在", re.IGNORECASE)
STYLES = ("plain", "full", "simple", "rigorous")
threadpool_limits(limits=1, user_api="blas")  # numpy's products are small here: more threads wait for one another


def read(
    messages: Sequence[str],
    *,
    chosen_language: str | None = None,
    given: Mapping[str, Any] | None = None,
    style: str = "plain",
    overruled: Collection[str] = (),
) -> Question:
    """The last message, understood in the light of the ones before. `given` are numbers set beside the messages, and
    in the place of those that come from where is named: earlier messages, or the last one as well."""
    found = _read(messages, chosen_language, given, style, overruled)
    return found if found.said else replace(found, said=messages[-1])  # a page that is told again keeps its own


def _read(
    messages: Sequence[str],
    chosen_language: str | None,
    given: Mapping[str, Any] | None,
    style: str,
    overruled: Collection[str],
) -> Question:
    before, turn = last_two(messages)
    language = chosen_language or turn.language
    if turn.retells:
        then = (*overruled, "learner") if overruled else ()  # the message told again is an earlier one
        return retold(read(messages[: turn.retells], chosen_language=language, given=given, overruled=then), turn)
    message = messages[-1] if turn.spoken is None else turn.spoken
    said = beside_numbers(message) if len(messages) > 1 else message
    understood = understand(message)
    set_beside = beside(given) if isinstance(given, Mapping) else None
    standing = set_beside.inputs if set_beside is not None else before.memory.params
    page = own_page(message, standing, turn, language)
    if page is not None:
        return page
    states = understood.stated and not (turn.move or turn.trial is not None or wishes_within(message))
    of_now = len(messages) > 1 and _OF_NOW.search(message) is not None  # true at these settings, perhaps
    related = relation(said) if states else None
    related = None if related is not None and of_now and related.every else related
    asks = understood.numeric and not turn.move and turn.trial is None
    in_figures = figures(message, standing) if (states or asks) and related is None and set_beside is None else None
    in_figures = in_figures if states or in_figures is None or in_figures.asks else None
    wrong_lists = in_figures is not None and in_figures.listed and not (in_figures.holds and in_figures.exact)
    if in_figures is None or wrong_lists:  # an audit says what is wrong, and why
        brought = pasted(message) if given is None else None
        if brought is not None:
            return _checked(brought, None, turn, language, style)
        if turn.move:
            return _talked(turn, given, language)
        says = checkable((message,), set_beside, standing) if understood.numeric else None
        if says is not None:
            says = as_exactly(says, message, (read_numbers(earlier).claimed for earlier in messages[:-1]))
            return _since_earlier(_checked(says, set_beside, turn, language, style), set_beside, standing, message)
    if in_figures is not None:
        return _since_earlier(
            _in_figures(in_figures, turn, standing, language, style, message), set_beside, standing, message
        )
    checks_numbers = turn.lesson == AUDIT and bool(turn.claimed)
    denied = checks_numbers and says_wrong(message)
    stated = _stated(turn, again=turn.stated != message)
    step = one_step(turn.claimed)
    inputs = set_beside.inputs if set_beside is not None else given
    kept = {name: x for name, x in turn.given.items() if turn.origin.get(name) not in overruled}
    told = spoken_of(kept, set_beside.inputs) if set_beside is not None else turn.given
    own, error = own_scenario(
        with_typed(inputs, {**told, **step}, turn.origin) if isinstance(inputs, Mapping | None) else inputs
    )
    aside = error is not None and not understood.wished and set_beside is None
    own, error = (Scenario(), None) if aside else (own, error)
    swept, own = own, at_one_lambda(own, turn.claimed, stated) if checks_numbers else own
    complete, origin = (own, {}) if error else completed(own)
    belongs = whose(turn, origin, inputs or {})
    belongs = {**belongs, **{name: origin[name] for name in turn.given if name in origin and name not in kept}}
    failed = turn.error is not None or error is not None
    silent = failed or turn.only_numbers or turn.trial is not None or _only_computes(message, turn)
    silent = silent or not understood.stated
    earlier = (*messages[:-1], said)
    found = None if silent or of_now or checks_numbers else _claimed(earlier, turn.alternatives, understood.single)
    related = None if silent else related
    alternatives = turn.alternatives
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
        quantity=None if aside or own is not swept else turn.quantity,
        wanted=turn.wanted,
        notes=turn.notes,
        wished=understood.wished or set_beside is not None,
        sure=turn.sure or found is not None,
        points=() if turn.carried or _asks_for_the_whole(message, understood) else understood.points,
        judged=_sentence(message) if found is not None or related is not None else None,
        assertion=found,
        trial=turn.trial,
        relation=related,
        claims=stated,
        denied=denied,
        carried=turn.carried,
        in_general=speaks_in_general(message),
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


def _asks_for_the_whole(message: str, understood: Understanding) -> bool:
    """Whether a message only wishes, or is a lesson's own question, as pages offer it: the whole lesson answers."""
    own = (lesson.question.values() for lesson in lessons().values())
    if any(message.strip() in questions for questions in own):
        return True
    return only_wishes(heart(message)) and not any(point.opens and point.opens.facts for point in understood.points)


def _sentence(message: str) -> str:
    """The words of a statement, as they were typed."""
    return " ".join(sentences(message))


def _stated(turn: Turn, *, again: bool) -> tuple[Claim, ...]:
    """The numbers that a message states; again: those of an earlier one, each of the token that it was stated of."""
    found = checkable([turn.stated], None, turn.given) if again and turn.claimed else None
    return found.claims if found is not None else claims(turn.claimed, turn.given, turn.stated)


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
        pasted=says.pasted,
    )


def _since_earlier(
    question: Question, set_beside: Beside | None, standing: Mapping[str, Any], message: str
) -> Question:
    """The question, its numbers that only an earlier message gave marked so."""
    if set_beside is not None:
        return question
    own, before = {*read_numbers(message).params}, own_scenario(standing)[0].given()
    since = {name for name, whose in question.origin.items() if whose == "learner" and name not in own}
    kept = {name for name in since if name in before and before[name] == question.scenario.given().get(name)}
    return replace(question, origin={**question.origin, **dict.fromkeys(kept, "earlier")})


def _only_computes(message: str, turn: Turn) -> bool:
    """Whether a message asks for numbers, and not whether anything is so."""
    return turn.quantity is not None and says("compute", message) and not yes_or_no(message)


def _in_figures(
    found: Worded, turn: Turn, standing: Mapping[str, Any], language: str, style: str, message: str
) -> Question:
    """Figures that the sentence itself decides: the verdict opens the page of the lesson that they belong to."""
    given = standing if found.standing else turn.given
    own, error = own_scenario({n: x for n, x in given.items() if n in PARAMETERS} if found.asks else given)
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
        judged=None if found.asks else _sentence(message),
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
