"""One model, three ways to have it: here on this machine, behind an address, or nobody.

connection.py  what every way has: limits of time and length, a queue, what was answered before
endpoint.py    any server of the usual chat-completions protocol;  stream.py: what it sends, line by line
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from engine.errors import EngineError
from engine.models import instruct
from engine.models.gate import Gate
from prompts.model.connection.connection import Connection, NoReplyError, Reply, Source, Turns
from prompts.tell.errors import describe
from prompts.tell.learner_text import typed

__all__ = ["Connection", "NoReplyError", "Reply", "Source", "Turns", "connected", "named", "who_listens", "why_nobody"]

MODEL, ENDPOINT, KEY, HUB_KEY = "TELESCOPE_MODEL", "TELESCOPE_ENDPOINT", "TELESCOPE_KEY", "HF_TOKEN"
BEFORE = "TELESCOPE_WRITER"  # what TELESCOPE_MODEL was called
AT_AN_ADDRESS = (8, 8)  # who ask a server at the same time, and who wait


@cache
def connected() -> Connection | EngineError | None:
    """The model that the environment names, not loaded yet; None where it names none; why it cannot be had."""
    try:
        return named(os.environ)
    except EngineError as absent:
        return absent


def who_listens() -> str | None:
    """The name of the model that listens, if there is one."""
    model = connected()
    return model.name if isinstance(model, Connection) and model.fit is not False else None


def why_nobody() -> str | None:
    """Why the model that is named cannot be had, for whoever started this; every message can be answered without."""
    absent = connected()
    return f"{typed(describe(absent, 'en'))}\n" if isinstance(absent, EngineError) else None


def named(given: Mapping[str, str]) -> Connection | None:
    place, model = given.get(ENDPOINT), given.get(MODEL) or given.get(BEFORE)
    if place:
        from prompts.model.connection.endpoint import HUGGING_FACE, Endpoint, address  # nobody else waits for httpx

        at_hub = place == HUGGING_FACE
        key = given.get(KEY) or (given.get(HUB_KEY) if at_hub else None)  # nobody else is sent the hub's
        if key is not None and not (key.isascii() and key.isprintable()):
            raise EngineError("bad_key")  # what sends it would show it in its error
        return Connection(Endpoint(address(place), model or "default", key), Gate(*AT_AN_ADDRESS))
    return Connection(instruct.named(model), Gate()) if model else None
