"""How messages are read: `python -m tests.reading.report [FILE.jsonl …]` writes prompts/read/READING.md.

The files hold labelled messages that other people wrote (real.py); they stay where they are. Sets of our own are
regression tests: what is said of them is only how many are as they were.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from lessons._lesson import OUT_OF_SCOPE
from prompts.read import fit
from prompts.read.examples import Example, questions
from prompts.read.lesson import rank
from tests.reading import claims, dialogues, listening, real
from tests.reading.tables import table

HELD_OUT = Path(__file__).with_name("messages.toml")
WRITTEN = Path(fit.__file__).with_name("READING.md")
TOP = 3


class Asked(NamedTuple):
    """A message, the lessons found for it, best first, and how far the first is ahead."""

    example: Example
    found: tuple[str, ...]
    margin: float

    @property
    def right(self) -> bool:
        return self.found[0] == self.example.lesson

    @property
    def offered(self) -> bool:
        return self.example.lesson in self.found[:TOP]

    @property
    def inside(self) -> bool:
        return self.example.lesson != OUT_OF_SCOPE


def held_out() -> tuple[Example, ...]:
    """The messages for lessons that are there."""
    entries = tomllib.loads(HELD_OUT.read_text(encoding="utf-8"))["message"]
    known = {example.lesson for example in questions()}
    return tuple(Example(e["text"], e["lesson"], e["lang"], e["register"]) for e in entries if e["lesson"] in known)


def answered(example: Example, found: Sequence[tuple[str, float]]) -> Asked:
    return Asked(example, tuple(lesson for lesson, _ in found), found[0][1] - found[1][1])


def ask(examples: Iterable[Example]) -> tuple[Asked, ...]:
    return tuple(answered(example, rank(example.text)) for example in examples)


def of_others(file: str) -> list[str]:
    """One set of real messages, and what each step of the reading is worth on it."""
    labels = real.labels(Path(file))
    real.hear(labels[0])
    found = real.ablation(labels, real.points(Path(file)))
    whole = found.pop("nothing")
    heads = ["without", *(name for name in whole)]
    rows = [["nothing: everything is there", *whole.values()], *([step, *one.values()] for step, one in found.items())]
    turned = [list(column) for column in zip(heads, *rows, strict=True)]
    return [f"## {Path(file).stem}: {len(labels)} messages that people wrote", "", table(turned[0], turned[1:]), ""]


def report(files: Sequence[str]) -> str:
    asked, followed = ask(held_out()), dialogues.follow_all(dialogues.dialogues())
    lines = [
        "# How messages are read: measured",
        "",
        "Written by `make reading REAL=messages.jsonl`. Figures in percent where nothing else is said.",
        "",
        *(line for file in files for line in of_others(file)),
        "## Clean single statements",
        "",
        "By the last five authors of tests/reading/claims.toml. What failed of them has been looked at: this flatters.",
        "",
        claims.report(),
        "",
        "## Regression tests",
        "",
        f"- {sum(a.right for a in asked)} of {len(asked)} messages of tests/reading/messages.toml find their lesson.",
        f"- {sum(not one.wrong for one in followed)} of {len(followed)} conversations of tests/reading/dialogues.toml.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    torch.set_num_threads(1)
    prompts, replies = os.environ.get("PROMPTS"), os.environ.get("REPLIES")
    if prompts or replies:
        listening.measure(sys.argv[1:], prompts, replies)
        sys.exit()
    text = report(sys.argv[1:])
    WRITTEN.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
