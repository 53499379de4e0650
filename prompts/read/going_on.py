"""Whether a message goes on with the subject of the one before, or has one of its own."""

from __future__ import annotations

from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read.asserting import yes_or_no
from prompts.read.form import again, asks_why
from prompts.read.heard import (
    BOTH,
    LONGEST_ASIDE,
    Heard,
    brings_numbers,
    completes,
    names_what_is_wanted,
    own_question,
)
from prompts.read.language import beside_language
from prompts.read.leaning import (
    asks_again,
    asks_of_it,
    echoes,
    leans,
    moves_on,
    only_wishes,
    says_little,
    speaks_of_an_element,
    speaks_of_it,
    wants_it_explained,
)
from prompts.read.new_subject import adds_a_condition, turns_away
from prompts.read.numbers import Numbers, wanted_quantity
from prompts.read.turn import Turn

_SHOWN_BY_TOKEN = frozenset(["telescoping", "advantage_sum", "returns_identity", "why_not_delta"])  # on r and V
_SUMS = frozenset(["advantage_sum", "telescoping"])  # lessons about a number that can be had
LIKELIEST = 3  # lessons that a message may be about
LIKELY = 0.6  # of a lesson's probability: a message that leans has a subject of its own
_NOT_FROM_BOTH = frozenset(["grpo", "rloo", "clip", "surrogate", "kl_rewards", "kl_estimators"])


def goes_on(before: Turn, heard: Heard) -> bool:
    """Whether a message goes on with the subject: it changes numbers, says in which form, or leans on what was said.

    A message that surely has a subject of its own is a new question, however it begins.
    """
    numbers, decision = heard.numbers, heard.decision
    if decision.lesson == before.lesson or heard.resumes or heard.handed:
        return True
    if turns_away(heard.message) and decision.lesson != OUT_OF_SCOPE:
        return False
    if _goes_on_by_numbers(before, heard) or adds_a_condition(heard.message):
        return True
    if numbers.edits or numbers.mentions:
        return not own_question(heard, before.lesson) and len(numbers.unspent) <= LONGEST_ASIDE
    if _only_wishes(heard):
        return True
    if asks_for_another_fact(before, heard) or says_it_of_the_same(before, heard) or wants_it_explained(heard.message):
        return True
    if (
        before.quantity is not None
        and speaks_of_an_element(heard.message)
        and len(numbers.residue) <= LONGEST_ASIDE // 2
    ):
        return not decision.sure or asks_why(heard.message)
    if decision.sure and decision.lesson != OUT_OF_SCOPE:
        return False
    return (not decision.sure and asks_of_it(heard.message)) or _leans(heard)


def _leans(heard: Heard) -> bool:
    """Whether a message begins or ends as one that goes on, and names no subject of its own."""
    numbers, decision = heard.numbers, heard.decision
    wishes = heard.wish is not None or heard.asked_language is not None
    likely = decision.lesson != OUT_OF_SCOPE and decision.alternatives[0][1] >= LIKELY
    if likely and heard.wish in (None, "why") and not says_little(heard.message):
        return False
    return (wishes or leans(heard.message)) and len(numbers.residue) <= LONGEST_ASIDE and _not_thanks(heard)


def _only_wishes(heard: Heard) -> bool:
    """Whether a message says no more than in which form or language it is to be told, or that there be more of it."""
    if heard.asked_language is not None and says_little(beside_language(heard.message)):
        return True
    wishes = heard.wish is not None or heard.asked_language is not None
    return (wishes or again(heard.message)) and only_wishes(heard.message)


def says_it_of_the_same(before: Turn, heard: Heard) -> bool:
    """Whether a message says or doubts something of what was spoken of, and calls it "it" or nothing at all."""
    likely = before.lesson in [id for id, _ in heard.decision.alternatives[:LIKELIEST]]
    said_again = asks_again(heard.message) or echoes(heard.message, "") is not None
    return said_again or (likely and speaks_of_it(heard.message))


def _goes_on_by_numbers(before: Turn, heard: Heard) -> bool:
    """Whether a message brings lists for the earlier ones or others for the subject, or a method for either."""
    if before.memory.params and completes(heard, before.memory.params):
        return True
    if moves_on(heard.message) and asks_for_another_fact(before, heard):
        return True
    return brings_numbers(heard) and _can_compute(before.lesson, heard.numbers)


def _can_compute(lesson: str, numbers: Numbers) -> bool:
    """Whether the numbers of a message are what a subject is shown on."""
    own = lessons()[lesson].quantities
    return wanted_quantity("", numbers) in own or (set(numbers.params) >= BOTH and not _NOT_FROM_BOTH & {*own})


def _not_thanks(heard: Heard) -> bool:
    return heard.wish is not None or heard.decision.lesson != OUT_OF_SCOPE or not heard.decision.sure


def shows_elsewhere(before: Turn, heard: Heard) -> bool:
    """Whether a message wants another lesson on the numbers before: now the telescoping sum."""
    other = heard.decision.lesson not in (OUT_OF_SCOPE, before.lesson) and heard.decision.sure
    own = lessons()[heard.decision.lesson].quantities
    by_token = heard.decision.lesson in _SHOWN_BY_TOKEN and set(before.memory.params) >= BOTH
    fits = other and (by_token or before.quantity in own) and before.quantity is not None
    return fits and not heard.numeric and heard.wish in (None, "numbers", "table") and moves_on(heard.message)


def asks_for_another_fact(before: Turn, heard: Heard) -> bool:
    """Whether a message names other numbers that can be had; what is said of them is no wish for them."""
    about_sums = heard.decision.sure and heard.decision.lesson in _SUMS
    if yes_or_no(heard.message) or about_sums:
        return False
    return names_what_is_wanted(heard, before.memory.params, before.quantity)
