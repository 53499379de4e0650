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
from prompts.model.connection.tokens import estimated
from prompts.model.reply import parsed

REPAIR = "This should be one JSON object and is none. Send the whole object, and nothing else."
ALL = 20.0  # seconds for everything that a message is asked about
MOST = 2500  # tokens for it, sent and replied
LEAST = 16  # of a reply that can say something


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

    @property
    def left(self) -> int:
        return MOST - self.tokens

    def ask(self, turns: Turns, form: type[BaseModel], longest: int) -> Mapping[str, Any]:
        """The object that it replies; NoReplyError where there is none: asked twice, or nothing left to ask with."""
        schema = form.model_json_schema()
        text = self._complete(turns, schema, longest)
        found = parsed(text)
        if found is None:
            again = [{"role": "user", "content": f"{REPAIR}\n\n{text}"}]
            found = parsed(self._complete(again, schema, longest))
        if found is None:
            raise NoReplyError("broken")
        return found

    def _complete(self, turns: Turns, schema: Schema, longest: int) -> str:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NoReplyError("late")
        room = self.left - cost(turns)
        if room < min(LEAST, longest):
            raise NoReplyError("spent")
        self.calls += 1
        reply = self.model.complete(turns, schema, min(longest, room), self.stop, min(FIRST, left))
        self.tokens += reply.tokens
        return reply.text


def cost(turns: Turns) -> int:
    """About how many tokens are sent with them."""
    return sum(estimated(turn["content"]) for turn in turns)
