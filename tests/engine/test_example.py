"""The running example in two languages: the same numbers, as many tokens, and nobody else's words translated."""

from __future__ import annotations

import pytest

from engine.example import BOTH, RUNNING, TEXTS, Texts, texts
from engine.models.tokens import display_pieces


def test_every_language_says_as_many_tokens_and_no_token_twice():
    for language, told in TEXTS.items():
        assert texts(BOTH, language) == told
        assert texts(RUNNING, language) == Texts(told.prompt, told.rows[0])
        assert all(len(row) == len({*row}) == RUNNING.length for row in told.rows)
    assert ["".join(row) for row in TEXTS["zh"].rows] == ["是的，等于2！", "不是，等于3！"]
    assert ["".join(row) for row in TEXTS["en"].rows] == ["Yes, it is 2!", "No, it is 3!"]
    assert TEXTS["zh"] == Texts(BOTH.prompt, BOTH.tokens) and RUNNING.tokens == BOTH.tokens[0]


def test_the_prompts_have_as_many_tokens_one_a_character_or_as_a_tokenizer_cuts_them():
    assert len(display_pieces(TEXTS["en"].prompt)) == len(RUNNING.prompt) == 8


@pytest.mark.parametrize("kept", [[0, 1, 2, 3, 4], [1, 2, 5], [0, 3]])
def test_what_is_left_of_the_response_is_told_token_by_token(kept):
    of_some = RUNNING.model_copy(update={"tokens": tuple(RUNNING.tokens[t] for t in kept)})
    assert texts(of_some, "en").tokens == tuple(TEXTS["en"].rows[0][t] for t in kept)


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
