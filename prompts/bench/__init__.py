"""The workbench: the scenario beside the chat, to touch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import gradio as gr

    from prompts.staff.reception import Reception

_BROWSER = Path(__file__).parent / "browser"
_IN_BROWSER = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
_RUNNING = {"concurrency_limit": 2, "show_progress": "hidden", "api_visibility": "private"}


def _not_run(why: str) -> str:
    """What the browser hears where nobody can run it now."""
    return json.dumps({"error": why})


@dataclass(frozen=True)
class Bench:
    labelled: list[Any] = field(default_factory=list)  # components whose words change with the language
    texts: Callable[[str], list[dict[str, Any]]] = lambda _language: []  # one properties dict for each of them
    edited: list[Any] = field(default_factory=list)  # events after which `scenario` is edited by hand
    asked: list[Any] = field(default_factory=list)  # events after which `asking` holds a question


def build(scenario: gr.Textbox, asking: gr.Textbox, language: gr.Radio, reception: Reception) -> Bench:
    """Mounts it where it is called. The numbers stand in `scenario`; the browser asks for what they show."""
    import gradio as gr

    view = gr.HTML(
        html_template='<div class="bench"></div>',
        css_template=(_BROWSER / "look.css").read_text(encoding="utf-8"),
        js_on_load=(_BROWSER / "view.js").read_text(encoding="utf-8"),
        server_functions=[*map(reception.touching, ("prompts.bench.page:shown", "prompts.bench.provenance:working"))],
        apply_default_css=False,
        elem_id="bench-view",
    )
    scenario.change(None, scenario, None, js="text => { window.bench?.hear(text); }", **_IN_BROWSER)
    language.change(None, language, None, js="known => { window.bench?.speak(known); }", **_IN_BROWSER)
    edited = view.edited(None, None, scenario, js="() => (window.bench.sent = window.bench.text)", **_IN_BROWSER)
    asked = view.asked(None, None, asking, js="() => window.bench.question", **_IN_BROWSER)
    wanted, ran = (gr.Textbox("", visible="hidden", elem_id=name) for name in ("wanted", "ran"))
    run = view.run(
        reception.telling("prompts.bench.running:on_run", _not_run),
        wanted,
        ran,
        js="() => JSON.stringify(window.bench.wanted)",
        **_RUNNING,
    )
    view.halt(None, None, None, cancels=[run])
    ran.change(None, ran, None, js="text => { window.bench?.ran(text); }", **_IN_BROWSER)
    return Bench(edited=[edited], asked=[asked])
