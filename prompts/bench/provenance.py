"""Where each number of the workbench comes from: its line, its function, its device, and all its digits."""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.notation import SYMBOLS, Symbol, show
from engine.scenario import Scenario
from lessons._first import first_response
from prompts.bench import computing, state
from prompts.bench.names import listed, moved_by, question, symbol
from prompts.bench.page import Asked, read
from prompts.bench.predicting import hidden_with
from prompts.bench.state import DERIVED, is_derived
from prompts.bench.table import Table
from prompts.tell.figures import ELLIPSIS
from prompts.tell.marks import near
from prompts.tell.values import LONGEST_WORKING
from prompts.tell.words import word

LONGEST = 200  # tokens


def working(request: Any) -> dict[str, Any]:
    """`name.t` → what is told of a number; `asks`: name → the question that explains it."""
    asked = read(request)
    try:
        given = state.opened(asked.text)
        found = computing.computed(given, update=asked.update)
        hidden = hidden_with(asked.hidden) if asked.hidden in found.rows else ()
        lines = computing.working(given, hidden, update=asked.update) if given.length <= LONGEST else {}
    except EngineError:
        return {"told": {}, "asks": {}, "hears": [], **_words(asked)}
    table = Table(given, found, asked.language, asked.update)
    told: dict[str, list[str]] = {}
    for name, row in found.rows.items():
        for t in range(given.length):
            line, x = lines.get(f"{name}.{t}", ""), row.numbers[t]
            by = asked.say("source", by=computing.made_by(name, given), device=found.device)
            called = symbol(name, asked.language, t)
            told[f"{name}.{t}"] = [line] if name in hidden else _computed(called, x, line, by, asked)
    for name in table.names:
        moved = listed(moved_by(name, given, found.rows), asked.language)
        for t in range(given.length):
            if is_derived(name, given):
                told[f"{name}.{t}"] = told[f"{DERIVED[name]}.{t}"]
            else:
                told[f"{name}.{t}"] = _typed(name, t, given, moved, asked)
    for t, heard in _hears(given, asked).items():
        told[f"token.{t}"] = [heard]
        told.setdefault(f"advantages.{t}", []).append(heard)
    numbers = {name: row.numbers for name, row in found.rows.items() if name not in hidden}
    numbers |= {name: row for name in table.names if name not in numbers and (row := getattr(given, name))}
    return {
        "told": told,
        "numbers": {f"{name}.{t}": x for name, row in numbers.items() for t, x in enumerate(row) if x is not None},
        "heads": {Symbol(name).latex: name for name in numbers if name in SYMBOLS},
        "asks": {name: question(name, asked.language) for name in (*found.rows, *table.names)},
        "hears": _weights(given),
        **_words(asked),
    }


def _computed(called: str, x: float | None, line: str, by: str, asked: Asked) -> list[str]:
    if x is None:
        return [asked.say("masked_out")]
    without = [f"{called} = {near(x)}", asked.say("no_line")]
    return [*([line] if line else without), asked.say("full", number=repr(x)), by]


def _typed(name: str, t: int, given: Scenario, moved: str, asked: Asked) -> list[str]:
    row = getattr(given, name)
    if row is None:
        return []
    return [f"{symbol(name, asked.language, t)} = {show(row[t]).text}", asked.say("typed", rows=moved)]


def _hears(given: Scenario, asked: Asked) -> dict[int, str]:
    """Which δ's each advantage is made of, and how much of each."""
    if given.values is None:
        return {}
    fading = _weights(given)
    places = [t for t in range(given.length) if given.mask is None or given.mask[t]]
    joint = word(asked.language, "labels", "and")
    return {
        t: asked.say(
            "hears",
            symbol=symbol("advantages", asked.language, t),
            parts=joint.join(
                asked.say("heard", symbol=symbol("deltas", asked.language, k), weight=near(weight))
                for k, weight in zip(places[i : i + LONGEST_WORKING], fading, strict=False)
                if weight
            )
            + (joint + ELLIPSIS if len(places) - i > LONGEST_WORKING else ""),
        )
        for i, t in enumerate(places)
    }


def _weights(given: Scenario) -> list[float]:
    return list(computing.heard(first_response(given))) if given.values is not None else []


def _words(asked: Asked) -> dict[str, str]:
    return {name: asked.say(name) for name in ("hint", "explain")}
