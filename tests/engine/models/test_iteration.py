"""One PPO iteration on the real model: what must hold of any, and that it is the same every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import torch

from engine import formulas
from engine.kernels import masked_mean
from engine.models import ALL_LAYERS, Iteration, Progress, Roles, begin, iterate
from engine.models.branch import depth
from engine.models.learners import LAST_LAYERS
from engine.models.roles import seeded_head
from engine.models.table import step_table, token_table
from tests.engine.models.conftest import SETTINGS, two_answers

pytestmark = pytest.mark.model
GB = 1e9


def test_ratios_are_one_and_then_move(run: Iteration) -> None:
    valid = run.rollout.response_mask.bool()
    first, *later = [step.ratios[valid] for step in run.actor_steps]
    assert (first == 1).all()
    assert all((ratios != 1).any() for ratios in later)


def test_clipping_begins_with_the_epochs(run: Iteration) -> None:
    assert run.actor_steps[0].pg_clipfrac == 0
    assert run.actor_steps[-1].pg_clipfrac > 0


def test_at_the_first_step_the_loss_is_minus_the_mean_advantage(run: Iteration) -> None:
    """Which whitening has made zero; and the policy has not moved."""
    assert run.actor_steps[0].pg_loss == pytest.approx(0, abs=1e-12)
    assert run.actor_steps[0].approx_kl == 0


def test_updates_do_what_they_are_for(run: Iteration) -> None:
    assert run.actor_steps[-1].pg_loss < run.actor_steps[0].pg_loss
    assert run.critic_steps[-1].vf_loss < run.critic_steps[0].vf_loss
    assert len(run.actor_steps) == len(run.critic_steps) == SETTINGS.epochs + 1
    assert all(step.grad_norm > 0 for step in (*run.actor_steps, *run.critic_steps))


def test_the_first_critic_step_sees_the_rollouts_values(run: Iteration) -> None:
    assert torch.equal(run.critic_steps[0].values, run.rollout.values)
    half_mean = masked_mean((run.rollout.values - run.estimates.returns) ** 2, run.rollout.response_mask) / 2
    assert run.critic_steps[0].vf_loss == pytest.approx(half_mean.item(), rel=1e-12)
    assert run.critic_steps[0].vf_clipfrac == 0


def test_estimates_follow_the_definitions(run: Iteration) -> None:
    """Row by row, by the double sum; the padding of a row is not part of it."""
    found, rollout = run.estimates, run.rollout
    for row, length in enumerate(rollout.response_mask.sum(dim=1).long().tolist()):
        v = [*rollout.values[row, :length].tolist(), 0.0]
        r = found.rewards[row, :length].tolist()
        delta = [formulas.td_error(r[t], v[t], v[t + 1], SETTINGS.gamma) for t in range(length)]
        decay = SETTINGS.gamma * SETTINGS.lam
        for t in range(length):
            summed = sum(decay ** (k - t) * delta[k] for k in range(t, length))
            assert found.advantages[row, t].item() == pytest.approx(summed, abs=1e-12)
            assert found.returns[row, t].item() == pytest.approx(summed + v[t], abs=1e-12)
    whitened = found.whitened[rollout.response_mask.bool()]
    assert whitened.mean().item() == pytest.approx(0, abs=1e-9)
    assert whitened.var().item() == pytest.approx(1, abs=1e-6)
    assert not found.whitened[rollout.response_mask == 0].any()


def test_the_second_iteration_pays_for_its_distance(roles: Roles) -> None:
    learners = begin(roles, SETTINGS, seeded_head(roles, 0))
    first = iterate(learners, two_answers(learners))
    second = iterate(learners, two_answers(learners))
    assert not first.estimates.kl.any()
    assert second.estimates.kl.any()
    expected = second.rollout.scores - SETTINGS.beta * second.estimates.kl
    torch.testing.assert_close(second.estimates.rewards, expected)


def test_every_run_is_the_same_also_side_by_side(roles: Roles, run: Iteration) -> None:
    def again(_: int) -> Iteration:
        learners = begin(roles, SETTINGS, seeded_head(roles, 0))
        return iterate(learners, two_answers(learners))

    with ThreadPoolExecutor(2) as pool:
        for other in pool.map(again, range(2)):
            assert step_table(other) == step_table(run)
            assert token_table(other) == token_table(run)
            assert torch.equal(other.actor_steps[-1].ratios, run.actor_steps[-1].ratios)


def test_only_the_last_layers_are_trained_unless_all_are_asked_for(roles: Roles) -> None:
    last = begin(roles, SETTINGS, seeded_head(roles, 0))
    whole = begin(roles, ALL_LAYERS, seeded_head(roles, 0))
    assert {int(name.split(".")[2]) for name in last.actor} == set(
        range(depth(roles.actor) - LAST_LAYERS, depth(roles.actor))
    )
    assert {int(name.split(".")[2]) for name in whole.actor} == set(range(depth(roles.actor)))
    assert set(last.critic) - set(last.actor) == {"score.weight", "score.bias"}


def test_progress_is_told(roles: Roles) -> None:
    told: list[Progress] = []
    learners = begin(roles, replace(SETTINGS, epochs=1), seeded_head(roles, 0))
    iterate(learners, two_answers(learners), told.append)
    assert told == [Progress(stage, done, 2) for stage in ("critic", "actor") for done in range(3)]


@pytest.mark.parametrize(("case", "bound"), [("longest_last", 2.5), ("short_all", 6)])
def test_memory_is_bounded(case: str, bound: float) -> None:
    command = [sys.executable, "-m", "engine.models", "--case", case]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    assert json.loads(printed)["peak_gb"] < bound
