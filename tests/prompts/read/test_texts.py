"""A response that is quoted beside its numbers is cut into tokens as Qwen's tokenizer cuts it."""

from __future__ import annotations

import pytest

from engine.models import tokens
from prompts.read import read
from prompts.read.texts import CUT_DIFFERS

SIX = "rewards = [0,0,0,0,0,1], values = [0.2,0.3,0.3,0.4,0.5,0.6]"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (f"提示「请问1+1=2？」，回答「是的，等于2！」，{SIX}，算 GAE", ("是", "的", "，", "等于", "2", "！")),
        (f'With the response "是的，等于2！", {SIX}, compute the advantages', ("是", "的", "，", "等于", "2", "！")),
        ("response 'It is 2.', rewards [0,0,0,0,1], values [0,0,0,0,0]: GAE?", ("It", " is", "␣", "2", ".")),
    ],
)
def test_a_quoted_response_names_the_tokens(message, expected):
    found = read([message])
    assert found.error is None and found.quantity == "gae"
    assert found.scenario.tokens == expected


def test_the_prompt_comes_with_it():
    found = read([f"提示「请问1+1=2？」，回答「是的，等于2！」，{SIX}，算 GAE"])
    assert found.scenario.prompt == "请问1+1=2？" and found.origin["tokens"] == "learner"


def test_a_cut_into_another_number_of_tokens_is_said():
    found = read(["回答「等于2」，rewards [0,1,2], values [0,0,0]，算 GAE"])
    assert found.scenario.tokens is None and CUT_DIFFERS in found.notes


@pytest.mark.parametrize("message", [f"{SIX}: GAE?", f"he says 'hello', {SIX}: GAE?"])
def test_what_is_no_response_names_none(message):
    assert read([message]).scenario.tokens is None


@pytest.mark.parametrize("arrow", ["=>", "→"])
def test_lists_beside_an_arrow_are_no_response(arrow):
    found = read([f"r = [0, 0, 1], V = [0.3, 0.5, 0.8], γ = 1, λ = 0.95 {arrow} A = [0.66, 0.48, 0.2]?"])
    assert found.scenario.tokens is None and CUT_DIFFERS not in found.notes


def test_without_the_tokenizer_the_numbers_stand_alone(monkeypatch):
    tokens._display_tokenizer.cache_clear()
    monkeypatch.setattr(tokens, "find_spec", lambda _: None)
    found = read([f"回答「是的，等于2！」，{SIX}，算 GAE"])
    assert found.error is None and found.scenario.tokens is None
