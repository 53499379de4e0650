"""What is said of values without the condition it turns on: the rewards, the discount, chance, training."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine import sequences
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.one_token import outlook
from engine.proofs import theorem
from engine.scenario import Scenario
from engine.world import World
from lessons._checks import alone, exact
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Plain, apart, judged, outcome, raised, rational
from lessons._turns import always, either_way
from lessons.value_shape.judged import JUDGED
from lessons.value_shape.shapes import FORK
from lessons.value_shape.stated import pass_or_fail

GAINS, COSTS, END, FINE = rational([1, 1, 1]), rational([-1, -1, -1]), outcome(3), outcome(3, -1)


def _values(rewards: list[Any], gamma: Plain = 1) -> list[Any]:
    """V where nothing is left to chance."""
    return list(sequences.mc_returns(rewards, rational([gamma])[0]))


def _rises(values: list[Any]) -> bool:
    return all(b > a for a, b in pairwise(values))


def _level(_: Scenario) -> Judged:
    still, gains = _values(END), _values(GAINS)
    return judged([len(set(v)) == 1 for v in (still, gains)], still=still, gains=gains)


def _never_level(_: Scenario) -> Judged:
    found = [_values(r) for r in (GAINS, COSTS)]
    return judged(all(len(set(v)) == 1 for v in found), gains=found[0], costs=found[1])


def _first_is_highest(_: Scenario) -> Judged:
    theorem("value_falls_under_positive_reward"), theorem("value_rises_under_negative_reward")
    gains, costs = _values(GAINS), _values(COSTS)
    return judged([max(v) == v[0] for v in (gains, costs)], gains=gains, costs=costs)


def _are_probabilities(_: Scenario) -> Judged:
    """A score of one or none at the end; the same with a cost on the way."""
    world = pass_or_fail()
    plain = world.value(())
    costly = _values(raised(END, 0, -2))
    within = [all(0 <= v <= 1 for v in (plain, *costs)) for costs in ([], costly)]
    return judged(within, plain=plain, costly=costly)


def _are_positive(_: Scenario) -> Judged:
    gains, costs = _values(GAINS), _values(COSTS)
    return judged([min(v) > 0 for v in (gains, costs)], gains=gains, costs=costs)


def _gamma_lowers(_: Scenario) -> Judged:
    found = {name: (_values(r)[0], _values(r, HALF)[0]) for name, r in (("prize", END), ("fine", FINE))}
    return judged([less < plain for plain, less in found.values()], gamma=HALF, **found)


def _more_left(_: Scenario) -> Judged:
    """V with three tokens ahead and with one."""
    found = {name: (_values(r)[0], _values(r)[-1]) for name, r in (("gains", GAINS), ("costs", COSTS))}
    return judged([many > few for many, few in found.values()], **found)


def _lifts_alike(_: Scenario) -> Judged:
    found = {}
    for name, gamma in (("one", ONE), ("less", HALF)):
        found[name] = apart(_values(raised(END, -1), gamma), _values(END, gamma))
    return judged([len(set(lifts)) == 1 for lifts in found.values()], gamma=HALF, **found)


def _grow_in_training(_: Scenario) -> Judged:
    """A policy that passes more often; and one that has only moved away from the reference and pays for it."""
    weak, strong = (pass_or_fail(chance).value(()) for chance in (HALF, ONE))
    near, far = (_values(raised(END, 0, -cost))[0] for cost in (NONE, HALF))
    return judged([strong > weak, far > near], weak=weak, strong=strong, near=near, far=far)


def _discount_slopes(_: Scenario) -> Judged:
    theorem("outcome_reward_reaches_back_discounted")
    prize, fine = _values(END, HALF), _values(FINE, HALF)
    return judged([_rises(prize), _rises(fine)], gamma=HALF, prize=prize, fine=fine)


def _gamma_flattens(_: Scenario) -> Judged:
    """How far V moves from the first to the last token, with a discount and without."""
    found = {}
    for name, rewards in (("end", END), ("gains", GAINS)):
        found[name] = [abs(v[-1] - v[0]) for v in (_values(rewards, HALF), _values(rewards))]
    return judged([full < less for less, full in found.values()], gamma=HALF, **found)


def _always_longer_lower(_: Scenario) -> Judged:
    short, long = (_values(outcome(n))[0] for n in (2, 8))
    gain, more = (_values([ONE] * n)[0] for n in (2, 8))
    return judged(long < short and more < gain, short=short, long=long, gain=gain, more=more)


def _zero_without_reward(_: Scenario) -> Judged:
    values = _values(END)
    return judged(not any(values[:-1]), rewards=END, values=values)


def _kl_enters(_: Scenario) -> Judged:
    """The first return with the KL taken off the rewards, and with it kept out of them."""
    charged, loss = (exact("reward_to_go", beta=beta)["mc_returns"][0] for beta in (RUNNING.beta, 0.0))
    free = alone("mc", rewards=list(RUNNING.rows("scores")[0]), values=list(RUNNING.rows("values")[0]), gamma=1.0)
    plain = free["mc_returns"][0]
    return judged([charged != plain, loss != plain], charged=charged, loss=loss, free=plain)


def _steps(values: list[Any]) -> list[Any]:
    return [a - b for a, b in pairwise(values)]


def _step_is_the_reward(_: Scenario) -> Judged:
    rewards = rational([1, 2, 1])
    one, less = (_steps(_values(rewards, gamma)) for gamma in (ONE, HALF))
    return judged([steps == rewards[:-1] for steps in (one, less)], rewards=rewards, one=one, less=less, gamma=HALF)


def _straight(_: Scenario) -> Judged:
    straight, bent = _values(GAINS), _values(GAINS, HALF)
    return judged([len(set(_steps(v))) == 1 for v in (straight, bent)], straight=straight, bent=bent)


def _right_choice(_: Scenario) -> Judged:
    """V before and after the better first token: with an outcome alone; and with that token paid at once."""
    chances = (HALF, HALF)
    ends = World(chances, {(0,): NONE, (1,): NONE, (0, 0): ONE, (0, 1): ONE, (1, 0): NONE, (1, 1): NONE}, ONE)
    paid = World(chances, {(0,): ONE, (1,): NONE, (0, 0): NONE, (0, 1): NONE, (1, 0): NONE, (1, 1): NONE}, ONE)
    before, after, paid_before, paid_after = (w.value(s) for w in (ends, paid) for s in ((), (0,)))
    return judged(
        [after > before, paid_after > paid_before],
        before=before, after=after, paid_before=paid_before, paid_after=paid_after,
    )  # fmt: skip


def _right_answer_rises(_: Scenario) -> Judged:
    """Two responses that pass, one of them after a doubtful first token."""
    one, other = (pass_or_fail().values_along(response) for response in ((0, 0), (1, 0)))
    return judged([_rises(v) for v in (one, other)], one=one, other=other)


def _outcome_is_constant(_: Scenario) -> Judged:
    """V where the outcome is settled; and where the first token decides."""
    certain, fork = _values(END), exact_facts(outlook(FORK), Scenario())
    still = [len(set(certain)) == 1, all(after == fork["value"] for after in fork["after"])]
    return judged(still, certain=certain, value=fork["value"], after=fork["after"])


TURNS_ON: dict[str, Check] = {
    "values_stay_level": _level,
    "values_never_move": _never_level,
    "the_first_value_is_the_highest_one": _first_is_highest,
    "values_are_probabilities": _are_probabilities,
    "values_are_above_zero": _are_positive,
    "a_smaller_gamma_lowers_the_values": _gamma_lowers,
    "more_left_means_more_value": _more_left,
    "one_point_more_lifts_every_value_alike": _lifts_alike,
    "values_grow_during_training": _grow_in_training,
    "discounting_tilts_the_curve_upwards": _discount_slopes,
    "a_larger_gamma_makes_the_curve_flatter": _gamma_flattens,
    "longer_responses_always_start_lower": _always_longer_lower,
    "a_kl_penalty_changes_the_values": _kl_enters,
    "neighbouring_values_differ_by_the_reward": _step_is_the_reward,
    "the_value_curve_is_a_straight_line": _straight,
    "a_right_choice_is_followed_by_a_higher_value": _right_choice,
    "a_right_answers_values_rise": _right_answer_rises,
    "a_smaller_gamma_always_lowers_the_values": always(_gamma_lowers),
    "more_left_always_means_more_value": always(_more_left),
    "values_always_grow_during_training": always(_grow_in_training),
    "one_point_more_always_lifts_all_alike": always(_lifts_alike),
    "discounting_always_tilts_upwards": always(_discount_slopes),
    "whether_values_rise_turns_on_the_rewards": either_way(_first_is_highest),
    "whether_values_are_probabilities_turns_on_the_rewards": either_way(_are_probabilities),
    "rising_values_are_always_a_good_sign": always(JUDGED["rising_values_are_a_good_sign"]),
    "outcome_only_is_always_constant": always(_outcome_is_constant),
    "values_are_zero_until_the_reward": _zero_without_reward,
}
