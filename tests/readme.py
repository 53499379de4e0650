"""The README's question and answer are real: generated here, and tested to be current."""

from __future__ import annotations

import itertools
from pathlib import Path

from prompts.tutor import Request, answer

README = Path(__file__).parent.parent / "README.md"
QUESTION = "What is λ for, and what happens with λ at zero, one half and one?"
_OPEN, _CLOSE = "<!-- answer: make pages -->\n", "<!-- end of answer -->"
QUOTED = {  # file → the heading after which its table is quoted
    "engine/kernels/BENCHMARK.md": "What is asked of it:",
    "engine/models/README.md": "<!-- measured -->",
}


def current_answer() -> str:
    """The answer as it is shown at first, quoted."""
    first = answer(Request((QUESTION,))).markdown.strip()
    quoted = "\n".join(f"> {line}".rstrip() for line in _on_github(first).splitlines())
    return f"{_OPEN}\n{quoted}\n\n{_CLOSE}"


def _on_github(page: str) -> str:
    r"""GitHub reads `$…$` and not `\(…\)`."""
    return page.replace(r"\(", "$").replace(r"\)", "$")


def quoted_table(file: str) -> str:
    """The first table after the heading, between marks that name the file."""
    lines = (README.parent / file).read_text(encoding="utf-8").split(QUOTED[file], 1)[1].splitlines()
    table = itertools.takewhile(_in_table, itertools.dropwhile(lambda line: not _in_table(line), lines))
    return "\n".join([f"<!-- table: {file} -->", *table, "<!-- end of table -->"])


def _in_table(line: str) -> bool:
    return line.startswith("|")


def current(text: str) -> str:
    """The README with its answer and its tables as they are today."""
    text = _between(text, _OPEN, _CLOSE, current_answer())
    for file in QUOTED:
        text = _between(text, f"<!-- table: {file} -->", "<!-- end of table -->", quoted_table(file))
    return text


def _between(text: str, opening: str, closing: str, content: str) -> str:
    start = text.index(opening)
    return text[:start] + content + text[text.index(closing, start) + len(closing) :]
