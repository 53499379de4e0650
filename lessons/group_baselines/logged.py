"""What GRPO's logs show: a loss that starts at zero, and advantages whose mean is always zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import formulas, groups
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

SCORES = (1.0, 0.0, 0.0, 1.0, 1.0)
LOGP, REF = (-0.5, -1.5, -1.0, -0.75, -2.0), (-0.75, -1.25, -1.5, -0.75, -1.0)  # of a policy that has moved
BETA = 0.04
BY_SKILL = ((1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0))  # the same prompt, ever better answered
ROUNDING = 1e-6


def _advantages(scores: Sequence[float]) -> list[Any]:
    return list(groups.grpo(scores, [0] * len(scores)))


def _mean(xs: Sequence[float]) -> float:
    return sum(xs) / len(xs)


def _loss(logp: Sequence[float], ref: Sequence[float]) -> tuple[float, float]:
    """With one update for each batch the policy is its own old policy; the KL beside it, as GRPO estimates it."""
    terms = [formulas.surrogate_term(formulas.ratio(x, x), a) for x, a in zip(logp, _advantages(SCORES), strict=True)]
    kl = _mean([formulas.k3(x, y) for x, y in zip(logp, ref, strict=True)])
    return -_mean(terms) + BETA * kl, kl


def _slopes(logp: Sequence[float]) -> list[float]:
    """The policy term by each log-prob, from two points on either side; the old log-prob stays."""
    step = 1e-5
    return [
        float((formulas.ratio(x + step, x) - formulas.ratio(x - step, x)) * a / (2 * step))
        for x, a in zip(logp, _advantages(SCORES), strict=True)
    ]


def _starts_at_zero(_: Scenario) -> Judged:
    first, _none = _loss(REF, REF)
    later, kl = _loss(LOGP, REF)
    slopes = _slopes(REF)
    return Judged(
        holds(abs(first) < ROUNDING and abs(later - BETA * kl) < ROUNDING < later and all(map(abs, slopes))),
        {
            "scores": list(SCORES),
            "first": abs(round(first, 6)),
            "beta": BETA,
            "kl": round(kl, 4),
            "later": round(later, 6),
            "slopes": [round(s, 4) for s in slopes],
        },
    )


def _mean_tells_nothing(_: Scenario) -> Judged:
    """The same mean of advantages for a policy that fails mostly and for one that mostly succeeds."""
    means = [abs(_mean([float(a) for a in _advantages(scores)])) for scores in BY_SKILL]
    scores = [_mean(group) for group in BY_SKILL]
    return Judged(
        holds(all(mean < ROUNDING for mean in means) and not close(scores[0], scores[-1])),
        {"scores": scores, "means": [round(mean, 6) for mean in means], "bound": ROUNDING},
    )


LOGGED: dict[str, Check] = {
    "grpo_loss_starts_at_zero_and_becomes_the_kl": _starts_at_zero,
    "mean_of_a_groups_advantages_tells_nothing": _mean_tells_nothing,
}
