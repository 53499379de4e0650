"""The pieces a template can ask for: numbers, tables by token, lines of working, proofs, code. All grounded.

Every public method of Blocks is a name in the templates.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.notation import SYMBOLS, Symbol, show
from engine.readings.worked import Worked
from engine.scenario import FRACTIONS, PARAMETERS, WIDTHS, Scenario
from lessons._lesson import ROOT, Shown
from prompts.tell import proofs
from prompts.tell.ground import Grounded, emit
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import cell, display, folded, inline, python, table
from prompts.tell.words import word, words

LONGEST_WORKING = 8  # lines
NEGLIGIBLE = 1e-40


@dataclass(frozen=True)
class Blocks:
    """What stands behind the names that a template may use."""

    language: str
    scenario: Scenario
    origin: Mapping[str, str]
    shown: Shown

    # ------------------------------------------------------------ numbers and symbols

    def symbol(self, quantity: str, index: int | None = None) -> Grounded:
        r"""A quantity's symbol as inline LaTeX: \(\delta_{0}\)."""
        return inline(Symbol(quantity, index).latex)

    def at(self, quantity: str, index: str) -> Grounded:
        r"""A quantity at a general index: \(V_{t+1}\)."""
        return inline(f"{SYMBOLS[quantity][0]}_{{{index}}}")

    def equal(self, quantity: str, value: Any = None) -> Grounded:
        r"""symbol = value of a parameter, or the value given: \(\gamma = 1\)."""
        number = show(getattr(self.scenario, quantity) if value is None else value)
        return inline(f"{SYMBOLS[quantity][0]} = {number.latex}")

    def row(self, numbers: Sequence[Any]) -> Grounded:
        """A list in the line: [0.1, 0.2, 0.4]."""
        inside = (self.row(x) if isinstance(x, list) else cell(x) for x in numbers)
        return Grounded("[" + ", ".join(inside) + "]")

    def percent(self, share: Any) -> Grounded:
        return Grounded(f"{show(share * 100, digits=3).text} %")

    def name(self, code: str) -> Grounded:
        """A function's, field's or project's name as code."""
        return Grounded(f"`{code}`")

    def estimator(self, kind: str) -> Grounded:
        return Grounded(kind)

    # ------------------------------------------------------------ the learner's situation

    def token(self, t: int) -> Grounded:
        """The t-th token of the response, or its number where no tokens are known."""
        tokens = self.scenario.tokens
        return quoted(tokens[t]) if tokens else Grounded(f"#{t % max(self.scenario.length, 1)}")

    def here(self, *parameters: str) -> str:
        """On whose numbers the page computes, with the parameters that matter."""
        borrowed = [name for name in parameters if self.origin.get(name) == "example"]
        if all(whose == "example" for name, whose in self.origin.items() if name not in PARAMETERS):
            key = "on_example"
        else:
            key = "on_yours_partly" if borrowed else "on_yours"
        if not parameters:
            key += "_plainly"
        return word(self.language, "labels", key).format(
            prompt=emit(quoted(self.scenario.prompt or "")),
            response=emit(quoted("".join(self.scenario.tokens or ()))),
            parameters=", ".join(emit(self.equal(name)) for name in parameters),
            borrowed=", ".join(emit(self.symbol(name)) for name in borrowed),
        )

    def lead(self, wanted: Sequence[str]) -> str:
        """The facts that were asked for alone, each in a line of its own."""
        found = self.shown.facts.exact if self.shown.facts else {}
        return "\n\n".join(self._fact(name, found[name]) for name in wanted if name in found)

    def _fact(self, name: str, x: Any) -> str:
        symbol = emit(self.symbol(name)) if name in SYMBOLS else emit(self.name(name))
        return f"{symbol}: {emit(self.row(x) if isinstance(x, list) else x)}"

    # ------------------------------------------------------------ tables

    def table(self, *names: str) -> Grounded:
        """One row a token, one column a fact. `mistake.fact` is the fact of a program with that mistake."""
        columns = [self.rows_of(name) for name in names]
        head = [self._label("row"), inline("t"), self._label("token"), *(self._head(name) for name in names)]
        body = [
            [
                str(i) if self.scenario.batched else "",
                str(t),
                self.token(t) if self.scenario.tokens else "",
                *(cell(column[i][t]) for column in columns),
            ]
            for i in range(len(columns[0]))
            for t in range(len(columns[0][i]))
        ]
        return Grounded(table(head, body))

    def grid(self, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Grounded:
        """A table of the lesson's own: heads are quantities or shared labels, cells numbers or texts."""
        body = [[x if isinstance(x, str) else cell(x) for x in row] for row in rows]
        return Grounded(table([self._head(name) for name in heads], body))

    def _label(self, key: str) -> str:
        return word(self.language, "labels", key)

    def _head(self, name: str) -> str:
        """A quantity's symbol, a shared label, or both for a program with a mistake; what is rendered stays."""
        if isinstance(name, Grounded):
            return name
        mistake, _, fact = name.rpartition(".")
        if name in (*FRACTIONS, *WIDTHS):
            return self.symbol(name)
        if mistake:
            named = mistake if mistake in words(self.language)["labels"] else "mistaken"
            return f"{inline(SYMBOLS[fact][0] + '_t')} {self._label(named)}"
        return inline(SYMBOLS[name][0] + "_t") if name in SYMBOLS else self._label(name)

    # ------------------------------------------------------------ working

    def lines(self, name: str) -> Grounded:
        """The worked lines of a quantity, the first tokens of it."""
        return display([x.line("latex") for x in self.shown.work[name][:LONGEST_WORKING]])

    def line(self, name: str, t: int = 0) -> Grounded:
        """One worked line, for a number with a name or without."""
        found = self.shown.work[name]
        worked = found if isinstance(found, Worked) else found[t]
        return display([worked.line("latex") if worked.made_from else worked.working("latex")])

    # ------------------------------------------------------------ proofs and code

    def proved(self, name: str) -> bool:
        return name in self.shown.proofs

    def formula(self, name: str) -> Grounded:
        """A theorem's statement in the line."""
        return inline(proofs.statement(self.shown.proofs[name]))

    def statement(self, name: str) -> Grounded:
        return display([proofs.statement(self.shown.proofs[name])])

    def conditions(self, name: str) -> Grounded:
        """What a theorem takes for granted."""
        return inline(proofs.conditions(self.shown.proofs[name].conditions))

    def proof(self, name: str) -> Grounded:
        return proofs.proof(self.shown.proofs[name], self.language)

    def counterexample(self, name: str) -> Grounded:
        return proofs.counterexample(self.shown.counterexamples[name])

    def code(self) -> Grounded:
        """The source of the functions that ran."""
        return Grounded("\n\n".join(python(function) for function in self.shown.code))

    def source(self, name: str) -> Grounded:
        """Where a formula stands in verl: file, function, and the lines that learners cite."""
        entry = _sources()[name]
        lines = f":{entry['lines']}" if entry["lines"] else ""
        return Grounded(f"`{entry['file']}{lines}` (`{entry['function']}`)")

    # ------------------------------------------------------------ exercises

    def quiz(self, fact: str, t: int, *mistakes: str) -> Grounded:
        """Which number is it? The right one among what programs with mistakes give, the solution folded."""
        right = self.rows_of(fact)[0][t]
        wrong = {id: self.rows_of(f"{id}.{fact}")[0][t] for id in mistakes}
        asked = inline(Symbol(fact, t).latex) if fact in SYMBOLS else f"{self._label(fact)} ({inline(f't = {t}')})"
        return self._asked(asked, right, wrong)

    def _asked(self, quantity: str, right: Any, wrong: Mapping[str, Any]) -> Grounded:
        options = dict.fromkeys(cell(x) for x in sorted([right, *wrong.values()], key=float))
        letters = dict(zip(options, "ABCDEFGH", strict=False))
        choices = "\n".join(f"- {letter}: {option}" for option, letter in letters.items())
        causes = [f"- {letters[cell(x)]}: `{id}`" for id, x in wrong.items() if cell(x) != cell(right)]
        solution = "\n".join([f"{letters[cell(right)]}: {cell(right)}", "", *causes])
        question = self._label("quiz").format(quantity=quantity)
        return Grounded(f"{question}\n\n{choices}\n\n{folded(self._label('solution'), solution)}")

    # ------------------------------------------------------------ the first response alone

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

    def worked(self, name: str) -> bool:
        """Whether there are lines of working to show."""
        return name in self.shown.work

    def mistaken(self, name: str) -> bool:
        """Whether a program with this mistake was run."""
        return name in self.shown.mistakes

    def columns(self, heads: Sequence[str], *lists: Sequence[Any]) -> Grounded:
        """A table of the lesson's own, list by list."""
        return self.grid(heads, list(zip(*lists, strict=True)))

    def sweep(self, parameter: str, values: Sequence[Any], rows: Mapping[str, Sequence[Any]]) -> Grounded:
        """The first response by token: one column for each value of a parameter; rows by t."""
        heads = [inline("t"), self._label("token"), *(self.equal(parameter, x) for x in values)]
        places = {self.place(int(t)): row for t, row in rows.items()}
        body = [[str(t), self._named(t), *map(cell, row)] for t, row in places.items()]
        return Grounded(table(heads, body))

    def _named(self, t: int) -> str:
        return self.token(t) if self.scenario.tokens else ""

    def default(self, project: str, parameter: str) -> Grounded:
        """What a project's configuration says when nothing is changed."""
        return Grounded(show(_sources()["defaults"][project][parameter]).text)

    def given(self, name: str) -> bool:
        """Whether the scenario has this part."""
        return getattr(self.scenario, name) is not None

    def chain(self, *names: str, t: int = 0) -> Grounded:
        """The worked lines of one real token, quantity by quantity."""
        found = [self.shown.work[name][t] for name in names]
        return display([x.line("latex") if x.made_from else x.working("latex") for x in found])

    def timeline(self, of_state: Sequence[str], of_token: Sequence[str]) -> Grounded:
        """The first response as it happens: what belongs to each state, and what to the token that is written there."""
        mask = self.scenario.rows("mask")[0] if self.scenario.mask else (1,) * self.scenario.length
        body = []
        for t in (t for t, keep in enumerate(mask) if keep):
            body.append([inline(Symbol("s", t).latex), "", self._valued(of_state, t)])
            written = self.token(t) if self.scenario.tokens else ""
            body.append([inline(Symbol("a", t).latex), written, self._valued(of_token, t)])
        end = self.place(-1) + 1
        nothing = ", ".join(inline(f"{Symbol(name, end).latex} = {show(0).latex}") for name in of_state)
        body.append([inline(Symbol("s", end).latex), "", nothing])
        return Grounded(table([self._label("time"), self._label("token"), self._label("number")], body))

    def _valued(self, names: Sequence[str], t: int) -> str:
        return ", ".join(inline(f"{Symbol(name, t).latex} = {show(self.rows_of(name)[0][t]).latex}") for name in names)

    def text(self, number: str) -> Grounded:
        """A number that facts hold as text: a λ that names an entry."""
        return Grounded(number)

    def written(self, name: str) -> Grounded:
        """A formula that the engine wrote for the lesson."""
        return inline(self.shown.formulas[name])

    def total(self, name: str) -> Any:
        """The first response's number of a fact that has one for each response."""
        assert self.shown.facts is not None, f"{name}: this lesson shows no facts"
        found = self.shown.facts.exact[name]
        return found[0] if self.scenario.batched else found

    def opposed(self, one: str, other: str) -> list[int]:
        """The first response's real tokens at which two facts have opposite signs."""
        pairs = enumerate(zip(self.own(one), self.own(other), strict=True))
        return [t for t, (x, y) in pairs if x is not None and x * y < 0]

    def wrong_total(self, mistake: str, name: str) -> Any:
        """What a program with a mistake gives in the place of a `total`."""
        found = self.shown.mistakes[mistake].exact[name]
        return found[0] if self.scenario.batched else found

    def quiz_total(self, name: str, *mistakes: str) -> Grounded:
        """The quiz about a number that a response has once."""
        return self._asked(Grounded(self._label(name)), self.total(name), {
            id: self.wrong_total(id, name) for id in mistakes
        })  # fmt: skip

    def matrix(self, name: str) -> Grounded:
        """A square fact over the first response's real tokens, as far as lines of working go: row t, column k."""
        assert self.shown.facts is not None, f"{name}: this lesson shows no facts"
        rows = [row[:LONGEST_WORKING] for row in self.shown.facts.exact[name][:LONGEST_WORKING]]
        places = [self.place(t) for t in range(len(rows))]
        head = [inline("t"), self._label("token"), *(inline(f"k = {place}") for place in places)]
        named = [self.token(place) if self.scenario.tokens else "" for place in places]
        body = [[str(t), token, *map(cell, row)] for t, token, row in zip(places, named, rows, strict=True)]
        return Grounded(table(head, body))

    def beside(self, group: str, *names: str) -> Grounded:
        """A table of lists that the lesson set up itself: those of constants, grid or counterexample, side by side."""
        assert self.shown.facts is not None, f"{group}: this lesson shows no facts"
        found = self.shown.facts.exact[group]
        return self.grid(names, [list(row) for row in zip(*(found[name] for name in names), strict=True)])

    def laid_out(self, group: str, *names: str) -> Grounded:
        """The same by position; where the learner's response has ended, the token is padding."""
        assert self.shown.facts is not None, f"{group}: this lesson shows no facts"
        found, tokens = self.shown.facts.exact[group], self.scenario.tokens or ()
        padding = [self._label("padding")] * len(found[names[0]])
        words = [*(quoted(token) for token in tokens), *padding[len(tokens) :]] if tokens else [""] * len(padding)
        rows = [
            [str(t), words[t], *(cell(x) for x in row)]
            for t, row in enumerate(zip(*(found[name] for name in names), strict=True))
        ]
        head = [inline("t"), self._label("token"), *(self._head(name) for name in names)]
        return Grounded(table(head, rows))

    def zero(self, x: Any) -> bool:
        """Whether an exact number is 0, up to the digits that decimals carry."""
        return abs(x) < NEGLIGIBLE

    def by_name(self, head: str, *heads: str) -> Grounded:
        """One row a name, one column a fact that has a number for each name; a dash where it has none."""
        assert self.shown.facts is not None, f"{head}: this lesson shows no facts"
        found = [self.shown.facts.exact[name] for name in heads]
        names = dict.fromkeys(name for column in found for name in column)
        rows = [[self._input(name), *(cell(column.get(name)) for column in found)] for name in names]
        return Grounded(table([self._label(head), *(self._label(name) for name in heads)], rows))

    def _input(self, name: str) -> str:
        """An input as code, with its symbol."""
        return f"`{name}` {self.symbol(name)}" if name in SYMBOLS else f"`{name}`"

    def rows_of(self, name: str) -> list[list[Any]]:
        """A fact that has a list for each group; a single list is one group. `mistake.fact` as in a table."""
        mistake, _, fact = name.rpartition(".")
        facts = self.shown.mistakes[mistake] if mistake else self.shown.facts
        assert facts is not None, f"{name}: this lesson shows no facts"
        found = facts.exact[fact]
        return found if isinstance(found[0], list) else [found]

    def largest(self, name: str) -> int:
        """Which of the first response's real tokens has the largest number of a fact, whatever its sign."""
        found = [abs(x) for x in self.own(name) if x is not None]
        return found.index(max(found))


@cache
def _sources() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((ROOT / "_sources.toml").read_text(encoding="utf-8"))
