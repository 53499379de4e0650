"""The tutor in a chat: a conversation in, the conversation with its answer out. Nothing that is sent in raises."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from engine.models.progress import Progress
from lessons._lesson import LANGUAGES
from prompts.answer import Answer
from prompts.beside import ALL, EARLIER, by_hand
from prompts.read.conversation import Turn, questions, taken_back, turns
from prompts.read.language import language, of_conversation
from prompts.read.turns import follow
from prompts.taken.wish import wishes_to_keep
from prompts.tell.figures import Picture, drawn_into
from prompts.tell.learner_text import plain, verbatim
from prompts.tell.markdown import folded
from prompts.tell.observed import progress
from prompts.tell.sections import QUIZ, Section
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE, Request, answer
from prompts.watched import watched

_MARKED = re.compile(r"(?<=\\\))(?=[、，。；：？！）”,.;:?!)])|(?<=[（“(])(?=\\\()")
_JOINER = "\u2060"
LONGEST_ECHO = 600  # characters shown of a message that is too long to be answered


async def tell(message: Any, history: Any, scenario: Any = "", listens: Any = True) -> AsyncGenerator[list[Turn], None]:
    """The conversation with the message, then with its answer; a run says how far it is in between."""
    before = stopped(history)
    text = plain(message) if isinstance(message, str) else None
    if text == "":
        yield before
        return
    conversation = [*before, asked(text)]
    yield conversation
    messages = () if text is None else (*questions(before), text)
    given = await asyncio.to_thread(by_hand, messages[:-1], scenario)
    async with aclosing(_told(Request(messages, None, given, overruled=EARLIER, alone=listens is False))) as telling:
        async for turn in telling:
            yield [*conversation, turn]


async def retell(history: Any, scenario: Any = "", listens: Any = True) -> AsyncGenerator[list[Turn], None]:
    """The last question, asked again on the numbers as they stand now, in the language that it was answered in."""
    told = turns(history)
    before, question = taken_back(told)
    if question is None:
        yield before
        return
    messages = (*questions(before), question)
    answered = "".join(turn["content"] for turn in told[len(before) + 1 :])
    given = await asyncio.to_thread(by_hand, messages, scenario)
    request = Request(messages, language(answered), given, overruled=ALL, alone=listens is False)
    async with aclosing(_told(request)) as telling:
        async for turn in telling:
            yield [*before, asked(question), turn]


async def reword(history: Any, scenario: Any, lang: Any) -> list[Turn]:
    """Every answer in another language, its question as it was asked; what was run on a model stays as it is."""
    told = turns(history)
    asked = [i for i, turn in enumerate(told) if turn["role"] == "user"]
    for i, following in zip(asked, [*asked[1:], len(told)], strict=True):
        messages = questions(told[: i + 1])
        if following != i + 2 or await asyncio.to_thread(_is_run, messages) or wishes_to_keep(messages[-1]):
            continue
        given = await asyncio.to_thread(by_hand, messages, scenario) if following == len(told) else None
        async with aclosing(_told(Request(messages, lang, given, overruled=ALL, alone=True))) as telling:
            async for turn in telling:
                told[i + 1] = turn
    return told


def _is_run(messages: tuple[str, ...]) -> bool:
    return follow(messages).trial is not None


def stopped(history: Any) -> list[Turn]:
    """The conversation when the learner has stopped the answer: what was being run is not shown as if it went on."""
    kept = turns(history)
    if kept and is_progress(kept[-1]):
        kept.pop()
    if kept and kept[-1]["role"] == "user":
        kept.append(_says(word(of_conversation(questions(kept)), "progress", "stopped")))
    return kept


def is_progress(turn: Turn) -> bool:
    """Whether the tutor's turn only says how far a run is."""
    said = [word(known, "progress", key) for known in LANGUAGES for key in ("running", "listening")]
    beginnings = tuple(text.split("{")[0] for text in said)
    return turn["role"] == "assistant" and turn["content"].startswith(beginnings)


async def once(message: str) -> str:
    """The answer to one message, as Markdown."""
    found = Answer("", (), "en", "plain", "")
    messages = (plain(message),) if isinstance(message, str) else ()
    async with aclosing(_answers(Request(messages))) as answers:
        async for answered in answers:
            found = answered if isinstance(answered, Answer) else found
    return found.markdown


def asked(text: str | None) -> Turn:
    """The learner's turn as a page shows it: what was typed, and nothing that it could turn into."""
    if text is not None and len(text) > LONGEST_MESSAGE:
        text = text[:LONGEST_ECHO] + "…"
    return {"role": "user", "content": verbatim(text or "…")}


async def _told(request: Request) -> AsyncGenerator[Turn, None]:
    """The tutor's turn, after turns that say how far a run is."""
    async with aclosing(_answers(request)) as answers:
        async for found in answers:
            if isinstance(found, Answer):
                yield _page(found)
            else:
                yield _says(progress(found, request.lang or of_conversation(request.messages)))


def _says(text: str) -> Turn:
    return {"role": "assistant", "content": text}


def _page(found: Answer) -> Turn:
    """An answer as a turn, what it names unfolding in place; the next questions stand beside it as options."""
    page = _quietly(found.markdown.removesuffix(f"{found.end}\n"), found.lang)
    folded = [section for section in found.closed if section.id != QUIZ]
    content = together("\n\n".join([drawn(page, found.figures), *map(unfolding, folded)]))
    quiz = [section.name for section in found.closed if section.id == QUIZ]  # it goes on by turns
    own = {"learner", "earlier"} & {*found.params.get("from", {}).values()}
    others = [word(found.lang, "taken", "example")] if own else []
    practice = quiz or [word(found.lang, "sections", QUIZ)]  # on every page
    guess = [word(found.lang, "replies", "predict")] if quiz else []
    chips = found.replies or (*found.followups, *practice, *guess, *others)
    options = [{"value": question} for question in chips]
    return {**_says(content), **({"options": options} if options else {})}


def together(page: str) -> str:
    """No line ends between a formula and the mark that belongs to it, where a browser would let it."""
    return _MARKED.sub(_JOINER, page)


def _quietly(page: str, lang: str) -> str:
    """The page, the line that says which numbers were taken set apart from the answer."""
    first, gap, rest = page.partition("\n\n")
    is_read = first.startswith(word(lang, "read", "line").partition("{")[0])
    return f'<div class="read">\n\n{first}\n\n</div>{gap}{rest}' if is_read else page


def unfolding(section: Section) -> str:
    """A section behind its name, with its drawings, and the numbers of each behind a name of their own."""
    if not section.pictures:
        return folded(section.heading, section.dressed or section.text)
    numbers = word(section.language, "labels", "figure_data")
    told = [f"{one.caption}\n\n{_drawing(one)}\n\n{folded(numbers, one.data)}".strip() for one in section.pictures]
    return folded(section.heading, "\n\n".join(told))


def drawn(page: str, figures: tuple[Picture, ...]) -> str:
    """The page with its drawings in their places."""
    return drawn_into(page, figures, {one.title: _drawing(one) for one in figures})


def _drawing(picture: Picture) -> str:
    """As a block of HTML, in which nothing is read as Markdown."""
    from prompts.tell.draw import drawn

    return f"<div>{drawn(picture)}</div>"


async def _answers(request: Request) -> AsyncGenerator[Progress | Answer, None]:
    """How far a run is, whenever that has changed; then the answer."""
    async with aclosing(watched(lambda heard: answer(replace(request, listener=heard)), request.stop)) as answers:
        async for found in answers:
            yield found
