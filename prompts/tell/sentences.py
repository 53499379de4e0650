"""A pasted answer, sentence by sentence, beside the facts nearest to them; first what in it contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.audits import Claim
from engine.example import RUNNING
from engine.notation import SYMBOLS, Symbol
from lessons._fact import Fact
from lessons._lesson import lessons
from prompts.read.told_beside import Beside, opposed, told_beside, two_numbers
from prompts.tell.ground import Grounded, emit, release
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import inline
from prompts.tell.says import says
from prompts.tell.sections import SENTENCES, Section
from prompts.tell.words import word


def sections(message: str, claims: Sequence[Claim], language: str) -> tuple[Section, ...]:
    """The section of a page that shows it, where there is any."""
    found = told_beside(message)
    parts = [*_contradictions(found, claims, language)]
    if found:
        parts += [word(language, "sentences", "head"), "\n".join(_beside(one, language) for one in found)]
    return (Section(SENTENCES, language, release("\n\n".join(parts))),) if parts else ()


def _contradictions(found: Sequence[Beside], claims: Sequence[Claim], language: str) -> Iterator[str]:
    for one, other in opposed(found):
        yield f"{word(language, 'sentences', 'both')}\n\n{_said(one)}\n{_said(other)}"
    for name, index, first, second in two_numbers(claims):
        what = inline(Symbol(name, index).latex) if name in SYMBOLS else Grounded(f"`{name}`")
        said = word(language, "sentences", "numbers").replace("{what}", emit(what))
        yield said.replace("{one}", emit(Grounded(first))).replace("{other}", emit(Grounded(second)))


def _said(one: Beside) -> str:
    return f"- “{emit(quoted(one.sentence))}”"


def _beside(one: Beside, language: str) -> str:
    verdict = _verdict(one)
    judged = f" {word(language, 'sentences', verdict)}" if verdict else ""
    return f"{_said(one)}{judged}\n  - {emit(says(_fact(one.fact).says[language]))}"


def _fact(id: str) -> Fact:
    lesson, _, fact = id.partition("/")
    return lessons()[lesson].facts[fact]


def _verdict(one: Beside) -> str | None:
    """Of the sentence itself, where it is surely known what it states."""
    if one.states is None or not one.sure:
        return None
    return _fact(one.fact).judge(RUNNING, denied=one.states.denied).verdict
