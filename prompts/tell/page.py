"""A lesson's page: its template in one language, filled with what the lesson showed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context

from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE, ROOT, Lesson, Shown, lessons
from lessons._proposition import Judged, Proposition
from prompts.tell.blocks import Blocks
from prompts.tell.figures import Picture, picture
from prompts.tell.ground import Grounded, emit, release
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import folded
from prompts.tell.tables import Tables
from prompts.tell.values import LONGEST_WORKING, Values
from prompts.tell.words import word, words

# Which blocks of a template make up the page, by what was asked for.
FORMS: Mapping[str, tuple[str, ...]] = {
    "plain": ("answer", "numbers", "figures", "meaning", "proof", "mistake", "code", "verl"),
    "why": ("answer", "numbers", "figures", "meaning", "proof"),
    "simple": ("simple", "numbers", "figures"),
    "rigorous": ("answer", "numbers", "rigorous", "figures", "proof", "meaning", "mistake", "code", "verl"),
    "proof": ("answer", "numbers", "proof", "figures", "meaning", "mistake", "code"),
    "code": ("answer", "code", "verl", "numbers"),
    "table": ("answer", "numbers"),
    "numbers": ("answer", "numbers"),
    "translate": ("answer", "numbers", "figures", "meaning", "proof", "mistake", "code", "verl"),
    "quiz": ("quiz",),
    "example": ("answer", "numbers", "figures", "mistake"),
}
ON_MODEL = "model"  # the form of a run on the language model, which takes seconds: only where it was asked for
_BLOCKS = {**FORMS, ON_MODEL: ("answer", "model", "numbers")}
FOLLOWUPS = 3
ENDS_WITH_TAG = re.compile(r"^(?!(?:\s*<%(?:(?!%>).)*%>)+\s*$).*%>\n(?=\n)", re.MULTILINE)  # a line with words
LINE_OF_CHINESE = re.compile(
    r"(?<=[\u4e00-\u9fff，。；：？！”）])\n(?=[\u4e00-\u9fff“]|`(?!`))"
)  # its end would show as a space
FIGURES = "figures"  # stands for the lesson's figures, each with a block `figure_<name>` of the template
ANSWER = "answer"  # the block that answers the lesson's question; a verdict answers the learner's in its place
SIMPLE = "simple"  # the block that tells it as to a child; the numbers then come from somewhere
BRIEF = "numbers"  # the form of a page that may not be the one that was meant
RIGOROUS = "rigorous"  # the block of what is exactly so; beside it the mistake is a sentence, and practice is folded
_PRACTICE = ("code", "verl")
_SENTENCE = re.compile(r"。”?|[.!?][”\"]?(?=\s)|[:：](?=\n)|(?=\n\n)")  # where one ends
_HEADED = ("meaning", "model", "rigorous", "proof", "mistake", "code", "verl")  # blocks with a heading of their own


@dataclass(frozen=True)
class Here:
    """What a verdict was decided on: the learner's lists, or only their γ and λ."""

    lists: bool
    rates: Grounded | None  # the γ and λ, where they count


@dataclass(frozen=True)
class Verdict:
    """What was found on a claim."""

    proposition: Proposition
    judged: Judged
    denied: bool  # whether the opposite was claimed
    sure: bool = True  # whether that was surely claimed; if not, the page says what it is a verdict on
    here: Here | None = None  # on what it was decided, where it depends in general


@dataclass(frozen=True)
class Telling:
    """What a page is made of besides the lesson: for whom, in which form, on whose numbers."""

    language: str
    form: str
    scenario: Scenario
    origin: Mapping[str, str]  # part of the scenario → whose it is
    shown: Shown
    wanted: tuple[str, ...] = ()  # facts that lead the page
    notes: tuple[str, ...] = ()  # what was done to the learner's numbers
    without: tuple[str, ...] = ()  # blocks that are left out
    verdict: Verdict | None = None  # opens the page, in place of the answer
    instead: tuple[str, ...] = ()  # questions that may have been meant, where that is not sure


class Templates(FileSystemLoader):
    """A paragraph that ends with a tag keeps the empty line after it, of which `trim_blocks` would take half."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, path, unchanged = super().get_source(environment, template)
        return ENDS_WITH_TAG.sub(r"\g<0>\n", source), path, unchanged


@cache
def _environment() -> Environment:
    return Environment(
        loader=Templates(ROOT),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=StrictUndefined,
        finalize=emit,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


def render(lesson: Lesson, telling: Telling) -> str:
    """The page as Markdown. A numeral that nobody computed raises."""
    values = _values(telling)
    template = _environment().get_template(f"{lesson.id}/{telling.language}.md")
    context = template.new_context(_names(telling, values))
    parts = [word(telling.language, "notes", note) for note in telling.notes]
    if telling.verdict is not None:
        parts.append(_verdict(telling.verdict, telling.language, context))
    parts.append(values.lead(telling.wanted))
    drawings = [emit(Grounded(f"{drawn.markdown}\n\n")) for drawn in pictures(lesson, telling)]
    blocks = {**template.blocks, FIGURES: lambda _: drawings}
    told = _blocks(_names_of_blocks(telling), context, blocks, telling.language)
    parts += told or _blocks(FORMS[BRIEF], context, blocks, telling.language)  # no exercise on these numbers
    questions = telling.instead or followups(lesson, telling.language)
    parts.append(leads(questions, telling.language, "instead" if telling.instead else "next"))
    page = LINE_OF_CHINESE.sub("", release("\n\n".join(filter(None, parts))))
    return re.sub(r"\n{3,}", "\n\n", page) + "\n"


def pictures(lesson: Lesson, telling: Telling) -> tuple[Picture, ...]:
    """The figures that the page holds, in its order."""
    if FIGURES not in _names_of_blocks(telling):
        return ()
    values = _values(telling)
    template = _environment().get_template(f"{lesson.id}/{telling.language}.md")
    context = template.new_context(_names(telling, values))
    return tuple(
        picture(figure, "".join(template.blocks[f"figure_{name}"](context)), values)
        for name, figure in telling.shown.figures.items()
    )


def _values(telling: Telling) -> Values:
    return Values(telling.language, telling.scenario, telling.origin, telling.shown, telling.form)


def _names_of_blocks(telling: Telling) -> list[str]:
    left_out = telling.without if telling.verdict is None else (*telling.without, ANSWER)
    return [name for name in _BLOCKS[BRIEF if telling.instead else telling.form] if name not in left_out]


def _blocks(names: Sequence[str], context: Context, blocks: Mapping[str, Any], language: str) -> list[str]:
    """Those that have something to say, under their headings."""
    said = {name: "".join(blocks[name](context)).strip() for name in names if name in blocks}
    headings = (*_HEADED, "numbers") if SIMPLE in names else _HEADED
    headed = {name: word(language, "headings", name) for name in headings}
    if RIGOROUS in names:
        said["mistake"] = _in_a_sentence(said.get("mistake", ""), word(language, "labels", "run_it"))
        said |= {name: folded(headed.pop(name), said[name]) for name in _PRACTICE if said.get(name)}
    return [f"### {headed[name]}\n\n{text}" if name in headed else text for name, text in said.items() if text]


def _in_a_sentence(text: str, more: str) -> str:
    """The first sentence; what follows it stands behind a line."""
    end = _SENTENCE.search(text)
    rest = text[end.end() :].strip() if end else ""
    return f"{text[: end.end()]}\n\n{folded(more, rest)}" if end and rest else text


def _verdict(verdict: Verdict, language: str, context: Context) -> str:
    """Yes, no or neither, and why: the words of the proposition around what its check found."""
    why = _environment().from_string(verdict.proposition.because[language])
    sentence = word(language, "verdicts", f"{verdict.judged.verdict}{'_of_opposite' if verdict.denied else ''}")
    reason = why.render(context.get_all(), found=SimpleNamespace(**verdict.judged.found))
    if verdict.here is not None:
        reason = f"{_decided(verdict, language)}{reason}"
    if verdict.sure:
        return f"**{sentence}** {reason}"
    taken = emit(quoted(verdict.proposition.stated(language, denied=verdict.denied)))
    means = word(language, "verdicts", "taken")
    return f"**{sentence}** {means}{'' if means.endswith('：') else ' '}<em>{taken}</em>\n\n{reason}"


def _decided(verdict: Verdict, language: str) -> str:
    """On the learner's numbers it is so, or not; what follows is said in general."""
    assert verdict.here is not None, "only what was decided here"
    where = "your_numbers" if verdict.here.lists else "your_rates"
    key = f"{where}_{verdict.judged.verdict}{'' if verdict.here.rates is None else '_at'}"
    said = word(language, "here", key)
    rates = "" if verdict.here.rates is None else emit(verdict.here.rates)
    return said.replace("{rates}", rates)


def _names(telling: Telling, values: Values) -> dict[str, Any]:
    facts = telling.shown.facts
    return {
        **_methods(values),
        "short": telling.scenario.length <= LONGEST_WORKING,
        "fact": SimpleNamespace(**(facts.exact if facts else {})),
        "wrong": SimpleNamespace(
            **{id: SimpleNamespace(**found.exact) for id, found in telling.shown.mistakes.items()}
        ),
        "parameter": telling.scenario,
    }


def _methods(values: Values) -> dict[str, Any]:
    rooms = (values, Tables(values), Blocks(values))
    return {name: getattr(room, name) for room in rooms for name in dir(room) if name[0] != "_"}


def reason(text: str, found: Mapping[str, Any], values: Values) -> str:
    """Why a proposition holds or not, in words around what its check found."""
    return release(_environment().from_string(text).render(**_methods(values), found=SimpleNamespace(**found)))


def leads(questions: Sequence[str], language: str, heading: str = "next") -> str:
    """The end of a page: the questions that come next, or those that may have been meant."""
    if not questions:
        return ""
    head = word(language, "headings", heading)
    return "\n".join([f"### {head}", "", *(f"- {question}" for question in questions)])


def followups(lesson: Lesson, language: str) -> list[str]:
    """Three questions worth asking next: other lessons, then other ways to tell this one."""
    told_otherwise = words(language)["followups"] if lesson.id != OUT_OF_SCOPE else {}
    questions = [*(lessons()[name].question[language] for name in lesson.next), *told_otherwise.values()]
    return questions[:FOLLOWUPS]
