"""An opening in a model's words: every sentence marks the facts that it says, and what is not theirs goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lessons._lesson import lessons
from prompts.model.asking import Talk, cost
from prompts.model.candidates import WORDS
from prompts.model.connection import NoReplyError
from prompts.model.lock import leans, objection
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


@dataclass(frozen=True)
class Pair:
    said: str
    fact: str


def opening(
    check: Check, given: Sequence[Sentence], proposed: Proposed | None, talk: Talk
) -> tuple[tuple[Said, ...], Proposed | None]:
    """What may be shown of the sentences, and the verdict if a second look agrees."""
    check.sentences = len(given)
    said = _locked(check, given)
    own = [one for one in said if one.own and not any(one.text == _fact(check, near) for near in one.facts)]
    asked = [Pair(proposed.sentence, _says(check, [proposed.fact]))] if proposed is not None else []
    asked += [Pair(one.text, _says(check, one.facts)) for one in own]
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
    return _enough(check, [_as_known(check, one) if one in other else one for one in said]), proposed


def _locked(check: Check, given: Sequence[Sentence]) -> list[Said]:
    """The sentences against which nothing is known; in the place of others the fact that they mark."""
    language, room = check.question.language, WORDS[check.question.language]
    said, gone = [], False
    for one in given[:SENTENCES]:
        text = " ".join(one.say.split())
        facts = tuple(dict.fromkeys(near for number in one.facts if (near := check.fact(number)) is not None))
        room -= len(text) if language == "zh" else len(text.split())
        against = "length" if room < 0 else None
        against = against or objection(text, [_fact(check, near) for near in facts], language, check.message)
        against = against or ("leans on what went" if gone and leans(text) else None)
        gone = against is not None
        if against is not None:
            check.drop("opening", against)
        if facts and room >= 0:
            said.append(Said(text, facts) if against is None else _as_known(check, Said(text, facts)))
    return said


def _as_known(check: Check, one: Said) -> Said:
    return Said(_fact(check, one.facts[0]), one.facts[:1], own=False)


def _enough(check: Check, said: Sequence[Said]) -> tuple[Said, ...]:
    """Each fact once; nothing where too few of the sentences are in the model's words."""
    own = {near for one in said if one.own for near in one.facts}
    kept = [one for one in dict.fromkeys(said) if one.own or one.facts[0] not in own]
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


def _says(check: Check, facts: Sequence[Near]) -> str:
    return " ".join(_fact(check, near) for near in facts)


def _fact(check: Check, near: Near) -> str:
    return lessons()[near.lesson].facts[near.id].says[check.question.language]
