"""What turns on something that was left unsaid: the critic, what comes later, the length, the project."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.scenario import Scenario
from lessons._errors import STEP, moments, squared_errors
from lessons._fact import Check, Judged
from lessons._trials import (
    HALF,
    NONE,
    ONE,
    Plain,
    Trial,
    apart,
    default,
    judged,
    outcome,
    rational,
    revalued,
    rewarded,
    trial,
)  # fmt: skip
from lessons._turns import always
from lessons.why_lambda.asked import ASKED
from lessons.why_lambda.stated import STATED

LAMS = (NONE, HALF, ONE)
USUAL = Fraction("0.95")
GRID = tuple(k / 20 for k in range(21))
PROJECTS = ("verl", "trl", "openrlhf")
GOOD, BAD, LEVEL, TURNING, UNDONE = (1, 1, 1), (1, -1, -1), (1, 0, 0), (-1, 2, 2), (1, -1, 0)


def _by_lam(deltas: tuple[Plain, ...], lams: tuple[Fraction, ...] = LAMS) -> list[Any]:
    """The first advantage of a response with these δ, for each λ."""
    return [sequences.gae_advantages(rational(deltas), ONE, lam)[0] for lam in lams]


def _ranks(deltas: tuple[Plain, ...], lam: Fraction) -> list[int]:
    found = sequences.gae_advantages(rational(deltas), ONE, lam)
    return sorted(range(len(found)), key=lambda t: found[t])


def _brings_bias(_: Scenario) -> Judged:
    exact, off = (moments(error, (0.5, 1.0))["mean"] for error in (0.0, 0.5))
    found = {"truth": Fraction(STEP), "exact": exact[0], "off": off[0]}
    return judged([mean[0] != Fraction(STEP) for mean in (exact, off)], **found)


def _can_be_biased(_: Scenario) -> Judged:
    off = moments(0.5, (0.5, 1.0))["mean"]
    return judged(off[0] != Fraction(STEP) == off[1], truth=Fraction(STEP), below=off[0], one=off[1])


def _flips(_: Scenario) -> Judged:
    steady, turning = (_by_lam(d, (NONE, ONE)) for d in (GOOD, TURNING))
    return judged([a * b < 0 for a, b in (steady, turning)], good=GOOD, steady=steady, late=TURNING, turning=turning)


def _reorders(_: Scenario) -> Judged:
    falling, rising = (3, 1, 0), (0, 1, 2)
    found = {"falling": falling, "rising": rising}
    return judged([_ranks(d, NONE) != _ranks(d, ONE) for d in (falling, rising)], **found)


def _moves_it(_: Scenario) -> Judged:
    news, none = _by_lam(GOOD), _by_lam(LEVEL)
    return judged([len(set(a)) > 1 for a in (news, none)], lams=LAMS, good=GOOD, news=news, level=LEVEL, none=none)


def _one_is_the_best(_: Scenario) -> Judged:
    errors = (0.0, 0.5, 4.0)
    rows = [squared_errors(error, GRID) for error in errors]
    best = [GRID[row.index(min(row))] for row in rows]
    return judged([lam == 1 for lam in best], errors=list(errors), best=best)


def _always_inside(_: Scenario) -> Judged:
    errors = (0.0, 0.5, 4.0)
    rows = [squared_errors(error, GRID) for error in errors]
    best = [GRID[row.index(min(row))] for row in rows]
    return judged(all(0 < lam < 1 for lam in best), errors=list(errors), best=best)


def _far_when_long(_: Scenario) -> Judged:
    tokens = (5, 500)
    left = [float(f"{float(formulas.discounted(ONE, USUAL, n - 1)):.3g}") for n in tokens]
    return judged(left[1] < 0.01 < 0.5 < left[0], lam=USUAL, tokens=tokens, left=left)


def _always_larger(_: Scenario) -> Judged:
    bad = _by_lam(BAD)
    return judged(bad == sorted(bad), lams=LAMS, d=BAD, bad=bad)


def _can_lower(_: Scenario) -> Judged:
    bad = _by_lam(BAD)
    return judged(bad[-1] < bad[0], lams=LAMS, d=BAD, bad=bad)


def _good_news_raises(_: Scenario) -> Judged:
    good, bad = _by_lam(GOOD), _by_lam(BAD)
    right = good == sorted(set(good)) and bad == sorted(set(bad), reverse=True)
    return judged(right, lams=LAMS, d=GOOD, good=good, other=BAD, bad=bad)


def _weights(lam: Fraction) -> list[Any]:
    return [formulas.discounted(ONE, lam, k) for k in range(4)]


def _always_less(_: Scenario) -> Judged:
    level = _weights(ONE)
    return judged(level == sorted(set(level), reverse=True), level=level)


def _less_below_one(_: Scenario) -> Judged:
    below, level = _weights(HALF), _weights(ONE)
    return judged(
        below == sorted(set(below), reverse=True) and len(set(level)) == 1, lam=HALF, below=below, level=level
    )


def _defaults(of: float) -> Judged:
    found = {project: Fraction(str(default(project, "lam"))) for project in PROJECTS}
    return judged([lam == Fraction(str(of)) for lam in found.values()], **found)


def _default_is_one(_: Scenario) -> Judged:
    return _defaults(1.0)


def _default_is_095(_: Scenario) -> Judged:
    return _defaults(0.95)


def _reaches_the_first(_: Scenario) -> Judged:
    moved = [_by_score(trial(outcome(4), [HALF] * 4, lam)) for lam in LAMS]
    return judged([bool(m) for m in moved], lams=LAMS, moved=moved)


def _by_score(own: Trial) -> Any:
    return apart(rewarded(own, -1).advantages, own.advantages)[0]


def _reaches_all_at_any(_: Scenario) -> Judged:
    own = trial(outcome(4), [HALF] * 4, NONE)
    moved = apart(rewarded(own, -1).advantages, own.advantages)
    return judged(all(moved), moved=moved)


def _hears_the_end(_: Scenario) -> Judged:
    tokens = (5, 500)
    left = [float(f"{float(formulas.discounted(ONE, USUAL, n - 1)):.3g}") for n in tokens]
    return judged([part > 0.01 for part in left], lam=USUAL, tokens=tokens, left=left)


def _shrinks(_: Scenario) -> Judged:
    good, bad = _by_lam(GOOD, (HALF, ONE)), _by_lam(UNDONE, (HALF, ONE))
    pairs = [[abs(a) for a in found] for found in (good, bad)]
    return judged([low < high for low, high in pairs], lam=HALF, d=GOOD, good=good, other=UNDONE, bad=bad)


def _later_errors(_: Scenario) -> Judged:
    moved = []
    for lam in LAMS:
        own = trial(outcome(4), [HALF] * 4, lam)
        moved.append(revalued(own, 2).advantages[0] - own.advantages[0])
    return judged([bool(m) for m in moved[1:]], lam=HALF, half=moved[1], one=moved[2])


def _learning_rate(_: Scenario) -> Judged:
    """A learning rate would scale the advantages alike; λ moves the first and leaves the last."""
    half, one = (trial(outcome(3), ("1/4", "1/2", "3/4"), lam).advantages for lam in (HALF, ONE))
    factors = [a / b for a, b in zip(half, one, strict=True)]
    return judged(len(set(factors)) == 1, half=half, one=one)


def _small_lets_errors_in(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    off = [abs(mean - Fraction(STEP)) for mean in moments(0.5, lams)["mean"]]
    return judged(off == sorted(set(off), reverse=True), lams=lams, off=off)


def _always_steadier(_: Scenario) -> Judged:
    """The critic's later values all over the place, the outcome the same each time: the spread of A_0."""
    spreads = []
    for lam in (NONE, ONE):
        found = [trial(outcome(2), (HALF, v), lam).advantages[0] for v in (0, 2)]
        spreads.append(max(found) - min(found))
    return judged(spreads[0] <= spreads[1], zero=spreads[0], one=spreads[1])


def _first_always_most(_: Scenario) -> Judged:
    deltas = rational((0, -1, 1, 1))
    moved = apart(*(sequences.gae_advantages(deltas, ONE, lam) for lam in (ONE, HALF)))
    sizes = [abs(m) for m in moved]
    return judged(sizes[0] == max(sizes), d=deltas, moved=moved)


def _zero_with_a_wrong_critic(_: Scenario) -> Judged:
    mean = moments(0.5)["mean"][0]
    return judged(mean != Fraction(STEP), truth=Fraction(STEP), mean=mean)


def _small_if_exact(_: Scenario) -> Judged:
    lams = (0.0, 0.5, 1.0)
    found = squared_errors(0.0, lams)
    return judged(found == sorted(set(found)), lams=lams, errors=found)


def _moves_the_mean(_: Scenario) -> Judged:
    exact, off = (moments(error, (0.5, 1.0))["mean"] for error in (0.0, 0.5))
    return judged([mean[0] != mean[1] for mean in (exact, off)], lam=HALF, exact=exact, off=off)


TURNS: dict[str, Check] = {
    "lambda_below_one_brings_bias": _brings_bias,
    "lambda_below_one_can_be_biased": _can_be_biased,
    "changing_lambda_flips_the_sign": _flips,
    "changing_lambda_reorders_the_tokens": _reorders,
    "changing_lambda_moves_this_advantage": _moves_it,
    "lambda_one_is_the_best": _one_is_the_best,
    "best_lambda_is_always_inside": _always_inside,
    "lambda_095_is_far_from_monte_carlo_on_long_responses": _far_when_long,
    "larger_lambda_always_means_larger_advantage": _always_larger,
    "raising_lambda_can_lower_an_advantage": _can_lower,
    "good_later_news_raises_the_advantage_with_lambda": _good_news_raises,
    "distant_deltas_always_count_less": _always_less,
    "distant_deltas_count_less_below_one": _less_below_one,
    "default_lambda_is_one": _default_is_one,
    "default_lambda_is_095": _default_is_095,
    "the_outcome_reaches_the_first_advantage": _reaches_the_first,
    "the_outcome_reaches_every_token_at_any_lambda": _reaches_all_at_any,
    "at_095_the_first_token_hears_the_end": _hears_the_end,
    "a_smaller_lambda_shrinks_the_advantages": _shrinks,
    "later_errors_of_the_critic_reach_the_advantage": _later_errors,
    "lambda_is_a_learning_rate": _learning_rate,
    "a_small_lambda_lets_in_more_of_the_critics_error": _small_lets_errors_in,
    "a_smaller_lambda_is_always_steadier": _always_steadier,
    "the_first_advantage_always_moves_most": _first_always_most,
    "with_a_wrong_critic_lambda_zero_is_biased": _zero_with_a_wrong_critic,
    "with_an_exact_critic_a_smaller_lambda_is_better": _small_if_exact,
    "changing_lambda_moves_the_mean": _moves_the_mean,
    "a_smaller_lambda_is_always_better": always(STATED["a_smaller_lambda_is_better"]),
    "lambda_below_one_always_beats_one": always(STATED["lambda_below_one_is_better_than_one"]),
    "095_is_always_the_best_lambda": always(ASKED["095_is_the_best_lambda"]),
    "a_larger_lambda_always_learns_faster": always(ASKED["a_larger_lambda_learns_faster"]),
    "lambda_one_is_always_best_for_outcome_rewards": always(ASKED["lambda_one_suits_outcome_rewards"]),
}
