"""A model asked for one JSON object: by schema where it can be held to one, else found in its text, repaired once."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from prompts.model.connection import NoReplyError, Reply, Turns
from prompts.model.connection.connection import FIRST, Schema
from prompts.model.reply import parsed

REPAIR = "That is not one JSON object. Send the whole object again, and nothing else."
ALL = 20.0  # seconds for everything that a message is asked about


class Model(Protocol):
    """Whatever completes a conversation (connection/)."""

    fit: bool | None  # whether it was found fit to be listened to (entrance.py); None: nobody has asked it yet

    @property
    def name(self) -> str: ...

    def complete(
        self, turns: Turns, schema: Schema | None, longest: int, stop: threading.Event, seconds: float = ..., /
    ) -> Reply: ...


@dataclass
class Talk:
    """What is asked of a model about one message: how much it cost so far, and how long it may still take."""

    model: Model
    stop: threading.Event
    tokens: int = 0
    calls: int = 0
    _until: float = field(default_factory=lambda: time.monotonic() + ALL)

    def ask(self, turns: Turns, form: type[BaseModel], longest: int) -> Mapping[str, Any]:
        """The object that it replies; NoReplyError where there is none, asked twice."""
        schema = form.model_json_schema()
        text = self._complete(turns, schema, longest)
        found = parsed(text)
        if found is None:
            again = [*turns, {"role": "assistant", "content": text}, {"role": "user", "content": REPAIR}]
            found = parsed(self._complete(again, schema, longest))
        if found is None:
            raise NoReplyError("broken")
        return found

    def _complete(self, turns: Turns, schema: Schema, longest: int) -> str:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NoReplyError("late")
        self.calls += 1
        reply = self.model.complete(turns, schema, longest, self.stop, min(FIRST, left))
        self.tokens += reply.tokens
        return reply.text
