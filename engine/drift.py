"""A world of two tokens in which everything is known: what the surrogate promises of a new policy, and what comes.

Each of two tokens is "a" or "b", "a" with one and the same probability; the response earns 1 if its tokens differ.
"""

from __future__ import annotations

from typing import Any

from engine import formulas
from engine.ops import Number

TOKENS = ("a", "b")


def _probability(token: str, of_a: Number) -> Number:
    return of_a if token == "a" else 1 - of_a


def _expected(of_a: Number, quantity: dict[str, Number]) -> Number:
    return sum(_probability(token, of_a) * quantity[token] for token in TOKENS)


def _values(of_a: Number) -> tuple[Number, dict[str, Number]]:
    """The exact V before the first token, and after each that it can be: the other one must follow."""
    after = {token: 1 - _probability(token, of_a) for token in TOKENS}
    return _expected(of_a, after), after


def promised(old: Number, new: Number) -> Number:
    """The surrogate, enumerated: Σ ρA over the tokens, in the states that the old policy visits."""
    before, after = _values(old)
    total = _weighed(old, new, {token: formulas.advantage(after[token], before) for token in TOKENS})
    for first in TOKENS:
        outcome = {token: 1 if token != first else 0 for token in TOKENS}
        own = {token: formulas.advantage(outcome[token], after[first]) for token in TOKENS}
        total = total + _probability(first, old) * _weighed(old, new, own)
    return total


def _weighed(old: Number, new: Number, advantages: dict[str, Number]) -> Number:
    """The mean of ρA over the old policy's tokens."""
    terms = {
        token: formulas.surrogate_term(_probability(token, new) / _probability(token, old), advantages[token])
        for token in TOKENS
    }
    return _expected(old, terms)


def earned(old: Number, new: Number) -> Number:
    """How much more the new policy really gets on average."""
    return formulas.advantage(_values(new)[0], _values(old)[0])


def along(old: float, steps: int) -> Any:
    """A program: promise and truth for probabilities from the old one up to 1."""

    def program(x: Any) -> dict[str, Any]:
        start = x.number("p", old)
        new = [start + (1 - start) * x.number("p", float(k)) / steps for k in range(steps + 1)]
        return {
            "p": [new],
            "promised": [[promised(start, p) for p in new]],
            "earned": [[earned(start, p) for p in new]],
        }

    return program
