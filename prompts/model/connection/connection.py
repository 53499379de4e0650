"""What every model has, wherever it is: limits of time and length, a stop, a queue, what was answered before."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from engine.errors import EngineError
from engine.models.gate import LOOKS, Gate

Turns: TypeAlias = Sequence[Mapping[str, str]]  # role and content
Schema: TypeAlias = Mapping[str, Any]
Why: TypeAlias = Literal[
    "late", "busy", "stopped", "unreachable", "refused", "broken", "endless", "unfinished", "resting", "unfit", "spent"
]
FIRST, WHOLE = 8.0, 20.0  # seconds to the first word, and for all
IN_VAIN, RESTS = 3, 60.0  # times in a row that nothing came, after which nobody waits for it, for so many seconds
REMEMBERED = 256  # replies


class NoReplyError(Exception):
    """Nothing that can be read came from a model. No address, no key and no text stands in it."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


class Reply(NamedTuple):
    """What was written, and how many tokens were read and written for it."""

    text: str
    tokens: int


class Draft(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def finished(self) -> bool: ...
    @property
    def tokens(self) -> int: ...


class Source(Protocol):
    """Whatever writes, as JSON of a schema where it can be held to one.

    `begun` is called with the first word; after `stop` is set nothing more is written.
    """

    @property
    def name(self) -> str: ...

    def write(
        self, turns: Turns, schema: Schema | None, longest: int, stop: threading.Event, begun: Callable[[], None], /
    ) -> Draft: ...


@dataclass
class Connection:
    """A model that can be asked by many at once; each of them waits no longer than a person does."""

    source: Source
    gate: Gate
    fit: bool | None = None  # whether it was found fit to be listened to; None: nobody has asked it yet
    _replies: OrderedDict[Any, Reply] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _in_vain: int = field(default=0, repr=False)
    _rests_until: float = field(default=0.0, repr=False)

    @property
    def name(self) -> str:
        return self.source.name

    def complete(
        self, turns: Turns, schema: Schema | None, longest: int, stop: threading.Event, seconds: float = FIRST
    ) -> Reply:
        """The reply to these turns; NoReplyError where its first word takes longer than `seconds`, or it has no end."""
        asked = (longest, *((turn["role"], turn["content"]) for turn in turns))
        with self._lock:
            if asked in self._replies:
                return self._replies[asked]._replace(tokens=0)
            if time.monotonic() < self._rests_until:
                raise NoReplyError("resting")
        try:
            draft = _Errand(self, turns, schema, longest, stop).run(seconds)
        except NoReplyError as trouble:
            self._count(trouble.why)
            raise
        self._count(None)
        if not draft.finished:
            raise NoReplyError("unfinished")
        with self._lock:
            self._replies[asked] = Reply(draft.text, draft.tokens)
            while len(self._replies) > REMEMBERED:
                self._replies.popitem(last=False)
            return self._replies[asked]

    def _count(self, why: Why | None) -> None:
        """A model that is late or gone again and again rests for a while: nobody else waits for it in vain."""
        with self._lock:
            self._in_vain = self._in_vain + 1 if why in ("late", "unreachable", "refused") else 0
            if self._in_vain >= IN_VAIN:
                self._in_vain, self._rests_until = 0, time.monotonic() + RESTS


class _Errand:
    """One question to a model, run aside, so that whoever asked can go when it takes too long."""

    def __init__(
        self, to: Connection, turns: Turns, schema: Schema | None, longest: int, stop: threading.Event
    ) -> None:
        self._to, self._turns, self._schema, self._longest, self._asker = to, turns, schema, longest, stop
        self._given_up, self._begun, self._done = threading.Event(), threading.Event(), threading.Event()
        self._draft: Draft | None = None
        self._why: Why = "broken"

    def run(self, seconds: float) -> Draft:
        threading.Thread(target=self._work, daemon=True).start()
        started = time.monotonic()
        while not self._done.wait(LOOKS):
            passed = time.monotonic() - started
            late = passed > seconds and not self._begun.is_set()
            if late or passed > WHOLE or self._asker.is_set():
                self._given_up.set()
                raise NoReplyError("stopped" if self._asker.is_set() else "late")
        if self._draft is None:
            raise NoReplyError(self._why)
        return self._draft

    def _work(self) -> None:
        def waits() -> None:
            if self._given_up.is_set():
                raise EngineError("stopped")

        try:
            with self._to.gate.turn(waits):
                waits()
                self._draft = self._to.source.write(
                    self._turns, self._schema, self._longest, self._given_up, self._begun.set
                )
        except NoReplyError as trouble:
            self._why = trouble.why
        except EngineError as trouble:
            self._why = "busy" if trouble.code == "busy" else "refused"
        finally:
            self._done.set()
