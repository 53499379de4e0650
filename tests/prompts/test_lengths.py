"""What is shown at first can be read at a glance, whatever was asked of a lesson; all of it says nothing twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.answer import Answer
from prompts.tell.forms import MOST
from prompts.tell.sections import PICTURE, QUIZ
from prompts.tell.words import word, words
from prompts.tutor import Request, answer
from tests.lengths import answers, short, taught

PARAGRAPH = re.compile(r"\n{2,}")


def too_long(found: Answer) -> bool:
    return short(found) and len(found.markdown) > MOST[found.lang]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", taught())
def test_what_is_shown_at_first_is_short_and_names_the_rest(id: str, language: str):
    for found in answers(id, language, count=3):
        assert not too_long(found), (len(found.markdown), found.markdown)
        if short(found) and found.lesson == id:
            assert set(found.sections) >= {"why", "code", "quiz"}
            assert word(language, "sections", "why") in found.markdown.strip().rpartition("\n\n")[2] or found.followups
            assert "<details>" not in found.markdown


def of_a_proof(paragraph: str) -> bool:
    labels = [label for x in LANGUAGES for key, label in words(x)["labels"].items() if key.startswith("induction")]
    return "$$" in paragraph or any(paragraph.startswith(label[:16]) for label in labels)


def twice(texts: Sequence[str]) -> list[str]:
    """Paragraphs and tables that stand more than once; a line of a proof may."""
    said = [one for text in texts for one in PARAGRAPH.split(text) if len(one) > 60 and not of_a_proof(one)]
    return [one for one, count in Counter(said).items() if count > 1]


@pytest.mark.parametrize("id", taught())
def test_nothing_stands_twice_on_a_page(id: str):
    """An exercise stands by itself, and the numbers of a picture stand below it."""
    for language in LANGUAGES:
        found = answer(Request((lessons()[id].question[language],), lang=language))
        told = [section.text for section in found.closed if section.id not in (QUIZ, PICTURE, "proof")]
        assert not twice([found.markdown, *told]), twice([found.markdown, *told])


def test_what_stands_twice_is_noticed():
    assert twice([f"a\n\n{'b' * 70}\n\nc", "b" * 70]) == ["b" * 70]


def test_what_is_too_long_is_noticed():
    found = answer(Request(("why λ?",)))
    assert not too_long(found)
    assert too_long(Answer(**{**vars(found), "markdown": found.markdown * 3}))


def test_a_long_response_of_the_learners_is_shown_by_its_ends():
    lists = ", ".join(["0.1"] * 40)
    found = answer(Request((f"r = [{lists}], V = [{lists}]. Why λ?",)))
    assert found.error is None and found.params["from"]["values"] == "learner"
    assert len(found.markdown) < 2 * MOST["en"] and "…" in found.markdown


@pytest.mark.parametrize(
    ("name", "section"),
    [
        *(("why?", "why"), ("the proof", "proof"), ("code", "code"), ("in verl", "projects"), ("quiz me", "quiz")),
        *(("the usual mistake", "mistake"), ("the picture", "picture"), ("precisely", "precisely")),
        *(("为什么", "why"), ("证明", "proof"), ("代码", "code"), ("verl 里", "projects"), ("常见的错", "mistake")),
        *(("考我", "quiz"), ("图", "picture"), ("这些数", "numbers"), ("the numbers", "numbers")),
    ],
)
def test_a_section_is_unfolded_by_its_name(name: str, section: str):
    language = "en" if name.isascii() else "zh"
    before = answer(Request((lessons()["telescoping"].question[language] + " ?",), lang=language))
    found = answer(
        Request(("Σδ = G − V 是什么意思？" if language == "zh" else "what is Σδ = G − V?", name), lang=language)
    )
    assert found.lesson == "telescoping" and found.error is None
    assert section in found.sections if section != "quiz" else found.form == "quiz" and found.replies
    assert len(found.markdown) < 6 * MOST[language] and before.markdown != found.markdown
    if section != "quiz":
        assert f"### {word(language, 'headings', section)}" in found.markdown
        assert found.markdown.count("### ") <= 2  # code keeps the meaning beside it


def test_everything_is_unfolded_in_full():
    found = answer(Request((lessons()["ppo_clip"].question["en"],), style="full"))
    for section in found.sections:
        assert f"### {word('en', 'headings', section)}" in found.markdown, section
    assert found.form == "plain"


@pytest.mark.parametrize(("asked", "lang"), [("with my numbers", "en"), ("用我的数", "zh")])
def test_with_my_numbers_is_how_to_give_them_or_the_lesson_on_them(asked: str, lang: str):
    lesson = lessons()["why_lambda"].question[lang]
    assert "rewards = [" in answer(Request((lesson, asked))).markdown
    own = "r = [0, 0.5, 1], V = [0.3, 0.4, 0.6], γ = 0.9, λ = 0.8"
    found = answer(Request((own, lesson, asked), lang=lang))
    assert found.lesson == "why_lambda" and found.params["rewards"] == (0, 0.5, 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_answered_is_not_offered_again(lang: str):
    messages: list[str] = []
    for id in ("why_lambda", "variance", "gae_mixture"):
        messages.append(lessons()[id].question[lang])
        found = answer(Request(tuple(messages)))
        assert not {*found.followups} & {*messages} and len(found.followups) >= 2


def test_a_run_is_offered_where_it_is_asked_what_the_models_put_out():
    for lang in LANGUAGES:
        found = answer(Request((lessons()["ppo_loop"].question[lang],)))
        assert word(lang, "ways", "run") in found.followups
