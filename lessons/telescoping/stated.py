"""What people still say of the telescoping sum: what cancels and what does not, and what the sum is good for."""

from __future__ import annotations

from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._errors import squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, judged, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES)


def _last_value(_: Scenario) -> Judged:
    before, after = sum(OWN.deltas), sum(revalued(OWN, -1).deltas)
    return judged(before == after, before=before, after=after)


def _rewards(_: Scenario) -> Judged:
    before = sum(OWN.deltas)
    after = [sum(rewarded(OWN, k).deltas) for k in range(4)]
    return judged(all(x == before for x in after), before=before, after=after)


def _first_advantage(_: Scenario) -> Judged:
    total, half = sum(OWN.deltas), trial(REWARDS, VALUES, HALF).advantages[0]
    return judged([a == total for a in (OWN.advantages[0], half)], sum=total, one=OWN.advantages[0], half=half)


def _proves_the_code(_: Scenario) -> Judged:
    """The two values in the middle in each other's place: every delta around them is wrong, the sum is not."""
    mixed = trial(REWARDS, ("1/4", "3/8", "1/2", "3/4"))
    same = sum(mixed.deltas) == sum(OWN.deltas)
    return judged(
        not (same and mixed.deltas != OWN.deltas), sum=sum(mixed.deltas), right=OWN.deltas, wrong=mixed.deltas
    )


def _one_fewer(_: Scenario) -> Judged:
    return judged(len(OWN.deltas) == len(OWN.values) - 1, tokens=len(OWN.values), deltas=len(OWN.deltas))


def _better_advantage(_: Scenario) -> Judged:
    """The sum is the advantage at λ = 1; beside it δ alone."""
    good, bad = squared_errors(0.0), squared_errors(2.0)
    found = {"good_delta": good[0], "good_sum": good[1], "bad_delta": bad[0], "bad_sum": bad[1]}
    return judged([total < delta for delta, total in (good, bad)], **found)


def _middle_is_irrelevant(_: Scenario) -> Judged:
    half = trial(REWARDS, VALUES, HALF)
    before, after = half.advantages[0], revalued(half, 1).advantages[0]
    return judged(before == after, sum=sum(OWN.deltas), raised=sum(revalued(OWN, 1).deltas), before=before, after=after)


def _no_bias_at_one(_: Scenario) -> Judged:
    theorem("gae_lambda_one_is_monte_carlo")
    wild = trial(REWARDS, ("1/4", 9, -7, 5))
    return judged(
        wild.advantages[0] == OWN.advantages[0], right=OWN.advantages[0], v=wild.values, wild=wild.advantages[0]
    )


def _score_shift(_: Scenario) -> Judged:
    moved = [sum(rewarded(OWN, -1).deltas) - sum(OWN.deltas)]
    moved.append(sum(rewarded(OWN, 0).deltas) - sum(OWN.deltas))
    return judged(moved == [ONE, ONE], last=moved[0], first=moved[1])


STATED: dict[str, Check] = {
    "the_last_tokens_value_cancels_too": _last_value,
    "rewards_cancel_too": _rewards,
    "the_sum_is_the_first_advantage": _first_advantage,
    "a_sum_that_agrees_proves_the_code_right": _proves_the_code,
    "there_is_one_delta_fewer_than_tokens": _one_fewer,
    "the_sum_is_a_better_advantage_than_delta": _better_advantage,
    "cancelling_makes_middle_values_irrelevant_to_gae": _middle_is_irrelevant,
    "cancelling_is_why_lambda_one_ignores_later_errors": _no_bias_at_one,
    "a_reward_moves_the_sum_one_to_one_wherever_it_stands": _score_shift,
}
