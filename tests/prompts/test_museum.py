"""The museum is found by a thread's place, by its link and as a list; its pages show what was run."""

from __future__ import annotations

import pytest

from engine.notation import show
from lessons._museum import exhibits
from prompts.read.exhibits import place, wants_list
from prompts.tutor import Request, answer


@pytest.mark.parametrize("exhibit", exhibits(), ids=lambda one: one.id)
def test_every_thread_leads_to_its_exhibit(exhibit):
    for thread in exhibit.threads:
        link = f"https://github.com/{thread.project}/issues/{thread.number}"
        pull = f"{thread.project}/pull/{thread.number}"
        short = thread.project.rpartition("/")[2]
        asked = (
            thread.name,
            thread.short,
            link,
            pull,
            f"{short} issue {thread.number}",
            f"{short} 的 issue {thread.number}",
        )
        assert all(place(message) is exhibit for message in asked)
        assert all(place(f"{message}?") is exhibit for message in asked)


@pytest.mark.parametrize(
    ("message", "id"),
    [
        ("verl#1960", "prompt_value"),
        ("volcengine/verl#1960", "prompt_value"),
        ("what about verl#1960, who is right?", "prompt_value"),
        ("verl#1960 说得对吗？", "prompt_value"),
        ("TRL issue 1150", "returns_by_sum"),
        ("trl PR 1536", "truncated"),
        ("lvwerra/trl#121", "delta_is_enough"),
    ],
)
def test_people_name_a_thread_in_many_ways(message, id):
    found = place(message)
    assert found is not None
    assert found.id == id


@pytest.mark.parametrize(
    "message",
    [
        "verl#1",
        "someone/verl#1960",
        "trl 0.11 has 1150 lines",
        "step 1960 of verl",
        "what is #1960?",
        "V(prompt) is exactly values[:,0] (verl#1960).",
        "verl#1960: does the advantage depend on λ?",
        "I read in verl#1960 that the values are shifted, but my own question is another one: why do rewards and "
        "values have the same length in my code when the response was cut?",
    ],
)
def test_another_number_or_a_mention_in_passing_leads_nowhere(message):
    assert place(message) is None


@pytest.mark.parametrize(
    "message",
    ["museum", "show me the museum", "博物馆", "有哪些著名的错误？", "有名的争论有哪些", "list the famous bugs"],
)
def test_the_list_is_asked_for(message):
    assert wants_list(message)
    found = answer(Request((message,)))
    assert found.error is None
    assert all(f"`{one.threads[0].short}`" in found.markdown for one in exhibits())


@pytest.mark.parametrize(
    "message", ["what is the usual mistake?", "常见的错误是什么", "is this a bug?", "我的公式对吗"]
)
def test_other_questions_about_mistakes_do_not(message):
    assert not wants_list(message)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("exhibit", exhibits(), ids=lambda one: one.id)
def test_a_page_shows_both_readings(exhibit, lang):
    found = answer(Request((exhibit.threads[0].name,), lang=lang))
    assert found.error is None
    assert (found.lesson, found.quantity, found.verdict, found.lang) == (exhibit.lesson, exhibit.quantity, None, lang)
    told = found.facts["exhibit"]
    for reading, facts in (("settled", exhibit.right), ("disputed", exhibit.wrong)):
        numbers, exact = facts.numbers[exhibit.fact], facts.exact[exhibit.fact]
        assert told[reading] == numbers
        for x in exact if isinstance(exact, list) else [exact]:
            assert x is None or any(show(x, digits).text in found.markdown for digits in range(3, 7))
    assert told["apart"] == len(exhibit.apart)
    assert all(check["ok"] for check in found.checks)
    assert all(whose == "example" for whose in found.params["from"].values())
