"""Two things told in one breath: which of them is signed, where each sits, which carries a gradient, and why."""

from __future__ import annotations

from typing import Any

from engine import formulas
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.readings.exact import exactly
from engine.scenario import Scenario
from lessons._checks import exact
from lessons._policies import EXAMPLE
from lessons._proposition import Check, Judged, holds
from lessons._trials import judged
from lessons.kl_reward.judged import JUDGED
from lessons.kl_reward.measures import POLICY, REFERENCE
from lessons.kl_reward.turns_on import TURNS

LIKED, DISLIKED = (-0.5, -0.7), (-0.7, -0.5)  # a token's log-probability under the policy, under the reference


def _short(x: Any) -> float:
    return round(float(x), 6) + 0.0  # no zero below zero


def _kinds(*kinds: Any) -> list[list[float]]:
    """Each estimator on a token that the policy likes more than the reference, and on one it likes less."""
    both = exactly(lambda lift: [[of(*map(lift, token)) for token in (LIKED, DISLIKED)] for of in kinds], 1)
    return [[_short(x) for x in row] for row in both]


def _estimates() -> dict[str, Any]:
    return exact_facts(estimates(Vocabulary(policy=POLICY, reference=REFERENCE)), Scenario())


def _signed(_: Scenario) -> Judged:
    k1, k3 = _kinds(formulas.k1, formulas.k3)
    return judged(min(k1) < 0 <= min(k3), k1=k1, k3=k3)


def _sample_and_divergence(_: Scenario) -> Judged:
    """Which of the two goes below zero."""
    found = _estimates()
    lowest, divergence = _short(min(found["k1"])), _short(found["divergence"])
    return judged(lowest < 0 <= divergence, lowest=lowest, divergence=divergence)


def _places(_: Scenario) -> Judged:
    scores, kl = RUNNING.rows("scores")[0], [_short(x) for x in exact("kl_rewards")["kl"]]
    return judged(not any(scores[:-1]) and scores[-1] != 0 and all(kl), scores=list(scores), kl=kl)


def _gradients(scenario: Scenario) -> Judged:
    reward = JUDGED["gradient_flows_through_the_kl_in_the_reward"](scenario)
    loss = TURNS["kl_in_the_loss_carries_a_gradient"](scenario)
    pair = [[one.found["before"], one.found["after"]] for one in (reward, loss)]
    return judged(reward.verdict == "false" and loss.verdict == "true", reward=pair[0], loss=pair[1])


def _pairs_of_policies(_: Scenario) -> Judged:
    """Another reference: does the KL in the reward feel it, does the ratio?"""
    other = [x - 0.5 for x in RUNNING.rows("ref_logp")[0]]
    kl = [_short(exact("kl_rewards", **changes)["kl"][0]) for changes in ({}, {"ref_logp": other, "kl_values": None})]
    old, new = EXAMPLE.rows("old_logp")[0], EXAMPLE.rows("new_logp")[0]
    ratio = _short(formulas.ratio(new[0], old[0]))
    ratios = [_short(exact("surrogate", **changes)["ratio"][0]) for changes in ({}, {"ref_logp": other})]
    return judged(kl[0] != kl[1] and ratios[0] == ratios[1] == ratio, kl=kl, ratio=ratios)


def _k3_by_something_else(_: Scenario) -> Judged:
    """No absolute value and no square: the exponential lies above its tangent."""
    k3, absolute, square = _kinds(formulas.k3, formulas.abs_kl, formulas.k2)
    return judged(k3 in (absolute, square), k3=k3, abs=absolute, k2=square)


def _k1_by_something_else(_: Scenario) -> Judged:
    """A positive β and correct code: a token that the reference likes more is enough."""
    (k1,) = _kinds(formulas.k1)
    beta = RUNNING.beta or 0.0
    return Judged(holds(not (beta > 0 > k1[1])), {"beta": beta, "k1": k1})


def _turned_round(_: Scenario) -> Judged:
    (k1,) = _kinds(formulas.k1)
    turned = [_short(ref - logp) for logp, ref in (LIKED, DISLIKED)]
    return judged(k1 == turned, logp=LIKED[0], ref=LIKED[1], k1=k1[0], turned=turned[0])


def _gradients_of_k1_and_k2(_: Scenario) -> Judged:
    """The mean pull on the logits: of the divergence (as KL in the reward), of k1 and of k2 in the loss."""
    found = exact_facts(pulls(Vocabulary(policy=POLICY, reference=REFERENCE)), Scenario())
    kl, k1, k2 = ([_short(x) for x in found[name]] for name in ("in_reward", "k1_in_loss", "k2_in_loss"))
    return judged(kl == k2 and not any(k1) and any(k2), kl=kl, k1=k1, k2=k2)


CONTRASTED: dict[str, Check] = {
    "k1_has_both_signs_and_k3_has_not": _signed,
    "samples_go_below_zero_and_the_divergence_does_not": _sample_and_divergence,
    "score_sits_at_the_end_and_kl_at_every_token": _places,
    "kl_in_the_loss_has_a_gradient_and_in_the_reward_none": _gradients,
    "reward_kl_is_to_the_reference_and_the_ratio_to_the_old": _pairs_of_policies,
    "k3_is_never_negative_for_another_reason": _k3_by_something_else,
    "k1_is_negative_for_another_reason": _k1_by_something_else,
    "k2_loss_has_the_gradient_of_kl_and_k1_has_none": _gradients_of_k1_and_k2,
    "k1_is_the_reference_less_the_policy": _turned_round,
}
