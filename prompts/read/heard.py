"""One message read by itself, and how it stands to the numbers that were given before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError
from engine.scenario import LISTS, PARAMETERS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.asking import mood, sentences
from prompts.read.beside import meaning
from prompts.read.leaning import doubts, hands_over, moves_on, names_a_fact, only_names, says_little
from prompts.read.lesson import Decision, decide
from prompts.read.memory import complete
from prompts.read.numbers import Numbers, names_method, wanted_quantity
from prompts.read.numbers.cues import FACTS, says

LONGEST_ASIDE = 60  # characters of a message that can go on with a subject without naming it
AUDIT = "audit"
MOST_SHOWN = 6  # numbers of a list that nobody named
BOTH = frozenset(["rewards", "values"])
_OF_A_GROUP = re.compile(
    r"\b(?:answers?|responses?|samples?|rollouts?|completions?|rewards?|scores?|scored|advantages?|grpo|rloo|group|prompt"
    r"|two|three|four|five|six|eight|each|respectively)\b"
    r"|回答|回复|样本|答案|奖励|得分|分数|优势|一组|同一个?|提示|分别|各得|得到?|多少|[两三四五六八]个|问题",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(  # a list that somebody has, and does not give
    r"\b(?:my|our) (?P<en>rewards?|values?|scores?)\b|我们?的?(?P<zh>奖励|价值|得分)"
    r"|\b(?P<all>rewards?|values?|scores?) (?:are|is) (?:all|mostly|(?:nearly|almost) all)? ?(?:zeros?|0s?|ones?)\b"
    r"|(?P<every>奖励|价值|得分)(?:都|全|基本|几乎|大多|差不多)+(?:都|全)?(?:是|为) ?(?:0|零|一样)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:throughout|always|everywhere|below|following|from now on|parameters?|settings?|hyper-?parameters?)\b"
    r"|以后|之后|后面|接下来|下面|一直|始终|统一|参数|超参|设置|先|都|均|取|设",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Heard:
    """One message, read by itself."""

    message: str
    numbers: Numbers
    decision: Decision
    wish: str | None
    asked_language: str | None
    resumes: bool = False  # goes back to an earlier subject by its name
    handed: bool = False  # wants what was told once more, with the lists that it brings

    @property
    def numeric(self) -> bool:
        """Whether it gives or changes numbers."""
        return bool(self.numbers.edits or self.numbers.mentions or self.numbers.data)

    @property
    def settings(self) -> bool:
        """Whether it gives parameters and says nothing else: γ=0.9, λ=0.8."""
        numbers = self.numbers
        own = {name for name in numbers.params if name in PARAMETERS}
        others = numbers.claimed or numbers.unnamed or any(edit.op != "set" for edit in numbers.edits)
        only = own == {*numbers.params} and {edit.target for edit in numbers.edits} <= own and not others
        return bool(own) and only and says_little(_LASTING.sub(" ", numbers.unspent))

    @property
    def in_passing(self) -> bool:
        """Whether it speaks of a change among other things: "setting the next value to 0 is harmless"."""
        return len(self.message) > LONGEST_ASIDE or not says_little(self.numbers.unspent)


def own_question(heard: Heard, lesson: str) -> bool:
    """Whether what is left beside the changes asks for something else."""
    left = heard.numbers.unspent
    if says_little(left):
        return False
    other = decide(left)
    return other.sure and other.lesson not in (OUT_OF_SCOPE, lesson)


def completes(heard: Heard, remembered: Mapping[str, Any]) -> bool:
    """Whether a message brings lists that need those of earlier turns: oops, values = [0.1, 0.2, 0.5]."""
    numbers = heard.numbers
    lists = {
        name for name, x in numbers.params.items() if isinstance(x, list) and name not in ("lams", *numbers.mentions)
    }
    if not lists or complete(numbers) or not any(isinstance(x, list) for x in remembered.values()):
        return False
    alone = wanted_quantity(heard.message, replace(numbers, params={name: numbers.params[name] for name in lists}))
    return alone not in ("reward_to_go", "whiten") or bool(lists & set(remembered)) or {*lists, *remembered} >= BOTH


def enough(heard: Heard) -> bool:
    """Whether rewards alone are all that is needed: a reward-to-go is called by its name."""
    rewards = heard.numbers.params.get("rewards")
    alone = isinstance(rewards, list) and len(rewards) > 1 and "values" not in heard.numbers.params
    return alone and says("reward_to_go", heard.message) and not FACTS["advantages"].search(heard.message)


def brings_numbers(heard: Heard) -> bool:
    """Whether a message hands over what it takes to compute and says little else: with r = …, V = …"""
    numbers = heard.numbers
    return complete(numbers) and says_little(numbers.unspent) and hands_over(heard.message)


def with_subject(numbers: Numbers, name: str | None) -> dict[str, Any]:
    """The numbers of a message, a list that nobody named for what the subject computes with: use [1, 2, 4]."""
    lists = [spare.value for spare in numbers.unnamed if spare.name is None]
    if name is None or len(lists) != 1 or numbers.params or numbers.claimed:
        return numbers.params
    words = _OF_A_GROUP.sub(" ", numbers.unspent) if name == "group_rewards" else numbers.unspent
    return {name: lists[0]} if says_little(words) else numbers.params


def names_what_is_wanted(heard: Heard, remembered: Mapping[str, Any], quantity: str | None) -> bool:
    """What about the returns? after a computation."""
    if not remembered or heard.numbers.data or heard.wish not in (None, "numbers", "table") or quantity is None:
        return False
    brief = len(heard.message) <= LONGEST_ASIDE // 2
    named = brief and names_a_fact(heard.message)
    return named or ((brief or moves_on(heard.message)) and _other_quantity(heard, remembered, quantity) is not None)


def _other_quantity(heard: Heard, remembered: Mapping[str, Any], quantity: str) -> str | None:
    """The computation on the remembered numbers that the words of a message change to."""
    numbers = replace(heard.numbers, params={**remembered, **heard.numbers.params})
    found = by_words(heard.message, numbers)
    by_name = found != quantity and names_method(heard.message, found)
    changed = (by_name or found not in (quantity, wanted_quantity("", numbers))) and only_names(heard.message)
    return found if changed else None


def by_words(message: str, numbers: Numbers) -> str | None:
    """The computation that the words and the lists say; advantages that are to be whitened are computed first."""
    whitened = says("whiten", message) and set(numbers.params) >= BOTH
    return "whiten" if whitened else wanted_quantity(message, numbers)


def unread(heard: Heard, given: Mapping[str, Any]) -> EngineError | None:
    """What is wrong where a message brings lists to compute with and none of them can be used."""
    numbers = heard.numbers
    alone = {name for name in given if name in LISTS} == {"advantages"} and bool(numbers.data)
    doubted = doubts(heard.message) or says("audit", heard.message)
    if alone and doubted and not numbers.claimed and not says("whiten", heard.message):
        return EngineError("missing", field="rewards", position=())
    asks = says("compute", heard.message) or (names_a_fact(heard.message) and only_names(heard.message))
    spoiled = next((one for one in numbers.spoiled if len(numbers.params.get(one.name, ())) < 2), None)
    if spoiled is not None and (asks or says_little(numbers.unspent)):
        return EngineError("word_in_list", field=spoiled.name, position=(spoiled.place,), value=spoiled.entry)
    if numbers.edits or any(name in LISTS and name != "lams" for name in given):
        return None
    described = _DESCRIBED.search(heard.message)
    if described is not None and not given.keys() & {*LISTS} and _wants_them_computed(heard.message):
        return EngineError("missing", field=meaning(described[described.lastgroup or 0]), position=())
    spare = [found.value for found in numbers.unnamed if found.name is None and len(found.value) > 1]
    if spare and (asks or says_little(numbers.unspent)):
        return EngineError("unnamed_list", field="list", position=(), shown=_shown(spare[0]))
    stated = next((name for name, x in numbers.claimed.items() if isinstance(x, list) and len(x) > 1), None)
    return EngineError("missing", field="rewards", position=()) if stated and asks else None


def _wants_them_computed(message: str) -> bool:
    """Whether a sentence wishes for a computation, and does not ask how it is done."""
    return any(mood(sentence) == "wishes" and says("compute", sentence) for sentence in sentences(message))


def _shown(numbers: list[Any]) -> str:
    shown = ", ".join(f"{x:g}" if isinstance(x, float) else "…" for x in numbers[:MOST_SHOWN])
    return f"[{shown}{', …' if len(numbers) > MOST_SHOWN else ''}]"


def checks(heard: Heard) -> bool:
    """Whether results are stated and doubted: numbers to compute with alone are no audit."""
    doubted = doubts(heard.message) or says("audit", heard.message) or heard.decision.lesson == AUDIT
    return bool(heard.numbers.claimed) and doubted and not heard.handed
