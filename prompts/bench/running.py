"""A prompt and a response of one's own: cut into tokens, or read by the real model, whose numbers then stand here."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from math import log
from threading import Event
from typing import Any

from engine.errors import EngineError
from engine.models.progress import Listener, Progress, until
from engine.scenario import Scenario
from prompts.bench import state
from prompts.bench.page import read
from prompts.tell.errors import describe
from prompts.tell.observed import progress
from prompts.watched import watched

DIGITS = 4  # after the point
_OF_ROLES = ("prompt", "tokens", "scores", "logp", "ref_logp", "values")


async def on_run(request: Any) -> AsyncIterator[str]:
    """How far the run is, then its numbers as what stands beside the conversation, or why there are none; as JSON."""
    try:
        sent = json.loads(request) if isinstance(request, str) and len(request) <= state.LONGEST_OWN * 20 else {}
    except ValueError:
        sent = {}
    asked, stop = read(sent), Event()

    def work(heard: Listener) -> Scenario | EngineError:
        try:
            return numbers(sent, until(stop, heard))
        except EngineError as refused:
            return refused

    async with aclosing(watched(work, stop)) as run:
        async for found in run:
            if isinstance(found, Progress):
                share = found.done / found.total if found.total else 0
                yield json.dumps({"doing": progress(found, asked.language), "share": share})
            elif isinstance(found, Scenario):
                yield json.dumps({"text": state.written(found)})
            else:
                yield json.dumps({"error": describe(found, asked.language)})


def numbers(sent: Any, listener: Listener) -> Scenario:
    """What the roles say of the texts, before and after one step of the actor."""
    from engine.models.runs import observed
    from engine.models.trial import Trial

    given = state.opened(sent.get("text") if isinstance(sent, dict) else "")
    prompt, response = state.own_texts(sent)
    found = observed(given, Trial(prompt=prompt, response=response, iterations=1, epochs=1), listener)
    if isinstance(found, EngineError):
        raise found
    seen = found.rounds[0].scenario
    lists = {name: _readable(getattr(seen, name)) for name in _OF_ROLES}
    ratios = zip(seen.rows("logp")[0], seen.rows("ratio")[0], strict=True)
    updated = [before + log(ratio) for before, ratio in ratios]
    settings = {name: getattr(given, name) for name in state.SETTINGS}
    return Scenario(**lists, **settings, new_logp=_readable(tuple(min(x, 0.0) for x in updated)))


def _readable(row: Any) -> Any:
    """With as many digits as can be looked at and typed again."""
    return tuple(round(x, DIGITS) if isinstance(x, float) else x for x in row) if isinstance(row, tuple) else row
