"""The workbench: the learner's numbers as something to touch. So far two sliders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.example import RUNNING
from prompts.beside import as_text, parts
from prompts.tell.words import word


@dataclass(frozen=True)
class Bench:
    """labelled: whose words change with the language, as `texts` gives them; edited: after which the numbers are
    others; asked: after which a question stands in `asking`."""

    labelled: list[Any]
    texts: Callable[[str], list[dict[str, Any]]]
    edited: list[Any]
    asked: list[Any]


def build(scenario: Any, asking: Any, language: Any) -> Bench:  # noqa: ARG001
    import gradio as gr

    said = texts("zh")
    quick: dict[str, Any] = {"queue": False, "show_progress": "hidden", "preprocess": False}
    quick["api_visibility"] = "private"
    sliders = {
        name: gr.Slider(0, 1, getattr(RUNNING, name), step=0.01, **said[i], elem_id=name)
        for i, name in enumerate(("gamma", "lam"))
    }

    def told(text: Any, gamma: Any, lam: Any) -> str:
        return as_text({**parts(text), "gamma": gamma, "lam": lam})

    def shown(text: Any) -> list[Any]:
        return [parts(text).get(name, getattr(RUNNING, name)) for name in sliders]

    edited = [
        slider.release(told, [scenario, *sliders.values()], scenario, trigger_mode="always_last", **quick)
        for slider in sliders.values()
    ]
    scenario.change(shown, scenario, list(sliders.values()), **quick)
    return Bench(list(sliders.values()), texts, edited, [])


def texts(language: str) -> list[dict[str, Any]]:
    return [{"label": word(language, "bench", name)} for name in ("gamma", "lam")]
