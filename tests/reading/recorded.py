"""A model that is somewhere else: its replies from a file, and the prompts that nobody has answered yet.

A line of prompts: id (of the turns), messages, schema, longest. A line of replies: id, reply.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prompts.model.connection import NoReplyError, Reply, Turns
from prompts.model.connection.tokens import estimated


@dataclass
class Recorded:
    """What a model replied elsewhere; what it was not asked yet is kept in `unanswered`."""

    replies: Mapping[str, str] = field(default_factory=dict)
    name: str = "a strong model"
    fit: bool | None = True
    unanswered: dict[str, dict[str, Any]] = field(default_factory=dict)

    def complete(
        self, turns: Turns, schema: Mapping[str, Any] | None, longest: int, stop: threading.Event, _seconds: float = 0
    ) -> Reply:
        asked = [dict(turn) for turn in turns]
        id = hashlib.sha256(json.dumps(asked, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]
        if id not in self.replies or stop.is_set():
            self.unanswered[id] = {"id": id, "messages": asked, "schema": schema, "longest": longest}
            raise NoReplyError("late")
        sent = sum(estimated(turn["content"]) for turn in turns)
        return Reply(self.replies[id], sent + estimated(self.replies[id]))

    def write(self, file: Path) -> None:
        lines = [json.dumps(one, ensure_ascii=False) for one in self.unanswered.values()]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def recorded(file: Path | None) -> Recorded:
    if file is None:
        return Recorded()
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return Recorded({line["id"]: line["reply"] for line in lines})
