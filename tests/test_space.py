"""`python app.py` as a Space starts it: open to all, no home, no secrets, nothing that could be written to."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from tests.served import served

ROOT = Path(__file__).parents[1]
GIVEN = {"PATH": os.environ["PATH"], "HOME": "/proc/nobody", "GRADIO_SERVER_NAME": "0.0.0.0"}
GIVEN |= {"PYTHONDONTWRITEBYTECODE": "1"}  # as where nothing can be written


def files() -> set[Path]:
    rooms = ("engine", "lessons", "prompts")
    return {*ROOT.glob("*"), *(path for room in rooms for path in (ROOT / room).rglob("*"))}


@pytest.fixture(scope="module")
def address():
    before = files()
    with served("app.py", environment=GIVEN) as found:
        yield found
    assert files() == before


@pytest.mark.parametrize(("question", "part"), [("what is λ for?", "bias"), ("为什么要用 λ？", "偏差")])
def test_a_question_is_answered_over_http(address, question, part):
    asked = httpx.post(f"{address}/gradio_api/call/chat", json={"data": [question]}, timeout=300).json()
    told = httpx.get(f"{address}/gradio_api/call/chat/{asked['event_id']}", timeout=300).text
    assert "event: complete" in told and part in told.encode().decode("unicode_escape")


def test_the_page_stands(address):
    page = httpx.get(address, headers={"accept-language": "zh-CN"}, timeout=60)
    assert page.status_code == 200 and 'lang="zh-CN"' in page.text and "Telescope" in page.text
