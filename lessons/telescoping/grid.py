"""What is left in the sum of the deltas and what it can tell, quantity by quantity: between the other claims."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.chance import World, walk
from engine.proofs import theorem
from engine.proofs.proof import Induction
from engine.scenario import Scenario
from lessons._errors import STEP, moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, "1/8", 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES)
DISCOUNTED = trial(REWARDS, VALUES, gamma=HALF)
MIXED_UP = trial(REWARDS, ("1/4", "3/8", "1/2", "3/4"))
LATE = trial(REWARDS, ("1/2", "3/8", "3/4", 0))


def _sum(one: Trial) -> Any:
    return sequences.discounted_sum(one.deltas, one.gamma)


def _whitened(_: Scenario) -> Judged:
    """Less their mean, as whitening starts: whatever the scale, they add up to nothing."""
    mean = formulas.mean(sum(OWN.deltas), len(OWN.deltas))
    centred = [d - mean for d in OWN.deltas]
    return judged(sum(centred) == OWN.excess, sum=sum(centred), excess=OWN.excess)


def _approximately(_: Scenario) -> Judged:
    odd = trial(("0.1", "-0.37", "2.5"), ("0.7", "-1.3", "0.11"), gamma="0.9")
    error = _sum(odd) - odd.excess
    return judged(error != 0, sum=_sum(odd), excess=odd.excess, error=error)


def _short_only(_: Scenario) -> Judged:
    lengths = (1, 2, 10, 200)
    errors = []
    for n in lengths:
        one = trial(outcome(n), [Fraction(t % 7, 8) for t in range(n)], gamma=HALF)
        errors.append(_sum(one) - one.excess)
    return judged(any(errors), tokens=list(lengths), errors=errors)


def _which_value(_: Scenario) -> Judged:
    moved = [sum(revalued(OWN, k).deltas) - sum(OWN.deltas) for k in range(4)]
    return judged(moved == [-1, 0, 0, 0], moved=moved)


def _last_delta(_: Scenario) -> Judged:
    return judged(OWN.deltas[-1] == OWN.excess, last=OWN.deltas[-1], deltas=OWN.deltas, excess=OWN.excess)


def _double_values(_: Scenario) -> Judged:
    doubled = trial(REWARDS, [2 * v for v in OWN.values])
    return judged(sum(doubled.deltas) == 2 * sum(OWN.deltas), plain=sum(OWN.deltas), doubled=sum(doubled.deltas))


def _double_both(_: Scenario) -> Judged:
    doubled = trial([2 * r for r in OWN.rewards], [2 * v for v in OWN.values])
    return judged(sum(doubled.deltas) == 2 * sum(OWN.deltas), plain=sum(OWN.deltas), doubled=sum(doubled.deltas))


def _smaller_gamma(_: Scenario) -> Judged:
    """With a gain to come, and with a loss to come."""
    rows = [[_sum(trial(outcome(3, score), VALUES[:3], gamma=g)) for g in (ONE, HALF)] for score in (1, -1)]
    return judged([half < one for one, half in rows], good=rows[0], bad=rows[1])


def _later_counts_less(_: Scenario) -> Judged:
    rows = [[_sum(rewarded(one, k)) - _sum(one) for k in range(4)] for one in (DISCOUNTED, OWN)]
    return judged([row[-1] < row[0] for row in rows], half=rows[0], one=rows[1])


def _which_token(_: Scenario) -> Judged:
    """Two responses of one total, each with its best surprise at another place."""
    other = trial(REWARDS, ("1/4", 1, "3/8", "3/4"))
    same_sum = sum(other.deltas) == sum(OWN.deltas)
    same_best = other.deltas.index(max(other.deltas)) == OWN.deltas.index(max(OWN.deltas))
    return judged(not same_sum or same_best, sum=sum(OWN.deltas), one=OWN.deltas, other=other.deltas)


def _without_remainder(_: Scenario) -> Judged:
    rest = OWN.excess
    for delta in OWN.deltas:
        rest = rest - delta
    return judged(rest == NONE, excess=OWN.excess, deltas=OWN.deltas, rest=rest)


def _all_values_needed(_: Scenario) -> Judged:
    """From the return and the first value alone, under three critics that agree there."""
    critics = [trial(REWARDS, ("1/4", *later)) for later in (VALUES[1:], (9, -7, 5), (0, 0, 0))]
    sums = [sum(one.deltas) for one in critics]
    return judged(len(set(sums)) > 1, sums=sums, g=OWN.mc_returns[0], v=OWN.values[0])


def _before_the_end(_: Scenario) -> Judged:
    ends = [sum(trial((*REWARDS[:-1], score), VALUES).deltas) for score in (0, 1)]
    return judged(ends[0] == ends[1], good=ends[1], bad=ends[0])


def _more_tokens(_: Scenario) -> Judged:
    longer = trial((*REWARDS, 0, 0), (*VALUES, "1/8", "7/8"))
    return judged(sum(longer.deltas) == sum(OWN.deltas), before=sum(OWN.deltas), after=sum(longer.deltas))


def _finds_mistakes(_: Scenario) -> Judged:
    """Values read one place late, and two values in the middle exchanged."""
    sums = [sum(one.deltas) for one in (LATE, MIXED_UP)]
    return judged([x != OWN.excess for x in sums], excess=OWN.excess, late=sums[0], mixed=sums[1])


def _mean_sum(world: World, lower: float) -> Any:
    """Over all courses, which are equally likely, before a critic that is lower by so much."""
    sums = []
    for rewards, values in zip(world.rewards, world.values, strict=True):
        own = trial(map(Fraction, rewards), [Fraction(v - lower) for v in values])
        sums.append(sum(own.deltas))
    return formulas.mean(sum(sums), len(sums))


def _mean_zero(_: Scenario) -> Judged:
    world = walk(3, step=0.25)
    exact, low = _mean_sum(world, 0.0), _mean_sum(world, 0.25)
    return judged([exact == 0, low == 0], exact=exact, low=low)


def _pairs(_: Scenario) -> Judged:
    """What a later V does to the delta before its own and to its own, each with its power of γ: nothing in all."""
    raised = revalued(DISCOUNTED, 2)
    moved = [
        formulas.discounted(after - before, HALF, k)
        for k, (after, before) in enumerate(zip(raised.deltas, DISCOUNTED.deltas, strict=True))
    ]
    return judged(moved[1] == -moved[2] != 0 and moved[0] == moved[3] == 0, gamma=HALF, moved=moved)


def _by_induction(_: Scenario) -> Judged:
    proof = theorem("telescoping").proof
    if not isinstance(proof, Induction):
        return judged(False, sum=_sum(DISCOUNTED), excess=DISCOUNTED.excess, steps=0)
    return judged(
        _sum(DISCOUNTED) == DISCOUNTED.excess,
        sum=_sum(DISCOUNTED),
        excess=DISCOUNTED.excess,
        steps=len(proof.step_chain.steps),
    )


def _unbiased(_: Scenario) -> Judged:
    """Given the first token, before a critic that is off about what comes after it."""
    off = moments(0.5)["mean"]
    return judged(off[1] == Fraction(STEP), truth=Fraction(STEP), sum=off[1], delta=off[0])


def _middle_errors(_: Scenario) -> Judged:
    wrong = trial(REWARDS, ("1/4", 2, -1, "3/4"))
    same, other = sum(wrong.deltas) == sum(OWN.deltas), wrong.deltas != OWN.deltas
    return judged(same and other, right=OWN.deltas, wrong=wrong.deltas, sum=sum(wrong.deltas))


def _nought(_: Scenario) -> Judged:
    even = trial(REWARDS, (OWN.mc_returns[0], *VALUES[1:]))
    return judged(sum(even.deltas) == NONE, g=even.mc_returns[0], v=even.values[0], deltas=even.deltas)


def _row_by_row(_: Scenario) -> Judged:
    """Two responses of one batch, each for itself."""
    other = trial((1, 0, -1), ("1/2", 0, "3/4"))
    rows = (OWN, other)
    sums, excess = [sum(one.deltas) for one in rows], [one.excess for one in rows]
    return judged(sums == excess, sums=sums, excess=excess)


def _bootstraps(_: Scenario) -> Judged:
    """Of the full sum, and of the sum that stops after two deltas."""
    raised = revalued(OWN, 2)
    full, part = (sum(raised.deltas[:n]) - sum(OWN.deltas[:n]) for n in (4, 2))
    return judged(full != 0, full=full, part=part)


def _optimal(_: Scenario) -> Judged:
    """A response that earns what was expected, and another from the same start that earns more."""
    poor, better = trial(outcome(3, 0), (0, HALF, "1/4")), trial(outcome(3, 1), (0, HALF, "1/4"))
    return judged(
        sum(poor.deltas) != NONE or better.mc_returns[0] <= poor.mc_returns[0],
        sum=sum(poor.deltas), g=poor.mc_returns[0], better=better.mc_returns[0],
    )  # fmt: skip


GRID: dict[str, Check] = {
    "whitened_deltas_telescope": _whitened,
    "identity_holds_only_approximately": _approximately,
    "identity_fails_for_long_responses": _short_only,
    "the_value_left_is_the_first": _which_value,
    "last_delta_is_the_whole_excess": _last_delta,
    "doubling_values_doubles_the_sum": _double_values,
    "doubling_rewards_and_values_doubles_the_sum": _double_both,
    "a_smaller_gamma_makes_the_sum_smaller": _smaller_gamma,
    "later_rewards_count_less_in_the_sum": _later_counts_less,
    "the_sum_shows_which_token_was_good": _which_token,
    "deltas_split_the_excess_without_remainder": _without_remainder,
    "all_values_are_needed_for_the_sum": _all_values_needed,
    "the_sum_is_known_before_the_end": _before_the_end,
    "tokens_without_reward_leave_the_sum": _more_tokens,
    "checking_the_sum_finds_indexing_mistakes": _finds_mistakes,
    "sums_average_to_zero_over_responses": _mean_zero,
    "each_next_value_cancels_with_the_own_value_of_the_next": _pairs,
    "the_identity_is_proved_by_induction": _by_induction,
    "the_sum_is_unbiased_whatever_the_critic": _unbiased,
    "middle_errors_spoil_deltas_but_not_the_sum": _middle_errors,
    "the_sum_is_zero_when_return_equals_first_value": _nought,
    "the_identity_holds_for_each_response_of_a_batch": _row_by_row,
    "the_full_sum_bootstraps": _bootstraps,
    "a_zero_sum_means_the_response_is_best": _optimal,
}
