"""From scores and log-probabilities to token rewards, on lists of any number kind."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from engine import formulas
from engine.errors import EngineError
from engine.masks import Mask, each_valid, last_valid
from engine.ops import Number, named
from engine.sequences import Row

KL_KINDS: dict[str, Callable[[Number, Number], Number]] = {
    "k1": formulas.k1,
    "k2": formulas.k2,
    "k3": formulas.k3,
    "k1_clamped": lambda logp_t, ref_logp_t: formulas.clamped_kl(formulas.k1(logp_t, ref_logp_t)),
    "k2_clamped": lambda logp_t, ref_logp_t: formulas.clamped_kl(formulas.k2(logp_t, ref_logp_t)),
    "k3_clamped": formulas.k3_clamped,
    "abs": formulas.abs_kl,
}


class Placement(Enum):
    """Where the score of a whole response is put."""

    LAST_VALID = "last_valid"
    FIRST_PADDING = "first_padding"  # TRL 0.12 to 1.9; the last valid token if the response fills its row


def kl_estimator(kind: str) -> Callable[[Number, Number], Number]:
    """The estimator of that name; a "+" behind it keeps its value and takes the derivative of k2."""
    base = kind.removesuffix("+")
    if base not in KL_KINDS:
        raise EngineError("unknown_kl_kind", kind=kind, kinds=sorted(KL_KINDS))
    value = KL_KINDS[base]
    if base == kind:
        return value
    return lambda logp_t, ref_logp_t: formulas.straight_through(
        value(logp_t, ref_logp_t), formulas.k2(logp_t, ref_logp_t)
    )


def kl_penalties(logps: Row, ref_logps: Row, mask: Mask, *, kind: str = "k1") -> list[Any]:
    estimate = kl_estimator(kind)
    return each_valid(lambda t, logp, ref: named(estimate(logp, ref), "kl", t), mask, logps, ref_logps)


def token_rewards(scores: Row, kl: Row, mask: Mask, *, beta: Number) -> list[Number]:
    """score − β·KL at the valid tokens. A masked token has no KL, but keeps a score that was put on it."""
    return [
        named(formulas.token_reward(score, k, beta), "rewards", t) if m else score
        for t, (score, k, m) in enumerate(zip(scores, kl, mask, strict=True))
    ]


def place_score(score: Number, mask: Mask, *, placement: Placement = Placement.LAST_VALID) -> list[Number]:
    """The response's score at one token, 0 at all others."""
    position = last_valid(mask)
    if placement is Placement.FIRST_PADDING:
        position = min(position + 1, len(mask) - 1)
    return [score if t == position else 0 for t in range(len(mask))]
