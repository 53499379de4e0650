"""A world that is known: what λ does to bias and variance in it, in closed form and by simulation, and the best λ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from engine import formulas
from engine.chance import bias_of_later_values, noise_of_later_tokens, sampled, spread, value_errors, walk
from engine.facts import Facts, Inputs, compute
from engine.ops import Number
from engine.scenario import Scenario

TOKENS, STEP, FADE = 6, 0.25, 0.5  # a token moves the outlook by STEP; the critic's error halves with every token
ERROR, ERRORS = 0.5, (0.0, 0.25, 0.5, 1.0, 2.0)  # how far the critic is off after the first token
LAMS = (0.0, 0.25, 0.5, 0.75, 1.0)
FINE = tuple(i / 20 for i in range(21))  # where the best λ is looked for
DRAWS = 2000


@cache
def world() -> Facts:
    """By λ: bias, variance and mean squared error of A_0 about the first token's true advantage."""
    return compute(_world, _NOTHING)


_NOTHING = Scenario()
_SIMULATED = spread(sampled(walk(TOKENS, step=STEP, error=ERROR, fade=FADE, first=1), DRAWS), LAMS)


def _world(x: Inputs) -> dict[str, Any]:
    """In closed form, and beside it the mean squared error in a simulation."""
    truth, at = x.number("step", STEP), [_errors(x, ERROR, lam) for lam in LAMS]
    drawn = _SIMULATED(x)
    seen = [formulas.squared_error(mean, truth) + spread for mean, spread in _pairs(drawn["mean"], drawn["variance"])]
    best = [_best(x, error) for error in ERRORS]
    return {
        "tokens": TOKENS,
        "step": x.number("step", STEP),
        "error": x.number("error", ERROR),
        "draws": DRAWS,
        "rows": [[x.number("lam", lam), *parts, s] for lam, parts, s in zip(LAMS, at, seen, strict=True)],
        "truth": truth,
        "best": [[x.number("error", error), *found] for error, found in zip(ERRORS, best, strict=True)],
        "curve": [[x.number("lam", lam), *_errors(x, ERROR, lam)] for lam in FINE],
    }


def _pairs(*columns: Sequence[Number]) -> list[tuple[Number, ...]]:
    return list(zip(*columns, strict=True))


def _errors(x: Inputs, error: float, lam: float) -> tuple[Number, Number, Number]:
    """Bias, variance and mean squared error of A_0 at one λ, in closed form; γ is 1."""
    one, number = x.number("gamma", 1.0), x.number("lam", lam)
    off = value_errors(TOKENS, x.number("error", error), x.number("fade", FADE))
    bias = bias_of_later_values(off, one, number)
    variance = noise_of_later_tokens(x.number("step", STEP) ** 2, TOKENS, one, number)
    return bias, variance, formulas.squared_error(bias, 0 * bias) + variance


def _best(x: Inputs, error: float) -> Sequence[Number]:
    """The λ of the least mean squared error, that error, and those at λ = 0 and 1."""
    squares = [_errors(x, error, lam)[2] for lam in FINE]
    place = min(range(len(FINE)), key=lambda i: squares[i])
    return [x.number("lam", FINE[place]), squares[place], squares[0], squares[-1]]
