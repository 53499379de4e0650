"""Every lesson's pages as they come out, and what its facts are found to be. `python -m tests.pages` rewrites the
expected ones, for review as a diff."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from engine.scenario import Scenario, scenario
from lessons._lesson import LANGUAGES, Lesson, Shown, lessons
from prompts.read import completed, looked_at
from prompts.tell.page import Telling, compose, render
from tests.lessons.judging import VERDICTS, verdicts
from tests.readme import README, current

EXAMPLE = "example"  # the running example; any other name is a scenario in expected/<name>.json


def cases() -> list[tuple[str, str, str]]:
    """(lesson, scenario, language) of every expected page."""
    return [
        (lesson.id, name, language)
        for lesson in lessons().values()
        for name in scenarios(lesson)
        for language in LANGUAGES
    ]


def scenarios(lesson: Lesson) -> list[str]:
    return [EXAMPLE, *sorted(path.stem for path in (lesson.folder / "expected").glob("*.json"))]


def page(lesson: Lesson, name: str, language: str, form: str = "plain") -> str:
    path = None if name == EXAMPLE else lesson.folder / "expected" / f"{name}.json"
    complete, origin, shown = _computed(lesson.id, path)
    apart = ("model", "figures")  # numbers that differ from machine to machine; numbers that stand in the tables
    return render(lesson, Telling(language, form, complete, origin, shown, without=apart))


def unfolding(lesson: Lesson, name: str, language: str) -> str:
    """The page as it is shown at first, and behind it all that unfolds."""
    path = None if name == EXAMPLE else lesson.folder / "expected" / f"{name}.json"
    complete, origin, shown = _computed(lesson.id, path)
    found = compose(lesson, Telling(language, "plain", complete, origin, shown, without=("model", "figures")))
    return "\n\n".join([found.markdown.rstrip(), *(section.folded for section in found.closed)]) + "\n"


@cache
def _computed(id: str, path: Path | None) -> tuple[Scenario, Mapping[str, str], Shown]:
    """What a lesson shows on a scenario, once for all languages and forms."""
    complete, origin = completed(scenario(json.loads(path.read_text()) if path else {}))
    complete = looked_at(lessons()[id], complete, origin)
    return complete, origin, lessons()[id].show(complete)


def expected(lesson: Lesson, name: str, language: str) -> Path:
    return lesson.folder / "expected" / f"{name}.{language}.md"


def write() -> Iterator[Path]:
    for id, name, language in cases():
        path = expected(lessons()[id], name, language)
        path.parent.mkdir(exist_ok=True)
        path.write_text(unfolding(lessons()[id], name, language), encoding="utf-8")
        yield path
    VERDICTS.write_text(verdicts(), encoding="utf-8")
    yield VERDICTS
    README.write_text(current(README.read_text(encoding="utf-8")), encoding="utf-8")
    yield README


if __name__ == "__main__":
    for written in write():
        print(written)
