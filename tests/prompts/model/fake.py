"""A model without a model: it gives the replies it was given, in turn, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from prompts.model.connection import NoReplyError, Reply

TOKENS = 10  # of each reply


class Fake:
    """A reply to what is heard may hold the fields of the answer too: these are said when it is asked for that."""

    name = "nobody/fake"

    def __init__(self, *replies: Any, fit: bool | None = True) -> None:
        self.replies, self.asked, self.fit, self.heard = list(replies), [], fit, None

    def complete(
        self,
        turns: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any] | None,
        longest: int,
        stop: threading.Event,
        _seconds: float = 0,
    ) -> Reply:
        assert longest > 0 and schema is not None
        self.asked.append(turns)
        if stop.is_set():
            raise NoReplyError("stopped")
        if schema["title"] == "Answered" and self.heard is not None:
            self.replies.insert(0, self.heard)
        reply = self.replies.pop(0)
        self.heard = reply if schema["title"] == "Heard" and isinstance(reply, dict) else None
        if isinstance(reply, NoReplyError):
            raise reply
        return Reply(reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False), TOKENS)
