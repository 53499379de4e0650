"""How well messages find their lessons: `python -m tests.reading.report [folder]` prints it and writes READING.md."""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from lessons._lesson import OUT_OF_SCOPE
from prompts.read import fit
from prompts.read.examples import LESSONS, REGISTERS, Example, questions
from prompts.read.features import spelt
from prompts.read.lesson import probabilities, rank, ranked
from prompts.read.weights import load
from tests.reading import dialogues

HELD_OUT = Path(__file__).with_name("messages.toml")
WRITTEN = Path(fit.__file__).with_name("READING.md")
PAIRS = 12
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


def unseen(examples: Sequence[Example]) -> tuple[Asked, ...]:
    """Each register asked of weights that were fitted without it."""
    which, scores = fit.by_register(fit.prepared(examples), examples)
    likely = probabilities(load(), scores)
    return tuple(answered(examples[i], ranked(load(), row)) for i, row in zip(which, likely, strict=True))


def share(asked: Iterable[bool]) -> str:
    counted = list(asked)
    return f"{100 * sum(counted) / len(counted):.1f}" if counted else "–"


def row(name: str, some: Sequence[Asked]) -> str:
    inside, outside = [a for a in some if a.inside], [a for a in some if not a.inside]
    sure = [a for a in some if a.margin >= load().bar]
    cells = [
        name,
        str(len(some)),
        share(a.right for a in some),
        share(a.offered for a in some),
        share(a.right for a in inside),
        share(a.found[0] != OUT_OF_SCOPE for a in outside),
        share(a.found[0] == OUT_OF_SCOPE for a in inside),
        share(a in sure for a in some),
        share(a.right for a in sure),
    ]
    return f"| {' | '.join(cells)} |"


def section(title: str, asked: Sequence[Asked]) -> list[str]:
    heads = "messages|top 1|top 3|top 1 in scope|out of scope accepted|in scope refused|sure|right when sure"
    lines = [f"## {title}", "", f"| | {heads.replace('|', ' | ')} |", "|---" * 9 + "|", row("all", asked)]
    lines += [row(r, [a for a in asked if a.example.register == r]) for r in REGISTERS]
    lines += [row(lang, [a for a in asked if a.example.language == lang]) for lang in ("zh", "en")]
    lines += ["", "| lesson | messages | top 1 zh | top 1 en | top 3 |", "|---|---|---|---|---|"]
    for lesson in sorted({a.example.lesson for a in asked}):
        own = [a for a in asked if a.example.lesson == lesson]
        by_language = [share(a.right for a in own if a.example.language == lang) for lang in ("zh", "en")]
        lines.append(f"| {lesson} | {len(own)} | {' | '.join(by_language)} | {share(a.offered for a in own)} |")
    pairs = Counter((a.example.lesson, a.found[0]) for a in asked if not a.right)
    taken = [f"{wanted} → {found} ({n})" for (wanted, found), n in sorted(pairs.items(), key=lambda p: (-p[1], p[0]))]
    return [*lines, "", "Taken for another: " + "; ".join(taken[:PAIRS]) + ".", ""]


def report(examples: Sequence[Example]) -> str:
    strangers = held_out()
    ask(strangers[:1])
    started = time.process_time()
    asked = ask(strangers)
    each = 1000 * (time.process_time() - started) / len(strangers)
    known = {spelt(example.text).lower() for example in examples}
    new = [a for a in asked if spelt(a.example.text).lower() not in known]
    lines = [
        "# Which lesson a message wants: measured",
        "",
        f"Written by `make reading`: {len(examples)} examples, {len(strangers)} messages held out. Figures in percent.",
        f"{len(strangers) - len(new)} of the held-out messages are also examples, word for word; without them: "
        f"top 1 {share(a.right for a in new)}, top 3 {share(a.offered for a in new)}.",
        f"{each:.0f} ms of processor time a message on the machine of the report.",
        "How claims get their verdicts: [CLAIMS.md](CLAIMS.md).",
        "",
        *section("Held out: messages by an author of none of the examples", asked),
        *dialogues.report(),
        *section("Leave one register out: five registers are learnt, the sixth is asked", unseen(examples)),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    torch.set_num_threads(1)
    text = report(questions(Path(sys.argv[1]) if len(sys.argv) > 1 else LESSONS))
    WRITTEN.write_text(text, encoding="utf-8")
    sys.stdout.write(text)
