"""How messages that people wrote are read.

A line of a file holds id, q (the message), kind, lessons (acceptable ones, best first) and where one is due a verdict.
They are other people's words: nothing of them is kept but ids, with the facts that make their point (points.json here,
or FILE.points.json beside a file of messages).
"""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from lessons._lesson import OUT_OF_SCOPE
from prompts.read import addressed, asking, lesson, nearest, parts, read, turns, understanding
from prompts.tutor import Request, answer
from tests.reading.tables import share

POINTS = Path(__file__).with_name("points.json")
CLAIMING = ("claim", "yesno")


@dataclass(frozen=True)
class Heard:
    """A message with its labels, and what was made of it."""

    label: Mapping[str, Any]
    lessons: tuple[str, ...]
    verdict: str | None
    form: str
    error: str | None
    told: tuple[str, ...]  # facts that open the answer
    near: tuple[str, ...]  # the nearest of the first thing asked
    seconds: float

    @property
    def outside(self) -> bool:
        return bool(self.label["lessons"][0] == OUT_OF_SCOPE)

    @property
    def can_be_outside(self) -> bool:
        return OUT_OF_SCOPE in self.label["lessons"]

    @property
    def due(self) -> bool:
        return bool(self.label.get("verdict_due"))

    @property
    def right(self) -> bool:
        return self.verdict == self.label.get("verdict") or self.verdict in (self.label.get("verdict_also_ok") or ())


def hear(label: Mapping[str, Any]) -> Heard:
    started = time.process_time()
    question = read([label["q"]])
    seconds = time.process_time() - started
    found = answer(Request((label["q"],)))
    told = [near.fact for point in question.points for near in understanding.told(point)]
    near = list(dict.fromkeys(near.fact for point in question.points for near in point.facts))
    return Heard(
        label=label,
        lessons=(question.lesson, *(id for id, _ in question.alternatives if id != question.lesson)),
        verdict=found.verdict,
        form=found.form,
        error=(found.error or {}).get("code"),
        told=tuple(told),
        near=tuple(near),
        seconds=seconds,
    )


def figures(heard: Sequence[Heard], points: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What there is to be said of them, in percent."""
    due = [h for h in heard if h.due]
    given = [h for h in heard if h.verdict is not None and h.label.get("verdict") is not None]
    claiming = [h for h in heard if h.label["kind"] in CLAIMING]
    false = [h for h in due if h.label["verdict"] == "false"]
    makes = [(h, set(points[h.label["id"]])) for h in heard if points.get(h.label["id"])]
    slow = sorted(h.seconds for h in heard)
    return {
        "lesson acceptable": share(h.lessons[0] in h.label["lessons"] for h in heard),
        "in the top three": share(bool({*h.lessons[:3]} & {*h.label["lessons"]}) for h in heard),
        "near the subject declined": share(h.lessons[0] == OUT_OF_SCOPE for h in heard if h.outside),
        "in the subject refused": share(h.lessons[0] == OUT_OF_SCOPE for h in heard if not h.can_be_outside),
        "of verdicts due wrong": share(h.verdict is not None and not h.right for h in due),
        "of verdicts due right": share(h.right for h in due),
        "of verdicts given wrong": share(not h.right for h in given),
        "false claims affirmed": f"{sum(h.verdict == 'true' for h in false)} of {len(false)}",
        "a verdict where nothing is claimed": share(h.verdict is not None for h in heard if h not in claiming),
        "a form that nobody asked for": share(h.form != "plain" for h in heard),
        "errors": str(sum(h.error is not None for h in heard)),
        "a fact that makes the point is told first": share(bool({*h.told[:1]} & facts) for h, facts in makes),
        "is told": share(bool({*h.told} & facts) for h, facts in makes),
        "is among the nearest 5": share(bool({*h.near[:5]} & facts) for h, facts in makes),
        "is among the nearest 20": share(bool({*h.near[:20]} & facts) for h, facts in makes),
        "processor time, p95": f"{1000 * slow[int(0.95 * len(slow))]:.0f} ms",
    }


_NO_FACT = np.zeros(1)


def _whole(message: str) -> tuple[parts.Part, ...]:
    return (parts.Part("prose", message),)


_FORM = importlib.import_module("prompts.read.form")  # the package has a function of that name
STEPS: Mapping[str, tuple[tuple[Any, str, Callable[..., Any]], ...]] = {
    "taking messages apart": ((parts, "parts", _whole), (asking, "parts", _whole), (addressed, "parts", _whole)),
    "finding what asks": ((understanding, "askings", lambda _: ()),),
    "where the words lie, for lessons": ((lesson, "together", lambda order, _: order),),
    "the router, for lessons": (
        (lesson, "together", lambda _, meant: tuple(sorted(meant.items(), key=lambda pair: -pair[1]))),
    ),
    "facts as evidence of lessons": ((understanding, "lessons", lambda seen: seen.likely),),
    "the very words, for facts": ((nearest.wording, "of_facts", lambda _: _NO_FACT),),
    "the net of statements, for facts": ((nearest, "_stated", lambda _: _NO_FACT),),
    "numbers only where they are offered": ((turns, "understand", lambda message: _numeric(message)),),
    "forms only where they are wished": ((_FORM, "wishes_of_you", lambda _: True),),
    "verdicts only on clear statements": ((understanding, "_states", lambda _: True),),
}


def _numeric(message: str) -> understanding.Understanding:
    found = understanding.understand(message)
    return replace(found, text=message, numeric=True)


@contextmanager
def without(step: str) -> Iterator[None]:
    """The reading with a step left out."""
    patches = [mock.patch.object(module, name, instead) for module, name, instead in STEPS[step]]
    for patch in patches:
        patch.start()
    forget()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()
        forget()


_REMEMBERED = (understanding.understand, addressed.addressed, asking.askings, asking.sentences, parts.parts)


def forget() -> None:
    for remembered in _REMEMBERED:
        remembered.cache_clear()


def ablation(labels: Sequence[Mapping[str, Any]], points: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Everything, and everything without each step."""
    found = {"nothing": figures([hear(label) for label in labels], points)}
    for step in STEPS:
        with without(step):
            found[step] = figures([hear(label) for label in labels], points)
    return found


def labels(file: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def points(file: Path | None = None) -> Mapping[str, Sequence[str]]:
    """Which facts make the point of which message: those that are kept here, and those beside a file of messages."""
    beside = file.with_suffix(".points.json") if file is not None else POINTS
    read = [json.loads(one.read_text(encoding="utf-8")) for one in (POINTS, beside) if one.is_file()]
    return {id: facts for one in read for id, facts in one.items()}
