"""What learners claim of the end of a response: the value after it, its last advantage, a response that was cut off."""

from __future__ import annotations

from engine import formulas, quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.readings.exact import rational
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._first import numbers


def _zero_is_an_approximation(_: Scenario) -> Judged:
    """What can still be earned after the last token, when the rewards are those of the running example."""
    rewards = [rational(r) for r in (0.0, 0.0, 1.0)]
    following = sequences.mc_returns([*rewards, rational(0.0)], rational(1.0))[len(rewards)]
    return Judged(holds(following != 0), {"following": following})


def _last_is_reward_less_value(scenario: Scenario) -> Judged:
    own = numbers(scenario)
    runs = [quantities.facts("gae", own.merged({"lam": lam})).exact for lam in (0.0, 0.5, 1.0)]
    last = [run["advantages"][-1] for run in runs]
    expected = formulas.advantage(runs[0]["rewards"][-1], runs[0]["values"][-1])
    return Judged(holds(all(a == expected for a in last)), {"advantage": last[0]})


def _truncated_ends_at_zero(_: Scenario) -> Judged:
    """A response cut off before its reward: what was still to come there."""
    found = exact_facts(quantities.reward_to_go, RUNNING)["mc_returns"]
    return Judged("depends" if found[3] != 0 else "true", {"missed": found[3]})


ENDS: dict[str, Check] = {
    "last_next_value_zero_is_approximate": _zero_is_an_approximation,
    "last_advantage_is_reward_minus_value": _last_is_reward_less_value,
    "truncated_response_ends_at_zero": _truncated_ends_at_zero,
}
