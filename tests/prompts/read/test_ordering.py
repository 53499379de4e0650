"""Orders and signs, stated under conditions, are tried on drawn responses."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES
from prompts.read.ordering import ordered
from prompts.read.relation import relation
from prompts.tutor import Request, answer

VERDICTS = {
    "V_{t+1} < V_t, no reward at t, γ=1: then δ_t is negative": "true",
    "V_{t+1} > V_t，γ=1，r_t = 0 时，δ_t 为负": "false",
    "A_{t+1} > 0 → A_t > δ_t": "true",
    "If A_{t+1} is negative, A_t is above δ_t": "false",
    "λ(1−λ) is larger than 1−λ": "false",
    "如果 δ_t 为正，那么 A_t 必然为正": "false",
    "R_t is below V_t when A_t < 0": "true",
    "A_t 为正时 R_t 大于 V_t": "true",
    "λ=1 时，G_t > V_t 就说明 A_t 为正": "true",
    "at λ = 0, A_t > 0 if δ_t > 0": "true",
}
NONE = [
    "A_t < δ_t",  # where?
    "A_t > 0 if δ_t > 0",  # mostly, not always, and not said to be
    "If the rewards are positive, G_t must be positive",  # all of them?
    "A_t > δ_t when the critic is good",
    "A_t is not above δ_t when A_{t+1} > 0",
    "V_t ≥ 0",
    "",
]


@pytest.mark.parametrize("message", VERDICTS)
def test_verdicts(message):
    assert relation(message) is not None
    assert answer(Request((message,))).verdict == VERDICTS[message]


@pytest.mark.parametrize("message", NONE)
def test_what_is_not_decided(message):
    assert ordered(message) is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_shows_a_case(lang):
    page = answer(Request(("如果 δ_t 为正，那么 A_t 必然为正",), lang=lang)).markdown.split("\n")[0]
    assert "A_{t} > 0" in page and "\\lambda" in page
