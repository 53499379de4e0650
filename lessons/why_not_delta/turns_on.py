"""What turns on something that was left unsaid: λ, the critic, the sign of what comes later, which value or reward."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.chance import spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, judged, rational, revalued, rewarded, trial
from lessons._turns import always
from lessons.why_not_delta.compared import COMPARED
from lessons.why_not_delta.stated import STATED

GOOD = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF)  # good news at every token
DASHED = trial((0, 0, 0), ("1/4", "1/2", "5/4"), ONE)  # two hopes, and neither is borne out


def _pair(own: Trial) -> list[Any]:
    """The first token's δ and its advantage."""
    return [own.deltas[0], own.advantages[0]]


def _at(lam: Fraction) -> Trial:
    return Trial(GOOD.rewards, GOOD.values, lam, ONE)


def _always_equal(_: Scenario) -> Judged:
    half, none = _pair(GOOD), _pair(_at(NONE))
    return judged(all(delta == a for delta, a in (half, none)), lam=HALF, half=half, none=none)


def _can_equal(_: Scenario) -> Judged:
    none, last = _pair(_at(NONE)), [GOOD.deltas[-1], GOOD.advantages[-1]]
    return judged(all(delta == a for delta, a in (none, last)), none=none, last=last)


def _smaller_in_size(_: Scenario) -> Judged:
    good, undone = _pair(GOOD), _pair(trial((0, 0, 0), ("1/4", "1/2", "1/4"), HALF))
    found = {"good": good, "undone": undone}
    return judged([abs(delta) < abs(a) for delta, a in found.values()], lam=HALF, **found)


def _below(_: Scenario) -> Judged:
    good, dashed = _pair(GOOD), _pair(DASHED)
    return judged([delta < a for delta, a in (good, dashed)], good=good, dashed=dashed)


def _one_sign(_: Scenario) -> Judged:
    good, dashed = _pair(GOOD), _pair(DASHED)
    return judged([delta * a > 0 for delta, a in (good, dashed)], good=good, dashed=dashed)


def _rank(xs: list[Any]) -> list[int]:
    return sorted(range(len(xs)), key=lambda t: xs[t])


def _ranks(_: Scenario) -> Judged:
    falling, rising = (trial(r, (0, 0, 0)) for r in ((3, 1, 0), (0, 1, 2)))
    cases = [_rank(own.deltas) == _rank(own.advantages) for own in (falling, rising)]
    found = {"falling": falling.advantages, "rising": rising.advantages}
    return judged(cases, d_falling=falling.deltas, d_rising=rising.deltas, **found)


def _plain_sum(_: Scenario) -> Judged:
    total = sum(GOOD.deltas)
    half, one = GOOD.advantages[0], _at(ONE).advantages[0]
    return judged([a == total for a in (half, one)], lam=HALF, total=total, half=half, one=one)


def _biased(_: Scenario) -> Judged:
    exact, off = (moments(error)["mean"][0] for error in (0.0, 0.5))
    truth = Fraction(STEP)
    return judged([mean != truth for mean in (exact, off)], truth=truth, exact=exact, off=off)


def _rising_value(_: Scenario) -> Judged:
    """The value rises by one half, without a reward and with a cost of one."""
    free, charged = (trial((r, 1), (HALF, 1)).deltas[0] for r in (0, -1))
    return judged([delta > 0 for delta in (free, charged)], rise=ONE - HALF, free=free, charged=charged)


def _positive_reward(_: Scenario) -> Judged:
    """A last token that earns a point: less had been expected, and more."""
    less, more = (trial((1,), (v,)).deltas[0] for v in (HALF, 2))
    return judged([delta > 0 for delta in (less, more)], less=less, more=more)


def _varies_less(_: Scenario) -> Judged:
    """At λ nought and one half: a critic that knows, and one that jumps about while the end is certain."""
    worlds = (walk(6, step=STEP), wild_critic(swing=2.0))
    exact, wild = (list(exact_facts(spread(w, (0.0, 0.5)), Scenario())["variance"]) for w in worlds)
    return judged([delta < a for delta, a in (exact, wild)], exact=exact, wild=wild)


def _later_value(_: Scenario) -> Judged:
    moved = [revalued(GOOD, k).deltas[0] - GOOD.deltas[0] for k in (1, 2)]
    return judged([m != 0 for m in moved], next=moved[0], later=moved[1])


def _reward(_: Scenario) -> Judged:
    moved = [rewarded(GOOD, k).deltas[0] - GOOD.deltas[0] for k in (0, 1)]
    return judged([m != 0 for m in moved], own=moved[0], next=moved[1])


def _higher_value(_: Scenario) -> Judged:
    moved = [revalued(GOOD, 1).deltas[t] - GOOD.deltas[t] for t in (0, 1)]
    return judged([m > 0 for m in moved], before=moved[0], own=moved[1])


def _smaller_gamma(_: Scenario) -> Judged:
    """From γ = 1 to one half: with a good outlook and with a bad one."""
    good, bad = ([formulas.td_error(NONE, NONE, v, g) for g in (ONE, HALF)] for v in (ONE, -ONE))
    return judged([low < high for high, low in (good, bad)], gamma=HALF, good=good, bad=bad)


def _enough(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    exact, off = (squared_errors(error, lams) for error in (0.0, 2.0))
    return judged([row[0] == min(row) for row in (exact, off)], lams=list(lams), exact=exact, off=off)


def _always_change(_: Scenario) -> Judged:
    paid = trial((1, 0), (HALF, 1))
    change = paid.values[1] - paid.values[0]
    return judged(paid.deltas[0] == change, change=change, paid=paid.deltas[0])


def _free_change(_: Scenario) -> Judged:
    change = rational(("1/4", "1/4"))
    return judged(GOOD.deltas[:2] == change, v=GOOD.values, d=GOOD.deltas[:2])


def _critic_at_zero(_: Scenario) -> Judged:
    found = gae(lam=0.0)
    errors = [a - b for a, b in zip(found["returns"], found["values"], strict=True)]
    return judged(errors == found["deltas"], errors=errors, d=found["deltas"])


def _sum_at_one(_: Scenario) -> Judged:
    one = _at(ONE)
    totals = [sum(one.deltas[t:]) for t in range(3)]
    return judged(one.advantages == totals, a=one.advantages, totals=totals)


def _next_decides(_: Scenario) -> Judged:
    good, dashed = ([own.deltas[0], own.advantages[0], own.advantages[1]] for own in (GOOD, DASHED))
    right = all((a > delta) == (following > 0) for delta, a, following in (good, dashed))
    return judged(right, good=good, dashed=dashed)


def _alike_if_all_good(_: Scenario) -> Judged:
    pairs = list(zip(GOOD.deltas, GOOD.advantages, strict=True))
    return judged(all(a >= delta > 0 for delta, a in pairs), d=GOOD.deltas, a=GOOD.advantages)


TURNS: dict[str, Check] = {
    "the_advantage_always_equals_delta": _always_equal,
    "the_advantage_can_equal_delta": _can_equal,
    "delta_is_smaller_in_size_than_the_advantage": _smaller_in_size,
    "delta_lies_below_the_advantage": _below,
    "delta_and_advantage_agree_in_sign": _one_sign,
    "delta_and_advantage_rank_this_response_alike": _ranks,
    "the_advantage_is_the_sum_of_later_deltas": _plain_sum,
    "delta_is_biased": _biased,
    "a_rising_value_makes_delta_positive": _rising_value,
    "a_positive_reward_makes_delta_positive": _positive_reward,
    "delta_varies_less_than_the_advantage": _varies_less,
    "a_later_value_moves_delta": _later_value,
    "a_reward_moves_delta": _reward,
    "a_higher_value_raises_delta": _higher_value,
    "a_smaller_gamma_lowers_delta": _smaller_gamma,
    "delta_is_enough": _enough,
    "delta_is_always_the_change_of_value": _always_change,
    "without_reward_delta_is_the_change_of_value": _free_change,
    "at_lambda_zero_the_critic_is_fitted_by_delta": _critic_at_zero,
    "at_lambda_one_the_advantage_is_the_sum_of_later_deltas": _sum_at_one,
    "delta_is_always_enough": always(_enough),
    "a_rising_value_always_makes_delta_positive": always(_rising_value),
    "a_positive_reward_always_makes_delta_positive": always(_positive_reward),
    "delta_always_starves_early_tokens": always(STATED["delta_leaves_early_tokens_without_signal"]),
    "the_value_loss_is_always_delta_squared": always(COMPARED["critic_is_trained_to_make_delta_small"]),
    "a_good_next_advantage_lifts_the_advantage_above_delta": _next_decides,
    "all_good_news_makes_delta_and_advantage_positive": _alike_if_all_good,
}
