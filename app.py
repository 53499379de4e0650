"""The front door: `python app.py` opens the chat page, `python app.py ask "…"` answers in the terminal.

`python app.py mcp` offers what can be computed to assistants, over standard input and output.
"""

import os
import sys
from collections.abc import AsyncIterator
from typing import Any

if __name__ == "__main__" and sys.argv[1:] == ["mcp"]:  # before what is heavy: an assistant waits for its greeting
    from prompts.functions.stdio import main as over_stdio

    sys.exit(over_stdio())

from engine.errors import EngineError
from engine.example import RUNNING
from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.box import beside_box, on_message, on_moved, on_new, on_retry, on_stop, on_undo
from prompts.chat import once, tell
from prompts.functions.served import lifespan, serve
from prompts.model import connected, who_listens
from prompts.tell.errors import describe
from prompts.tell.learner_text import typed
from prompts.tell.page import followups
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
_WATCH = """() => {
  let pinned = null;
  for (const hand of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(hand, () => { pinned = null; }, { passive: true, capture: true });
  new MutationObserver((changes) => {
    for (const plot of document.querySelectorAll(".js-plotly-plot:not([role])"))
      Object.assign(plot, { role: "img", ariaLabel: plot.layout.meta });
    const log = document.querySelector("#chat [role=log]");
    if (!log || !changes.some((change) => log.contains(change.target))) return;
    const rows = document.querySelectorAll("#chat .user-row, #chat .bot-row");
    const last = rows[rows.length - 1];
    if (last && last.classList.contains("user-row")) pinned = last;
    if (pinned) log.scrollTop += pinned.getBoundingClientRect().top - log.getBoundingClientRect().top - 12;
  }).observe(document.body, { childList: true, subtree: true });
}"""
_CSS = """
.gradio-container .fillable { max-width: 60rem !important; }
.gradio-container .fillable { padding: clamp(.4rem, 2vw, 1rem) clamp(.8rem, 4vw, 2rem) !important; }
#head { align-items: center; flex-wrap: wrap; gap: .5rem 1rem; }
#head > * { flex: 0 0 auto; width: auto; min-width: 0; }
#title { flex: 1 1 20rem !important; }
#title h1 { margin: 0; font-size: 1.4rem; letter-spacing: -.01em; }
#title p { margin: 0; color: var(--body-text-color-subdued); font-size: .875rem; }
#language .wrap { flex-wrap: nowrap; gap: .25rem; }
#language label { padding: .3rem .7rem; font-size: .875rem; background: transparent; border: 1px solid transparent; }
#language label.selected { background: var(--background-fill-secondary); border-color: var(--border-color-primary); }
#language label:focus-within { outline: 2px solid var(--color-accent); }
#language input { position: absolute; opacity: 0; } #language label > span { margin: 0; }
#new { padding: .3rem .9rem; border: 1px solid var(--border-color-primary); background: transparent; }
#chat { border: 0; background: transparent; }
#chat .bot.message { background: transparent; border: 0; box-shadow: none; padding: 0; }
#chat .bot-row, #chat .bot-row .flex-wrap { max-width: 100%; width: 100%; margin: 0; }
#chat .user-row { margin-bottom: .75rem; }
#chat .user .md p { white-space: pre-wrap; overflow-wrap: anywhere; }
#chat :is(.top-panel, .message-buttons-right, .scroll-down-button-container) { display: none; }
#chat .placeholder-content { justify-content: center; }
#chat :is(.placeholder, .examples) { flex: none; height: auto; margin: 0 auto; text-align: center; }
#chat .md { line-height: 1.75; font-size: 1rem; color: var(--body-text-color); }
#chat .md h3 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
#chat .md table { display: block; margin: .75rem 0 !important; padding: 0 !important; border: 0; }
#chat .md :is(table, pre, .katex-display) { position: relative; max-width: 100%; overflow: auto hidden; }
#chat .md :is(table, .katex-display, pre) { --edge: color-mix(in srgb, var(--body-text-color) 25%, transparent);
  background: linear-gradient(90deg, var(--background-fill-primary) 50%, transparent) 0 / 2rem 100% local,
    linear-gradient(-90deg, var(--background-fill-primary) 50%, transparent) 100% / 2rem 100% local,
    linear-gradient(90deg, var(--edge), transparent) 0 / .6rem 100%,
    linear-gradient(-90deg, var(--edge), transparent) 100% / .6rem 100%;
  background-repeat: no-repeat; }
#chat .md :is(th, td) { padding: clamp(.1rem, .5vw, .3rem) clamp(.25rem, 1vw, .8rem) !important; }
#chat .md :is(th, td) { font-variant-numeric: tabular-nums; overflow-wrap: normal; word-break: normal; }
#chat .md td[align=right]:not(:first-child) { white-space: nowrap; }
#chat .md table { font-size: clamp(.8125rem, 2.5vw, 1rem); line-height: 1.5; }
#chat .md [align=right] { text-align: right; }
#chat .md .katex-display { padding: .25rem 0; margin: .5rem 0; }
#chat .md .katex-display > .katex { width: fit-content; max-width: 100%; margin: 0 auto; text-align: left; }
#chat .md .katex-display > .katex { padding-left: 1.5em; text-indent: -1.5em; white-space: normal; }
#chat .md .katex-display .base { margin: .1em 0; text-indent: 0; }
#chat .md pre { font-size: .875rem; }
#chat .md summary { padding: .3rem 0; cursor: pointer; }
#chat .md details[open] { margin-bottom: 1rem; }
#chat .message:has(.md > details:last-child:not([open])) + .message.component {
  height: 0; min-height: 0; margin: 0; padding: 0; overflow: hidden; visibility: hidden; }
#chat .js-plotly-plot :is([class$="title"], [class$="tick"] text, .legendtext, .textpoint text, .bartext) {
  fill: var(--body-text-color) !important; }
#chat .bubble-wrap { background: transparent; padding: 0; }
#chat .message-buttons-left .icon-button-wrapper { margin: 0; }
#chat .options { display: flex; flex-wrap: wrap; justify-content: flex-start; max-width: 100%; gap: .5rem; }
#chat .options { margin: 1rem 0; padding: 0; }
#chat .option { border-style: solid; text-align: left; width: auto; max-width: 100%; }
#box { border: 1px solid var(--border-color-primary); border-radius: var(--radius-lg); padding: .25rem; }
#box textarea { background: transparent; border: 0; box-shadow: none; }
#box:focus-within { border-color: var(--color-accent); } #listens { border: 0; background: none; padding: 0 .3rem; }
@media (max-width: 40rem) {
  .column { gap: .4rem; }
  #head:has(~ #chat .user-row) { flex-wrap: nowrap; gap: .4rem; }
  #title h1 { white-space: nowrap; }
  #head:has(~ #chat .user-row) #title p { display: none; }
  #head:has(~ #chat .user-row) #title { flex: 1 1 0 !important; }
  #head:has(~ #chat .user-row) #title h1 { font-size: 1rem; }
  #head:has(~ #chat .user-row) :is(#language label, #new) { padding: .2rem .5rem; font-size: .8rem; }
  #box textarea::placeholder { white-space: nowrap; }
  #box textarea:placeholder-shown { height: 2.25rem !important; overflow: hidden; }
  #chat .user-row { margin: 0 0 .4rem; max-width: 100%; }
  #chat .user.message { padding: .3rem .7rem; }
  #chat .user .md { line-height: 1.4; }
  #chat .md { font-size: .9375rem; line-height: 1.55; }
  #chat .md :is(p, ul, ol) { margin: .4rem 0; padding-right: 2px; overflow-wrap: anywhere; }
  #chat .md table { margin: .4rem 0 !important; font-size: .8125rem; }
  #chat .md :is(th, td) { padding: .1rem .25rem !important; line-height: 1.45; }
  #chat .md .katex-display { margin: .3rem 0; }
  #chat .md .katex-display > .katex { font-size: .91rem; }
  #chat .md pre, #chat .md pre code { font-size: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  #numbers { padding: .3rem .7rem; }
  #numbers > button { font-size: .8rem; }
}
@media (max-width: 23.75rem) {
  #chat .md table { font-size: .77rem; }
  #chat .md :is(th, td) { padding: .1rem .2rem !important; }
  #chat .md .katex-display > .katex { font-size: .835rem; }
}
"""


def main(arguments: list[str]) -> int:
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
    demo.queue(max_size=WAITING).launch(app_kwargs={"lifespan": lifespan(demo)}, **launching())
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
        "css": _CSS,
        "js": _WATCH,
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
