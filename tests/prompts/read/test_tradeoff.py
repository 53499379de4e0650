"""Who has the bias and who the variance, in both languages and both ways round."""

from __future__ import annotations

import pytest

from prompts.read.tradeoff import tradeoff
from prompts.tutor import Request, answer

RIGHT = [
    "TD has high bias and low variance, MC low bias and high variance; lam interpolates.",
    "Bigger n is closer to MC (variance), smaller n to TD(0) (bias).",
    "λ 越大，偏差越小，方差越大",
    "把 λ 往 0 调，方差变小、偏差变大，对吧？",
    "n 大更接近 MC，方差大；n 小更接近 TD，偏差大",
]
WRONG = [
    "TD has low bias and high variance, MC high bias and low variance.",
    "Larger λ: more bias, less variance.",
    "λ 越大就越依赖 critic，因此偏差越大、方差越小。",
    "Does a larger n lean more on the bootstrap and so bring more bias and less variance?",
    "蒙特卡洛偏差大、方差小，TD 偏差小、方差大",
]
NOT_READ = [
    "With a perfect critic a larger λ has more variance but no more bias.",
    "Is the variance of λ = 1 always larger and its bias smaller?",
    "GAE has less variance than MC and more bias",
    "λ 影响偏差和方差吗？",
    "TD: high bias",
]


@pytest.mark.parametrize("sentence", RIGHT)
def test_who_has_what_is_read(sentence: str) -> None:
    found = tradeoff(sentence)
    assert found is not None and found.right
    assert answer(Request((sentence,))).verdict == "true"


@pytest.mark.parametrize("sentence", WRONG)
def test_turned_round_it_is_false(sentence: str) -> None:
    found = tradeoff(sentence)
    assert found is not None and not found.right
    assert answer(Request((sentence,))).verdict == "false"


@pytest.mark.parametrize("sentence", NOT_READ)
def test_what_says_more_or_less_is_left_to_others(sentence: str) -> None:
    assert tradeoff(sentence) is None
