"""How a page is opened: in which language, and with which question in its address (?q=…&lang=…)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any

from lessons._lesson import LANGUAGES
from prompts.box import on_message


def opened_in(parameters: Mapping[str, str], accept_language: str | None) -> str:
    """The language that the address names, else the browser's."""
    named = parameters.get("lang")
    return named if named in LANGUAGES else preferred(accept_language)


def preferred(accept_language: str | None) -> str:
    """The first of our languages that the browser asks for."""
    wanted = re.findall(r"\b(?:zh|en)\b", (accept_language or "").lower())
    return wanted[0] if wanted else "en"


async def on_address(parameters: Mapping[str, str], *beside: Any) -> AsyncIterator[Any]:
    """The question in the address, answered; nothing where there is none."""
    if parameters.get("q"):
        async for shown in on_message(parameters["q"], *beside):
            yield shown
