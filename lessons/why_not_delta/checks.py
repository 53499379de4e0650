"""More of what learners claim of δ beside A: what δ is made of, what it takes to compute, whom it reaches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import quantities, sequences
from engine.example import RUNNING
from engine.mistakes import run
from engine.proofs import theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds

ONE = Fraction(1)
REWARDS, VALUES = (0, 0, 1), ("0.5", "0.25", "0.75")


def _both(rewards: Any, values: Any, lam: str = "1") -> tuple[list[Any], list[Any]]:
    """δ and A, exactly, at γ = 1."""
    r, v = [Fraction(x) for x in rewards], [Fraction(x) for x in values]
    return sequences.deltas(r, v, ONE), gae(r, v, ONE, Fraction(lam))


def _needs_only_the_next(_: Scenario) -> Judged:
    """Another value two tokens on: δ_0 stays and A_0 does not."""
    other = (*VALUES[:2], "2")
    (delta, adv), (delta_after, adv_after) = (_both(REWARDS, values, "0.5") for values in (VALUES, other))
    same = delta[0] == delta_after[0] and adv[0] != adv_after[0]
    return Judged(holds(same), {"delta": delta[0], "before": adv[0], "after": adv_after[0]})


def _more_calls(_: Scenario) -> Judged:
    """Both are computed from the same values."""
    found = quantities.facts("gae", RUNNING).exact
    return Judged(
        holds(len(found["values"]) > len(found["deltas"])),
        {"values": len(found["values"]), "deltas": len(found["deltas"]), "advantages": len(found["advantages"])},
    )


def _reward_less_value(_: Scenario) -> Judged:
    right = quantities.facts("gae", at_hand()).exact["deltas"][0]
    wrong = run("bootstrap_next_value_forgotten", at_hand()).exact["deltas"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _value_change(_: Scenario) -> Judged:
    """Without a reward and a discount it is; with a reward it is not."""
    free, paid = (_both(rewards, VALUES)[0][0] for rewards in ((0, 0, 1), (1, 0, 1)))
    change = Fraction(VALUES[1]) - Fraction(VALUES[0])
    return Judged(
        "depends" if free == change != paid else holds(paid == change), {"change": change, "free": free, "paid": paid}
    )


def _negative_is_bad(_: Scenario) -> Judged:
    delta, adv = _both(REWARDS, VALUES)
    return Judged(holds(adv[0] < 0), {"r": REWARDS, "v": [Fraction(v) for v in VALUES], "delta": delta[0], "a": adv[0]})


def _level_critic(_: Scenario) -> Judged:
    rewards, level = (Fraction(1, 5), Fraction(0), ONE), ("0.5", "0.5", "0.5")
    delta, _a = _both(rewards, level)
    return Judged(holds(delta[:-1] == list(rewards[:-1])), {"r": rewards, "v": [Fraction(1, 2)] * 3, "deltas": delta})


def _one_to_one(_: Scenario) -> Judged:
    """The reward at 0 raises δ_0 by 1 and A_0 by as much."""
    (delta, adv), (delta_after, adv_after) = (_both((r, 0, 1), VALUES, "0.5") for r in (0, 1))
    moved = [delta_after[0] - delta[0], adv_after[0] - adv[0]]
    return Judged(holds(moved[0] == moved[1]), {"delta": moved[0], "advantage": moved[1]})


def _only_its_own(_: Scenario) -> Judged:
    """The last reward raises the last δ alone; all advantages move."""
    theorem("reward_reaches_back_with_gamma_lambda")
    (delta, adv), (delta_after, adv_after) = (_both((0, 0, r), VALUES, "0.5") for r in (1, 2))
    deltas = [b - a for a, b in zip(delta, delta_after, strict=True)]
    advantages = [b - a for a, b in zip(adv, adv_after, strict=True)]
    return Judged(holds(advantages == deltas), {"deltas": deltas, "advantages": advantages})


def _through_the_critic(_: Scenario) -> Judged:
    """λ = 0: a higher final reward leaves A_0 alone, a higher V_1 does not."""
    before = _both(REWARDS, VALUES, "0")[1][0]
    richer = _both((0, 0, 2), VALUES, "0")[1][0]
    told = _both(REWARDS, (VALUES[0], "0.75", VALUES[2]), "0")[1][0]
    return Judged(holds(before == richer != told), {"before": before, "richer": richer, "told": told})


def _same_order(_: Scenario) -> Judged:
    """The tokens from the largest down."""
    found = _both((0, 0, 1), ("0.125", "0.5", "0.25"))
    orders = [sorted(range(len(row)), key=row.__getitem__) for row in found]
    return Judged(holds(orders[0] == orders[1]), {"deltas": found[0], "advantages": found[1]})


def _zero_delta(_: Scenario) -> Judged:
    delta, adv = _both((0, 0, 1), ("0.5", "0.5", "0.75"))
    return Judged(
        holds(not (delta[0] == 0 != adv[0])),
        {"v": [Fraction(1, 2), Fraction(1, 2), Fraction(3, 4)], "delta": delta[0], "a": adv[0]},
    )


def _rest_is_next_advantage(_: Scenario) -> Judged:
    """A_0 less δ_0, and the next advantage once discounted."""
    delta, adv = _both(REWARDS, VALUES, "0.5")
    rest = adv[0] - delta[0]
    return Judged(holds(rest == Fraction(1, 2) * adv[1]), {"rest": rest, "weight": Fraction(1, 2), "following": adv[1]})


MORE: dict[str, Check] = {
    "delta_needs_only_the_next_value": _needs_only_the_next,
    "gae_needs_more_model_calls": _more_calls,
    "delta_is_reward_less_value": _reward_less_value,
    "delta_is_the_change_of_value": _value_change,
    "negative_delta_means_bad_token": _negative_is_bad,
    "level_critic_leaves_rewards_as_deltas": _level_critic,
    "own_delta_enters_one_to_one": _one_to_one,
    "a_delta_enters_only_its_own_advantage": _only_its_own,
    "delta_hears_the_end_through_the_critic_only": _through_the_critic,
    "delta_and_advantage_rank_tokens_alike": _same_order,
    "zero_delta_means_zero_advantage": _zero_delta,
    "advantage_less_delta_is_the_next_advantage_discounted": _rest_is_next_advantage,
}
