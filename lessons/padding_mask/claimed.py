"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds

JUNK = 0.5


def _junk_reaches_one_token_at_lambda_zero(_: Scenario) -> Judged:
    """An unmasked loop, with a value after EOS that should not be there."""
    row = {"rewards": [0.0, 0.0, 1.0, 0.0], "mask": [1, 1, 1, 0], "gamma": 1.0, "lam": 0.0}
    clean, junk = (alone("padding_leak", values=[0.5, 0.6, 0.9, v], **row)["unmasked"] for v in (0.0, JUNK))
    moved = [b - a for a, b in zip(clean, junk, strict=True)][:-1]
    return Judged(
        holds(not any(moved[:-1]) and close(moved[-1], JUNK)), {"junk": JUNK, "eos": moved[-1], "earlier": moved[-2]}
    )


CHECKS: dict[str, Check] = {
    "junk_reaches_one_token_at_lambda_zero": _junk_reaches_one_token_at_lambda_zero,
}
