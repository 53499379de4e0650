"""What every lesson is put through: learners' scenarios of all shapes, in both languages and all forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.scenario import scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.read import completed
from prompts.tell.forms import WHOLE
from prompts.tell.page import Telling, render
from prompts.tell.templates import reason
from prompts.tell.values import Values

NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def _varied(length: int) -> list[float]:
    return [((7 * t) % 11 - 4) / 10 for t in range(length)]


THREE = {"rewards": [0.1, -0.2, 1], "values": [0.5, 0.6, -0.9]}
SCENARIOS: dict[str, dict[str, Any]] = {
    "the running example": {},
    "one token": {"rewards": [1], "values": [0.4]},
    "two tokens": {"rewards": [0, 1], "values": [0.4, 0.7], "gamma": 0.9},
    "many tokens": {"rewards": _varied(64), "values": _varied(64)[::-1]},
    "very many tokens": {"rewards": _varied(500), "values": _varied(500)[::-1], "gamma": 0.99},
    "from scores": {"scores": [0, 0, 1], "kl_values": [0.1, -0.2, 0.1], "beta": 0.1, "values": [0.5, 0.6, 0.9]},
    "from log-probabilities": {"scores": [0, 1], "logp": [-1, -2], "ref_logp": [-2, -1], "kl": "k3", "values": [0, 1]},
    "nothing but zeros": {"rewards": [0, 0, 0], "values": [0, 0, 0]},
    "no discount at all": {**THREE, "gamma": 0, "lam": 0},
    "lambda one": {**THREE, "gamma": 1, "lam": 1},
    "lambda zero": {**THREE, "gamma": 0.5, "lam": 0},
    "negative numbers": {"rewards": [-1, -2, -3], "values": [-3, -2, -1]},
    "padding": {**THREE, "mask": [1, 1, 0]},
    "one real token": {**THREE, "mask": [1, 0, 0]},
    "a hole": {"rewards": [0, 0, 0, 1], "values": [0.2, 0.3, 0.9, 0.4], "mask": [1, 1, 0, 1]},
    "a hole at the start": {**THREE, "mask": [0, 1, 1]},
    "a batch": {"rewards": [[0, 0, 1], [0, 0.5, 0]], "values": [[0.3, 0.4, 0.6], [0.1, 0.2, 0.3]]},
    "a padded batch": {
        "rewards": [[0, 0, 1], [0, 0.5, 0]],
        "values": [[0.3, 0.4, 0.6], [0.1, 0.2, 0.3]],
        "mask": [[1, 1, 1], [1, 1, 0]],
    },
    "with tokens": {**THREE, "tokens": ["a", "<b>", "|c|"], "prompt": "1+1=?"},
}


def pages(id: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Scenario, form, and the pages by language."""
    lesson = lessons()[id]
    for name, given in SCENARIOS.items():
        complete, origin = completed(scenario(given))
        shown = lesson.show(complete)
        for form in WHOLE:
            yield (
                name,
                form,
                {language: render(lesson, Telling(language, form, complete, origin, shown)) for language in LANGUAGES},
            )


def check_pages(id: str) -> None:
    for name, form, page in pages(id):
        zh, en = (set(NUMERAL.findall(text)) for text in page.values())
        assert zh == en, (name, form, zh ^ en)


def check_propositions(id: str) -> None:
    """Denied, a verdict flips; the reasons can be told on every scenario."""
    opposite = {"true": "false", "false": "true", "depends": "depends"}
    lesson = lessons()[id]
    for name in SCENARIOS:
        complete, origin = completed(scenario(SCENARIOS[name]))
        shown = lesson.show(complete)
        for proposition in lesson.facts.values():
            judged = proposition.judge(complete, denied=False)
            assert proposition.judge(complete, denied=True).verdict == opposite[judged.verdict]
            told = [
                reason(text, judged.found, Values(language, complete, origin, shown))
                for language, text in proposition.because.items()
            ]
            zh, en = (set(NUMERAL.findall(text)) for text in told)
            assert zh == en, (proposition.id, zh ^ en)
