"""What learners claim of what follows what: which list moves with which, who is given which, what a score does."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any

from engine import quantities
from engine.conventions import VERL_NEW, Rollout, Scored, run
from engine.example import BOTH, RUNNING
from engine.facts import Inputs, exact_facts
from engine.scenario import Scenario, scenario
from engine.statistics import total
from lessons._compare import close
from lessons._fact import Check, Judged, holds

BETA = Fraction(str(RUNNING.beta))
CRITIC = [0.2, 0.9, 0.3]  # that changes its mind
THREE: dict[str, Any] = {"gamma": 1, "lam": 0.5, "values": CRITIC}


def pipeline(**changes: Any) -> dict[str, Any]:
    """All lists before the whitening, which leaves the rationals."""

    def program(x: Inputs) -> dict[str, Any]:
        return {"kl": quantities.kl(x), **quantities.gae(x)}

    return exact_facts(program, RUNNING.merged(changes))


def scored(last: float) -> dict[str, Any]:
    return pipeline(scores=[0.0] * (RUNNING.length - 1) + [last])


def three(rewards: list[float], **changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, scenario({**THREE, "rewards": rewards, **changes}))


def same(name: str, **changes: Any) -> bool:
    """Whether a list stays as it is when these parts are others."""
    return close(pipeline()[name], pipeline(**changes)[name])


def higher_values() -> list[float]:
    return [v + 1 for v in RUNNING.rows("values")[0]]


def _subtracted_afterwards(_: Scenario) -> Judged:
    found, free = pipeline(), pipeline(beta=0.0)
    late = [a - BETA * k for a, k in zip(free["advantages"], found["kl"], strict=True)]
    return Judged(holds(close(late, found["advantages"])), {"right": found["advantages"][0], "late": late[0]})


def _any_order(_: Scenario) -> Judged:
    free = same("rewards", values=higher_values()) and same("values", scores=[5.0] * RUNNING.length)
    found = pipeline()
    return Judged(holds(free), {"reward": found["rewards"][0], "value": found["values"][0]})


def _beta_lowers_all(_: Scenario) -> Judged:
    small, large = pipeline()["rewards"], pipeline(beta=1.0)["rewards"]
    t = 2
    return Judged(
        holds(all(b < a for a, b in zip(small, large, strict=True))),
        {"kl": pipeline()["kl"][t], "small": small[t], "large": large[t]},
    )


def _double_rewards(_: Scenario) -> Judged:
    once = three([0.0, 0.0, 1.0])["advantages"]
    twice = three([0.0, 0.0, 2.0])["advantages"]
    return Judged(holds(close([2 * a for a in once], twice)), {"once": once[0], "twice": twice[0]})


def _double_all(_: Scenario) -> Judged:
    values = [2 * v for v in CRITIC]
    once, twice = three([0.0, 0.0, 1.0])["advantages"], three([0.0, 0.0, 2.0], values=values)["advantages"]
    return Judged(holds(close([2 * a for a in once], twice)), {"once": once, "twice": twice})


def _higher_score_lifts_all(_: Scenario) -> Judged:
    lifts = [b - a for a, b in zip(scored(1.0)["advantages"], scored(2.0)["advantages"], strict=True)]
    return Judged(holds(min(lifts) > 0), {"first": lifts[0], "last": lifts[-1]})


def _earlier_get_less(_: Scenario) -> Judged:
    lifts = [b - a for a, b in zip(scored(1.0)["advantages"], scored(2.0)["advantages"], strict=True)]
    return Judged(holds(lifts == sorted(set(lifts))), {"lam": RUNNING.lam, "first": lifts[0], "last": lifts[-1]})


def _score_from_the_critic(_: Scenario) -> Judged:
    """Another critic: do the rewards without their KL change?"""
    before, after = (pipeline(beta=0.0, **more)["rewards"] for more in ({}, {"values": higher_values()}))
    return Judged(holds(before != after), {"score": after[-1], "value": higher_values()[-1]})


def _flips_a_sign(_: Scenario) -> Judged:
    found = exact_facts(quantities.pipeline, BOTH)
    pairs = zip(chain(*found["advantages"]), chain(*found["whitened"]), strict=True)
    raw, whitened = min(((float(a), float(w)) for a, w in pairs if a > 0), key=lambda pair: pair[1])
    return Judged(holds(raw > 0 > whitened), {"raw": raw, "whitened": whitened})


def _last_is_largest(_: Scenario) -> Judged:
    found = three([0.0, 0.0, 1.0], values=[0.1, 0.2, 0.99])["advantages"]
    return Judged(holds(found[-1] == max(found)), {"a": found})


def _sum_of_rewards(_: Scenario) -> Judged:
    found = pipeline()
    expected = total([Fraction(str(s)) for s in RUNNING.rows("scores")[0]]) - BETA * total(found["kl"])
    return Judged(
        holds(close(total(found["rewards"]), expected)), {"earned": total(found["rewards"]), "kl": total(found["kl"])}
    )


def _right_answer(_: Scenario) -> Judged:
    found = three([0.0, 0.0, 1.0])["advantages"]
    return Judged(holds(min(found) > 0), {"v": CRITIC, "a": found})


def _wrong_answer(_: Scenario) -> Judged:
    found = three([0.0, 0.0, 0.0])["advantages"]
    return Judged(holds(max(found) < 0), {"v": CRITIC, "a": found})


def _needs_old_log_probs(_: Scenario) -> Judged:
    moved = [x - 1 for x in RUNNING.rows("logp")[0]]
    own, other = (pipeline(kl_values=None, logp=row)["rewards"][0] for row in (RUNNING.rows("logp")[0], moved))
    return Judged(holds(own != other), {"before": own, "after": other})


def _change_in_the_update(name: str, part: str) -> Check:
    """Whether a list of the rollout moves with what the networks say after an update."""

    def check(_: Scenario) -> Judged:
        row = [x - 0.5 for x in RUNNING.rows(part)[0]]
        return Judged(holds(not same(name, **{part: row})), {"number": pipeline()[name][0], "after": row[0]})

    return check


def _gamma_in_rewards(_: Scenario) -> Judged:
    found = pipeline(gamma=0.5)
    return Judged(
        holds(found["rewards"] != pipeline()["rewards"]),
        {
            "gamma": Fraction(1, 2),
            "reward": found["rewards"][-1],
            "one": pipeline()["returns"][0],
            "half": found["returns"][0],
        },
    )


def _lambda_in_targets(_: Scenario) -> Judged:
    half, one = pipeline(lam=0.5)["returns"], pipeline(lam=1.0)["returns"]
    return Judged(holds(not close(half, one)), {"half": half[0], "one": one[0]})


def _without_beta(_: Scenario) -> Judged:
    found = pipeline(beta=0.0)["rewards"]
    scores = [Fraction(str(s)) for s in RUNNING.rows("scores")[0]]
    return Judged(holds(close(found, scores)), {"scores": scores, "rewards": found})


def _one_for_all(_: Scenario) -> Judged:
    found = pipeline()["advantages"]
    return Judged(holds(len(set(found)) == 1), {"a": found})


def _level_case(_: Scenario) -> Judged:
    found = three([0.0, 0.0, 1.0], values=[0.4, 0.4, 0.4], lam=1)["advantages"]
    other = three([0.0, 0.0, 1.0], lam=1)["advantages"]
    return Judged(holds(len(set(found)) == 1 < len(set(other))), {"level": found, "other": other})


def _from_rewards_on(_: Scenario) -> Judged:
    found = pipeline()
    given = [float(r) for r in found["rewards"]]
    again = exact_facts(quantities.gae, RUNNING.merged({"scores": None, "rewards": given}))
    return Judged(
        holds(close(again["advantages"], found["advantages"])),
        {"a": again["advantages"][0], "own": found["advantages"][0]},
    )


def _padding_earns(_: Scenario) -> Judged:
    """Log-probabilities far from the reference behind the end."""
    scored_row = Scored([1.0], [[-1.0, -1.0, -9.0]], [[-1.0, -1.0, -1.0]], 0.1)
    rollout = Rollout(scored_row, [[0.5, 0.5, 0.5]], [[1, 1, 0]])
    found = run(rollout, VERL_NEW, gamma=1.0, lam=1.0).rewards[0]
    return Judged(holds(found[-1] != 0), {"mask": [1, 1, 0], "rewards": list(found)})


def _critic_fits(name: str) -> Check:
    def check(_: Scenario) -> Judged:
        found = pipeline()
        return Judged(
            holds(close(found[name], found["returns"])), {"said": found[name][0], "target": found["returns"][0]}
        )

    return check


def _actor_uses_returns(_: Scenario) -> Judged:
    """With nothing updated yet a term is what the ratio multiplies."""
    own = RUNNING.merged({"new_logp": RUNNING.logp, "old_logp": RUNNING.logp})
    terms = exact_facts(quantities.surrogate, own)["terms"]
    found = pipeline()
    return Judged(holds(close(terms, found["returns"])), {"r": found["returns"][0], "a": found["advantages"][0]})


def _shifted_alike(_: Scenario) -> Judged:
    plain = three([0.0, 0.0, 1.0])["advantages"]
    lifted = three([0.0, 0.0, 2.0], values=[1.2, 1.9, 1.3])["advantages"]
    return Judged(holds(close(plain, lifted)), {"before": plain, "after": lifted})


def _zero_scores(_: Scenario) -> Judged:
    found = scored(0.0)["advantages"]
    return Judged(holds(not any(found)), {"a": found[0], "last": found[-1]})


def _token_reward_is_score_share(_: Scenario) -> Judged:
    """Which place of the rewards notices another score."""
    touched = [t for t, (a, b) in enumerate(zip(scored(1.0)["rewards"], scored(2.0)["rewards"], strict=True)) if a != b]
    return Judged(holds(len(touched) == RUNNING.length), {"touched": touched, "T": RUNNING.length})


def _critic_errors_reach(_: Scenario) -> Judged:
    """One V wrong by one: which advantages notice."""
    wrong = [v + float(t == 3) for t, v in enumerate(RUNNING.rows("values")[0])]
    pairs = zip(pipeline()["advantages"], pipeline(values=wrong)["advantages"], strict=True)
    touched = [t for t, (a, b) in enumerate(pairs) if not close(a, b)]
    return Judged(holds(touched == [3]), {"t": 3, "touched": touched})


def _advantage_of_expected_reward(_: Scenario) -> Judged:
    """V foresees every reward."""
    found = three([0.1, 0.2, 0.3], values=[0.6, 0.5, 0.3])["advantages"]
    return Judged(holds(any(found)), {"rewards": [0.1, 0.2, 0.3], "a": found})


def _zeros_on_the_way(_: Scenario) -> Judged:
    found, inner = pipeline(), RUNNING.rows("scores")[0][:-1]
    return Judged(
        holds(not any(inner) and max(found["advantages"][:-1]) > 0), {"score": inner[0], "a": found["advantages"]}
    )


def _later_errors_cancel(_: Scenario) -> Judged:
    wrong = [v + float(t == 3) for t, v in enumerate(RUNNING.rows("values")[0])]
    pairs = zip(pipeline(lam=1.0)["advantages"], pipeline(lam=1.0, values=wrong)["advantages"], strict=True)
    touched = [t for t, (a, b) in enumerate(pairs) if not close(a, b)]
    return Judged(holds(touched == [3]), {"t": 3, "touched": touched})


EFFECTS: dict[str, Check] = {
    "zeros_on_the_way_mean_nothing_was_scored_there": _zeros_on_the_way,
    "later_value_errors_cancel_at_lambda_one": _later_errors_cancel,
    "kl_could_be_taken_off_the_advantages": _subtracted_afterwards,
    "values_and_rewards_can_be_made_in_any_order": _any_order,
    "larger_beta_lowers_every_reward": _beta_lowers_all,
    "doubling_the_rewards_doubles_the_advantages": _double_rewards,
    "doubling_rewards_and_values_doubles_the_advantages": _double_all,
    "a_higher_score_lifts_every_advantage": _higher_score_lifts_all,
    "earlier_tokens_get_less_of_the_score": _earlier_get_less,
    "the_score_comes_from_the_critic": _score_from_the_critic,
    "whitening_can_flip_a_sign": _flips_a_sign,
    "the_last_token_has_the_largest_advantage": _last_is_largest,
    "token_rewards_add_up_to_score_less_kl": _sum_of_rewards,
    "a_right_answer_makes_every_advantage_positive": _right_answer,
    "a_wrong_answer_makes_every_advantage_negative": _wrong_answer,
    "rewards_need_the_old_log_probs": _needs_old_log_probs,
    "rewards_change_during_the_update": _change_in_the_update("rewards", "new_logp"),
    "advantages_are_computed_anew_in_every_mini_step": _change_in_the_update("advantages", "vpreds"),
    "gamma_changes_the_token_rewards": _gamma_in_rewards,
    "lambda_changes_the_critics_targets": _lambda_in_targets,
    "without_beta_rewards_are_the_scores": _without_beta,
    "all_tokens_share_one_advantage": _one_for_all,
    "level_values_make_equal_advantages": _level_case,
    "scores_are_not_needed_once_rewards_are_there": _from_rewards_on,
    "padding_earns_rewards": _padding_earns,
    "critic_fits_the_token_rewards": _critic_fits("rewards"),
    "critic_fits_the_advantages": _critic_fits("advantages"),
    "actor_uses_the_returns": _actor_uses_returns,
    "score_and_values_lifted_alike_leave_the_advantages": _shifted_alike,
    "zero_score_means_zero_advantages": _zero_scores,
    "the_score_enters_every_token_reward": _token_reward_is_score_share,
    "one_wrong_value_spoils_only_its_own_advantage": _critic_errors_reach,
    "foreseen_rewards_make_advantages": _advantage_of_expected_reward,
}
