"""What of the rewards turns on conditions: KL in them or not, text or tools, the discount, λ, which token is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.example import RUNNING
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import apart, judged, trial
from lessons.reward_owner.shares import CALL, NONE, ONE, example
from lessons.reward_owner.users import BETA

HALF = Fraction(1, 2)
VALUES = (HALF, HALF, HALF)
SCORED = RUNNING.rows("scores")[0][-1]


def _rewards(*, kl: bool, score: float = SCORED) -> list[Any]:
    """The example's rewards, with its KL in them or without, for one score at the end."""
    scores = [0.0] * (RUNNING.length - 1) + [score]
    return list(example(scores=scores, beta=float(BETA) if kl else 0.0)["rewards"])


def _middle_are_nought(_: Scenario) -> Judged:
    without, within = (_rewards(kl=kl)[:-1] for kl in (False, True))
    return judged([not any(without), not any(within)], without=without[0], within=within[0])


def _middle_are_nought_despite(_: Scenario) -> Judged:
    found = _rewards(kl=True)[:-1]
    return judged(not any(found), rewards=found)


def _last_is_the_score(_: Scenario) -> Judged:
    without, within = (_rewards(kl=kl)[-1] for kl in (False, True))
    return judged([r == SCORED for r in (without, within)], score=SCORED, without=without, within=within)


def _middle_are_costs(_: Scenario) -> Judged:
    """The sampled KL of one token above nought, of another below."""
    found = _rewards(kl=True)[:-1]
    least, most = min(found), max(found)
    return judged([least < 0, most < 0], least=least, most=most)


def _last_is_the_largest(_: Scenario) -> Judged:
    right, wrong = (_rewards(kl=True, score=score) for score in (SCORED, 0.0))
    return judged(
        [row[-1] == max(row) for row in (right, wrong)], right=right[-1], wrong=wrong[-1], most=max(wrong[:-1])
    )


def _one_number(_: Scenario) -> Judged:
    """r(s, a) as the mean over what may follow, beside what does: one continuation, or several."""
    text = expected((ONE,), lambda _o: ONE)
    tool = expected(CALL["chances"], lambda o: CALL["rewards"][o])
    return judged([text == ONE, all(r == tool for r in CALL["rewards"])], drawn=list(CALL["rewards"]), mean=tool)


def _when_it_is_paid(_: Scenario) -> Judged:
    """The first return with one reward early and late, at two discounts."""
    found = [
        [sequences.mc_returns(row, gamma)[0] for row in ([ONE, NONE, NONE], [NONE, NONE, ONE])] for gamma in (HALF, ONE)
    ]
    return judged([early != late for early, late in found], gamma=HALF, below=found[0], one=found[1])


def _adds_up(_: Scenario) -> Judged:
    rewards = [HALF, HALF, ONE]
    total = sum(rewards, NONE)
    found = [sequences.mc_returns(rewards, gamma)[0] for gamma in (ONE, HALF)]
    return judged([g == total for g in found], total=total, one=found[0], gamma=HALF, below=found[1])


def _paid_is_reinforced(_: Scenario) -> Judged:
    """The same reward beside a V that expected less, and beside one that expected more."""
    values = [Fraction(1, 5), Fraction(4, 5)]
    found = [trial([HALF], [v]).advantages[0] for v in values]
    return judged([a > 0 for a in found], reward=HALF, values=values, found=found)


def _score_changes_it(_: Scenario) -> Judged:
    right, wrong = (_rewards(kl=True, score=score) for score in (SCORED, 0.0))
    found = apart(right, wrong)
    return judged([x != 0 for x in found], first=found[0], last=found[-1])


TURNS_ON: dict[str, Check] = {
    "middle_rewards_are_zero": _middle_are_nought,
    "middle_rewards_are_zero_despite_kl": _middle_are_nought_despite,
    "last_reward_is_the_score": _last_is_the_score,
    "middle_rewards_are_negative": _middle_are_costs,
    "last_reward_is_the_largest": _last_is_the_largest,
    "both_readings_are_one_number": _one_number,
    "first_return_feels_when_a_reward_is_paid": _when_it_is_paid,
    "first_return_is_the_sum_of_rewards": _adds_up,
    "a_paid_token_is_reinforced": _paid_is_reinforced,
    "another_score_changes_a_tokens_reward": _score_changes_it,
}
