"""What is in a delta, of which sign and size, and what the later ones count: claims between the others."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from engine.chance import spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._errors import STEP, TOKENS, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, default, judged, rational, revalued, rewarded, trial

REWARDS, VALUES = (0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)
DISCOUNTED = trial(REWARDS, VALUES, HALF, HALF)


def _counts(one: Trial) -> list[Trial]:
    """The same with each reward raised in turn, and with it one delta."""
    return [rewarded(one, k) for k in range(len(one.rewards))]


def _own_reward(_: Scenario) -> Judged:
    moved = [one.deltas[1] - DISCOUNTED.deltas[1] for one in _counts(DISCOUNTED)]
    return judged(moved == [0, 1, 0, 0], moved=moved)


def _own_value(_: Scenario) -> Judged:
    moved = [revalued(DISCOUNTED, k).deltas[1] - DISCOUNTED.deltas[1] for k in range(4)]
    return judged(moved[1] == -1 and moved[2] == DISCOUNTED.gamma, gamma=DISCOUNTED.gamma, moved=moved)


def _never_negative(_: Scenario) -> Judged:
    falling = trial((0, 0, 1), ("3/4", "1/4", "1/2"))
    return judged(all(d >= 0 for d in falling.deltas), v=falling.values, deltas=falling.deltas)


def _sum_to_zero(_: Scenario) -> Judged:
    return judged(sum(OWN.deltas) == 0, deltas=OWN.deltas, sum=sum(OWN.deltas))


def _own_kl(_: Scenario) -> Judged:
    """The KL of the second token raised by one: which deltas are charged."""
    beta = 0.5
    given = {"scores": [0, 0, 1], "values": [0.25, 0.5, 0.75], "beta": beta, "gamma": 1, "lam": 0.5}
    plain, charged = (alone("gae", **given, kl_values=[0, x, 0])["deltas"] for x in (0, 1))
    moved = apart(charged, plain)
    return judged(moved[1] == -beta and not moved[0] and not moved[2], beta=beta, moved=moved)


def _spread_by_length(_: Scenario) -> Judged:
    tokens = (2, 4, 8)
    found = [exact_facts(spread(walk(n, step=STEP), (0.0, 1.0)), Scenario())["variance"] for n in tokens]
    delta, mc = ([row[i] for row in found] for i in (0, 1))
    return judged(any(b > a for a, b in pairwise(delta)), tokens=list(tokens), delta=delta, mc=mc)


def _nears_delta(_: Scenario) -> Judged:
    lams = rational(("1/2", "1/10", "1/100"))
    gaps = [abs(one.advantages[0] - one.deltas[0]) for one in (trial(REWARDS, VALUES, lam) for lam in lams)]
    none = trial(REWARDS, VALUES, NONE)
    nears = gaps == sorted(gaps, reverse=True) and none.advantages == none.deltas
    return judged(nears, lams=lams, gaps=gaps)


def _right_next_value(_: Scenario) -> Judged:
    """The value after the first token is set to what was really earned from there."""
    right = trial(REWARDS, (VALUES[0], OWN.mc_returns[1], *VALUES[2:]))
    delta, mc = right.deltas[0], right.mc_advantages[0]
    return judged(delta == mc, v=right.values[1], delta=delta, mc=mc, before=OWN.deltas[0])


def _adding_helps(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    bad, good = squared_errors(2.0, lams), squared_errors(0.0, lams)
    return judged([row[0] > row[1] > row[2] for row in (bad, good)], lams=list(lams), bad=bad, good=good)


def _larger_lambda(_: Scenario) -> Judged:
    lams = (NONE, HALF, ONE)
    own = [trial(REWARDS, VALUES, lam) for lam in lams]
    moved = [rewarded(one, 2).advantages[0] - one.advantages[0] for one in own]
    return judged(moved == sorted(moved) and moved[0] < moved[-1], lams=list(lams), moved=moved)


def _own_weighs_most(_: Scenario) -> Judged:
    rows = [[x.advantages[0] - one.advantages[0] for x in _counts(one)] for one in (OWN, trial(REWARDS, VALUES))]
    return judged(all(max(row) == row[0] for row in rows), half=rows[0], one=rows[1])


def _values_alone(_: Scenario) -> Judged:
    other = trial((0, 1, 0, 1), VALUES, HALF)
    return judged(other.deltas == OWN.deltas, v=OWN.values, one=OWN.deltas, other=other.deltas)


def _estimates(_: Scenario) -> Judged:
    """With an exact critic, given the first token: the mean of δ is that token's true advantage, not its value."""
    mean = moments(0.0)["mean"][0]
    value = walk(TOKENS, step=STEP).values[0][0]
    return judged(mean == Fraction(STEP) != Fraction(value), mean=mean, truth=Fraction(STEP), v=Fraction(value))


def _past(_: Scenario) -> Judged:
    """The third advantage, when the reward and the value of the first two tokens are other ones."""
    before = OWN.advantages[2]
    reward, value = rewarded(OWN, 0).advantages[2], revalued(OWN, 1).advantages[2]
    return judged(not before == reward == value, before=before, reward=reward, value=value)


def _default_is_delta(_: Scenario) -> Judged:
    lam = default("verl", "lam")
    own = trial(REWARDS, VALUES, Fraction(lam))
    return judged(own.advantages == own.deltas, lam=lam, a=own.advantages, deltas=own.deltas)


def _next_advantage(_: Scenario) -> Judged:
    """The last reward raised: the next advantage moves, the delta doesn't."""
    after = rewarded(OWN, -1)
    next_a = after.advantages[1] - OWN.advantages[1]
    delta = after.deltas[0] - OWN.deltas[0]
    return judged(delta != 0, next_a=next_a, delta=delta)


def _is_used_up(_: Scenario) -> Judged:
    """The share of the first delta in each advantage: in its own only."""
    moved = apart(rewarded(OWN, 0).advantages, OWN.advantages)
    return judged(any(moved[1:]), moved=moved)


GRID: dict[str, Check] = {
    "delta_contains_its_own_reward": _own_reward,
    "delta_subtracts_its_own_value_and_adds_the_next": _own_value,
    "delta_is_never_negative": _never_negative,
    "the_deltas_of_a_response_sum_to_zero": _sum_to_zero,
    "delta_contains_the_kl_of_its_token": _own_kl,
    "the_spread_of_delta_grows_with_the_length": _spread_by_length,
    "the_advantage_nears_delta_as_lambda_nears_zero": _nears_delta,
    "a_right_next_value_makes_delta_monte_carlo": _right_next_value,
    "adding_later_deltas_helps": _adding_helps,
    "a_larger_lambda_lets_later_deltas_count_more": _larger_lambda,
    "no_later_delta_outweighs_the_own": _own_weighs_most,
    "values_alone_give_the_deltas": _values_alone,
    "delta_is_an_estimate_of_the_advantage": _estimates,
    "the_past_reaches_the_advantage": _past,
    "verls_default_advantage_is_delta": _default_is_delta,
    "delta_depends_on_the_next_advantage": _next_advantage,
    "a_delta_enters_later_advantages": _is_used_up,
}
