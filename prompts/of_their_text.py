"""The sections of a page that are about the learner's own text: its numbers marked, its sentences beside facts."""

from __future__ import annotations

from engine.audits import Audited
from prompts.read import Question
from prompts.tell import pasted, sentences
from prompts.tell.sections import Section


def of_their_text(question: Question, audited: Audited | None) -> tuple[Section, ...]:
    return (
        *pasted.sections(question.pasted, audited, question.language),
        *sentences.sections(question.said, question.claims, question.language),
    )
