"""The pictures of the workbench: from a scenario to SVG, each with the settings that move it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.scenario import Scenario
from lessons._figure import TOKEN, Figure, by_place, over_tokens
from lessons._first import first_response
from lessons._lesson import Shown
from prompts.bench import computing
from prompts.tell.draw import drawn
from prompts.tell.figures import picture
from prompts.tell.values import Values
from prompts.tell.words import word

HELD = ("values", "rewards")  # what can be moved in a picture


@dataclass(frozen=True)
class Kind:
    draw: Callable[..., Figure]
    moved_by: tuple[str, ...]
    possible: Callable[[Scenario], bool] = lambda given: given.values is not None


def _flow(own: Scenario, hidden: Sequence[str] = ()) -> Figure:
    names = ("values", "rewards", "deltas", "advantages") if own.values else ("rewards", "mc_returns")
    return over_tokens("lanes", _rows(own, *(name for name in names if name not in hidden)), "number")


def _lines(own: Scenario) -> Figure:
    return over_tokens("together", _rows(own, "values", "returns", "mc_returns"), "number")


def _waterfall(own: Scenario) -> Figure:
    found = computing.steps(own).numbers
    places = tuple(range(own.length))
    ends = {"start": found["values"][0], "end": found["mc_returns"][0]}
    series = _series(found, "discounted_deltas")
    return Figure("waterfall", places, series, x_name="token", y_name="values", z_name="mc_returns", **ends)


def _heard(own: Scenario) -> Figure:
    fading = computing.heard(own)
    return by_place([[0.0] * t + list(fading[: own.length - t]) for t in range(own.length)], "deltas", "advantages")


def _weights(own: Scenario) -> Figure:
    found = computing.weights(own).numbers
    steps = tuple(range(1, own.length + 1))
    return Figure("together", steps, {"weight": _tuple(found["weights"])}, "n_steps", "weight")


def _sweep(own: Scenario) -> Figure:
    found = computing.sweep(own).numbers["sweep"]
    rows = {f"λ = {lam}": _tuple(row) for lam, row in found.items()}
    return Figure("matrix", tuple(range(own.length)), rows, "advantages", "lam")


def _update(own: Scenario) -> Figure:
    return over_tokens("lanes", _rows(own, "advantages", "ratio", "objective_terms", update=True), "number")


def _rows(own: Scenario, *names: str, update: bool = False) -> dict[str, tuple[Any, ...]]:
    """What the table shows, as it was computed for it."""
    rows = {name: row.numbers for name, row in computing.computed(own, update=update).rows.items()}
    return {name: (own.values or ()) if name == "values" else rows[name] for name in names}


def _series(found: Mapping[str, Any], *names: str) -> dict[str, tuple[Any, ...]]:
    return {name: _tuple(found[name]) for name in names}


def _tuple(row: Any) -> tuple[Any, ...]:
    return tuple(row) if isinstance(row, list) else (row,)


def _short(given: Scenario) -> bool:
    return given.values is not None and given.length <= computing.LONGEST_MATRIX


KINDS: Mapping[str, Kind] = {
    "flow": Kind(_flow, ("gamma", "lam", "beta"), lambda _: True),
    "lines": Kind(_lines, ("gamma", "lam", "beta")),
    "waterfall": Kind(_waterfall, ("gamma", "beta")),
    "heard": Kind(_heard, ("gamma", "lam"), _short),
    "weights": Kind(_weights, ("lam",), _short),
    "sweep": Kind(_sweep, ("gamma", "beta")),
    "update": Kind(_update, ("gamma", "lam", "beta", "eps"), computing.can_update),
}


def kinds(given: Scenario, hidden: Sequence[str] = ()) -> tuple[str, ...]:
    """The pictures that can be drawn of these numbers, and give nothing away."""
    if hidden:
        return ("flow",)
    return tuple(name for name, kind in KINDS.items() if kind.possible(given))


def moving(kind: str, given: Scenario) -> tuple[str, ...]:
    """The settings that move a picture of these numbers."""
    from_scores = given.scores is not None and given.rewards is None
    return tuple(name for name in KINDS[kind].moved_by if name != "beta" or from_scores)


def draw(kind: str, given: Scenario, language: str, hidden: Sequence[str] = ()) -> str:
    """The picture of the response's real tokens, as SVG."""
    own = first_response(given)
    figure = KINDS[kind].draw(own, hidden) if hidden else KINDS[kind].draw(own)
    words = f"{word(language, 'bench', f'picture_{kind}')}\n{word(language, 'bench', f'seen_{kind}')}"
    found = picture(figure, words, Values(language, own, {}, Shown()))
    return drawn(replace(found, held=_held(found.figure, given)))


def _held(figure: Figure, given: Scenario) -> dict[str, tuple[int, ...]]:
    """The series that can be moved, and where each of their numbers stands in what was given."""
    if figure.kind not in ("lanes", "together") or not figure.over_time or figure.x_name != TOKEN:
        return {}
    real = [t for t in range(given.length) if given.mask is None or given.mask[t]]
    return {name: tuple(real[t] for t in figure.x) for name in HELD if name in figure.series}
