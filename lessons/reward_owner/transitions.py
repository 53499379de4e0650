"""What a state and a token lead to: in text to one state, after a tool's call to one of several."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.facts import Facts, Inputs, compute
from engine.proofs.ownership import certain_outcome_has_its_own_reward_as_mean
from engine.proofs.programs import expected
from engine.scenario import Scenario
from engine.world import SMALL_CHANCES, SMALL_REWARDS, small
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

# A tool is called: two things can come back, each with its chance, its reward, and the value of what follows.
CHANCES, REWARDS, VALUES_AFTER = (0.75, 0.25), (1.0, 0.0), (0.2, 0.1)
CHOICES = {(path[:-1], path[-1]) for path in SMALL_REWARDS}  # a state and a token
TRANSITIONS = {(path[:-1], path[-1], path) for path in SMALL_REWARDS}  # and the state that they lead to
COUNTED = {"pairs": len(CHOICES), "transitions": len(TRANSITIONS)}


def text() -> Facts:
    """In text a state and a token have one next state: counted over a small vocabulary."""

    def program(x: Inputs) -> dict[str, Any]:
        return {**COUNTED, "rewards_in_one_state": [small(x.number).rewards[(token,)] for token in range(2)]}

    return compute(program, Scenario()).under("grid")


def tool() -> Facts:
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


def _transition_and_not_action(_: Scenario) -> Judged:
    """In text the two are one; with tools they are two."""
    one, two = len(CHOICES) == len(TRANSITIONS), len(set(REWARDS)) > 1
    return Judged(weighed(two, one), {**COUNTED, "outcomes": [int(r) for r in REWARDS]})


def _readings_coincide_for_text(_: Scenario) -> Judged:
    certain_outcome_has_its_own_reward_as_mean()
    return Judged(holds(len(CHOICES) == len(TRANSITIONS)), COUNTED)


def _of_the_state_reached(_: Scenario) -> Judged:
    """The state reached is the tokens so far, and each has one reward."""
    reached = Counter((*state, token) for state, token in CHOICES)
    one, other = (Fraction(str(SMALL_REWARDS[path])) for path in ((0, 0), (1, 0)))
    return Judged(holds(max(reached.values()) == 1), {"states": len(reached), "one": one, "other": other})


def _sampling_is_the_transition(_: Scenario) -> Judged:
    """Chance is in which token is drawn; what it leads to is settled."""
    most = max(Counter((state, token) for state, token, _next in TRANSITIONS).values())
    return Judged(holds(most > 1), {"tokens": len(SMALL_CHANCES), "states": most})


SETTLED: dict[str, Check] = {
    "transition_and_not_action": _transition_and_not_action,
    "readings_coincide_for_text": _readings_coincide_for_text,
    "reward_is_of_the_state_reached": _of_the_state_reached,
    "sampling_makes_the_transition_random": _sampling_is_the_transition,
}
