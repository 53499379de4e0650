"""The front door: `python app.py` opens the chat page, `python app.py ask "…"` answers in the terminal."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any

from engine.example import RUNNING
from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.tell.learner_text import plain, typed, verbatim
from prompts.tell.page import followups
from prompts.tell.paragraphs import paragraphs
from prompts.tell.words import word
from prompts.tutor import LONGEST_MESSAGE, Request, answer

NAMES = {"zh": "中文", "en": "English"}  # each language in its own words
PAUSE = 0.03  # seconds between paragraphs
LONGEST_ECHO = 600  # characters shown of a message that is too long to be answered
LONGEST_HISTORY = 60  # turns
AT_ONCE = 16  # answers told at the same time
WAITING = 64  # events in the queue; more are refused at once
SESSIONS = 500  # whose state the server keeps
HOUR = 3600  # seconds

Turn = dict[str, Any]

_TELLING = {"concurrency_limit": AT_ONCE, "concurrency_id": "tell", "preprocess": False, "api_visibility": "private"}
_QUICK = {"queue": False, "show_progress": "hidden", "preprocess": False, "api_visibility": "private"}
_CHAT = {
    "elem_id": "chat",
    "scale": 1,
    "height": None,
    "show_label": False,
    "autoscroll": False,
    "buttons": ["copy"],
    "line_breaks": False,
    "allow_tags": False,
    "latex_delimiters": [
        {"left": "$$", "right": "$$", "display": True},
        {"left": r"\(", "right": r"\)", "display": False},
    ],
}
_BOX = {
    "elem_id": "box",
    "show_label": False,
    "container": False,
    "max_lines": 8,
    "autofocus": True,
    "submit_btn": True,
}
_NAME_LANGUAGE = "language => { document.documentElement.lang = language === 'zh' ? 'zh-CN' : language; }"
_KEEP_QUESTION_IN_VIEW = ""
_CSS = ""


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["ask"]:
        from prompts.ask import main as ask

        return ask(arguments[1:])
    if arguments:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    demo = page()
    demo.queue(max_size=WAITING).launch(**launching())
    return 0


# ------------------------------------------------------------ the conversation


def turns(history: Any) -> list[Turn]:
    """The conversation as role and text, from whatever shape the page or a program sends it in."""
    given = history if isinstance(history, list) else []
    read = [(turn.get("role"), _text(turn.get("content"))) for turn in given if isinstance(turn, dict)]
    return [
        {"role": role, "content": text}
        for role, text in read[-LONGEST_HISTORY:]
        if role in ("user", "assistant") and text
    ]


def _text(content: Any) -> str:
    """Gradio sends content as a list of parts; a program may send it as one text."""
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def asked(history: list[Turn]) -> list[str]:
    return [typed(turn["content"]) for turn in history if turn["role"] == "user"]


def taken_back(history: Any) -> tuple[list[Turn], str | None]:
    """The conversation before the last question, and that question."""
    conversation = turns(history)
    last = max((i for i, turn in enumerate(conversation) if turn["role"] == "user"), default=None)
    if last is None:
        return conversation, None
    return conversation[:last], typed(conversation[last]["content"])


def scenario(gamma: Any, lam: Any) -> Mapping[str, Any] | None:
    """What the sliders were moved to; where they rest, the tutor chooses the numbers."""
    moved = {"gamma": gamma, "lam": lam}
    return {name: x for name, x in moved.items() if x != getattr(RUNNING, name)} or None


async def tell(message: Any, history: Any, gamma: Any, lam: Any) -> AsyncIterator[list[Turn]]:
    """The conversation with the message and its answer, one more paragraph at a time. Total: it never raises."""
    before = turns(history)
    text: Any = plain(message) if isinstance(message, str) else None
    if text == "":
        yield before
        return
    shown = verbatim(text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_ECHO] + "…") if text else "…"
    conversation = [*before, {"role": "user", "content": shown}]
    yield conversation
    request = Request((*asked(before), text), scenario=scenario(gamma, lam))
    found = await asyncio.to_thread(answer, request)
    told: Turn = {"role": "assistant", "content": ""}
    for piece in paragraphs(found.markdown):
        told = {**told, "content": told["content"] + piece}
        yield [*conversation, told]
        await asyncio.sleep(PAUSE)
    yield [*conversation, {**told, "options": [{"value": question} for question in found.followups]}]


async def retell(history: Any, gamma: Any, lam: Any) -> AsyncIterator[list[Turn]]:
    """The last question again, on the numbers as they are set."""
    before, question = taken_back(history)
    if question is None:
        yield before
        return
    async for conversation in tell(question, before, gamma, lam):
        yield conversation


# ------------------------------------------------------------ the page


def preferred(accept_language: str | None) -> str:
    """The first of our languages that the browser asks for."""
    wanted = re.findall(r"\b(?:zh|en)\b", (accept_language or "").lower())
    return wanted[0] if wanted else "en"


def texts(language: str) -> dict[str, dict[str, Any]]:
    """The interface's own words, by component and property."""

    def say(key: str) -> str:
        return word(language, "page", key)

    openers = followups(lessons()[OUT_OF_SCOPE], language)
    return {
        "language": {"value": language, "label": say("language")},
        "tagline": {"value": say("tagline")},
        "new": {"value": say("new")},
        "chat": {
            "label": say("conversation"),
            "placeholder": f"## {say('welcome')}\n\n{say('welcome_more')}",
            "examples": [{"text": question} for question in openers],
        },
        "box": {"label": say("message"), "placeholder": say("placeholder")},
        "panel": {"label": say("numbers")},
        "hint": {"value": say("numbers_more")},
        "gamma": {"label": say("gamma")},
        "lam": {"label": say("lam")},
    }


def page() -> Any:
    """The chat page. Gradio is imported here, so that the terminal never waits for it."""
    import gradio as gr

    words = texts(LANGUAGES[0])
    with gr.Blocks(title="Telescope", fill_height=True, analytics_enabled=False, delete_cache=(HOUR, HOUR)) as demo:
        with gr.Row(elem_id="head"):
            gr.HTML("<h1>Telescope</h1>", elem_id="name")
            tagline = gr.Markdown(**words["tagline"], elem_id="tagline")
            choices = [(NAMES[known], known) for known in LANGUAGES]
            language = gr.Radio(choices, **words["language"], show_label=False, container=False, elem_id="language")
            new = gr.Button(**words["new"], size="sm", elem_id="new")
        chat = gr.Chatbot(**words["chat"], **_CHAT)
        box = gr.Textbox(**words["box"], **_BOX)
        with gr.Accordion(**words["panel"], open=False, elem_id="numbers") as panel:
            hint = gr.Markdown(**words["hint"])
            with gr.Row():
                gamma = gr.Slider(0, 1, RUNNING.gamma, step=0.01, **words["gamma"], elem_id="gamma")
                lam = gr.Slider(0, 1, RUNNING.lam, step=0.01, **words["lam"], elem_id="lam")

        async def on_message(message: Any, history: Any, gamma: Any, lam: Any) -> AsyncIterator[Any]:
            left: Any = ""
            async for conversation in tell(message, history, gamma, lam):
                yield conversation, left
                left = gr.skip()

        async def on_chip(history: Any, gamma: Any, lam: Any, chosen: gr.SelectData) -> AsyncIterator[Any]:
            question = chosen.value["text"] if isinstance(chosen.value, dict) else chosen.value
            async for conversation in tell(question, history, gamma, lam):
                yield conversation

        def on_undo(history: Any) -> Any:
            before, question = taken_back(history)
            return before, question or ""

        def relabelled(chosen: Any) -> Any:
            known = texts(chosen if chosen in LANGUAGES else preferred(None))
            return [gr.update(**properties) for properties in known.values()]

        def on_load(request: gr.Request) -> Any:
            return relabelled(preferred(request.headers.get("accept-language")))

        labelled = [
            {
                "language": language,
                "tagline": tagline,
                "new": new,
                "chat": chat,
                "box": box,
                "panel": panel,
                "hint": hint,
                "gamma": gamma,
                "lam": lam,
            }[name]
            for name in words
        ]
        set_up = [chat, gamma, lam]
        running = [
            box.submit(on_message, [box, *set_up], [chat, box], **_TELLING),
            chat.option_select(on_chip, set_up, chat, **_TELLING),
            chat.example_select(on_chip, set_up, chat, **_TELLING),
            chat.retry(retell, set_up, chat, **_TELLING),
            gr.on([gamma.release, lam.release], retell, set_up, chat, trigger_mode="always_last", **_TELLING),
        ]
        chat.undo(on_undo, chat, [chat, box], cancels=running, **_QUICK)
        new.click(lambda: [], None, chat, cancels=running, **_QUICK)
        language.input(relabelled, language, labelled, **_QUICK)
        language.change(None, language, None, js=_NAME_LANGUAGE)
        demo.load(on_load, None, labelled, **_QUICK)
    return demo


def launching() -> dict[str, Any]:
    """What Gradio is told at launch: nothing is kept, nothing is watched, nothing is shared. Address and port: GRADIO_SERVER_*."""
    import gradio as gr

    font = (
        "system-ui",
        "-apple-system",
        "Segoe UI",
        "PingFang SC",
        "Hiragino Sans GB",
        "Microsoft YaHei",
        "Noto Sans CJK SC",
        "Noto Sans SC",
        "sans-serif",
    )
    mono = (
        "ui-monospace",
        "SF Mono",
        "Cascadia Mono",
        "Consolas",
        "DejaVu Sans Mono",
        "Noto Sans Mono CJK SC",
        "monospace",
    )
    theme = gr.themes.Base(primary_hue="indigo", neutral_hue="slate", radius_size="lg", font=font, font_mono=mono)
    return {
        "theme": theme,
        "css": _CSS,
        "js": _KEEP_QUESTION_IN_VIEW,
        "footer_links": [],
        "share": False,
        "show_error": False,
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "mcp_server": False,
        "pwa": False,
        "max_file_size": 1,
        "state_session_capacity": SESSIONS,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
