"""The whole way with the embedded model: far too small to be understood, and nothing false comes of it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.models import checkpoint, instruct
from prompts import tutor
from prompts.model import asking, listen, speak
from prompts.model.connection import Connection, connected, named
from prompts.model.connection import connection as limits
from prompts.tutor import Request, answer

pytestmark = pytest.mark.model
ROOT = Path(__file__).parents[3]
MESSAGE = "Why is my policy loss negative?"
PATIENT = 600.0  # seconds: this machine is slow, and not what is tested
TURNS = [{"role": "user", "content": "What is the capital of France?"}]


@pytest.fixture(scope="module")
def place() -> str:
    return checkpoint.locate()


@pytest.fixture
def model(place, monkeypatch) -> Connection:
    """The embedded model, named as an operator names one, and time for it."""
    monkeypatch.setattr(limits, "WHOLE", PATIENT)
    for name in ("FIRST", "ALL"):
        monkeypatch.setattr(asking, name, PATIENT)
    found = named({"TELESCOPE_MODEL": place})
    assert found is not None
    return found


def test_it_replies_the_same_again_and_is_loaded_once(model, place):
    reply = model.complete(TURNS, None, 24, threading.Event(), PATIENT)
    assert "Paris" in reply.text and reply.tokens > 10
    before = instruct._loaded(place)
    again = named({"TELESCOPE_MODEL": place}).complete(TURNS, None, 24, threading.Event(), PATIENT)
    assert again == reply and instruct._loaded(place) is before


def test_it_listens_and_what_it_says_is_held_to_what_we_know(model, monkeypatch):
    """It may be heard or not: what opens the answer is true, and says whose words it is."""
    monkeypatch.setattr(listen, "REPLY", 48)
    monkeypatch.setattr(speak, "A_WORD", 8)
    monkeypatch.setattr(tutor, "connected", lambda: model)
    found = answer(Request((MESSAGE,)))
    assert found.error is None and found.listened["model"] == model.name and model.fit is not None
    assert found.listened["calls"] >= 1 or found.listened["failed"] == "unfit"  # it was asked, if only for admission
    monkeypatch.setattr(tutor, "connected", lambda: None)
    without = answer(Request((MESSAGE,)))
    if found.listened["failed"] is not None:
        assert found.markdown == without.markdown
    assert found.verdict == without.verdict


@pytest.mark.parametrize("variable", ["TELESCOPE_MODEL", "TELESCOPE_WRITER"])
def test_a_model_that_is_nowhere_is_said_at_the_start_and_the_tutor_listens_itself(variable):
    own = {**os.environ, variable: "somebody/no-such-model", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "app.py", "ask", MESSAGE]
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, encoding="utf-8", check=True)
    assert "somebody/no-such-model" in done.stderr and "TELESCOPE_MODEL" in done.stderr
    assert len(done.stdout) > 500


def test_nobody_is_connected_where_nobody_is_named(monkeypatch):
    for variable in ("TELESCOPE_MODEL", "TELESCOPE_WRITER", "TELESCOPE_ENDPOINT"):
        monkeypatch.delenv(variable, raising=False)
    connected.cache_clear()
    try:
        assert connected() is None
    finally:
        connected.cache_clear()
