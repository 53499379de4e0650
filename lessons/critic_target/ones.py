"""Names that learners take for one: values, returns, advantages; what a better critic does, and which loss it has."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.chance import one_coin
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._row import row
from lessons.critic_target.loss import _loss
from lessons.critic_target.targets import HALF, REWARDS, VALUES


def _values_are_returns(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    return Judged(holds(found["values"] == found["returns"]), {"v": found["values"], "r": found["returns"]})


def _returns_are_advantages(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    return Judged(
        holds(found["returns"] == found["advantages"]),
        {"r": found["returns"], "a": found["advantages"], "v": found["values"]},
    )


def _smaller_advantages(_: Scenario) -> Judged:
    """A coin's two ends seen from the right value and from two wrong ones: the mean square of what is left."""
    ends = [Fraction(r[0]) for r in one_coin(1, size=0.5).rewards]
    right = sum(ends, Fraction(0)) / len(ends)
    squares = [
        sum((Fraction(formulas.squared_error(v, end)) for end in ends), Fraction(0)) / len(ends)
        for v in (right, Fraction(1, 10), Fraction(9, 10))
    ]
    return Judged(holds(squares[0] < min(squares[1:])), {"ends": ends, "right": squares[0], "wrong": squares[1:]})


def _cross_entropy(_: Scenario) -> Judged:
    """As much above the target as below: a squared error is the same, and that of nothing is nought."""
    low, hit, high = (_loss(vpreds=[v], old_values=[v], returns=[0.0])["vf_loss"] for v in (-1.0, 0.0, 1.0))
    return Judged(holds(not (low == high == formulas.value_loss_term(1) and hit == 0)), {"one": 1, "loss": high})


def _nothing_random(_: Scenario) -> Judged:
    """The mean loss of the right value: where there is one end only, and over a coin's two."""
    coin = [Fraction(r[0]) for r in one_coin(1, size=0.5).rewards]
    losses = []
    for ends in (coin[:1], coin):
        right = sum(ends, Fraction(0)) / len(ends)
        terms = [Fraction(formulas.value_loss_term(formulas.squared_error(right, end))) for end in ends]
        losses.append(sum(terms, Fraction(0)) / len(ends))
    return Judged(holds(losses[0] == 0), {"sure": coin[0], "none": losses[0], "left": losses[1]})


def _new_predictions(_: Scenario) -> Judged:
    """With a range that never clips: what the loss follows, the prediction or what stood in values."""
    plain, moved, older = (
        _loss(vpreds=[v], old_values=[old], returns=[1.0], cliprange_value=10.0)["vf_loss"]
        for v, old in ((0.5, 0.5), (0.7, 0.5), (0.5, 0.2))
    )
    return Judged(holds(moved < plain == older), {"plain": plain, "moved": moved, "older": older})


def _one_loss_for_both(_: Scenario) -> Judged:
    """One token, before anything has moved: what the critic minimises, and what the actor does."""
    value, goal = Fraction(1, 2), Fraction(1)
    critic = formulas.value_loss_term(formulas.squared_error(value, goal))
    actor = -formulas.surrogate_term(Fraction(1), formulas.advantage(goal, value))
    return Judged(holds(critic == actor), {"critic": critic, "actor": actor})


ONES: dict[str, Check] = {
    "values_and_returns_are_one": _values_are_returns,
    "returns_and_advantages_are_one": _returns_are_advantages,
    "a_better_critic_makes_raw_advantages_smaller": _smaller_advantages,
    "value_loss_is_a_cross_entropy": _cross_entropy,
    "exact_critic_has_no_loss_where_nothing_is_random": _nothing_random,
    "vpreds_are_the_new_predictions": _new_predictions,
    "critic_and_actor_share_one_loss": _one_loss_for_both,
}
