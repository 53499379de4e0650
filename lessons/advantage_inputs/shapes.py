"""What learners claim of the map from rewards and values to advantages: linear, what can be undone, what is lost."""

from __future__ import annotations

from fractions import Fraction

from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"
Numbers = list[Fraction]


def _times(numbers: tuple[str, ...], factor: int) -> Numbers:
    return [factor * fraction(x) for x in numbers]


def _is_linear(_: Scenario) -> Judged:
    """A of a sum is the sum of the A."""
    one, other = row(REWARDS, VALUES, lam=HALF), row(("1", "-1", "0"), ("0", "2", "1"), lam=HALF)
    both = row(
        [a + b for a, b in zip(one["rewards"], other["rewards"], strict=True)],
        [a + b for a, b in zip(one["values"], other["values"], strict=True)],
        lam=HALF,
    )
    summed = [a + b for a, b in zip(one["advantages"], other["advantages"], strict=True)]
    return Judged(holds(both["advantages"] == summed), {"both": both["advantages"], "summed": summed})


def _scale(_: Scenario) -> Judged:
    plain, scaled = row(REWARDS, VALUES, lam=HALF), row(_times(REWARDS, 3), _times(VALUES, 3), lam=HALF)
    times = [3 * a for a in plain["advantages"]]
    return Judged(
        holds(scaled["advantages"] == times),
        {"factor": 3, "plain": plain["advantages"], "scaled": scaled["advantages"]},
    )


def _rewards_recovered(_: Scenario) -> Judged:
    """r_t = A_t − γλ A_{t+1} + V_t − γ V_{t+1}."""
    found = row(REWARDS, VALUES, lam=HALF)
    a, v, lam = [*found["advantages"], Fraction(0)], [*found["values"], Fraction(0)], fraction(HALF)
    back = [a[t] - lam * a[t + 1] + v[t] - v[t + 1] for t in range(len(REWARDS))]
    return Judged(holds(back == found["rewards"]), {"back": back})


def _values_recovered(_: Scenario) -> Judged:
    """From the last token on: V_t = r_t + γ V_{t+1} + γλ A_{t+1} − A_t."""
    found, lam = row(REWARDS, VALUES, lam=HALF), fraction(HALF)
    a, after = [*found["advantages"], Fraction(0)], Fraction(0)
    back: Numbers = []
    for t in reversed(range(len(REWARDS))):
        after = found["rewards"][t] + after + lam * a[t + 1] - a[t]
        back.insert(0, after)
    return Judged(holds(back == found["values"]), {"back": back})


def _determine_both(_: Scenario) -> Judged:
    """Everything one higher at the last token, reward and value."""
    one, other = row(REWARDS, VALUES, lam=0), row(("0.2", "-1", "2"), ("0.5", "0.25", "1.75"), lam=0)
    return Judged(
        holds(one["advantages"] != other["advantages"]),
        {"a": one["advantages"], "r": one["rewards"], "other_r": other["rewards"], "v": one["values"],
         "other_v": other["values"]},
    )  # fmt: skip


def _returns_need_two_lists(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    made = [a + v for a, v in zip(found["advantages"], found["values"], strict=True)]
    return Judged(holds(made == found["returns"]), {"made": made, "r": found["returns"]})


def _only_the_total(_: Scenario) -> Judged:
    """The same total, paid at the end or at the start."""
    late, early = row(("0", "0", "1"), VALUES, lam=HALF), row(("1", "0", "0"), VALUES, lam=HALF)
    return Judged(
        holds(late["advantages"] == early["advantages"]), {"late": late["advantages"], "early": early["advantages"]}
    )


def _product_is_enough(_: Scenario) -> Judged:
    """γλ the same, made in two ways."""
    one, other = row(REWARDS, VALUES, HALF, "1"), row(REWARDS, VALUES, "1", HALF)
    return Judged(
        holds(one["advantages"] == other["advantages"]), {"one": one["advantages"][0], "other": other["advantages"][0]}
    )


def _values_in_a_range(_: Scenario) -> Judged:
    """Values far outside [0, 1]: A + V still is the return of λ = 1."""
    found = row(REWARDS, ("-3", "7", "2"))
    return Judged(
        holds(found["returns"] != found["mc_returns"]),
        {"v": found["values"], "a": found["advantages"], "r": found["returns"]},
    )


def _foreseen(_: Scenario) -> Judged:
    """V is just what will come: nothing is left at any λ."""
    rows = [row(("0.25", "0", "1"), ("1.25", "1", "1"), lam=lam) for lam in ("0", HALF, "1")]
    return Judged(
        holds(not any(any(x["advantages"]) for x in rows)), {"v": rows[0]["values"], "a": rows[1]["advantages"]}
    )


def _zero_values(_: Scenario) -> Judged:
    found, lam = row(REWARDS, (0, 0, 0), lam=HALF), fraction(HALF)
    decayed = sum((lam**k * r for k, r in enumerate(found["rewards"])), Fraction(0))
    return Judged(holds(decayed == found["advantages"][0]), {"sum": decayed, "a": found["advantages"][0], "lam": lam})


def _final_reward(_: Scenario) -> Judged:
    plain, raised = row(REWARDS, VALUES, lam=HALF), row((*REWARDS[:2], "2"), VALUES, lam=HALF)
    gained = [a - b for a, b in zip(raised["advantages"], plain["advantages"], strict=True)]
    powers = [fraction(HALF) ** k for k in (2, 1, 0)]
    return Judged(holds(gained == powers), {"gained": gained, "lam": fraction(HALF)})


def _foreseen_reward(_: Scenario) -> Judged:
    """One more at the end, and each value one more because of it."""
    plain = row(REWARDS, VALUES, lam=HALF)
    raised = row((*REWARDS[:2], "2"), [fraction(v) + 1 for v in VALUES], lam=HALF)
    return Judged(
        holds(raised["advantages"] == plain["advantages"]),
        {"plain": plain["advantages"], "raised": raised["advantages"]},
    )


SHAPES: dict[str, Check] = {
    "advantages_are_linear_in_rewards_and_values": _is_linear,
    "scaling_both_scales_the_advantages": _scale,
    "rewards_can_be_recovered_from_advantages_and_values": _rewards_recovered,
    "values_can_be_recovered_from_advantages_and_rewards": _values_recovered,
    "advantages_determine_rewards_and_values": _determine_both,
    "returns_need_advantages_and_values_only": _returns_need_two_lists,
    "only_the_total_reward_matters": _only_the_total,
    "only_the_product_of_gamma_and_lambda_matters": _product_is_enough,
    "values_must_lie_between_zero_and_one": _values_in_a_range,
    "values_that_foresee_all_leave_no_advantage": _foreseen,
    "zero_values_leave_decayed_rewards": _zero_values,
    "final_reward_reaches_back_with_powers": _final_reward,
    "foreseen_reward_changes_no_advantage": _foreseen_reward,
}
