"""How an iteration's steps are counted, on however many devices; what two losses share; how long a rollout serves."""

from __future__ import annotations

from fractions import Fraction

import torch

from engine import drift, formulas
from engine.losses import Aggregation, aggregate
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

PROMPTS, MINI, EPOCHS = 16, 4, 2
ANSWERS, DEVICES = (1, 2, 8), (1, 2, 4)
TERMS = tuple(tuple(Fraction((3 * i + t) % 5 - 2) for t in range(3)) for i in range(8))  # a mini-batch's token losses
ACTOR, CRITIC, MOST = 3.0, 4.0, 1.0
OLD, NOW, EPS = Fraction(1, 4), Fraction(3, 4), Fraction(1, 5)


def _batches(answers: int) -> tuple[int, int]:
    """How many responses a rollout has, and in how many mini-batches it is gone through."""
    responses, each = PROMPTS * answers, MINI * answers
    return responses, len(range(0, responses, each))


def _counts_prompts(_: Scenario) -> Judged:
    responses, batches = zip(*map(_batches, ANSWERS), strict=True)
    return Judged(
        holds(set(batches) == {PROMPTS // MINI}),
        {"train": PROMPTS, "mini": MINI, "n": ANSWERS, "responses": responses, "batches": batches[0]},
    )


def _loss(devices: int) -> Fraction:
    """A mini-batch's loss where every device takes its share of the responses, weighted by its tokens."""
    share = len(TERMS) // devices
    parts = [TERMS[i : i + share] for i in range(0, len(TERMS), share)]
    tokens = [sum(map(len, part)) for part in parts]
    means = [aggregate(part, [[1] * len(row) for row in part], Aggregation.TOKEN_MEAN) for part in parts]
    weighed = (mean * count for mean, count in zip(means, tokens, strict=True))
    return Fraction(formulas.mean(sum(weighed, Fraction(0)), sum(tokens)))


def _devices(_: Scenario) -> Judged:
    found = {_loss(devices) for devices in DEVICES}
    steps = EPOCHS * _batches(1)[1]
    per_device = [EPOCHS * PROMPTS // (MINI * devices) for devices in DEVICES]
    return Judged(
        holds(len(found) == 1 and len(set(per_device)) == len(DEVICES)),
        {"devices": DEVICES, "steps": steps, "loss": round(float(found.pop()), 4), "mini": MINI, "each": per_device},
    )


def _clipped(actor: float, critic: float) -> tuple[float, float]:
    """Both gradients after their common norm was clipped."""
    both = [torch.zeros(1, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    for parameter, slope in zip(both, (actor, critic), strict=True):
        parameter.grad = torch.full_like(parameter, slope)
    norm = torch.nn.utils.clip_grad_norm_(both, MOST)
    first = both[0].grad
    assert first is not None
    return round(float(norm), 4), round(float(first), 4)


def _one_norm(_: Scenario) -> Judged:
    (norm, together), (_own, alone) = _clipped(ACTOR, CRITIC), _clipped(ACTOR, 0.0)
    return Judged(
        holds(together != alone),
        {"actor": ACTOR, "critic": CRITIC, "norm": norm, "most": MOST, "together": together, "alone": alone},
    )


def _old_rollouts(_: Scenario) -> Judged:
    """Two tokens, one of which has meanwhile become three times as likely: its ratios, the promise, and what comes."""
    likelier, rarer = NOW / OLD, (1 - NOW) / (1 - OLD)
    clipped = [formulas.is_clipped(likelier, Fraction(1), EPS, EPS), formulas.is_clipped(rarer, Fraction(-1), EPS, EPS)]
    promised, earned = drift.promised(OLD, NOW), drift.earned(OLD, NOW)
    return Judged(
        holds(clipped == [1, 1] and promised != earned),
        {
            "old": OLD,
            "now": NOW,
            "likelier": likelier,
            "rarer": round(float(rarer), 4),
            "promised": promised,
            "earned": earned,
        },
    )


COUNTED: dict[str, Check] = {
    "ppo_mini_batch_size_counts_prompts": _counts_prompts,
    "number_of_devices_leaves_the_number_of_steps": _devices,
    "one_gradient_norm_couples_actor_and_critic": _one_norm,
    "old_rollouts_may_not_simply_be_replayed": _old_rollouts,
}
