"""Statistics, KL estimators, token rewards."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.kernels import rewards, statistics
from tests.conformance.batches import Batch
from tests.conformance.case import BOTH, NEW, OLD, Case, Verl, inside, with_gradient


def _statistics() -> list[Case]:
    cases = [
        Case(
            "masked_mean",
            lambda verl, b: [verl.masked("masked_mean")(b.advantages, b.mask)],
            lambda b: [statistics.masked_mean(b.advantages, b.mask)],
            divides_by_count=True,
        )
    ]
    for sample in (True, False):
        cases.append(
            Case(
                f"masked_var(unbiased={sample})",
                lambda verl, b, s=sample: [verl.masked("masked_var")(b.advantages, b.mask, unbiased=s)],
                lambda b, s=sample: [statistics.masked_variance(b.advantages, b.mask, sample=s)],
                divides_by_count=True,
            )
        )
    for shift in (True, False):
        cases.append(
            Case(
                f"masked_whiten(shift_mean={shift})",
                lambda verl, b, s=shift: inside(b, verl.masked("masked_whiten")(b.advantages, b.mask, shift_mean=s)),
                lambda b, s=shift: [statistics.whiten(b.advantages, b.mask, shift_mean=s)],
                note="compared inside the mask",
                divides_by_count=True,
            )
        )
    cases.append(
        Case(
            "masked_whiten, also outside the mask",
            lambda verl, b: [verl.masked("masked_whiten")(b.advantages, b.mask)],
            lambda b: [statistics.whiten_everywhere(b.advantages, b.mask)],
            divides_by_count=True,
        )
    )
    return cases


def _kl() -> list[Case]:
    ours = {"kl": "k1", "mse": "k2", "low_var_kl": "k3_clamped", "k3": "k3_clamped"}
    notes = {
        "low_var_kl": "0.2 does not clamp before exp; the clamp after it hides that",
        "k3": "",
        "k3+": "value of k3, derivative of k2",
    }
    everywhere = [(kind, BOTH) for kind in ("kl", "abs", "mse", "low_var_kl")]
    later = [(kind, (NEW,)) for kind in ("k1", "k2", "k3", "k1+", "abs+", "k3+")]
    cases = []
    for kind, versions in everywhere + later:
        plain = kind.removesuffix("+")
        mine = kind.replace(plain, ours.get(plain, plain))
        cases.append(
            Case(
                f"kl_penalty({kind}), value and derivative",
                lambda verl, b, k=kind: with_gradient(lambda x: verl.core.kl_penalty(x, b.ref, k), b.new),
                lambda b, k=mine: with_gradient(
                    lambda x: rewards.kl_penalties(x, b.ref, torch.ones_like(b.mask), kind=k), b.new
                ),
                versions,
                note=notes.get(kind, ""),
            )
        )
    return cases


def _apply_kl_penalty(verl: Verl, b: Batch) -> list[Tensor]:
    batch = {
        "responses": b.mask,
        "token_level_scores": b.placed,
        "attention_mask": torch.cat([torch.ones_like(b.mask[:, :1]), b.mask], dim=1),
        "old_log_probs": b.old,
        "ref_log_prob": b.ref,
    }
    data = verl.trainer.DataProto.from_dict(tensors=batch)
    controller = verl.core.FixedKLController(b.beta)
    return [verl.trainer.apply_kl_penalty(data, controller)[0].batch["token_level_rewards"]]


def _rewards() -> list[Case]:
    def token_rewards(b: Batch) -> list[Tensor]:
        kl = rewards.kl_penalties(b.old, b.ref, b.mask)
        return [rewards.token_rewards(rewards.place_score(b.scores, b.mask), kl, b.mask, beta=b.beta)]

    return [
        Case(
            "compute_rewards",
            lambda verl, b: inside(b, verl.core.compute_rewards(b.placed, b.old, b.ref, b.beta)),
            token_rewards,
        ),
        Case(
            "apply_kl_penalty",
            _apply_kl_penalty,
            token_rewards,
            (OLD,),
            note="0.9.1's trainer module needs the data stack; compute_rewards is its formula",
        ),
    ]


CASES = [*_statistics(), *_kl(), *_rewards()]
