"""critic_slice: which output each value reads, and what it has seen."""

from __future__ import annotations

import pytest
import torch

from engine.example import RUNNING
from engine.kernels.rewards import critic_values
from engine.scenario import scenario
from lessons._lesson import lessons
from prompts.read import completed
from tests.lessons import everywhere

ID = "critic_slice"


def test_the_positions_are_those_of_the_slice():
    found = lessons()[ID].show(RUNNING).facts.numbers
    assert found["positions"] == [7, 8, 9, 10, 11, 12]
    assert found["late_positions"] == [8, 9, 10, 11, 12, 13]
    outputs = torch.arange(14.0)[None]
    assert critic_values(outputs, 6)[0].tolist() == found["positions"]
    assert outputs[:, -6:][0].tolist() == found["late_positions"]


def test_a_prompt_of_the_learners():
    own = completed(scenario({"prompt": "2+2?", "rewards": [0, 1], "values": [0.4, 0.5]}))[0]
    assert lessons()[ID].show(own).facts.numbers["positions"] == [3, 4]


def test_no_value_has_seen_its_own_token():
    seen = lessons()[ID].show(RUNNING).facts.numbers["grid"]
    assert seen["right"] == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert seen["late"] == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_the_shifted_mask_as_the_real_package_had_it():
    """SEMANTICS 1c."""
    judged = lessons()[ID].facts["mask_is_shifted_with_the_slice"].judge(RUNNING, denied=False)
    assert (float(judged.found["right"]), float(judged.found["shifted"])) == pytest.approx((0.475225, 0.511325))


def test_pages():
    everywhere.check_pages(ID)


def test_propositions():
    everywhere.check_propositions(ID)
