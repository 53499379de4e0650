"""The response that checks of claims compute on: the running example, or for as long as one is held another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from engine.example import RUNNING, batch_of
from engine.scenario import Scenario

_RESPONSE: ContextVar[Scenario] = ContextVar("the response at hand", default=RUNNING)


def at_hand() -> Scenario:
    return _RESPONSE.get()


def batch_at_hand() -> Scenario:
    """The running example's two responses, or the response that is held."""
    return batch_of(at_hand())


@contextmanager
def held(response: Scenario) -> Iterator[None]:
    token = _RESPONSE.set(response)
    try:
        yield
    finally:
        _RESPONSE.reset(token)
