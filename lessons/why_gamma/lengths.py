"""What learners claim of γ and the length of a response: which answers it prefers, and what cannot undo that."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences, world
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, judged, outcome

GAMMA, SHORT, LONG = Fraction(9, 10), 3, 6  # tokens


def _worth(score: Fraction | int, tokens: int, gamma: Fraction = GAMMA) -> Any:
    """A score at the end, seen from the first token."""
    return sequences.mc_returns(outcome(tokens, score), gamma)[0]


def _scaled(_: Scenario) -> Judged:
    once, tenfold = ([_worth(score, n) for n in (SHORT, LONG)] for score in (1, 10))
    ratio = once[0] / once[1]
    return judged(
        tenfold[0] / tenfold[1] != ratio,
        gamma=GAMMA, short=SHORT, long=LONG, once=once, tenfold=tenfold, ratio=round(float(ratio), 6),
    )  # fmt: skip


def _finer(_: Scenario) -> Judged:
    coarse, fine = _worth(1, SHORT), _worth(1, LONG)
    return judged(fine < coarse, gamma=GAMMA, coarse=SHORT, fine=LONG, coarse_worth=coarse, fine_worth=fine)


def _penalty(_: Scenario) -> Judged:
    short, long = (_worth(-1, n) for n in (SHORT, LONG))
    return judged(long > short, gamma=GAMMA, short=SHORT, long=LONG, short_worth=short, long_worth=long)


def _always_shortest(_: Scenario) -> Judged:
    low, high = HALF, ONE
    short, long = _worth(low, SHORT), _worth(high, LONG)
    return judged(
        short >= long, gamma=GAMMA, low=low, high=high, short=SHORT, long=LONG, short_worth=short, long_worth=long
    )


def _costs_add_up(_: Scenario) -> Judged:
    cost = Fraction(1, 100)

    def total(tokens: int) -> Any:
        return sequences.mc_returns([r - cost for r in outcome(tokens)], ONE)[0]

    short, long = total(10), total(60)
    return judged(long < short, cost=cost, short=10, long=60, short_return=short, long_return=long)


def _biased(_: Scenario) -> Judged:
    """In a world that is counted through: V with a discount, and the expected sum."""

    def lift(_: str, x: float) -> Fraction:
        return Fraction(str(x))

    total, discounted = (world.small(lift, float(gamma)).value(()) for gamma in (ONE, GAMMA))
    return judged(total != discounted, total=total, gamma=GAMMA, discounted=discounted)


def _long_reasoning(_: Scenario) -> Judged:
    tokens, gamma = (10, 1000, 4000), 0.99
    below, one = ([formulas.discounted(1.0, g, n - 1) for n in tokens] for g in (gamma, 1.0))
    shown = [float(f"{x:.3g}") for x in below]
    return judged(one[-1] == one[0] and below[-1] < 1e-6, tokens=list(tokens), gamma=gamma, below=shown, one=one)


def _endless(_: Scenario) -> Judged:
    tokens = (10, 100, 1000)
    one, below = ([sum(formulas.discounted(1.0, g, k) for k in range(n)) for n in tokens] for g in (1.0, 0.9))
    bound = round(formulas.horizon(0.9), 6)
    return judged(
        one == [float(n) for n in tokens] and max(below) <= bound,
        tokens=list(tokens), one=one, gamma=0.9, below=[round(x, 4) for x in below], bound=bound,
    )  # fmt: skip


LENGTHS: dict[str, Check] = {
    "scaling_the_score_undoes_the_length_preference": _scaled,
    "finer_tokens_are_discounted_more": _finer,
    "final_penalty_with_gamma_below_one_favours_long": _penalty,
    "gamma_below_one_always_picks_the_shortest": _always_shortest,
    "token_costs_add_up_with_length_at_gamma_one": _costs_add_up,
    "gamma_below_one_is_biased_for_the_plain_sum": _biased,
    "long_reasoning_calls_for_gamma_one": _long_reasoning,
    "endless_tasks_need_gamma_below_one": _endless,
}
