"""Advantages, with and without a critic."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

from torch import Tensor

from engine import conventions, kernels
from engine.conventions import VERL_NEW, VERL_OLD, Kept, Rollout
from engine.kernels import groups
from tests.conformance.batches import Batch
from tests.conformance.case import NEW, OLD, Case, Verl, inside


def _defined(convention: conventions.Convention, b: Batch) -> list[Tensor]:
    """By the definition, column by column."""
    rollout = Rollout(b.rewards, b.values, b.mask)
    found = conventions.run(rollout, replace(convention, values=Kept.AS_GIVEN), gamma=b.gamma, lam=b.lam)
    return [found.normalised, found.returns]


def _in_blocks(b: Batch, mask: Tensor | None) -> list[Tensor]:
    """By the kernel."""
    advantages, returns = kernels.gae(b.rewards, b.values, mask, gamma=b.gamma, lam=b.lam)
    return inside(b, kernels.whiten(advantages, b.mask), returns)


def _reinforce(verl: Verl, b: Batch) -> list[Tensor]:
    settings = {"config": SimpleNamespace(gamma=b.gamma)} if verl.version == NEW else {"gamma": b.gamma}
    return inside(b, *verl.core.compute_reinforce_plus_plus_outcome_advantage(b.rewards, b.mask, **settings))


def _returns(b: Batch, gamma: float) -> Tensor:
    return kernels.mc_returns(b.rewards, b.mask, gamma=gamma)


def _advantages() -> list[Case]:
    def theirs(verl: Verl, b: Batch) -> list[Tensor]:
        return list(verl.core.compute_gae_advantage_return(b.rewards, b.values, b.mask, b.gamma, b.lam))

    def theirs_inside(verl: Verl, b: Batch) -> list[Tensor]:
        return inside(b, *theirs(verl, b))

    def reinforce(b: Batch) -> list[Tensor]:
        returns = _returns(b, b.gamma)
        return [groups.reinforce_plus_plus(returns, b.mask), returns]

    name = "compute_gae_advantage_return"
    return [
        Case(
            f"{name}, also outside the mask",
            theirs,
            partial(_defined, VERL_OLD),
            (OLD,),
            note="values as given: garbage outside the mask leaks into both; the shifted mask is dp_critic's",
        ),
        Case(
            f"{name}, also outside the mask",
            theirs,
            partial(_defined, VERL_NEW),
            (NEW,),
            note="outside stands the next valid token's advantage, and that + V as its return",
            divides_by_count=True,
        ),
        Case(
            f"{name}, by engine.gae",
            theirs_inside,
            lambda b: _in_blocks(b, None),
            (OLD,),
            note="without a mask, as 0.2 has none in its recursion",
        ),
        Case(f"{name}, by engine.gae", theirs_inside, lambda b: _in_blocks(b, b.mask), (NEW,), divides_by_count=True),
        Case(
            "compute_reinforce_plus_plus",
            _reinforce,
            reinforce,
            (OLD,),
            note="without holes: 0.2 starts anew after each masked token",
            applies=lambda b: not b.holes,
        ),
        Case("compute_reinforce_plus_plus", _reinforce, reinforce, (NEW,), divides_by_count=True),
        Case(
            "compute_remax",
            lambda verl, b: inside(b, *verl.core.compute_remax_outcome_advantage(b.rewards, b.baselines, b.mask)),
            lambda b: [groups.remax(_returns(b, 1.0), b.baselines, b.mask), _returns(b, 1.0)],
        ),
    ]


def _group(name: str, b: Batch, verl: Verl, **choices: Any) -> list[Tensor]:
    function = getattr(verl.core, f"compute_{name}_advantage")
    return [function(b.placed.clone(), b.mask, index=b.groups.numpy(), **choices)[0]]


def _groups() -> list[Case]:
    single = "a group of one: verl takes {}, Telescope refuses"
    cases = [
        Case(
            "compute_grpo",
            lambda verl, b: _group("grpo_outcome", b, verl),
            lambda b: [groups.share(groups.grpo(b.scores, b.groups), b.mask)],
            note=single.format("0 as mean and 1 as deviation"),
        ),
        Case(
            "compute_grpo, without std",
            lambda verl, b: _group("grpo_outcome", b, verl, norm_adv_by_std_in_grpo=False),
            lambda b: [groups.share(groups.mean_centred(b.scores, b.groups), b.mask)],
            (NEW,),
            note=single.format("0 as mean"),
        ),
        Case(
            "compute_grpo_vectorized",
            lambda verl, b: _group("grpo_vectorized_outcome", b, verl),
            lambda b: [groups.share(groups.grpo(b.scores, b.groups), b.mask)],
            (NEW,),
            tolerance=1e-5,
            note="verl computes the group statistics in float32; " + single.format("0 as mean and 1 as deviation"),
        ),
        Case(
            "compute_reinforce_plus_plus_baseline",
            lambda verl, b: _group("reinforce_plus_plus_baseline_outcome", b, verl),
            lambda b: [groups.reinforce_plus_plus_baseline(b.scores, b.groups, b.mask)],
            (NEW,),
            note=single.format("0 as mean"),
            divides_by_count=True,
        ),
    ]
    for name, taken in (("rloo_outcome", "the score as advantage"), ("rloo_vectorized_outcome", "0 as advantage")):
        cases.append(
            Case(
                f"compute_{name.removesuffix('_outcome')}",
                lambda verl, b, n=name: _group(n, b, verl),
                lambda b: [groups.share(groups.rloo(b.scores, b.groups), b.mask)],
                (NEW,),
                note=single.format(taken),
            )
        )
    return cases


CASES = [*_advantages(), *_groups()]
