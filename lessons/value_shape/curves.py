"""What learners claim of a curve's slope, level and end, and what they read into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine import quantities, sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.one_token import OneToken, outlook
from engine.ops import log
from engine.readings.exact import rational
from engine.scenario import Scenario
from engine.world import World
from lessons._fact import Check, Judged, holds
from lessons.value_shape.shapes import DISCOUNT, FORK, KINDS, along

ENDS: Mapping[tuple[int, ...], float] = {
    (0, 0): 1.0,
    (0, 1): 1.0,
    (1, 0): 1.0,
    (1, 1): 0.0,
}  # a score for each response of two tokens


def _values(rewards: Sequence[float], gamma: float = 1.0) -> list[Any]:
    return list(sequences.mc_returns([rational(float(r)) for r in rewards], rational(gamma)))


def _outcome_world(chance: float = 0.5) -> World:
    """Scores at the end only; the chance is that of the first word of the vocabulary, at every token."""
    rewards: dict[tuple[int, ...], float] = {(0,): 0.0, (1,): 0.0, **ENDS}
    p = rational(chance)
    return World((p, 1 - p), {path: rational(r) for path, r in rewards.items()}, rational(1.0))


def _costs(beta: float) -> list[float]:
    return [-beta, -beta, -beta, 1.0]


def _larger_beta_is_steeper(_: Scenario) -> Judged:
    climbs = [v[-1] - v[0] for v in (_values(_costs(beta)) for beta in (0.05, 0.1, 0.2))]
    return Judged(holds(climbs == sorted(set(climbs))), {"betas": [0.05, 0.1, 0.2], "climbs": climbs})


def _equal_rewards_fall_in_equal_steps(_: Scenario) -> Judged:
    values = _values(KINDS["dense"])
    steps = {b - a for a, b in pairwise(values)}
    return Judged(holds(len(steps) == 1), {"rewards": KINDS["dense"], "values": values, "step": min(steps)})


def _gamma_zero_is_the_rewards(_: Scenario) -> Judged:
    rewards = (-0.3, 0.5, 0.2)
    values = _values(rewards, 0.0)
    return Judged(holds(values == [rational(r) for r in rewards]), {"rewards": rewards, "values": values})


def _score_lifts_all(_: Scenario) -> Judged:
    before, after = _values((-0.1, -0.1, 1)), _values((-0.1, -0.1, 2))
    lifts = [b - a for a, b in zip(before, after, strict=True)]
    return Judged(holds(lifts == [1] * len(lifts)), {"before": before, "after": after})


def _scales(_: Scenario) -> Judged:
    before, after = _values((0.2, -0.1, 1)), _values((0.4, -0.2, 2))
    return Judged(holds(after == [2 * v for v in before]), {"before": before, "after": after})


def _bad_end_falls(_: Scenario) -> Judged:
    values = _values((0, 0, -1), DISCOUNT)
    return Judged(holds(all(b < a for a, b in pairwise(values))), {"gamma": rational(DISCOUNT), "values": values})


def _is_the_total(_: Scenario) -> Judged:
    """V along a response with costs on the way, and along one without."""
    paid, unpaid = _values((-0.1, -0.1, 1)), _values((0, 0, 1))
    return Judged(holds(all(v == paid[0] for v in paid)), {"paid": paid, "total": paid[0], "unpaid": unpaid})


def _ends_at_nought(_: Scenario) -> Judged:
    last = _values(KINDS["outcome"])[-1]
    return Judged(holds(last == 0), {"last": last, "reward": KINDS["outcome"][-1]})


def _must_be_smooth(_: Scenario) -> Judged:
    fork = exact_facts(outlook(FORK), Scenario())
    jumps = [abs(after - fork["value"]) for after in fork["after"]]
    return Judged(holds(not any(jumps)), {"value": fork["value"], "after": fork["after"]})


def _better_policy_is_higher(_: Scenario) -> Judged:
    values = [_outcome_world(chance).value(()) for chance in (0.5, 0.9)]
    return Judged(holds(values[1] > values[0]), {"chances": [0.5, 0.9], "values": values})


def _slip_lowers_it(_: Scenario) -> Judged:
    world = _outcome_world()
    before, good, bad = world.value(()), world.value((0,)), world.value((1,))
    return Judged(holds(bad < before < good), {"before": before, "bad": bad, "good": good})


def _doubt_shrinks(_: Scenario) -> Judged:
    """Variance of the final score: from the prompt, and on average after the first token."""
    world = _outcome_world()

    def variance(given: tuple[int, ...]) -> Any:
        mean = world.value(given)
        return world.expected(lambda path: (world.rewards[path] - mean) ** 2, given)

    later = sum(p * variance((a,)) for a, p in enumerate(world.chances))
    return Judged(holds(later < variance(())), {"first": variance(()), "later": later})


def _inner_delta_is_the_change(_: Scenario) -> Judged:
    """Any critic, outcome only: δ before the last token beside the change of V."""
    own = RUNNING.merged({"beta": 0.0})
    found = exact_facts(quantities.gae, own)
    changes = [b - a for a, b in pairwise(found["values"])]
    return Judged(
        holds(found["deltas"][:-1] == changes),
        {"delta": found["deltas"][0], "before": found["values"][0], "after": found["values"][1]},
    )


def _long_ramp(_: Scenario) -> Judged:
    values = _values((*(0.0 for _ in range(499)), 1.0), 0.99)
    return Judged(
        holds(values[0] < rational(0.01)),
        {"gamma": 0.99, "tokens": len(values), "first": float(values[0]), "last": values[-1]},
    )


def _sign_of_what_remains(_: Scenario) -> Judged:
    gains, costs = (_values(r, g) for r, g in (((0.2, 0.1, 0.3), 0.9), ((-0.2, -0.1, -0.3), 0.9)))
    return Judged(holds(min(gains) > 0 > max(costs)), {"gains": gains, "costs": costs})


def _first_is_largest(_: Scenario) -> Judged:
    values = _values(KINDS["cost"])
    return Judged(holds(values[0] == max(values)), {"values": values, "first": values[0]})


def _last_is_largest(_: Scenario) -> Judged:
    values = _values(KINDS["dense"])
    return Judged(holds(values[-1] == max(values)), {"values": values, "last": values[-1]})


def _realised_is_level(_: Scenario) -> Judged:
    found = exact_facts(quantities.gae, RUNNING.merged({"beta": 0.0}))
    return Judged(
        holds(len(set(found["mc_returns"])) == 1 and len(set(found["values"])) > 1),
        {"returns": found["mc_returns"], "values": found["values"]},
    )


def _gain_raises_the_next(_: Scenario) -> Judged:
    """A certain positive reward: V before it and after it has been paid."""
    values = _values((0.5, 0.2, 0.2))
    return Judged(holds(values[1] > values[0]), {"reward": 0.5, "before": values[0], "after": values[1]})


def _drop_means_negative_reward(_: Scenario) -> Judged:
    world = _outcome_world()
    reward = world.rewards[(1,)]
    return Judged(holds(reward < 0), {"before": world.value(()), "after": world.value((1,)), "reward": reward})


def _drops_by_each_step(_: Scenario) -> Judged:
    rewards = (0, 0.3, 0, 0.7)
    values = _values(rewards)
    drops = [a - b for a, b in pairwise(values)]
    return Judged(holds(drops == [rational(float(r)) for r in rewards[:-1]]), {"rewards": rewards, "values": values})


def _kl_rise_on_average(_: Scenario) -> Judged:
    """The mean sampled KL of one token over its vocabulary of two, for a policy and its reference."""

    def program(x: Any) -> dict[str, Any]:
        p, q = (x.number("p", share) for share in (0.8, 0.5))
        samples = [log(p) - log(q), log(1 - p) - log(1 - q)]
        return {"samples": samples, "mean": p * samples[0] + (1 - p) * samples[1]}

    found = exact_facts(program, Scenario())
    return Judged(holds(found["mean"] > 0 > min(found["samples"])), found)


def _k3_rise_is_certain(_: Scenario) -> Judged:
    found = exact_facts(along, RUNNING.merged({"kl": "k3", "kl_values": None}))
    steps = [b - a for a, b in pairwise(found["mc_returns"])]
    plain = exact_facts(along, RUNNING)["mc_returns"]
    return Judged(
        holds(all(step > 0 for step in steps)),
        {"first": found["mc_returns"][0], "last": found["mc_returns"][-1], "before": plain[2], "after": plain[3]},
    )


def _kl_in_the_loss_is_level(_: Scenario) -> Judged:
    """Without the KL in the rewards."""
    level, sloped = (exact_facts(along, RUNNING.merged({"beta": beta}))["mc_returns"] for beta in (0.0, RUNNING.beta))
    return Judged(holds(len(set(level)) == 1 and len(set(sloped)) > 1), {"level": level, "sloped": sloped})


def _falling_means_negative_advantage(_: Scenario) -> Judged:
    rewards = [rational(r) for r in KINDS["dense"]]
    values = sequences.mc_returns(rewards, rational(1.0))
    deltas = sequences.deltas(rewards, values, rational(1.0))
    return Judged(holds(min(deltas) < 0), {"values": values, "deltas": deltas})


def _tells_difficulty(_: Scenario) -> Judged:
    found = [
        exact_facts(outlook(OneToken((p, 1 - p), (1.0, 0.0), (0.0, 0.0))), Scenario())["value"] for p in (0.875, 0.25)
    ]
    return Judged(holds(found[0] > found[1]), {"easy": found[0], "hard": found[1]})


def _jumps_only_at_the_end(_: Scenario) -> Judged:
    world = _outcome_world()
    before, after = world.value(()), [world.value((a,)) for a in range(2)]
    return Judged(holds(all(v == before for v in after)), {"before": before, "after": after})


def _between_worst_and_best(_: Scenario) -> Judged:
    world = _outcome_world(0.75)
    scores = [world.rewards[path] for path in world.responses]
    values = [world.value(path) for path in ((), (0,), (1,))]
    inside = all(min(scores) <= v <= max(scores) for v in values)
    return Judged(holds(inside), {"worst": min(scores), "best": max(scores), "values": values})


def _gamma_change_keeps_values(_: Scenario) -> Judged:
    one, less = _values(KINDS["outcome"])[0], _values(KINDS["outcome"], DISCOUNT)[0]
    return Judged(holds(one == less), {"one": one, "gamma": rational(DISCOUNT), "less": less})


def _certain_success_is_level_at_one(_: Scenario) -> Judged:
    """Every continuation scores the same: V, and what the policy's chances change about it."""
    rewards: dict[tuple[int, ...], float] = {(0,): 0.0, (1,): 0.0, (0, 0): 1.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.0}
    found = []
    for chance in (Fraction(1, 2), Fraction(9, 10)):
        world = World((chance, 1 - chance), {p: rational(r) for p, r in rewards.items()}, rational(1.0))
        found += [world.value(()), world.value((0,)), world.value((1,))]
    return Judged(holds(set(found) == {1}), {"values": found[:3], "others": found[3:]})


CURVES: dict[str, Check] = {
    "larger_beta_makes_the_rise_steeper": _larger_beta_is_steeper,
    "equal_rewards_make_equal_steps_down": _equal_rewards_fall_in_equal_steps,
    "at_gamma_zero_the_curve_is_the_rewards": _gamma_zero_is_the_rewards,
    "a_higher_final_score_lifts_all_values_alike": _score_lifts_all,
    "scaling_the_rewards_scales_the_curve": _scales,
    "a_bad_outcome_makes_a_discounted_curve_fall": _bad_end_falls,
    "every_value_is_the_expected_total": _is_the_total,
    "the_curve_ends_at_zero": _ends_at_nought,
    "values_must_change_smoothly": _must_be_smooth,
    "a_better_policy_has_higher_values": _better_policy_is_higher,
    "a_slip_lowers_the_value": _slip_lowers_it,
    "doubt_shrinks_towards_the_end": _doubt_shrinks,
    "outcome_only_inner_delta_is_the_change_of_value": _inner_delta_is_the_change,
    "a_small_discount_erases_the_start_of_long_answers": _long_ramp,
    "values_have_the_sign_of_what_remains": _sign_of_what_remains,
    "the_first_value_is_the_largest": _first_is_largest,
    "the_last_value_is_the_largest": _last_is_largest,
    "realised_returns_are_level_while_values_move": _realised_is_level,
    "a_positive_reward_raises_the_next_value": _gain_raises_the_next,
    "a_drop_means_a_negative_reward": _drop_means_negative_reward,
    "process_rewards_step_the_curve_down": _drops_by_each_step,
    "kl_rise_holds_on_average": _kl_rise_on_average,
    "k3_makes_the_rise_certain": _k3_rise_is_certain,
    "kl_in_the_loss_leaves_the_curve_level": _kl_in_the_loss_is_level,
    "falling_values_mean_negative_advantages": _falling_means_negative_advantage,
    "the_first_value_tells_how_hard_the_prompt_is": _tells_difficulty,
    "outcome_only_values_move_only_at_the_last_token": _jumps_only_at_the_end,
    "values_lie_between_worst_and_best_outcome": _between_worst_and_best,
    "gamma_leaves_the_values_alone": _gamma_change_keeps_values,
    "certain_success_keeps_values_level": _certain_success_is_level_at_one,
}
