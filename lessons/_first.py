"""The first response of a scenario alone: what the worked lines of a page speak of."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Program, work
from engine.scenario import PER_TOKEN, Scenario, written
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged

FEW = 64  # tokens of a batch that is worked through


def first_response(scenario: Scenario) -> Scenario:
    """The first response's real tokens, as a scenario without a mask."""
    if scenario.mask is None and not scenario.batched:
        return scenario
    keep = scenario.rows("mask")[0] if scenario.mask else (1.0,) * scenario.length
    lists = {name: _kept(scenario.rows(name)[0], keep) for name in PER_TOKEN if getattr(scenario, name) is not None}
    tokens = {} if scenario.tokens is None else {"tokens": _kept(written(scenario.tokens)[0], keep)}
    return Scenario(**{**scenario.given(), **lists, **tokens, "mask": None})


def worked(program: Program, scenario: Scenario) -> Mapping[str, Any]:
    """The first response's working; none where holes would give its tokens other numbers than the tables do."""
    return work(program, first_response(scenario)) if counted_alike(scenario) else {}


def worked_together(program: Program, scenario: Scenario) -> Mapping[str, Any]:
    """The first response's working where the batch has a part in it: its mean, its deviation."""
    if not scenario.batched:
        return worked(program, scenario)
    few = scenario.length * len(scenario.rows(next(x for x in PER_TOKEN if getattr(scenario, x)))) <= FEW
    return work(program, scenario) if few and scenario.mask is None else {}


def counted_alike(scenario: Scenario) -> bool:
    """Whether the first response's tokens have the same numbers alone as in the tables: nothing masked before them."""
    keep = scenario.rows("mask")[0] if scenario.mask else ()
    return list(keep) == sorted(keep, reverse=True)


def _kept(row: tuple[Any, ...], keep: tuple[float, ...]) -> tuple[Any, ...]:
    return tuple(x for x, m in zip(row, keep, strict=True) if m)


def numbers(scenario: Scenario) -> Scenario:
    """The first response where it has what δ is made of, else the one at hand: what a claim is tried on."""
    has_rewards = scenario.rewards is not None or scenario.scores is not None
    return first_response(scenario if has_rewards and scenario.values is not None else at_hand())


def on_own(check: Check, tokens: int = 2, *, decayed: bool = False) -> Check:
    """The check on the learner's own numbers where they show it, else on the running example; `own` says which.

    A response of a single token, or with γ at zero, can make a wrong claim come out right; and where the reason is that
    advantages hold later δ (`decayed`), γλ must let them in.
    """

    def judged(given: Scenario) -> Judged:
        own, example = numbers(given), check(RUNNING)
        fit = own.length >= tokens and not (decayed and 0 in (own.gamma, own.lam))
        if fit and own != first_response(RUNNING):
            with suppress(EngineError):  # too long for it, or without a list that it reads
                found = check(own)
                if found.verdict == example.verdict:
                    return Judged(found.verdict, {**found.found, "own": True})
        return Judged(example.verdict, {**example.found, "own": False})

    return judged
