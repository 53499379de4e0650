"""Markdown and LaTeX as the page takes them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from textwrap import dedent
from typing import Any

from engine.notation import show
from prompts.tell.ground import Grounded

LONGEST_TABLE = 24  # rows; a longer response shows its beginning and its end


def inline(formula: str) -> Grounded:
    return Grounded(rf"\({formula}\)")


def display(lines: Sequence[str]) -> Grounded:
    """Displayed LaTeX; several lines are aligned at their first equals sign."""
    if len(lines) == 1:
        return Grounded(f"$${lines[0]}$$")
    aligned = r" \\ ".join(line.replace("=", "&=", 1) for line in lines)
    return Grounded(rf"$$\begin{{aligned}} {aligned} \end{{aligned}}$$")


def cell(x: Any) -> str:
    """A number in a table; a dash where the mask leaves nothing."""
    return "–" if x is None else show(x).text


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a column without any entry is left out, a long body shows its two ends."""
    shown = _shortened([list(row) for row in body])
    columns = [i for i in range(len(head)) if any(row[i] for row in shown)]
    rows = [[row[i] for i in columns] for row in (head, ["---:"] * len(head), *shown)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _shortened(body: list[list[str]]) -> list[list[str]]:
    if len(body) <= LONGEST_TABLE:
        return body
    half = LONGEST_TABLE // 2
    return [*body[:half], ["…"] * len(body[0]), *body[-half:]]


def python(function: Callable[..., Any]) -> str:
    return f"```python\n{dedent(inspect.getsource(function)).rstrip()}\n```"


def folded(title: str, content: str) -> Grounded:
    """Content behind a line that opens it."""
    return Grounded(f"<details><summary>{title}</summary>\n\n{content}\n\n</details>")
