"""What GAE's loop is taken for: an eligibility trace, a soft update with τ, a chain of turns."""

from __future__ import annotations

from typing import Any

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, judged, outcome, trial

ONE_RESPONSE = trial((0, 0, 1), ("1/2", "1/4", "3/4"), HALF)
TAUS = (NONE, HALF, ONE)
ENDS = (0, 2, 3)  # the last tokens of three turns: one token, two, one


def _by_traces(one: Trial) -> list[list[Any]]:
    """After each token, what the states have been given: its δ to each of them, by a trace that fades as it goes on."""
    traces: list[Any] = [NONE] * len(one.deltas)
    given: list[Any] = list(traces)
    found = []
    for t, delta in enumerate(one.deltas):
        traces = [formulas.gae_step(ONE if k == t else NONE, e, one.gamma, one.lam) for k, e in enumerate(traces)]
        given = [g + e * delta for g, e in zip(given, traces, strict=True)]
        found.append(given)
    return found


def _no_trace(_: Scenario) -> Judged:
    """The trace gives to all states bit by bit; the loop has the whole of one advantage at every step."""
    by_traces = _by_traces(ONE_RESPONSE)
    return judged(
        by_traces[-1] == ONE_RESPONSE.advantages and by_traces[0] != ONE_RESPONSE.advantages,
        first=by_traces[0], a=ONE_RESPONSE.advantages, total=by_traces[-1], last=ONE_RESPONSE.advantages[-1],
    )  # fmt: skip


def _tau(_: Scenario) -> Judged:
    """The loop with its factor called tau, against the λ-return; and a number moved softly by the same tau."""
    trials = [trial(ONE_RESPONSE.rewards, ONE_RESPONSE.values, tau) for tau in TAUS]
    as_lambda = [
        one.returns == sequences.lambda_returns(one.rewards, one.values, ONE, tau)
        for one, tau in zip(trials, TAUS, strict=True)
    ]
    target, online = ONE_RESPONSE.values[:2]
    soft = [target + tau * formulas.advantage(online, target) for tau in TAUS]
    returns = [one.returns[0] for one in trials]
    return judged(all(as_lambda) and returns != soft, taus=list(TAUS), returns=returns, soft=soft)


def _by_turns(_: Scenario) -> Judged:
    """A score at the end, V zero: GAE over turns, and over tokens at the λ that suits the last turn but one."""
    turns = trial(outcome(len(ENDS)), [NONE] * len(ENDS), HALF).advantages
    tokens = trial(outcome(ENDS[-1] + 1), [NONE] * (ENDS[-1] + 1), turns[-2]).advantages
    at_ends = [tokens[end] for end in ENDS]
    return judged(
        at_ends[1:] == turns[1:] and at_ends[0] != turns[0],
        lam=HALF, lengths=[1, 2, 1], turns=turns, tokens=at_ends,
    )  # fmt: skip


KIN: dict[str, Check] = {
    "backward_loop_is_no_eligibility_trace": _no_trace,
    "tau_in_older_code_is_lambda": _tau,
    "gae_by_turns_is_another_chain": _by_turns,
}
