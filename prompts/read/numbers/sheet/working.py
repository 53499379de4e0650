"""Lists that stand only inside worked lines: δ_0 = 0 + 0.9 · 0.4 − 0.3 gives r_0, V_0 and γ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from prompts.read.numbers.sheet.cell import Cell, Series
from prompts.read.numbers.sheet.labels import meanings

_X = r"(?:\( )?(?:- )?\d*\.?\d+(?: \))?"
_DELTA = re.compile(rf"(?P<r>{_X})(?: \+ (?:(?P<g>{_X}) \* )?(?P<n>{_X}))? - (?P<v>{_X})")
_ADVANTAGE = re.compile(rf"(?P<d>{_X}) \+ (?:(?P<g>{_X}) \* (?:(?P<l>{_X}) \* )?)?(?P<a>{_X})")


def worked_out(series: Sequence[Series], settings: dict[str, float]) -> tuple[list[Series], dict[str, float]]:
    """The series that worked lines show, where they are not given by themselves, and the rates that they use."""
    named = {names[0]: one for one in reversed(series) if (names := meanings(one.label))}
    if "deltas" in named and "values" not in named and "scores" not in named:
        found = _of_deltas(named["deltas"], settings)
        return ([x for x in found[0] if x.label == "V" or "rewards" not in named], found[1]) if found else ([], {})
    if "advantages" in named and not {"deltas", "rewards", "values", "scores"} & named.keys():
        return _of_advantages(named["advantages"], settings) or ([], {})
    return [], {}


def _number(written: str) -> float:
    return float(written.strip("() ").replace(" ", ""))


def _of_deltas(one: Series, settings: dict[str, float]) -> tuple[list[Series], dict[str, float]] | None:
    lines = [None if c is None else _DELTA.fullmatch(c.working) for c in one.cells]
    if not all(lines) or len(lines) < 2 or not one.indices:
        return None
    worked = [line for line in lines if line]
    values = [_number(line["v"]) for line in worked]
    rewards = [_number(line["r"]) for line in worked]
    for t, (line, after) in enumerate(zip(worked, values[1:], strict=False)):
        if not line["n"] and rewards[t] == after:  # V_1 - V_0, where there is no reward
            rewards[t] = 0.0
    rows = [rewards, values]
    gammas = Counter(_number(line["g"]) for line in lines if line and line["g"])
    series = [
        Series(name, tuple(Cell("", x, 0, -1) for x in row), indices=one.indices)
        for name, row in zip("rV", rows, strict=True)
    ]
    own = {"gamma": gammas.most_common(1)[0][0]} if gammas else {"gamma": 1.0}
    return series, {} if "gamma" in settings else own


def _of_advantages(one: Series, settings: dict[str, float]) -> tuple[list[Series], dict[str, float]] | None:
    lines = [None if c is None else _ADVANTAGE.fullmatch(c.working) for c in one.cells]
    if len(lines) < 2 or not one.indices or not all(lines[:-1]) or one.cells[-1] is None:
        return None
    last = one.cells[-1]
    row = [_number(line["d"]) for line in lines[:-1] if line] + [last.value]
    cells = tuple(Cell("", x, 0, -1) for x in row)
    products = Counter(_number(line["g"]) * _number(line["l"] or "1") for line in lines if line and line["g"])
    rates = {"gamma": 1.0, "lam": products.most_common(1)[0][0]} if products else {}
    known = {"gamma", "lam"} <= settings.keys()
    return [Series("δ", cells, indices=one.indices)], {} if known else rates
