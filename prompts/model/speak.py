"""An opening in a model's words: every sentence marks the facts that it says, and what is not theirs goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from prompts.model.asking import Talk, cost
from prompts.model.calls import Result
from prompts.model.candidates import WORDS
from prompts.model.connection import NoReplyError
from prompts.model.lock import around, leans, no_question, objection
from prompts.model.prompt import prompt
from prompts.model.reply import Answer, Compared, Sentence, answers
from prompts.model.understood import Check, Proposed
from prompts.read.nearest import Near

SENTENCES = 4
ENOUGH = 0.5  # of the sentences; where fewer are left the built-in opening stands
A_WORD = 12  # tokens of an answer, with what stands around it
Looked: TypeAlias = Answer | Literal["not"]  # what was found of a pair; not: there was no room to ask
_AGREES = {"same": "same", "opposite": "opposite", "depends": "more"}


@dataclass(frozen=True)
class Said:
    """A sentence and the facts that it says; where a model's words went, the first of these as it is known."""

    text: str
    facts: tuple[Near, ...]
    own: bool = True  # whether the words are the model's
    results: tuple[Result, ...] = ()  # that were computed from what the learner gave
    wrote: str = ""  # the learner's words that it speaks of, as they stand

    @property
    def marks(self) -> tuple[Near | Result, ...]:
        return (*self.facts, *self.results)


@dataclass(frozen=True)
class Pair:
    said: str
    fact: str
    wrote: str = ""


def opening(
    check: Check, given: Sequence[Sentence], proposed: Proposed | None, talk: Talk
) -> tuple[tuple[Said, ...], Proposed | None]:
    """What may be shown of the sentences, and the verdict if a second look agrees."""
    check.sentences = len(given)
    said = _locked(check, given)
    own = [one for one in said if one.own and one.marks and one.text not in map(check.says, one.marks)]
    asked = [Pair(proposed.sentence, check.says(proposed.fact))] if proposed is not None else []
    asked += [Pair(one.text, " ".join(map(check.says, one.marks)), one.wrote) for one in own]
    found = _compared(asked, talk)
    if found is None:
        check.drop("opening", "not compared")
        return (), None
    if proposed is not None:
        verdict, *found = found
        if verdict != _AGREES[proposed.says]:
            check.drop("judged", f"compared: {verdict}")
            proposed = None
    other = {one: answer for one, answer in zip(own, found, strict=True) if answer != "same"}
    for answer in other.values():
        check.drop("opening", f"compared: {answer}")
    kept = [left for one in said for left in (_as_known(check, one.marks) if one in other else [one])]
    return _enough(check, kept), proposed


def _locked(check: Check, given: Sequence[Sentence]) -> list[Said]:
    """The sentences against which nothing is known; in the place of others the fact that they mark."""
    language, room = check.question.language, WORDS[check.question.language]
    said, gone = [], False
    for place, one in enumerate(given[:SENTENCES], start=1):
        text = " ".join(one.say.split())
        marks = tuple(dict.fromkeys(found for number in one.facts if (found := check.shown(number)) is not None))
        room -= len(text) if language == "zh" else len(text.split())
        against = "length" if room < 0 else None
        if not one.facts and place == len(given):
            against = against or no_question(text, language, check.message)
        else:
            against = against or objection(text, [*map(check.says, marks)], language, check.message)
        against = against or ("leans on what went" if gone and leans(text) else None)
        gone = against is not None
        if against is not None:
            check.drop("opening", against)
        if against is None:
            facts = tuple(one for one in marks if isinstance(one, Near))
            results = tuple(one for one in marks if isinstance(one, Result))
            said.append(Said(text, facts, True, results, around(text, check.message, [*map(check.says, marks)])))
        elif marks and room >= 0:
            said += _as_known(check, marks)
    return said


def _as_known(check: Check, marks: Sequence[Near | Result]) -> list[Said]:
    """The first fact as it is known; of results alone nothing is left."""
    return [Said(check.says(one), (one,), own=False) for one in marks if isinstance(one, Near)][:1]


def _enough(check: Check, said: Sequence[Said]) -> tuple[Said, ...]:
    """Each fact once; nothing where too few of the sentences are in the model's words."""
    own = {near for one in said if one.own for near in one.facts}
    kept = [one for one in dict.fromkeys(said) if one.own or one.facts[0] not in own]
    if not any(one.marks for one in kept):
        return ()
    if sum(one.own for one in kept) >= ENOUGH * len(kept):
        return tuple(kept)
    check.drop("opening", "too little left")
    return ()


def _compared(pairs: Sequence[Pair], talk: Talk) -> Sequence[Looked] | None:
    """What a second, short question to the model says of each pair; those that it has no room for are not compared."""
    for count in range(len(pairs), 0, -1):
        turns = [{"role": "user", "content": prompt("compare", pairs=pairs[:count])}]
        longest = A_WORD * (count + 2)
        if cost(turns) + longest <= talk.left:
            try:
                found = answers(talk.ask(turns, Compared, longest), count)
            except NoReplyError:
                return None
            unasked: list[Looked] = ["not"] * (len(pairs) - count)
            return None if found is None else [*found, *unasked]
    return None if pairs else ()
