"""What learners claim of the value loss: its clip, its half, its scale, what it reads, how it is counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from engine import conventions, formulas, losses, quantities
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.scenario import scenario as validated
from engine.statistics import total
from lessons._checks import exact
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._trials import raised

PREDICTED, GOALS = [Fraction(1, 2), Fraction(1, 5)], [Fraction(1), Fraction(0)]
POLICY_TERMS = [Fraction(-1, 4), Fraction(3, 4)]  # of the same samples


def _loss(**given: Any) -> dict[str, Any]:
    base = {"gamma": 1, "lam": 0.9, "cliprange_value": 0.2}
    return exact_facts(quantities.value_loss, validated({**base, **given}))


def _half_gives_the_distance(_: Scenario) -> Judged:
    """The slope of half the squared error, from two points on either side."""
    v, goal, step = Fraction(3, 10), Fraction(1), Fraction(1, 100)
    above, below = (formulas.value_loss_term(formulas.squared_error(v + s, goal)) for s in (step, -step))
    slope = (above - below) / (2 * step)
    return Judged(holds(slope == v - goal), {"slope": slope, "v": v, "goal": goal})


def _clip_bounds_the_move(_: Scenario) -> Judged:
    """A prediction beyond the range: what is in the loss where its own error is the larger."""
    found = _loss(vpreds=[0.1], old_values=[0.5], returns=[1.0])
    plain = formulas.squared_error(rational(0.1), rational(1.0))
    return Judged(
        holds(found["max_sq_err"][0] != plain),
        {"v": rational(0.1), "old": rational(0.5), "error": found["max_sq_err"][0], "plain": plain},
    )


def _wide_range(_: Scenario) -> Judged:
    found = exact("value_loss", cliprange_value=100.0)
    squares = [
        formulas.squared_error(rational(v), r) for v, r in zip(RUNNING.rows("vpreds")[0], found["returns"], strict=True)
    ]
    plain = sum(squares, Fraction(0)) / len(squares) / 2
    return Judged(holds(found["vf_loss"] == plain), {"loss": found["vf_loss"], "plain": plain})


def _shares_epsilon(_: Scenario) -> Judged:
    before, after = (exact("value_loss", eps=eps)["vf_loss"] for eps in (0.2, 0.05))
    moved = exact("value_loss", cliprange_value=0.04)["vf_loss"]
    return Judged(holds(before != after), {"before": before, "after": after, "own": moved})


def _reads_the_reference(_: Scenario) -> Judged:
    """The loss, the returns being given, under another reference."""
    given: dict[str, Any] = {"vpreds": [0.6], "old_values": [0.5], "returns": [1.0]}
    before = _loss(**given)["vf_loss"]
    after = _loss(**given, logp=[-1.0], ref_logp=[-9.0])["vf_loss"]
    return Judged(holds(before != after), {"before": before, "after": after})


def _prompt_is_trained(_: Scenario) -> Judged:
    terms = exact("value_loss")["max_sq_err"]
    return Judged(
        holds(len(terms) > RUNNING.length),
        {"terms": len(terms), "T": RUNNING.length, "prompt": len(RUNNING.prompt or "")},
    )


def _predictions_are_values(_: Scenario) -> Judged:
    """At the first step, and after one."""
    first, later = exact("value_loss", vpreds=RUNNING.values), exact("value_loss")
    same = [first["vf_clipfrac"] == 0, later["vf_loss"] == first["vf_loss"]]
    return Judged(
        "depends" if same == [True, False] else holds(all(same)),
        {"first": first["vf_loss"], "later": later["vf_loss"]},
    )


def _projects_halve(_: Scenario) -> Judged:
    """One token, its prediction off by one."""
    losses = [
        Fraction(conventions.value_loss(c, [[Fraction(2)]], [[Fraction(2)]], [[Fraction(1)]], [[1]], None))
        for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(set(losses) == {Fraction(1, 2)}), {"losses": losses})


def _scale_squared(_: Scenario) -> Judged:
    one = _loss(vpreds=[0.25, 0.5], old_values=[0.25, 0.5], returns=[1.0, 0.0])["vf_loss"]
    two = _loss(vpreds=[0.5, 1.0], old_values=[0.5, 1.0], returns=[2.0, 0.0])["vf_loss"]
    return Judged(holds(two == 4 * one), {"one": one, "two": two})


def _can_be_negative(_: Scenario) -> Judged:
    losses = [
        _loss(vpreds=[v], old_values=[v], returns=[r])["vf_loss"] for v, r in ((0.9, 0.1), (0.1, 0.9), (-2.0, -1.0))
    ]
    return Judged(holds(min(losses) < 0), {"losses": losses})


def _fraction_counts_tokens(_: Scenario) -> Judged:
    found = exact("value_loss")["vf_clipfrac"]
    count = found * RUNNING.length
    return Judged(holds(close(count, round(count))), {"fraction": found, "T": RUNNING.length, "count": round(count)})


def _max_is_pessimistic(_: Scenario) -> Judged:
    """A prediction that has reached its target by leaving the range."""
    found = _loss(vpreds=[1.0], old_values=[0.5], returns=[1.0])
    plain = formulas.squared_error(rational(1.0), rational(1.0))
    return Judged(holds(found["max_sq_err"][0] > plain), {"plain": plain, "taken": found["max_sq_err"][0]})


def _too_high_is_lowered(_: Scenario) -> Judged:
    """One step down the slope from above the target and from below it."""
    goal, rate = Fraction(1, 2), Fraction(1, 10)
    after = [v - rate * (v - goal) for v in (Fraction(9, 10), Fraction(1, 10))]
    return Judged(
        holds(after[0] < Fraction(9, 10) and after[1] > Fraction(1, 10)),
        {"goal": goal, "high": Fraction(9, 10), "high_after": after[0], "low": Fraction(1, 10), "low_after": after[1]},
    )


def _averaged_again(_: Scenario) -> Judged:
    """A value loss averaged over all samples, added to each sample's policy term, and averaged once more."""
    count = len(PREDICTED)

    def value(vpreds: Sequence[Fraction]) -> Fraction:
        terms = losses.value_losses(vpreds, vpreds, GOALS, [1] * count, cliprange=None)
        return Fraction(formulas.mean(total(terms), count))

    def both(vpreds: Sequence[Fraction]) -> Fraction:
        return sum((term + value(vpreds) for term in POLICY_TERMS), Fraction(0)) / count

    def slope(loss: Callable[[Sequence[Fraction]], Fraction]) -> Fraction:
        return (loss(raised(PREDICTED, 0)) - loss(raised(PREDICTED, 0, -1))) / 2

    policy = sum(POLICY_TERMS, Fraction(0)) / count
    once, again = slope(value), slope(both)
    return Judged(
        holds(both(PREDICTED) - policy == value(PREDICTED) and once == again == (PREDICTED[0] - GOALS[0]) / count),
        {"count": count, "value": value(PREDICTED), "part": both(PREDICTED) - policy, "once": once, "again": again},
    )


LOSS: dict[str, Check] = {
    "averaging_a_mean_value_loss_again_changes_nothing": _averaged_again,
    "half_makes_the_gradient_the_distance": _half_gives_the_distance,
    "value_clip_bounds_the_prediction": _clip_bounds_the_move,
    "wide_value_range_is_half_mse": _wide_range,
    "value_clip_range_is_the_policy_clip_range": _shares_epsilon,
    "value_loss_reads_the_reference": _reads_the_reference,
    "critic_is_trained_on_prompt_tokens": _prompt_is_trained,
    "vpreds_equal_values": _predictions_are_values,
    "projects_halve_the_value_loss": _projects_halve,
    "doubled_scale_quadruples_the_loss": _scale_squared,
    "value_loss_can_be_negative": _can_be_negative,
    "clip_fraction_is_a_count_over_tokens": _fraction_counts_tokens,
    "max_keeps_the_loss_when_the_clip_is_left": _max_is_pessimistic,
    "too_high_a_value_is_pulled_down": _too_high_is_lowered,
}
