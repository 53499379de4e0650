"""What is said of sums first: which δ an advantage holds, what the excess tells, what hangs on λ and on the values."""

from __future__ import annotations

from fractions import Fraction

from engine.chance import walk
from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import alone, gae
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, revalued, rewarded, trial

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
OWN = trial(REWARDS, VALUES, HALF)
LAST = len(REWARDS) - 1


def _last(_: Scenario) -> Judged:
    found = gae()
    advantage, delta = found["advantages"][-1], found["deltas"][-1]
    return judged(close(advantage, delta), advantage=advantage, delta=delta)


def _by_delta(place: int) -> list[Fraction]:
    """How far each advantage moves with one delta."""
    return apart(rewarded(OWN, place).advantages, OWN.advantages)


def _own(_: Scenario) -> Judged:
    moved = [_by_delta(k)[k] for k in range(LAST + 1)]
    return judged(set(moved) == {ONE}, moved=moved)


def _earlier(_: Scenario) -> Judged:
    """The first delta, and the last advantage."""
    moved = _by_delta(0)
    return judged(any(moved[1:]), moved=moved)


def _first_holds_all(_: Scenario) -> Judged:
    moved = [_by_delta(k)[0] for k in range(LAST + 1)]
    return judged(all(moved), moved=moved)


def _by_lambda(_: Scenario) -> Judged:
    none, half, one = (sum(trial(REWARDS, VALUES, lam).advantages) for lam in (NONE, HALF, ONE))
    return judged(len({none, half, one}) > 1, none=none, half=half, one=one)


def _no_surprises(_: Scenario) -> Judged:
    """A return that meets the first value exactly."""
    own = trial(outcome(3, HALF), (HALF, ONE, "1/4"))
    return judged(own.excess == 0 and not any(own.deltas), excess=own.excess, deltas=own.deltas)


def _high_score(_: Scenario) -> Judged:
    """A poor response to a prompt of which even less was expected, and a good one of which more was."""
    poor, good = trial(outcome(3, "1/4"), ("1/8", "1/8", "1/8")), trial(outcome(3, "3/4"), (ONE, ONE, ONE))
    scores = [sum(one.rewards) for one in (poor, good)]
    return judged(
        not (poor.excess > 0 > good.excess),
        poor=scores[0], good=scores[1], above=poor.excess, below=good.excess,
    )  # fmt: skip


def _exact_critic(_: Scenario) -> Judged:
    """All responses of a small world whose critic is exact."""
    known = walk(2, step=0.25)
    courses = zip(known.rewards, known.values, strict=True)
    found = [trial(map(Fraction, r), map(Fraction, v)).excess for r, v in courses]
    return judged(not any(found), found=sorted(found))


def _always_larger(_: Scenario) -> Judged:
    """A disappointment at the end is counted again, too."""
    own = trial((0, 0, 0), (0, 0, ONE), ONE)
    total = sum(own.advantages)
    return judged(total > own.excess, sum=total, excess=own.excess)


def _shares(_: Scenario) -> Judged:
    """A critic that foresees, where δ tells which token it was; and one that says the same of all tokens."""
    seeing, blind = trial(outcome(3), (HALF, ONE, ONE), 1), trial(outcome(3), [HALF] * 3, 1)
    for_it = seeing.deltas[0] == seeing.excess
    against = not any(blind.deltas[:-1]) and all(blind.advantages)
    return judged([for_it, not against], seeing=seeing.deltas, blind=blind.deltas, shared=blind.advantages)


def _middle_values(_: Scenario) -> Judged:
    changed = revalued(OWN, 2)
    before, after = sum(OWN.advantages), sum(changed.advantages)
    return judged(before != after and changed.excess == OWN.excess, before=before, after=after, excess=changed.excess)


def _below_zero(_: Scenario) -> Judged:
    own = trial(outcome(3, NONE), (HALF, HALF, HALF))
    return judged(own.excess < 0, v=own.values[0], excess=own.excess)


def _overrated_start(_: Scenario) -> Judged:
    """The same rewards, and the prompt's value raised."""
    higher = revalued(OWN, 0)
    found = {"v": OWN.values[0], "higher": higher.values[0], "before": OWN.excess, "after": higher.excess}
    return judged(higher.excess < OWN.excess, **found)


def _only_the_sum(_: Scenario) -> Judged:
    """Two lists of advantages with one sum: what the tokens are pushed by, at ratio one."""
    terms = [alone("surrogate", ratio=[1, 1], advantages=list(row))["terms"] for row in ((1, -1), (-1, 1))]
    return judged(terms[0] == terms[1], one=terms[0], other=terms[1], sum=sum(terms[0]))


def _every_token(_: Scenario) -> Judged:
    """The running example: how many advantages there are, and what the first is beside the excess."""
    found = gae()
    return judged(
        all(close(a, found["excess"]) for a in found["advantages"]),
        count=RUNNING.length, first=found["advantages"][0], last=found["advantages"][-1], excess=found["excess"],
    )  # fmt: skip


def _first_is_sum(_: Scenario) -> Judged:
    total = sum(OWN.advantages)
    return judged(OWN.advantages[0] == total, first=OWN.advantages[0], sum=total)


def _token_excesses(_: Scenario) -> Judged:
    """What is called a token's excess: its delta or its advantage."""
    deltas, advantages = sum(OWN.deltas), sum(OWN.advantages)
    cases = [deltas == OWN.excess, advantages == OWN.excess]
    return judged(cases, excess=OWN.excess, deltas=deltas, advantages=advantages)


BASICS: dict[str, Check] = {
    "first_advantage_is_the_sum_of_all": _first_is_sum,
    "excess_is_the_sum_of_the_tokens_excesses": _token_excesses,
    "last_advantage_is_the_last_delta": _last,
    "own_delta_counts_in_full": _own,
    "earlier_deltas_enter_an_advantage": _earlier,
    "first_advantage_holds_every_delta": _first_holds_all,
    "the_sum_depends_on_lambda": _by_lambda,
    "zero_excess_means_no_surprises": _no_surprises,
    "positive_excess_means_a_high_score": _high_score,
    "exact_critic_makes_every_excess_zero": _exact_critic,
    "the_sum_is_always_larger_than_the_excess": _always_larger,
    "deltas_share_credit_better_than_advantages": _shares,
    "the_sum_depends_on_the_middle_values": _middle_values,
    "excess_can_be_negative": _below_zero,
    "an_overrated_start_lowers_the_excess": _overrated_start,
    "ppo_uses_the_sum_only": _only_the_sum,
    "every_advantage_is_the_excess": _every_token,
}
