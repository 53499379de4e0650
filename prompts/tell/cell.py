"""A twin as a learner pastes it: its inputs, its lines, and beside each line the value that it has on these numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from engine.notation import show
from engine.scenario import Scenario
from lessons import _twin
from lessons._lesson import Shown
from lessons._twin import Function, Step

DIGITS = 3
EXACT = 12  # digits of what is put in
WIDTH = 96  # of a list that is put in
MOST = 8  # numbers of a list beside a line


def code_of(shown: Shown, scenario: Scenario) -> str:
    """The first of a lesson's twins whose inputs are there, on its numbers or those that it is explained by."""
    own = shown.facts.numbers if shown.facts else {}
    numbers = {**own.get("counterexample", {}), **own}
    return next(filter(None, (cell(twin, numbers, scenario) for twin in shown.twins)), "")


def cell(twin: Function, numbers: Mapping[str, Any], scenario: Scenario) -> str:
    """The cell; empty where an input is missing."""
    given = _twin.inputs(twin, numbers, scenario)
    if given is None:
        return ""
    steps = _twin.run(twin, given).steps
    told = [_beside(line, steps.get(i)) for i, line in enumerate(_twin.lines(twin))]
    return "\n".join(["import torch", "", *_inputs(given), "", *told])


def _inputs(given: Mapping[str, Any]) -> list[str]:
    lists = {name: x for name, x in given.items() if isinstance(x, (list, tuple))}
    rates = {name: x for name, x in given.items() if name not in lists}
    lines = [_wrapped(f"{name} = torch.tensor({_written(x)})") for name, x in lists.items()]
    return [*lines, *([f"{', '.join(rates)} = {', '.join(map(_written, rates.values()))}"] if rates else [])]


def _wrapped(line: str) -> str:
    return fill(line, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _written(x: Any) -> str:
    """As Python reads it."""
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(map(_written, x))}]"
    return str(x) if isinstance(x, int) else f"{x:.{EXACT}g}" + ("" if x % 1 else ".0")


def beside(line: str, values: Sequence[Any]) -> str:
    """A line with what it assigned."""
    return f"{line}  # {'; '.join(map(_shown, values))}"


def _beside(line: str, step: Step | None) -> str:
    shown = [text for values in step.values if (text := _values(values))] if step else []
    return f"{line}  # {'; '.join(shown)}" if shown else line


def _values(values: Sequence[Any]) -> str:
    """What was assigned: each time, where a line ran again and again. Zeros to start with say nothing."""
    if all(_zero(x) for x in values):
        return ""
    return _shown(values[0]) if len(values) == 1 else _joined(values)


def _zero(x: Any) -> bool:
    return all(map(_zero, x)) if isinstance(x, list) else x == 0


def _shown(x: Any) -> str:
    if x is None:
        return "–"
    return f"[{_joined(x)}]" if isinstance(x, list) else show(float(x), DIGITS).text


def _joined(xs: Sequence[Any]) -> str:
    shown = [_shown(x) for x in xs]
    return ", ".join(shown if len(xs) <= MOST else [*shown[: MOST // 2], "…", *shown[-MOST // 2 :]])
