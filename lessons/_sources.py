"""What projects do, and where: the table _sources.toml, and their code as it stands in an installed package."""

from __future__ import annotations

import ast
import datetime
import importlib.metadata
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

HERE = Path(__file__).parent
HOUSE = HERE.parent
TABLE, CHECKED = HERE / "_sources.toml", HERE / "_checked.toml"
SETTINGS = "settings"  # when nothing is changed
NO_TOPIC = ("releases", SETTINGS)
PACKAGES = {"verl": "verl", "TRL": "trl", "OpenRLHF": "openrlhf", "rlax": "rlax"}  # project → its name on the index
PROJECTS = (*PACKAGES, "Search-R1")


@dataclass(frozen=True)
class Release:
    """A version on the package index, or a commit and its date."""

    name: str
    commit: str | None = None
    date: datetime.date | None = None  # of the commit

    @property
    def project(self) -> str:
        return self.name.split()[0]

    @property
    def version(self) -> str:
        return self.name.split()[1]

    @property
    def requirement(self) -> str:
        return f"{PACKAGES[self.project]}=={self.version}"

    @property
    def apart(self) -> Path:
        """Where `make sources` installs it."""
        return HOUSE / f".env-sources-{PACKAGES[self.project]}-{self.version}"

    def root(self) -> Path | None:
        """The folder that holds its package: installed apart, or in this environment."""
        if self.commit is not None:
            return None
        if self.apart.is_dir():
            return self.apart
        try:
            found = importlib.metadata.distribution(PACKAGES[self.project])
        except importlib.metadata.PackageNotFoundError:
            return None
        return Path(str(found.locate_file(""))) if found.version == self.version else None


@dataclass(frozen=True)
class Place:
    """A function of a release, and what it does there."""

    topic: str
    release: Release
    file: str
    does: Mapping[str, str]
    function: str = ""  # a method with its class; empty: the file itself
    line: int | None = None  # of its definition, where it is sure
    pattern: str = ""  # what its source must match
    absent: bool = False  # the file is not there
    names: Mapping[str, Any] = field(default_factory=dict)  # its names → the facts that they hold, one after the other


@dataclass(frozen=True)
class Source:
    """The text of a function as it stands in a file."""

    text: str
    line: int


@cache
def places() -> tuple[Place, ...]:
    known = _releases()
    return tuple(
        Place(topic, known[one["in"]], **{key: x for key, x in one.items() if key != "in"})
        for topic, found in _table().items()
        if topic not in NO_TOPIC
        for one in found
    )


def of(topic: str) -> tuple[Place, ...]:
    found = tuple(place for place in places() if place.topic == topic)
    if not found:
        raise KeyError(f"no project does {topic}: it is no topic of _sources.toml")
    return found


def releases() -> tuple[Release, ...]:
    """In the order of the table."""
    return tuple(_releases().values())


@cache
def _releases() -> Mapping[str, Release]:
    return {name: Release(name, **about) for name, about in _table()["releases"].items()}


def defaults() -> Mapping[str, Mapping[str, Any]]:
    """What each project's configuration says when nothing is changed."""
    return MappingProxyType(_table()[SETTINGS])


@cache
def checked() -> Mapping[str, datetime.date]:
    """The day on which the places of a release were last found in its package."""
    return MappingProxyType(tomllib.loads(CHECKED.read_text(encoding="utf-8"))) if CHECKED.is_file() else {}


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def source(place: Place) -> Source | None:
    """The function as it stands in an installed package, read now; nothing where none is installed."""
    root = place.release.root()
    if root is None or not (root / place.file).is_file():
        return None
    text = (root / place.file).read_text(encoding="utf-8")
    return Source(text, 1) if not place.function else _function(text, place.function)


def _function(text: str, name: str) -> Source | None:
    lines = text.splitlines()
    for qualified, node in _definitions(ast.parse(text)):
        if qualified == name:
            return Source("\n".join(lines[node.lineno - 1 : node.end_lineno]), node.lineno)
    return None


_Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(node: ast.AST, of: str = "") -> Iterator[tuple[str, _Defined]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Defined):
            yield f"{of}{child.name}", child
            yield from _definitions(child, f"{of}{child.name}.")


def wrong(place: Place) -> str | None:
    """What of a place is not so in its installed package."""
    root = place.release.root()
    if root is None:
        return f"{place.release.name} is not installed"
    if place.absent:
        return f"{place.file} is there" if (root / place.file).exists() else None
    found = source(place)
    if found is None:
        return f"there is no {place.function} in {place.file}"
    if place.line is not None and place.line != found.line:
        return f"{place.function} is in line {found.line}, not {place.line}"
    match = re.search(place.pattern, re.sub(r"\s+", " ", found.text))
    if match is None:
        return f"{place.function or place.file} does not match {place.pattern}"
    said = defaults().get(PACKAGES[place.release.project], {})
    other = {name: x for name, x in match.groupdict().items() if float(x) != said.get(name)}
    return f"{place.file} says {other}" if other else None
