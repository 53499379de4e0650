"""Every lesson, in both languages: found by walking, complete, current, grounded, with the same numerals in each."""

from __future__ import annotations

import re
import shutil

import pytest

from engine.errors import EngineError
from engine.example import RUNNING
from engine.proofs.proof import Theorem
from lessons import _lesson
from lessons._lesson import LANGUAGES, MalformedLessonError, lessons, load
from prompts.tell.forms import FORMS
from prompts.tell.ground import numerals
from prompts.tell.words import words
from tests import pages

IDS = sorted(lessons())
NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@pytest.mark.parametrize(("id", "name", "language"), pages.cases())
def test_the_page_is_the_expected_one(id, name, language):
    path = pages.expected(lessons()[id], name, language)
    assert path.is_file(), f"{path} is missing: read the page and run `make pages`"
    assert pages.unfolding(lessons()[id], name, language) == path.read_text(encoding="utf-8"), "if meant: make pages"


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("id", IDS)
def test_both_languages_carry_the_same_numerals(id, form):
    told = [pages.page(lessons()[id], pages.EXAMPLE, language, form) for language in LANGUAGES]
    assert all(page.strip() for page in told)
    zh, en = (set(NUMERAL.findall(page)) for page in told)
    assert zh == en


@pytest.mark.parametrize("form", sorted(FORMS))
def test_what_is_out_of_scope_is_answered_in_every_form(form):
    assert "PPO" in pages.page(lessons()["out_of_scope"], pages.EXAMPLE, "en", form).partition("###")[0]


def _source(id, language):
    return (lessons()[id].folder / f"{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", IDS)
def test_templates_hold_no_numeral_and_no_loose_markup(id, language):
    words_only = re.sub(r"<<.*?>>|<%.*?%>|<#.*?#>", "", _source(id, language), flags=re.DOTALL)
    assert numerals(words_only) == ""
    assert "**" not in words_only, "Chinese bold breaks in CommonMark: use <strong>"
    assert "$" not in words_only and "\\" not in words_only, "formulas come from the engine"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", IDS)
def test_what_is_proved_is_stated_before_its_steps(id, language):
    """On most pages the steps are folded away."""
    proofs = re.findall(r"<% block proof %>.*?<% endblock %>", _source(id, language), re.DOTALL)
    for block in proofs:
        for name in re.findall(r'<<proof\("(\w+)"\)>>', block):
            assert f'<<statement("{name}")>>' in block.split(f'<<proof("{name}")>>')[0], name


def test_of_steps_the_first_are_open_where_a_proof_was_asked_for_and_all_in_full():
    plain, proof, full = (
        pages.page(lessons()["telescoping"], pages.EXAMPLE, "en", f) for f in ("plain", "proof", "full")
    )
    steps = f"<summary>{words('en')['labels']['steps']}</summary>"
    assert (steps in plain, steps in proof, steps in full) == (False, True, False)
    assert "1. " in proof


@pytest.mark.parametrize("id", IDS)
def test_every_reason_has_words_in_both_languages(id):
    reasons = {step.move.reason for theorem in lessons()[id].show(RUNNING).proofs.values() for step in theorem.steps()}
    for language in LANGUAGES:
        assert reasons <= set(words(language)["reasons"])


@pytest.mark.parametrize("id", IDS)
def test_what_is_shown_was_checked(id):
    shown = lessons()[id].show(RUNNING)
    assert all(isinstance(theorem, Theorem) for theorem in shown.proofs.values())
    assert shown.facts is None or all(check.ok for check in shown.facts.checks)


def test_changing_a_number_changes_every_number_that_depends_on_it():
    lesson = lessons()["telescoping"]
    changed = RUNNING.merged({"values": [0.21, *RUNNING.values[1:]]})
    before, after = (lesson.show(s).facts.numbers for s in (RUNNING, changed))
    assert before["excess"] != after["excess"]
    assert before["deltas"][0] != after["deltas"][0]
    assert before["deltas"][1:] == after["deltas"][1:]


# ---------------------------------------------------------------- a malformed lesson raises


@pytest.fixture
def copy(tmp_path):
    """A copy of a real lesson's folder that can be spoiled."""
    folder = tmp_path / "telescoping"
    shutil.copytree(_lesson.ROOT / "telescoping", folder)
    return folder


@pytest.mark.parametrize("name", ["lesson.py", "zh.md", "en.md", "about.toml", "questions.toml"])
def test_a_missing_file_raises(copy, name):
    (copy / name).unlink()
    with pytest.raises(MalformedLessonError, match=name):
        load(copy)


@pytest.mark.parametrize(
    ("old", "new"),
    [("next =", "after ="), ('en = "Prove', 'fr = "Prove'), ('en = "Telescoping: Σδ = G − V"', 'en = ""')],
)
def test_a_malformed_about_raises(copy, old, new):
    path = copy / "about.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(MalformedLessonError):
        load(copy)


def test_an_empty_folder_raises(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(MalformedLessonError):
        load(tmp_path / "empty")


def test_a_list_that_is_missing_is_an_error_and_not_a_page():
    with pytest.raises(EngineError, match="missing"):
        lessons()["telescoping"].show(_only_rewards())


def _only_rewards():
    from engine.scenario import scenario
    from prompts.read import completed

    return completed(scenario({"rewards": [0, 1]}))[0]


def test_the_template_is_a_lesson(monkeypatch):
    """`make lesson` copies it: what it copies must load, show and judge."""
    import importlib

    module = importlib.import_module("lessons._template.lesson")
    assert load(_lesson.ROOT / "_template").id == "_template"
    assert module.show(RUNNING).facts is not None
    monkeypatch.setattr(pages, "lessons", lambda: {"_template": load(_lesson.ROOT / "_template")})
    for language in LANGUAGES:
        assert pages.page(load(_lesson.ROOT / "_template"), pages.EXAMPLE, language)
    (proposition,) = load(_lesson.ROOT / "_template").facts.values()
    assert proposition.judge(RUNNING, denied=False).verdict == "true"
    assert proposition.judge(RUNNING, denied=True).verdict == "false"
