"""What learners claim about the inputs of the advantages."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.example import BOTH, RUNNING
from engine.facts import compute, exact_facts
from engine.mistakes import MISTAKES
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds
from lessons.advantage_inputs.claimed import CHECKS
from lessons.advantage_inputs.inputs import influence, maps, rewards_held, traced, whitening_with_garbage


def _direct() -> dict[str, Any]:
    return exact_facts(influence, rewards_held(at_hand()))


def _through() -> dict[str, Any]:
    return exact_facts(influence, RUNNING)


def _first(scenario: Scenario) -> Any:
    return exact_facts(quantities.gae, scenario)["advantages"][0]


def _enough(_: Scenario) -> Judged:
    """The same rewards and values under two λ, and whitened with a mask and without."""
    one, other = _first(RUNNING), _first(RUNNING.merged({"lam": 0.5}))
    whitened = exact_facts(whitening_with_garbage, Scenario())
    return Judged(
        "depends" if one != other else "true",
        {"one": one, "other": other, "lam": RUNNING.lam, "half": 0.5,
         "masked": whitened["whitened_with_mask"][0], "unmasked": whitened["whitened_without_mask"][0]},
    )  # fmt: skip


def _needs_gamma_and_lambda(_: Scenario) -> Judged:
    read = traced(at_hand()).exact["direct"]
    return Judged(holds(bool(read["gamma"] and read["lam"])), {"gamma": read["gamma"], "lam": read["lam"]})


def _recursion_reads_four(_: Scenario) -> Judged:
    """What the trace of the recursion shows to have been read, the rewards being given."""
    read = compute(quantities.gae, rewards_held(RUNNING)).used
    return Judged(
        holds(read == {"rewards", "values", "gamma", "lam"}),
        {"count": len(read), "offered": len(rewards_held(RUNNING).given())},
    )


def _needs_log_probabilities(_: Scenario) -> Judged:
    direct = _direct()
    moved = direct["logp"] + direct["new_logp"]
    return Judged(holds(moved != 0), {"moved": moved, "through": _through()["logp"]})


def _reference_is_a_third_input(_: Scenario) -> Judged:
    direct = _direct()["ref_logp"]
    return Judged(holds(direct != 0), {"moved": direct, "through": _through()["ref_logp"]})


def _words_do_not_matter(_: Scenario) -> Judged:
    """The same rewards and values for other tokens with other probabilities."""
    held = rewards_held(RUNNING)
    other = held.merged({"tokens": [f"{token}!" for token in held.tokens or ()], "logp": [[-3.0] * held.length]})
    return Judged(holds(_first(held) == _first(other)), {"one": _first(held), "other": _first(other)})


def _fixed_while_the_actor_steps(_: Scenario) -> Judged:
    before, after = _first(RUNNING), _first(RUNNING.merged({"new_logp": [[-3.0] * RUNNING.length]}))
    return Judged(holds(before == after), {"before": before, "after": after})


def _value_after_the_end_is_an_input(_: Scenario) -> Judged:
    """Whether the recursion as it is gives the right thing without being told; with the last V once more it is off."""
    right = exact_facts(quantities.gae, RUNNING)["advantages"][-1]
    told = exact_facts(MISTAKES["bootstrap_after_the_end"].program, RUNNING)["advantages"][-1]
    expected = RUNNING.rows("values")[0][-1]
    needed = right != exact_facts(quantities.gae, RUNNING)["deltas"][-1]
    return Judged(holds(needed), {"right": right, "told": told, "value": expected})


def _rewards_alone_suffice(_: Scenario) -> Judged:
    """Whether A stays when the critic says something else."""
    moved = _direct()["values"]
    return Judged(holds(moved == 0), {"moved": moved})


def _mask_is_decoration(_: Scenario) -> Judged:
    found = exact_facts(whitening_with_garbage, Scenario())
    same = found["whitened_with_mask"][:3] == found["whitened_without_mask"][:3]
    return Judged(
        holds(same), {"masked": found["whitened_with_mask"][:3], "unmasked": found["whitened_without_mask"][:3]}
    )


def _only_later_inputs(_: Scenario) -> Judged:
    """A_t depends on r and V from t on: the part of both maps below the diagonal is empty."""
    theorem("later_advantages_ignore_reward")
    theorem("later_advantages_ignore_value")
    found = exact_facts(maps, rewards_held(RUNNING))
    earlier = [row[k] for name in ("by_reward", "by_value") for t, row in enumerate(found[name]) for k in range(t)]
    return Judged(holds(not any(earlier)), {"later": found["first_by_reward"][-1], "earlier": max(earlier)})


def _whitened_depends_on_the_others(_: Scenario) -> Judged:
    """The first token's whitened advantage, when only its response's last reward is another."""
    lam_zero = rewards_held(BOTH).merged({"lam": 0.0})
    own, wrong = lam_zero.rows("rewards")
    other = lam_zero.merged({"rewards": [[*own[:-1], own[-1] + 1], wrong]})
    found = [exact_facts(quantities.pipeline, s) for s in (lam_zero, other)]
    raw, whitened = ([x[name][0][0] for x in found] for name in ("advantages", "whitened"))
    return Judged(holds(raw[0] == raw[1] and whitened[0] != whitened[1]), {"raw": raw[0], "whitened": whitened})


FACTS: dict[str, Check] = {
    **CHECKS,
    "rewards_and_values_are_enough": _enough,
    "gamma_and_lambda_are_needed": _needs_gamma_and_lambda,
    "recursion_reads_rewards_values_gamma_lambda": _recursion_reads_four,
    "advantages_need_log_probabilities": _needs_log_probabilities,
    "reference_is_a_direct_input": _reference_is_a_third_input,
    "same_rewards_and_values_same_advantages": _words_do_not_matter,
    "advantages_stay_while_the_actor_steps": _fixed_while_the_actor_steps,
    "value_after_the_end_must_be_supplied": _value_after_the_end_is_an_input,
    "rewards_alone_are_enough": _rewards_alone_suffice,
    "mask_is_decoration": _mask_is_decoration,
    "only_later_inputs_matter": _only_later_inputs,
    "whitened_advantage_depends_on_others": _whitened_depends_on_the_others,
}
