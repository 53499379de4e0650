"""What is true of the right programs, as predicates that a wrong one can fail. Each takes a program and a situation."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from statistics import fmean, stdev
from typing import Any

import pytest

from engine import formulas
from engine.facts import Program, exact_facts
from engine.quantities import QUANTITIES
from engine.scenario import Scenario
from tests.engine.situations import at_valid, kept, numbers

Property = Callable[[Program, Scenario], bool]
close = partial(pytest.approx, abs=1e-6)


def facts(program: Program, scenario: Scenario) -> dict[str, Any]:
    return numbers(exact_facts(program, scenario))


def later(row: list[float]) -> list[float]:
    return [*row[1:], 0.0]


def shifted(scenario: Scenario, name: str, by: float) -> Scenario:
    return scenario.merged({name: [x + by for x in getattr(scenario, name)]})


# ---------------------------------------------------------------- rewards and values


def critic_targets_are_advantages_plus_values(program, scenario):
    found = facts(program, scenario)
    sums = [a + v for a, v in zip(found["advantages"], at_valid(scenario, "values"), strict=True)]
    return found["returns"] == close(sums)


def returns_are_lambda_returns(program, scenario):
    found, values = facts(program, scenario), at_valid(scenario, "values")
    rewards = facts(QUANTITIES["kl_rewards"], scenario)["rewards"]
    columns = zip(rewards, later(values), later(found["returns"]), strict=True)
    expected = [formulas.lambda_return_step(r, v, ret, scenario.gamma, scenario.lam) for r, v, ret in columns]
    return found["returns"] == close(expected)


def returns_without_critic_are_discounted_sums(program, scenario):
    found, rewards = facts(program, scenario), facts(QUANTITIES["kl_rewards"], scenario)["rewards"]
    sums = [sum(scenario.gamma ** (k - t) * rewards[k] for k in range(t, len(rewards))) for t in range(len(rewards))]
    return found["mc_returns"] == close(sums)


def advantages_unroll_to_deltas(program, scenario):
    found = facts(program, scenario)
    decay = scenario.gamma * scenario.lam
    differences = [a - decay * b for a, b in zip(found["advantages"], later(found["advantages"]), strict=True)]
    return found["deltas"] == close(differences)


def deltas_telescope(program, scenario):
    found = facts(program, scenario)
    total = sum(scenario.gamma**k * delta for k, delta in enumerate(found["deltas"]))
    beyond = found["mc_returns"][0] - at_valid(scenario, "values")[0]
    return [found["delta_sum"], found["excess"]] == close([total, total]) and total == close(beyond)


def lam_one_is_monte_carlo(program, scenario):
    found = facts(program, scenario.merged({"lam": 1.0}))
    return found["advantages"] == close(found["mc_advantages"])


def lam_zero_is_delta(program, scenario):
    found = facts(program, scenario.merged({"lam": 0.0}))
    return found["advantages"] == close(found["deltas"])


def exact_values_leave_no_delta(program, scenario):
    short = kept(scenario)
    exact = facts(program, short)["mc_returns"]
    return facts(program, short.merged({"values": exact}))["deltas"] == close([0.0] * len(exact))


def masked_tokens_do_not_exist(program, scenario):
    return facts(program, scenario)["advantages"] == close(facts(program, kept(scenario))["advantages"])


def mixture_is_gae(program, scenario):
    found = facts(program, scenario)
    return sum(found["weights"]) == close(1) and found["mixture"] == close(found["advantages"])


# ---------------------------------------------------------------- KL


def without_kl_rewards_are_scores(program, scenario):
    at_reference = scenario.merged({"ref_logp": scenario.logp})
    return facts(program, at_reference)["rewards"] == close(at_valid(scenario, "scores"))


def a_likelier_token_is_penalised_by_beta(program, scenario):
    step = 0.25
    before, after = (facts(program, s)["rewards"] for s in (scenario, shifted(scenario, "ref_logp", -step)))
    return after == close([r - scenario.beta * step for r in before])


def estimators_are_functions_of_the_log_ratio(program, scenario):
    found = facts(program, scenario)
    return [found[name] for name in ("k2", "k3", "abs")] == [
        close([k**2 / 2 for k in found["k1"]]),
        close([math.exp(-k) - 1 + k for k in found["k1"]]),
        close([abs(k) for k in found["k1"]]),
    ]


# ---------------------------------------------------------------- whitening


def whitened_has_mean_zero_and_sample_variance_one(program, scenario):
    whitened = facts(program, scenario)["whitened"]
    return [fmean(whitened), stdev(whitened)] == close([0, 1])


def whitening_can_be_undone(program, scenario):
    found = facts(program, scenario)
    undone = [w * found["std_sample"] + found["mean"] for w in found["whitened"]]
    return undone == close(at_valid(scenario, "advantages"))


# ---------------------------------------------------------------- the policy


def at_the_first_step_the_surrogate_is_the_mean_advantage(program, scenario):
    found = facts(program, scenario.merged({"new_logp": scenario.logp}))
    return found["surrogate"] == close(fmean(at_valid(scenario, "advantages"))) and set(found["ratio"]) == {1}


def a_likelier_token_has_a_larger_ratio(program, scenario):
    before, after = (facts(program, s)["ratio"] for s in (shifted(scenario, "new_logp", -math.log(2)), scenario))
    return after == close([2 * ratio for ratio in before])


def the_reference_does_not_matter(program, scenario):
    return facts(program, scenario) == facts(program, shifted(scenario, "ref_logp", -1))


def the_objective_is_the_smaller_term(program, scenario):
    found = facts(program, scenario)
    smaller = [min(pair) for pair in zip(found["unclipped"], found["clipped"], strict=True)]
    return found["objective_terms"] == close(smaller) and found["objective"] == close(fmean(smaller))


def clip_fraction_counts_what_the_clip_changed(program, scenario):
    found = facts(program, scenario)
    changed = [a != b for a, b in zip(found["objective_terms"], found["unclipped"], strict=True)]
    return found["clipfrac"] == close(fmean(changed))


def a_high_ratio_is_clipped_at_the_upper_bound(program, scenario):
    clipped = facts(program, shifted(scenario, "logp", -10))["clipped"]
    return clipped == close([(1 + scenario.eps_high) * a for a in at_valid(scenario, "advantages")])


# ---------------------------------------------------------------- the critic


def value_loss_is_half_the_mean_error(program, scenario):
    found = facts(program, scenario)
    return found["vf_loss"] == close(fmean(found["max_sq_err"]) / 2)


def the_larger_value_error_counts(program, scenario):
    found = facts(program, scenario)
    columns = zip(at_valid(scenario, "vpreds"), found["vpred_clipped"], found["returns"], strict=True)
    return found["max_sq_err"] == close([max((v - ret) ** 2, (c - ret) ** 2) for v, c, ret in columns])


# ---------------------------------------------------------------- groups


def a_group_has_mean_zero_and_sample_variance_one(program, scenario):
    advantages = facts(program, scenario)["advantages"]
    return [fmean(advantages), stdev(advantages)] == pytest.approx([0, 1], abs=1e-4)


def the_own_score_is_not_in_the_baseline(program, scenario):
    first, *others = scenario.group_rewards
    baselines = [facts(program, scenario.merged({"group_rewards": [own, *others]}))["baselines"] for own in (first, 9)]
    return baselines[0][0] == close(baselines[1][0])


SEQUENCE: tuple[Property, ...] = (
    critic_targets_are_advantages_plus_values,
    returns_are_lambda_returns,
    returns_without_critic_are_discounted_sums,
    advantages_unroll_to_deltas,
    deltas_telescope,
    lam_one_is_monte_carlo,
    lam_zero_is_delta,
    exact_values_leave_no_delta,
    masked_tokens_do_not_exist,
)
PROPERTIES: dict[str, tuple[Property, ...]] = {
    "gae": SEQUENCE,
    "masked_gae": SEQUENCE,
    "pipeline": SEQUENCE,
    "mc": (returns_without_critic_are_discounted_sums,),
    "nstep_mixture": (mixture_is_gae, *SEQUENCE),
    "kl_rewards": (without_kl_rewards_are_scores, a_likelier_token_is_penalised_by_beta),
    "kl_estimators": (estimators_are_functions_of_the_log_ratio,),
    "whiten": (whitened_has_mean_zero_and_sample_variance_one, whitening_can_be_undone),
    "surrogate": (
        at_the_first_step_the_surrogate_is_the_mean_advantage,
        a_likelier_token_has_a_larger_ratio,
        the_reference_does_not_matter,
    ),
    "clip": (
        the_objective_is_the_smaller_term,
        clip_fraction_counts_what_the_clip_changed,
        a_high_ratio_is_clipped_at_the_upper_bound,
    ),
    "value_loss": (value_loss_is_half_the_mean_error, the_larger_value_error_counts),
    "grpo": (a_group_has_mean_zero_and_sample_variance_one,),
    "rloo": (the_own_score_is_not_in_the_baseline,),
}
