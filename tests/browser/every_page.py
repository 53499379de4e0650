"""All that lessons say and draw, in the app's own chat component: `python -m tests.browser.every_page` serves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from app import CHAT, launching
from engine.scenario import Scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.chat import drawn
from prompts.read import completed, looked_at
from prompts.tell.figures import Picture
from prompts.tell.page import Telling, compose
from tests.paragraphs import paragraphs

FORMS = ("plain", "full", "simple", "quiz")
MACHINES_OWN = ("model",)
# What the tests must notice.
SPOILED = "A formula \\(\\frac{1}\\) that cannot be read, **粗体：**之后, and $x$."
WIDE = {
    "TABLE": "\n".join("| " + " | ".join([sign * 9] * 9) + " |" for sign in "a-b"),
    "SPAN": f"$$\\left({'x + ' * 40}y\\right)$$",
}
DRAWINGS = "drawings"  # where the figures are; the texts are at the root


def tellings() -> Iterator[tuple[str, str, list[str], tuple[Picture, ...]]]:
    """Every lesson in every language: its question, its page in each of the forms, and its figures."""
    complete, origin = completed(Scenario())
    for lesson in lessons().values():
        scenario = looked_at(lesson, complete, origin)
        shown = lesson.show(scenario)
        for language in LANGUAGES:
            told = [Telling(language, form, scenario, origin, shown, without=MACHINES_OWN) for form in FORMS]
            pages = [compose(lesson, one) for one in told]
            yield lesson.question[language], language, [page.markdown for page in pages], pages[1].pictures


def conversations() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Texts: every plain page, and behind it what no page before has said. Drawings in the first language."""
    texts: list[dict[str, Any]] = []
    drawings: list[dict[str, Any]] = []
    said: set[str] = set()
    for question, language, (plain, *others), figures in tellings():
        said.update(piece.strip() for piece in paragraphs(plain))
        new = [piece for page in others for piece in paragraphs(page) if piece.strip() not in said]
        said.update(piece.strip() for piece in new)
        texts += [_turn("user", question), _turn("assistant", "\n\n".join([plain, *dict.fromkeys(new)]))]
        if figures and language == LANGUAGES[0]:
            captions = "\n\n".join(one.markdown for one in figures)
            drawings += [_turn("user", question), _turn("assistant", drawn(captions, figures))]
    return [*texts, _turn("user", "…"), _turn("assistant", "\n\n".join([SPOILED, *WIDE.values()]))], drawings


def _turn(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


def main() -> None:
    texts, drawings = conversations()
    with gr.Blocks(analytics_enabled=False) as demo:
        gr.Chatbot(texts, **CHAT)
    with demo.route("Drawings", f"/{DRAWINGS}"):
        gr.Chatbot(drawings, **CHAT)
    demo.launch(**launching())


if __name__ == "__main__":
    main()
