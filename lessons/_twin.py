"""A twin is run on the numbers that a lesson shows: what it takes, what it gives, what each of its lines assigned."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

import torch

from engine.scenario import PER_TOKEN, Scenario

Function = Callable[..., Any]
_RECURSIVE = "gamma"  # a parameter of the twins that run along one response


@dataclass(frozen=True)
class Step:
    """What a line assigned, each time that it ran: name → the values. Of an assignment to a part, the whole at last."""

    names: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Run:
    results: Mapping[str, Any]
    steps: Mapping[int, Step]  # by line of the twin's body, from zero


def inputs(twin: Function, numbers: Mapping[str, Any], scenario: Scenario) -> dict[str, Any] | None:
    """What a twin takes, out of facts and parameters; nothing where a part is missing or rows differ in length."""
    found = {name: _given(name, numbers, scenario) for name in inspect.signature(twin).parameters}
    if any(x is None for x in found.values()):
        return None
    whole = "mask" in found
    fitted = {name: fit(x, alone=_RECURSIVE in found, whole=whole) for name, x in found.items()}
    return None if any(_ragged(x) for x in fitted.values()) else fitted


def fit(x: Any, *, alone: bool, whole: bool = False) -> Any:
    """A list without what is masked: of a batch the first response for a twin that runs along it, else all tokens."""
    if not isinstance(x, list) or not _masked(x):
        return x
    if whole:
        return [[y or 0.0 for y in row] if isinstance(row, list) else row or 0.0 for row in x]
    rows = x if isinstance(x[0], list) else [x]
    return [y for row in (rows[:1] if alone else rows) for y in row if y is not None]


def returned(twin: Function) -> tuple[str, ...]:
    """The names of what a twin computes."""
    found = _definition(twin).body[-1]
    assert isinstance(found, ast.Return), f"{twin.__name__} returns nothing"
    assert isinstance(found.value, ast.Tuple), f"{twin.__name__} returns no names"
    return tuple(ast.unparse(name) for name in found.value.elts)


def lines(twin: Function) -> list[str]:
    """The lines of a twin, without its head and what is returned."""
    source = textwrap.dedent(inspect.getsource(twin)).splitlines()
    body = _definition(twin).body
    return textwrap.dedent("\n".join(source[body[0].lineno - 1 : body[-1].lineno - 1])).splitlines()


def run(twin: Function, given: Mapping[str, Any]) -> Run:
    """A twin on these inputs, watched line by line."""
    definition = _definition(twin)
    first = definition.lineno
    assigned = {node.lineno - first: node for node in ast.walk(definition) if isinstance(node, ast.Assign)}
    noted: dict[int, list[list[Any]]] = {}
    at = [0]  # the line that runs now

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not twin.__code__:
            return None
        node = assigned.get(at[0]) if event != "exception" else None
        if node is not None:
            found = [frame.f_locals[_name(target)] for target in _targets(node)]
            noted.setdefault(at[0], []).append([x.clone() if isinstance(x, torch.Tensor) else x for x in found])
        at[0] = frame.f_lineno - twin.__code__.co_firstlineno if event == "line" else 0
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        found = twin(**{name: _tensor(x) for name, x in given.items()})
    finally:
        sys.settrace(before)
    body = definition.body[0].lineno - first
    steps = {line - body: _step(assigned[line], values) for line, values in noted.items()}
    return Run({name: _plain(x) for name, x in zip(returned(twin), found, strict=True)}, steps)


def _given(name: str, numbers: Mapping[str, Any], scenario: Scenario) -> Any:
    if name in numbers:
        return numbers[name]
    found = getattr(scenario, name, None)
    if name not in PER_TOKEN or found is None:
        return [*map(float, found)] if isinstance(found, tuple) and not isinstance(found[0], tuple) else found
    kept = scenario.rows("mask") if scenario.mask and name != "mask" else (None,) * len(scenario.rows(name))
    rows = [_real(row, mask) for row, mask in zip(scenario.rows(name), kept, strict=True)]
    return rows if scenario.batched else rows[0]


def _real(row: Sequence[float], mask: Sequence[float] | None) -> list[float | None]:
    return [x if mask is None or mask[t] else None for t, x in enumerate(row)]


def _masked(x: Sequence[Any]) -> bool:
    return any(y is None for row in x for y in (row if isinstance(row, list) else [row]))


def _ragged(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and len({len(row) if isinstance(row, (list, tuple)) else -1 for row in x}) > 1


@cache
def _definition(twin: Function) -> ast.FunctionDef:
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(twin))).body
    assert isinstance(found, ast.FunctionDef), f"{twin} is no function"
    return found


def _targets(node: ast.Assign) -> list[ast.expr]:
    return [name for target in node.targets for name in _elements(target)]


def _elements(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _name(target: ast.expr) -> str:
    """Of an assignment into a part, the whole's."""
    return ast.unparse(target.value if isinstance(target, ast.Subscript) else target)


def _step(node: ast.Assign, values: Sequence[Sequence[Any]]) -> Step:
    targets = _targets(node)
    by_name = [[_plain(one[i]) for one in values] for i in range(len(targets))]
    parts = [isinstance(target, ast.Subscript) for target in targets]
    kept = [one[-1:] if part else one for part, one in zip(parts, by_name, strict=True)]
    return Step(tuple(_name(target) for target in targets), tuple(map(tuple, kept)))


def _tensor(x: Any) -> Any:
    return torch.tensor(x, dtype=torch.float64) if isinstance(x, (list, tuple)) else x


def _plain(x: Any) -> Any:
    return x.tolist() if isinstance(x, torch.Tensor) else x
