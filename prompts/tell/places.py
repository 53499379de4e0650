"""Where projects do what a page speaks of: release, file, line, function, out of the checked table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from lessons import _sources
from lessons._sources import PROJECTS, Place, Release
from prompts.tell.ground import Grounded
from prompts.tell.words import word


def named(text: str) -> tuple[str, ...]:
    """The projects that a text names."""
    low = text.lower()
    return tuple(project for project in PROJECTS if project.lower() in low)


def below(text: str, topics: Iterable[str], language: str) -> str:
    """What projects do, and below it where that stands in the releases that were read."""
    return f"{text}\n\n{listed(found(topics, named(text)), language)}"


def found(topics: Iterable[str], projects: Sequence[str]) -> list[Place]:
    """The places of topics in these projects, release by release."""
    places = [
        place for topic in dict.fromkeys(topics) for place in _sources.of(topic) if place.release.project in projects
    ]
    return sorted(places, key=lambda place: _sources.releases().index(place.release))


def listed(places: Sequence[Place], language: str) -> Grounded:
    """Release by release, a line for each function."""
    if not places:
        return Grounded("")
    lines = [
        _of_release(release, _functions(list(some), language), language)
        for release, some in groupby(places, key=lambda place: place.release)
    ]
    return Grounded("\n".join([word(language, "places", "head"), "", *lines]))


def releases(topics: Iterable[str], text: str, language: str) -> Grounded:
    """In which releases the projects that a text names, and gives no release of, were read."""
    projects = [project for project in named(text) if not _with_release(project, text)]
    names = dict.fromkeys(place.release.name for place in found(topics, projects) if not place.absent)
    if not names:
        return Grounded("")
    joined = word(language, "places", "comma").join(f"`{name}`" for name in names)
    return Grounded(word(language, "places", "read_in").replace("{releases}", joined))


def numbers() -> dict[str, Any]:
    """Every line and setting of the table, under the names of what they are of."""
    lines: dict[str, dict[str, int]] = {}
    for place in _sources.places():
        if place.line is not None:
            lines.setdefault(place.release.name, {})[f"{place.file} {place.function}".strip()] = place.line
    settings: Mapping[str, Any] = _sources.defaults()
    return {**settings, "lines": lines}


def where(place: Place) -> str:
    """File, line, function."""
    line = f":{place.line}" if place.line is not None else ""
    return f"`{place.file}{line}`" + (f" `{place.function}`" if place.function else "")


def _of_release(release: Release, lines: Sequence[str], language: str) -> str:
    head = f"- `{release.name}`{_dated(release, language)}"
    if len(lines) == 1:
        return head + word(language, "places", "of").replace("{line}", lines[0])
    return "\n".join([head, *(f"  - {line}" for line in lines)])


def _functions(places: Sequence[Place], language: str) -> list[str]:
    """What a function does, said once for all topics that have it."""
    said: dict[str, list[str]] = {}
    for place in places:
        does = said.setdefault(where(place) if not place.absent else "", [])
        said_of_it = place.does[language] + _settings(place)
        does.extend([] if said_of_it in does else [said_of_it])
    stop = word(language, "places", "and")
    return [_line(at, stop.join(does), language) for at, does in said.items()]


def _settings(place: Place) -> str:
    """What a configuration says when nothing is changed."""
    if place.topic != "defaults":
        return ""
    names = re.compile(place.pattern).groupindex
    found = _sources.defaults()[_sources.PACKAGES[place.release.project]]
    return " " + ", ".join(f"`{name} = {found[name]}`" for name in names)


def _line(at: str, does: str, language: str) -> str:
    told = word(language, "places", "does" if at else "absent")
    return told.replace("{where}", at).replace("{does}", does)


def _dated(release: Release, language: str) -> str:
    if release.commit is None or release.date is None:
        return ""
    return word(language, "places", "commit").replace("{date}", f"`{release.date.isoformat()}`")


def _with_release(project: str, text: str) -> bool:
    return any(f"{project} {release.version}" in text for release in _sources.releases() if release.project == project)
