"""The fitted value head: its values mean something, where it was fitted."""

from __future__ import annotations

import pytest
import torch

from engine.models import FittedHead, Roles, begin, collect, encode_response, fitted_head, fitted_weights
from engine.models.critic_training import EXAMPLE, _Read, _solve, split_pairs
from engine.models.table import head_table
from tests.engine.models.conftest import PROMPT, RIGHT, SETTINGS


def test_no_sum_is_both_fitted_and_measured() -> None:
    fitted_on, held_out = split_pairs()
    assert not set(fitted_on) & set(held_out)
    assert EXAMPLE in held_out


def test_the_head_is_the_least_penalised_error() -> None:
    """With a clear relation it is found; every other head that was tried is worse."""
    chance = torch.Generator().manual_seed(0)
    answers = [_Read(torch.randn(9, 4, generator=chance, dtype=torch.float64), float(i % 2)) for i in range(40)]
    for read in answers:
        read.features[:, 2] += 3 * read.outcome
    weight, bias = _solve(answers)
    assert weight.abs().argmax() == 2

    def error(w: torch.Tensor, b: torch.Tensor) -> float:
        return sum(((read.features @ w + b - read.outcome) ** 2).sum().item() for read in answers)

    best = error(weight, bias)
    for scale in (0.5, 2.0):
        assert error(weight * scale, bias) > best
        assert error(weight, bias + scale) > best


@pytest.fixture(scope="module")
def head(roles: Roles) -> FittedHead:
    return fitted_head(roles)


@pytest.mark.model
def test_fitting_makes_values_mean_something(head: FittedHead) -> None:
    assert head.after.error < head.before.error
    assert head.after.ranked > 0.9
    assert head.after.end_of_right > head.after.at_prompt > head.after.end_of_wrong
    assert head.seconds > 0
    assert len(head_table(head).splitlines()) == 6


@pytest.mark.model
def test_the_value_rises_when_the_answer_becomes_certain(roles: Roles, head: FittedHead) -> None:
    """And falls on a wrong one. Until the number they are the same response, so they have the same values."""
    learners = begin(roles, SETTINGS, fitted_weights(roles, head))
    answers = [encode_response(roles.tokenizer, text) for text in (RIGHT, RIGHT.replace("2", "5"))]
    values = collect(learners, [PROMPT, PROMPT], answers).values
    number = roles.tokenizer.encode("2", add_special_tokens=False)[-1]
    t = answers[0].index(number)
    assert torch.equal(values[0, : t + 1], values[1, : t + 1])
    assert values[0, t + 1] > values[0, t] + 0.2
    assert values[1, t + 1] < values[1, t]
