"""The README's question and answer are real: generated here, and tested to be current."""

from __future__ import annotations

import re
from pathlib import Path

from prompts.tutor import Request, answer

README = Path(__file__).parent.parent / "README.md"
QUESTION = "prove that the deltas sum to G − V"
_OPEN, _CLOSE = "<!-- answer: make pages -->\n", "<!-- end of answer -->"
_HEADING = re.compile(r"^### ", re.MULTILINE)


def current_answer() -> str:
    """The first screen of the answer, quoted: what stands before its first heading."""
    page = answer(Request((QUESTION,))).markdown
    first = _HEADING.split(page)[0].strip()
    quoted = "\n".join(f"> {line}".rstrip() for line in _on_github(first).splitlines())
    return f"{_OPEN}\n{quoted}\n\n{_CLOSE}"


def _on_github(page: str) -> str:
    r"""GitHub reads `$…$` and not `\(…\)`."""
    return page.replace(r"\(", "$").replace(r"\)", "$")


def with_current_answer(text: str) -> str:
    start, end = text.index(_OPEN), text.index(_CLOSE) + len(_CLOSE)
    return text[:start] + current_answer() + text[end:]
