"""Whose reward it is: the transition's in general; the token's just as well where the token settles the next state."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute
from engine.proofs.ownership import (
    certain_outcome_has_its_own_reward_as_mean,
    mean_reward_gives_every_sampled_delta,
    only_the_mean_reward_enters_the_value,
)
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.world import small
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import lanes
from lessons._first import first_response, numbers, worked
from lessons._lesson import Shown
from lessons.reward_owner.checks import MORE
from lessons.reward_owner.claimed import CHECKS
from lessons.reward_owner.judged import JUDGED
from lessons.reward_owner.shares import SHARES
from lessons.reward_owner.stated import STATED
from lessons.reward_owner.turns_on import TURNS_ON
from lessons.reward_owner.users import USERS

QUANTITIES: tuple[str, ...] = ()
MISTAKEN = ("reward_index_earlier", "reward_index_later")
# A tool is called: two things can come back, each with its chance, its reward, and the value of what follows.
CHANCES, REWARDS, VALUES_AFTER = (0.75, 0.25), (1.0, 0.0), (0.2, 0.1)


def show(scenario: Scenario) -> Shown:
    own = quantities.facts("gae", first_response(scenario))
    return Shown(
        facts=quantities.facts("gae", scenario).beside(_text()).beside(_tool()),
        work=worked(quantities.gae, scenario),
        proofs={
            "mean": only_the_mean_reward_enters_the_value(),
            "certain": certain_outcome_has_its_own_reward_as_mean(),
        },
        counterexamples={"sampled": mean_reward_gives_every_sampled_delta()},
        mistakes={id: mistakes.run(id, scenario) for id in MISTAKEN},
        figures={"between": lanes(own.numbers, "values", "rewards")},
        twins=(twins.gae,),
    )


def _text() -> Facts:
    """In text a state and a token have one next state: counted over a small vocabulary."""

    def program(x: Inputs) -> dict[str, Any]:
        paths = list(small(x.number).rewards)
        pairs = {(path[:-1], path[-1]) for path in paths}
        transitions = {(path[:-1], path[-1], path) for path in paths}
        return {
            "pairs": len(pairs),
            "transitions": len(transitions),
            "rewards_in_one_state": [small(x.number).rewards[(token,)] for token in range(2)],
        }

    return compute(program, Scenario()).under("grid")


def _tool() -> Facts:
    return compute(_after_a_call, Scenario()).under("constants")


def _after_a_call(x: Inputs) -> dict[str, Any]:
    """One state and token, two next states: δ with the reward of each transition, and with their mean for both."""
    chances = [x.number("probabilities", p) for p in CHANCES]
    rewards = [x.number("rewards", r) for r in REWARDS]
    after = [x.number("values", v) for v in VALUES_AFTER]
    gamma = x.number("gamma", 1.0)
    mean_reward = expected(chances, lambda o: rewards[o])
    value = expected(chances, lambda o: formulas.mc_step(rewards[o], after[o], gamma))
    by_transition = [formulas.td_error(r, value, v, gamma) for r, v in zip(rewards, after, strict=True)]
    by_token = [formulas.td_error(mean_reward, value, v, gamma) for v in after]
    return {
        "chances": chances,
        "by_outcome": rewards,
        "mean_reward": mean_reward,
        "value": value,
        "value_from_mean": expected(chances, lambda o: formulas.mc_step(mean_reward, after[o], gamma)),
        "deltas_by_transition": by_transition,
        "deltas_by_token": by_token,
        "mean_by_transition": expected(chances, lambda o: by_transition[o]),
        "mean_by_token": expected(chances, lambda o: by_token[o]),
    }


# ---------------------------------------------------------------- what learners claim


def _found_of_tool() -> dict[str, Any]:
    return dict(_tool().exact["constants"])


def _found_of_text() -> dict[str, Any]:
    return dict(_text().exact["grid"])


def _readings_coincide_for_text(_: Scenario) -> Judged:
    certain_outcome_has_its_own_reward_as_mean()
    found = _found_of_text()
    return Judged(
        holds(found["pairs"] == found["transitions"]), {"pairs": found["pairs"], "transitions": found["transitions"]}
    )


def _transition_and_not_action(_: Scenario) -> Judged:
    """In text the two are one; with tools they are two."""
    text, tool = _found_of_text(), _found_of_tool()
    one, two = text["pairs"] == text["transitions"], len(set(tool["by_outcome"])) > 1
    return Judged(
        "depends" if one and two else holds(two), {"pairs": text["pairs"], "transitions": text["transitions"],
                                                   "outcomes": tool["by_outcome"]},
    )  # fmt: skip


def _readings_coincide_with_tools(_: Scenario) -> Judged:
    found = _found_of_tool()
    return Judged(
        holds(len(set(found["by_outcome"])) == 1), {"outcomes": found["by_outcome"], "mean": found["mean_reward"]}
    )


def _reward_belongs_to_the_state_alone(_: Scenario) -> Judged:
    rewards = _found_of_text()["rewards_in_one_state"]
    return Judged(holds(len(set(rewards)) == 1), {"first": rewards[0], "second": rewards[1]})


def _kl_is_the_tokens(_: Scenario) -> Judged:
    """Other later tokens change no KL before them."""
    before = compute(quantities.kl_rewards, RUNNING.merged({"kl_values": None})).exact["kl"]
    later = RUNNING.merged({"kl_values": None, "logp": [*(RUNNING.logp or ())[:3], -2.0, -2.0, -2.0]})
    after = compute(quantities.kl_rewards, later).exact["kl"]
    return Judged(holds(before[:3] == after[:3] and before[3] != after[3]), {"kl": before[0], "same": after[0]})


def _reward_is_the_one_befores(_: Scenario) -> Judged:
    own = numbers(Scenario())
    right = quantities.facts("gae", own).exact["advantages"][0]
    wrong = mistakes.run("reward_index_earlier", own).exact["advantages"][0]
    return Judged(holds(right == wrong), {"right": right, "wrong": wrong})


def _chance_needs_another_value(_: Scenario) -> Judged:
    only_the_mean_reward_enters_the_value()
    found = _found_of_tool()
    return Judged(
        holds(found["value"] != found["value_from_mean"]),
        {"value": found["value"], "from_mean": found["value_from_mean"]},
    )


def _every_delta_is_the_same_with_the_mean(_: Scenario) -> Judged:
    found = _found_of_tool()
    return Judged(
        holds(found["deltas_by_transition"] == found["deltas_by_token"]),
        {"transition": found["deltas_by_transition"], "token": found["deltas_by_token"]},
    )


def _score_is_the_last_transitions(_: Scenario) -> Judged:
    """Only the last δ holds the score itself."""
    own = numbers(Scenario())
    more = own.merged({"scores": [*(own.scores or ())[:-1], 2.0]})
    before, after = (quantities.facts("gae", s).exact["deltas"] for s in (own, more))
    moved = [t for t, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    return Judged(holds(moved == [own.length - 1]), {"t": moved[0], "before": before[-1], "after": after[-1]})


FACTS: dict[str, Check] = {
    **CHECKS,
    "transition_and_not_action": _transition_and_not_action,
    "readings_coincide_for_text": _readings_coincide_for_text,
    "readings_coincide_with_tools": _readings_coincide_with_tools,
    "reward_belongs_to_the_state_alone": _reward_belongs_to_the_state_alone,
    "kl_is_the_tokens": _kl_is_the_tokens,
    "reward_belongs_to_the_token_before": _reward_is_the_one_befores,
    "chance_needs_another_value": _chance_needs_another_value,
    "every_delta_is_the_same_with_the_mean": _every_delta_is_the_same_with_the_mean,
    "score_is_the_last_transitions": _score_is_the_last_transitions,
    **MORE,
    **JUDGED,
    **SHARES,
    **USERS,
    **STATED,
    **TURNS_ON,
}
