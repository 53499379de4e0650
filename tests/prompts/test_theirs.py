"""A project's own code, read from an installed package when it is asked for: here from one of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lessons import _sources
from prompts.tell import theirs
from prompts.tell.theirs import Theirs
from prompts.tutor import Request, answer

OURS = """def compute_gae_advantage_return(token_level_rewards, values, response_mask, gamma, lam):
    lastgaelam = 0
    delta = something(values)
    advantages = stacked(delta)
    returns = advantages + values
    advantages = whitened(advantages)
    return advantages, returns
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sources, "HOUSE", tmp_path)
    file = tmp_path / ".env-sources-verl-0.9.1" / "verl" / "trainer" / "ppo" / "core_algos.py"
    file.parent.mkdir(parents=True)
    file.write_text(OURS)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sources, "HOUSE", tmp_path)


ASKED = ("show me verl's code for GAE", "给我看 verl 的代码", "OpenRLHF 的 GAE 代码是怎样的？")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("message", ASKED[:2])
def test_the_function_is_printed_with_the_examples_values(message: str):
    found = answer(Request((message,)))
    assert (found.form, found.error) == ("code", None)
    assert "    delta = something(values)  # [0.04, 0.045, 0.055, 0.09, 0.13, 0.395]" in found.markdown
    assert "stacked(delta)  # [0.621, 0.612" in found.markdown
    assert "whitened(advantages)  # [1.1, 1.08" in found.markdown
    assert "lastgaelam = 0\n" in found.markdown


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("message", ASKED)
def test_where_none_is_installed_the_place_is_told(message: str):
    found = answer(Request((message,)))
    assert found.error is None and "```" not in found.markdown
    assert "make sources" in found.markdown and ".py:" in found.markdown


@pytest.mark.usefixtures("installed")
def test_what_is_on_no_index_has_its_place_too():
    found = answer(Request(("why λ?", "show me the code of Search-R1")))
    assert "core_algos.py:70" in found.markdown and "```" not in found.markdown


@pytest.mark.usefixtures("installed")
def test_our_own_code_is_still_what_is_asked_for_without_a_project():
    assert "import torch" in answer(Request(("show me the code for GAE",))).markdown


def test_version_and_topic_are_read():
    assert theirs.asked("verl 0.2 的白化代码") == Theirs("verl", "0.2", "whitening")
    assert theirs.asked("TRL's compute_rewards source") == Theirs("TRL", None, "kl_in_reward")
    assert theirs.asked("the code") is None


def test_of_a_long_function_the_lines_around_the_values_are_shown():
    filler = [f"    x{i} = {i}" for i in range(100)]
    source = _sources.Source("\n".join(["def f():", *filler, "    delta = g()", *filler]), 1)
    shown = theirs.annotated(source, {"delta": "deltas"}, {"deltas": [1.0]})
    assert shown[0] == "def f():" and "    delta = g()  # [1]" in shown and len(shown) < 15


MENTIONED = (
    "@verl/trainer/ppo/core_algos.py 请结合代码讲清楚 GAE 的计算过程",
    "We train a small model with verl on two machines and everything runs. Show me the code that computes GAE.",
)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("message", MENTIONED)
def test_a_project_that_is_only_mentioned_is_not_asked_for_its_code(message: str):
    assert "something(values)" not in answer(Request((message,))).markdown
