"""More of what learners claim of returns: at the ends of λ, beside r, V, G and A, and what moves them."""

from __future__ import annotations

from typing import Any

from engine import formulas, quantities
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.one_token import OneToken, outlook
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons._first import on_own

LAST_TOKEN = OneToken(probabilities=(0.6, 0.4), rewards=(1.0, 0.0), next_values=(0.0, 0.0))
CLOSE = 1e-9


def _gae(rewards: Any, values: Any, lam: float, gamma: float = 1.0) -> dict[str, Any]:
    return dict(
        quantities.facts("gae", scenario({"rewards": rewards, "values": values, "gamma": gamma, "lam": lam})).exact
    )


def _at(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("gae", at_hand().merged(changes)).exact)


def _one_step_target(_: Scenario) -> Judged:
    theorem("gae_lambda_zero_is_td_error")
    found = _at(lam=0.0)
    reward, after, target = found["rewards"][0], found["values"][1], found["returns"][0]
    return Judged(holds(target == reward + after), {"reward": reward, "after": after, "target": target})


def _is_reward(own: Scenario) -> Judged:
    found = quantities.facts("gae", own).exact
    return Judged(
        holds(found["returns"] == found["rewards"]), {"reward": found["rewards"][0], "target": found["returns"][0]}
    )


def _all_equal_score(_: Scenario) -> Judged:
    theorem("outcome_return_is_the_same_at_every_token")
    returns = _gae([0, 0, 1], [0.5, 0.25, 0.75], 1.0)["returns"]
    return Judged(
        holds(set(returns) == {1}),
        {"rewards": [0, 0, 1], "returns": returns, "below": _gae([0, 0, 1], [0.5, 0.25, 0.75], 0.5)["returns"]},
    )


def _less_value_is_advantage(_: Scenario) -> Judged:
    found = _at()
    same = all(
        abs(float(r - v - a)) < CLOSE
        for r, v, a in zip(found["returns"], found["values"], found["advantages"], strict=True)
    )
    return Judged(
        holds(same),
        {"target": found["returns"][0], "value": found["values"][0], "advantage": found["advantages"][0]},
    )


def _between_the_ends(_: Scenario) -> Judged:
    """Rewards 0 throughout, and a critic that hopes once, in the middle."""
    rewards, values = [0, 0, 0], [0, 0, 1]
    zero, half, one = (_gae(rewards, values, lam)["returns"][0] for lam in (0.0, 0.5, 1.0))
    return Judged(
        holds(min(zero, one) <= half <= max(zero, one)),
        {"r": rewards, "v": values, "zero": zero, "half": half, "one": one},
    )


def _network_puts_them_out(_: Scenario) -> Judged:
    """The same values under another reward."""
    values = [0.5, 0.25, 0.75]
    targets = [_gae([0, 0, score], values, 0.5)["returns"][0] for score in (1, 0)]
    return Judged(holds(targets[0] == targets[1]), {"v": values, "good": targets[0], "bad": targets[1]})


def _exact_means_equal(_: Scenario) -> Judged:
    """At the last token R is the reward drawn; the exact V is its mean."""
    found = exact_facts(outlook(LAST_TOKEN), Scenario())
    return Judged(
        holds(all(x == found["value"] for x in found["earned"])), {"value": found["value"], "returns": found["earned"]}
    )


def _next_value_lifts(_: Scenario) -> Judged:
    theorem("later_values_vanish_at_lambda_one")
    values = list(at_hand().rows("values")[0])
    higher = [values[0], values[1] + 1, *values[2:]]
    moves = [_at(lam=lam, values=higher)["returns"][0] - _at(lam=lam)["returns"][0] for lam in (0.0, 0.5, 1.0)]
    return Judged(
        "depends" if moves[0] > 0 < moves[1] and moves[2] == 0 else holds(min(moves) > 0),
        {"zero": moves[0], "half": moves[1], "one": moves[2]},
    )


def _larger_lambda(_: Scenario) -> Judged:
    """By whether the later news is good or bad."""
    good, bad = ([_gae([0, score], [0.5, 0.5], lam)["returns"][0] for lam in (0.0, 1.0)] for score in (1, 0))
    return Judged(
        "depends" if good[0] < good[1] and bad[0] > bad[1] else holds(good[0] < good[1]), {"good": good, "bad": bad}
    )


def _no_advantage_no_change(_: Scenario) -> Judged:
    theorem("later_returns_are_values_if_later_deltas_vanish")
    found = _gae([0, 0, 1], [1, 1, 1], 0.5)
    return Judged(
        holds(not any(found["advantages"]) and found["returns"] == found["values"]),
        {"v": found["values"], "a": found["advantages"], "returns": found["returns"]},
    )


def _own_recursion(_: Scenario) -> Judged:
    """R_0 from r_0, V_1 and R_1 alone."""
    theorem("advantage_plus_value_is_lambda_return")
    found = _at(lam=0.5)
    gamma, lam = RUNNING.gamma, 0.5
    step = formulas.lambda_return_step(
        float(found["rewards"][0]), float(found["values"][1]), float(found["returns"][1]), gamma, lam
    )
    return Judged(
        holds(abs(step - float(found["returns"][0])) < CLOSE),
        {"reward": found["rewards"][0], "after": found["values"][1], "next": found["returns"][1],
         "target": found["returns"][0]},
    )  # fmt: skip


def _nothing_earned(_: Scenario) -> Judged:
    """No reward anywhere, and a critic that hopes."""
    below, one = (_gae([0, 0, 0], [0.5, 0.5, 0.5], lam)["returns"] for lam in (0.5, 1.0))
    return Judged(
        "depends" if any(below) and not any(one) else holds(not any(below)),
        {"v": [0.5] * 3, "below": below, "one": one},
    )


MORE: dict[str, Check] = {
    "lambda_zero_gives_the_one_step_target": _one_step_target,
    "return_is_the_tokens_reward": on_own(_is_reward),
    "all_returns_equal_the_score": _all_equal_score,
    "return_less_value_is_advantage": _less_value_is_advantage,
    "lies_between_one_step_and_monte_carlo": _between_the_ends,
    "critic_puts_out_the_returns": _network_puts_them_out,
    "exact_critic_makes_returns_equal_values": _exact_means_equal,
    "raising_the_next_value_raises_the_return": _next_value_lifts,
    "larger_lambda_means_larger_return": _larger_lambda,
    "no_advantage_means_return_is_value": _no_advantage_no_change,
    "returns_obey_their_own_recursion": _own_recursion,
    "no_reward_means_no_return": _nothing_earned,
}
