"""The words sent to a language model: one strict template for each purpose, in English whatever is spoken of."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from prompts.tell.templates import strict

FOLDER = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    return strict(FileSystemLoader(FOLDER))


def prompt(purpose: str, **given: Any) -> str:
    """The prompt of a purpose, filled; a name that the template uses and nobody gave raises."""
    return _environment().get_template(f"{purpose}.md").render(given)
