"""One spelling for one thing, words left alone."""

from __future__ import annotations

import tomllib

import pytest

from prompts.read.glossary import FOLDER, GLOSSARY, spelt
from prompts.read.normalise import normalise


@pytest.mark.parametrize("written", [r"\delta_t", "δ_t", "delta_t", "δₜ", "delta[t]", "deltas[:, t]", r"$\delta_{t}$"])
def test_one_delta(written: str) -> None:
    assert normalise(written).strip("$") == "δ_t"


@pytest.mark.parametrize("written", ["values[:, t+1]", "V(s_{t+1})", "V_{t+1}", "V[t+1]", r"\hat{V}_{t+1}", "V̂_{t+1}"])
def test_one_next_value(written: str) -> None:
    assert normalise(written) == "V_{t+1}"


@pytest.mark.parametrize(
    "written", ["lam", "lambda_", "gae_lambda", "λ", r"\lambda", "algorithm.lam", "兰姆达", "gae lambda"]
)
def test_one_lambda(written: str) -> None:
    assert normalise(written) == "λ"


@pytest.mark.parametrize(
    "kept",
    ["the advantage of a token", "奖励和价值", "logits[:, -T-1:-1]", "values[:, -response_length-1:-1]", "V(s_t, a_t)"],
)
def test_words_and_slices_stay(kept: str) -> None:
    assert normalise(kept) == kept


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("rewrads", "rewards"), ("vlaue", "value"), ("advantge", "advantage"), ("gamme", "gamme"), ("raito", "ratio")],
)
def test_a_single_slip_is_read(slip: str, meant: str) -> None:
    assert spelt(slip) == meant


@pytest.mark.parametrize("word", ["forward", "ration", "lecture", "stores", "returning", "valid", "scared", "delay"])
def test_other_words_are_other_words(word: str) -> None:
    assert spelt(word) == word


def test_no_spelling_is_claimed_twice() -> None:
    entries = tomllib.loads((FOLDER / "glossary.toml").read_text("utf-8")).values()
    for kind in ("symbols", "tight", "words", "zh"):
        spellings = [s for e in entries for key in (kind, f"weak_{kind}") for s in e.get(key, ())]
        assert len(spellings) == len(set(spellings)), kind
    assert all(word == word.lower() for phrase in GLOSSARY.phrases for word in phrase)
