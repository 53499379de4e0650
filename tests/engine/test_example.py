"""The running example in two languages: the same numbers, as many tokens, and nobody else's words translated."""

from __future__ import annotations

import pytest

from engine.example import RUNNING, TEXTS, Texts, texts
from engine.models.tokens import display_pieces


def test_every_language_says_as_many_tokens_and_no_token_twice():
    assert texts(RUNNING, "zh") == TEXTS["zh"] == Texts(RUNNING.prompt, RUNNING.tokens)
    assert texts(RUNNING, "en") == TEXTS["en"]
    for told in TEXTS.values():
        assert len(told.tokens) == len({*told.tokens}) == RUNNING.length
    assert "".join(TEXTS["zh"].tokens) == "是的，等于2！" and "".join(TEXTS["en"].tokens) == "Yes, it is 2!"


def test_the_prompts_have_as_many_tokens_one_a_character_or_as_a_tokenizer_cuts_them():
    assert len(display_pieces(TEXTS["en"].prompt)) == len(RUNNING.prompt) == 8


@pytest.mark.parametrize("kept", [[0, 1, 2, 3, 4], [1, 2, 5], [0, 3]])
def test_what_is_left_of_the_response_is_told_token_by_token(kept):
    of_some = RUNNING.model_copy(update={"tokens": tuple(RUNNING.tokens[t] for t in kept)})
    assert texts(of_some, "en").tokens == tuple(TEXTS["en"].tokens[t] for t in kept)


@pytest.mark.parametrize(
    "own",
    [
        {"tokens": ["是的", "，", "等于", "2", "！"]},  # another cut of the same text
        {"prompt": "2+2=？", "tokens": list(RUNNING.tokens)},
        {"prompt": None, "tokens": ["是", "的"]},
    ],
)
def test_other_words_stay_as_they_are(own):
    given = RUNNING.model_copy(update=own)
    assert texts(given, "en") == Texts(given.prompt or "", given.tokens)
