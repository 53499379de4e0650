"""The words that all pages share, in each language: names of quantities, reasons of proof steps, errors, headings."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lessons import LANGUAGES

_FOLDER = Path(__file__).parent / "words"


class MissingWordsError(KeyError):
    """A key that has no words in a language."""


@cache
def words(language: str) -> Mapping[str, Mapping[str, Any]]:
    assert language in LANGUAGES, language
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def word(language: str, section: str, key: str) -> str:
    found = words(language)[section]
    if key not in found:
        raise MissingWordsError(f"prompts/tell/words/{language}.toml has no {section}.{key}")
    return str(found[key])
