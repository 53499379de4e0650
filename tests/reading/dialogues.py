"""How well conversations are followed: `python -m tests.reading.dialogues [file]` prints it.

The file has [[dialogue]] tables: messages, and of the answer to the last of them whatever is expected of lesson, lang,
form, quantity, verdict ("none" for none), params, facts and error. The one beside this module is ours, and was written
with the grammar.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from prompts.answer import Answer
from prompts.ask import batch

OURS = Path(__file__).with_name("dialogues.toml")
FIELDS = ("lesson", "lang", "form", "quantity", "verdict")
TOLERANCE = 1e-6


class Followed(NamedTuple):
    """A dialogue, the answer to its last turn, and what in it is not as expected."""

    expected: Mapping[str, Any]
    answer: Answer
    wrong: tuple[str, ...]


def dialogues(file: Path = OURS) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["dialogue"]
    return found


def follow_all(expected: Sequence[Mapping[str, Any]]) -> tuple[Followed, ...]:
    """Every dialogue through the batch of the contract."""
    lines = [json.dumps({"messages": one["messages"]}).encode() for one in expected]
    return tuple(followed(one, answer) for one, answer in zip(expected, batch(lines), strict=True))


def followed(expected: Mapping[str, Any], answer: Answer) -> Followed:
    fields = [name for name in FIELDS if name in expected and (getattr(answer, name) or "none") != expected[name]]
    code = answer.error["code"] if answer.error else None
    errors = ["error"] if code != expected.get("error") else []
    params = _different("params", expected, answer.params)
    return Followed(expected, answer, (*fields, *errors, *params, *_different("facts", expected, answer.facts)))


def _different(part: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    wanted: Mapping[str, Any] = expected.get(part, {})
    return [f"{part}.{name}" for name, x in wanted.items() if not _same(found.get(name, []), x)]


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        same_length = isinstance(found, list | tuple) and len(found) == len(wanted)
        return same_length and all(_same(x, y) for x, y in zip(found, wanted, strict=True))
    if isinstance(wanted, str) or not isinstance(found, int | float):
        return bool(found == wanted)
    return math.isclose(found, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else OURS
    for one in follow_all(dialogues(chosen)):
        if one.wrong:
            sys.stdout.write(f"{one.wrong} {one.answer.lesson} {one.answer.form} {one.expected['messages']}\n")
