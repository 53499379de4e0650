"""What each function answers. Numbers are float64 at full precision, null where a mask is 0; words are Markdown."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict  # pydantic asks for this one below Python 3.12

Source = Annotated[str, Field(description="module:function of Telescope that computed this")]
Link = Annotated[str | None, Field(description="opens Telescope's page that shows this, relative to its address")]
Verdict = Literal["true", "false", "depends"]


class Wrong(TypedDict):
    """What is wrong with a request, and what to do."""

    code: str
    message: str
    field: str | None


class Refused(TypedDict):
    """Instead of an answer."""

    error: Wrong


class FoundFact(TypedDict):
    id: Annotated[str, Field(description="for read_fact")]
    sentence: Annotated[str, Field(description="true as it stands")]
    likeness: Annotated[float, Field(description="to the query, by meaning; 1 is the same")]
    score: Annotated[float, Field(description="by meaning, words and lesson; for comparison only")]
    lesson: str


class FactsFound(TypedDict):
    facts: list[FoundFact]
    outside: Annotated[float, Field(description="how probably the query is of something else")]
    source: Source
    link: Link


class Settles(TypedDict):
    """What the check makes of the statement as it is affirmed; of its denial, the opposite."""

    verdict: Verdict
    affirmed: Annotated[list[str], Field(description="ways to state what the verdict is on")]
    denied: Annotated[list[str], Field(description="ways to state its opposite")]


class FactRead(TypedDict):
    id: str
    sentence: Annotated[str, Field(description="true as it stands")]
    reason: Annotated[str, Field(description="why, around the numbers that the check found")]
    numbers: Annotated[dict[str, Any], Field(description="what the check found")]
    settles: Settles
    on: Annotated[Literal["yours", "ours"], Field(description="whose numbers the check ran on")]
    lesson: str
    lesson_title: str
    source: Source
    link: Link


class SectionRead(TypedDict):
    lesson: str
    title: str
    section: str
    markdown: str
    numbers: Annotated[dict[str, Any], Field(description="everything computed for the lesson")]
    theorems: Annotated[list[str], Field(description="what it proves, for read_proof")]
    facts: Annotated[list[str], Field(description="some of its facts, for read_fact")]
    source: Source
    link: Link


class Step(TypedDict):
    statement: Annotated[str, Field(description="LaTeX")]
    reason: str
    checked: Literal[True]


class ProofRead(TypedDict):
    theorem: str
    statement: Annotated[str, Field(description="LaTeX")]
    conditions: Annotated[str, Field(description="LaTeX; empty where it holds without any")]
    by: Annotated[Literal["induction", "cases", "chain"], Field(description="the shape of the proof")]
    steps: list[Step]
    markdown: Annotated[str, Field(description="the whole proof as it is told")]
    source: Source
    link: Link


class Check(TypedDict):
    """The largest difference between tensors and exact numbers."""

    what: str
    residual: float
    ok: bool


class Computed(TypedDict):
    quantity: str
    numbers: dict[str, Any]
    params: Annotated[dict[str, Any], Field(description="what was used")]
    whose: Annotated[dict[str, str], Field(description="for each parameter: learner, or example where it was left out")]
    checks: list[Check]
    working: Annotated[list[str], Field(description="line by line, for a short response")]
    source: Source
    link: Link


class Settled(TypedDict):
    statement: str
    verdict: Literal["true", "false", "depends", "unknown"]
    judged: Annotated[str | None, Field(description="the sentence that the verdict is on; null where there is none")]
    by: Annotated[
        Literal["relation", "figures", "numbers", "fact"] | None,
        Field(
            description="a relation between quantities that was proved or refuted, figures in the sentence, numbers "
            "that were computed again, or a checked fact that says it or its opposite"
        ),
    ]
    holds: Annotated[
        Literal["in general", "here"] | None, Field(description="here: on the numbers that were given or stated")
    ]
    reason: str
    witness: Annotated[dict[str, Any], Field(description="numbers that the verdict rests on")]
    near: Annotated[list[FoundFact], Field(description="the nearest facts, true as they stand")]
    source: Source
    link: Link


class StatedNumber(TypedDict):
    where: Annotated[str, Field(description="name[index], 0-based")]
    stated: float
    correct: float | None
    right: bool
    cause: Annotated[str | None, Field(description="id of a mistake, or arithmetic, count, unreachable")]
    cause_in_words: str | None


class Audited(TypedDict):
    verdict: Annotated[Literal["true", "false", "unknown"], Field(description="unknown: nothing could be checked")]
    checked: list[StatedNumber]
    unchecked: Annotated[list[str], Field(description="stated, but nothing here computes it from what was given")]
    numbers: Annotated[dict[str, Any], Field(description="the right numbers")]
    assumed: Annotated[dict[str, Any], Field(description="parameters that nobody stated, and what was taken for them")]
    source: Source
    link: Link


class MistakeRun(TypedDict):
    mistake: str
    in_words: str
    quantity: str
    right: dict[str, Any]
    wrong: dict[str, Any]
    differs: Annotated[list[str], Field(description="the names of what comes out differently")]
    coincides: Annotated[str, Field(description="where it makes no difference, by name")]
    lesson: str
    source: Source
    link: Link


class Drawn(TypedDict):
    svg: str
    alt: Annotated[str, Field(description="what it shows, in words and numbers")]
    numbers: dict[str, Any]
    source: Source
    link: Link


class Named(TypedDict):
    id: str
    title: str
    takes: NotRequired[Annotated[list[str], Field(description="parts of a scenario that it needs")]]
    lesson: NotRequired[str]


class NamesListed(TypedDict):
    kind: str
    names: list[Named]
    source: Source
    link: Link


class Answered(TypedDict):
    """The answer of the `ask` contract."""

    lesson: str
    lang: str
    form: str
    markdown: str
    verdict: Verdict | None
    judged: str | None
    quantity: str | None
    params: dict[str, Any]
    facts: Annotated[dict[str, Any], Field(description="every number computed for this answer")]
    proof: list[Step]
    checks: list[Check]
    mistakes: list[dict[str, Any]]
    followups: list[str]
    source: Source
    link: Link
