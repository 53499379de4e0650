"""A text of one's own: cut into tokens at once; read by the model, watched, stopped, refused in words."""

from __future__ import annotations

import asyncio
import json

import pytest

from engine.errors import EngineError
from engine.models import checkpoint
from engine.scenario import scenario
from lessons._lesson import LANGUAGES
from prompts.bench import running, state
from prompts.bench.page import shown
from prompts.tell.words import word

OWN = {"prompt": "请问1+1=2？", "response": "是的，等于2！"}


def told(sent: object) -> list[dict[str, object]]:
    async def all_of_it() -> list[dict[str, object]]:
        return [json.loads(one) async for one in running.on_run(sent)]

    return asyncio.run(all_of_it())


def test_a_text_becomes_tokens_with_a_reward_at_the_end():
    found = state.opened(shown({"text": "", "edits": [{"do": "tokens", **OWN}]})["text"])
    assert found.prompt == OWN["prompt"]
    assert "".join(found.tokens) == OWN["response"]
    assert found.rewards == (*[0.0] * (found.length - 1), 1.0)
    assert set(found.values) == {0.0}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sent", [{}, {"response": 5}, {"response": "x" * (state.LONGEST_OWN + 1)}])
def test_what_cannot_be_cut_or_run_is_refused_in_words(language, sent):
    assert shown({"language": language, "edits": [{"do": "tokens", **sent}]})["error"]
    assert told(json.dumps({"language": language, **sent}))[-1]["error"]


@pytest.mark.parametrize("sent", [None, 5, "", "[", "[1]", "null", '{"text": 5}'])
def test_nothing_that_is_sent_in_raises(sent):
    assert told(sent)[-1]["error"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_is_offered_only_where_there_is_a_model(language, monkeypatch, tmp_path):
    assert ('data-do="run"' in shown({"language": language})["parts"]["own"]) == checkpoint.at_hand()
    monkeypatch.delenv("TELESCOPE_LM", raising=False)
    monkeypatch.setattr(checkpoint, "_package", lambda: None)
    monkeypatch.setattr(checkpoint.cache, "root", lambda: tmp_path)
    own = shown({"language": language})["parts"]["own"]
    assert 'data-do="run"' not in own and word(language, "bench", "no_model") in own


@pytest.mark.model
def test_the_model_says_how_far_it_is_and_its_numbers_stand():
    found = told(json.dumps({"language": "zh", **OWN}))
    assert any("doing" in one for one in found[:-1])
    own = scenario(json.loads(str(found[-1]["text"])))
    assert own.prompt == OWN["prompt"]
    assert own.ref_logp == own.logp != own.new_logp
    assert all(x <= 0 for x in own.logp)
    assert "<svg" in shown({"text": found[-1]["text"], "picture": "update"})["parts"]["drawing"]


@pytest.mark.model
def test_a_run_that_nobody_waits_for_ends():
    heard = []

    def stopped(progress):
        heard.append(progress)
        raise EngineError("stopped")

    with pytest.raises(EngineError, match="stopped"):
        running.numbers({"prompt": "1+1", "response": "3, perhaps"}, stopped)
    assert len(heard) == 1
