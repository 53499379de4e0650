"""The LaTeX of every page, read without a browser: braces and delimiters in pairs, one index above and one below."""

from __future__ import annotations

import re

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import LANGUAGES, lessons
from prompts.read import completed
from prompts.tell.forms import WHOLE
from prompts.tell.page import Telling, render
from tests.lessons.chance import scenarios

SHAPES = {"the running example": {}, **scenarios(3, seed=6)}
FORMULA = re.compile(r"\$\$(.+?)\$\$|\\\((.+?)\\\)", re.DOTALL)
CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
PART = re.compile(r"\\[a-zA-Z]+|\\.|[{}^_]|[^\\{}^_\s]")


def formulas(page: str) -> list[str]:
    return [first or second for first, second in FORMULA.findall(CODE.sub("", page))]


def faults(formula: str) -> list[str]:
    """What a reader of LaTeX would stop at."""
    found, depth, indexed = [], [], [set()]
    parts = PART.findall(formula)
    at = 0
    while at < len(parts):
        part = parts[at]
        if part in "^_":
            if part in indexed[-1]:
                found.append(f"two {part}")
            indexed[-1].add(part)
            at += 1
            if at == len(parts) or parts[at] in "^_}":
                found.append(f"nothing after {part}")
                continue
            if parts[at] == "{":
                depth.append(part)
                indexed.append(set())
        elif part == "{":
            depth.append(part)
            indexed.append(set())
        elif part == "}":
            if not depth:
                return [*found, "a brace closed that was not opened"]
            opener = depth.pop()
            indexed.pop()
            if opener == "{":
                indexed[-1] = set()
        else:
            indexed[-1] = set()
        at += 1
    return found + ["an open brace"] * bool(depth) + _unpaired(formula)


def _unpaired(formula: str) -> list[str]:
    names = re.findall(r"\\(begin|end)\{(\w+)\}", formula)
    opened: list[str] = []
    for kind, name in names:
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            return [f"\\end{{{name}}} without its beginning"]
    sizes = [len(re.findall(rf"\\{side}(?![a-zA-Z])", formula)) for side in ("left", "right")]
    return [f"\\begin{{{name}}} without its end" for name in opened] + ["\\left without \\right"] * (
        sizes[0] != sizes[1]
    )


@pytest.mark.parametrize("id", sorted(lessons()))
def test_every_formula_can_be_read(id):
    for shape, given in SHAPES.items():
        complete, origin = completed(scenario(given))
        try:
            shown = lessons()[id].show(complete)
        except EngineError:
            continue
        for form in WHOLE:
            for language in LANGUAGES:
                telling = Telling(language, form, complete, origin, shown, without=("model",))
                for formula in formulas(render(lessons()[id], telling)):
                    assert not faults(formula), (shape, form, language, formula)


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{1}{2",
        r"a}",
        r"x_1_2",
        r"x^{a}^{b}",
        r"x_",
        r"{x_}",
        r"\left( a",
        r"\begin{aligned} a",
        r"a \end{aligned}",
    ],
)
def test_a_formula_that_cannot_be_read_is_noticed(formula):
    assert faults(formula)


@pytest.mark.parametrize(
    "formula",
    [
        r"x_{1}^{2}",
        r"\hat{A}_{0}",
        r"x_1 y_2",
        r"\left(\gamma \lambda\right)^{k} \delta_{t + k}",
        r"a \\ b",
        r"V_{\mathrm{end}}",
    ],
)
def test_a_formula_that_can_be_read_is_let_through(formula):
    assert not faults(formula)
    assert formulas(f"`\\(x_\\)` and $${formula}$$") == [formula]
