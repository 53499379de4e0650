"""Every lesson on scenarios by chance: the page is whole, grounded, the same numbers in both languages, all checked."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.errors import EngineError
from engine.scenario import scenario
from lessons._lesson import LANGUAGES, Shown, lessons
from prompts.read import completed
from prompts.tell.forms import FORMS
from prompts.tell.page import Telling, render
from tests.lessons.chance import scenarios

COUNT, SEED = 20, 7
CHANCES = scenarios(COUNT, SEED)
ONCE = ("plain", "full", "simple")
NUMERAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$.+?\$\$|\\\(.+?\\\)", re.DOTALL)
RAW = re.compile(r"\*\*|<<|>>|<%|%>|\{\{|\}\}|\$|\\[()\[\]]|\bnan\b|\binf\b|\bNone\b|Decimal\(|Fraction\(")


def test_every_block_is_told_by_the_forms_that_are_tried():
    told = {name for form in ONCE for name in FORMS[form]}
    assert told == {name for blocks in FORMS.values() for name in blocks}


@pytest.mark.parametrize("id", sorted(lessons()))
def test_pages_on_scenarios_by_chance(id):
    shown = list(_shown(id))
    assert len(shown) > COUNT / 2, "most of these scenarios have all that a lesson needs"
    for name, telling in shown:
        assert all(check.ok for check in _checks(telling.shown)), name
        assert all(math.isfinite(x) for x in _numbers(telling.shown)), name
        for form in ONCE:
            own = dataclasses.replace(telling, form=form)
            pages = [render(lessons()[id], dataclasses.replace(own, language=language)) for language in LANGUAGES]
            zh, en = (set(NUMERAL.findall(page)) for page in pages)
            assert zh == en, (name, form, zh ^ en)
            assert not any(map(faults, pages)), (name, form, *map(faults, pages))


def _shown(id: str) -> Iterator[tuple[str, Telling]]:
    """What the lesson shows on each scenario; a list that it needs and nobody gave is an error, not a page."""
    for name, given in CHANCES.items():
        complete, origin = completed(scenario(given))
        try:
            shown = lessons()[id].show(complete)
        except EngineError as error:
            assert error.code in ("missing", "one_value_has_no_sample_variance", "too_long"), (name, error)
            continue
        yield name, Telling("zh", "plain", complete, origin, shown)


def _checks(shown: Shown) -> list[Any]:
    found = [*([shown.facts] if shown.facts else []), *shown.mistakes.values()]
    return [check for facts in found for check in facts.checks]


def _numbers(x: Any) -> Iterator[float]:
    """Every number in what is shown: facts, mistakes, figures."""
    if isinstance(x, Shown):
        facts = [facts.numbers for facts in (x.facts, *x.mistakes.values()) if facts]
        yield from _numbers([facts, [dataclasses.asdict(figure) for figure in x.figures.values()]])
    elif isinstance(x, dict):
        yield from _numbers(list(x.values()))
    elif isinstance(x, list | tuple):
        for item in x:
            yield from _numbers(item)
    elif isinstance(x, int | float):
        yield float(x)


def faults(page: str) -> list[str]:
    """What a reader would see of the machinery: marks of templates, of Markdown that did not close, of formulas."""
    return RAW.findall(FORMULA.sub("", CODE.sub("", page)))


@pytest.mark.parametrize(
    "page", ["so **this** stays", "<<own(0)>>", "a $ b", r"\(x", "nan", "None", "Fraction(1, 2)", "{{ x }}"]
)
def test_a_fault_is_seen(page):
    assert faults(page)


def test_code_and_formulas_are_no_faults():
    assert not faults("```python\nreturn x ** 2\n```\n\n\\(x\\) is `a ** b`, and\n\n$$x_{0} = {{y}}$$\n")
