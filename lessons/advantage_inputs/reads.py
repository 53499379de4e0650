"""What learners claim the advantages read: which numbers reach which token, and which do not reach any."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import conventions, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Convention, Kept, Rollout, Whitening
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row
from lessons.advantage_inputs.inputs import influence, rewards_held

REWARDS, VALUES = ("0.2", "0", "1"), ("0.5", "0.25", "0.75")
HALF = "0.5"


def _by_reward(lam: str, gamma: str = "1") -> list[Fraction]:
    """How the first advantage moves with each reward."""
    plain, found = row(REWARDS, VALUES, gamma, lam), []
    for k in range(len(REWARDS)):
        raised = row([fraction(r) + (t == k) for t, r in enumerate(REWARDS)], VALUES, gamma, lam)
        found.append(moved(raised["advantages"], plain["advantages"])[0])
    return found


def _by_value(lam: str, gamma: str = "1", token: int = 0) -> list[Fraction]:
    """How one token's advantage moves with each value."""
    plain, found = row(REWARDS, VALUES, gamma, lam), []
    for k in range(len(VALUES)):
        raised = row(REWARDS, [fraction(v) + (t == k) for t, v in enumerate(VALUES)], gamma, lam)
        found.append(moved(raised["advantages"], plain["advantages"])[token])
    return found


def _unmoved(**changes: Any) -> tuple[Any, Any]:
    """The first advantage before and after a change, the rewards held."""
    held = rewards_held(RUNNING)
    before, after = (exact_facts(quantities.gae, own)["advantages"][0] for own in (held, held.merged(changes)))
    return before, after


def _entropy_enters(_: Scenario) -> Judged:
    """A flatter policy: other log-probabilities for the same tokens."""
    before, after = _unmoved(logp=[-2.0] * RUNNING.length, new_logp=[-2.0] * RUNNING.length)
    return Judged(holds(before != after), {"before": before, "after": after})


def _value_clip_enters(_: Scenario) -> Judged:
    before, after = _unmoved(cliprange_value=0.01)
    return Judged(holds(before != after), {"before": before, "after": after, "range": 0.01})


def _new_predictions_enter(_: Scenario) -> Judged:
    before, after = _unmoved(vpreds=[9.0] * RUNNING.length)
    return Judged(holds(before != after), {"before": before, "after": after})


def _first_reads_every_reward(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    found = _by_reward(HALF)
    return Judged(holds(all(found)), {"moved": found, "lam": fraction(HALF)})


def _last_reads_two(_: Scenario) -> Judged:
    values = _by_value(HALF, token=-1)
    plain, raised = row(REWARDS, VALUES, lam=HALF), row(("5", "5", "1"), VALUES, lam=HALF)
    still = moved(raised["advantages"], plain["advantages"])[-1] == 0
    return Judged(holds(values == [0, 0, -1] and still), {"by_value": values, "a": plain["advantages"][-1]})


def _lambda_zero_reads_three(_: Scenario) -> Judged:
    rewards, values = _by_reward("0"), _by_value("0")
    return Judged(holds(rewards == [1, 0, 0] and values == [-1, 1, 0]), {"by_reward": rewards, "by_value": values})


def _gamma_zero_reads_two(_: Scenario) -> Judged:
    rewards, values = _by_reward(HALF, "0"), _by_value(HALF, "0")
    return Judged(holds(rewards == [1, 0, 0] and values == [-1, 0, 0]), {"by_reward": rewards, "by_value": values})


def _lambda_one_reads_no_later_value(_: Scenario) -> Judged:
    one, half = _by_value("1"), _by_value(HALF)
    return Judged(holds(not any(one[1:])), {"one": one, "half": half})


def _next_values_raise(_: Scenario) -> Judged:
    found = _by_value(HALF)
    return Judged(holds(found[1] > 0), {"moved": found[1], "lam": fraction(HALF), "own": found[0]})


def _later_rewards_raise(_: Scenario) -> Judged:
    found = _by_reward(HALF)
    return Judged(holds(min(found[1:]) > 0), {"moved": found})


def _one_per_response(_: Scenario) -> Judged:
    found = gae()["advantages"]
    return Judged(
        holds(len(found) == 1), {"T": at_hand().length, "count": len(found), "a": found[0], "last": found[-1]}
    )


def _prompt_tokens_have_some(_: Scenario) -> Judged:
    """How many advantages there are, and how many characters the prompt has besides."""
    count = len(gae()["advantages"])
    return Judged(
        holds(count > RUNNING.length), {"count": count, "T": RUNNING.length, "prompt": len(RUNNING.prompt or "")}
    )


def _reward_model_is_direct(_: Scenario) -> Judged:
    direct, through = (exact_facts(influence, own)["scores"] for own in (rewards_held(RUNNING), RUNNING))
    return Judged(holds(direct != 0), {"direct": direct, "through": through})


def _kl_goes_through_the_rewards(_: Scenario) -> Judged:
    direct, through = (exact_facts(influence, own)["ref_logp"] for own in (rewards_held(RUNNING), RUNNING))
    return Judged(holds(direct == 0 != through), {"direct": direct, "through": through})


def _other_responses_enter(_: Scenario) -> Judged:
    alone = exact_facts(quantities.gae, Scenario(rewards=((0.0, 1.0),), values=((0.5, 0.75),), gamma=1, lam=0.5))
    beside = exact_facts(
        quantities.gae,
        Scenario(rewards=((0.0, 1.0), (5.0, -3.0)), values=((0.5, 0.75), (2.0, 9.0)), gamma=1, lam=0.5),
    )
    one, other = _first_row(alone["advantages"]), _first_row(beside["advantages"])
    return Judged(holds(one != other), {"one": one, "other": other})


def _first_row(found: Any) -> list[Any]:
    return list(found[0]) if isinstance(found[0], list) else list(found)


def _mask_enters(_: Scenario) -> Judged:
    """verl's old recursion and its new one, under two masks."""

    def first(convention: Convention, mask: list[int]) -> Any:
        rollout = Rollout([_exact(("0", "0", "0", "1"))], [_exact(("0.2", "0.3", "0.9", "0.4"))], [mask])
        bare = replace(convention, whitening=Whitening.NONE, values=Kept.AS_GIVEN)
        return conventions.run(rollout, bare, gamma=Fraction(1), lam=Fraction(1, 2)).advantages[0][0]

    old, new = ([first(c, mask) for mask in ([1, 1, 1, 1], [1, 1, 0, 1])] for c in (VERL_OLD, VERL_NEW))
    enters = [old[0] != old[1], new[0] != new[1]]
    return Judged(
        "depends" if enters == [False, True] else holds(all(enters)),
        {"old": old, "new": new},
    )


def _exact(numbers: tuple[str, ...]) -> list[Fraction]:
    return [fraction(x) for x in numbers]


def _same_inputs_elsewhere(_: Scenario) -> Judged:
    """A full row through four projects."""
    rollout = Rollout([_exact(REWARDS)], [_exact(VALUES)], [[1, 1, 1]])
    found = [
        list(
            conventions.run(
                rollout, replace(c, whitening=Whitening.NONE), gamma=Fraction(1), lam=Fraction(1, 2)
            ).advantages[0]
        )
        for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(all(x == found[0] for x in found)), {"count": len(found), "a": found[0]})


def _q_network(_: Scenario) -> Judged:
    """What has been read by the time the advantages stand there."""
    read = compute(quantities.gae, rewards_held(RUNNING)).used
    return Judged(
        holds(not read <= {"rewards", "values", "gamma", "lam"}),
        {"count": len(read), "a": gae()["advantages"][0]},
    )


def _next_values_are_given(_: Scenario) -> Judged:
    """V_{t+1} taken from the list of values itself, moved by one."""
    found = gae()
    after = [*found["values"][1:], 0 * found["values"][0]]
    made = [r + then - now for r, then, now in zip(found["rewards"], after, found["values"], strict=True)]
    return Judged(holds(not close(made, found["deltas"])), {"v": found["values"], "after": after})


READS: dict[str, Check] = {
    "entropy_enters_the_advantages": _entropy_enters,
    "value_clip_range_enters_the_advantages": _value_clip_enters,
    "new_value_predictions_enter_the_advantages": _new_predictions_enter,
    "first_advantage_reads_every_reward": _first_reads_every_reward,
    "last_advantage_reads_one_reward_and_one_value": _last_reads_two,
    "lambda_zero_reads_one_reward_and_two_values": _lambda_zero_reads_three,
    "gamma_zero_reads_one_reward_and_one_value": _gamma_zero_reads_two,
    "lambda_one_reads_no_later_value": _lambda_one_reads_no_later_value,
    "higher_next_value_raises_the_advantage": _next_values_raise,
    "higher_later_reward_raises_the_advantage": _later_rewards_raise,
    "one_advantage_per_response": _one_per_response,
    "prompt_tokens_have_advantages": _prompt_tokens_have_some,
    "reward_model_is_a_direct_input": _reward_model_is_direct,
    "kl_reaches_advantages_through_the_rewards": _kl_goes_through_the_rewards,
    "other_responses_enter_raw_advantages": _other_responses_enter,
    "mask_enters_the_recursion": _mask_enters,
    "projects_read_the_same_inputs": _same_inputs_elsewhere,
    "advantages_need_a_q_network": _q_network,
    "next_values_are_another_input": _next_values_are_given,
}
