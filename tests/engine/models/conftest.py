"""The embedded model, loaded once for all tests. Runs are short: the models are real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.models import Iteration, Learners, Roles, Rollout, Settings, begin, collect, encode_response, iterate, load
from engine.models.roles import seeded_head

PROMPT, RIGHT, WRONG = "请问1+1=2？", "是的，等于2！", "等于5"
SETTINGS = replace(Settings(), epochs=3, actor_lr=3e-5)


@pytest.fixture(scope="session")
def roles() -> Roles:
    return load()


@pytest.fixture
def learners(roles: Roles) -> Learners:
    return begin(roles, SETTINGS, seeded_head(roles, 0))


def two_answers(learners: Learners) -> Rollout:
    """A right and a shorter wrong answer, to prompts of different lengths: padded on both sides."""
    tokenizer = learners.roles.tokenizer
    answers = [encode_response(tokenizer, text) for text in (RIGHT, WRONG)]
    return collect(learners, [PROMPT, "请问请问2+2=4？"], answers)


@pytest.fixture(scope="session")
def run(roles: Roles) -> Iteration:
    """One iteration from a fresh start."""
    fresh = begin(roles, SETTINGS, seeded_head(roles, 0))
    return iterate(fresh, two_answers(fresh))
