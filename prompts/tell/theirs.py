"""The code of a project as it stands in an installed package, read at this moment, with the example's values beside it.

Nothing of it is kept here: where no such package is installed, the page says where it stands.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lessons import _sources
from lessons._lesson import Shown
from lessons._sources import PROJECTS, Place, Source
from prompts.tell.cell import beside
from prompts.tell.ground import Grounded
from prompts.tell.places import where
from prompts.tell.words import word

LONGEST = 70  # lines of a function that is shown whole
WORDS = {
    topic: re.compile(words, re.IGNORECASE)
    for topic, words in {
        "whitening": r"whiten|白化|归一化",
        "value_loss": r"value (?:loss|clip)|critic loss|vf_loss|价值损失|价值裁剪",
        "policy_loss": r"clip|policy loss|surrogate|裁剪|策略损失|代理目标",
        "kl_estimators": r"\bk[123]\b|estimator|low_var_kl|估计",
        "kl_in_reward": r"\bkl\b|kl_penalty",
        "grpo": r"grpo",
        "critic_slice": r"slice|切片",
        "gae": r"\bgae\b|advantage|优势",
        "loop": r"\bloop\b|训练循环|iteration",
    }.items()
}
AROUND = 4  # lines shown before the first and after the last that has a value beside it


@dataclass(frozen=True)
class Theirs:
    """Whose code was asked for."""

    project: str
    version: str | None = None  # the newest in the table, if none was named
    topic: str | None = None  # what of it


def asked(text: str) -> Theirs | None:
    """The project that a text names; and the version and the topic, by a function's name or a word, where it does."""
    low = text.lower()
    project = next((name for name in PROJECTS if name.lower() in low), None)
    if project is None:
        return None
    versions = [release.version for release in _sources.releases() if release.project == project]
    version = next((version for version in versions if version in text), None)
    named = next((topic for name, topic in functions() if name in text), None)
    return Theirs(project, version, named or next((topic for topic, word in WORDS.items() if word.search(text)), None))


def functions() -> list[tuple[str, str]]:
    """The names of the table's functions with their topics, the longest first."""
    names = {_name(place): place.topic for place in reversed(_sources.places()) if "_" in _name(place)}
    return sorted(names.items(), key=lambda item: -len(item[0]))


def place(theirs: Theirs, topics: Iterable[str]) -> Place | None:
    """Where a project does what a page is about: in the release that was named, else the newest that has it."""
    for topic in dict.fromkeys([theirs.topic, *topics] if theirs.topic else topics):
        some = [one for one in _sources.of(topic) if one.release.project == theirs.project and one.function]
        some = [one for one in some if theirs.version in (None, one.release.version)]
        if some:
            return next((one for one in reversed(some) if one.names), some[-1])
    return None


def code_of(theirs: Theirs, topics: Iterable[str], shown: Shown, language: str) -> str:
    """A project's own code for what a page is about, with the page's numbers."""
    found = place(theirs, topics)
    if found is None:
        return word(language, "theirs", "none").replace("{project}", theirs.project)
    return told(found, shown.facts.numbers if shown.facts else {}, language)


def told(found: Place, numbers: Mapping[str, Any], language: str) -> Grounded:
    """The function and where it stands; or only where, if no such package is installed."""
    source = _sources.source(found)
    said = word(language, "theirs", "installed" if source else "commit" if found.release.commit else "absent")
    head = said.replace("{release}", f"`{found.release.name}`").replace("{where}", where(found))
    day = _sources.checked().get(found.release.name)
    head = head.replace("{does}", found.does[language]).replace("{day}", f"`{day.isoformat()}`" if day else "–")
    if found.release.commit is None:
        head = head.replace("{requirement}", f"`{found.release.requirement}`")
    if source is None:
        return Grounded(head)
    code = "\n".join(annotated(source, found.names, numbers))
    return Grounded(f"{head}\n\n```python\n{code}\n```")


def annotated(source: Source, names: Mapping[str, Any], numbers: Mapping[str, Any]) -> list[str]:
    """The lines, each that assigns a quantity with its value; of a long function those around them."""
    lines = textwrap.dedent(source.text).splitlines()
    values = {line: numbers[fact] for line, fact in _assigned(lines, names).items() if fact in numbers}
    told = [beside(line, [values[i]]) if i in values else line for i, line in enumerate(lines)]
    if len(told) <= LONGEST or not values:
        return told[:LONGEST] + (["    ..."] if len(told) > LONGEST else [])
    first, last = max(min(values) - AROUND, 1), max(values) + AROUND + 1
    return [told[0], "    ...", *told[first:last], *(["    ..."] if last < len(told) else [])]


def _assigned(lines: Sequence[str], names: Mapping[str, Any]) -> dict[int, str]:
    """Line → the fact that is made there: the name's first, its second where it is made again."""
    found: dict[int, str] = {}
    met: dict[str, int] = {}
    for node in sorted(_assignments(lines), key=lambda node: node.lineno):
        name = ast.unparse(node.targets[0])
        if name in names and not isinstance(node.value, ast.Constant):
            facts = names[name] if isinstance(names[name], list) else [names[name]]
            found[node.end_lineno or node.lineno] = facts[min(met.get(name, 0), len(facts) - 1)]
            met[name] = met.get(name, 0) + 1
    return {line - 1: fact for line, fact in found.items()}


def _assignments(lines: Sequence[str]) -> list[ast.Assign]:
    return [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.Assign)]


def _name(place: Place) -> str:
    return place.function.rpartition(".")[2]
