"""What people ask of γ beside its place: patience, bias and variance, what zero and one half do, what needs what."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from engine import formulas
from engine.chance import coins, spread
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, default, judged, outcome, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
GAMMAS = (HALF, Fraction("0.9"), ONE)


def _bias_and_variance(_: Scenario) -> Judged:
    """A point of the plain sum at the end; and coins, one for each token."""
    biases = [trial(outcome(3), [0] * 3, gamma=g).mc_returns[0] - 1 for g in GAMMAS]
    variances = [exact_facts(spread(coins(3), (0.0, 1.0), gamma=float(g)), Scenario())["variance"][1] for g in GAMMAS]
    sizes = [abs(b) for b in biases]
    both = sizes == sorted(set(sizes), reverse=True) and variances == sorted(set(variances))
    return judged(both, gammas=list(GAMMAS), biases=biases, variances=variances)


def _looks_further(_: Scenario) -> Judged:
    steps = 10
    worth = [round(float(formulas.discounted(ONE, g, steps)), 4) for g in GAMMAS]
    return judged(worth == sorted(set(worth)), gammas=list(GAMMAS), steps=steps, worth=worth)


def _zero_hides_the_score(_: Scenario) -> Judged:
    own = trial(REWARDS, VALUES, 1, 0)
    moved = apart(rewarded(own, -1).advantages, own.advantages)
    return judged(moved == [0, 0, 0, 1], moved=moved)


def _one_needs_lambda(_: Scenario) -> Judged:
    tokens = 1000
    own = trial(outcome(tokens), [HALF] * tokens)
    return judged(own.advantages[0] != own.excess, tokens=tokens, a=own.advantages[0], g=own.mc_returns[0], v=HALF)


def _halves(_: Scenario) -> Judged:
    found = trial(outcome(4), [0] * 4, gamma=HALF).mc_returns
    return judged(all(after == 2 * before for before, after in pairwise(found)), gamma=HALF, g=found)


def _length_costs_nothing(_: Scenario) -> Judged:
    tokens = (10, 100, 1000)
    found = [trial(outcome(n), [0] * n).mc_returns[0] for n in tokens]
    return judged(len(set(found)) == 1, tokens=list(tokens), g=found)


def _told_apart(rewards: Sequence[Sequence[int]], gamma: Fraction) -> Any:
    """Signal against noise, the squared mean over the variance, of a return whose courses are equally likely."""
    found = [trial(row, [0] * len(row), gamma=gamma).mc_returns[0] for row in rewards]
    mean = formulas.mean(sum(found), len(found))
    return mean**2 / formulas.mean(sum(formulas.squared_error(x, mean) for x in found), len(found))


def _steadier(_: Scenario) -> Judged:
    """A point at once, with a coin at each of two later tokens; and everything, coin and all, at the end."""
    coins_later = [(1, x, y) for x, y in product((1, -1), repeat=2)]
    near, far = ([_told_apart(rows, g) for g in (HALF, ONE)] for rows in (coins_later, [(0, 0, 2), (0, 0, 1)]))
    return judged([low > one for low, one in (near, far)], low=HALF, near=near, far=far)


def _last_return(_: Scenario) -> Judged:
    lasts = [gae(gamma=float(g))["returns"][-1] for g in GAMMAS]
    return judged(len(set(lasts)) == 1, gammas=list(GAMMAS), lasts=lasts)


def _both_default(_: Scenario) -> Judged:
    gamma, lam = (default("verl", name) for name in ("gamma", "lam"))
    own = gae(gamma=gamma, lam=lam)
    same = own["returns"][0] == sum(own["rewards"])
    return judged(gamma == lam == 1 and same, gamma=gamma, lam=lam, g=own["returns"][0])


def _only_rewards(_: Scenario) -> Judged:
    """δ with rewards all zero: what γ moves then is the next value."""
    found = [trial([NONE] * 3, VALUES[:3], 0, g).deltas[0] for g in GAMMAS]
    return judged(len(set(found)) == 1, gammas=list(GAMMAS), v=Fraction(VALUES[1]), deltas=found)


def _in_the_targets(_: Scenario) -> Judged:
    found = [trial(REWARDS, VALUES, 1, g).returns[0] for g in GAMMAS]
    return judged(len(set(found)) > 1, gammas=list(GAMMAS), targets=found)


def _ends_swapped(_: Scenario) -> Judged:
    own, whole = trial((1, 2, 4), (0, 0, 0), gamma=0), trial((1, 2, 4), (0, 0, 0))
    swapped = own.mc_returns[0] == sum(own.rewards) and whole.mc_returns[0] == own.rewards[0]
    return judged(swapped, r=own.rewards, zero=own.mc_returns[0], one=whole.mc_returns[0])


def _ppo_requires_one(_: Scenario) -> Judged:
    """The identities that PPO lives on, at a γ below one: R = A + V, and G − V at λ = 1."""
    low = trial(REWARDS, VALUES, 1, GAMMAS[1])
    fits = low.advantages == low.mc_advantages and low.returns == low.mc_returns
    return judged(not fits, gamma=GAMMAS[1], a=low.advantages[0], excess=low.excess)


def _last_most(_: Scenario) -> Judged:
    own, low = trial(REWARDS, VALUES), trial(REWARDS, VALUES, gamma=HALF)
    moved = apart(low.advantages, own.advantages)
    sizes = [abs(m) for m in moved]
    return judged(sizes[-1] == max(sizes), low=HALF, moved=moved)


ASKED: dict[str, Check] = {
    "larger_gamma_less_bias_more_variance": _bias_and_variance,
    "larger_gamma_looks_further": _looks_further,
    "gamma_zero_keeps_the_score_from_early_tokens": _zero_hides_the_score,
    "gamma_one_needs_a_lambda_below_one": _one_needs_lambda,
    "gamma_half_halves_at_every_token": _halves,
    "at_gamma_one_length_alone_costs_nothing": _length_costs_nothing,
    "discounting_makes_training_steadier": _steadier,
    "the_last_return_is_undiscounted": _last_return,
    "verl_defaults_both_to_one": _both_default,
    "gamma_discounts_rewards_only_and_no_value": _only_rewards,
    "gamma_enters_the_critics_target": _in_the_targets,
    "the_ends_of_gamma_are_swapped": _ends_swapped,
    "ppo_requires_gamma_one": _ppo_requires_one,
    "gamma_moves_the_last_token_most": _last_most,
}
