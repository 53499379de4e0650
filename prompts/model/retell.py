"""A finished page told in other words: accepted only if its numerals and formulas are the page's."""

from __future__ import annotations

import logging
import re
import threading
from dataclasses import replace
from typing import Literal, TypeAlias

from engine.errors import EngineError
from engine.models.writer import Draft
from lessons._lesson import OUT_OF_SCOPE
from prompts.answer import Answer
from prompts.model.faithful import Objection, objections
from prompts.model.prompt import prompt
from prompts.model.writer import Writer
from prompts.tell.errors import describe
from prompts.tell.learner_text import quoted
from prompts.tell.words import word

_LOG = logging.getLogger(__name__)
Purpose: TypeAlias = Literal["simple", "metaphor"]
LONGEST = 800  # tokens
_METAPHOR = re.compile(
    r"\b(metaphor|analog(y|ies)|comparison)\b|(换|另|别的|其他|其它|再).{0,6}(比喻|比方|类比)|打个?比方", re.IGNORECASE
)


def purpose(message: str, form: str) -> Purpose | None:
    """In which way a message wants a page told again, if it does."""
    if form != "simple":
        return None
    return "metaphor" if _METAPHOR.search(message) else "simple"


def told_again(writer: Writer | EngineError, found: Answer, message: str, stop: threading.Event) -> Answer:
    """The answer with its page told in other words, where the message wants that and there is a page to tell; with the
    page as it was computed and a word on why, where the writer that was named cannot be had."""
    wish = purpose(message, found.form)
    judged = found.verdict is not None or bool(found.mistakes)  # a verdict stays in the words it was found in
    if wish is None or judged or found.error is not None or found.lesson == OUT_OF_SCOPE:
        return found
    end = f"{found.end}\n"
    page = found.markdown.removesuffix(end) + "\n\n"
    for drawn in found.figures:
        page = page.replace(f"{drawn.markdown}\n\n", "")
    try:
        told = (
            absent(writer, page, found.lang)
            if isinstance(writer, EngineError)
            else retold(writer, page, wish, found.lang, stop)
        )
    except EngineError as trouble:
        _LOG.warning("nothing is told again: %s", trouble)
        told = absent(trouble, page, found.lang)
    drawings = "".join(f"{drawn.markdown}\n\n" for drawn in found.figures)
    return found if told == page else replace(found, markdown=told + drawings + end)


def retold(writer: Writer, page: str, wish: Purpose, language: str, stop: threading.Event) -> str:
    """The page in the writer's words, and whose words they are; the page as it was where those cannot be shown."""
    draft = writer.write(prompt(wish, language, page=page), LONGEST, stop)
    against = _against(page, draft, language)
    if against:
        _LOG.info("a re-telling by %s is not shown: %s", writer.name, against)
        return page
    told_by = word(language, "labels", "retold").format(writer=quoted(writer.name))
    return f"{draft.text}\n\n{told_by}\n\n"


def absent(trouble: EngineError, page: str, language: str) -> str:
    """The page as it was computed, and why nobody tells it otherwise."""
    return page + word(language, "labels", "not_retold").format(reason=describe(trouble, language)) + "\n\n"


def _against(page: str, draft: Draft, language: str) -> tuple[Objection, ...]:
    """Why a draft cannot stand for the page; a copy of the page is no re-telling."""
    if not draft.finished:
        return (Objection("unfinished"),)
    if " ".join(page.split()) in " ".join(draft.text.split()):
        return (Objection("copied"),)
    return objections(page, draft.text, language)
