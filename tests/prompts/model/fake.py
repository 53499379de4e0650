"""A writer without a model: it gives the replies it was given, in turn, and remembers what it was asked."""

from __future__ import annotations

import threading

from engine.models.writer import Draft


class Fake:
    name = "nobody/fake"

    def __init__(self, *replies: str, finished: bool = True) -> None:
        self.replies, self.finished, self.asked = list(replies), finished, []

    def write(self, prompt: str, longest: int, stop: threading.Event) -> Draft:
        assert longest > 0
        self.asked.append(prompt)
        return Draft(self.replies.pop(0), self.finished and not stop.is_set())
