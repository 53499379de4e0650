"""A fault of ours in one step of the reading: the step is skipped and counted, and the answer comes all the same."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from prompts.read.steps import FAULTS, STEPS, finds_none, step
from prompts.tutor import Request, answer

MESSAGES = (
    "why is the ratio 1 at first, and does the critic see the reward?",
    "r=[0, 0, 1], V=[.5, .6, .9], γ=1, λ=.95，第一个优势是 0.5 对吗？",
    "critic 在训练中不更新",
)


def _fails(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("planted")


@pytest.mark.parametrize("name", STEPS)
def test_a_fault_in_a_step_does_not_cost_the_answer(name, monkeypatch, caplog):
    guarded, nothing = STEPS[name]
    failing = step(nothing)(_fails)
    monkeypatch.delitem(STEPS, f"{__name__}._fails")
    for module in [module for known, module in sys.modules.items() if known.startswith("prompts.")]:
        for attribute, value in list(vars(module).items()):
            if value is guarded:
                monkeypatch.setattr(module, attribute, failing)
    before = FAULTS.total()
    for message in MESSAGES:
        found = answer(Request((message, message)))
        assert (found.error or {}).get("code") != "internal"
        assert found.markdown.strip()
    assert FAULTS.total() > before, "the step was never taken"
    assert "ZeroDivisionError" in caplog.text


def test_nothing_is_skipped_where_nothing_fails():
    before = FAULTS.total()
    for message in MESSAGES:
        answer(Request((message,)))
    assert FAULTS.total() == before


def test_a_step_passes_on_what_it_finds():
    assert step(finds_none)(lambda x: x + 1)(1) == 2
