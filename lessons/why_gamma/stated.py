"""What people still say of γ: whether to discount at all, what it multiplies, and whose steps it counts."""

from __future__ import annotations

from fractions import Fraction

from engine.chance import coins, spread
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import alone, exact
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, apart, default, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
LOW = Fraction("0.99")


def _below_one_is_better(_: Scenario) -> Judged:
    """For: less variance. Against: of two answers it picks the one that scores less."""
    low, one = (exact_facts(spread(coins(4), (0.0, 1.0), gamma=g), Scenario())["variance"][1] for g in (0.5, 1.0))
    short, long = (
        trial(outcome(tokens, score), [0] * tokens, gamma=LOW).mc_returns[0]
        for tokens, score in ((10, Fraction("0.9")), (100, 1))
    )
    found = {"short": round(float(short), 4), "long": round(float(long), 4)}
    return judged([low < one, long > short], low=low, one=one, gamma=LOW, **found)


def _needed(_: Scenario) -> Judged:
    lengths = (10, 100, 1000)
    ends, goes_on = [trial(outcome(n), [0] * n).mc_returns[0] for n in lengths], [Fraction(n) for n in lengths]
    paid = [trial([1] * n, [0] * n).mc_returns[0] for n in lengths]
    return judged([len(set(ends)) > 1, paid == goes_on], lengths=list(lengths), ends=ends, paid=paid)


def _own_value(_: Scenario) -> Judged:
    low = trial(REWARDS, VALUES, 0, HALF)
    own, following = (revalued(low, k).deltas[0] - low.deltas[0] for k in (0, 1))
    return judged(own == -HALF and following == 1, gamma=HALF, own=own, next=following)


def _swapped(_: Scenario) -> Judged:
    """What each does to the return: the one weighs later rewards, the other is not in it."""
    by_gamma = [trial(REWARDS, VALUES, 1, g).mc_returns[0] for g in (HALF, ONE)]
    by_lambda = [trial(REWARDS, VALUES, lam, 1).mc_returns[0] for lam in (HALF, ONE)]
    return judged(len(set(by_lambda)) > 1 and len(set(by_gamma)) == 1, by_gamma=by_gamma, by_lambda=by_lambda)


def _own_reward_least(_: Scenario) -> Judged:
    low = trial(REWARDS, VALUES, 1, HALF)
    moved = [rewarded(low, k).mc_returns[0] - low.mc_returns[0] for k in range(4)]
    return judged(moved[0] == min(moved), gamma=HALF, moved=moved)


def _rise(_: Scenario) -> Judged:
    found = trial(REWARDS, VALUES, 1, HALF).mc_returns
    return judged(found == sorted(set(found)), gamma=HALF, g=found)


def _prompt(_: Scenario) -> Judged:
    parts = {"gamma": 0.5, "lam": 0.5}
    own = alone("gae", rewards=[0, 0, 1], values=[0.25, 0.5, 0.75], **parts)["advantages"]
    behind = alone("gae", rewards=[0, 0, 0, 0, 1], values=[9, 9, 0.25, 0.5, 0.75], mask=[0, 0, 1, 1, 1], **parts)
    return judged(behind["advantages"][2:] != own, own=own, behind=behind["advantages"][2:])


def _lighter(_: Scenario) -> Judged:
    more, less = (trial(outcome(4), [0] * 4, gamma=gamma).mc_returns[0] for gamma in (LOW, HALF))
    return judged(less < more, more=LOW, less=HALF, before=round(float(more), 4), after=round(float(less), 4))


def _fades_undiscounted(_: Scenario) -> Judged:
    own = trial(outcome(4), VALUES, HALF)
    moved = apart(rewarded(own, -1).advantages, own.advantages)
    return judged(moved[0] < moved[-1], lam=HALF, moved=moved)


def _leash(_: Scenario) -> Judged:
    one, half = (exact("pipeline", gamma=gamma) for gamma in (1.0, 0.5))
    found = {"kl": one["kl"], "one": one["mc_returns"][0], "half": half["mc_returns"][0]}
    return judged(bool(one["kl"] != half["kl"]), **found)


def _learned(_: Scenario) -> Judged:
    """Learned it would stand in no configuration."""
    settings = {project: default(project, "gamma") for project in ("verl", "trl", "openrlhf")}
    return judged(not settings, **settings)


STATED: dict[str, Check] = {
    "gamma_below_one_is_better": _below_one_is_better,
    "a_discount_is_needed": _needed,
    "gamma_stands_on_the_own_value_in_delta": _own_value,
    "lambda_discounts_rewards_and_gamma_does_not": _swapped,
    "the_own_reward_is_discounted_most": _own_reward_least,
    "below_one_returns_rise_towards_a_final_reward": _rise,
    "the_prompts_length_enters_the_discount": _prompt,
    "gamma_is_learned": _learned,
    "lowering_gamma_makes_far_rewards_lighter": _lighter,
    "lambda_fades_deltas_at_gamma_one": _fades_undiscounted,
    "gamma_keeps_the_policy_near_the_reference": _leash,
}
