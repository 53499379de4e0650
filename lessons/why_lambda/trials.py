"""More of what learners claim of λ, tried on small responses: its weights, its two ends, and what it leaves alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.errors import EngineError
from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, raised, rational, rewarded, trial

ENDS = (NONE, HALF, ONE)
REWARDS, VALUES = (0, 0, 1), ("1/4", "1/2", "3/4")


def _advantages(deltas: list[Fraction], lam: Fraction) -> list[Any]:
    return sequences.gae_advantages(deltas, ONE, lam)


def _own_is_multiplied(_: Scenario) -> Judged:
    def moved(place: int) -> list[Any]:
        rests = [[NONE] * 3, raised([NONE] * 3, place)]
        return [_advantages(rests[1], lam)[0] - _advantages(rests[0], lam)[0] for lam in ENDS]

    own, following = moved(0), moved(1)
    return judged(own == list(ENDS), own=own, next=following)


def _powers(_: Scenario) -> Judged:
    theorem("gae_is_decayed_sum_of_deltas")
    moved = [_advantages(raised([NONE] * 5, k), HALF)[0] for k in range(5)]
    return judged(moved == [formulas.discounted(ONE, HALF, k) for k in range(5)], moved=moved)


def _sum_to_one(_: Scenario) -> Judged:
    tokens = 4
    total = sum(formulas.discounted(ONE, HALF, k) for k in range(tokens))
    advantage = _advantages([ONE] * tokens, HALF)[0]
    return judged(total == advantage == 1, tokens=tokens, total=total, advantage=advantage)


def _rewards_discounted(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, HALF)
    wrong = formulas.advantage(sequences.mc_returns(own.rewards, HALF)[0], own.values[0])
    return judged(own.advantages[0] == wrong, r=own.rewards, v=own.values, right=own.advantages[0], wrong=wrong)


def _returns_at_one(_: Scenario) -> Judged:
    theorem("lambda_return_is_monte_carlo_at_lambda_one")
    own = trial(REWARDS, VALUES)
    return judged(own.returns == own.mc_returns, r=own.rewards, v=own.values, returns=own.returns, g=own.mc_returns)


def _returns_at_zero(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, 0)
    one_step = [
        formulas.mc_step(r, v, ONE) for r, v in zip(own.rewards, sequences.next_values(own.values), strict=True)
    ]
    return judged(own.returns == one_step, returns=own.returns, one_step=one_step)


def _one_levels(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES)
    return judged(len(set(own.advantages)) == 1, g=own.mc_returns, v=own.values, a=own.advantages)


def _score_moves(lam: Fraction) -> list[Any]:
    """By how much each advantage moves with the last reward."""
    own = trial(REWARDS, VALUES, lam)
    return apart(rewarded(own, -1).advantages, own.advantages)


def _only_last_at_zero(_: Scenario) -> Judged:
    moved = _score_moves(NONE)
    return judged(moved == [0, 0, 1], moved=moved, half=_score_moves(HALF))


def _everywhere_above_zero(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    moved = _score_moves(HALF)
    return judged(all(moved), moved=moved)


def _swapped_ends(_: Scenario) -> Judged:
    zero, one = (trial(REWARDS, VALUES, lam) for lam in (0, 1))
    delta, mc = zero.deltas[0], zero.mc_advantages[0]
    found = {"delta": delta, "mc": mc, "zero": zero.advantages[0], "one": one.advantages[0]}
    return judged(zero.advantages[0] == mc and one.advantages[0] == delta, **found)


def _baseline_biases(_: Scenario) -> Judged:
    """The mean of (Q − b)·∂log p by the logit of each of two choices, for a good and a wrong baseline b."""
    p, q, wrong = rational(("3/5", "2/5")), rational((1, 0)), Fraction(5)

    def gradient(baseline: Fraction) -> list[Any]:
        return [sum(p[a] * (q[a] - baseline) * ((a == i) - p[i]) for a in range(2)) for i in range(2)]

    right, shifted = gradient(NONE), gradient(wrong)
    return judged(right != shifted, p=p, q=q, right=right, wrong=wrong, shifted=shifted)


def _above_one(_: Scenario) -> Judged:
    lam = Fraction(3, 2)
    weights = sequences.mixture_weights(4, lam)
    try:
        RUNNING.merged({"lam": float(lam)})
        accepted = True
    except EngineError:
        accepted = False
    return judged(accepted or min(weights) >= 0, lam=lam, weights=weights)


def _diverges(_: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    tokens = 2000
    own = trial(outcome(tokens), [HALF] * tokens)
    return judged(own.advantages[0] != own.excess or own.excess > 1, tokens=tokens, v=HALF, a=own.advantages[0])


def _changes_inputs(_: Scenario) -> Judged:
    zero, one = gae(lam=0.0), gae(lam=1.0)
    same = all(zero[name] == one[name] for name in ("rewards", "values", "deltas"))
    return judged(not same, r=zero["rewards"], v=zero["values"], d=zero["deltas"])


def _ignores_rewards(_: Scenario) -> Judged:
    def own(lam: Fraction) -> Any:
        before = trial(REWARDS, VALUES, lam)
        return rewarded(before, 0).advantages[0] - before.advantages[0]

    moved = [own(lam) for lam in ENDS]
    return judged(not any(moved[:2]), own=moved)


def _monotone(_: Scenario) -> Judged:
    deltas = rational((0, 1, -1))
    found = [_advantages(deltas, lam)[0] for lam in ENDS]
    return judged(found in (sorted(found), sorted(found, reverse=True)), d=deltas, a=found)


def _keeps_order(_: Scenario) -> Judged:
    zero, one = (gae(lam=lam)["advantages"] for lam in (0.0, 1.0))
    at_zero, at_one = zero.index(max(zero)), one.index(max(one))
    return judged(at_zero == at_one, at_zero=at_zero, at_one=at_one)


def _early_most(_: Scenario) -> Judged:
    running = apart(gae(lam=1.0)["advantages"], gae(lam=0.5)["advantages"])
    deltas = rational((0, -1, 1, 1))
    other = apart(_advantages(deltas, ONE), _advantages(deltas, HALF))

    def falls(moves: list[Any]) -> bool:
        sizes = [abs(x) for x in moves]
        return sizes == sorted(sizes, reverse=True)

    return judged([falls(running), falls(other)], running=running, d=deltas, other=other)


def _longer_needs_more(_: Scenario) -> Judged:
    lengths, kept = (10, 100, 1000), 0.5
    lams = [round(kept ** (1 / (tokens - 1)), 6) for tokens in lengths]
    left = [formulas.discounted(1.0, lam, tokens - 1) for lam, tokens in zip(lams, lengths, strict=True)]
    reached = all(abs(x - kept) < 1e-3 for x in left)
    return judged(reached and lams == sorted(lams), kept=kept, lengths=list(lengths), lams=lams)


def _doubles(_: Scenario) -> Judged:
    lams = rational(("0.9", "0.95", "0.975", "0.99"))
    horizons = [formulas.horizon(lam) for lam in lams]
    doubled = horizons[1] == 2 * horizons[0] and horizons[2] == 2 * horizons[1]
    return judged(doubled and horizons[3] == 10 * horizons[0], lams=lams, horizons=horizons)


def _no_critic(_: Scenario) -> Judged:
    half, one = (trial(outcome(5), [0] * 5, lam).advantages for lam in (HALF, ONE))
    return judged(half[0] < half[-1] and half[0] < one[0] == one[-1], half=half, one=one)


def _outcome_needs_none(_: Scenario) -> Judged:
    zero, one = (trial(REWARDS, VALUES, lam) for lam in (0, 1))
    found = {"zero": zero.advantages[0], "one": one.advantages[0]}
    return judged(zero.advantages == one.advantages, r=zero.rewards, v=zero.values, **found)


TRIED: dict[str, Check] = {
    "lambda_multiplies_the_own_delta": _own_is_multiplied,
    "lambda_weights_are_powers_by_distance": _powers,
    "weights_of_the_deltas_add_up_to_one": _sum_to_one,
    "lambda_discounts_rewards_like_gamma": _rewards_discounted,
    "returns_at_lambda_one_are_monte_carlo": _returns_at_one,
    "returns_at_lambda_zero_look_one_step": _returns_at_zero,
    "lambda_one_levels_the_advantages": _one_levels,
    "only_the_last_token_hears_the_reward_at_lambda_zero": _only_last_at_zero,
    "positive_lambda_carries_the_reward_everywhere": _everywhere_above_zero,
    "the_ends_are_swapped": _swapped_ends,
    "own_value_error_biases_the_policy_gradient": _baseline_biases,
    "lambda_may_be_above_one": _above_one,
    "lambda_one_diverges": _diverges,
    "lambda_changes_rewards_or_values": _changes_inputs,
    "lambda_below_one_ignores_real_rewards": _ignores_rewards,
    "advantage_is_monotone_in_lambda": _monotone,
    "lambda_keeps_the_order_of_tokens": _keeps_order,
    "lambda_moves_early_tokens_most": _early_most,
    "longer_responses_need_larger_lambda": _longer_needs_more,
    "halving_the_gap_to_one_doubles_the_horizon": _doubles,
    "without_a_critic_lambda_below_one_starves_early_tokens": _no_critic,
    "outcome_reward_makes_lambda_irrelevant": _outcome_needs_none,
}
