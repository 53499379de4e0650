"""A lesson's page: what is shown at first, and the sections that unfold behind their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace

from jinja2 import Template
from jinja2.runtime import Context

from engine.notation import DIGITS, shown_to
from engine.scenario import Scenario
from lessons._lesson import OUT_OF_SCOPE, Lesson, Shown
from prompts.tell import places
from prompts.tell.blocks import Blocks
from prompts.tell.brief import in_brief
from prompts.tell.figures import Picture, picture
from prompts.tell.forms import (
    ANSWER,
    BESIDE,
    BRIEF,
    EXACT,
    FIRST,
    FOLDED_AS,
    FORMS,
    FULL,
    LISTS,
    MOST,
    NOTHING_ELSE,
    ON_MODEL,
    OPEN,
    OWN_PAGE,
    PARTS,
    SECTIONS_ALONE,
    SHORT,
    SIMPLE,
    THEIRS,
)
from prompts.tell.ground import Grounded, emit, release
from prompts.tell.leading import leads
from prompts.tell.opening import Reason, Spoken, Told, in_lines, near, opening
from prompts.tell.practice import printed
from prompts.tell.says import says, with_formulas
from prompts.tell.sections import BLOCKS, NEAR, PICTURE, PROJECTS, QUIZ, SECTIONS, Section, names
from prompts.tell.templates import environment
from prompts.tell.templates import names as names_of_templates
from prompts.tell.theirs import Theirs, code_of
from prompts.tell.twice import says_again
from prompts.tell.values import Values
from prompts.tell.words import word

LINE_OF_CHINESE = re.compile(
    r"(?<=[\u4e00-\u9fff，。；：？！”）])\n(?=[\u4e00-\u9fff“]|`(?!`))"
)  # its end would show as a space
OWN = 2  # of the first screen's parts are about the learner's message; the others answer it
FEW = 3  # digits of a number, until somebody asks for more


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
    brief: bool = False  # in a sentence or two
    theirs: Theirs | None = None  # whose code was asked for
    of_their_text: tuple[Section, ...] = ()  # sections about the learner's own text
    own_page: Grounded | None = None  # in the place of the lesson's first screen


@dataclass(frozen=True)
class Page:
    first: str  # what is shown at first, with the sections that were asked for
    sections: tuple[Section, ...] = ()  # all that the lesson has on these numbers
    closed: tuple[Section, ...] = ()  # those of them that are not on the page
    pictures: tuple[Picture, ...] = ()  # those that are
    end: str = ""

    @property
    def markdown(self) -> str:
        """The page as it is shown where nothing folds: what is closed stands in a line, by its names."""
        return f"{self.first}{self.ends}\n"

    @property
    def ends(self) -> str:
        """What stands below the answer itself."""
        return "".join(f"\n\n{line}" for line in (names(self.closed), self.end) if line)


def render(lesson: Lesson, telling: Telling) -> str:
    """The page as Markdown. A numeral that nobody computed raises."""
    return compose(lesson, telling).markdown


def compose(lesson: Lesson, telling: Telling) -> Page:
    return _Composing(lesson, telling).page()


@dataclass(frozen=True)
class _Composing:
    lesson: Lesson
    telling: Telling
    topics: list[str] = field(default_factory=list)  # that were spoken of, of what projects do
    said: dict[tuple[str, str], str] = field(default_factory=dict)  # blocks, as each form has them

    def page(self) -> Page:
        telling, language = self.telling, self.telling.language
        if telling.brief:
            return Page(in_brief("\n\n".join(self._briefly()), language), end=self._end())
        for parts in self._shorter():
            page = self._whole(parts)
            if len(page.markdown) <= MOST[language]:
                break
        return page

    def _shorter(self) -> list[tuple[str, ...]]:
        """What the page may be made of: where it would be long, words come before its table."""
        parts = PARTS[self.telling.form]
        if all(one.aside for one in self.telling.told):
            return [(ANSWER, BESIDE, FIRST)] if self.telling.form in SHORT else [parts]
        if self.telling.form in SHORT:
            spoken = self.telling.spoken is not None  # its facts are folded
            return [(FIRST,)] if spoken else [parts, (BESIDE, ANSWER), (BESIDE, FIRST), (BESIDE,), ()]
        return [tuple(part for part in parts if part != ANSWER)] if self.telling.form in SECTIONS_ALONE else [parts]

    def _whole(self, parts: tuple[str, ...]) -> Page:
        telling = self.telling
        sections = self._sections(parts)
        opened = [section for part in parts for section in sections if section.id == part]
        told = self._screen([part for part in parts if part not in SECTIONS])
        if parts and not (opened or any(told[OWN:])):  # it has none on these numbers
            told = self._screen(FORMS[BRIEF])
        named = telling.form not in NOTHING_ELSE and self.lesson.id != OUT_OF_SCOPE
        closed = tuple(section for section in sections if section not in opened and (named or section.id == NEAR))
        texts = [section.text if section.id == QUIZ == telling.form else section.unfolded for section in opened]
        pictures = tuple(drawn for section in opened for drawn in section.pictures)
        return Page("\n\n".join(filter(None, [*map(_tidy, told), *texts])), sections, closed, pictures, self._end())

    # ------------------------------------------------------------ the first screen

    def _screen(self, parts: Sequence[str]) -> list[str]:
        """What was read, what was asked for, the facts that answer it or the lesson's own words, one small table."""
        telling = self.telling
        told = [one for one in telling.told if not one.aside]
        said = self._opening(told) if told or telling.spoken is not None else ""
        lists = self._values(telling.form).lead(telling.wanted) if telling.form in LISTS else ""
        own = [
            text for part in parts if (text := self._part(part)) and not (part == ANSWER and self._is_told(told, text))
        ]
        notes = "\n\n".join(word(telling.language, "notes", note) for note in telling.notes)
        return [notes, release(self._values(telling.form).read()), release(lists), said, *own]

    def _part(self, part: str) -> str:
        if part == BESIDE:
            spoken, told = self.telling.spoken, self.telling.told
            return "" if spoken is not None else release(in_lines(told, self.telling.language))
        if part == THEIRS and self.telling.theirs is not None:
            self._section(PROJECTS)  # says which topics these are
            return code_of(self.telling.theirs, self.topics, self.telling.shown, self.telling.language)
        if part == OWN_PAGE and self.telling.own_page is not None:
            return self.telling.own_page
        text = self._block(part, self.telling.form)
        return f"### {word(self.telling.language, 'headings', part)}\n\n{text}" if part == ON_MODEL and text else text

    def _is_told(self, told: Sequence[Told], own: str) -> bool:
        """Whether the lesson's own words would say once more what a fact says."""
        language = self.telling.language
        return any(
            one.outside or says_again(says(one.fact.says[language]), own, language) for one in told if one.fact.says
        )

    def _opening(self, told: Sequence[Told]) -> str:
        context = self._context("plain")
        return self._distinct(lambda: release(self._opened(told, partial(_reason, context))))

    def _opened(self, told: Sequence[Told], why: Reason) -> str:
        return opening(told, self.telling.language, why, self.telling.spoken)

    def _briefly(self) -> list[str]:
        """The fact that answers, or the lesson's own sentences; then the lists that were wanted."""
        telling = self.telling
        own = SIMPLE if telling.form == SIMPLE else ANSWER
        said = self._opening(telling.told[:1]) if telling.told else self._block(own, telling.form)
        return [said, release(self._values(telling.form).lead(telling.wanted))]

    def _end(self) -> str:
        return leads(self.telling.instead, self.telling.language, "instead")

    # ------------------------------------------------------------ the sections

    def _sections(self, parts: Sequence[str]) -> tuple[Section, ...]:
        """All that have something to say; the table of the first screen stands in the numbers where it is not above."""
        found = list(self.telling.of_their_text)
        for id in (*BLOCKS, NEAR):
            drawn = self._pictures() if id == PICTURE else ()
            text = self._section(id) if id != PICTURE else "\n\n".join(one.markdown for one in drawn)
            if id == "numbers" and FIRST in parts and not self._has_first():
                continue
            if id == "numbers" and FIRST not in parts and self._has_first():
                text = "\n\n".join(filter(None, [self._block(FIRST, "numbers"), text]))
            if text:
                found.append(Section(id, self.telling.language, _tidy(text), drawn))
        return tuple(found)

    def _section(self, id: str) -> str:
        if id == NEAR:
            context = self._context("plain")
            told, language = self.telling.told, self.telling.language
            return self._distinct(
                lambda: release(near(told, language, partial(_reason, context), fold=self.telling.form != FULL))
            )
        if id == QUIZ and self.lesson.practice is not None:
            return printed(self.lesson.id, self.telling.language)
        form = self.telling.form if self.telling.form in OPEN else FOLDED_AS.get(id, id)
        text = self._block(BLOCKS[id], form)
        return places.below(text, self.topics, self.telling.language) if id == PROJECTS and text else text

    def _pictures(self) -> tuple[Picture, ...]:
        if PICTURE in self.telling.without or BLOCKS[PICTURE] in self.telling.without:
            return ()
        values, blocks = self._values("plain"), self._template().blocks
        with shown_to(self._digits("plain")):
            return tuple(
                picture(figure, "".join(blocks[f"figure_{name}"](self._context("plain"))), values)
                for name, figure in self.telling.shown.figures.items()
            )

    # ------------------------------------------------------------ what the template says

    def _has_first(self) -> bool:
        return FIRST in self._template().blocks

    def _block(self, name: str, form: str) -> str:
        """A block of the template as a form has it; empty where it is left out or has nothing to say."""
        if name == FIRST and not self._has_first():  # all of its numbers are wanted at first
            name, form = "numbers", "numbers"
        if (name, form) not in self.said:
            self.said[name, form] = self._rendered(name, form)
        return self.said[name, form]

    def _rendered(self, name: str, form: str) -> str:
        block = self._template().blocks.get(name)
        left_out = name in self.telling.without or (name == FIRST and "numbers" in self.telling.without)
        if block is None or left_out:
            return ""
        if name == ANSWER:
            return self._distinct(lambda: release("".join(block(self._context(form)))).strip())
        with shown_to(self._digits(form)):
            return release("".join(block(self._context(form)))).strip()

    def _distinct(self, told: Callable[[], str]) -> str:
        """In as few digits as keep different numbers apart."""
        digits = self._digits(self.telling.form)
        while True:
            with shown_to(digits) as numbers:
                text = told()
            if digits == DIGITS or not numbers.confuses:
                return text
            digits += 1

    def _digits(self, form: str) -> int:
        return DIGITS if self.telling.form in EXACT or form in EXACT else FEW

    def _template(self) -> Template:
        return environment().get_template(f"{self.lesson.id}/{self.telling.language}.md")

    def _context(self, form: str) -> Context:
        values = self._values(form)
        said = names_of_templates(values, self.telling.shown, Blocks(values, self.topics))
        return self._template().new_context(said)

    def _values(self, form: str) -> Values:
        return Values(self.telling.language, self.telling.scenario, self.telling.origin, self.telling.shown, form)


def _reason(context: Context, language: str, told: Told) -> str:
    """Why a fact is so: its words around what its check found."""
    why = environment().from_string(with_formulas(told.fact.because[language]))
    said = why.render(context.get_all(), found=SimpleNamespace(**told.judged.found))
    return said + emit(places.releases(told.fact.sources, f"{told.fact.says.get(language, '')} {said}", language))


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", LINE_OF_CHINESE.sub("", text)).rstrip()
