"""What learners ask to be told of the critic's target: which is better, what is needed, what is the wrong way round."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.chance import spread, walk
from engine.example import RUNNING
from engine.facts import compute
from engine.scenario import Scenario
from engine.world import Path, small
from lessons._checks import exact
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row
from lessons._weighed import weighed
from lessons.critic_target.targets import HALF, REWARDS, VALUES

ENDS = (Fraction(0), Fraction(1))  # returns of one state, equally likely
START: Path = ()  # the prompt, in the small world
LATER: Path = (0,)
OLD, RANGE, FAR = Fraction(1, 2), Fraction(1, 5), Fraction(9, 10)


def _clipping_is_better(_: Scenario) -> Judged:
    """A prediction on its way to a target of one: luck of this response, or what the state is worth."""
    held = formulas.clip_value(FAR, OLD, RANGE)
    luck, worth = sum(ENDS, Fraction(0)) / len(ENDS), ENDS[1]
    nearer, further = abs(held - luck) < abs(FAR - luck), abs(held - worth) > abs(FAR - worth)
    return Judged(
        "depends" if nearer and further else holds(nearer), {"held": held, "free": FAR, "luck": luck, "worth": worth}
    )


def _larger_lambda_is_better(_: Scenario) -> Judged:
    """A critic that is wrong, and the variance under one that is right."""
    last = [row(REWARDS, VALUES, lam=lam)["returns"][0] for lam in ("0", "1")]
    true = row(REWARDS, VALUES)["mc_returns"][0]
    found = compute(spread(walk(4, step=0.25, first=1), (0.0, 1.0)), Scenario()).exact["variance"]
    truer, noisier = abs(last[1] - true) < abs(last[0] - true), found[1] > found[0]
    return Judged(
        "depends" if truer and noisier else holds(truer), {"targets": last, "true": true, "variances": list(found)}
    )


def _critic_is_needed(_: Scenario) -> Judged:
    """The mean square of what the actor is given at two states: with nothing, a group's mean, V taken off."""
    prompt, later = ([_square(state, baseline) for baseline in ("nothing", "group", "v")] for state in (START, LATER))
    return Judged(
        weighed(later[2] < min(later[:2]), prompt[1] <= prompt[2] < prompt[0]), {"prompt": prompt, "later": later}
    )


def _square(state: Path, baseline: str) -> Fraction:
    """Over all responses through a state; a group compares whole responses, V what is still to come."""
    world = small(lambda _name, x: fraction(x))
    compared = {
        "nothing": (len(state), Fraction(0)),
        "group": (0, Fraction(world.value(START))),
        "v": (len(state), Fraction(world.value(state))),
    }
    start, taken_off = compared[baseline]

    def squared(path: Path) -> Fraction:
        return Fraction(formulas.squared_error(sum(world.rewards_along(path)[start:]), taken_off))

    return Fraction(world.expected(squared, state))


def _reward_plus_value(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    made = [r + v for r, v in zip(found["rewards"], found["values"], strict=True)]
    return Judged(holds(made == found["returns"]), {"targets": found["returns"], "made": made})


def _ends_are_swapped(_: Scenario) -> Judged:
    zero, one = (row(REWARDS, VALUES, lam=lam) for lam in ("0", "1"))
    next_values = [*zero["values"][1:], Fraction(0)]
    td = [formulas.mc_step(r, v, Fraction(1)) for r, v in zip(zero["rewards"], next_values, strict=True)]
    return Judged(
        holds(zero["returns"] == zero["mc_returns"] and one["returns"] == td),
        {"zero": zero["returns"], "td": td, "one": one["returns"], "mc": one["mc_returns"]},
    )


def _uses_new_predictions(_: Scenario) -> Judged:
    before, after = (exact("value_loss", vpreds=[v] * RUNNING.length)["returns"] for v in (0.1, 0.9))
    return Judged(holds(not close(before, after)), {"before": before[0], "after": after[0], "new": [0.1, 0.9]})


def _between_zero_and_one(_: Scenario) -> Judged:
    """A wrong answer that pays its KL; a right one with rewards on the way."""
    low, high = row(("-0.1", "-0.1", "0"), VALUES)["returns"], row(("0.5", "0.5", "1"), VALUES)["returns"]
    return Judged(holds(min(low) >= 0 and max(high) <= 1), {"low": low, "high": high})


def _moves_with_the_actor(_: Scenario) -> Judged:
    before, after = (exact("value_loss", new_logp=[x] * RUNNING.length)["vf_loss"] for x in (-0.3, -3.0))
    return Judged(holds(before != after), {"before": before, "after": after})


def _smaller_gamma_lowers(_: Scenario) -> Judged:
    plain, less = (row(("0", "0", "1"), VALUES, gamma=g)["returns"] for g in ("1", "0.5"))
    return Judged(holds(less[0] < plain[0]), {"plain": plain, "less": less, "gamma": fraction("0.5")})


def _value_less_target(_: Scenario) -> Judged:
    found = row(REWARDS, VALUES, lam=HALF)
    turned = [formulas.advantage(v, r) for r, v in zip(found["returns"], found["values"], strict=True)]
    return Judged(holds(turned == found["advantages"]), {"a": found["advantages"], "turned": turned})


JUDGED: dict[str, Check] = {
    "value_clipping_is_better": _clipping_is_better,
    "larger_lambda_makes_better_targets": _larger_lambda_is_better,
    "critic_is_needed": _critic_is_needed,
    "target_is_reward_plus_own_value": _reward_plus_value,
    "lambda_zero_targets_are_monte_carlo_and_lambda_one_td": _ends_are_swapped,
    "targets_are_made_with_the_new_predictions": _uses_new_predictions,
    "targets_lie_between_zero_and_one": _between_zero_and_one,
    "value_loss_moves_with_the_actors_update": _moves_with_the_actor,
    "smaller_gamma_lowers_the_early_targets": _smaller_gamma_lowers,
    "advantage_is_value_less_target": _value_less_target,
}
