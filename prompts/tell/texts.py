"""What a page calls the tokens: the learner's as they were given, the running example's in the page's language."""

from __future__ import annotations

from collections.abc import Mapping

from engine import example
from engine.example import Texts
from engine.scenario import Scenario


def texts(given: Scenario, origin: Mapping[str, str], language: str) -> Texts:
    """The prompt and the tokens. Who gave a prompt gave its response too."""
    if origin.get("prompt") == "learner":
        return Texts(given.prompt or "", given.tokens or ())
    return example.texts(given, language)
