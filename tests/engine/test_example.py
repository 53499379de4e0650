"""The running example in two languages: the same numbers, as many tokens, and nobody else's words translated."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain

import pytest

from engine import formulas, quantities
from engine.errors import EngineError
from engine.example import BOTH, RUNNING, TEXTS, Texts, beside_the_wrong_one, texts
from engine.models.tokens import display_pieces
from engine.scenario import PER_TOKEN


def test_every_language_says_as_many_tokens_and_no_token_twice():
    for language, told in TEXTS.items():
        assert texts(BOTH, language) == told
        assert texts(RUNNING, language) == Texts(told.prompt, told.rows[0])
        assert all(len(row) == len({*row}) == RUNNING.length for row in told.rows)
    assert ["".join(row) for row in TEXTS["zh"].rows] == ["是的，等于2！", "不是，等于3！"]
    assert ["".join(row) for row in TEXTS["en"].rows] == ["Yes, it is 2!", "No, it is 3!"]
    assert TEXTS["zh"] == Texts(BOTH.prompt, BOTH.tokens) and RUNNING.tokens == BOTH.tokens[0]


# ---------------------------------------------------------------- what the two responses are there to show


def test_the_right_response_is_the_one_that_stands_alone():
    assert _one(0) == RUNNING and beside_the_wrong_one(RUNNING) == BOTH
    assert beside_the_wrong_one(RUNNING.merged({"lam": 0.5})) == BOTH.merged({"lam": 0.5})
    assert [sum(row) for row in BOTH.rows("scores")] == [1, 0] == list(RUNNING.group_rewards[:2])


def test_in_the_first_state_the_responses_are_one():
    """One critic's word on it, before and after; and no policy gives its two first tokens more than one in all."""
    for name in ("values", "vpreds"):
        assert len({row[0] for row in BOTH.rows(name)}) == 1
    for name in ("logp", "ref_logp", "new_logp"):
        assert sum(math.exp(row[0]) for row in BOTH.rows(name)) <= 1


def test_the_kl_given_is_that_of_the_log_probabilities_and_has_each_sign_in_each_response():
    found = quantities.facts("kl_rewards", BOTH).numbers["kl"]
    assert [*chain(*found)] == pytest.approx([*chain(*BOTH.rows("kl_values"))])
    assert all(min(row) < 0 < max(row) for row in found)


def test_whitening_over_both_raises_one_lowers_the_other_and_turns_a_sign():
    found = quantities.facts("whiten", BOTH).numbers
    (right, wrong), (up, down) = found["advantages"], found["whitened"]
    assert right == quantities.facts("gae", RUNNING).numbers["advantages"] and min(right) > 0
    assert min(wrong) < 0 < max(wrong)  # a token that did better than the critic had forecast
    assert min(up) > 0 > max(down)  # and less so than the batch
    alone = quantities.facts("whiten", RUNNING).numbers["whitened"]
    assert min(alone) < 0  # which the right response by itself does not show


def test_the_actor_gets_whitened_advantages_of_a_batch_and_those_given_or_of_one_response_as_they_are():
    both, white = quantities.facts("clip", BOTH).numbers, quantities.facts("whiten", BOTH).numbers["whitened"]
    assert both["whitened"] == white and both["unclipped"][0][0] == both["ratio"][0][0] * white[0][0]
    for given in (RUNNING, BOTH.merged({"advantages": white})):
        assert "whitened" not in quantities.facts("clip", given).numbers


def test_the_clip_meets_each_case_and_one_of_them_because_of_the_whitening():
    found = quantities.facts("clip", BOTH).numbers
    cases = Counter()
    for rows in zip(*(found[name] for name in ("ratio", "whitened", "advantages")), strict=True):
        for ratio, white, raw in zip(*rows, strict=True):
            side = "above" if ratio > 1 + BOTH.eps else "below" if ratio < 1 - BOTH.eps else "inside"
            by_raw = formulas.is_clipped(ratio, raw, BOTH.eps, BOTH.eps)
            cases[side, white > 0, bool(formulas.is_clipped(ratio, white, BOTH.eps, BOTH.eps)), bool(by_raw)] += 1
    assert cases["above", True, True, True] and cases["below", True, False, False]
    assert cases["below", False, True, True] and cases["above", False, False, False]
    assert cases["below", False, True, False] == 1  # clipped by the whitened advantage alone
    assert found["clipfrac"] == 3 / 12 and found["objective"] > 0  # the update did raise it


def test_the_value_clip_decides_in_each_response():
    found = quantities.facts("value_loss", BOTH).numbers
    by_row = [quantities.facts("value_loss", one).numbers["vf_clipfrac"] for one in map(_one, (0, 1))]
    assert min(by_row) > 0 and found["vf_clipfrac"] == pytest.approx(sum(by_row) / 2)


def _one(row):
    lists = {name: BOTH.rows(name)[row] for name in PER_TOKEN if getattr(BOTH, name) is not None}
    return BOTH.merged({**lists, "tokens": BOTH.tokens[row]})


def test_tokens_of_each_response_have_one_length():
    with pytest.raises(EngineError, match="length_mismatch"):
        BOTH.merged({"tokens": [["a"], ["b"]]})
    with pytest.raises(EngineError, match="rows_mismatch"):
        BOTH.merged({"tokens": [[*"abcdef"]] * 3})


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
