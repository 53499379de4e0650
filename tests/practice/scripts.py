"""Practices as files: what each learner says, with the answers that the open exercise has, and what comes of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.exercise import Exercise
from engine.grading import LETTERS
from prompts.answer import Answer
from prompts.read.practising import Practised
from prompts.read.turns import follow
from prompts.tutor import Request, answer

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "expected"
SCRIPTS: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "scripts.toml").read_text(encoding="utf-8"))
WAYS = {1: ("up", "变大"), -1: ("down", "变小"), 0: ("the same", "不变")}
SIGNS = {1: ("positive", "正"), -1: ("negative", "负")}


@dataclass(frozen=True)
class Spoken:
    said: str
    expected: str
    came: str
    answer: Answer


def spoken(name: str) -> Iterator[Spoken]:
    """A dialogue, turn by turn."""
    messages: list[str] = []
    for template, expected in SCRIPTS[name]["turns"]:
        practice = follow(messages).talk.practice if messages else None
        messages.append(filled(template, practice, zh=name.endswith("_zh")))
        turn = follow(messages)
        yield Spoken(messages[-1], expected, _came(turn.practice, expected), answer(Request(tuple(messages))))


def _came(practice: Practised | None, expected: str) -> str:
    if practice is None:
        return "ordinary"
    if practice.did != "answered" or expected == "answered":
        return practice.did
    assert practice.graded is not None
    false = practice.exercise.kind == "truth" and practice.graded.outcome == "wrong"
    return "not_true" if false else practice.graded.outcome


def filled(template: str, practice: Practised | None, *, zh: bool) -> str:
    if practice is None or "{" not in template:
        return template
    found = answers(practice.exercise, zh)
    return template.format(**found, name=practice.name)


def answers(exercise: Exercise, zh: bool) -> dict[str, str]:
    """All that can be said to an exercise, in words, letters and numbers."""
    if exercise.options:
        letters = {x: LETTERS[i] for i, x in enumerate(exercise.options)}
        found = {"letter": letters[exercise.right], "wrong": next(y for x, y in letters.items() if x != exercise.right)}
        found |= {"answer": found["letter"], "wrong_answer": found["wrong"]}
    else:
        found = {"letter": "A", "wrong": "B"}
    if exercise.kind == "truth":
        return found
    if exercise.kind == "list":
        row = ", ".join(digits(x) for x in exercise.right)
        slip = ", ".join(digits(x) for x in next(iter(exercise.wrong.values())))
        return {**found, "list": row, "answer": row, "wrong_answer": slip}
    wrong = next((x for x in exercise.wrong.values() if x != exercise.right), 0)
    found |= {"value": digits(exercise.right), "slip": digits(wrong), "percent": f"{float(exercise.right):.6%}"}
    if isinstance(exercise.right, Fraction):
        found["fraction"] = str(exercise.right)
    if exercise.kind == "sign":
        side = (exercise.right > 0) - (exercise.right < 0)
        return {**found, "answer": SIGNS[side][zh], "wrong_answer": SIGNS[-side][zh]}
    if exercise.moved is not None:
        way = (exercise.right > exercise.before) - (exercise.right < exercise.before)
        up, down = WAYS[way][zh], WAYS[-way][zh]
        return {**found, "way": up, "other_way": down, "answer": up, "wrong_answer": down}
    return {"answer": found["value"], "wrong_answer": found["slip"], **found}


def digits(x: Any) -> str:
    return f"{float(x):.6f}"


def transcript(name: str) -> str:
    turns = [f"## {one.said}\n\n{one.answer.markdown.strip()}" for one in spoken(name)]
    return "\n\n".join([f"# {name.replace('_', ' ')}", *turns]) + "\n"


if __name__ == "__main__":
    for name in SCRIPTS:
        (EXPECTED / f"{name}.md").write_text(transcript(name), encoding="utf-8")
