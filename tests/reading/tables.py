"""Figures in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def share(counted: Iterable[bool]) -> str:
    """In percent."""
    found = list(counted)
    return f"{100 * sum(found) / len(found):.1f}" if found else "–"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))
