"""A fact's check as data: what is claimed, where it is tried, and the numbers that its reason tells.

claim = "sum(delta) = G_0 - V_0"     what is affirmed; of several cases all: true, none: false, else it depends;
                                     {always = "another_fact"}: that its claim holds in every case; sometimes,
                                     in some; either_way, in some only
on = "{r = [0, 1], V = [1/2, 3/4]}"  where: a situation, or "learner": the numbers that were given where there are
                                     any; "given": whatever was given, a rate alone too, γ and λ 1 unless said;
                                     without it the response at hand (_at_hand.py)
at = ["lam = 1", "lam = 1/2"]        the cases, as changes of it
own = true                           on the learner's own numbers too (_first.on_own), or {tokens = 1}, {decayed = true}
theorem = "telescoping"              proved before the claim is called true
found.sum = "sum(delta)"             the numbers
let.half = "A_0 @ {lam = 1/2}"       $half stands for it in this fact; in the file's table [given], in all of them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from engine.scenario import Scenario
from engine.statements.defined import Definitions
from engine.statements.evaluating import changed, value
from engine.statements.given import EMPTY, Given, given
from engine.statements.settle import settle
from engine.statements.terms import Change, Term
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, Verdict
from lessons._first import numbers, on_own
from lessons._turns import always, either_way, sometimes

KEYS = {"claim", "on", "at", "own", "theorem", "found", "let"}
LEARNER, AS_GIVEN = "learner", "given"
TURNS: Mapping[str, Callable[[Check], Check]] = {"always": always, "sometimes": sometimes, "either_way": either_way}


class Statement:
    """What a fact's table says, read when it is first judged."""

    def __init__(self, where: str, table: Mapping[str, Any], shared: Mapping[str, str]) -> None:
        self.where = where
        self._table = table
        self._definitions = Definitions({**table.get("found", {}), **table.get("let", {})}, shared)

    def __call__(self, scenario: Scenario) -> Judged:
        here = self._here(scenario)
        settings = [changed(here, changes) for changes in self.at]
        settled = settle(self.claims, settings, several(self._table.get("theorem", ())))
        return Judged(cast(Verdict, settled.verdict), {name: value(term, here) for name, term in self.found.items()})

    @cached_property
    def claims(self) -> tuple[Term, ...]:
        return tuple(self._read(text) for text in several(self._table["claim"]))

    @cached_property
    def at(self) -> tuple[tuple[Change, ...], ...]:
        try:
            return tuple(map(self._definitions.changes, several(self._table.get("at", ""))))
        except ValueError as error:
            raise self._error(error) from error

    @cached_property
    def found(self) -> Mapping[str, Term]:
        return {name: self._read(f"${name}") for name in self._table.get("found", {})}

    def _read(self, text: str) -> Term:
        try:
            return self._definitions.read(text)
        except ValueError as error:
            raise self._error(error) from error

    def _here(self, scenario: Scenario) -> Given:
        on = self._table.get("on")
        if on == LEARNER:
            return given(numbers(scenario))
        if on == AS_GIVEN:
            return EMPTY.with_parts(given(scenario).by_name)
        if self._table.get("own"):
            return given(scenario)
        here = given(at_hand())
        if on is None:
            return here
        found = value(self._read(on), here)
        if not isinstance(found, Given):
            raise self._error(ValueError(f"no situation: {on}"))
        return found

    def _error(self, error: ValueError) -> ValueError:
        return ValueError(f"{self.where}: {error}")


def checks(path: Path, tables: Mapping[str, Mapping[str, Any]], shared: Mapping[str, str]) -> dict[str, Check]:
    """The check of every fact that claims something as data, by its id."""
    found = {
        id: _check(f"{path}: {id}", one, shared) for id, one in tables.items() if isinstance(one["claim"], str | list)
    }
    for id, one in tables.items():
        if isinstance(one["claim"], Mapping):
            found[id] = _turned(f"{path}: {id}", one["claim"], found)
    return found


def _turned(where: str, claim: Mapping[str, str], found: Mapping[str, Check]) -> Check:
    """That another fact's claim holds in every case, in some, or in some only."""
    turned = [(TURNS[how], found[id]) for how, id in claim.items() if how in TURNS and id in found]
    if len(turned) != 1 or len(claim) != 1:
        raise ValueError(f"{where}: a claim is a text, texts, or one of {', '.join(TURNS)} with another claim's fact")
    turn, base = turned[0]
    return turn(base)


def _check(where: str, table: Mapping[str, Any], shared: Mapping[str, str]) -> Check:
    statement, own = Statement(where, table, shared), table.get("own")
    return on_own(statement, **(own if isinstance(own, Mapping) else {})) if own else statement


def several(x: str | Sequence[str]) -> tuple[str, ...]:
    return (x,) if isinstance(x, str) else tuple(x)
