"""More of what learners claim about bootstrapping: what it takes, where it is strongest, what it is taken for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _with_value_raised(t: int, **changes: Any) -> dict[str, Any]:
    values = [v + float(i == t) for i, v in enumerate(at_hand().rows("values")[0])]
    return _at(values=values, **changes)


def _moved(t: int, at: int, **changes: Any) -> Any:
    """By how much A at one token moves when V at another is one higher."""
    return _with_value_raised(t, **changes)["advantages"][at] - _at(**changes)["advantages"][at]


def _is_the_next_value(_: Scenario) -> Judged:
    """δ with a next value of 0 in the place of V_{t+1} lacks just that."""
    found = _at()
    without = mistakes.run("bootstrap_next_value_forgotten", RUNNING).exact["deltas"][0]
    lacking = found["deltas"][0] - without
    return Judged(
        holds(lacking == found["values"][1]), {"delta": found["deltas"][0], "without": without, "v": found["values"][1]}
    )


def _smaller_lambda_leans_more(_: Scenario) -> Judged:
    theorem("later_value_reaches_back_through_bootstrap")
    moved = [_moved(1, 0, lam=lam) for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(moved[0] > moved[1] > moved[2]), {"none": moved[0], "half": moved[1], "one": moved[2]})


def _gamma_zero_ends_it(_: Scenario) -> Judged:
    found = _at(gamma=0.0)
    alone = [r - v for r, v in zip(found["rewards"], found["values"], strict=True)]
    return Judged(
        holds(found["advantages"] == alone), {"adv": found["advantages"][0], "moved": _moved(1, 0, gamma=0.0)}
    )


def _takes_another_pass(_: Scenario) -> Judged:
    """Whether any next value is not in the list already."""
    values = _at()["values"]
    following = sequences.next_values(values)
    new = [v for v in following[:-1] if v not in values]
    return Judged(holds(bool(new)), {"values": values, "next": following})


def _too_high_lifts_the_token_before(_: Scenario) -> Judged:
    before, own = _moved(2, 1), _moved(2, 2)
    return Judged(holds(before > 0 > own), {"before": before, "own": own})


def _is_the_recursion(_: Scenario) -> Judged:
    """At λ = 1 the recursion runs over every token, and yet no later V is left."""
    theorem("later_values_vanish_at_lambda_one")
    found = _at(lam=1.0)
    handed_on = found["advantages"][0] - found["deltas"][0]
    left = _moved(2, 0, lam=1.0)
    return Judged(holds(not (handed_on and left == 0)), {"handed_on": handed_on, "left": left})


def _leaves_real_rewards_out(_: Scenario) -> Judged:
    rewards = [float(r) for r in _at()["rewards"]]
    higher = _at(rewards=[rewards[0] + 1, *rewards[1:]], scores=None)
    before, after = _at()["deltas"][0], higher["deltas"][0]
    return Judged(holds(before == after), {"before": before, "after": after})


def _uses_the_critic_being_trained(_: Scenario) -> Judged:
    before, after = _at()["advantages"][0], _at(vpreds=[5.0] * RUNNING.length)["advantages"][0]
    return Judged(holds(before != after), {"before": before, "after": after})


def _n_steps_put_it_off(_: Scenario) -> Judged:
    """Which V a two-step return moves with."""
    rewards, values = [Fraction(0)] * 3, [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]

    def two_steps(raised: int) -> Fraction:
        seen = [v + (t == raised) for t, v in enumerate(values)]
        return sequences.n_step_return(rewards, seen, Fraction(1), 0, 2)

    plain = sequences.n_step_return(rewards, values, Fraction(1), 0, 2)
    moved = [two_steps(t) - plain for t in (1, 2)]
    return Judged(holds(moved == [0, 1]), {"next": moved[0], "second": moved[1]})


def _zero_values_bootstrap_nothing(_: Scenario) -> Judged:
    found = _at(values=[0.0] * RUNNING.length)
    return Judged(
        holds(found["deltas"] == found["rewards"]), {"delta": found["deltas"][0], "reward": found["rewards"][0]}
    )


def _errors_grow_on_the_way_back(_: Scenario) -> Judged:
    """The last V too high: how much that moves the advantages before it, nearest first."""
    theorem("later_value_reaches_back_through_bootstrap")
    last = at_hand().length - 1
    moved = [_moved(last, t) for t in (last - 1, last - 2, last - 3)]
    return Judged(holds(moved[0] < moved[1] < moved[2]), {"moved": moved})


def _is_gone_below_one(_: Scenario) -> Judged:
    """How much of a next value's error a token takes over at verl's λ of 1 and below it."""
    one, below = _moved(1, 0, lam=1.0), _moved(1, 0)
    return Judged(holds(one != 0), {"one": one, "below": below, "lam": RUNNING.lam})


MORE: dict[str, Check] = {
    "bootstrap_stands_for_the_rest_by_next_value": _is_the_next_value,
    "smaller_lambda_bootstraps_more": _smaller_lambda_leans_more,
    "gamma_zero_switches_bootstrap_off": _gamma_zero_ends_it,
    "bootstrap_takes_another_forward_pass": _takes_another_pass,
    "too_high_next_value_lifts_the_token_before": _too_high_lifts_the_token_before,
    "bootstrap_is_the_backward_recursion": _is_the_recursion,
    "bootstrap_leaves_real_rewards_out": _leaves_real_rewards_out,
    "bootstrap_uses_the_critic_being_trained": _uses_the_critic_being_trained,
    "n_steps_put_the_bootstrap_off": _n_steps_put_it_off,
    "zero_values_leave_only_rewards": _zero_values_bootstrap_nothing,
    "bootstrap_errors_grow_on_the_way_back": _errors_grow_on_the_way_back,
    "verl_default_bootstraps": _is_gone_below_one,
}
