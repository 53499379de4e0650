"""The larger pieces a template can ask for: lines of working, proofs, code. All grounded."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.readings.worked import Worked
from lessons import _sources
from prompts.tell import observed, proofs
from prompts.tell.cell import code_of
from prompts.tell.ground import Grounded
from prompts.tell.markdown import display, folded, inline, worked
from prompts.tell.sample import sample
from prompts.tell.says import latex
from prompts.tell.values import Values

LONGEST_WORKING = 8  # lines
FIRST_OPEN = ("proof", "rigorous", "why")  # forms in which the first proof is open
ALL_OPEN = ("full",)


@dataclass(frozen=True)
class Blocks:
    """Every public method is a name in the templates."""

    values: Values
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
