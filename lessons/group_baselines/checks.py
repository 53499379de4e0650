"""What is tried on the learner's own group, by torch, and with the defaults of a project."""

from __future__ import annotations

import torch

from engine import formulas, groups, losses, quantities
from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import default

SCORES = (1.0, 0.0, 0.0, 1.0)
RATIO, KL, BETA, CHANCES, BONUS = (1.1, 0.9), 0.25, 0.1, (0.5, 0.25, 0.25), 0.01


def _group(given: Scenario) -> Scenario:
    """The learner's first group, else the running example's."""
    own, example = ((x if x.group_rewards is not None else RUNNING).rows("group_rewards")[0] for x in (given, RUNNING))
    return scenario({"group_rewards": own if len(own) > 1 else example})


def _rescaled(given: Scenario) -> Judged:
    theorem("rloo_is_rescaled_mean_baseline")
    group = _group(given)
    found = quantities.facts("rloo", group).exact["advantages"]
    centered = quantities.facts("grpo", group).exact["centered"]
    factor = len(found) / (len(found) - 1)
    same = close([float(a) for a in found], [factor * float(b) for b in centered])
    return Judged(holds(same), {"rloo": found[0], "centered": centered[0], "factor": factor})


def _sums_to_zero(given: Scenario) -> Judged:
    found = quantities.facts("grpo", _group(given)).exact["advantages"]
    return Judged(holds(abs(sum(found)) < 1e-9), {"first": found[0], "sum": abs(round(float(sum(found)), 9))})


def _nested(_: Scenario) -> Judged:
    """torch.std without a dimension, over a list and over a row of one batch."""
    flat, nested = torch.tensor(SCORES), torch.tensor([list(SCORES)])
    one, other = float(torch.std(flat)), float(torch.std(nested))
    return Judged(
        holds(one == other and flat.shape != nested.shape),
        {"scores": SCORES, "flat": round(one, 4), "nested": round(other, 4)},
    )


def _own_loss(_: Scenario) -> Judged:
    """The loss with an entropy bonus of verl's default size, and of another."""
    advantages = groups.grpo((1, 0), [0, 0])
    terms = [formulas.surrogate_term(r, float(a)) for r, a in zip(RATIO, advantages, strict=True)]
    own = -sum(terms) / len(terms) + BETA * KL
    entropy = float(losses.entropy(CHANCES))
    usual = default("verl 0.9.1", "entropy_coeff")
    loss = {c: round(own - c * entropy, 4) for c in (usual, BONUS)}
    return Judged(
        holds(usual == 0 and loss[usual] == round(own, 4) != loss[BONUS]),
        {"own": round(own, 4), "usual": usual, "bonus": BONUS, "entropy": round(entropy, 4), "larger": loss[BONUS]},
    )


CHECKS: dict[str, Check] = {
    "rloo_is_rescaled_mean_baseline": _rescaled,
    "grpo_sums_to_zero": _sums_to_zero,
    "std_over_a_nested_list_is_the_same_number": _nested,
    "grpos_own_loss_has_no_entropy_term": _own_loss,
}
