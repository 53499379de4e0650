"""Before anybody listens to a model it is asked once, shortly, what it will be asked for each sentence: with a model
that cannot tell a fact from its opposite the tutor is better off alone."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from prompts.model.asking import Talk
from prompts.model.connection import NoReplyError
from prompts.model.prompt import prompt
from prompts.model.reply import Compared, answers

_FILE = Path(__file__).with_name("entrance.toml")
MISSES = 1  # that are forgiven
LONGEST = 120  # tokens of the reply
OF_ITS_OWN = ("broken", "unfinished")  # what is no reply, and nobody's fault but the model's


def passes(talk: Talk) -> bool:
    """Whether the model tells what says the same, the opposite, or more; NoReplyError where it cannot be asked."""
    pairs = _pairs()
    turns = [{"role": "user", "content": prompt("compare", pairs=pairs)}]
    try:
        found = answers(talk.ask(turns, Compared, LONGEST), len(pairs))
    except NoReplyError as trouble:
        if trouble.why in OF_ITS_OWN:
            return False
        raise
    return found is not None and sum(a != pair["answer"] for a, pair in zip(found, pairs, strict=True)) <= MISSES


@cache
def _pairs() -> list[dict[str, Any]]:
    pairs: list[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["pair"]
    return [{"wrote": "", **pair} for pair in pairs]
