"""How long answers are, by lesson, form and language: `python -m tests.lengths` writes prompts/tell/LENGTHS.md.

A length is the number of characters of an answer's Markdown, tables and formulas as they are written; what is seen of
it, formulas in plain signs and blanks not counted, stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from lessons._lesson import LANGUAGES, OUT_OF_SCOPE, lessons
from prompts.answer import Answer
from prompts.tell.forms import MOST, WHOLE
from prompts.tell.leading import asked_of
from prompts.tell.terminal import in_terminal
from prompts.tutor import Request, answer
from tests import pages

FILE = Path(__file__).parent.parent / "prompts" / "tell" / "LENGTHS.md"
ASKED = 8  # questions about single facts of each lesson
OTHERS = tuple(form for form in WHOLE if form not in ("plain", "why", "translate"))


def taught() -> list[str]:
    return sorted(set(lessons()) - {OUT_OF_SCOPE})


def answers(id: str, language: str, count: int = ASKED) -> Iterator[Answer]:
    """What is shown at first: to the lesson's own question, and to questions about its facts."""
    for question in (lessons()[id].question[language], *asked_of(id, language)[:count]):
        yield answer(Request((question,), lang=language))


def short(found: Answer) -> bool:
    """Whether an answer is one that is to be read at a glance."""
    return found.form in ("plain", "why", "translate") and found.error is None


def seen(page: str) -> int:
    return len("".join(in_terminal(page).split()))


def table() -> str:
    head = ["lesson"]
    for language in LANGUAGES:
        head += [f"{language}: own question", "seen of it", "others, median", "longest", "unfolded"]
    rows, firsts = [], {language: [] for language in LANGUAGES}
    for id in taught():
        row = [id]
        for language in LANGUAGES:
            own, *others = [found.markdown for found in answers(id, language) if short(found)] or [""]
            lengths = [len(page) for page in others] or [len(own)]
            firsts[language] += [len(own), *lengths]
            full = pages.page(lessons()[id], pages.EXAMPLE, language, "full")
            row += [str(x) for x in (len(own), seen(own), round(median(lengths)), max(lengths), len(full))]
        rows.append(row)
    return "\n\n".join([_told(firsts), _laid_out(head, rows), "By form, on the running example:", by_form()])


def by_form() -> str:
    rows = []
    for form in ("plain", *OTHERS):
        found = {x: [len(pages.page(lessons()[id], pages.EXAMPLE, x, form)) for id in taught()] for x in LANGUAGES}
        rows.append([form, *(str(round(y)) for x in LANGUAGES for y in (median(found[x]), max(found[x])))])
    return _laid_out(["form", *(f"{x}: {y}" for x in LANGUAGES for y in ("median", "longest"))], rows)


def _told(firsts: dict[str, list[int]]) -> str:
    said = [
        f"{language}: median {round(median(found))}, longest {max(found)}, at most {MOST[language]}"
        for language, found in firsts.items()
    ]
    return f"Shown at first, {len(next(iter(firsts.values())))} answers in each language. " + "; ".join(said) + "."


def _laid_out(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write() -> None:
    assert __doc__ is not None
    about = __doc__.partition("\n\n")[2].strip()
    FILE.write_text(f"# How long answers are\n\n`make lengths` writes this. {about}\n\n{table()}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
