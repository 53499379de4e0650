"""Lies, planted in every field of a reply and in every kind of sentence: which are caught, and by what.

`python -m tests.prompts.model.lies` writes the table, prompts/model/LIES.md.
"""

from __future__ import annotations

import json
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from prompts.model import Listened, listened
from prompts.model import listen as whole_way
from prompts.model.lock import objection
from prompts.read import read
from prompts.read.nearest import Near
from tests.prompts.model.fake import Fake
from tests.reading.tables import table

_TABLES = tomllib.loads(Path(__file__).with_name("lies.toml").read_text(encoding="utf-8"))
SENTENCES = _TABLES["fact"]
RETOLD = tomllib.loads(Path(__file__).with_name("retold.toml").read_text(encoding="utf-8"))["retold"]
WRITTEN = Path(whole_way.__file__).with_name("LIES.md")
SECOND_LOOK = "second look"
MESSAGE = "Why is my policy loss negative? I thought that a loss must be above zero. Here 0.5, -0.2 came out."
ASKED = "Why is my policy loss negative?"
SHOWN = [  # whatever else lies near by now
    Near(fact, 0.5, 0.5)
    for fact in ("ppo_clip/policy_loss_is_never_negative", "surrogate/first_loss_is_minus_the_mean_advantage")
]
HONEST = {
    "answer": "The loss may be negative.",
    "points": [{"asked": ASKED, "facts": [1]}],
    "about": "subject",
    "lesson": "surrogate",
    "judged": None,
    "numbers": [],
    "quantity": None,
    "form": None,
    "opening": [],
    "calls": [],
}


class Planted(NamedTuple):
    field: str
    what: str
    reply: Mapping[str, Any]
    caught: tuple[str, ...]  # what is dropped, and why; nothing: it is not done


def in_fields() -> list[Planted]:
    return [
        Planted(one["name"], one["planted"], json.loads(one["reply"]), tuple(one.get("dropped", ())))
        for one in _TABLES["field"]
    ]


def hear(reply: Mapping[str, Any], looks: str = "opposite") -> Listened:
    """What becomes of a reply; a second look finds every pair so."""
    replies = [HONEST | dict(reply), {"answers": [looks]}]
    with mock.patch.object(whole_way, "shown", lambda *_: SHOWN):
        return listened(Fake(*replies), read([MESSAGE]), (MESSAGE,), threading.Event())


def dropped(heard: Listened) -> list[tuple[str, str]]:
    return [(one["field"], one["why"]) for one in (heard.report or {})["dropped"]]


class Told(NamedTuple):
    language: str
    kind: str
    fact: str
    sentence: str
    caught: str
    message: str  # whose words it may quote

    @property
    def found(self) -> str:
        return objection(self.sentence, [self.fact], self.language, self.message) or SECOND_LOOK


def told() -> Iterator[Told]:
    for fact in SENTENCES:
        for kind, (sentence, caught) in fact["lies"].items():
            yield Told(fact["lang"], kind, fact["says"], sentence, caught, fact.get("message", ""))


def wrongly() -> list[tuple[str, str]]:
    """Why true sentences are thrown out, with their languages."""
    found = [(one["lang"], objection(one["say"], [one["fact"]], one["lang"])) for one in RETOLD]
    return [(language, why) for language, why in found if why is not None]


def report() -> str:
    fields = [[one.field, one.what, "caught" if _caught(one) else "NOT CAUGHT"] for one in in_fields()]
    lies = list(told())
    sentences = [
        [one.language, one.kind, "only by a second look" if one.found == SECOND_LOOK else f"caught: {one.found}"]
        for one in lies
    ]
    counted = Counter((language, why) for language, why in wrongly())
    costs = [[language, why, str(times)] for (language, why), times in sorted(counted.items())]
    by_words = sum(one.found != SECOND_LOOK for one in lies)
    lines = [
        "# Lies that were planted in a model's replies, and what became of them",
        "",
        "Written by `python -m tests.prompts.model.lies`; the lies stand in tests/prompts/model (lies.py, lies.toml).",
        "",
        "## In the fields of what was heard",
        "",
        table(["field", "what was planted", "it is"], fields),
        "",
        "## In sentences of an opening that mark a fact",
        "",
        f"{by_words} of {len(lies)} are caught by their words alone. The rest differ from the truth in sense, not in",
        "such words: they are left to the second, short question, and it is as good as the model that answers it.",
        "",
        table(["language", "what was planted", "it is"], sentences),
        "",
        "## What it costs",
        "",
        f"Of {len(RETOLD)} true sentences that say a fact in other words {len(wrongly())} are thrown out as well",
        "(retold.toml): the fact itself stands in their place.",
        "",
        table(["language", "thrown out wrongly for", "times"], costs),
    ]
    return "\n".join(lines) + "\n"


def _caught(one: Planted) -> bool:
    heard = hear(one.reply)
    return one.caught in dropped(heard) if one.caught else not heard.said


if __name__ == "__main__":
    WRITTEN.write_text(report(), encoding="utf-8")
