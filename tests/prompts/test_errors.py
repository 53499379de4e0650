"""Every error that the code can raise has words in both languages, and they say where and what to do."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine import consistency
from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import LANGUAGES
from prompts.tell.errors import describe
from prompts.tell.words import words
from prompts.tutor import Request, answer

ROOT = Path(__file__).parents[2]
RAISING = {"EngineError": 0, "_refusal": 0, "require": 1}  # function → which argument is the code


def codes(source: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISING:
            place = RAISING[node.func.id]
            if len(node.args) > place and isinstance(node.args[place], ast.Constant):
                found.add(node.args[place].value)
    return found


def test_every_code_has_words():
    files = [p for room in ("engine", "lessons", "prompts") for p in (ROOT / room).rglob("*.py")]
    used = set().union(*(codes(p.read_text(encoding="utf-8")) for p in files))
    assert len(used) > 20
    for language in LANGUAGES:
        assert used <= set(words(language)["errors"]), language


def test_the_finder_of_codes_finds():
    assert codes('raise EngineError("a", field=x); require(ok, "b"); raise _refusal("c", f, ())') == {"a", "b", "c"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_name_the_same_details(language):
    for code, sentence in words(language)["errors"].items():
        names = re.findall(r"{(\w+)}", sentence)
        assert set(names) == set(re.findall(r"{(\w+)}", words("en")["errors"][code]))


def test_the_place_is_named():
    error = EngineError("not_finite", field="rewards", position=(0, 2), value="nan")
    assert "rewards[0][2]" in describe(error, "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_ours_stand_as_they_are_typed(language):
    assert "kl_values" in describe(EngineError("missing", field="kl_values"), language)


def test_a_group_has_scores_by_response_and_not_by_token():
    said = describe(EngineError("missing", field="group_rewards"), "en")
    assert "group_rewards" in said and "response" in said and "token" not in said


def test_a_hostile_name_is_not_echoed_as_markup():
    assert "<img" not in describe(EngineError("unknown_field", field="<img src=x>", position=()), "en")


CONTRADICTIONS = [
    {"kl_values": [0.1, 0.3], "logp": [-0.1, -0.2], "ref_logp": [-0.2, -0.3]},
    {"rewards": [0.0, 1.0], "scores": [0.0, 1.0], "kl_values": [0.1, 0.1], "beta": 0.1},
    {"ratio": [2.0], "new_logp": [-0.1], "old_logp": [-0.1]},
]


@pytest.mark.parametrize("given", CONTRADICTIONS, ids=lambda g: next(iter(g)))
def test_parts_that_contradict_each_other_are_refused(given):
    with pytest.raises(EngineError, match="inconsistent"):
        consistency.check(scenario(given))
    assert answer(Request(("why?",), scenario=given)).error["code"] == "inconsistent"


def test_parts_that_agree_are_taken():
    consistency.check(scenario({"rewards": [-0.01, 0.99], "scores": [0, 1], "kl_values": [0.1, 0.1], "beta": 0.1}))
    consistency.check(scenario({"kl_values": [0.1], "logp": [-0.1], "ref_logp": [-0.2]}))
