"""A lesson's page: its template in one language, filled with what the lesson showed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context

from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE, ROOT, Lesson, Shown, lessons
from prompts.tell.blocks import Blocks
from prompts.tell.brief import in_brief
from prompts.tell.exercise import on_pick
from prompts.tell.figures import Picture, picture
from prompts.tell.ground import Grounded, emit, release
from prompts.tell.markdown import folded
from prompts.tell.opening import Spoken, Told, opening
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
PICK = "pick"  # the form of an exercise with an option picked
# Blocks of the page that is no lesson's, by what a message without a subject does.
WAYS_IN = {form: (form,) for form in ("help", "start", "hello", "thanks", "goodbye", "ok")}
TOLD_AS = {ON_MODEL: "example", PICK: "quiz", "all_told": "plain", **dict.fromkeys(WAYS_IN, "plain")}  # in an answer
_BLOCKS = {**FORMS, **WAYS_IN, ON_MODEL: ("answer", "model", "numbers"), PICK: ("quiz",), "all_told": ()}
FOLLOWUPS = 3
ENDS_WITH_TAG = re.compile(r"^(?!(?:\s*<%(?:(?!%>).)*%>)+\s*$).*%>\n(?=\n)", re.MULTILINE)  # a line with words
LINE_OF_CHINESE = re.compile(
    r"(?<=[\u4e00-\u9fff，。；：？！”）])\n(?=[\u4e00-\u9fff“]|`(?!`))"
)  # its end would show as a space
FIGURES = "figures"  # stands for the lesson's figures, each with a block `figure_<name>` of the template
SIMPLE = "simple"  # the block that tells it as to a child; the numbers then come from somewhere
BRIEF = "numbers"  # the form of a page that may not be the one that was meant
RIGOROUS = "rigorous"  # the block of what is exactly so; beside it the mistake is a sentence, and practice is folded
_PRACTICE = ("code", "verl")
_SENTENCE = re.compile(r"。”?|[.!?][”\"]?(?=\s)|[:：](?=\n)|(?=\n\n)")  # where one ends
_HEADED = ("meaning", "model", "rigorous", "proof", "mistake", "code", "verl")  # blocks with a heading of their own


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
    told: tuple[Told, ...] = ()  # facts that open the page
    spoken: Spoken | None = None  # and a model's words for them
    instead: tuple[str, ...] = ()  # questions that may have been meant, where that is not sure
    leads: tuple[str, ...] = ()  # questions that come next, instead of the lesson's
    picked: str | None = None  # the option of an exercise
    brief: bool = False  # in a sentence or two

    @property
    def questions(self) -> tuple[str, ...]:
        return self.instead or self.leads


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
    blocks = Blocks(values)
    context = template.new_context(_names(telling, values, blocks))
    read, lead = values.read(), values.lead(telling.wanted)
    answers = telling.told[:1] if telling.brief else telling.told
    parts = [] if telling.brief else [*(word(telling.language, "notes", note) for note in telling.notes)]
    parts += [] if telling.brief or telling.picked is not None else [read]
    opened = opening(answers, telling.language, partial(_reason, context), telling.spoken)
    aside = bool(answers) and all(one.aside for one in answers)  # the lesson's own answer stands before it
    parts += [] if aside else [opened]
    parts += [] if telling.brief else [lead]
    if not telling.brief and any(not (one.outside or one.aside) for one in answers):
        parts.append(emit(Grounded(f"<strong>{lesson.question[telling.language]}</strong>")))  # what follows answers it
    drawings = [emit(Grounded(f"{drawn.markdown}\n\n")) for drawn in pictures(lesson, telling)]
    names = _names_of_blocks(telling)
    told = _blocks(names, context, {**template.blocks, FIGURES: lambda _: drawings}, telling.language)
    if not told and names:  # no exercise on these numbers
        told = _blocks(FORMS[BRIEF], context, template.blocks, telling.language)
    told[1:1] = [opened] if aside else []
    parts += told if telling.picked is None else on_pick(blocks.exercises, telling.picked, told, telling.language)
    page = release("\n\n".join(filter(None, [*parts, lead] if telling.brief else parts)))
    page = in_brief(page, telling.language) if telling.brief else page
    questions = telling.questions or followups(lesson, telling.language)
    page += "\n\n" + leads(questions, telling.language, "instead" if telling.instead else "next")
    return re.sub(r"\n{3,}", "\n\n", LINE_OF_CHINESE.sub("", page)).rstrip() + "\n"


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
    if telling.brief:
        return [] if telling.told else [SIMPLE if telling.form == SIMPLE else "answer"]
    return [name for name in _BLOCKS[telling.form] if name not in telling.without]


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


def _reason(context: Context, language: str, told: Told) -> str:
    """Why a fact is so: its words around what its check found."""
    why = _environment().from_string(told.fact.because[language])
    return why.render(context.get_all(), found=SimpleNamespace(**told.judged.found))


def _names(telling: Telling, values: Values, blocks: Blocks | None = None) -> dict[str, Any]:
    facts = telling.shown.facts
    return {
        **_methods(values, blocks),
        "short": telling.scenario.length <= LONGEST_WORKING,
        "fact": SimpleNamespace(**(facts.exact if facts else {})),
        "wrong": SimpleNamespace(
            **{id: SimpleNamespace(**found.exact) for id, found in telling.shown.mistakes.items()}
        ),
        "parameter": telling.scenario,
    }


def _methods(values: Values, blocks: Blocks | None = None) -> dict[str, Any]:
    rooms = (values, Tables(values), blocks or Blocks(values))
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
