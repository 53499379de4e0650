"""A conversation as Markdown: every question with its answer, nothing left out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from prompts.read.conversation import Turn
from prompts.tell.learner_text import typed
from prompts.tell.words import word

_DRAWING = re.compile(r"<div><svg.*?</svg></div>", re.DOTALL)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL)
_READ = re.compile(r'\A<div class="read">\s*(.*?)\s*</div>', re.DOTALL)
_FOLD = re.compile(r"<details><summary>(.*?)</summary>", re.DOTALL)
_BLOCK = re.compile(r"[|#>$`~-]|\d+\. |!\[")  # how what is no paragraph begins


@dataclass(frozen=True)
class Exchange:
    """A question as it was typed, and all that was answered."""

    question: str
    answer: str


def dialogue(conversation: Sequence[Turn], when: datetime, language: str) -> str:
    """The conversation as a file that can be read anywhere."""

    def say(key: str) -> str:
        return word(language, "taken", key)

    head = f"# Chat Dialogue Log\n\n## {say('time')}\n{when:%Y-%m-%d %H:%M:%S}\n\n---\n\n## {say('content')}\n"
    told = [
        f"### {say('question').format(number=number)}\n"
        f"{say('user')}{one.question}\n\n"
        f"{say('assistant')}{_begun(one.answer)}\n"
        for number, one in enumerate(exchanges(conversation), 1)
    ]
    return "\n".join([head, "\n---\n\n".join(told)])


def exchanges(conversation: Sequence[Turn]) -> Iterator[Exchange]:
    """The questions, each with what was said until the next."""
    question, answers = None, list[str]()
    for turn in (*conversation, {"role": "user", "content": ""}):
        if turn["role"] == "assistant":
            answers.append(as_markdown(turn["content"]))
            continue
        if question is not None or answers:
            yield Exchange(question or "", "\n\n".join(answers))
        question, answers = typed(turn["content"]), []


def as_markdown(content: str) -> str:
    """What the page shows, for whoever shows no folds and no drawings: all unfolded, drawings by their titles."""
    told = _READ.sub(r"\1", _DRAWING.sub(lambda found: f"*{_title(found[0])}*", content))
    told = _FOLD.sub(lambda found: f"#### {found[1]}", told).replace("</details>", "")
    return re.sub(r"\n{3,}", "\n\n", told).strip()


def _title(drawing: str) -> str:
    found = _TITLE.search(drawing)
    return html.unescape(found[1]).strip() if found else "…"


def _begun(answer: str) -> str:
    """What is no paragraph stands on lines of its own."""
    return f"\n\n{answer}" if _BLOCK.match(answer) else answer
