"""What of the critic's target and loss turns on conditions: λ, γ, where the KL is, the clip's side, the first step."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.chance import one_coin
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, revalued, trial
from lessons.critic_target.loss import _loss

VALUES = (HALF, Fraction(1, 4), Fraction(3, 4))
COST = Fraction(-1, 5)  # of a step


def _holds_predictions(_: Scenario) -> Judged:
    """How the first target moves with a later value, at two λ."""
    found = []
    for lam in (HALF, ONE):
        one = trial(outcome(3), VALUES, lam=lam)
        found.append(apart(revalued(one, 1).returns, one.returns)[0])
    return judged([x != 0 for x in found], lam=HALF, half=found[0], one=found[1])


def _always_holds_predictions(_: Scenario) -> Judged:
    one = trial(outcome(3), VALUES)
    found = apart(revalued(one, 1).returns, one.returns)[0]
    return judged(found != 0, moved=found)


def _holds_the_kl(_: Scenario) -> Judged:
    """The first target at λ one: KL in the rewards, and rewards that are scores only."""
    score = RUNNING.rows("scores")[0][-1]
    within, outside = (gae(lam=1.0, beta=beta)["returns"][0] for beta in (RUNNING.beta, 0.0))
    return judged([within != score, outside != score], within=within, outside=outside, score=score)


def _all_the_score(_: Scenario) -> Judged:
    """The targets of one score at the end: nothing discounted and λ one, then each of the two below."""
    plain, discounted = trial(outcome(3), VALUES), trial(outcome(3), VALUES, gamma=HALF)
    mixed = trial(outcome(3), VALUES, lam=HALF)
    rows = [one.returns for one in (plain, mixed, discounted)]
    return judged([set(row) == {ONE} for row in rows], plain=rows[0], mixed=rows[1], discounted=rows[2], half=HALF)


def _within_bounds(_: Scenario) -> Judged:
    """Scores of nought and one: alone, and with a cost on the way."""
    plain, cost = trial(outcome(3), VALUES), trial([COST, COST, NONE], VALUES)
    return judged([min(r) >= 0 and max(r) <= 1 for r in (plain.returns, cost.returns)], plain=plain.returns,
                  cost=cost.returns)  # fmt: skip


def _flat_outside(_: Scenario) -> Judged:
    """A prediction that left the range towards its target, and one that left it the other way: their gradients."""
    step = 0.01
    found = []
    for v in (0.9, 0.1):
        above, below = (_loss(vpreds=[x], old_values=[0.5], returns=[1.0])["vf_loss"] for x in (v + step, v - step))
        found.append(round(float(above - below) / (2 * step), 6))
    return judged([slope == 0 for slope in found], towards=found[0], away=found[1])


def _clip_matters(_: Scenario) -> Judged:
    """A prediction inside the range, and one outside: the loss with the clip less the loss without."""
    found = []
    for v in (0.6, 0.9):
        clipped, free = (
            _loss(vpreds=[v], old_values=[0.5], returns=[1.0], cliprange_value=c)["vf_loss"] for c in (0.2, 100.0)
        )
        found.append(clipped - free)
    return judged([x != 0 for x in found], inside=found[0], outside=found[1])


def _half_the_square(_: Scenario) -> Judged:
    """The value loss before the critic has moved, and after."""
    a = gae()["advantages"]
    square = sum((x * x for x in a), Fraction(0)) / len(a) / 2
    first, later = (exact("value_loss", vpreds=v)["vf_loss"] for v in (RUNNING.values, RUNNING.vpreds))
    found = [round(float(x), 6) for x in (square, first, later)]
    return judged([x == found[0] for x in found[1:]], half=found[0], first=found[1], later=found[2])


def _nothing_clipped(_: Scenario) -> Judged:
    """The share of clipped predictions at the first step, and once one has left the range."""
    first, later = (
        _loss(vpreds=[v, 0.5], old_values=[0.5, 0.5], returns=[1.0, 1.0])["vf_clipfrac"] for v in (0.5, 0.9)
    )
    return judged([x == 0 for x in (first, later)], first=first, later=later)


def _gamma_lowers(_: Scenario) -> Judged:
    """The first target of a score, and of a cost, at the end: not discounted and discounted."""
    found = [[trial(outcome(3, r), VALUES, gamma=g).returns[0] for g in (ONE, HALF)] for r in (ONE, COST)]
    return judged([less < full for full, less in found], gamma=HALF, score=found[0], cost=found[1])


def _above_the_value(_: Scenario) -> Judged:
    """Two ends of one coin: their targets beside the V that stands before both."""
    coin = one_coin(1, size=0.5)
    value = Fraction(coin.values[0][0])
    targets = [trial([Fraction(r[0])], [value]).returns[0] for r in coin.rewards]
    return judged([r > value for r in targets], value=value, targets=targets)


def _always_above(_: Scenario) -> Judged:
    found = trial([NONE], [HALF])
    return judged(found.returns[0] > HALF, value=HALF, target=found.returns[0])


def _gamma_always_lowers(_: Scenario) -> Judged:
    full, less = (trial(outcome(3, COST), VALUES, gamma=g).returns[0] for g in (ONE, HALF))
    return judged(less < full, score=COST, gamma=HALF, full=full, less=less)


def _step_brings_nearer(_: Scenario) -> Judged:
    """One step down the slope, which is the distance: with a small rate, and with one that is too large."""
    goal, value, rates = ONE, Fraction(1, 5), [Fraction(1, 10), Fraction(3)]
    after = [value - rate * formulas.advantage(value, goal) for rate in rates]
    return judged([abs(x - goal) < abs(value - goal) for x in after], goal=goal, before=value, rates=rates, after=after)


def _own_reward_alone(_: Scenario) -> Judged:
    found = trial([COST, NONE, ONE], VALUES, lam=HALF)
    return judged(found.returns == found.rewards, rewards=found.rewards, targets=found.returns)


def _same_for_all_tokens(_: Scenario) -> Judged:
    """The targets along one response: a score at its end and nothing else, and a cost on the way."""
    rows = [trial(r, VALUES).returns for r in (outcome(3), [COST, COST, ONE])]
    return judged([len(set(row)) == 1 for row in rows], score=rows[0], cost=rows[1])


def _one_step(_: Scenario) -> Judged:
    """The targets at both ends of λ beside r + γV one step on."""
    zero, one = (trial([COST, NONE, ONE], VALUES, lam=lam) for lam in (NONE, ONE))
    steps = [formulas.mc_step(r, v, ONE) for r, v in zip(zero.rewards, [*VALUES[1:], NONE], strict=True)]
    return judged([x.returns == steps for x in (zero, one)], steps=steps, nought=zero.returns, one=one.returns)


TURNS_ON: dict[str, Check] = {
    "target_contains_the_critics_predictions": _holds_predictions,
    "target_always_contains_the_critics_predictions": _always_holds_predictions,
    "target_contains_kl": _holds_the_kl,
    "targets_equal_the_score": _all_the_score,
    "targets_stay_between_nought_and_one": _within_bounds,
    "outside_the_range_the_gradient_is_zero": _flat_outside,
    "value_clip_changes_the_loss": _clip_matters,
    "value_loss_is_half_the_squared_advantage": _half_the_square,
    "no_value_is_clipped": _nothing_clipped,
    "smaller_gamma_lowers_the_targets": _gamma_lowers,
    "target_is_above_the_value": _above_the_value,
    "target_is_always_above_the_value": _always_above,
    "smaller_gamma_always_lowers_the_targets": _gamma_always_lowers,
    "a_step_brings_the_value_nearer_its_target": _step_brings_nearer,
    "target_is_the_immediate_reward": _own_reward_alone,
    "target_is_one_reward_and_the_next_value": _one_step,
    "all_tokens_have_the_same_target": _same_for_all_tokens,
}
