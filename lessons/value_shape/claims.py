"""What learners claim about how values move."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine import quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.one_token import outlook
from engine.proofs import counterexample, theorem
from engine.readings.exact import Exact, rational
from engine.scenario import Scenario
from lessons._fact import Check, Judged, Verdict, holds
from lessons.value_shape.checks import MORE
from lessons.value_shape.claimed import CHECKS
from lessons.value_shape.curves import CURVES
from lessons.value_shape.judged import JUDGED
from lessons.value_shape.read_off import READ_OFF
from lessons.value_shape.shapes import DISCOUNT, FORK, KINDS, along, searched
from lessons.value_shape.stated import STATED
from lessons.value_shape.turns_on import TURNS_ON


def _exact_value(rewards: tuple[float, ...], gamma: float) -> list[Exact]:
    return sequences.mc_returns([rational(r) for r in rewards], rational(gamma))


def _falls(values: list[Exact]) -> bool:
    return all(b < a for a, b in pairwise(values))


def _rises(values: list[Exact]) -> bool:
    return all(b > a for a, b in pairwise(values))


def _at_gamma_one(scenario: Scenario, statement: bool) -> Verdict:
    """What holds without a discount is left open with one."""
    if scenario.gamma is None or scenario.gamma == 1:
        return holds(statement)
    return "depends"


def _gamma(scenario: Scenario) -> float:
    return 1.0 if scenario.gamma is None else scenario.gamma


def _positive_rewards(scenario: Scenario) -> Judged:
    theorem("value_falls_under_positive_reward")
    values = _exact_value(KINDS["dense"], 1.0)
    found = exact_facts(searched, Scenario())
    return Judged(
        _at_gamma_one(scenario, _falls(values)),
        {"rewards": KINDS["dense"], "values": values, "gamma": _gamma(scenario), "discount": rational(DISCOUNT),
         "other": found["gain_rewards"], "other_values": found["gain_values"]},
    )  # fmt: skip


def _costs(scenario: Scenario) -> Judged:
    theorem("value_rises_under_negative_reward")
    values = _exact_value(KINDS["cost"], 1.0)
    found = exact_facts(searched, Scenario())
    return Judged(
        _at_gamma_one(scenario, _rises(values)),
        {"rewards": KINDS["cost"], "values": values, "gamma": _gamma(scenario), "discount": rational(DISCOUNT),
         "other": found["cost_rewards"], "other_values": found["cost_values"]},
    )  # fmt: skip


def _positive_at_any_gamma(_: Scenario) -> Judged:
    found = counterexample("value_falls_under_positive_reward_at_any_gamma")
    given: dict[str, Any] = dict(found.inputs)
    return Judged(
        holds(found.left < found.right),
        {"rewards": given["rewards"], "gamma": given["gamma"], "values": [found.right, found.left]},
    )


def _kl_rise_is_certain(_: Scenario) -> Judged:
    """The running example: rewards are −β·KL, and one sampled KL is negative."""
    found = exact_facts(along, RUNNING)
    t = min(range(len(found["rewards"]) - 1), key=lambda i: found["change"][i])
    steps = found["mc_returns"]
    return Judged(
        holds(_rises(steps)),
        {
            "kl": exact_facts(lambda x: {"kl": quantities.kl(x)}, RUNNING)["kl"][t],
            "before": steps[t],
            "after": steps[t + 1],
        },
    )


def _always_rise(_: Scenario) -> Judged:
    values = _exact_value(KINDS["dense"], 1.0)
    return Judged(holds(_rises(values)), {"rewards": KINDS["dense"], "values": values})


def _always_fall(_: Scenario) -> Judged:
    values = _exact_value(KINDS["cost"], 1.0)
    return Judged(holds(_falls(values)), {"rewards": KINDS["cost"], "values": values})


def _level_on_average(_: Scenario) -> Judged:
    theorem("expected_value_changes_by_expected_reward")
    fork = exact_facts(outlook(FORK), Scenario())
    return Judged(
        holds(fork["mean_after"] == fork["value"]),
        {"value": fork["value"], "after": fork["after"], "mean": fork["mean_after"], "p": fork["probabilities"]},
    )


def _always_constant(_: Scenario) -> Judged:
    certain = _exact_value(KINDS["outcome"], 1.0)
    fork = exact_facts(outlook(FORK), Scenario())
    moves = any(after != fork["value"] for after in fork["after"])
    still = len(set(certain)) == 1
    return Judged(
        "depends" if still and moves else holds(still),
        {"certain": certain, "value": fork["value"], "after": fork["after"]},
    )


def _climbs_to_the_outcome(_: Scenario) -> Judged:
    fork = exact_facts(outlook(FORK), Scenario())
    return Judged(
        holds(all(after >= fork["value"] for after in fork["after"])), {"value": fork["value"], "after": fork["after"]}
    )


def _discount_makes_a_ramp(_: Scenario) -> Judged:
    theorem("outcome_reward_reaches_back_discounted")
    values, level = _exact_value(KINDS["outcome"], DISCOUNT), _exact_value(KINDS["outcome"], 1.0)
    return Judged(
        holds(_rises(values) and len(set(level)) == 1), {"values": values, "level": level, "gamma": rational(DISCOUNT)}
    )


def _a_fall_is_a_failure(_: Scenario) -> Judged:
    values = _exact_value(KINDS["dense"], 1.0)
    return Judged(holds(not _falls(values)), {"values": values, "rewards": KINDS["dense"]})


def _up_and_down_is_normal(_: Scenario) -> Judged:
    rewards = (-0.3, 0.5, 0.5)
    values = _exact_value(rewards, 1.0)
    return Judged(holds(not _rises(values) and not _falls(values)), {"rewards": rewards, "values": values})


def _ends_at_the_last_reward(_: Scenario) -> Judged:
    ends = [(_exact_value(rewards, 1.0)[-1], rational(rewards[-1])) for rewards in KINDS.values()]
    return Judged(
        holds(all(v == r for v, r in ends)), {"values": [v for v, _ in ends], "rewards": [r for _, r in ends]}
    )


def _follows_the_realised_return(_: Scenario) -> Judged:
    found = exact_facts(along, RUNNING)
    return Judged(
        holds(found["values"] == found["mc_returns"]), {"values": found["values"], "returns": found["mc_returns"]}
    )


FACTS: dict[str, Check] = {
    **CHECKS,
    "positive_rewards_make_values_fall": _positive_rewards,
    "positive_rewards_fall_at_any_gamma": _positive_at_any_gamma,
    "kl_cost_makes_values_rise": _costs,
    "kl_rise_is_certain": _kl_rise_is_certain,
    "values_always_rise": _always_rise,
    "values_always_fall": _always_fall,
    "outcome_only_is_level_on_average": _level_on_average,
    "outcome_only_is_constant": _always_constant,
    "outcome_only_never_falls": _climbs_to_the_outcome,
    "discount_alone_makes_a_ramp": _discount_makes_a_ramp,
    "falling_values_mean_failure": _a_fall_is_a_failure,
    "up_and_down_is_normal": _up_and_down_is_normal,
    "last_value_approaches_last_reward": _ends_at_the_last_reward,
    "values_must_follow_the_realised_return": _follows_the_realised_return,
    **MORE,
    **JUDGED,
    **CURVES,
    **STATED,
    **READ_OFF,
    **TURNS_ON,
}
