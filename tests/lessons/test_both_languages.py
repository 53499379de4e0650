"""Both languages say the same: what each block and each reason names, and words of quantity and condition."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons._lesson import LANGUAGES, Lesson, lessons
from prompts.tell.blocks import Blocks
from prompts.tell.tables import Tables
from prompts.tell.values import Values

LESSONS = [pytest.param(lesson, id=lesson.id) for lesson in lessons().values()]
BLOCK = re.compile(r"<% block (\w+) %>(.*?)<% endblock %>", re.DOTALL)
TAG = re.compile(r"<<.*?>>|<%.*?%>", re.DOTALL)
NAME = re.compile(r"[a-z_]\w*", re.IGNORECASE)
FORMULA = re.compile(r"\{[^{}]*\}|`[^`]*`")
QUOTED = re.compile(r"([\"'])(.*?)\1")
CODE = re.compile(r"[\x21-\x7e]*")  # what is quoted and none of this is in the language's own words
OURS = {name for room in (Values, Tables, Blocks) for name in vars(room)}
JINJA = {"if", "else", "elif", "endif", "for", "in", "endfor", "set", "not", "and", "or", "is", "none", "loop", "last"}
JINJA |= {"length", "capitalize", "list", "reject", "first", "parameter"}
READ = tomllib.loads(Path(__file__).with_name("both_languages.toml").read_text(encoding="utf-8"))
WORDS = {
    kind: {key: re.compile(pattern, re.IGNORECASE) for key, pattern in words.items()} for kind, words in READ.items()
}


def named(text: str) -> set[str]:
    """What the tags of a text are about: facts, parameters, symbols and conditions, however they are put."""
    tags = (QUOTED.sub(lambda found: found[2] if CODE.fullmatch(found[2]) else "", tag) for tag in TAG.findall(text))
    found = {name for tag in tags for name in NAME.findall(tag)}
    return found - OURS - JINJA


def unmatched(zh: str, en: str) -> set[str]:
    """The words of quantity and condition that one language says and the other does not."""
    return {
        kind
        for kind, words in WORDS.items()
        if (words["en"].search(en) and not _says(words, "zh", zh))
        or (words["zh"].search(zh) and not _says(words, "en", en))
    }


def _says(words: dict[str, re.Pattern[str]], language: str, text: str) -> bool:
    return any(words[key].search(text) for key in (language, f"{language}_too"))


def blocks(lesson: Lesson) -> Iterator[tuple[str, str, str]]:
    """Each block of a lesson's page, in both languages."""
    zh, en = (
        dict(BLOCK.findall((lesson.folder / f"{language}.md").read_text(encoding="utf-8"))) for language in LANGUAGES
    )
    assert list(zh) == list(en), "the same blocks, in one order"
    yield from ((name, zh[name], en[name]) for name in zh)


def facts(lesson: Lesson) -> Iterator[tuple[str, str, str]]:
    """Each fact's reason, and its sentence, in both languages."""
    for id, fact in lesson.facts.items():
        yield f"{id}, because", fact.because["zh"], fact.because["en"]
        yield id, FORMULA.sub(" ", fact.says["zh"]), FORMULA.sub(" ", fact.says["en"])


@pytest.mark.parametrize("lesson", LESSONS)
def test_both_languages_name_the_same(lesson):
    for name, zh, en in (*blocks(lesson), *facts(lesson)):
        assert named(zh) == named(en), name


@pytest.mark.parametrize("lesson", LESSONS)
def test_both_languages_quantify_alike(lesson):
    for name, zh, en in (*blocks(lesson), *facts(lesson)):
        assert not unmatched(TAG.sub(" ", zh), TAG.sub(" ", en)), (name, zh, en)


@pytest.mark.parametrize(
    ("zh", "en", "kinds"),
    [
        ("δ 总是零。", "δ is zero.", {"always"}),
        ("critic 一般学得慢。", "The critic learns slowly.", {"generally"}),
        ("critic 训练。", "Only the critic is trained.", {"only"}),
        ("比值处处为一，除非策略动了。", "Ratios are one.", {"unless"}),
        ("至少要两条回答。", "Responses are compared.", {"at_least"}),
        ("最多走三步。", "Three steps are taken.", {"at_most"}),
        ("只有 critic 训练，而且从不停。", "The critic alone is trained and never stops.", set()),
    ],
)
def test_a_word_that_one_language_lacks_is_found(zh, en, kinds):
    assert unmatched(zh, en) == kinds


def test_a_name_that_one_language_lacks_is_found():
    said = '<% if parameter.lam == 1 %><<own("advantages", 0)>><% endif %>'
    assert named(said) == {"lam", "advantages"}
    assert named(said) != named('<<own("advantages", 0)>>')
    assert named('<<grid(["bias", "误差"])>>') == named('<<grid(["bias", "the error"])>>') == {"bias"}
