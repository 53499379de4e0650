"""The table of what projects do: whole, spoken of with versions only, and its checker notices what is not so."""

from __future__ import annotations

import datetime
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lessons import _sources
from lessons._lesson import LANGUAGES, ROOT, lessons
from lessons._sources import Place, Release
from prompts.tell import places as told
from tests.sources import check

OURS = """class Trainer:
    def step(self, values, mask):
        values = values * mask
        return values.sum()


GAMMA = 0.5
"""
RELEASE = Release("verl 7.7")
PLACE = Place("gae", RELEASE, "their/code.py", {"en": "sums"}, "Trainer.step", 2, r"values \* mask return values\.sum")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of our own, where `make sources` would have put it."""
    monkeypatch.setattr(_sources, "HOUSE", tmp_path)
    file = tmp_path / ".env-sources-verl-7.7" / "their" / "code.py"
    file.parent.mkdir(parents=True)
    file.write_text(OURS)
    return file


def test_every_place_says_what_is_done_in_both_languages_and_can_be_checked():
    for place in _sources.places():
        assert set(place.does) == set(LANGUAGES) and all(place.does.values()), place
        assert (place.release.commit is None) == bool(place.pattern or place.absent), place
        re.compile(place.pattern)


def test_what_is_on_no_index_has_a_commit_and_its_date():
    for release in _sources.releases():
        assert release.commit is not None or release.project in _sources.PACKAGES, release
        assert (release.commit is None) == (release.date is None), release


def test_every_release_on_the_index_was_compared():
    assert set(_sources.checked()) == {release.name for release in _sources.releases() if release.commit is None}


@pytest.mark.usefixtures("installed")
def test_a_place_that_is_so_has_nothing_wrong():
    assert _sources.wrong(PLACE) is None
    assert _sources.wrong(replace(PLACE, file="their/other.py", absent=True)) is None


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pattern": "values / mask"}, "does not match"),
        ({"line": 3}, "in line 2, not 3"),
        ({"function": "Trainer.stop"}, "there is no Trainer.stop"),
        ({"file": "their/other.py"}, "there is no"),
        ({"absent": True}, "is there"),
        ({"function": "", "line": None, "pattern": r"GAMMA = (?P<gamma>[\d.]+)"}, "says {'gamma': '0.5'}"),
        ({"release": Release("verl 7.8")}, "not installed"),
    ],
)
def test_a_place_that_is_not_so_is_noticed(change: dict[str, Any], said: str):
    wrong = _sources.wrong(replace(PLACE, **change))
    assert wrong is not None and said in wrong
    assert check.found_wrong([replace(PLACE, **change)])


def test_the_day_is_written():
    written = tomllib.loads(check.written([RELEASE], datetime.date(2026, 11, 20)))
    assert written == {"verl 7.7": datetime.date(2026, 11, 20)}


# ---------------------------------------------------------------- what pages and facts say of projects

PROJECTS = {
    project: re.compile(rf"(?<![\w-]){re.escape(project)}(?![\w-])", re.IGNORECASE) for project in _sources.PROJECTS
}
VAGUE = re.compile(
    r"\b(?:old|older|early|earlier|new|newer|newest|current|recent|later|latest) "
    r"(?:versions? of )?(?:verl|TRL|OpenRLHF|versions?\b)|\bverl now\b|\bby now\b|\bnowadays\b|\bused to\b|"
    r"(?:verl|TRL|OpenRLHF)'s (?:old|new|newer|newest|early|later|current)\b|\bin the (?:old|new)\b|^(?:Old|New):|"
    r"旧版|新版|老版|旧 verl|新 verl|最新|如今|早期|早先|较新|较晚|后来的版本|新旧版|现在的? ?verl|verl 现在",
    re.IGNORECASE | re.MULTILINE,
)
VERSION = re.compile(r"(?:verl|TRL|OpenRLHF|rlax) \d[\w.]*\w")


def sentences() -> list[tuple[str, str, tuple[str, ...]]]:
    """(where, text, topics): every block of a page that names a project, every fact."""
    found = []
    for lesson in lessons().values():
        for language in LANGUAGES:
            page = (lesson.folder / f"{language}.md").read_text(encoding="utf-8")
            topics = tuple(re.findall(r'source\("(\w+)"', page)) + tuple(
                topic for many in re.findall(r"<<sources\(([^)]*)\)>>", page) for topic in re.findall(r'"(\w+)"', many)
            )
            blocks = re.findall(r"<% block (\w+) %>(.*?)<% endblock %>", page, re.DOTALL)
            found += [(f"{lesson.id}/{language}.md {name}", text, topics) for name, text in blocks]
            for fact in lesson.facts.values():
                text = f"{fact.says.get(language, '')}\n{fact.because[language]}"
                found.append((f"{lesson.id} {fact.id} {language}", text, fact.sources))
    return found


SENTENCES = sentences()


def test_what_is_said_of_a_project_rests_on_the_table():
    for where, text, topics in SENTENCES:
        have = {place.release.project for topic in topics for place in _sources.of(topic)}
        named = {project for project, pattern in PROJECTS.items() if pattern.search(text)}
        assert named <= have, (where, named - have)


def test_no_version_goes_without_its_number():
    of_projects = [one for one in SENTENCES if any(pattern.search(one[1]) for pattern in PROJECTS.values())]
    assert len(of_projects) > 100
    assert not [(where, VAGUE.findall(text)) for where, text, _ in of_projects if VAGUE.search(text)]


def test_every_version_that_is_named_is_in_the_table():
    known = {release.name for release in _sources.releases()}
    for where, text, _ in SENTENCES:
        assert set(VERSION.findall(text)) <= known, where


def test_these_rules_can_fail():
    for text in ("Old verl does", "the newer version", "verl's old recursion", "旧版 verl", "新版里", "早期的 TRL"):
        assert VAGUE.search(text), text
    assert not VAGUE.search("`verl 0.9.1` holds the old log-probs")
    assert VERSION.findall("`verl 0.9.2`, TRL 1.9.2.") == ["verl 0.9.2", "TRL 1.9.2"]


def test_a_fact_ends_with_the_releases_that_were_read():
    assert told.releases(("gae",), "verl and TRL do it", "en") == (
        " (As read in `verl 0.2`, `verl 0.9.1`, `TRL 0.11.4`, `TRL 1.9.2`.)"
    )
    assert told.releases(("gae",), "`verl 0.2` does it", "en") == told.releases(("gae",), "we do it", "en") == ""


def test_the_list_names_release_file_line_and_function():
    listed = told.listed(told.found(("kl_in_reward", "gae"), ("verl", "Search-R1")), "en")
    assert "`verl/trainer/ppo/core_algos.py:216` `compute_gae_advantage_return`" in listed
    assert "2025-10-29" in listed and "TRL" not in listed


def test_the_table_is_read_with_toml():
    table = tomllib.loads((ROOT / "_sources.toml").read_text(encoding="utf-8"))
    assert sum(len(found) for name, found in table.items() if name not in _sources.NO_TOPIC) == len(_sources.places())
