"""Everyday numbers, as they are typed: the right computation on the right lists, and a line that says what was read."""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.notation import show
from prompts.answer import Answer
from prompts.tutor import Request, answer

CASES = tomllib.loads((Path(__file__).parents[2] / "reading" / "numbers.toml").read_text("utf-8"))["case"]
# What a page about a computation shows in any case.
HEADLINE = {
    "gae": "advantages", "reward_to_go": "mc_returns", "mc": "mc_advantages", "kl_rewards": "rewards",
    "kl_estimators": "k1", "value_loss": "vf_loss", "clip": "objective", "surrogate": "surrogate",
    "whiten": "whitened", "grpo": "advantages", "rloo": "advantages",
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_numbers_of_a_message_are_computed_with(case: dict[str, Any]) -> None:
    found = answer(Request(tuple(case["messages"]), scenario=case.get("scenario")))
    if "error" in case:
        assert found.error is not None and all(word in found.error["message"] for word in case["error"])
        return
    assert found.error is None
    assert found.quantity == case.get("quantity", found.quantity)
    for name, x in case.get("params", {}).items():
        assert _near(found.params[name], x), name
    for name, x in case.get("facts", {}).items():
        assert _near(found.facts[name], x), name
    whose = case.get("whose", {})
    assert {name: found.params["from"][name] for name in whose} == whose
    if "mistakes" in case:
        assert [one["where"] for one in found.mistakes] == case["mistakes"]
    else:
        _shows_what_was_asked(found)
    assert len(re.findall(r"^(?:Read: |读到：)", found.markdown, re.MULTILINE)) == 1


def _shows_what_was_asked(found: Answer) -> None:
    fact = found.facts.get(HEADLINE.get(found.quantity or "", ""))
    for x in fact if isinstance(fact, list) else [] if fact is None else [fact]:
        for number in x if isinstance(x, list) else [x]:
            assert show(number).text in found.markdown


def _near(found: Any, due: Any) -> bool:
    if isinstance(due, list):
        row = found[0] if len(found) == 1 and isinstance(found[0], list | tuple) else found
        return len(row) == len(due) and all(map(_near, row, due))
    return found == due if isinstance(due, str) else math.isclose(found, due, rel_tol=1e-6, abs_tol=1e-6)
