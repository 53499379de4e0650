"""The tables that a template can ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.claims import Checked
from engine.masks import last_valid
from engine.notation import DIGITS, SYMBOLS, Symbol, show
from engine.scenario import FRACTIONS, WIDTHS
from prompts.tell.ground import Grounded
from prompts.tell.learner_text import quoted
from prompts.tell.markdown import LONGEST_TABLE, cell, inline, table, tables
from prompts.tell.values import Values
from prompts.tell.words import words

LONGEST_WORKING = 8  # lines
PAIR = 2  # responses that stand side by side, and facts that each may have there


@dataclass(frozen=True)
class Tables:
    """Every public method is a name in the templates."""

    values: Values

    def table(self, *names: str, at: Sequence[tuple[int, int]] = ()) -> Grounded:
        """One row a token, one column a fact. `mistake.fact` is the fact of a program with that mistake.

        `at`: the only tokens that are meant, each by its response and its place.
        """
        columns = [self.values.rows_of(name) for name in names]
        if not at and len(self.values.texts.rows) == len(columns[0]) == PAIR and len(names) <= PAIR:
            return self._two(names)
        digits = [DIGITS if self.values.as_given(name) else None for name in names]
        head = [
            self.values.label("row"),
            inline("t"),
            self.values.label("token"),
            *(self._head(name) for name in names),
        ]
        body = [
            [
                str(i) if self.values.scenario.batched else "",
                str(t),
                self.values.token(t, i) if self.values.texts.tokens else "",
                *(cell(column[i][t], own) for column, own in zip(columns, digits, strict=True)),
            ]
            for i, t in at or [(i, t) for i, row in enumerate(columns[0]) for t in range(len(row))]
        ]
        return Grounded(tables(head, body, keys=3, longest=self.values.longest))

    def _two(self, names: Sequence[str]) -> Grounded:
        """Two responses side by side: each with its tokens, and a few facts of theirs."""
        head = [self.values.label("token"), *(self._head(name) for name in names)]
        found = [[self.values.rows_of(name)[i] for name in names] for i in range(PAIR)]
        body = [
            [str(t), *(x for i in range(PAIR) for x in (self.values.token(t, i), *(cell(row[t]) for row in found[i])))]
            for t in range(len(found[0][0]))
        ]
        return Grounded(tables([inline("t"), *head * PAIR], body, keys=1, longest=self.values.longest))

    def grid(self, heads: Sequence[str], rows: Sequence[Sequence[Any]], digits: int | None = None) -> Grounded:
        """A table of the lesson's own: heads are quantities or shared labels, cells numbers or texts."""
        body = [[x if isinstance(x, str) else cell(x, digits) for x in row] for row in rows]
        return Grounded(tables([self._head(name) for name in heads], body, keys=1, longest=self.values.longest))

    def columns(self, heads: Sequence[str], *lists: Sequence[Any], digits: int | None = None) -> Grounded:
        """A table of the lesson's own, list by list."""
        return self.grid(heads, list(zip(*lists, strict=True)), digits)

    def sweep(self, parameter: str, values: Sequence[Any], rows: Mapping[str, Sequence[Any]]) -> Grounded:
        """The first response by token: one column for each value of a parameter; rows by t."""
        heads = [inline("t"), self.values.label("token"), *(self.values.equal(parameter, x) for x in values)]
        places = {self.values.place(int(t)): row for t, row in rows.items()}
        body = [[str(t), self._named(t), *map(cell, row)] for t, row in places.items()]
        return Grounded(tables(heads, body, keys=2, longest=self.values.longest))

    def timeline(self, of_state: Sequence[str], of_token: Sequence[str]) -> Grounded:
        """The first response as it happens: what belongs to each state, and what to the token that is written there."""
        mask = self.values.scenario.rows("mask")[0] if self.values.scenario.mask else (1,) * self.values.scenario.length
        body = []
        for t in (t for t, keep in enumerate(mask) if keep):
            body.append([inline(Symbol("s", t).latex), "", self._valued(of_state, t)])
            written = self.values.token(t) if self.values.texts.tokens else ""
            body.append([inline(Symbol("a", t).latex), written, self._valued(of_token, t)])
        end = self.values.place(-1) + 1
        nothing = ", ".join(inline(f"{Symbol(name, end).latex} = {show(0).latex}") for name in of_state)
        body.append([inline(Symbol("s", end).latex), "", nothing])
        heads = [self.values.label(name) for name in ("time", "token", "number")]
        return Grounded(table(heads, body, words=1))

    def matrix(self, name: str) -> Grounded:
        """A square fact over the first response's real tokens, as far as lines of working go: row t, column k."""
        assert self.values.shown.facts is not None, f"{name}: this lesson shows no facts"
        rows = [row[:LONGEST_WORKING] for row in self.values.shown.facts.exact[name][:LONGEST_WORKING]]
        places = [self.values.place(t) for t in range(len(rows))]
        head = [inline("t"), self.values.label("token"), *(inline(f"k = {place}") for place in places)]
        named = [self.values.token(place) if self.values.texts.tokens else "" for place in places]
        body = [[str(t), token, *map(cell, row)] for t, token, row in zip(places, named, rows, strict=True)]
        return Grounded(tables(head, body, keys=2))

    def beside(self, group: str, *names: str, digits: int | None = None) -> Grounded:
        """A table of lists that the lesson set up itself: those of constants, grid or counterexample, side by side."""
        assert self.values.shown.facts is not None, f"{group}: this lesson shows no facts"
        found = self.values.shown.facts.exact[group]
        return self.grid(names, [list(row) for row in zip(*(found[name] for name in names), strict=True)], digits)

    def laid_out(self, group: str, *names: str) -> Grounded:
        """The same by position, the learner's tokens where the mask has a one; elsewhere a gap, at the end padding."""
        assert self.values.shown.facts is not None, f"{group}: this lesson shows no facts"
        found, (tokens, *_) = self.values.shown.facts.exact[group], self.values.texts.rows
        written, end = iter(map(quoted, tokens)), last_valid(found["mask"])
        rows = []
        for t, (keep, *row) in enumerate(zip(found["mask"], *(found[name] for name in names), strict=True)):
            word = next(written, "") if keep else self.values.label("gap" if t < end else "padding") if tokens else ""
            rows.append([str(t), word, *(cell(x) for x in row)])
        head = [inline("t"), self.values.label("token"), *(self._head(name) for name in names)]
        return Grounded(table(head, rows, longest=self.values.longest))

    def stated(self) -> Grounded:
        """The numbers as they were stated, to be checked by the reader."""
        assert self.values.shown.audited is not None, "nothing was audited"
        heads = [self.values.label(name) for name in ("audit_where", "audit_stated")]
        rows = [[self.values.where(x.where), x.shown] for x in self.values.shown.audited.checked]
        return Grounded(table(heads, rows))

    def checked(self) -> Grounded:
        """Every stated number beside the computed one, whether it is right, and why not; of many, the wrong ones."""
        audited = self.values.shown.audited
        assert audited is not None, "nothing was audited"
        names = ("audit_where", "audit_stated", "audit_computed", "audit_mark", "audit_why")
        shown = audited.checked if len(audited.checked) <= LONGEST_TABLE else audited.wrong or audited.checked
        told: set[str] = set()
        body = [self._checked(x, told) for x in shown]
        return Grounded(table([self.values.label(name) for name in names], body, words=2))

    def _checked(self, number: Checked, told: set[str]) -> list[str]:
        """A row: the cause in words where it is told for the first time."""
        mark = self.values.label("audit_right" if number.right else "audit_wrong")
        why = "" if number.cause is None else "″" if number.cause in told else self.values.cause(number.cause)
        told |= {number.cause} if number.cause else set()
        return [self.values.where(number.where), number.shown, cell(number.correct), mark, why]

    def moved(self, head: str, *heads: str) -> Grounded:
        """One row a name, one column a fact that has a distance for each name: whether there is any."""
        assert self.values.shown.facts is not None, f"{head}: this lesson shows no facts"
        found = [self.values.shown.facts.exact[name] for name in heads]
        names = dict.fromkeys(name for column in found for name in column)
        rows = [[self._input(name), *(self._moves(column.get(name)) for column in found)] for name in names]
        return Grounded(table([self.values.label(head), *(self.values.label(name) for name in heads)], rows))

    def _moves(self, distance: Any) -> str:
        return "–" if distance is None else self.values.label("it_moves" if distance else "it_stays")

    def _head(self, name: str) -> str:
        """A quantity's symbol, a shared label, or both for a program with a mistake; what is rendered stays."""
        if isinstance(name, Grounded):
            return name
        mistake, _, fact = name.rpartition(".")
        if name in (*FRACTIONS, *WIDTHS):
            return self.values.symbol(name)
        if mistake:
            named = mistake if mistake in words(self.values.language)["labels"] else "mistaken"
            return f"{inline(SYMBOLS[fact][0] + '_t')} {self.values.label(named)}"
        if not name:
            return ""
        labelled = name in words(self.values.language)["labels"]
        return self.values.label(name) if labelled or name not in SYMBOLS else inline(SYMBOLS[name][0] + "_t")

    def _named(self, t: int) -> str:
        return self.values.token(t) if self.values.texts.tokens else ""

    def _valued(self, names: Sequence[str], t: int) -> str:
        return ", ".join(
            inline(f"{Symbol(name, t).latex} = {show(self.values.rows_of(name)[0][t]).latex}") for name in names
        )

    def _input(self, name: str) -> str:
        """An input as code, with its symbol."""
        return f"`{name}` {self.values.symbol(name)}" if name in SYMBOLS else f"`{name}`"
