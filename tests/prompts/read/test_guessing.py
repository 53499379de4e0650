"""Who asks "this or that?" and guesses states the guess."""

from __future__ import annotations

import pytest

from prompts.read.asserting import assertions
from prompts.read.guessing import guessed

TAKEN = [
    ("critic 拟合的是 returns 还是优势？我猜 returns", "critic 拟合的是 returns"),
    ("critic 拟合的是 returns 还是优势？我觉得是优势", "critic 拟合的是 优势"),
    ("δ_t 含 V_{t+1} 还是不含？应该含吧", "δ_t 含 V_{t+1}"),
    ("最后一个 token 的优势依赖 λ 还是不依赖？我猜不依赖", "最后一个 token 的优势不依赖 λ"),
    ("Does the KL go into the reward or into the loss? I'd say into the reward.", "Does the KL go into the reward"),
    ("Is the std taken before or after the mask? Probably after.", "Is the std taken after the mask"),
    ("Is the std taken before or after the mask? I guess before.", "Is the std taken before the mask"),
]
OPEN = [
    "V_t 是写 token 之前读的还是之后读的？",
    "V_t 是写 token 之前读的还是之后读的？请解释",
    "Is it the sample or the population std? Show me both.",
    "critic 拟合的是 returns 还是优势？我猜是别的",
    "",
]


@pytest.mark.parametrize(("message", "stated"), TAKEN)
def test_a_guess_is_stated(message, stated):
    assert guessed(message) == stated
    assert assertions(message)


@pytest.mark.parametrize("message", OPEN)
def test_without_a_guess_nothing_is_stated(message):
    assert guessed(message) is None
