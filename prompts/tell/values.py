"""What a template can say in the line: numbers, symbols, tokens, and what the first response alone shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.example import Texts
from engine.notation import SYMBOLS, Symbol, show
from engine.scenario import LISTS, PARAMETERS, Scenario
from lessons import _sources
from lessons._lesson import Shown
from prompts.tell.ground import Grounded, emit
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import LONGEST_TABLE, cell, checked, inline
from prompts.tell.read_back import read_back
from prompts.tell.texts import texts
from prompts.tell.words import word

LONGEST_WORKING = 8  # lines
GLANCE = 8  # rows of a table that is looked at in passing
ALL_ROWS = ("numbers", "table", "full", "rigorous", "example", "quiz", "simple")  # forms in which a table is the matter
NEGLIGIBLE = 1e-40
SETTINGS = (*PARAMETERS, "lams")  # of a computation: they make no response the learner's own


@dataclass(frozen=True)
class Values:
    """Every public method is a name in the templates."""

    language: str
    scenario: Scenario
    origin: Mapping[str, str]
    shown: Shown
    form: str = "plain"  # what the page is

    @cached_property
    def texts(self) -> Texts:
        """The prompt and the tokens, as the page writes them."""
        return texts(self.scenario, self.origin, self.language)

    @property
    def longest(self) -> int:
        """How many rows of a table are shown."""
        return LONGEST_TABLE if self.form in ALL_ROWS else GLANCE

    def symbol(self, quantity: str, index: int | None = None) -> Grounded:
        r"""A quantity's symbol as inline LaTeX: \(\delta_{0}\)."""
        return inline(Symbol(quantity, index).latex)

    def at(self, quantity: str, index: str) -> Grounded:
        r"""A quantity at a general index: \(V_{t+1}\)."""
        return inline(f"{SYMBOLS[quantity][0]}_{{{index}}}")

    def times(self, *quantities: str, index: str = "") -> Grounded:
        r"""Quantities side by side, in one formula: \(\gamma \lambda\)."""
        return inline(" ".join(SYMBOLS[name][0] + (f"_{{{index}}}" if index else "") for name in quantities))

    def equal(self, quantity: str, value: Any = None) -> Grounded:
        r"""symbol = value of a parameter, or the value given: \(\gamma = 1\)."""
        number = show(getattr(self.scenario, quantity) if value is None else value)
        return inline(f"{SYMBOLS[quantity][0]} = {number.latex}")

    def row(self, numbers: Sequence[Any]) -> Grounded:
        """A list in the line: [0.1, 0.2, 0.4]."""
        inside = (self.row(x) if isinstance(x, list) else cell(x) for x in numbers)
        return Grounded("[" + ", ".join(inside) + "]")

    def percent(self, share: Any) -> Grounded:
        percent = share * 100
        return Grounded(f"{show(percent, digits=max(3, len(str(int(abs(percent)))))).text} %")

    def name(self, code: str) -> Grounded:
        """A function's, field's or project's name as code."""
        return Grounded(f"`{code}`")

    def estimator(self, kind: str) -> Grounded:
        return Grounded(kind)

    def text(self, number: str) -> Grounded:
        """A number that facts hold as text: a λ that names an entry."""
        return Grounded(number)

    def token(self, t: int, row: int = 0) -> Grounded:
        """The t-th token of a response, or its number where no tokens are known."""
        if self.texts.tokens:
            return quoted(self.texts.rows[min(row, len(self.texts.rows) - 1)][t])
        return Grounded(f"{'token ' if self.form == 'simple' else '#'}{t % max(self.scenario.length, 1)}")

    def response(self, row: int) -> Grounded:
        """A response of a batch by what it says, or by its number where that is not known."""
        told = self.texts.rows
        return quoted("".join(told[row])) if row < len(told) > 1 else Grounded(f"#{row}")

    def here(self, *parameters: str) -> str:
        """On which numbers of nobody's the page computes, with the parameters that matter; else `read` says it."""
        whose = {who for name, who in self.origin.items() if name not in SETTINGS}
        if not whose <= {"example", "drawn"}:
            return ""
        first, *others = ("".join(tokens) for tokens in self.texts.rows)
        key = "on_drawn" if "drawn" in whose else "on_batch" if others else "on_example"
        key += "_plainly" if self.read() or not parameters else ""
        return word(self.language, "labels", key).format(
            prompt=emit(quoted(self.texts.prompt)),
            response=emit(quoted(first)),
            other=emit(quoted("".join(others))),
            parameters=self.label("and").join(emit(self.equal(name)) for name in parameters),
        )

    def read(self) -> str:
        """What of the learner's numbers the page computes with."""
        return read_back(self.language, self.scenario, self.origin, self.shown)

    def lead(self, wanted: Sequence[str]) -> str:
        """The facts that were asked for alone, each in a line of its own."""
        found = self.shown.facts.exact if self.shown.facts else {}
        return "\n\n".join(self._fact(name, found[name]) for name in wanted if name in found)

    def _fact(self, name: str, x: Any) -> str:
        symbol = emit(self.symbol(name)) if name in SYMBOLS else emit(self.name(name))
        return f"{symbol}: {emit(self.row(x) if isinstance(x, list) else x)}"

    def label(self, key: str) -> str:
        return word(self.language, "labels", key)

    def tried_on(self, own: bool) -> str:
        """Whose numbers a claim was tried on."""
        return self.label("tried_on_own" if own else "tried_on_example")

    def place(self, t: int) -> int:
        """Where the first response's t-th real token stands; -1 is the last one."""
        mask = self.scenario.rows("mask")[0] if self.scenario.mask else (1,) * self.scenario.length
        return [i for i, keep in enumerate(mask) if keep][t]

    def tokens(self) -> int:
        """How many real tokens the first response has."""
        return int(sum(self.scenario.rows("mask")[0])) if self.scenario.mask else self.scenario.length

    def own(self, name: str, t: int | None = None) -> Any:
        """The first response's fact, or that of its t-th real token."""
        first = self.rows_of(name)[0]
        return first if t is None else first[self.place(t)]

    def wrong_own(self, mistake: str, name: str, t: int | None = None) -> Any:
        """What a program with a mistake gives in its place."""
        return self.own(f"{mistake}.{name}", t)

    def rows_of(self, name: str) -> list[list[Any]]:
        """A fact that has a list for each group; a single list is one group. `mistake.fact` as in a table."""
        mistake, _, fact = name.rpartition(".")
        facts = self.shown.mistakes[mistake] if mistake else self.shown.facts
        assert facts is not None, f"{name}: this lesson shows no facts"
        found = facts.exact[fact]
        return found if isinstance(found[0], list) else [found]

    def total(self, name: str) -> Any:
        """The first response's number of a fact that has one for each response."""
        assert self.shown.facts is not None, f"{name}: this lesson shows no facts"
        found = self.shown.facts.exact[name]
        return found[0] if self.scenario.batched else found

    def wrong_total(self, mistake: str, name: str) -> Any:
        """What a program with a mistake gives in the place of a `total`."""
        found = self.shown.mistakes[mistake].exact[name]
        return found[0] if self.scenario.batched else found

    def opposed(self, one: str, other: str) -> list[int]:
        """The first response's real tokens at which two facts have opposite signs."""
        pairs = enumerate(zip(self.own(one), self.own(other), strict=True))
        return [t for t, (x, y) in pairs if x is not None and x * y < 0]

    def flips(self, one: str, other: str) -> list[tuple[int, int]]:
        """The same in all responses: (response, token)."""
        rows = enumerate(zip(self.rows_of(one), self.rows_of(other), strict=True))
        pairs = ((i, t, x, y) for i, row in rows for t, (x, y) in enumerate(zip(*row, strict=True)))
        return [(i, t) for i, t, x, y in pairs if x is not None and x * y < 0]

    def beyond(self, name: str, low: Any, high: Any) -> list[tuple[int, int]]:
        """In which responses, and at which tokens, a fact lies outside a range."""
        rows = enumerate(self.rows_of(name))
        return [(i, t) for i, row in rows for t, x in enumerate(row) if x is not None and not low <= x <= high]

    def differing(self, one: Sequence[Any], other: Sequence[Any]) -> list[int]:
        """Where two lists hold different numbers; a gap differs from nothing."""
        pairs = enumerate(zip(one, other, strict=True))
        return [t for t, (x, y) in pairs if x is not None and y is not None and not self.zero(x - y)]

    def zero(self, x: Any) -> bool:
        """Whether an exact number is 0, up to the digits that decimals carry."""
        return abs(x) < NEGLIGIBLE

    def largest(self, name: str) -> int:
        """Which of the first response's real tokens has the largest number of a fact, whatever its sign."""
        found = [abs(x) for x in self.own(name) if x is not None]
        return found.index(max(found))

    def glimpse(self, numbers: Sequence[Any]) -> Grounded:
        """A list in the line, a long one by its beginning."""
        more = ", …" if len(numbers) > LONGEST_WORKING else ""
        return Grounded("[" + ", ".join(cell(x) for x in numbers[:LONGEST_WORKING]) + more + "]")

    def where(self, where: str) -> Grounded:
        """A number that was checked, by its symbol."""
        return checked(where)

    def as_stated(self, number: Any) -> Grounded:
        """A number that was checked, with the digits that were written."""
        return Grounded(number.shown)

    def cause(self, id: str) -> Grounded:
        """What lies behind a wrong number, in words."""
        return Grounded(word(self.language, "causes", id))

    def uses(self, name: str) -> bool:
        """Whether a part of the scenario was read for the facts."""
        return self.shown.facts is not None and name in self.shown.facts.used

    def given(self, name: str) -> bool:
        """Whether the scenario has this part."""
        return getattr(self.scenario, name) is not None

    def as_given(self, name: str) -> bool:
        """Whether a list stands as it was given: it keeps its digits."""
        return name in LISTS and self.given(name)

    def worked(self, name: str) -> bool:
        """Whether there are lines of working to show."""
        return name in self.shown.work

    def mistaken(self, name: str) -> bool:
        """Whether a program with this mistake was run."""
        return name in self.shown.mistakes

    def proved(self, name: str) -> bool:
        return name in self.shown.proofs

    def written(self, name: str) -> Grounded:
        """A formula that the engine wrote for the lesson."""
        return inline(self.shown.formulas[name])

    def default(self, project: str, parameter: str) -> Grounded:
        """What a project's configuration says when nothing is changed."""
        return Grounded(show(_sources.defaults()[project][parameter]).text)
