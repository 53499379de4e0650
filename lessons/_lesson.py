"""The contract of a lesson: what it computes, proves and shows. A folder is a lesson; there is no other list of them.

lesson.py        show(scenario) -> Shown: everything its pages may say; QUANTITIES: the computations it answers;
                 TOGETHER: that it speaks of a batch, so that of the running example it takes both responses;
                 FACTS: the check of each fact that says none itself (_fact.py);
                 audit(scenario, claims, quantity, free=…) -> Shown, only where stated numbers are checked
zh.md, en.md     the pages: words around what was shown, in blocks; no numeral of their own. What is shown at first:
                 answer (two or three sentences that answer no question in particular), first (one small table and the
                 line that settles it). What unfolds, each where there is something to say: meaning, numbers, proof,
                 rigorous, mistake, code, verl; and simple, told to a child. A block figure_<name> for each
                 figure: its title in the first line, then what is to be seen in it
about.toml       title and question in both languages, and the lessons it leads to
facts.toml       true sentences, each with a check and a reason
practice.toml    what is asked of learners in an exercise (_practice.py)
openings.toml    which facts open an answer, by what is asked of a subject (what, why, which, if, is) or seen in a run
questions.toml   how people ask for it; asked.toml, messages.jsonl: how they ask for its facts
expected/        the pages as they come out, for review
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Protocol

from engine.audits import Audited, Claim
from engine.errors import EngineError
from engine.facts import Facts
from engine.models.observed import Observed
from engine.proofs.proof import Theorem
from engine.proofs.refutation import Counterexample
from engine.scenario import Scenario
from lessons import LANGUAGES as LANGUAGES
from lessons._fact import Check, Fact, read
from lessons._figure import Figure
from lessons._practice import Practice, practice
from lessons._tried import TOLD_OF_ANY, tried
from lessons._twin import Function

ROOT = Path(__file__).parent
OUT_OF_SCOPE = "out_of_scope"
_FILES = (
    "lesson.py",
    "about.toml",
    "questions.toml",
    "facts.toml",
    "asked.toml",
    *(f"{language}.md" for language in LANGUAGES),
)


class MalformedLessonError(Exception):
    """A lesson folder that does not keep the contract."""


@dataclass(frozen=True)
class Shown:
    """What a lesson lays before the renderer for one scenario. A page can hold nothing else."""

    facts: Facts | None = None
    work: Mapping[str, Any] = field(default_factory=dict)  # name → Worked or a list of them, whose lines are shown
    proofs: Mapping[str, Theorem] = field(default_factory=dict)
    counterexamples: Mapping[str, Counterexample] = field(default_factory=dict)
    mistakes: Mapping[str, Facts] = field(default_factory=dict)  # id in engine.mistakes → what that program gives
    figures: Mapping[str, Figure] = field(default_factory=dict)
    twins: tuple[Function, ...] = ()  # the computation in plain torch: the first is shown whose inputs are there
    formulas: Mapping[str, str] = field(default_factory=dict)  # name → LaTeX that the engine wrote
    audited: Audited | None = None  # the learner's stated numbers beside the computed ones
    iteration: Callable[..., Observed | EngineError] | None = None  # (trial, listener): run on the language model
    run: Observed | EngineError | None = None  # what that put out, where it was asked for


class Audit(Protocol):
    """Like show, for stated numbers: the quantity that was asked for, and the parameters that nobody stated."""

    def __call__(
        self, scenario: Scenario, claims: Sequence[Claim], quantity: str | None, *, free: frozenset[str]
    ) -> Shown: ...


@dataclass(frozen=True)
class Lesson:
    """One kind of question."""

    id: str
    title: Mapping[str, str]
    question: Mapping[str, str]  # how it is best asked, in each language
    next: tuple[str, ...]  # ids of the lessons it leads to
    quantities: tuple[str, ...]
    facts: Mapping[str, Fact]
    show: Callable[[Scenario], Shown]
    audit: Audit | None  # instead of show, for a lesson that checks what the learner states
    together: bool  # of the running example it takes both responses
    practice: Practice | None = None  # what it asks of its learners

    @property
    def folder(self) -> Path:
        return ROOT / self.id


@cache
def lessons() -> Mapping[str, Lesson]:
    """Every lesson by id. A malformed folder raises."""
    folders = sorted(path for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "_.")
    found = {folder.name: load(folder) for folder in folders}
    for lesson in found.values():
        if not set(lesson.next) <= set(found) - {lesson.id}:
            raise MalformedLessonError(f"{lesson.id}/about.toml leads to a lesson that is not there: {lesson.next}")
    return MappingProxyType(found)


def load(folder: Path) -> Lesson:
    """The lesson in a folder of this package."""
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise MalformedLessonError(f"lessons/{folder.name} has no {', '.join(missing)}")
    module = importlib.import_module(f"lessons.{folder.name}.lesson")
    about = tomllib.loads((folder / "about.toml").read_text(encoding="utf-8"))
    if set(about) != {"title", "question", "next"}:
        raise MalformedLessonError(f"lessons/{folder.name}/about.toml has {sorted(about)}")
    for key in ("title", "question"):
        if set(about[key]) != set(LANGUAGES) or not all(about[key].values()):
            raise MalformedLessonError(f"lessons/{folder.name}/about.toml: {key} is not given in {LANGUAGES}")
    facts = _facts(folder, vars(module).get("FACTS", {}))
    return Lesson(
        id=folder.name,
        title=about["title"],
        question=about["question"],
        next=tuple(about["next"]),
        quantities=_declared(module, "QUANTITIES"),
        facts=facts,
        show=_declared(module, "show"),
        audit=vars(module).get("audit"),
        practice=_practised(folder, facts),
        together=vars(module).get("TOGETHER", False),
    )


def by_number() -> Mapping[int, Lesson]:
    """The lessons that can be practised, by the number that their exercises bear."""
    return {one.practice.drill.number: one for one in lessons().values() if one.practice is not None}


def _practised(folder: Path, facts: Mapping[str, Fact]) -> Practice | None:
    try:
        return practice(folder, facts, LANGUAGES)
    except (ValueError, TypeError, KeyError) as error:
        raise MalformedLessonError(f"lessons/{folder.name}: {error}") from error


def _facts(folder: Path, checks: Mapping[str, Check]) -> Mapping[str, Fact]:
    try:
        found = read(folder / "facts.toml", checks, LANGUAGES)
    except ValueError as error:
        raise MalformedLessonError(f"lessons/{folder.name}: {error}") from error
    return {id: replace(one, check=tried(one.check)) if _told_of_any(one) else one for id, one in found.items()}


def _told_of_any(fact: Fact) -> bool:
    """Whether its reason is told of the learner's response as well as of the running example."""
    return any(TOLD_OF_ANY in text for text in fact.because.values())


def _declared(module: ModuleType, name: str) -> Any:
    if name not in vars(module):
        raise MalformedLessonError(f"{module.__name__} declares no {name}")
    return vars(module)[name]
