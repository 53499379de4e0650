"""The losses, their derivatives, and what is logged beside them."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from engine.kernels import losses
from engine.losses import Aggregation, Clip
from tests.conformance.batches import Batch
from tests.conformance.case import NEW, OLD, Case, Verl, with_gradient

EPSILON, LOW, HIGH, FLOOR = 0.2, 0.15, 0.28, 3.0
RANGE = 0.5  # of the value clip


def _policy_old(verl: Verl, b: Batch) -> list[Tensor]:
    def loss(x: Tensor) -> Tensor:
        return verl.core.compute_policy_loss(b.old, x, b.advantages, b.mask, EPSILON)[0]

    return [*with_gradient(loss, b.new), *verl.core.compute_policy_loss(b.old, b.new, b.advantages, b.mask, EPSILON)]


def _policy_new(mode: str, verl: Verl, b: Batch) -> list[Tensor]:
    config = verl.actor_config(
        strategy="fsdp",
        rollout_n=1,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio_low=LOW,
        clip_ratio_high=HIGH,
        clip_ratio_c=FLOOR,
    )
    run = partial(verl.core.compute_policy_loss_vanilla, loss_agg_mode=mode, config=config)
    metrics = run(b.old, b.new, b.advantages, b.mask)[1]
    logged = [metrics[f"actor/{name}"] for name in ("pg_clipfrac", "ppo_kl", "pg_clipfrac_lower")]
    gradients = with_gradient(lambda x: run(b.old, x, b.advantages, b.mask)[0], b.new)
    return gradients + [torch.tensor(x) for x in logged]


def _our_policy(b: Batch, clip: Clip, bound: float | None, mode: Aggregation) -> list[Tensor]:
    def loss(x: Tensor) -> Tensor:
        ratios = losses.ratios(x, b.old, b.mask, bound=bound)
        return losses.aggregate(losses.policy_losses(ratios, b.advantages, b.mask, clip=clip), b.mask, mode)

    return with_gradient(loss, b.new)


def _our_policy_old(b: Batch) -> list[Tensor]:
    clip, ratios = Clip(EPSILON, EPSILON), losses.ratios(b.new, b.old, b.mask)
    value, gradient = _our_policy(b, clip, None, Aggregation.TOKEN_MEAN)
    fraction = losses.clip_fraction(ratios, b.advantages, b.mask, clip=clip)
    return [value, gradient, value, fraction, losses.approx_kl(b.new, b.old, b.mask)]


def _our_policy_new(mode: Aggregation, b: Batch) -> list[Tensor]:
    clip, ratios = Clip(LOW, HIGH, FLOOR), losses.ratios(b.new, b.old, b.mask, bound=20)
    near = b.old + (b.new - b.old).clamp(-20, 20)
    return [
        *_our_policy(b, clip, 20, mode),
        losses.clip_fraction(ratios, b.advantages, b.mask, clip=clip),
        losses.approx_kl(near, b.old, b.mask),
        losses.floor_fraction(ratios, b.advantages, b.mask, clip=clip),
    ]


def _their_value(verl: Verl, b: Batch) -> list[Tensor]:
    def loss(x: Tensor) -> Tensor:
        return verl.core.compute_value_loss(x, b.returns, b.returns - b.vpreds, b.mask, RANGE)[0]

    fraction = verl.core.compute_value_loss(b.vpreds, b.returns, b.returns - b.vpreds, b.mask, RANGE)[1]
    return [*with_gradient(loss, b.vpreds), fraction]


def _our_value(b: Batch) -> list[Tensor]:
    old = b.returns - b.vpreds

    def loss(x: Tensor) -> Tensor:
        terms = losses.value_losses(x, old, b.returns, b.mask, cliprange=RANGE)
        return losses.aggregate(terms, b.mask, Aggregation.TOKEN_MEAN)

    fraction = losses.value_clip_fraction(b.vpreds, old, b.returns, b.mask, cliprange=RANGE)
    return [*with_gradient(loss, b.vpreds), fraction]


def _with_empty_row(b: Batch) -> Tensor:
    """The mask with a response that does not count, as dynamic sampling makes them."""
    mask = b.mask.clone()
    mask[-1] = 0
    return mask


def _losses() -> list[Case]:
    cases = [
        Case("compute_policy_loss, derivative, clip fraction, KL", _policy_old, _our_policy_old, (OLD,)),
        Case("compute_value_loss, derivative, clip fraction", _their_value, _our_value, divides_by_count=True),
        Case(
            "entropy_from_logits",
            lambda verl, b: [verl.masked("entropy_from_logits")(b.logits)],
            lambda b: [losses.entropy_of_logits(b.logits)],
        ),
    ]
    for mode in Aggregation:
        cases.append(
            Case(
                f"compute_policy_loss_vanilla({mode.value}), derivative, clip fractions, KL",
                partial(_policy_new, mode.value),
                partial(_our_policy_new, mode),
                (NEW,),
                note="its KL is that of the log-ratio kept within ±20",
                divides_by_count=True,
            )
        )
        cases.append(
            Case(
                f"agg_loss({mode.value})",
                lambda verl, b, m=mode: [verl.core.agg_loss(b.advantages, _with_empty_row(b), m.value)],
                lambda b, m=mode: [losses.aggregate(b.advantages, _with_empty_row(b), m)],
                (NEW,),
                divides_by_count=mode is Aggregation.SEQ_MEAN_TOKEN_MEAN,
            )
        )
    return cases


CASES = _losses()
