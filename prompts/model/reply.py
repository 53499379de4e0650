"""What a model replies, field by field. What has not the form of its field is dropped; the rest stands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

Says: TypeAlias = Literal["same", "opposite", "depends"]
Answer: TypeAlias = Literal["same", "opposite", "more"]
About: TypeAlias = Literal["subject", "tool", "run", "other", "talk"]  # all but the first are outside


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Point(Form):
    asked: str
    facts: list[int]


class Judged(Form):
    sentence: str
    fact: int
    says: Says


class Given(Form):
    name: str
    value: str


class Wish(Form):
    name: str
    words: str


class Call(Form):
    name: str
    ask: str


class Sentence(Form):
    say: str
    facts: list[int]


class Heard(Form):
    """What a message says, as a model hears it, and what it would answer: never shown, but facts are found by it."""

    answer: str
    about: About
    lesson: str
    numbers: list[Given] | None
    quantity: str | None
    form: Wish | None
    calls: list[Call]


class Answered(Form):
    """What it says once it has facts and results: by the numbers that they have in its prompt."""

    points: list[Point]
    judged: Judged | None
    opening: list[Sentence]


class Compared(Form):
    answers: list[Answer]


_NOTHING: Mapping[str, Any] = {
    "answer": "", "about": "subject", "lesson": "", "numbers": None, "quantity": None, "form": None,
    "calls": [], "points": [], "judged": None, "opening": [],
}  # fmt: skip
_LISTS: Mapping[str, type[Form]] = {
    "points": Point, "numbers": Given, "opening": Sentence, "calls": Call,
}  # fmt: skip
_ONES: Mapping[str, type[Form]] = {"judged": Judged, "form": Wish}
_F = TypeVar("_F", bound=Form)


def parsed(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, whatever stands around it; what it thought aloud before is not looked at."""
    text = text.rpartition("</think>")[2]
    start = text.find("{")
    while start >= 0:
        try:
            found, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return found if isinstance(found, dict) else None
    return None


def fields(data: Mapping[str, Any], form: type[_F]) -> tuple[_F, tuple[str, ...]]:
    """The fields that have their form, and the names of those that have not; what is missing says nothing."""
    kept, dropped = {name: _NOTHING[name] for name in form.model_fields}, []
    for name in kept:
        given = data.get(name)
        if given is None:
            continue
        if name in _LISTS:
            items = [_of(_LISTS[name], one) for one in given] if isinstance(given, list) else [None]
            dropped += [name] * items.count(None)
            kept[name] = [one for one in items if one is not None]
        elif name in _ONES:
            kept[name] = _of(_ONES[name], given)
            dropped += [name] * (kept[name] is None)
        elif isinstance(given, str) and (name != "about" or given in get_args(About)):
            kept[name] = given
        else:
            dropped.append(name)
    return form.model_construct(**kept), tuple(dropped)


def answers(data: Mapping[str, Any], count: int) -> Sequence[Answer] | None:
    """An answer for each pair, or none at all."""
    found = _of(Compared, data)
    return found.answers if found is not None and len(found.answers) == count else None


def _of(form: type[_F], given: Any) -> _F | None:
    if not isinstance(given, dict):
        return None
    try:
        return form.model_validate({name: x for name, x in given.items() if name in form.model_fields})
    except ValidationError:
        return None
