"""How a page is opened: with which question and which numbers (?q=…&lang=…&s=…); and its link."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.beside import as_text, parts
from prompts.box import SAME, beside_box, on_message
from prompts.chat import asked, retell
from prompts.functions.given import link
from prompts.model import who_listens
from prompts.read.conversation import taken_back, turns
from prompts.tell.leading import leading
from prompts.tell.learner_text import plain
from prompts.tell.words import word, words


async def on_address(parameters: Mapping[str, str], history: Any, scenario: Any, *beside: Any) -> AsyncIterator[Any]:
    """The question in the address, answered on its numbers; nothing changes where there is neither."""
    given, question = as_text(parts(parameters.get("s"))), plain(parameters.get("q", ""))
    if given:
        before = [*turns(history), asked(question)] if question else turns(history)
        async for conversation, box in beside_box(retell(before, given, *beside[:1])):
            yield conversation, box, given, SAME
    elif question:
        async for shown in on_message(question, history, scenario, *beside):
            yield shown
    else:
        yield (SAME,) * 4


def begun(language: str) -> dict[str, Any]:
    """What only the tutor can say of a page that is opened."""
    return {"starts": starts(language), "listens": who_listens() or ""}


def starts(language: str) -> list[dict[str, str]]:
    """Questions to begin with, each under its theme."""
    themes = words(language)["starts"]
    questions = [leading([way], lessons()[OUT_OF_SCOPE], language)[0] for way in themes]
    return [
        {"text": text, "display_text": f"{theme}\n{text}"}
        for theme, text in zip(themes.values(), questions, strict=True)
    ]


def to_share(history: Any, scenario: Any, lang: Any) -> str:
    """The address that asks the last question again, on the same numbers; where it is too long, that it is."""
    known = lang if lang in LANGUAGES else LANGUAGES[0]
    _, question = taken_back(turns(history))
    return link(question or "", known, as_text(parts(scenario))) or word(known, "taken", "too_long")
