"""The pieces a template can ask for: tables by token, lines of working, proofs, code. All grounded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.notation import SYMBOLS, Symbol, show
from engine.proofs.latex import latex
from engine.proofs.proof import Chain, Induction, Step
from engine.readings.worked import Worked
from engine.scenario import PARAMETERS, Scenario
from lessons._lesson import Shown
from prompts.tell.ground import Grounded, emit
from prompts.tell.learner_text import quoted
from prompts.tell.words import word

LONGEST_TABLE = 24  # rows; a longer response shows its beginning and its end
LONGEST_WORKING = 8  # lines


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

    def equal(self, quantity: str) -> Grounded:
        r"""symbol = value of a parameter: \(\gamma = 1\)."""
        number = show(getattr(self.scenario, quantity))
        return inline(f"{SYMBOLS[quantity][0]} = {number.latex}")

    def token(self, t: int) -> Grounded:
        """The t-th token of the response, or its number where no tokens are known."""
        tokens = self.scenario.tokens
        return quoted(tokens[t]) if tokens else Grounded(f"#{t}")

    def response(self) -> Grounded:
        return quoted("".join(self.scenario.tokens or ()))

    def prompt(self) -> Grounded:
        return quoted(self.scenario.prompt or "")

    def name(self, function: str) -> Grounded:
        """A function's or field's name as code."""
        return Grounded(f"`{function}`")

    def here(self, *parameters: str) -> str:
        """On whose numbers the page computes, with the parameters that matter."""
        values = ", ".join(emit(self.equal(name)) for name in parameters)
        borrowed = [name for name in parameters if self.origin.get(name) == "example"]
        if all(whose == "example" for name, whose in self.origin.items() if name not in PARAMETERS):
            key = "on_example"
        else:
            key = "on_yours_partly" if borrowed else "on_yours"
        return word(self.language, "labels", key).format(
            prompt=emit(self.prompt()),
            response=emit(self.response()),
            parameters=values,
            borrowed=", ".join(emit(self.symbol(name)) for name in borrowed),
        )

    # ------------------------------------------------------------ tables

    def table(self, *names: str) -> Grounded:
        """One row a token, one column a fact."""
        assert self.shown.facts is not None, "a table needs facts"
        columns = [self._rows(name) for name in names]
        batched = self.scenario.batched
        heads = [inline(SYMBOLS[name][0] + "_t") for name in names]
        head = [*([word(self.language, "labels", "row")] if batched else []), inline("t"), self._token_head(), *heads]
        body = []
        for row in range(len(columns[0])):
            for t in range(len(columns[0][row])):
                label = [str(row)] if batched else []
                body.append([*label, str(t), self._token_cell(t), *(cell(column[row][t]) for column in columns)])
        return Grounded(markdown_table(head, shortened(body)))

    def _rows(self, name: str) -> list[list[Any]]:
        assert self.shown.facts is not None
        found = self.shown.facts.exact[name]
        return found if self.scenario.batched else [found]

    def _token_head(self) -> str:
        return word(self.language, "labels", "token")

    def _token_cell(self, t: int) -> str:
        return str(self.token(t)) if self.scenario.tokens else ""

    # ------------------------------------------------------------ working

    def lines(self, name: str) -> Grounded:
        """The worked lines of a quantity, last token first where it is computed backwards."""
        worked = self.shown.work[name]
        return display([x.line("latex") for x in worked[:LONGEST_WORKING]])

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
        left, right = self.shown.proofs[name].statement.equation
        return inline(f"{latex(left)} = {latex(right)}")

    def statement(self, name: str) -> Grounded:
        left, right = self.shown.proofs[name].statement.equation
        return display([f"{latex(left)} = {latex(right)}"])

    def proof(self, name: str) -> Grounded:
        """A theorem's steps, each with its reason in words."""
        body = self.shown.proofs[name].proof
        if isinstance(body, Induction):
            base, step = body.base_chain, body.step_chain
            parts = [
                self._paragraph("induction_base", at=f"{body.statement.over} = {latex(body.base)}"),
                self._chain(base),
                self._paragraph("induction_step", at=f"{latex(body.known)}", to=f"{latex(body.shown)}"),
                self._chain(step),
                self._paragraph("induction_end"),
            ]
            return Grounded("\n\n".join(parts))
        return self._chain(body)

    def _chain(self, chain: Chain) -> Grounded:
        lines = [display([latex(chain.start)])]
        for number, step in enumerate(chain.steps, start=1):
            lines.append(f"{number}. {self.reason(step)}\n\n   {display(['= ' + latex(step.after)])}")
        return Grounded("\n\n".join(lines))

    def reason(self, step: Step) -> str:
        return word(self.language, "reasons", step.move.reason)

    def _paragraph(self, key: str, **inside: str) -> str:
        sentence = word(self.language, "labels", key)
        for name, formula in inside.items():
            sentence = sentence.replace("{" + name + "}", inline(formula))
        return sentence

    def code(self) -> Grounded:
        """The source of the functions that ran."""
        return Grounded("\n\n".join(python(function) for function in self.shown.code))


def python(function: Callable[..., Any]) -> str:
    return f"```python\n{inspect.getsource(function).rstrip()}\n```"


def inline(formula: str) -> Grounded:
    return Grounded(rf"\({formula}\)")


def display(lines: Sequence[str]) -> Grounded:
    """Displayed LaTeX; several lines are aligned at their first equals sign."""
    if len(lines) == 1:
        return Grounded(f"$${lines[0]}$$")
    aligned = r" \\ ".join(line.replace("=", "&=", 1) for line in lines)
    return Grounded(rf"$$\begin{{aligned}} {aligned} \end{{aligned}}$$")


def cell(x: Any) -> str:
    """A number in a table; a dash where the mask leaves nothing."""
    return "–" if x is None else show(x).text


def markdown_table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    columns = [i for i, name in enumerate(head) if name in _ALWAYS or any(row[i] for row in body)]
    rows = [[row[i] for i in columns] for row in (head, ["---:"] * len(head), *body)]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


_ALWAYS: frozenset[str] = frozenset()


def shortened(body: list[list[str]]) -> list[list[str]]:
    """The first and the last rows of a long table, with a row of dots between."""
    if len(body) <= LONGEST_TABLE:
        return body
    half = LONGEST_TABLE // 2
    return [*body[:half], ["…"] * len(body[0]), *body[-half:]]
