"""What a strong model replied to messages of our own (tests/reading/heard.jsonl), as fixtures that outlive a change of
prompts: `python -m tests.prompts.model.recording REPLIES.jsonl` writes recorded.jsonl anew.

A line: the message's id, the facts that the reply names by their numbers, the reply, and what a second look said of
each sentence.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from lessons._lesson import lessons
from prompts.model import Listened, listen, listened
from prompts.model.entrance import _pairs as _entrance
from prompts.read import read
from prompts.read.nearest import Near
from tests.prompts.model.fake import Fake
from tests.reading.real import labels
from tests.reading.recorded import Recorded, recorded

MESSAGES = Path(__file__).parents[2] / "reading" / "heard.jsonl"
WRITTEN = Path(__file__).with_name("recorded.jsonl")


class Noting:
    """A recorded model that keeps what it was asked and what it said."""

    name, fit = "a strong model", True

    def __init__(self, model: Recorded) -> None:
        self.model, self.said = model, []

    def complete(self, turns: Any, *more: Any) -> Any:
        reply = self.model.complete(turns, *more)
        self.said.append((turns[-1]["content"], json.loads(reply.text)))
        return reply


def notes(replies: Path) -> Iterator[dict[str, Any]]:
    model = recorded(replies)
    for label in labels(MESSAGES):
        messages = tuple(label.get("messages") or [label["q"]])
        noting, question = Noting(model), read(messages)
        listened(noting, question, messages, threading.Event())  # type: ignore[arg-type]
        if len(noting.said) > 1 and not noting.said[0][1]["calls"]:  # with what was computed they have other numbers
            (_, heard), (_, answered), *looked = noting.said
            facts = dict(enumerate((near.fact for near in listen.shown(question, messages, heard["answer"])), start=1))
            pairs = [zip(_pairs(asked), one["answers"], strict=True) for asked, one in looked]
            looks = {said: found for one in pairs for said, found in one}
            named = {number: facts[number] for number in sorted(_named(answered))}
            yield {"id": label["id"], "facts": named, "reply": heard | answered, "looks": looks}


def _named(reply: Any) -> set[int]:
    """The numbers of facts in a reply."""
    if isinstance(reply, dict):
        own = {reply["fact"]} if isinstance(reply.get("fact"), int) else set()
        return own.union(*map(_named, reply.values()))
    numbers = {x for x in reply if isinstance(x, int)} if isinstance(reply, list) else set()
    return numbers.union(*map(_named, reply)) if isinstance(reply, list) else set()


class Agreeing(Fake):
    """It says what was recorded; to a second look of which nothing was, that it is the same: nothing depends on it."""

    def __init__(self, reply: Any, looks: Mapping[str, str]) -> None:
        super().__init__(reply)
        self.looks = looks

    def complete(self, turns: Any, schema: Any, longest: int, stop: threading.Event, _seconds: float = 0) -> Any:
        if schema["title"] == "Compared":
            self.replies.append({"answers": [self.looks.get(said, "same") for said in _pairs(turns[-1]["content"])]})
        return super().complete(turns, schema, longest, stop)


def played(turns: Sequence[Mapping[str, str]]) -> str:
    """What was recorded for a message, with the numbers that its facts have in this prompt; of pairs what is known."""
    asked = turns[-1]["content"]
    recorded_here = [json.loads(line) for line in WRITTEN.read_text(encoding="utf-8").splitlines()]
    if found := _pairs(asked):
        known = {pair["said"]: pair["answer"] for pair in _entrance()}
        for note in recorded_here:
            known |= note["looks"]
        return json.dumps({"answers": [known.get(said, "same") for said in found]})
    note = next(note for note in recorded_here if _message(note["id"]) in asked)
    places = {int(old): _place(fact, asked) for old, fact in note["facts"].items()}
    return json.dumps(_renumbered(note["reply"], places), ensure_ascii=False)


def _message(id: str) -> str:
    return str(next(label["q"] for label in labels(MESSAGES) if label["id"] == id))


def _place(fact: str, asked: str) -> int:
    lesson, _, id = fact.partition("/")
    says = lessons()[lesson].facts[id].says.values()
    found = [re.search(rf"^(\d+)\. {re.escape(one)}$", asked, re.MULTILINE) for one in says]
    return next((int(one[1]) for one in found if one is not None), 0)


def _renumbered(reply: Any, places: Mapping[int, int]) -> Any:
    if isinstance(reply, dict):
        fact = {"fact": places[reply["fact"]]} if isinstance(reply.get("fact"), int) else {}
        return {name: _renumbered(x, places) for name, x in reply.items()} | fact
    if isinstance(reply, list):
        return [places[x] if isinstance(x, int) else _renumbered(x, places) for x in reply]
    return reply


def _pairs(asked: str) -> list[str]:
    """The sentences that a second look is asked about."""
    return _PAIR.findall(asked)


_PAIR = re.compile(r"^\d+\. A: (.*)$", re.MULTILINE)


def hear(label: Mapping[str, Any], note: Mapping[str, Any]) -> Listened:
    """The message, with the replies that were recorded for it; facts that are gone since are other ones."""
    messages = tuple(label.get("messages") or [label["q"]])
    numbers = range(1, 1 + max(map(int, note["facts"]), default=0))
    facts = tuple(_near(note["facts"].get(str(number), ""), number) for number in numbers)
    fake = Agreeing(note["reply"], note["looks"])
    with mock.patch.object(listen, "shown", lambda *_: facts):
        return listened(fake, read(messages), messages, threading.Event())


def _near(fact: str, number: int) -> Near:
    """The fact; where it is not named or gone since, another."""
    lesson, _, id = fact.partition("/")
    known = lesson in lessons() and id in lessons()[lesson].facts
    return Near(fact if known else f"telescoping/{list(lessons()['telescoping'].facts)[number]}", 0.5, 0.5)


if __name__ == "__main__":
    lines = [json.dumps(note, ensure_ascii=False) for note in notes(Path(sys.argv[1]))]
    WRITTEN.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
