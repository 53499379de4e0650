"""What no claim says: who runs and who scores, verl's procedure, a shared body, several devices, one gradient norm."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, log

import torch

from engine import formulas, quantities
from engine.conventions import VERL_NEW, Rollout, run
from engine.example import BOTH, RUNNING
from engine.facts import compute
from engine.losses import Aggregation, aggregate
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

BODY, HEAD, INPUT, GOAL, ADV = 0.5, 1.5, 2.0, 1.0, 0.75  # a body of one weight, a value head, and one token
COEF, STEP = 0.5, 1e-5
PROMPTS, MINI, EPOCHS, DEVICES = 16, 4, 2, (1, 2, 4)
TERMS = tuple(tuple(Fraction((3 * i + t) % 5 - 2) for t in range(3)) for i in range(8))  # a mini-batch's token losses
ACTOR, CRITIC, MOST = 3.0, 4.0, 1.0


def _reference_generates(_: Scenario) -> Judged:
    ref, old = (RUNNING.rows(name)[0][0] for name in ("ref_logp", "logp"))
    return Judged("false", {"token": RUNNING.length, "ref": ref, "old": old})


def _generation_gives_old_log_probs(_: Scenario) -> Judged:
    return Judged("depends", {"old": RUNNING.rows("logp")[0][0]})


def _rule_is_enough(_: Scenario) -> Judged:
    used = compute(quantities.gae, RUNNING).used
    return Judged(holds("scores" in used), {"score": RUNNING.rows("scores")[0][-1]})


def _actor_gets_raw(_: Scenario) -> Judged:
    """What verl hands to the actor is whitened inside the function that computes GAE."""
    raw = quantities.facts("gae", RUNNING).exact["advantages"]
    rewards = quantities.facts("gae", BOTH).numbers["rewards"]
    rollout = Rollout(rewards, [list(row) for row in BOTH.rows("values")], [[1] * len(row) for row in rewards])
    given = run(rollout, VERL_NEW, gamma=RUNNING.gamma, lam=RUNNING.lam).normalised[0]
    same = all(abs(float(a - b)) < 1e-6 for a, b in zip(given, raw, strict=True))
    return Judged(holds(same), {"raw": raw[0], "given": round(float(given[0]), 6)})


def _policy_loss(weight: float) -> float:
    """Minus ρA of a token whose logit comes out of the body."""

    def chance(w: float) -> float:
        return 1 / (1 + exp(-w * INPUT))

    return float(-formulas.surrogate_term(formulas.ratio(log(chance(weight)), log(chance(BODY))), ADV))


def _value_loss(weight: float) -> float:
    return float(formulas.value_loss_term(formulas.squared_error(HEAD * weight * INPUT, GOAL)))


def _slope(loss: Callable[[float], float]) -> float:
    """By the weight of the actor's body."""
    return (loss(BODY + STEP) - loss(BODY - STEP)) / (2 * STEP)


def _may_share_a_body(_: Scenario) -> Judged:
    """The value loss by the actor's body: with the value head on it, and with a body of the critic's own."""
    shared, separate = _slope(_value_loss), _slope(lambda _w: _value_loss(BODY))
    policy, both = _slope(_policy_loss), _slope(lambda w: _policy_loss(w) + COEF * _value_loss(w))
    summed = abs(both - (policy + COEF * shared)) < STEP
    one_each = len(quantities.facts("gae", RUNNING).exact["values"]) == RUNNING.length
    return Judged(
        holds(abs(shared) > STEP and separate == 0 and summed and one_each),
        {
            "shared": round(shared, 4),
            "separate": separate,
            "policy": round(policy, 4),
            "coef": COEF,
            "both": round(both, 4),
        },
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
    per_device = [EPOCHS * PROMPTS // (MINI * devices) for devices in DEVICES]
    return Judged(
        holds(len(found) == 1 and len(set(per_device)) == len(DEVICES)),
        {
            "devices": DEVICES,
            "steps": EPOCHS * PROMPTS // MINI,
            "loss": round(float(found.pop()), 4),
            "mini": MINI,
            "each": per_device,
        },
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


FACTS: dict[str, Check] = {
    "reference_generates": _reference_generates,
    "generation_gives_old_log_probs": _generation_gives_old_log_probs,
    "a_rule_can_score": _rule_is_enough,
    "actor_gets_raw_advantages": _actor_gets_raw,
    "critic_may_share_the_actors_body": _may_share_a_body,
    "number_of_devices_leaves_the_number_of_steps": _devices,
    "one_gradient_norm_couples_actor_and_critic": _one_norm,
}
