"""More of what learners claim of γ, tried on small responses: where it stands in the formulas, and what lies beyond."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from engine import formulas, mistakes, quantities, sequences, world
from engine.errors import EngineError
from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._checks import exact, gae, whitened
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, default, judged, outcome, raised, rational, rewarded, trial

GAMMAS = (1.0, 0.9, 0.5)


def _plain_sum(_: Scenario) -> Judged:
    own = trial((1, 2, 3), (0, 0, 0))
    total = sum(own.rewards)
    return judged(own.mc_returns[0] == total, r=own.rewards, g=own.mc_returns[0], sum=total)


def _one_return_for_all(_: Scenario) -> Judged:
    theorem("outcome_return_is_the_same_at_every_token")
    one, half = (sequences.mc_returns(outcome(4), gamma) for gamma in (ONE, HALF))
    return judged(len(set(one)) == 1, tokens=len(one), one=one, half=half)


def _tokens_alike(_: Scenario) -> Judged:
    found = gae()["advantages"]
    return judged(RUNNING.gamma == 1 and len(set(found)) == 1, gamma=RUNNING.gamma, a=found)


def _mean_deltas(gamma: Fraction) -> list[Any]:
    """E[δ_t] in the small world with the exact V for γ = 1 and another γ in δ."""
    known = world.small(lambda _, x: Fraction(str(x)))

    def delta(response: world.Path, t: int) -> Any:
        return sequences.deltas(known.rewards_along(response), known.values_along(response), gamma)[t]

    return [known.expected(partial(delta, t=t)) for t in range(2)]


def _other_gamma_fits(_: Scenario) -> Judged:
    gamma = Fraction(9, 10)
    same, other = _mean_deltas(ONE), _mean_deltas(gamma)
    return judged(not any(same) and not any(other), gamma=gamma, same=same, other=other)


def _gamma_alone(_: Scenario) -> Judged:
    deltas = rational((1, 1, 1))
    right, wrong = (sequences.gae_advantages(deltas, ONE, lam)[0] for lam in (HALF, ONE))
    return judged(right == wrong, d=deltas, right=right, wrong=wrong)


def _left_out(mistake: str) -> Judged:
    """At λ = 1, where the advantage is return minus value."""
    given = scenario({"rewards": [0, 0, 1], "values": [0.25, 0.5, 0.75], "gamma": 0.5, "lam": 1})
    right = quantities.facts("gae", given).exact
    wrong = mistakes.run(mistake, given).exact["advantages"][0]
    first = right["mc_advantages"][0]
    return judged(first == right["advantages"][0] == wrong, gamma=HALF, right=first, wrong=wrong)


def _out_of_recursion(_: Scenario) -> Judged:
    return _left_out("gamma_forgotten_in_recursion")


def _out_of_delta(_: Scenario) -> Judged:
    return _left_out("gamma_forgotten_in_delta")


def _first_return_moved() -> list[Any]:
    own = trial((0, 0, 0, 0), (0, 0, 0, 0), gamma=HALF)
    return [rewarded(own, k).mc_returns[0] - own.mc_returns[0] for k in range(4)]


def _own_is_discounted(_: Scenario) -> Judged:
    moved = _first_return_moved()
    return judged(moved[0] != 1, moved=moved)


def _power_of_distance(_: Scenario) -> Judged:
    theorem("outcome_reward_reaches_back_discounted")
    moved = _first_return_moved()
    return judged(moved == [formulas.discounted(ONE, HALF, k) for k in range(4)], moved=moved)


def _last_ignores(_: Scenario) -> Judged:
    lasts = [gae(gamma=gamma)["advantages"][-1] for gamma in GAMMAS]
    return judged(len(set(lasts)) == 1, gammas=list(GAMMAS), lasts=lasts)


def _one_token(_: Scenario) -> Judged:
    found = [trial((1,), ("1/4",), gamma=str(gamma)).advantages[0] for gamma in GAMMAS]
    return judged(len(set(found)) == 1, r=ONE, v=Fraction(1, 4), gammas=list(GAMMAS), a=found)


def _smaller_advantage(_: Scenario) -> Judged:
    def first(score: int, gamma: Fraction) -> Any:
        return trial(outcome(3, score), (0, 0, 0), gamma=gamma).advantages[0]

    good, bad = ([first(score, gamma) for gamma in (ONE, HALF)] for score in (1, -1))
    return judged(
        [good[1] < good[0], bad[1] < bad[0]],
        high=ONE, low=HALF, good_high=good[0], good_low=good[1], bad_high=bad[0], bad_low=bad[1],
    )  # fmt: skip


def _horizon(_: Scenario) -> Judged:
    tokens, gammas = 5000, (0.5, 0.9, 0.99)
    sums = [sum(formulas.discounted(1.0, gamma, k) for k in range(tokens)) for gamma in gammas]
    fits = all(abs(total - formulas.horizon(gamma)) < 1e-6 for total, gamma in zip(sums, gammas, strict=True))
    return judged(fits, gammas=list(gammas), tokens=tokens, horizons=[round(total, 6) for total in sums])


def _end_is_lost(_: Scenario) -> Judged:
    tokens = (10, 100, 1000)
    left = [float(f"{formulas.discounted(1.0, 0.99, n - 1):.3g}") for n in tokens]
    return judged(left[-1] < 1e-3, gamma=0.99, tokens=list(tokens), left=left)


def _grpo(_: Scenario) -> Judged:
    one, half = (exact("grpo", gamma=gamma)["centered"] for gamma in (1.0, 0.5))
    scores = [float(x) for x in RUNNING.rows("group_rewards")[0]]
    return judged(one != half, scores=scores, a=one)


def _frameworks(_: Scenario) -> Judged:
    gammas = [default(project, "gamma") for project in ("verl", "trl", "openrlhf")]
    found = gae(gamma=gammas[0])["mc_returns"][0]
    return judged(all(gamma == 1 for gamma in gammas) and found == sum(gae()["rewards"]), g=found)


def _whitening_cancels(_: Scenario) -> Judged:
    one, half = (float(whitened(gamma=gamma)[0]) for gamma in (1.0, 0.5))
    return judged(abs(one - half) < 1e-9, one=round(one, 6), half=round(half, 6))


def _changes_rewards(_: Scenario) -> Judged:
    one, half = (gae(gamma=gamma) for gamma in (1.0, 0.5))
    ratios = [exact("surrogate", gamma=gamma, old_logp=RUNNING.logp)["ratio"] for gamma in (1.0, 0.5)]
    same = one["rewards"] == half["rewards"] and ratios[0] == ratios[1]
    found: Mapping[str, Any] = {"one": one["mc_returns"][0], "half": half["mc_returns"][0]}
    return judged(not same, r=one["rewards"], **found)


def _recursion_of_returns(_: Scenario) -> Judged:
    own = trial((1, 2, 4), (0, 0, 0), gamma=HALF)
    following = [*own.mc_returns[1:], NONE]
    fits = all(g == r + HALF * after for g, r, after in zip(own.mc_returns, own.rewards, following, strict=True))
    return judged(fits, r=own.rewards, g=own.mc_returns)


def _above_one(_: Scenario) -> Judged:
    gamma, steps = Fraction(11, 10), 100
    try:
        RUNNING.merged({"gamma": float(gamma)})
        accepted = True
    except EngineError:
        accepted = False
    worth = round(float(formulas.discounted(ONE, gamma, steps)), 1)
    return judged(accepted or worth < 1, gamma=gamma, steps=steps, worth=worth)


def _idle_at_one(_: Scenario) -> Judged:
    one, half = (gae(gamma=gamma, lam=1.0)["advantages"][0] for gamma in (1.0, 0.5))
    return judged(one == half, one=one, half=half)


def _sooner(_: Scenario) -> Judged:
    worth = [sequences.mc_returns(raised([NONE] * 4, k), HALF)[0] for k in range(4)]
    return judged(worth == sorted(worth, reverse=True) and len(set(worth)) == len(worth), worth=worth)


TRIED: dict[str, Check] = {
    "gamma_one_return_is_the_plain_sum": _plain_sum,
    "gamma_one_outcome_gives_one_return_to_all": _one_return_for_all,
    "gamma_one_makes_tokens_alike": _tokens_alike,
    "critic_of_another_gamma_still_fits": _other_gamma_fits,
    "recursion_decays_by_gamma_alone": _gamma_alone,
    "gamma_can_be_left_out_of_the_recursion": _out_of_recursion,
    "gamma_can_be_left_out_of_delta": _out_of_delta,
    "own_reward_is_discounted": _own_is_discounted,
    "reward_k_steps_on_counts_gamma_to_the_k": _power_of_distance,
    "last_token_ignores_gamma": _last_ignores,
    "one_token_response_ignores_gamma": _one_token,
    "smaller_gamma_means_smaller_advantage": _smaller_advantage,
    "horizon_is_one_over_one_minus_gamma": _horizon,
    "at_099_the_end_is_lost_over_a_thousand_tokens": _end_is_lost,
    "gamma_may_be_above_one": _above_one,
    "gamma_is_idle_at_lambda_one": _idle_at_one,
    "grpo_advantages_depend_on_gamma": _grpo,
    "rlhf_frameworks_default_to_gamma_one": _frameworks,
    "sooner_is_worth_more_below_one": _sooner,
    "whitening_cancels_gamma": _whitening_cancels,
    "gamma_changes_rewards_or_ratio": _changes_rewards,
    "return_is_own_reward_plus_gamma_times_next": _recursion_of_returns,
}
