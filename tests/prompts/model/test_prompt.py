"""A prompt is a file; what it needs and is not given raises."""

from __future__ import annotations

import pytest
from jinja2 import TemplateNotFound, UndefinedError

from lessons._lesson import LANGUAGES
from prompts.model.prompt import FOLDER, prompt

LESSON = {"id": "telescoping", "title": "a title", "question": "a question"}
GIVEN = {
    "simple": {"page": "the <<page>> \\(V_{0}\\)"},
    "metaphor": {"page": "the <<page>> \\(V_{0}\\)"},
    "choose": {"message": "why <% λ?", "candidates": [LESSON]},
}


def test_every_purpose_has_a_file_in_every_language():
    purposes = {*GIVEN, "rules"}
    assert {path.name for path in FOLDER.iterdir()} == {
        f"{p}.{language}.md" for p in purposes for language in LANGUAGES
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("purpose", GIVEN)
def test_what_is_given_stands_in_it_as_it_is(purpose, language):
    told = prompt(purpose, language, **GIVEN[purpose])
    for text in GIVEN[purpose].values():
        assert (text if isinstance(text, str) else text[0]["id"]) in told
    assert "include" not in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("purpose", "name"), [(p, name) for p, given in GIVEN.items() for name in given])
def test_what_is_missing_raises(purpose, name, language):
    with pytest.raises(UndefinedError, match=name):
        prompt(purpose, language, **{key: text for key, text in GIVEN[purpose].items() if key != name})


def test_a_lesson_without_a_title_raises():
    with pytest.raises(UndefinedError, match="title"):
        prompt("choose", "en", message="?", candidates=[{"id": "x", "question": "?"}])


def test_no_other_purpose_and_language():
    with pytest.raises(TemplateNotFound):
        prompt("rhyme", "en")
    with pytest.raises(TemplateNotFound):
        prompt("simple", "fr", page="")
