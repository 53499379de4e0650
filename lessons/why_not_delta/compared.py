"""What learners claim when they set δ beside A: size and sign, what enters which, what code does with either."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import conventions, mistakes, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Rollout, Whitening
from engine.example import LAM, RUNNING
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import gae, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row

REWARDS, VALUES = ("0", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"


def _delta_is_largest(_: Scenario) -> Judged:
    """A response on which δ is the larger, and one on which A is."""
    small, large = row(("0", "0"), ("0", HALF), lam=1), row(("0", "1"), ("0", HALF), lam=1)
    sizes = [(abs(x["deltas"][0]), abs(x["advantages"][0])) for x in (small, large)]
    return Judged(holds(all(d <= a for d, a in sizes)), {"delta": sizes[0][0], "a": sizes[0][1]})


def _advantage_exceeds_delta(_: Scenario) -> Judged:
    found = row(("0", "0"), ("0", HALF), lam=HALF)
    delta, advantage = found["deltas"][0], found["advantages"][0]
    return Judged(holds(advantage >= delta), {"delta": delta, "a": advantage, "later": found["deltas"][1]})


def _lambda_enters_delta(_: Scenario) -> Judged:
    rows = [row(REWARDS, VALUES, lam=lam) for lam in ("0", HALF, "1")]
    return Judged(
        holds(any(x["deltas"] != rows[0]["deltas"] for x in rows)),
        {"delta": rows[0]["deltas"][0], "a": [x["advantages"][0] for x in rows]},
    )


def _gamma_enters_delta(_: Scenario) -> Judged:
    one, half = (row(REWARDS, VALUES, gamma=g)["deltas"][0] for g in ("1", HALF))
    return Judged(holds(one != half), {"one": one, "half": half})


def _last_delta_has_a_next_value(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    last, plain = found["deltas"][-1], found["rewards"][-1] - found["values"][-1]
    return Judged(holds(last != plain), {"last": last, "r": found["rewards"][-1], "v": found["values"][-1]})


def _last_delta_needs_gamma(_: Scenario) -> Judged:
    one, half = (row(REWARDS, VALUES, gamma=g)["deltas"][-1] for g in ("1", HALF))
    return Judged(holds(one != half), {"one": one, "half": half})


def _lambda_zero_gives_delta(_: Scenario) -> Judged:
    found = gae(lam=0.0)
    return Judged(
        holds(close(found["advantages"], found["deltas"])), {"a": found["advantages"][0], "delta": found["deltas"][0]}
    )


def _gamma_zero_gives_delta(_: Scenario) -> Judged:
    rows = [row(REWARDS, VALUES, gamma=0, lam=lam) for lam in ("0", HALF, "1")]
    same = all(x["advantages"] == x["deltas"] for x in rows)
    return Judged(holds(same), {"a": rows[-1]["advantages"], "deltas": rows[-1]["deltas"]})


def _next_value_weighs_alike(_: Scenario) -> Judged:
    before, after = (row(REWARDS, (VALUES[0], second, VALUES[2]), lam=HALF) for second in (VALUES[1], "1.25"))
    delta, a = (moved(after[name], before[name])[0] for name in ("deltas", "advantages"))
    return Judged(holds(delta == a), {"delta": delta, "a": a, "lam": fraction(HALF)})


def _two_terms_only(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    two = found["deltas"][0] + fraction(HALF) * found["deltas"][1]
    return Judged(holds(two == found["advantages"][0]), {"two": two, "a": found["advantages"][0]})


def _weight_is_gamma(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, gamma="0.5", lam="0.5")
    by_gamma = found["deltas"][0] + sum(fraction("0.5") ** k * found["deltas"][k] for k in (1, 2))
    return Judged(holds(by_gamma == found["advantages"][0]), {"by_gamma": by_gamma, "a": found["advantages"][0]})


def _earlier_deltas_enter(_: Scenario) -> Judged:
    before, after = (row((first, *REWARDS[1:]), VALUES, lam=HALF) for first in ("0", "1"))
    change = moved(after["advantages"], before["advantages"])
    return Judged(holds(any(change[1:])), {"moved": change})


def _is_the_td_target(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES)
    target = found["rewards"][0] + found["values"][1]
    return Judged(
        holds(found["deltas"][0] == target),
        {"target": target, "delta": found["deltas"][0], "v": found["values"][0]},
    )


def _news_of_one_step(_: Scenario) -> Judged:
    """δ: what is expected after the token, its reward counted, less what was expected before."""
    found = gae()
    after = [*found["values"][1:], 0 * found["values"][0]]
    news = [r + then - now for r, then, now in zip(found["rewards"], after, found["values"], strict=True)]
    return Judged(
        holds(close(news, found["deltas"])),
        {"before": found["values"][0], "after": found["values"][1], "r": found["rewards"][0],
         "delta": found["deltas"][0]},
    )  # fmt: skip


def _critic_minimises_delta(_: Scenario) -> Judged:
    """What the critic is off by at its first step: R − V, at the running λ and at zero."""
    here, zero = gae(), gae(lam=0.0)
    errors = [[r - v for r, v in zip(x["returns"], x["values"], strict=True)] for x in (here, zero)]
    same = [close(e, x["deltas"]) for e, x in zip(errors, (here, zero), strict=True)]
    return Judged(
        "depends" if same == [False, True] else holds(all(same)),
        {"error": errors[0][0], "delta": here["deltas"][0], "zero": errors[1][0], "lam": RUNNING.lam},
    )


def _actor_gets_delta(_: Scenario) -> Judged:
    """What verl hands to the actor beside δ, whitening aside."""
    found = quantities.facts("pipeline", at_hand()).exact
    wrong = mistakes.run("delta_for_advantage", at_hand()).exact
    return Judged(
        holds(close(found["advantages"], found["deltas"])),
        {"a": found["advantages"], "deltas": wrong["advantages"]},
    )


def _forwards(_: Scenario) -> Judged:
    right, wrong = gae()["advantages"], _run_forwards()
    return Judged(holds(close(right, wrong)), {"right": right[0], "wrong": wrong[0], "last": wrong[-1]})


def _run_forwards() -> list[Any]:
    """A_t = δ_t + γλ A_{t−1}, from the first token on."""
    found, carried, weight = [], Fraction(0), fraction(LAM)
    for delta in gae()["deltas"]:
        carried = delta + weight * carried
        found.append(carried)
    return found


def _equal_deltas(_: Scenario) -> Judged:
    found = row(("1", "1", "1"), ("0", "0", "0"), lam=HALF)
    a = found["advantages"]
    return Judged(holds(a[0] > a[1] > a[2] and len(set(found["deltas"])) == 1), {"deltas": found["deltas"], "a": a})


def _overestimate(_: Scenario) -> Judged:
    before, after = (row(REWARDS, (VALUES[0], second, VALUES[2]))["deltas"] for second in (VALUES[1], "1.25"))
    change = moved(after, before)
    return Judged(holds(change[0] > 0 > change[1] and change[2] == 0), {"moved": change})


def _whitening_hides_it(_: Scenario) -> Judged:
    found, other = whitened(), whitened("deltas")
    first = [round(float(x[0]), 6) for x in (found, other)]
    return Judged(holds(close(found, other)), {"a": first[0], "delta": first[1]})


def _reward_in_one_delta(_: Scenario) -> Judged:
    before, after = (row(("0", middle, "1"), VALUES)["deltas"] for middle in ("0", "1"))
    change = moved(after, before)
    return Judged(holds(change == [0, 1, 0]), {"moved": change})


def _value_in_one_delta(_: Scenario) -> Judged:
    before, after = (row(REWARDS, (VALUES[0], second, VALUES[2]))["deltas"] for second in (VALUES[1], "1.25"))
    change = moved(after, before)
    return Judged(holds(sum(map(bool, change)) == 1), {"moved": change})


def _delta_is_reinforce(_: Scenario) -> Judged:
    found = gae(lam=0.0)
    return Judged(
        holds(close(found["advantages"], found["mc_advantages"])),
        {"delta": found["advantages"][0], "mc": found["mc_advantages"][0]},
    )


def _projects_share_delta(_: Scenario) -> Judged:
    """A full row at λ = 0 under four conventions."""
    rollout = Rollout([list(map(fraction, REWARDS))], [list(map(fraction, VALUES))], [[1, 1, 1]])
    found = [
        conventions.run(rollout, replace(c, whitening=Whitening.NONE), gamma=Fraction(1), lam=Fraction(0)).advantages[0]
        for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(all(list(x) == list(found[0]) for x in found)), {"count": len(found), "deltas": list(found[0])})


def _carried_is_delta(_: Scenario) -> Judged:
    """What the loop carries from the token after: A or δ."""
    found = row(REWARDS, VALUES, lam=HALF)
    carried = (found["advantages"][0] - found["deltas"][0]) / fraction(HALF)
    return Judged(
        holds(carried == found["deltas"][1]),
        {"carried": carried, "delta": found["deltas"][1], "a": found["advantages"][1]},
    )


COMPARED: dict[str, Check] = {
    "delta_is_never_larger_than_the_advantage": _delta_is_largest,
    "advantage_is_never_below_delta": _advantage_exceeds_delta,
    "delta_depends_on_lambda": _lambda_enters_delta,
    "delta_depends_on_gamma": _gamma_enters_delta,
    "last_delta_contains_a_next_value": _last_delta_has_a_next_value,
    "last_delta_depends_on_gamma": _last_delta_needs_gamma,
    "lambda_zero_makes_the_advantage_delta": _lambda_zero_gives_delta,
    "gamma_zero_makes_the_advantage_delta": _gamma_zero_gives_delta,
    "next_value_weighs_the_same_in_delta_and_advantage": _next_value_weighs_alike,
    "advantage_has_two_deltas_only": _two_terms_only,
    "later_deltas_weigh_gamma_alone": _weight_is_gamma,
    "earlier_deltas_enter_the_advantage": _earlier_deltas_enter,
    "delta_is_the_td_target": _is_the_td_target,
    "delta_is_new_forecast_less_old": _news_of_one_step,
    "critic_is_trained_to_make_delta_small": _critic_minimises_delta,
    "actor_is_given_delta": _actor_gets_delta,
    "advantages_can_be_accumulated_forwards": _forwards,
    "equal_deltas_make_advantages_fall": _equal_deltas,
    "overestimated_value_raises_the_delta_before": _overestimate,
    "whitening_makes_delta_and_advantage_equal": _whitening_hides_it,
    "a_reward_enters_one_delta_only": _reward_in_one_delta,
    "a_value_enters_one_delta_only": _value_in_one_delta,
    "delta_as_advantage_is_reinforce": _delta_is_reinforce,
    "projects_share_one_delta": _projects_share_delta,
    "lastgaelam_holds_the_next_delta": _carried_is_delta,
}
