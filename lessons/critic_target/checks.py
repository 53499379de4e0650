"""What no relation between quantities says: what projects do, and that the prompt's tokens are no part of the loss."""

from __future__ import annotations

from fractions import Fraction

from engine import conventions
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact
from lessons._fact import Check, Judged, holds


def _prompt_is_trained(_: Scenario) -> Judged:
    terms = exact("value_loss")["max_sq_err"]
    return Judged(
        holds(len(terms) > RUNNING.length),
        {"terms": len(terms), "T": RUNNING.length, "prompt": len(RUNNING.prompt or "")},
    )


def _projects_halve(_: Scenario) -> Judged:
    """One token, its prediction off by one."""
    losses = [
        Fraction(conventions.value_loss(c, [[Fraction(2)]], [[Fraction(2)]], [[Fraction(1)]], [[1]], None))
        for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(set(losses) == {Fraction(1, 2)}), {"losses": losses})


FACTS: dict[str, Check] = {
    "critic_is_trained_on_prompt_tokens": _prompt_is_trained,
    "projects_halve_the_value_loss": _projects_halve,
}
