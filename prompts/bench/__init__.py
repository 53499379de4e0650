"""The workbench: the scenario beside the chat, to touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prompts.bench.page import shown
from prompts.bench.provenance import working
from prompts.bench.running import on_run

if TYPE_CHECKING:
    import gradio as gr

_BROWSER = Path(__file__).parent / "browser"
_IN_BROWSER = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
_RUNNING = {"concurrency_limit": 2, "show_progress": "hidden", "api_visibility": "private"}


@dataclass(frozen=True)
class Bench:
    labelled: list[Any] = field(default_factory=list)  # components whose words change with the language
    texts: Callable[[str], list[dict[str, Any]]] = lambda _language: []  # one properties dict for each of them
    edited: list[Any] = field(default_factory=list)  # events after which `scenario` is edited by hand
    asked: list[Any] = field(default_factory=list)  # events after which `asking` holds a question


def build(scenario: gr.Textbox, asking: gr.Textbox, language: gr.Radio) -> Bench:
    """Mounts it where it is called. The numbers stand in `scenario`; the browser asks for what they show."""
    import gradio as gr

    view = gr.HTML(
        html_template='<div class="bench"></div>',
        css_template=(_BROWSER / "look.css").read_text(encoding="utf-8"),
        js_on_load=(_BROWSER / "view.js").read_text(encoding="utf-8"),
        server_functions=[shown, working],
        apply_default_css=False,
        elem_id="bench-view",
    )
    scenario.change(None, scenario, None, js="text => { window.bench?.hear(text); }", **_IN_BROWSER)
    language.change(None, language, None, js="known => { window.bench?.speak(known); }", **_IN_BROWSER)
    edited = view.edited(None, None, scenario, js="() => (window.bench.sent = window.bench.text)", **_IN_BROWSER)
    asked = view.asked(None, None, asking, js="() => window.bench.question", **_IN_BROWSER)
    wanted, ran = (gr.Textbox("", visible="hidden", elem_id=name) for name in ("wanted", "ran"))
    run = view.run(on_run, wanted, ran, js="() => JSON.stringify(window.bench.wanted)", **_RUNNING)
    view.halt(None, None, None, cancels=[run])
    ran.change(None, ran, None, js="text => { window.bench?.ran(text); }", **_IN_BROWSER)
    return Bench(edited=[edited], asked=[asked])
