"""Numbers that were asked for stand in the first sentence of the page, in both languages."""

from __future__ import annotations

import pytest

from engine.scenario import scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.read import completed
from prompts.tell.page import Telling, render

PATH = {"rewards": [0, 0, 1], "values": [0.2, 0.5, 0.8], "gamma": 0.9, "lam": 0.5}
POLICY = {"new_logp": [-1, -1], "old_logp": [-1, -1], "advantages": [1, -0.5]}
ASKED = {
    "GAE and Monte Carlo": ("mc_vs_gae", PATH, ("[0.3895, 0.31, 0.2]", "[0.61, 0.4, 0.2]")),
    "λ is one": ("mc_vs_gae", {**PATH, "lam": 1}, ("[0.61, 0.4, 0.2]",)),
    "clipped": ("ppo_clip", {"ratio": [1.5, 0.5], "advantages": [1, 1], "eps": 0.2}, ("[1.2, 0.5]", "0.85", "t = 0")),
    "surrogate": ("surrogate", POLICY, ("0.25", "[1, -0.5]")),
    "a group": ("group_baselines", {"group_rewards": [1, 0, 0, 1]}, ("[0.866024, -0.866024,", "[0.666667, -0.666667,")),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ASKED)
def test_the_numbers_come_first(name, language):
    id, given, numbers = ASKED[name]
    lesson = lessons()[id]
    complete, origin = completed(scenario(given))
    told = {
        form: render(lesson, Telling(language, form, complete, origin, lesson.show(complete)))
        for form in ("numbers", "plain")
    }
    opening = {form: page.split("\n\n")[1] for form, page in told.items()}  # below what was read
    assert all(number in opening["numbers"] for number in numbers), opening["numbers"]
    assert numbers[0] not in opening["plain"]
