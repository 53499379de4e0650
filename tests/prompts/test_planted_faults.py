"""Whichever inner function fails, the visitor reads a clean message and can go on: a fault is planted in each in turn.

Below `tutor.answer` one net holds all of them, so that there it is one in `EVERY`; EVERY=1 takes each.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from contextlib import aclosing
from pathlib import Path

import pytest

from prompts import tutor
from prompts.staff import NobodyAnsweredError
from prompts.staff import reception as rooms
from prompts.staff.reception import SAME, Reception
from prompts.staff.worker import _done

ROOT = Path(__file__).parents[2]
OURS = tuple(str(ROOT / room) for room in ("engine", "lessons", "prompts"))
EVERY = int(os.environ.get("EVERY", "40"))
NUMBERS = "rewards 0, 0, 1, values 0.2, 0.5, 0.7, gamma 0.9, lambda 0.95: compute the advantages"
TALK = [{"role": "user", "content": "why λ?"}, {"role": "assistant", "content": "because"}]
EVENTS = {
    "numbers": ("prompts.box:on_message", NUMBERS, [], "", True, 0),
    "a claim, later": ("prompts.box:on_message", "δ 就是优势，对吗？", TALK, '{"lam":0.5}', True, 0),
}


class Here:
    """A staff in this process."""

    async def stream(self, do, *given):
        try:
            async with aclosing(_done(do, list(given))) as items:
                async for item in items:
                    yield json.loads(json.dumps(item, allow_nan=False))
        except Exception as fault:
            raise NobodyAnsweredError(do) from fault


@pytest.fixture
def said(monkeypatch):
    heard = []
    monkeypatch.setattr(rooms, "_say", heard.append)
    return heard


def everything(event, look=None):
    """What the page is sent, `look` at every call of a function on the way."""
    do, *given = EVENTS[event]

    async def all_of_it():
        return [shown async for shown in Reception(Here()).telling(do)(*given)]

    def watched(frame, what, _):
        if what == "call" and frame.f_code.co_filename.startswith(OURS):
            look(frame)

    if look is not None:
        threading.setprofile(watched)
        sys.setprofile(watched)
    try:
        return asyncio.run(all_of_it())
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def conversation(shown):
    return [log for log, *_ in shown if log != SAME][-1:]


def below_the_net(frame):
    while frame is not None and frame.f_code is not tutor._answered.__code__:
        frame = frame.f_back
    return frame is not None


def in_turn(event):
    """The functions that fail: all that run outside the net, and of the others one in so many."""
    met = {}
    everything(event, lambda frame: met.setdefault(frame.f_code, below_the_net(frame)))
    outside, inside = ([code for code, below in met.items() if below is where] for where in (False, True))
    assert len(outside) > 20 and len(inside) > 200
    return [*(code for code in outside if "prompts/staff" not in code.co_filename), *inside[::EVERY]]


@pytest.mark.parametrize("event", EVENTS)
def test_whatever_fails_is_told_cleanly_and_the_next_question_is_answered(said, event):
    right = everything(event)
    assert not said
    for code in in_turn(event):

        def plant(frame, planted=code):
            if frame.f_code is planted:
                raise RuntimeError("planted")

        said.clear()
        shown = everything(event, plant)
        merged = {name: x for _, box, *_ in shown for name, x in box.items()}
        assert merged.get("submit_btn", True) and not merged.get("stop_btn"), code
        if said:
            assert said == ["gone"] and shown[-1][0] == SAME, code
        else:
            (last,) = conversation(shown)
            assert last[-1]["role"] == "assistant" and last[-1]["content"] and "planted" not in json.dumps(last), code
    assert conversation(everything(event)) == conversation(right)
