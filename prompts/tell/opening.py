"""How an answer opens: for each thing asked the fact that answers it, in its true form. Its neighbours unfold.

A verdict is a line of its own above the fact, on the very sentence that was said; it replaces nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from lessons._fact import Fact, Judged
from lessons._fact import Verdict as FoundToBe
from prompts.tell.ground import Grounded, emit
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import folded
from prompts.tell.says import as_summary, says, worded
from prompts.tell.words import word

MOST_NEAR = 3
Reason = Callable[[str, "Told"], str]  # in a language, in words around what the check found


@dataclass(frozen=True)
class Here:
    """What a verdict was decided on: the learner's lists, or only their γ and λ."""

    lists: bool
    rates: Grounded | None  # the γ and λ, where they count


@dataclass(frozen=True)
class Verdict:
    """What was found on a claim."""

    fact: Fact
    judged: Judged
    denied: bool  # whether the opposite was claimed
    here: Here | None = None  # on what it was decided, where it depends in general


@dataclass(frozen=True)
class Ruling:
    """A verdict, and the very sentence that it is on."""

    sentence: str
    verdict: FoundToBe
    asks: bool  # whether it was a question


@dataclass(frozen=True)
class Told:
    """A fact, what its check found, and the facts near it."""

    fact: Fact
    judged: Judged
    lesson: str
    near: tuple[Told, ...] = ()
    ruling: Ruling | None = None
    here: Here | None = None
    asked: str = ""  # the sentence that it answers
    outside: str = ""  # what was asked is not ours, and what it is about: this is only near it
    aside: bool = False  # nothing was asked, but something wished: the lesson answers, and this stands beside it
    leads_to: Mapping[str, str] = field(default_factory=dict)  # the question of another lesson, in each language


@dataclass(frozen=True)
class Sentence:
    """A sentence in a model's words, and which of the facts it says."""

    text: str
    marks: tuple[int, ...]


@dataclass(frozen=True)
class Spoken:
    """An opening in a model's words: each sentence held to the facts that it marks."""

    sentences: tuple[Sentence, ...]
    facts: tuple[Told, ...]
    results: tuple[str, ...]  # lines that were computed; their marks come after those of the facts
    by: str


def opening(told: Sequence[Told], language: str, reason: Reason, spoken: Spoken | None = None) -> str:
    """The paragraphs that answer what was asked, in its order; of what lies outside, the nearest that does not."""
    if spoken is not None:
        return "\n\n".join([*_verdicts(told, spoken, language, reason), *_spoken(spoken, language, reason)])
    several = len({one.asked for one in told if one.asked}) > 1
    parts = []
    for one in told:
        if one.outside:
            parts.append(word(language, "opening", f"outside_{one.outside}"))
        elif one.ruling is not None:
            parts.append(_ruled(one.ruling, language))
        elif several and one.asked:
            parts.append(f"> {emit(quoted(one.asked))}")
        parts.append(_sentences(one, language, reason))
    return "\n\n".join(filter(None, parts))


def near(told: Sequence[Told], language: str, reason: Reason, *, fold: bool) -> str:
    """What stands near, a line each, which unfolds."""
    facts = beside(told)
    if not fold:
        return "\n\n".join(_sentences(other, language, reason) for other in facts)
    return "\n\n".join(emit(_folded(other, language, reason)) for other in facts)


def in_lines(told: Sequence[Told], language: str) -> str:
    """What stands near, each in its true sentence; nothing beside what is told of what lies outside."""
    facts = [] if any(one.outside for one in told) else beside(told)
    lines = [f"- {emit(says(other.fact.says[language]))}" for other in facts if other.fact.says]
    return "\n".join([word(language, "opening", "near"), "", *lines]) if lines else ""


def _verdicts(told: Sequence[Told], spoken: Spoken, language: str, reason: Reason) -> list[str]:
    """Each verdict in its line; the fact that it rests on below it, where no sentence marks it."""
    marked = {one.fact.id for one in spoken.facts}
    lines = []
    for one in told:
        if one.ruling is not None:
            lines.append(_ruled(one.ruling, language))
            lines += [] if one.fact.id in marked else [_sentences(one, language, reason)]
    return lines


def _spoken(spoken: Spoken, language: str, reason: Reason) -> list[str]:
    """The sentences with their marks, then each mark's fact in a line that unfolds; last, whose words they are."""
    gap = "" if language == "zh" else " "
    said = gap.join(f"{worded(one.text)}{''.join(map(_mark, one.marks))}" for one in spoken.sentences)
    facts = [emit(_folded(one, language, reason, _mark(i))) for i, one in enumerate(spoken.facts)]
    results = [emit(Grounded(f"{_mark(i)} `{one}`")) for i, one in enumerate(spoken.results, len(facts))]
    return [
        emit(Grounded(said)),
        *facts,
        *results,
        word(language, "opening", "words_by").replace("{name}", emit(quoted(spoken.by))),
    ]


def _mark(number: int) -> str:
    return f"<sup>{number + 1}</sup>"


def beside(told: Sequence[Told]) -> list[Told]:
    """The facts near those that are told, the nearest of each first; more where several things were asked."""
    led = {one.fact.id for one in told if not one.aside}
    lines = [(one, *one.near) if one.aside else one.near for one in told]
    turns = (other for some in zip_longest(*lines) for other in some if other is not None)
    near = {other.fact.id: other for other in turns if other.fact.id not in led}
    return list(near.values())[: MOST_NEAR + len(told) - 1]


def _ruled(ruling: Ruling, language: str) -> str:
    key = f"{'asked' if ruling.asks else 'said'}_{ruling.verdict}"
    return word(language, "opening", key).replace("{sentence}", emit(quoted(ruling.sentence)))


def _sentences(one: Told, language: str, reason: Reason) -> str:
    says_so = emit(says(one.fact.says[language])) if one.fact.says else ""
    if one.outside:
        return says_so
    here = _decided(one, language) if one.here is not None else ""
    gap = "" if language == "zh" else " "
    return gap.join(filter(None, (says_so, here, reason(language, one)))).strip()


def _decided(one: Told, language: str) -> str:
    """On the learner's numbers it is so, or not; what follows is said in general."""
    assert one.here is not None, "only what was decided here"
    where = "your_numbers" if one.here.lists else "your_rates"
    key = f"{where}_{one.judged.verdict}{'' if one.here.rates is None else '_at'}"
    rates = "" if one.here.rates is None else emit(one.here.rates)
    return word(language, "here", key).replace("{rates}", rates).strip()


def _folded(other: Told, language: str, reason: Reason, mark: str = "") -> Grounded:
    lines = [reason(language, other)]
    question = other.leads_to.get(language)
    if question:
        lines.append(f"→ {question}")
    return folded(mark + as_summary(other.fact.says[language]), "\n\n".join(lines))
