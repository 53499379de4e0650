"""What the tests of single lessons share: scenarios of every shape, and a judged claim in words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.example import RUNNING
from engine.scenario import Scenario, scenario
from lessons._fact import Fact, Judged
from lessons._lesson import LANGUAGES, Lesson, Shown, lessons
from prompts.read import completed
from prompts.tell.forms import FULL, WHOLE
from prompts.tell.page import Telling, render
from prompts.tell.templates import reason
from prompts.tell.values import Values

VERDICTS = Path(__file__).with_name("verdicts.toml")  # what each fact is found to be, on numbers of any shape
GIVEN = {
    "one_token": {"rewards": [1], "values": [0.5]},
    "two_tokens": {"rewards": [0, 1], "values": [0.5, 0.6], "gamma": 0.5, "lam": 0.5},
    "zeros": {"rewards": [0, 0, 0], "values": [0, 0, 0]},
    "negative": {"rewards": [-1, 0.5, -2], "values": [0.3, -0.4, 0.7], "gamma": 0.9, "lam": 0.8},
    "gamma_zero": {"rewards": [0.2, 0, 1], "values": [0.3, 0.4, 0.6], "gamma": 0},
    "lam_zero": {"rewards": [0.2, 0, 1], "values": [0.3, 0.4, 0.6], "lam": 0},
    "lam_one": {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "lam": 1},
    "padded": {"rewards": [0, 1, 5], "values": [0.5, 0.6, 9], "mask": [1, 1, 0]},
    "hole": {"rewards": [0, 0, 7, 1], "values": [0.2, 0.3, 0.9, 0.4], "mask": [1, 1, 0, 1]},
    "left_padded": {"rewards": [3, 0, 1], "values": [8, 0.4, 0.6], "mask": [0, 1, 1], "gamma": 0.9},
    "batch": {"rewards": [[0, 0, 1], [0, 1, 0]], "values": [[0.3, 0.4, 0.6], [0.2, 0.5, 0.1]], "gamma": 0.9},
    "batch_padded": {
        "rewards": [[0, 0, 1], [0, 1, 0]],
        "values": [[0.3, 0.4, 0.6], [0.2, 0.5, 0.1]],
        "mask": [[1, 1, 1], [1, 1, 0]],
    },
    "from_scores": {"scores": [0, 0, 1], "kl_values": [0.1, -0.1, 0.2], "values": [0.3, 0.4, 0.6], "beta": 0.1},
    "several_lams": {"rewards": [0, 0, 1], "values": [0.3, 0.4, 0.6], "lams": [0, 0.5, 1]},
    "long": {"rewards": [0.0] * 63 + [1], "values": [0.5 + 0.005 * t for t in range(64)], "gamma": 0.99},
    "very_long": {"rewards": [0.01] * 499 + [1], "values": [0.3 - 0.001 * t for t in range(500)]},
}


# What a check could stumble over, each once: a single token, ties, signs with γ and λ below 1, no later token counting,
# a hole, a padded batch, no log-probabilities, many tokens. The lessons' own tests tell their pages on every shape.
TELLING = ("running", "one_token", "zeros", "negative", "gamma_zero", "hole", "batch_padded", "from_scores", "long")


@cache
def shapes() -> dict[str, Scenario]:
    return {"running": RUNNING, **{name: completed(scenario(given))[0] for name, given in GIVEN.items()}}


def verdicts() -> str:
    """VERDICTS as it comes out: of each fact its verdict, or that of each shape where they differ."""
    tables = ["# What each fact is found to be, on numbers of any shape. Written by make pages, for review as a diff."]
    for lesson in lessons().values():
        lines = [f"{id} = {_written(fact)}" for id, fact in lesson.facts.items()]
        tables.append("\n".join([f"[{lesson.id}]", *lines]))
    return "\n\n".join(tables) + "\n"


def _written(fact: Fact) -> str:
    found = {shape: fact.judge(shapes()[shape], denied=False).verdict for shape in TELLING}
    if len(set(found.values())) == 1:
        return f'"{found[TELLING[0]]}"'
    return "{" + ", ".join(f'{shape} = "{verdict}"' for shape, verdict in found.items()) + "}"


def pages(lesson: Lesson, given: dict) -> dict[tuple[str, str], str]:
    """Every form in both languages, the plain one with all that unfolds."""
    complete, origin = completed(scenario(given))
    shown = lesson.show(complete)
    return {
        (form, language): render(lesson, Telling(language, FULL if form == "plain" else form, complete, origin, shown))
        for form in WHOLE
        for language in LANGUAGES
    }


def because(lesson: Lesson, proposition: str, judged: Judged, language: str, given: Scenario = RUNNING) -> str:
    """Why, in words: a numeral that the check did not find raises."""
    values = Values(language, given, dict.fromkeys(given.given(), "example"), Shown())
    return reason(lesson.facts[proposition].because[language], judged.found, values)
