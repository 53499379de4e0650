"""Right facts about returns with a wrong reason, and bounds that turn on the critic."""

from __future__ import annotations

from engine import sequences
from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._trials import HALF, judged, outcome, revalued, trial

WILD, HIGH, LOW = ("7", "-5", "9"), ("3", "3", "3"), ("0", "0", "0")
END = outcome(3)


def _by_exactness(_: Scenario) -> Judged:
    """A critic that is far off: whether the own V still drops out."""
    own = trial(END, WILD, HALF)
    before, after = own.returns[0], revalued(own, 0).returns[0]
    return judged(before != after, before=before, after=after, values=own.values)


def _by_definition_of_q(_: Scenario) -> Judged:
    """A + V beside the λ-returns' own recursion, for advantages that are no Q − V."""
    own = trial(END, WILD, HALF)
    alone = sequences.lambda_returns(own.rewards, own.values, own.gamma, own.lam)
    return judged(own.returns != alone, r=own.returns, alone=alone)


def _lambda_again(_: Scenario) -> Judged:
    own = trial(END, HIGH, HALF)
    again = [own.lam * r for r in own.returns]
    alone = sequences.lambda_returns(own.rewards, own.values, own.gamma, own.lam)
    return judged(alone == again, r=own.returns, alone=alone, again=again)


def _above_the_total(_: Scenario) -> Judged:
    """Critics that promise too much and nothing, at λ of one half."""
    high, low = (trial(END, values, HALF).returns[0] for values in (HIGH, LOW))
    return judged([r > sum(END) for r in (high, low)], lam=HALF, total=sum(END), high=high, low=low)


def _above_at_one(_: Scenario) -> Judged:
    found = trial(END, HIGH, 1).returns
    return judged(max(found) > sum(END), total=sum(END), found=found)


REASONS: dict[str, Check] = {
    "own_value_cancels_because_the_critic_is_exact": _by_exactness,
    "the_sum_holds_because_a_is_q_less_v": _by_definition_of_q,
    "lambda_returns_because_lambda_is_applied_again": _lambda_again,
    "returns_exceed_the_total_reward": _above_the_total,
    "at_lambda_one_returns_exceed_the_total_reward": _above_at_one,
}
