"""What is no relation between quantities: the learner's own policies, what tensors do, a token that is pushed on."""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

import torch

from engine import formulas, quantities
from engine.facts import compute
from engine.losses import Clip, clip_fraction
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import TAKEN, first, moved

FEATURES, VOCABULARY = 64, 4
CLIP = Clip(0.2, 0.2)
BOUND = 1e-5
RATIOS, ADVANTAGES = (1.5, 1.0, 0.5), (2.0, 0.0, -1.0)  # one of each for a response
START, RATE, STEPS = 0.5, 0.5, 8  # a token with advantage one, and one rollout used for so many steps


def _one_at_first(scenario: Scenario) -> Judged:
    theorem("ratio_is_one_at_first_step")
    later = moved(scenario)
    at_first, found = (
        first(quantities.facts("surrogate", own).exact["ratio"])
        for own in (later.merged({"new_logp": later.old_logp}), later)
    )
    return Judged(holds(at_first == 1), {"first": at_first, "later": found})


def _reference_below(scenario: Scenario) -> Judged:
    own = moved(scenario)
    own = own if own.ref_logp is not None else TAKEN
    wrong = compute(MISTAKES["ratio_to_reference"].program, own).exact["ratio"]
    right = quantities.facts("surrogate", own).exact["ratio"]
    return Judged(holds(wrong == right), {"right": first(right), "wrong": first(wrong)})


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


def _climb(*, recomputed: bool) -> tuple[float, list[float], int]:
    """One token pushed up by the clipped objective: its probability in the end, the ratios, how often the clip acts."""
    logit, ratios, clipped = log(START / (1 - START)), [], 0
    for _ in range(STEPS):
        p = 1 / (1 + exp(-logit))
        ratios.append(p / (p if recomputed else START))
        if formulas.is_clipped(ratios[-1], 1.0, CLIP.low, CLIP.high):
            clipped += 1  # and there is no slope
        else:
            logit += RATE * ratios[-1] * (1 - p)
    return 1 / (1 + exp(-logit)), ratios, clipped


def _old_made_anew(_: Scenario) -> Judged:
    kept, anew = _climb(recomputed=False), _climb(recomputed=True)
    return Judged(
        holds(set(anew[1]) == {1.0} and anew[2] == 0 < kept[2] and anew[0] > kept[0]),
        {
            "start": START,
            "steps": STEPS,
            "kept": round(kept[0], 4),
            "top": round(max(kept[1]), 4),
            "clipped": kept[2],
            "anew": round(anew[0], 4),
            "ratio": anew[1][-1],
        },
    )


CHECKS: dict[str, Check] = {
    "ratio_is_one_at_first": _one_at_first,
    "denominator_is_the_reference": _reference_below,
    "first_ratios_are_one_up_to_rounding": _rounded,
    "column_of_advantages_and_row_of_ratios_broadcast": _broadcast,
    "old_log_probs_made_anew_switch_the_clip_off": _old_made_anew,
}
