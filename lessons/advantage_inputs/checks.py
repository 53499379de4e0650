"""More of what learners claim about the inputs: what acts by itself, what only through the rewards, and how."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.example import RUNNING
from engine.facts import compute, exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.advantage_inputs.inputs import influence, rewards_held


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, rewards_held(at_hand()).merged(changes))


def _rewards() -> list[float]:
    return [float(r) for r in _at()["rewards"]]


def _values() -> list[float]:
    return list(at_hand().rows("values")[0])


def _beta_acts_directly(_: Scenario) -> Judged:
    direct, through = (exact_facts(influence, own)["beta"] for own in (rewards_held(RUNNING), RUNNING))
    return Judged(holds(direct != 0), {"direct": direct, "through": through})


def _scores_are_needed_too(_: Scenario) -> Judged:
    without = _at(scores=None)["advantages"][0]
    return Judged(holds(without != _at()["advantages"][0]), {"without": without, "with_scores": _at()["advantages"][0]})


def _clip_range_enters(_: Scenario) -> Judged:
    one, other = (_at(eps=eps)["advantages"][0] for eps in (0.2, 0.01))
    return Judged(holds(one != other), {"one": one, "other": other, "eps": 0.2, "small": 0.01})


def _own_value_counts_minus_one(_: Scenario) -> Judged:
    theorem("own_value_lowers_advantage_one_to_one")
    higher = [v + float(t == 0) for t, v in enumerate(_values())]
    moved = {
        name: _at(values=higher, lam=lam)["advantages"][0] - _at(lam=lam)["advantages"][0]
        for name, lam in (("none", 0.0), ("half", 0.5), ("one", 1.0))
    }
    return Judged(holds(set(moved.values()) == {-1}), moved)


def _doubled_rewards_double(_: Scenario) -> Judged:
    rewards = [2 * r for r in _rewards()]
    alone = _at(rewards=rewards)["advantages"][0]
    both = _at(rewards=rewards, values=[2 * v for v in _values()])["advantages"][0]
    plain = _at()["advantages"][0]
    return Judged(holds(close(alone, 2 * plain)), {"plain": plain, "alone": alone, "both": both})


def _level_of_values_is_free(_: Scenario) -> Judged:
    higher = _at(values=[v + 1 for v in _values()])["advantages"]
    plain = _at()["advantages"]
    return Judged(holds(close(higher, plain)), {"plain": plain[0], "higher": higher[0]})


def _returns_are_an_input(_: Scenario) -> Judged:
    read = compute(quantities.gae, rewards_held(RUNNING)).used
    found = _at(returns=[9.0] * RUNNING.length)
    return Judged(holds("returns" in read), {"plain": _at()["advantages"][0], "other": found["advantages"][0]})


def _order_does_not_matter(_: Scenario) -> Judged:
    turned = _at(rewards=_rewards()[::-1], values=_values()[::-1])["advantages"]
    plain = _at()["advantages"]
    return Judged(holds(close(sorted(turned), sorted(plain))), {"plain": plain[0], "turned": turned[-1]})


def _group_scores_enter(_: Scenario) -> Judged:
    one, other = (_at(group_rewards=group)["advantages"][0] for group in ([1.0, 0.0], [0.0, 5.0]))
    return Judged(holds(one != other), {"one": one, "other": other})


def _bonus_everywhere_is_free(_: Scenario) -> Judged:
    """The same amount added to each token's reward, the critic as it was."""
    more = _at(rewards=[r + 0.1 for r in _rewards()])["advantages"]
    plain = _at()["advantages"]
    gained = [a - b for a, b in zip(more, plain, strict=True)]
    return Judged(holds(close(gained[0], gained[-1])), {"first": gained[0], "last": gained[-1]})


def _own_reward_counts_in_full(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    higher = [r + float(t == 0) for t, r in enumerate(_rewards())]
    moved = {
        name: _at(rewards=higher, lam=lam)["advantages"][0] - _at(lam=lam)["advantages"][0]
        for name, lam in (("none", 0.0), ("half", 0.5), ("one", 1.0))
    }
    return Judged(holds(set(moved.values()) == {1}), moved)


def _prompt_enters(_: Scenario) -> Judged:
    """The same rewards and values behind another prompt."""
    one, other = (_at(prompt=text)["advantages"][0] for text in ("?", "a much longer prompt"))
    return Judged(holds(one != other), {"one": one, "other": other})


def _gamma_matters_at_lambda_zero(_: Scenario) -> Judged:
    """γ stands in δ as well as beside λ."""
    one, half = (_at(lam=0.0, gamma=g)["advantages"][0] for g in (1.0, 0.5))
    return Judged(holds(one == half), {"one": one, "half": half})


def _nothing_given_nothing_earned(_: Scenario) -> Judged:
    """No reward at all, the critic as it was."""
    found = _at(rewards=[0.0] * RUNNING.length)["advantages"]
    return Judged(holds(not any(found)), {"adv": found[0], "last": found[-1]})


MORE: dict[str, Check] = {
    "beta_is_a_direct_input": _beta_acts_directly,
    "scores_are_needed_beside_rewards": _scores_are_needed_too,
    "clip_range_enters_the_advantages": _clip_range_enters,
    "own_value_lowers_the_advantage_one_to_one": _own_value_counts_minus_one,
    "doubled_rewards_double_the_advantages": _doubled_rewards_double,
    "level_of_values_is_irrelevant": _level_of_values_is_free,
    "returns_are_an_input_of_advantages": _returns_are_an_input,
    "order_of_tokens_does_not_matter": _order_does_not_matter,
    "group_scores_enter_gae": _group_scores_enter,
    "equal_bonus_lifts_all_advantages_alike": _bonus_everywhere_is_free,
    "own_reward_counts_in_full": _own_reward_counts_in_full,
    "prompt_is_a_direct_input": _prompt_enters,
    "gamma_drops_out_at_lambda_zero": _gamma_matters_at_lambda_zero,
    "zero_rewards_make_zero_advantages": _nothing_given_nothing_earned,
}
