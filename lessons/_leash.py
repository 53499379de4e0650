"""A policy on the leash of a reference: the best one for what is paid, and what it is worth, truly paid or fooled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.facts import Inputs, exact_facts
from engine.ops import exp
from engine.proofs.programs import expected
from engine.scenario import Scenario

REFERENCE, PAID = (0.5, 0.25, 0.25), (0.0, 0.0, 1.0)  # of three tokens: their chance, their score
HOLED = (0.5, 0.5, 0.0)  # what they are worth where the score is fooled by the last


def mean_worth(beta: float, worth: Sequence[float], times: int = 1) -> float:
    """What the best policy for score − β·KL gets on average, by this worth of the tokens.

    With `times` the reference is renewed so often: each time the best policy becomes the next reference.
    """

    def program(x: Inputs) -> dict[str, Any]:
        p = [x.number("q", share) for share in REFERENCE]
        paid, b = [x.number("rewards", r) for r in PAID], x.number("beta", beta)
        for _ in range(times):
            weights = [share * exp(r / b) for share, r in zip(p, paid, strict=True)]
            whole = sum(weights[1:], weights[0])
            p = [w / whole for w in weights]
        true = [x.number("worth", w) for w in worth]
        return {"mean": expected(p, lambda a: true[a])}

    return round(float(exact_facts(program, Scenario())["mean"]), 4)
