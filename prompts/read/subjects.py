"""The lesson and the computation that a message wants, in the light of the turn before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.heard import AUDIT, BOTH, Heard, by_words
from prompts.read.leaning import doubts, only_names, refers_back, says_little
from prompts.read.memory import Told, complete
from prompts.read.numbers import names_method, wanted_quantity
from prompts.read.numbers.cues import says
from prompts.read.turn import Alternatives, Turn, first

NOWHERE = ((OUT_OF_SCOPE, 1.0),)
_BY_THE_LISTS = frozenset(["gae", "masked_gae", "lambda_sweep"])  # told apart by what is there, not by words
_FROM_OTHER_LISTS = frozenset(["reward_to_go", "whiten", "grpo", "rloo", "clip", "surrogate", "value_loss"])
_OF_KL = frozenset(["kl_rewards", "kl_estimators"])
_ONE_LIST = {"whiten": "advantages", "grpo": "group_rewards", "rloo": "group_rewards", "reward_to_go": "rewards"}
_OWN_WAY = frozenset(["whiten", "nstep_mixture"])  # what a subject computes from r and V, beyond their advantages


def works_on(turn: Turn) -> str | None:
    """The list that the computation of a subject works on, where it is one list."""
    quantity = turn.quantity or next(iter(lessons()[turn.lesson].quantities), None)
    return _ONE_LIST.get(quantity or "")


def home_of(quantity: str | None) -> str | None:
    """The lesson of a computation."""
    return next((lesson.id for lesson in lessons().values() if quantity in lesson.quantities), None)


def subject_after(
    before: Turn, heard: Heard, quantity: str | None, given: Mapping[str, Any], *, goes_on: bool, moved: bool
) -> Alternatives:
    """Lessons with scores, best first. Bare numbers with a wish to compute lead to the lesson of the computation."""
    decision = heard.decision
    home = home_of(quantity)
    elsewhere = goes_on and not heard.handed and before.quantity is not None
    same = None if before.lesson == AUDIT and brings_others(heard) else home_of(before.quantity)
    if elsewhere and home not in (None, before.lesson, same):
        return first(str(home), before.alternatives)
    if goes_on and decision.lesson != before.lesson:
        return before.alternatives
    alternatives = tuple((id, score) for id, score in decision.alternatives if id in lessons()) or NOWHERE
    if moved:
        return alternatives
    if decision.lesson == OUT_OF_SCOPE and "lams" in heard.numbers.params and says_little(heard.numbers.unspent):
        return first(str(home_of("lambda_sweep")), alternatives)
    computes = (
        heard.numbers.data
        or heard.numbers.edits
        or "lams" in heard.numbers.params
        or (before.memory.params and refers_back(heard.message))
    )
    back = refers_back(heard.message) and not complete(heard.numbers)  # my rewards are 0, 1: they are there now
    if decision.lesson != AUDIT and back and computes and home and only_names(heard.message):
        return first(home, alternatives)
    if (
        home
        and decision.lesson == AUDIT
        and heard.numbers.data
        and not (heard.numbers.claimed or doubts(heard.message))
    ):
        return first(home, alternatives)
    if home and decision.lesson != AUDIT and complete(heard.numbers) and _only_computes(heard):
        return first(home, alternatives)
    if home and quantity in _OF_KL and heard.numbers.data and only_names(heard.message):
        return first(home, alternatives)
    elsewhere = quantity in _FROM_OTHER_LISTS and not set(given) >= BOTH and decision.lesson != AUDIT
    if home is None or not computes or (decision.sure and not elsewhere and decision.lesson != OUT_OF_SCOPE):
        return alternatives
    return first(home, alternatives)


def brings_others(heard: Heard) -> bool:
    """Whether a message brings numbers of which nothing was stated so far."""
    return complete(heard.numbers) and not (heard.handed or heard.numbers.claimed)


def _only_computes(heard: Heard) -> bool:
    """Whether a message asks to have something computed, and nothing about it."""
    asks = says("compute", heard.message) or says_little(heard.numbers.unspent)
    return asks and only_names(heard.message) and heard.wish in (None, "numbers", "table")


def quantity_after(before: Turn, heard: Heard, found: Told, *, goes_on: bool) -> str | None:
    """Which computation is wanted. A change of numbers wants the one before, unless its words say another."""
    if found.on_example:
        home = lessons()[before.lesson if goes_on else heard.decision.lesson].quantities
        return home[0] if home and "rewards" not in found.given else _of_example(found.given)
    numbers = replace(heard.numbers, params=dict(found.given))
    data = heard.numbers.data
    said = wanted_quantity(heard.message, numbers) if data else by_words(heard.message, numbers)
    back = before.computed is not None and (heard.resumes or refers_back(heard.message))
    last = before.computed if back else before.quantity
    own = lessons()[before.lesson].quantities[:1] if goes_on and data and said == "gae" else ()
    if _OWN_WAY & {*own}:
        return own[0]
    other_group = goes_on and {said, last} == {"grpo", "rloo"}
    if other_group and not names_method(heard.message, said):
        return last
    if not goes_on or data or last in (None, *_BY_THE_LISTS):
        return said
    changes = said != wanted_quantity("", numbers) or names_method(heard.message, said)
    return said if changes else last


def _of_example(given: Mapping[str, Any]) -> str | None:
    cases = (("group_rewards", "grpo"), ("scores", "pipeline"), ("rewards", "gae"), ("advantages", "whiten"))
    return next((quantity for name, quantity in cases if name in given), None)
