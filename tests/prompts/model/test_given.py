"""Numbers that a message gives are taken by name exactly as they stand there, and nothing else for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.prompts.model.fake import Fake
from tests.reading import listening
from tests.reading.listening import hear, lists, taken

FILE = Path(listening.__file__).with_name("given.jsonl")
MESSAGES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
MISSED = {"given23"}  # "I mean 0.3" is read as a mean that is claimed


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message["id"])
def test_numbers_are_taken_as_they_were_given(message):
    """Where the tutor reads them by itself it asks nobody; else a model named them so."""
    fake = Fake(message.get("heard", {}), {"answers": []})
    right = taken(hear(message, fake)) == lists(message["numbers"])
    assert right == (message["id"] not in MISSED)
