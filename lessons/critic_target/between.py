"""What learners say of the critic's loss and its labels, and nobody had said yet."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas, quantities
from engine.chance import one_coin
from engine.example import BOTH, RUNNING
from engine.facts import exact_facts
from engine.fork import small_world
from engine.scenario import Scenario
from lessons._checks import alone, exact
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import moved, row
from lessons._trials import raised
from lessons._weighed import weighed
from lessons.critic_target.judged import ENDS
from lessons.critic_target.loss import _loss
from lessons.critic_target.ones import ONES
from lessons.critic_target.targets import HALF, REWARDS, VALUES
from lessons.critic_target.trained import TRAINED
from lessons.critic_target.turns_on import TURNS_ON


def _mean(xs: list[Fraction]) -> Fraction:
    return sum(xs, Fraction(0)) / len(xs)


def _padding_counts(_: Scenario) -> Judged:
    """One real token and one of padding, with a wild prediction there."""
    tame, wild = (
        _loss(vpreds=[0.5, x], old_values=[0.5, x], returns=[1.0, 0.0], mask=[1, 0])["vf_loss"] for x in (0.5, 9.0)
    )
    return Judged(holds(tame != wild), {"tame": tame, "wild": wild})


def _summed(_: Scenario) -> Judged:
    """The same error at one token and at four."""
    one, four = (_loss(vpreds=[0.5] * n, old_values=[0.5] * n, returns=[1.0] * n)["vf_loss"] for n in (1, 4))
    return Judged(holds(four == 4 * one), {"one": one, "four": four, "n": 4})


def _own_reward_is_in(_: Scenario) -> Judged:
    found = moved(row(raised(REWARDS, 1), VALUES, lam=HALF)["returns"], row(REWARDS, VALUES, lam=HALF)["returns"])
    return Judged(holds(found[1] == 1), {"moved": found[1]})


def _past_is_in(_: Scenario) -> Judged:
    found = moved(row(raised(REWARDS, 0), VALUES, lam=HALF)["returns"], row(REWARDS, VALUES, lam=HALF)["returns"])
    return Judged(holds(any(found[1:])), {"moved": found})


def _returns_are_whitened(_: Scenario) -> Judged:
    """What verl's procedure hands to the critic: its mean over both responses."""
    found = exact_facts(quantities.pipeline, BOTH)
    lists = ([float(x) for row in found[name] for x in row] for name in ("returns", "whitened"))
    mean, of_whitened = (sum(xs) / len(xs) for xs in lists)
    return Judged(holds(close(mean, 0.0)), {"mean": round(mean, 4), "whitened": abs(round(of_whitened, 4))})


def _residual(_: Scenario) -> Judged:
    """Target less prediction before the critic's first step and after it."""
    gae = exact("gae")
    first = [formulas.advantage(r, v) for r, v in zip(gae["returns"], gae["values"], strict=True)]
    later = formulas.advantage(gae["returns"][0], Fraction(str(RUNNING.rows("vpreds")[0][0])))
    a = gae["advantages"]
    return Judged(
        weighed(close(first, a), not close(later, a[0])),
        {"a": a[0], "first": first[0], "later": later},
    )


def _absolute(_: Scenario) -> Judged:
    """An error of two beside an error of one."""
    one, two = (_loss(vpreds=[v], old_values=[v], returns=[0.0])["vf_loss"] for v in (1.0, 2.0))
    return Judged(holds(two == 2 * one), {"one": one, "two": two})


def _zero_target(_: Scenario) -> Judged:
    found = row(("0", "0", "1"), VALUES, lam=HALF)
    return Judged(holds(not any(found["returns"][:-1])), {"r": found["rewards"], "target": found["returns"]})


def _half_the_variance(_: Scenario) -> Judged:
    """The exact V of a coin: the mean loss over its ends, and how the ends vary."""
    ends = [Fraction(r[0]) for r in one_coin(1, size=0.5).rewards]
    value = _mean(ends)
    squares = [Fraction(formulas.squared_error(value, r)) for r in ends]
    left = _mean([Fraction(formulas.value_loss_term(s)) for s in squares])
    return Judged(
        holds(left == _mean(squares) / 2), {"ends": ends, "v": value, "left": left, "variance": _mean(squares)}
    )


def _exact_fit(_: Scenario) -> Judged:
    """One target hit exactly: it was luck, or it is what the state is worth."""
    target, untouched = ENDS[1], _mean(list(ENDS))
    luck, worth = untouched, target
    far = [abs(target - luck), abs(untouched - luck)]
    near = [abs(target - worth), abs(untouched - worth)]
    return Judged(
        weighed(near[0] < near[1], far[0] > far[1]),
        {"target": target, "luck": luck, "off": far[0], "right": near[0]},
    )


def _warm_up(_: Scenario) -> Judged:
    """A wrong critic below λ one; and at λ one, where two ends are as far apart whatever the critic says."""
    world = small_world().exact
    apart = [
        row(("0", "1"), (v, v), lam="1")["advantages"][0] - row(("0", "0"), (v, v), lam="1")["advantages"][0]
        for v in ("0.5", "0.9")
    ]
    return Judged(
        weighed(world["mean_with_wrong_critic"] != world["q"], apart[0] == apart[1]),
        {"q": world["q"], "wrong": world["mean_with_wrong_critic"], "apart": apart},
    )


def _wants_more(_: Scenario) -> Judged:
    """A prediction on its target, and one above it."""
    at, above = (_loss(vpreds=[v], old_values=[v], returns=[0.5])["vf_loss"] for v in (0.5, 0.9))
    return Judged(holds(above < at), {"target": Fraction(1, 2), "at": at, "above": above})


def _one_step(_: Scenario) -> Judged:
    """A step down the slope, which is the distance."""
    goal, value, rate = Fraction(1), Fraction(1, 5), Fraction(1, 10)
    after = value - rate * (value - goal)
    return Judged(holds(after == goal), {"goal": goal, "before": value, "after": after})


def _later_count_more(_: Scenario) -> Judged:
    """The same error at the first token and at the last."""
    first, last = (
        _loss(vpreds=v, old_values=v, returns=[0.5, 0.5, 0.5])["vf_loss"] for v in ([1.0, 0.5, 0.5], [0.5, 0.5, 1.0])
    )
    return Judged(holds(last > first), {"first": first, "last": last})


def _beta_reaches(_: Scenario) -> Judged:
    one, other = (exact("gae", beta=beta)["returns"][0] for beta in (0.1, 0.5))
    return Judged(holds(one != other), {"one": one, "other": other})


def _policy_range_enters(_: Scenario) -> Judged:
    one, other = (exact("gae", eps=eps)["returns"][0] for eps in (0.2, 0.01))
    return Judged(holds(one != other), {"one": one, "other": other})


def _new_policy_enters(_: Scenario) -> Judged:
    one, other = (exact("gae", new_logp=[x] * RUNNING.length)["returns"][0] for x in (-0.3, -3.0))
    return Judged(holds(one != other), {"one": one, "other": other})


def _first_is_unclipped(_: Scenario) -> Judged:
    """Predictions that are still the old values, under a narrow range and a wide one."""
    v = [0.5, 0.25]
    narrow, wide = (
        _loss(vpreds=v, old_values=v, returns=[1.0, 0.0], cliprange_value=c)["vf_loss"] for c in (0.01, 100.0)
    )
    return Judged(holds(narrow == wide), {"narrow": narrow, "wide": wide})


def _too_high_costs_more(_: Scenario) -> Judged:
    high, low = (_loss(vpreds=[v], old_values=[v], returns=[0.5])["vf_loss"] for v in (0.75, 0.25))
    return Judged(holds(high > low), {"high": high, "low": low})


def _one_large_error(_: Scenario) -> Judged:
    """One token off by one, and all three off by half."""
    one, many = (
        _loss(vpreds=v, old_values=v, returns=[0.0, 0.0, 0.0])["vf_loss"] for v in ([1.0, 0.0, 0.0], [0.5, 0.5, 0.5])
    )
    return Judged(holds(one > many), {"one": one, "many": many})


def _coin(chance: Fraction) -> Fraction:
    """The least loss left where an answer is right with this chance: half of how the score varies."""
    return Fraction(formulas.value_loss_term(chance * (1 - chance)))


def _falling_is_good(_: Scenario) -> Judged:
    """A critic that learns a fixed policy, and a policy that gets better under an exact critic."""
    learning = [Fraction(formulas.value_loss_term(formulas.squared_error(v, ENDS[1]))) for v in ENDS]
    better = [_coin(Fraction(1, 10)), _coin(Fraction(1, 2))]
    return Judged(weighed(learning[1] < learning[0], better[1] > better[0]), {"learning": learning, "better": better})


def _wider_is_better(_: Scenario) -> Judged:
    """A prediction on its way to a target of one, held by a narrow range and by a wide one."""
    old, new = Fraction(1, 2), Fraction(9, 10)
    held = [formulas.clip_value(new, old, width) for width in (Fraction(1, 10), Fraction(1, 2))]
    luck, worth = _mean(list(ENDS)), ENDS[1]
    return Judged(
        weighed(abs(held[1] - worth) < abs(held[0] - worth), abs(held[1] - luck) > abs(held[0] - luck)),
        {"held": held, "luck": luck, "worth": worth},
    )


def _normalised_returns(_: Scenario) -> Judged:
    """Targets of tenfold size, and what becomes of the sum if the critic speaks in other units."""
    one, ten = (
        _loss(vpreds=[0.0], old_values=[0.0], returns=[r], cliprange_value=100.0)["vf_loss"] for r in (1.0, 10.0)
    )
    found = row(REWARDS, VALUES, lam=HALF)
    other = row(REWARDS, [v / 10 for v in found["values"]], lam=HALF)
    return Judged(
        weighed(ten > one, found["advantages"] != other["advantages"]),
        {"one": one, "ten": ten, "a": found["advantages"], "other": other["advantages"]},
    )


def _accuracy_is_needed(scenario: Scenario) -> Judged:
    return _warm_up(scenario)


def _as_pessimistic(_: Scenario) -> Judged:
    """The worse of two for whoever learns: the smaller objective, and the larger loss."""
    policy = alone("clip", ratio=[1.5], advantages=[1.0], eps=0.2)
    kept, free = policy["objective"], policy["unclipped"][0]
    value = _loss(vpreds=[1.0], old_values=[0.5], returns=[1.0])["max_sq_err"][0]
    plain = Fraction(formulas.squared_error(Fraction(1), Fraction(1)))
    return Judged(
        holds(kept < free and value > plain),
        {name: round(float(x), 4) for name, x in (("kept", kept), ("free", free), ("value", value), ("plain", plain))},
    )


def _fraction_is_bad(_: Scenario) -> Judged:
    """A clipped prediction on its way to a target of one: luck of this response, or what the state is worth."""
    old, new, width = Fraction(1, 2), Fraction(9, 10), Fraction(1, 10)
    held, luck, worth = formulas.clip_value(new, old, width), _mean(list(ENDS)), ENDS[1]
    return Judged(
        weighed(abs(held - worth) > abs(new - worth), abs(held - luck) < abs(new - luck)),
        {"held": held, "free": new, "luck": luck, "worth": worth},
    )


def _weight_changes(_: Scenario) -> Judged:
    """Where the loss over two targets is least, with a weight of one and of a tenth."""
    grid = [Fraction(i, 10) for i in range(11)]
    found = [
        min(grid, key=lambda v: weight * sum(formulas.squared_error(v, r) for r in ENDS))
        for weight in (Fraction(1), Fraction(1, 10))
    ]
    return Judged(holds(found[0] != found[1]), {"one": found[0], "tenth": found[1], "weight": Fraction(1, 10)})


BETWEEN: dict[str, Check] = {
    "padding_counts_in_the_value_loss": _padding_counts,
    "value_loss_is_a_sum_over_tokens": _summed,
    "target_includes_the_own_reward": _own_reward_is_in,
    "target_counts_past_rewards": _past_is_in,
    "returns_are_whitened_for_the_critic": _returns_are_whitened,
    "residual_is_the_advantage": _residual,
    "value_loss_is_an_absolute_error": _absolute,
    "zero_reward_means_zero_target": _zero_target,
    "loss_left_is_half_the_variance": _half_the_variance,
    "fitting_the_targets_exactly_is_better": _exact_fit,
    "warming_up_the_critic_is_better": _warm_up,
    "critic_wants_large_returns": _wants_more,
    "one_step_reaches_the_target": _one_step,
    "later_tokens_count_more_in_the_value_loss": _later_count_more,
    "beta_reaches_the_target_through_the_rewards": _beta_reaches,
    "policy_clip_range_enters_the_target": _policy_range_enters,
    "new_log_probs_enter_the_target": _new_policy_enters,
    "first_value_loss_is_the_same_without_clip": _first_is_unclipped,
    "too_high_costs_more_than_too_low": _too_high_costs_more,
    "one_large_error_outweighs_several_small_ones": _one_large_error,
    "falling_value_loss_is_a_good_sign": _falling_is_good,
    "a_wider_value_range_is_better": _wider_is_better,
    "normalising_returns_is_better": _normalised_returns,
    "an_accurate_critic_is_needed": _accuracy_is_needed,
    "value_clip_is_as_pessimistic_as_the_policy_clip": _as_pessimistic,
    "many_clipped_values_are_a_bad_sign": _fraction_is_bad,
    "weight_of_the_value_loss_changes_what_is_learned": _weight_changes,
    **ONES,
    **TURNS_ON,
    **TRAINED,
}
