"""Whole practices: each turn comes to what it should, and reads as it was reviewed.

`python -m tests.practice.scripts` writes the files.
"""

from __future__ import annotations

import json

import pytest

from prompts.ask import batch
from tests.practice.scripts import EXPECTED, SCRIPTS, spoken, transcript


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_turn_comes_to_what_it_should(name):
    for one in spoken(name):
        assert one.answer.error is None
        assert one.came == one.expected, (one.said, one.answer.markdown)
        assert (one.answer.form == "quiz") == (one.came != "ordinary")
        graded = {"right": "true", "wrong": "false", "not_true": "false"}
        if one.expected in graded:
            assert one.answer.verdict == graded[one.expected]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_dialogue_reads_as_it_was_reviewed(name):
    assert (EXPECTED / f"{name}.md").read_text(encoding="utf-8") == transcript(name)


def test_there_are_no_others():
    assert {path.stem for path in EXPECTED.glob("*.md")} == set(SCRIPTS)


@pytest.mark.parametrize("name", ["first_steps_en", "predict_before_reveal_zh"])
def test_a_batch_replays_a_dialogue(name):
    """Each line holds the messages alone, in any order: the answer to the last is that of the conversation."""
    turns = list(spoken(name))
    messages = [one.said for one in turns]
    lines = [json.dumps({"id": n, "messages": messages[:n]}).encode() for n in range(len(turns), 0, -1)]
    for found in batch(lines):
        there = turns[found.id - 1].answer
        assert (found.markdown, found.verdict, found.facts) == (there.markdown, there.verdict, there.facts)
