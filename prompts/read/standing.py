"""Another subject once there are numbers: it is shown on them, whether the message points at them or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.scenario import LISTS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.brief import named
from prompts.read.characters import clean
from prompts.read.form import asks_why
from prompts.read.going_on import asks_for_another_fact, says_it_of_the_same
from prompts.read.heard import AUDIT, BOTH, Heard, by_words
from prompts.read.leaning import (
    explains,
    moves_on,
    only_wishes,
    says_little,
    speaks_of_an_element,
)
from prompts.read.lesson import Decision, decide
from prompts.read.memory import complete
from prompts.read.new_subject import adds_a_condition, turns_away
from prompts.read.numbers import Numbers, wanted_quantity
from prompts.read.numbers.cues import FACTS
from prompts.read.turn import Turn

_OF_OTHER_LISTS = frozenset(["kl", "ratio", "objective", "clipfrac", "surrogate", "vf_loss", "baselines"])
LIKELIER = 0.6  # without a word that leads on
LIKELY = 0.5  # how probable a lesson is that a message only has to name: 接着看看伸缩求和
SURELY = 0.75  # how probable, beside numbers, without which the message was not clear
_NOUN = r"(?:numbers?|values and rewards|rewards and values|examples?|lists?|data|inputs?|setup|ones|response|case)"
_WHOSE = r"(?:these|those|this|that|the same|same|my|my own|the previous|previous|the above|the earlier|earlier|our)"
_THEM = rf"(?:{_WHOSE}(?: \w{{1,8}})? {_NOUN}|mine)\b(?: as before| again| above)?"
_ZH_THEM = (
    r"(?:刚才|刚刚|上面|前面|之前|我|同样|相同|同|这|那|原来)(?:的)?(?:这|那|一)?(?:组|些|几个|个|套|份|列|条)?(?:的)?"
    r"(?:数字|数据|数(?!学)|例子|列表|回答)(?:上|里|中|来说)?(?:面)?的?"
)
_WITH = r"(?:还是)?(?:就|再|先|接着)?(?:用|拿|按|对|在|以|基于|针对|顺着|围绕|结合|照着?)"
# Where they are only what something is shown on; elsewhere a message may be about them: are A and R the same list?
_ON_THEM = re.compile(
    rf"\b(?:with|on|for|using|use|in|of|from|over) \b{_THEM}|^\W{{0,4}}{_THEM}"
    r"|\b(?:with|on|for|using) (?:these|those|them)\b(?=\W*$)"
    rf"|\b(?:the )?same (?:with|for|but|using)\b|{_WITH}{_ZH_THEM}|^\W{{0,4}}{_ZH_THEM}",
    re.IGNORECASE,
)
_POINTING = re.compile(rf"{_ON_THEM.pattern}|\b{_THEM}|\bhere\b|{_ZH_THEM}|这里", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\b(?:running|your|default|built-in|standard) (?:own )?(?:example|numbers?|lists?|data)\b"
    r"|(?:通用|默认|你的|你们的|自带|内置)的?(?:那个|那组)?(?:例子|数(?!学)|数据|示例)",
    re.IGNORECASE,
)


def points_at_numbers(message: str) -> bool:
    """Whether a message says which numbers it is about: the ones that are there."""
    return _POINTING.search(message) is not None


def beside_numbers(message: str) -> str:
    """The message without the words that say on which numbers it is to be shown."""
    return " ".join(_ON_THEM.sub(" ", message).split())


def decision(message: str, numbers: Numbers, meant: Mapping[str, float]) -> Decision:
    """The lesson of a message; where it is not clear, by what it says beside its numbers or those it points at."""
    found = decide(message, meant)
    if complete(numbers):
        left = beside_numbers(numbers.unspent)
        other = found if (found.sure and found.lesson != OUT_OF_SCOPE) or _only_names(left) else decide(left)
        clear = other.lesson != OUT_OF_SCOPE and other.alternatives[0][1] >= SURELY
        return Decision(other.lesson, other.alternatives, True) if clear else found
    left = _POINTING.sub(" ", message)
    other = decide(left) if left.strip() and left != message else found
    clearer = other.lesson != OUT_OF_SCOPE and other.alternatives[0][1] > found.alternatives[0][1]
    return other if clearer or (other.lesson != OUT_OF_SCOPE == found.lesson) else found


def _only_names(words: str) -> bool:
    """Whether words beside numbers do no more than name what is to be computed from them."""
    return named(words) is not None or says_little(_beside_facts(words, FACTS))


def _beside_facts(words: str, facts: Iterable[str]) -> str:
    for fact in facts:
        words = FACTS[fact].sub(" ", words)
    return words


def another_subject(before: Turn, heard: Heard) -> bool:
    """Whether a message that brings no numbers asks about another lesson than the one before, there being numbers."""
    subject = heard.decision
    new = subject.lesson not in (OUT_OF_SCOPE, AUDIT, before.lesson) and (subject.sure or _likely(heard))
    new = new and not adds_a_condition(heard.message)
    no_more = heard.numeric or heard.numbers.claimed or _tells_otherwise(heard) or _other(before, heard)
    return new and _stands(before) and not no_more


def _tells_otherwise(heard: Heard) -> bool:
    """Whether a message only says in which form it wants what was told: it names a form, and no subject."""
    wishes = heard.wish not in (None, "why") and only_wishes(heard.message)
    return wishes and named(beside_numbers(heard.message)) is None


def _likely(heard: Heard) -> bool:
    """Whether a lesson is probable enough, and the message no word about one of the numbers before."""
    leading = moves_on(heard.message) or points_at_numbers(heard.message)
    likely = heard.decision.alternatives[0][1] >= (LIKELY if leading else LIKELIER)
    return likely and not speaks_of_an_element(heard.message)


def numbers_stay(before: Turn, heard: Heard) -> bool:
    """Whether another subject is shown on the learner's numbers: unless there are others, or the running example's."""
    numbers = heard.numbers
    others = numbers.edits or numbers.unnamed or any(name in LISTS and name != "lams" for name in numbers.params)
    away = turns_away(heard.message) or wants_the_example(heard.message)
    return heard.decision.lesson not in (OUT_OF_SCOPE, AUDIT) and _stands(before) and not others and not away


def wants_the_example(message: str) -> bool:
    """Whether a message asks for the running example in place of other numbers."""
    return _EXAMPLE.search(message) is not None


def _stands(before: Turn) -> bool:
    return any(name in LISTS and name != "lams" for name in before.memory.params)


def _other(before: Turn, heard: Heard) -> bool:
    """Whether the words want another number, or another computation, from what there is, or say more of the same."""
    if says_it_of_the_same(before, heard):
        return True
    if asks_why(heard.message) or explains(heard.message):
        return False
    numbers = Numbers(params=dict(before.memory.params))
    changes = by_words(heard.message, numbers) not in (None, before.quantity, wanted_quantity("", numbers))
    points = points_at_numbers(heard.message)
    if changes and (points or asks_for_another_fact(before, heard)):
        return True
    return _names_a_fact_of(before, heard.message) and not points


def _names_a_fact_of(before: Turn, message: str) -> bool:
    """Whether a message does no more than name numbers that can be had from what there is."""
    words = clean(message)
    of_other_lists = _OF_OTHER_LISTS if {*before.memory.params} >= BOTH else frozenset[str]()
    facts = {*FACTS} - of_other_lists
    return any(FACTS[name].search(words) for name in facts) and says_little(_beside_facts(words, facts))
