"""Every number that an answer can show, under the name of what it comes from: what its facts hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.readings.worked import Worked
from lessons._figure import Figure
from lessons._lesson import Shown
from prompts.tell.opening import Told
from prompts.tell.places import numbers as of_projects
from prompts.tell.values import LONGEST_WORKING

COUNTEREXAMPLE = "counterexample"


def facts(shown: Shown, told: Sequence[Told]) -> dict[str, Any]:
    """What was computed; then, each under its own key, what only a part of the page shows."""
    own = dict(shown.facts.numbers) if shown.facts else {}
    refuted = {name: _refuted(one) for name, one in shown.counterexamples.items()}
    beside = {
        "mistaken": {id: dict(wrong.numbers) for id, wrong in shown.mistakes.items()},
        COUNTEREXAMPLE: {**own.get(COUNTEREXAMPLE, {}), **refuted},
        "working": {name: list(dict.fromkeys(met(work))) for name, work in shown.work.items()},
        "figures": {name: _drawn(figure) for name, figure in shown.figures.items()},
        "projects": of_projects(),
        "told": {one.fact.id: one.judged.found for one in _all(told)},
    }
    return {**own, **{key: _plain(x) for key, x in beside.items() if x}}


def _drawn(figure: Figure) -> dict[str, Any]:
    beneath = {} if figure.beneath is None else {"beneath": _drawn(figure.beneath)}
    return {"x": figure.x, **figure.series, **beneath}


def _refuted(one: Any) -> Mapping[str, Any]:
    return {**dict(one.inputs), "left": one.left, "right": one.right}


def _all(told: Sequence[Told]) -> Iterator[Told]:
    for one in told:
        yield one
        yield from one.near


def met(work: Any) -> Iterator[float]:
    """The numbers that the lines of working show: what they start from, and what they come to."""
    lines = work[:LONGEST_WORKING] if isinstance(work, list) else [work]
    for line in lines:
        if isinstance(line, Worked):
            yield float(line.value)
            yield from map(float, _leaves(line.made_from or line))


def _leaves(x: Worked) -> Iterator[Any]:
    if x.operation is None:
        yield x.value
    for operand in x.operands:
        yield from _leaves(operand)


def _plain(x: Any) -> Any:
    """As JSON has it: numbers, lists and tables of them, and the names among them."""
    if isinstance(x, Mapping):
        return {str(key): _plain(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(value) for value in x]
    if x is None or isinstance(x, str | bool | int):
        return x
    try:
        number = float(x)
    except (TypeError, ValueError):
        return str(x)
    return number if math.isfinite(number) else None
