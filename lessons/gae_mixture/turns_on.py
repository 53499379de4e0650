"""What turns on something that was left unsaid: λ, how many tokens are left, which n, what comes later."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.chance import walk
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, Trial, apart, judged, revalued, rewarded, trial
from lessons._turns import always
from lessons.gae_mixture.checks import MORE
from lessons.gae_mixture.grid import GRID
from lessons.gae_mixture.stated import STATED
from lessons.gae_mixture.trials import TRIED
from lessons.gae_mixture.worlds import EXACT, STEP, TOKENS, TOO_HIGH, moments

USUAL = Fraction("0.95")
GOOD, FLAT = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF), trial((0, 0, 1), (HALF, 1, 1), HALF)
FAR_OFF = walk(TOKENS, step=STEP, first=1, error=2.0, fade=0.5)
DASHED = trial((0, 0, 0), ("1/4", 1, "1/2"), HALF)


def _steps(own: Trial) -> list[Any]:
    return list(sequences.n_step_advantages(own.rewards, own.values, own.gamma))


def _weights() -> dict[str, list[Any]]:
    """Of the n-step advantages over four tokens: at λ one half, and near one."""
    return {"half": sequences.mixture_weights(4, HALF), "usual": sequences.mixture_weights(4, USUAL)}


def _longest_most(_: Scenario) -> Judged:
    found = _weights()
    return judged([w[-1] > max(w[:-1]) for w in found.values()], lams=[HALF, USUAL], **found)


def _first_most(_: Scenario) -> Judged:
    found = _weights()
    return judged([w[0] > max(w[1:]) for w in found.values()], lams=[HALF, USUAL], **found)


def _fall(_: Scenario) -> Judged:
    found = _weights()
    return judged([w == sorted(w, reverse=True) for w in found.values()], lams=[HALF, USUAL], **found)


def _good_news_grows(_: Scenario) -> Judged:
    good, bad = _steps(GOOD), _steps(trial((0, 0, 0), ("3/4", "1/2", "1/4"), HALF))
    rises, falls = good == sorted(set(good)), bad == sorted(set(bad), reverse=True)
    return judged(rises and falls, good=good, bad=bad, d=GOOD.deltas)


def _agree(_: Scenario) -> Judged:
    good, flat = _steps(GOOD), _steps(FLAT)
    return judged([len(set(steps)) == 1 for steps in (good, flat)], good=good, flat=flat)


def _one_sign(_: Scenario) -> Judged:
    good, dashed = _steps(GOOD), _steps(DASHED)
    return judged([min(steps) * max(steps) > 0 for steps in (good, dashed)], good=good, dashed=dashed)


def _mean_steps(tokens: int) -> float:
    weights = sequences.mixture_weights(tokens, USUAL)
    return round(float(sum(n * w for n, w in enumerate(weights, start=1))), 2)


def _short_looks_less(_: Scenario) -> Judged:
    horizon, (short, long) = formulas.horizon(USUAL), (_mean_steps(n) for n in (6, 400))
    right = short < horizon and round(long) == horizon
    return judged(right, lam=USUAL, horizon=horizon, tokens=[6, 400], short=short, long=long)


def _longest_at_usual(_: Scenario) -> Judged:
    tokens = (4, 400)
    longest = [float(f"{float(sequences.mixture_weights(n, USUAL)[-1]):.3g}") for n in tokens]
    return judged(longest[0] > 0.5 and longest[1] < 0.01, lam=USUAL, tokens=tokens, longest=longest)


def _biased(_: Scenario) -> Judged:
    truth = Fraction(str(STEP))
    exact, off, end = moments(EXACT, 1)[0], moments(TOO_HIGH, 1)[0], moments(TOO_HIGH, TOKENS)[0]
    return judged([mean != truth for mean in (exact, off, end)], truth=truth, exact=exact, off=off, end=end)


def _bootstraps(_: Scenario) -> Judged:
    """By how much raising the value n tokens on moves A^(n), and all later values the longest."""
    short = _steps(revalued(GOOD, 1))[0] - _steps(GOOD)[0]
    longest = [_steps(revalued(GOOD, k))[-1] - _steps(GOOD)[-1] for k in (1, 2)]
    return judged([short != 0, any(longest)], short=short, longest=longest)


def _final_reward(_: Scenario) -> Judged:
    moved = apart(_steps(rewarded(GOOD, -1)), _steps(GOOD))
    return judged([m != 0 for m in moved], moved=moved)


def _more_accurate(_: Scenario) -> Judged:
    def error(world: Any, n: int) -> Any:
        mean, variance = moments(world, n)
        return formulas.squared_error(mean, Fraction(str(STEP))) + variance

    exact, off = ([error(world, n) for n in (1, TOKENS)] for world in (EXACT, FAR_OFF))
    return judged([long < short for short, long in (exact, off)], n=TOKENS, exact=exact, off=off)


def _endless(_: Scenario) -> Judged:
    """The longer the response, the closer to (1 − λ)λ^{n−1} for every n, with nothing left for the tail."""
    tokens = 60
    weights = sequences.mixture_weights(tokens, HALF)
    geometric = [(ONE - HALF) * HALF**n for n in range(tokens - 1)]
    return judged(weights[:-1] == geometric and float(weights[-1]) < 1e-9, lam=HALF, first=weights[:3])


def _without_tail(_: Scenario) -> Judged:
    weights = sequences.mixture_weights(4, HALF)
    return judged(sum(weights[:-1]) == 1, weights=weights, rest=sum(weights[:-1]), whole=sum(weights))


def _no_value_at_end(_: Scenario) -> Judged:
    """Of the two-step estimate where a third token follows: moved by V two tokens on."""
    moved = _steps(revalued(GOOD, 2))[1] - _steps(GOOD)[1]
    return judged(moved == 0, moved=moved)


TURNS: dict[str, Check] = {
    "the_longest_estimate_weighs_most": _longest_most,
    "the_longest_estimate_always_weighs_most": always(_longest_most),
    "the_one_step_estimate_weighs_most": _first_most,
    "the_weights_fall_with_n": _fall,
    "good_news_raises_the_longer_estimates": _good_news_grows,
    "n_step_estimates_always_grow_with_n": always(TRIED["n_step_estimates_grow_with_n"]),
    "the_n_step_estimates_agree": _agree,
    "the_n_step_estimates_always_agree": always(_agree),
    "the_n_step_estimates_have_one_sign": _one_sign,
    "the_mean_look_ahead_is_always_the_horizon": always(MORE["mean_look_ahead_is_the_horizon"]),
    "a_short_response_looks_less_far_than_the_horizon": _short_looks_less,
    "at_095_the_longest_dominates_a_short_response_only": _longest_at_usual,
    "an_n_step_estimate_is_biased": _biased,
    "an_n_step_estimate_bootstraps": _bootstraps,
    "an_n_step_estimate_contains_the_final_reward": _final_reward,
    "more_steps_are_more_accurate": _more_accurate,
    "more_steps_are_always_more_accurate": always(_more_accurate),
    "endless_weights_are_geometric": _endless,
    "the_weights_sum_to_one_without_the_tail": _without_tail,
    "an_n_step_estimate_ends_without_a_value": _no_value_at_end,
    "mixing_always_beats_one_length": always(STATED["mixing_is_better_than_one_length"]),
    "lambda_should_always_be_near_one": always(GRID["lambda_should_be_near_one"]),
    "mixing_always_makes_advantages_steadier": always(GRID["mixing_makes_advantages_steadier"]),
}
