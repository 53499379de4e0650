"""What learners conclude about R = A + V: what reaches it, when it is something simpler, and who uses it."""

from __future__ import annotations

from typing import Any

from engine import quantities, sequences
from engine.conventions import OPENRLHF, TRL, VERL_NEW, Rollout, run
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.fork import small_world
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._checks import changed, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._first import on_own
from lessons._policies import EXAMPLE

VALUES = list(RUNNING.rows("values")[0])
REWARDS = [float(r) for r in quantities.facts("gae", RUNNING).exact["rewards"]]


def _returns(**changes: Any) -> list[Any]:
    return list(gae(**changes)["returns"])


def _rewarded(rewards: list[float], **more: Any) -> dict[str, Any]:
    return gae(rewards=rewards, scores=None, kl_values=None, **more)


def _small(rewards: list[float], values: list[float], lam: float, gamma: float = 1.0) -> list[Any]:
    given = scenario({"rewards": rewards, "values": values, "gamma": gamma, "lam": lam})
    return list(quantities.facts("gae", given).exact["returns"])


def _larger_gamma(_: Scenario) -> Judged:
    """By whether what lies ahead is good or bad."""
    good, bad = ([_small([0, score], [0, 0], 1.0, gamma)[0] for gamma in (0.5, 1.0)] for score in (1, -1))
    return Judged(
        "depends" if good[0] < good[1] and bad[0] > bad[1] else holds(good[0] < good[1]), {"good": good, "bad": bad}
    )


def _one_ignores_critic(_: Scenario) -> Judged:
    theorem("lambda_return_is_monte_carlo_at_lambda_one")
    one, other = _returns(lam=1.0)[0], _returns(lam=1.0, values=[9.0] * len(VALUES))[0]
    return Judged(holds(close(one, other)), {"one": one, "other": other, "value": 9})


def _zero_reads_next_only(_: Scenario) -> Judged:
    """At λ = 0: the next value moved, and the one after it."""
    plain = _returns(lam=0.0)[0]
    near, far = (_returns(lam=0.0, values=changed(VALUES, t, 1.0))[0] for t in (1, 2))
    return Judged(holds(near != plain == far), {"plain": plain, "near": near, "far": far})


def _ignores_gamma(_: Scenario) -> Judged:
    one, half = _returns(gamma=1.0)[0], _returns(gamma=0.5)[0]
    return Judged(holds(one == half), {"one": one, "half": half})


def _earlier_values(_: Scenario) -> Judged:
    """R_2 when the values before token 2 are moved, and one after it."""
    t = 2
    plain = _returns()[t]
    before = _returns(values=changed(changed(VALUES, 0, 1.0), 1, 1.0))[t]
    after = _returns(values=changed(VALUES, 3, 1.0))[t]
    return Judged(holds(before != plain), {"plain": plain, "before": before, "after": after})


def _mean_is_value(_: Scenario) -> Judged:
    found = small_world().exact
    return Judged(
        holds(found["mean_of_all"] == found["value"]),
        {"mean": found["mean_of_all"], "value": found["value"], "single": found["good_end"]},
    )


def _actor_reads_them(_: Scenario) -> Judged:
    """Quite other returns beside the same advantages."""
    given = EXAMPLE.merged({"advantages": [1.0] * EXAMPLE.length})
    one = quantities.facts("clip", given).exact["objective"]
    other = quantities.facts("clip", given.merged({"returns": [9.0] * EXAMPLE.length})).exact["objective"]
    return Judged(holds(one != other), {"one": one, "other": other})


def _never_negative(_: Scenario) -> Judged:
    found = _small([-0.1, -0.1, 0], [0.5, 0.25, 0], 1.0)
    return Judged(holds(min(found) >= 0), {"found": found})


def _grow(_: Scenario) -> Judged:
    found = _small([0, 0.5, 0.1], [0, 0, 0], 1.0)
    return Judged(holds(found == sorted(found)), {"found": found})


def _plain_recursion(_: Scenario) -> Judged:
    """r_0 + γR_1 beside R_0, at λ below 1 and at 1."""
    below, one = (_returns(lam=lam) for lam in (0.5, 1.0))
    by_rewards = [REWARDS[0] + float(row[1]) for row in (below, one)]
    return Judged(
        holds(close(by_rewards[0], below[0])),
        {"sum": round(by_rewards[0], 6), "target": below[0], "one": one[0], "one_sum": round(by_rewards[1], 6)},
    )


def _doubling(_: Scenario) -> Judged:
    """Rewards doubled, values as they were: at λ below 1 and at 1."""
    below, one = ([_small([0, 0, score], [0.5, 0.5, 0.5], lam)[0] for score in (1, 2)] for lam in (0.5, 1.0))
    verdict = "depends" if one[1] == 2 * one[0] and below[1] != 2 * below[0] else holds(below[1] == 2 * below[0])
    return Judged(verdict, {"below": below, "one": one})


def _unbiased(_: Scenario) -> Judged:
    """The mean of R given the first token, with the exact critic and with one that is off."""
    found = small_world().exact
    right, wrong = found["mean"] == found["q"], found["mean_with_wrong_critic"] == found["q"]
    verdict = "depends" if right and not wrong else holds(right and wrong)
    return Judged(verdict, {"mean": found["mean"], "q": found["q"], "wrong": found["mean_with_wrong_critic"]})


def _error_enters(_: Scenario) -> Judged:
    right, off = _small([0, 0, 1], [1, 1, 1], 0.5)[0], _small([0, 0, 1], [1, 2, 2], 0.5)[0]
    at_one = _small([0, 0, 1], [1, 2, 2], 1.0)[0]
    return Judged(holds(right != off), {"right": right, "off": off, "one": at_one})


def _above_is_positive(_: Scenario) -> Judged:
    found = gae(values=[0.2, 0.95, 0.3, 0.99, 0.4, 0.6])
    triples = list(zip(found["returns"], found["values"], found["advantages"], strict=True))
    low = min(triples, key=lambda row: row[2])
    return Judged(
        holds(all((r > v) == (a > 0) for r, v, a in triples)),
        {"target": triples[0][0], "value": triples[0][1], "adv": triples[0][2],
         "low_target": low[0], "low_value": low[1], "low": low[2]},
    )  # fmt: skip


def _first_is_total(_: Scenario) -> Judged:
    total = round(sum(REWARDS), 6)
    one, below, discounted = _returns(lam=1.0)[0], _returns()[0], _returns(lam=1.0, gamma=0.5)[0]
    same = [close(x, total) for x in (one, below, discounted)]
    return Judged(
        "depends" if same == [True, False, False] else holds(all(same)),
        {"total": total, "one": one, "below": below, "discounted": discounted},
    )


def _q_at_one(_: Scenario) -> Judged:
    """The rewards earned after the good first token, by how it ends, and their mean."""
    ends, q = (1, 0), small_world().exact["q"]
    found = [_small([0, end], [0.375, 0.5], 1.0)[0] for end in ends]
    return Judged(holds(all(x == q for x in found)), {"ends": found, "q": q})


def _mixture(_: Scenario) -> Judged:
    theorem("advantage_plus_value_is_lambda_return")
    found = quantities.facts("nstep_mixture", RUNNING).exact
    mixed = sum(w * (a + found["values"][0]) for w, a in zip(found["weights"], found["n_step_advantages"], strict=True))
    return Judged(holds(close(mixed, found["returns"][0])), {"mixed": mixed, "target": found["returns"][0]})


def _gamma_zero(_: Scenario) -> Judged:
    found = _returns(gamma=0.0)
    return Judged(holds(close(found, REWARDS)), {"targets": found[:2], "rewards": [round(r, 6) for r in REWARDS[:2]]})


def _less_value_is_mc(own: Scenario) -> Judged:
    found = exact_facts(quantities.gae, own)
    less = found["returns"][0] - found["values"][0]
    return Judged(holds(close(less, found["mc_advantages"][0])), {"less": less, "mc": found["mc_advantages"][0]})


def _from_returns(_: Scenario) -> Judged:
    """Returns put in from outside do not reach the advantages."""
    one, other = gae()["advantages"][0], gae(returns=[9.0] * len(VALUES))["advantages"][0]
    return Judged(holds(one != other), {"one": one, "other": other})


def _reward_plus_value(own: Scenario) -> Judged:
    found = exact_facts(quantities.gae, own)
    wrong = found["rewards"][0] + found["values"][0]
    return Judged(holds(close(wrong, found["returns"][0])), {"sum": wrong, "target": found["returns"][0]})


def _one_step_always(own: Scenario) -> Judged:
    found = exact_facts(quantities.gae, own)
    step = found["deltas"][0] + found["values"][0]
    return Judged(holds(close(step, found["returns"][0])), {"step": step, "target": found["returns"][0]})


def _gap(_: Scenario) -> Judged:
    """R beside G: with news later on, and with none."""
    theorem("monte_carlo_exceeds_lambda_return_by_later_deltas")
    news, quiet = (_small([0, 0, 1], values, 0.5)[0] for values in ([0.5, 0.5, 0.5], [0.5, 1, 1]))
    return Judged(holds(quiet == 1 != news), {"news": news, "quiet": quiet, "mc": 1})


def _constant(_: Scenario) -> Judged:
    plain, raised = _small([0, 0, 1], [0.5] * 3, 0.5), _small([0, 0, 1], [1.5] * 3, 0.5)
    return Judged(holds(close([x + 1 for x in plain], raised)), {"plain": plain, "raised": raised, "added": 1})


def _last_reward_weight(_: Scenario) -> Judged:
    """How far R_0 moves when only the last reward is raised by one."""
    gamma, lam, length = 0.9, 0.5, len(REWARDS)
    raised = changed(REWARDS, length - 1, 1.0)
    moved = [_rewarded(r, gamma=gamma, lam=lam)["returns"][0] for r in (REWARDS, raised)]
    by, power = float(moved[1] - moved[0]), (gamma * lam) ** (length - 1)
    return Judged(holds(close(by, power)), {"by": round(by, 6), "gamma": gamma, "lam": lam, "steps": length - 1})


def _projects_agree(_: Scenario) -> Judged:
    rollout = Rollout(rewards=[REWARDS], values=[VALUES], mask=[[1] * len(VALUES)])
    found = [run(rollout, project, gamma=1.0, lam=0.95).returns[0][0] for project in (VERL_NEW, TRL, OPENRLHF)]
    return Judged(
        holds(close(found[0], found[1]) and close(found[0], found[2])),
        {"found": [round(float(x), 6) for x in found]},
    )


def _leans_on_rewards(_: Scenario) -> Judged:
    """The weight of the last reward in R_0, for growing λ."""
    raised = changed(REWARDS, len(REWARDS) - 1, 1.0)
    weights = [
        _rewarded(raised, lam=lam)["returns"][0] - _rewarded(REWARDS, lam=lam)["returns"][0] for lam in (0.0, 0.5, 1.0)
    ]
    rounded = [round(float(w), 6) for w in weights]
    return Judged(holds(rounded[0] < rounded[1] < rounded[2]), {"weights": rounded})


def _zero_is_values(_: Scenario) -> Judged:
    found = gae(lam=0.0)
    return Judged(
        holds(close(found["returns"], found["values"])), {"target": found["returns"][0], "value": found["values"][0]}
    )


def _last_ignores_lambda(_: Scenario) -> Judged:
    found = [_returns(lam=lam)[-1] for lam in (0.0, 0.5, 1.0)]
    return Judged(holds(len(set(found)) == 1), {"found": found})


def _always_below_one(_: Scenario) -> Judged:
    """A score of at most one, and a critic that hopes for more."""
    found = _small([0, 0, 1], [0.5, 1.5, 1.5], 0.5)
    return Judged(holds(max(found) <= 1), {"found": found})


def _by_hand(_: Scenario) -> Judged:
    """Whether V is subtracted and added again in vain: R by its own recursion never reads V_t, A does."""
    found = sequences.lambda_returns(REWARDS, VALUES, 1.0, 0.5)[0]
    other = sequences.lambda_returns(REWARDS, changed(VALUES, 0, 1.0), 1.0, 0.5)[0]
    adv = [gae(lam=0.5, values=v)["advantages"][0] for v in (VALUES, changed(VALUES, 0, 1.0))]
    return Judged(
        holds(close(found, other) and not close(adv[0], adv[1])), {"found": round(float(found), 6), "adv": adv}
    )


FURTHER: dict[str, Check] = {
    "larger_gamma_means_larger_return": _larger_gamma,
    "at_lambda_one_the_critic_drops_out": _one_ignores_critic,
    "at_lambda_zero_only_the_next_value_counts": _zero_reads_next_only,
    "independent_of_gamma": _ignores_gamma,
    "earlier_values_reach_the_return": _earlier_values,
    "exact_critic_makes_the_mean_return_the_value": _mean_is_value,
    "actor_is_given_returns": _actor_reads_them,
    "cannot_be_negative": _never_negative,
    "grow_along_the_response": _grow,
    "obey_the_plain_reward_recursion": _plain_recursion,
    "doubling_rewards_doubles_returns": _doubling,
    "is_unbiased": _unbiased,
    "critic_errors_enter_below_lambda_one": _error_enters,
    "above_the_value_means_positive_advantage": _above_is_positive,
    "first_return_is_the_total_reward": _first_is_total,
    "at_lambda_one_it_is_q": _q_at_one,
    "is_a_mixture_of_n_step_returns": _mixture,
    "gamma_zero_gives_the_reward": _gamma_zero,
    "less_value_is_the_monte_carlo_advantage": on_own(_less_value_is_mc),
    "advantages_are_made_from_returns": _from_returns,
    "is_reward_plus_value": on_own(_reward_plus_value),
    "is_always_the_one_step_target": on_own(_one_step_always),
    "gap_to_monte_carlo_is_later_news": _gap,
    "a_constant_on_values_is_added": _constant,
    "last_reward_counts_gamma_lambda_powers": _last_reward_weight,
    "projects_agree_on_returns": _projects_agree,
    "larger_lambda_leans_on_rewards": _leans_on_rewards,
    "at_lambda_zero_returns_are_values": _zero_is_values,
    "last_return_ignores_lambda": _last_ignores_lambda,
    "scores_up_to_one_keep_returns_below_one": _always_below_one,
    "own_value_matters_for_a_not_for_r": _by_hand,
}
