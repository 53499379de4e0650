"""The numbers that stand beside a conversation: one scenario, held by the page as JSON, which two hands write.

A message that brings numbers writes it, and so does whoever edits it in the workbench; the later hand counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.errors import EngineError
from engine.scenario import PARAMETERS
from prompts.functions.given import bounded
from prompts.pictures.told import pasted
from prompts.read.owned import own_scenario
from prompts.read.turns import follow
from prompts.tutor import LONGEST_MESSAGE

LONGEST = 200_000  # characters of a scenario
REMEMBERED = 256  # conversations whose numbers are not read again

EARLIER = ("earlier", "drawn")  # whose numbers give way to what was edited since
ALL = (*EARLIER, "learner")


def parts(text: Any) -> dict[str, Any]:
    """The parts of the scenario in it; none where it cannot be read or is no scenario."""
    try:
        given = json.loads(text) if isinstance(text, str) and 0 < len(text) <= LONGEST else {}
        bounded(given if isinstance(given, dict) else {})
    except (ValueError, RecursionError, EngineError):
        return {}
    return _plain(given) if isinstance(given, dict) else {}


def as_text(given: Mapping[str, Any]) -> str:
    """As the page holds it; the running example, untouched, is empty."""
    return json.dumps(given, ensure_ascii=False, allow_nan=False, separators=(",", ":")) if given else ""


def said(messages: Sequence[str]) -> dict[str, Any]:
    """The numbers that the messages gave and that still stand."""
    return _said(tuple(messages))


@lru_cache(maxsize=REMEMBERED)
def _said(messages: tuple[str, ...]) -> dict[str, Any]:
    try:
        return _plain(follow(pasted(messages)).memory.params) if messages else {}
    except EngineError:
        return {}


def by_hand(before: Sequence[str], text: Any) -> dict[str, Any] | None:
    """What was edited since the messages before, empty where the example was put back; None where nothing was."""
    now = parts(text)
    return None if now == said(before) else now


def after(before: Sequence[str], message: str, text: Any) -> str:
    """What stands beside the conversation once a message has been answered."""
    if len(message) > LONGEST_MESSAGE:
        return as_text(parts(text))
    then, now = said(before), said([*before, message])
    if now == then:
        return as_text(parts(text))
    edited = by_hand(before, text)
    if edited is None:
        return as_text(now)
    brought = {name: x for name, x in now.items() if then.get(name) != x}
    return as_text(_plain({**edited, **brought}) or _plain({**_parameters(edited), **brought}))


def _parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: x for name, x in given.items() if name in PARAMETERS}


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a scenario as JSON has them; none of one that the engine refuses."""
    own, error = own_scenario(given)
    return {} if error else {name: _as_typed(x) for name, x in own.given().items()}


def _as_typed(x: Any) -> Any:
    """Lists as JSON has them, and whole numbers without a point."""
    if isinstance(x, tuple):
        return [_as_typed(one) for one in x]
    return int(x) if isinstance(x, float) and x.is_integer() else x
