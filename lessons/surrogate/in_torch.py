"""In the tensors: first ratios that are one up to rounding, shapes that broadcast, zeros that train nothing."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import torch

from engine import formulas
from engine.losses import Clip, clip_fraction
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds

FEATURES, VOCABULARY = 64, 4
CLIP = Clip(0.2, 0.2)
BOUND = 1e-5
RATIOS, ADVANTAGES = (1.5, 1.0, 0.5), (2.0, 0.0, -1.0)  # one of each for a response
LAST = (0.0, 0.0, 1.0)
VALUES, LAM = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)), Fraction(9, 10)


def _logits(order: Iterable[int], dtype: torch.dtype) -> torch.Tensor:
    """The last layer of the same weights, its products added up in this order."""
    found = torch.zeros(VOCABULARY, dtype=dtype)
    for k in order:
        weights = torch.tensor([((7 * k + 3 * v) % 11 - 5) / (k + 3) for v in range(VOCABULARY)], dtype=dtype)
        found = found + weights
    return found


def _log_probs(order: Iterable[int], dtype: torch.dtype = torch.float32) -> list[float]:
    return list(torch.log_softmax(_logits(order, dtype).double(), 0).tolist())


def _rounded(_: Scenario) -> Judged:
    """One policy's log-probs, added up in two orders and in two precisions; nothing was updated."""
    forth, back = range(FEATURES), range(FEATURES - 1, -1, -1)
    old = _log_probs(forth)
    order, precision = (
        [formulas.ratio(*pair) for pair in zip(new, old, strict=True)]
        for new in (_log_probs(back), _log_probs(forth, torch.bfloat16))
    )
    everyone = [1] * VOCABULARY
    clipped = [
        clip_fraction(ratios, [sign] * VOCABULARY, everyone, clip=CLIP)
        for ratios in (order, precision)
        for sign in (1, -1)
    ]
    off = max(abs(ratio - 1) for ratio in order)
    return Judged(
        holds(0 < off < BOUND < max(abs(r - 1) for r in precision) and not any(clipped)),
        {
            "bound": BOUND,
            "coarse": [round(r, 4) for r in precision],
            "low": 1 - CLIP.low,
            "high": 1 + CLIP.high,
            "clipped": clipped[0],
        },
    )


def _last_alone(_: Scenario) -> Judged:
    """The slope of the token-level loss by each log-prob, from the last advantage alone and from those of GAE."""
    rewards = [Fraction(int(a)) for a in LAST]
    spread = [float(a) for a in gae(rewards, VALUES, 1, LAM)]
    slopes = []
    for advantages in (LAST, spread):
        logps = torch.full((len(LAST),), -1.0, dtype=torch.float64, requires_grad=True)
        terms = formulas.surrogate_term(formulas.ratio(logps, logps.detach()), torch.tensor(advantages).double())
        (slope,) = torch.autograd.grad(-terms.mean(), logps)
        slopes.append([round(x, 4) + 0.0 for x in slope.tolist()])
    return Judged(
        holds(not any(slopes[0][:-1]) and bool(slopes[0][-1]) and all(slopes[1])),
        {"last": LAST, "alone": slopes[0], "lam": LAM, "spread": [round(a, 4) for a in spread], "all": slopes[1]},
    )


def _broadcast(_: Scenario) -> Judged:
    """Advantages as a column against a row of ratios, and entry by entry."""
    advantages = torch.tensor(ADVANTAGES, dtype=torch.float64)
    found = []
    for given in (advantages, advantages[:, None]):
        ratios = torch.tensor(RATIOS, dtype=torch.float64, requires_grad=True)
        products = ratios * given
        (slope,) = torch.autograd.grad(products.mean(), ratios)
        found.append((list(products.shape), float(products.detach().mean()), [round(x, 4) for x in slope.tolist()]))
    (_shape, right, slopes), (shape, wrong, alike) = found
    means = sum(RATIOS) / len(RATIOS) * sum(ADVANTAGES) / len(ADVANTAGES)
    return Judged(
        holds(shape == [len(RATIOS)] * 2 and close(wrong, means) and not close(right, wrong) and len({*alike}) == 1),
        {
            "ratios": RATIOS,
            "advantages": ADVANTAGES,
            "count": shape[0] * shape[1],
            "right": round(right, 4),
            "wrong": round(wrong, 4),
            "slopes": slopes,
            "alike": alike[0],
        },
    )


IN_TORCH: dict[str, Check] = {
    "first_ratios_are_one_up_to_rounding": _rounded,
    "advantage_at_the_last_token_alone_trains_that_token_alone": _last_alone,
    "column_of_advantages_and_row_of_ratios_broadcast": _broadcast,
}
