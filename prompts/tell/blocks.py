"""The larger pieces a template can ask for: lines of working, proofs, code, exercises. All grounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from engine.notation import SYMBOLS, Symbol
from engine.readings.worked import Worked
from lessons import _sources
from prompts.tell import observed, proofs
from prompts.tell.cell import code_of
from prompts.tell.exercise import Exercise, asked
from prompts.tell.ground import Grounded
from prompts.tell.markdown import cell as in_cell
from prompts.tell.markdown import display, folded, inline, worked
from prompts.tell.sample import sample
from prompts.tell.says import latex
from prompts.tell.values import Values

LONGEST_WORKING = 8  # lines
SHORT = 4  # tokens of a response that is worked through to its end in a solution
MADE_FROM = {"advantages": ("deltas",), "returns": ("deltas", "advantages")}  # what a solution works out before
FIRST_OPEN = ("proof", "rigorous", "why")  # forms in which the first proof is open
ALL_OPEN = ("full",)


@dataclass(frozen=True)
class Blocks:
    """Every public method is a name in the templates."""

    values: Values
    exercises: list[Exercise] = field(default_factory=list)  # that were asked on the page
    topics: list[str] = field(default_factory=list)  # of the checked table, that were spoken of
    _proved: list[str] = field(default_factory=list)  # so far

    def lines(self, name: str) -> Grounded:
        """The worked lines of a quantity, the first tokens of it."""
        return worked([x.line("latex") for x in self.values.shown.work[name][:LONGEST_WORKING]])

    def line(self, name: str, t: int = 0) -> Grounded:
        """One worked line, for a number with a name or without."""
        found = self.values.shown.work[name]
        one = found if isinstance(found, Worked) else found[t]
        return worked([one.line("latex") if one.made_from else one.working("latex")])

    def formula(self, name: str) -> Grounded:
        """A theorem's statement in the line."""
        return inline(proofs.statement(self.values.shown.proofs[name]))

    def statement(self, name: str) -> Grounded:
        return display([proofs.statement(self.values.shown.proofs[name])])

    def conditions(self, name: str) -> Grounded:
        """What a theorem takes for granted."""
        return inline(proofs.conditions(self.values.shown.proofs[name].conditions))

    def proof(self, name: str, *, aside: bool = False) -> Grounded:
        """The steps of a theorem: of the first one open where a proof was asked for, of the others folded."""
        steps = proofs.proof(self.values.shown.proofs[name], self.values.language)
        first = not (aside or self._proved)
        self._proved.extend([] if aside else [name])
        opened = self.values.form in ALL_OPEN or (first and self.values.form in FIRST_OPEN)
        return steps if opened else folded(self.values.label("steps"), steps)

    def counterexample(self, name: str) -> Grounded:
        return proofs.counterexample(self.values.shown.counterexamples[name])

    def code(self) -> Grounded | str:
        """The computation in plain torch, to paste and run, each line with its value on these numbers."""
        found = code_of(self.values.shown, self.values.scenario)
        return Grounded(f"{self.values.label('twin')}\n\n```python\n{found}\n```") if found else ""

    def math(self, formula: str) -> Grounded:
        r"""A formula in the line, as people type it: 1/(1 − λ)."""
        return inline(latex(formula))

    def source(self, topic: str) -> Grounded:
        """The function that does this in verl; where it stands is listed below what was said."""
        self.topics.append(topic)
        return Grounded(f"`{_sources.of(topic)[0].function}`")

    def sources(self, *topics: str) -> str:
        """What is said rests on these as well."""
        self.topics.extend(topics)
        return ""

    def iteration(self) -> Grounded:
        """What one PPO iteration put out on the language model, or why there is none."""
        assert self.values.shown.run is not None, "nothing was run"
        return observed.told(self.values.shown.run, self.values.language)

    def quiz(self, fact: str, t: int, *mistakes: str, index: str | None = None) -> Grounded:
        """Which number is it? The right one among what programs with mistakes give, the solution folded.

        `index` is the word for what t counts, where that is not the token.
        """
        right = self.values.rows_of(fact)[0][t]
        wrong = {id: self.values.rows_of(f"{id}.{fact}")[0][t] for id in mistakes}
        place = inline(f"t = {t}") if index is None else f"{self.values.label(index)} {t}"
        asked = inline(Symbol(fact, t).latex) if fact in SYMBOLS else f"{self.values.label(fact)} ({place})"
        return self._asked(asked, right, wrong, self._working(fact, t))

    def _working(self, fact: str, t: int) -> str:
        """The worked lines that end in a token's number, where there are any."""
        work = self.values.shown.work
        names = [name for name in (*MADE_FROM.get(fact, ()), fact) if name in work]
        if fact not in names or any(isinstance(work[name], Worked) or t >= len(work[name]) for name in names):
            return ""
        lines = [self.chain(*names, t=t)]
        later = range(t + 1, self.values.scenario.length) if "advantages" in names else range(0)
        if 0 < len(later) < SHORT and not self.values.scenario.batched and self.values.scenario.mask is None:
            lines = [*(self.chain(*names[:2], t=i) for i in reversed(later)), *lines]
        return "\n\n".join(lines)

    def _asked(self, quantity: str, right: Any, wrong: Mapping[str, Any], working: str = "") -> Grounded:
        causes: dict[str, tuple[str, ...]] = {}
        for id, x in wrong.items():
            causes[in_cell(x)] = (*causes.get(in_cell(x), ()), self.values.cause(id))
        options = tuple(dict.fromkeys(in_cell(x) for x in sorted([right, *wrong.values()], key=float)))
        if "drawn" in self.values.origin.values():  # one of many: its place is to say nothing
            options = tuple(sorted(options, key=lambda x: crc32(f"{options}{x}".encode())))
        found = Exercise(quantity, options, in_cell(right), causes, working)
        self.exercises.append(found)
        return asked(found, self.values.language)

    def sample(self) -> Grounded:
        """Numbers as a learner may type them."""
        return Grounded(f"`{sample()}`")

    def first_only(self) -> str:
        """Of a batch: that what follows is about its first response."""
        return self.values.label("first_only") if self.values.scenario.batched else ""

    def chain(self, *names: str, t: int = 0) -> Grounded:
        """The worked lines of one real token, quantity by quantity."""
        found = [self.values.shown.work[name][t] for name in names]
        return worked([x.line("latex") if x.made_from else x.working("latex") for x in found])

    def quiz_of(self, name: str, *mistakes: str) -> Grounded:
        """The quiz about a number of the whole batch."""
        facts, wrong = self.values.shown.facts, self.values.shown.mistakes
        assert facts is not None, f"{name}: this lesson shows no facts"
        return self._asked(Grounded(self.values.label(name)), facts.exact[name], {
            id: wrong[id].exact[name] for id in mistakes
        }, self._total(name))  # fmt: skip

    def quiz_total(self, name: str, *mistakes: str) -> Grounded:
        """The quiz about a number that a response has once."""
        return self._asked(Grounded(self.values.label(name)), self.values.total(name), {
            id: self.values.wrong_total(id, name) for id in mistakes
        }, self._total(name))  # fmt: skip

    def _total(self, name: str) -> str:
        """The worked line of a number that is made of all tokens, where these are few enough to be read."""
        short = self.values.scenario.length <= LONGEST_WORKING
        return self.line(name) if short and isinstance(self.values.shown.work.get(name), Worked) else ""
