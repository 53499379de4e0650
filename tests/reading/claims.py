"""How well claims get their verdicts: `python -m tests.reading.claims [file]` prints it and writes CLAIMS.md.

The file has [[claim]] tables with text, lang, lesson, verdict and author; the one beside this module was written by
authors of no proposition. What was looked at while the reading was made flatters.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from lessons._lesson import OUT_OF_SCOPE, lessons
from prompts.read import read
from prompts.read.claim import claim
from prompts.read.examples import REGISTERS, questions
from prompts.read.verdicts import FILE
from prompts.tutor import Request, answer

HELD_OUT = Path(__file__).with_name("claims.toml")
WRITTEN = FILE.with_name("CLAIMS.md")


class Said(NamedTuple):
    """A claim with its true verdict, and what was made of it."""

    text: str
    language: str
    author: str
    lesson: str
    verdict: str
    found: str | None
    proposition: str
    score: float

    @property
    def given(self) -> bool:
        return self.found is not None

    @property
    def right(self) -> bool:
        return self.found == self.verdict


def read_all(file: Path) -> tuple[tuple[Said, ...], float]:
    """Every claim of a file as it is read alone, and the seconds of processor time that reading one takes."""
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["claim"]
    claim("V_t contains r_t", ())
    started = time.process_time()
    for entry in entries:
        claim(entry["text"], ())
    seconds = (time.process_time() - started) / len(entries)
    return tuple(_said(entry) for entry in entries), seconds


def _said(entry: dict[str, str]) -> Said:
    question = read((entry["text"],))
    found = question.assertion
    where = f"{'not ' if found.denied else ''}{found.lesson}.{found.proposition}" if found else ""
    return Said(
        entry["text"], entry["lang"], entry.get("author", "first"), entry["lesson"], entry["verdict"],
        answer(Request((entry["text"],))).verdict, where, found.score if found else 0.0,
    )  # fmt: skip


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"


def figures(name: str, claims: Sequence[Said]) -> str:
    given = [one for one in claims if one.given]
    right = sum(one.right for one in given)
    return (
        f"| {name} | {len(claims)} | {percent(len(given), len(claims))} | {percent(right, len(given))} "
        f"| {percent(right, len(claims))} |"
    )


def figures_by(claims: Sequence[Said], key: Callable[[Said], str]) -> list[str]:
    return [figures(name, [one for one in claims if key(one) == name]) for name in sorted({key(one) for one in claims})]


def wrongs(claims: Sequence[Said]) -> list[str]:
    """The kinds of wrong verdicts, as what was due and what was said."""
    kinds = Counter((one.verdict, one.found or "") for one in claims if one.given and not one.right)
    return [f"| {due} | {said} | {count} |" for (due, said), count in kinds.most_common()]


def by_accident() -> list[str]:
    """How often the example questions of each register are given a verdict: few of them but the claims should be."""
    rows = []
    for register in (*REGISTERS, OUT_OF_SCOPE):
        asked = [
            q
            for q in questions()
            if (
                q.lesson == OUT_OF_SCOPE
                if register == OUT_OF_SCOPE
                else q.register == register and q.lesson != OUT_OF_SCOPE
            )
        ]
        given = sum(claim(q.text, ((q.lesson, 1.0),)) is not None for q in asked)
        rows.append(f"| {register} | {len(asked)} | {percent(given, len(asked))} |")
    return rows


AT_FIRST_SIGHT = (  # measured once, and then looked at
    "Before anybody had looked at them, those of the last five authors, written after the last fit, were right in "
    "82.1, 85.7, 82.5, 82.5 and 85.8 %: that is what to expect of a new one."
)


def report(file: Path = HELD_OUT) -> str:
    claims, seconds = read_all(file)
    head = ["| | claims | given a verdict | right, of those | right, of all |", "|---|---|---|---|---|"]
    propositions = sum(len(lesson.propositions) for lesson in lessons().values())
    lines = [
        "# Claims and their verdicts: measured",
        "",
        f"Written by `make reading`: {len(claims)} claims by sixteen authors of no proposition (the first two "
        f"authors' were looked at while the reading was made, of the fourth's to sixteenth's those that failed, of the "
        f"third's only totals), against {propositions} propositions. Figures in percent.",
        f"{AT_FIRST_SIGHT}",
        f"{1000 * seconds:.0f} ms of processor time a claim on the machine of the report.",
        "",
        *head, figures("all", claims), *figures_by(claims, lambda one: one.language),
        *figures_by(claims, lambda one: f"{one.author} author"),
        *figures_by(claims, lambda one: f"due: {one.verdict}"),
        "", "## By lesson", "", *head, *figures_by(claims, lambda one: one.lesson),
        "", "## Wrong verdicts", "", "| due | said | claims |", "|---|---|---|", *wrongs(claims),
        "", "## Questions that are given a verdict", "",
        "The example questions, by register. Some that are no claims by register do ask for yes or no.", "",
        "| register | messages | given a verdict |", "|---|---|---|", *by_accident(),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def line(one: Said) -> str:
    outcome = "right" if one.right else "wrong" if one.given else "none"
    return f"{outcome:5} {one.verdict} {one.found} {one.score:.2f} {one.lesson} {one.proposition} | {one.text}\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.writelines(line(one) for one in read_all(Path(sys.argv[1]))[0])
    else:
        text = report()
        WRITTEN.write_text(text, encoding="utf-8")
        sys.stdout.write(text)
