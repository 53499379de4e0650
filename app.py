"""The front door: `python app.py` opens the chat page, `python app.py ask "…"` answers in the terminal.

`python app.py mcp` offers what can be computed to assistants, over standard input and output.
`python app.py doctor FILE` says which convention dumped training tensors follow, or where they depart from it.
"""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

if __name__ == "__main__" and sys.argv[1:] == ["mcp"]:  # before what is heavy: an assistant waits for its greeting
    from prompts.functions.stdio import main as over_stdio

    sys.exit(over_stdio())

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.box import beside_box, on_message, on_moved, on_new, on_retry, on_stop, on_undo
from prompts.chat import once, tell
from prompts.functions.served import around, serve
from prompts.model import connected, who_listens
from prompts.tell.errors import describe
from prompts.tell.leading import followups
from prompts.tell.learner_text import typed
from prompts.tell.words import word
from prompts.visit import on_address, opened_in, preferred

NAMES = {"zh": "中文", "en": "English"}  # each language in its own words
AT_ONCE = 16  # answers told at the same time
WAITING = 64  # events in the queue; more are refused at once
SESSIONS = 500  # whose state the server keeps
HOUR = 3600  # seconds

_TELLING = {"concurrency_limit": AT_ONCE, "concurrency_id": "tell", "preprocess": False, "api_visibility": "private"}
_QUICK = {"queue": False, "show_progress": "hidden", "preprocess": False, "api_visibility": "private"}
CHAT = {
    "elem_id": "chat",
    "scale": 1,
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
_FONT = ["system-ui", "Segoe UI", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC"]
_FONT += ["sans-serif"]
_MONO = ["ui-monospace", "SF Mono", "Consolas", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", "monospace"]
_NAME_LANGUAGE = "language => { document.documentElement.lang = language === 'zh' ? 'zh-CN' : language; }"
_LOOK = Path(__file__).parent / "prompts" / "tell"  # what the page looks like, and what it watches in the browser


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["doctor"]:
        from prompts.doctor import main as doctor

        return doctor(arguments[1:])
    absent = connected()
    if isinstance(absent, EngineError):  # every message can be answered without
        sys.stderr.write(f"{typed(describe(absent, 'en'))}\n")
    if arguments[:1] == ["ask"]:
        from prompts.ask import main as ask

        return ask(arguments[1:])
    if arguments:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    demo = page()
    demo.queue(max_size=WAITING).launch(app_kwargs=around(demo), **launching())
    return 0


# ------------------------------------------------------------ the page


def texts(language: str) -> dict[str, dict[str, Any]]:
    """The interface's own words, by component and property."""

    def say(key: str) -> str:
        return word(language, "page", key)

    openers = followups(lessons()[OUT_OF_SCOPE], language)
    return {
        "title": {"value": f"# Telescope\n\n{say('tagline')}"},
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
        "listens": {"label": say("listens").format(model=who_listens() or "")},
    }


def page() -> Any:
    """The chat page. Gradio is imported here, so that the terminal never waits for it."""
    import gradio as gr

    words = texts(LANGUAGES[0])
    with gr.Blocks(title="Telescope", fill_height=True, analytics_enabled=False, delete_cache=(HOUR, HOUR)) as demo:
        with gr.Row(elem_id="head"):
            title = gr.Markdown(**words["title"], elem_id="title")
            choices = [(NAMES[known], known) for known in LANGUAGES]
            label = " / ".join(word(known, "page", "language") for known in LANGUAGES)
            language = gr.Radio(choices, label=label, show_label=False, container=False, elem_id="language")
            new = gr.Button(**words["new"], size="sm", elem_id="new")
        log = gr.Chatbot(**words["chat"], **CHAT)
        box = gr.Textbox(**words["box"], **_BOX)
        listens = gr.Checkbox(True, **words["listens"], visible=bool(who_listens()), container=False, elem_id="listens")
        with gr.Accordion(**words["panel"], open=False, elem_id="numbers") as panel:
            hint = gr.Markdown(**words["hint"])
            with gr.Row():
                gamma = gr.Slider(0, 1, RUNNING.gamma, step=0.01, **words["gamma"], elem_id="gamma")
                lam = gr.Slider(0, 1, RUNNING.lam, step=0.01, **words["lam"], elem_id="lam")

        async def on_chip(past: Any, gamma: Any, lam: Any, heard: Any, chosen: gr.SelectData) -> AsyncIterator[Any]:
            question = chosen.value["text"] if isinstance(chosen.value, dict) else chosen.value
            async for shown in beside_box(tell(question, past, gamma, lam, heard)):
                yield shown

        def relabelled(chosen: Any) -> Any:
            known = texts(chosen if chosen in LANGUAGES else preferred(None))
            return [gr.update(**properties) for properties in known.values()]

        def on_load(request: gr.Request) -> Any:
            known = opened_in(request.query_params, request.headers.get("accept-language"))
            return [known, *relabelled(known)]

        async def on_opened(past: Any, gamma: Any, lam: Any, heard: Any, request: gr.Request) -> AsyncIterator[Any]:
            async for shown in on_address(request.query_params, past, gamma, lam, heard):
                yield shown

        labelled = [title, new, log, box, panel, hint, gamma, lam, listens]  # in the order of their texts
        set_up = [log, gamma, lam, listens]
        running = [
            box.submit(on_message, [box, *set_up], [log, box], **_TELLING),
            log.option_select(on_chip, set_up, [log, box], **_TELLING),
            log.example_select(on_chip, set_up, [log, box], **_TELLING),
            log.retry(on_retry, set_up, [log, box], **_TELLING),
            demo.load(on_opened, set_up, [log, box], show_progress="hidden", **_TELLING),
        ]
        moved = [gamma.change, lam.change]
        # Stands before the events that follow: what is still being told must not overwrite what they do.
        gr.on([*moved, log.undo, new.click, box.stop], None, cancels=running)
        again = gr.on(
            moved, on_moved, set_up, [log, box], trigger_mode="always_last", show_progress="hidden", **_TELLING
        )
        gr.on([log.undo, new.click, box.stop], None, cancels=again)
        box.stop(on_stop, log, [log, box], **_QUICK)
        log.undo(on_undo, log, [log, box], **_QUICK)
        new.click(on_new, None, [log, box], **_QUICK)
        language.input(relabelled, language, labelled, trigger_mode="always_last", **_QUICK)
        language.change(None, language, None, js=_NAME_LANGUAGE)
        demo.load(on_load, None, [language, *labelled], **_QUICK)
        serve(gr.api, once, AT_ONCE)
    return demo


def launching() -> dict[str, Any]:
    """What Gradio is told at launch: nothing is kept, nothing is watched, nothing is shared."""
    import gradio as gr

    theme = gr.themes.Base(primary_hue="indigo", neutral_hue="slate", radius_size="lg", font=_FONT, font_mono=_MONO)
    theme.set(body_text_color_subdued="*neutral_500", input_placeholder_color="*neutral_500")
    return {
        "theme": theme,
        "css": (_LOOK / "look.css").read_text(encoding="utf-8"),
        "js": (_LOOK / "watch.js").read_text(encoding="utf-8"),
        "footer_links": [],
        "share": False,
        "show_error": False,
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "mcp_server": True,
        "pwa": False,
        "max_file_size": 1,
        "state_session_capacity": SESSIONS,
    }


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:  # a run that takes too long
        code = 130
    except BrokenPipeError:  # who reads has read enough: ask … | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    sys.exit(code)
