"""What turns on λ, γ, n or the critic where people ask of bootstrapping without saying which."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import sequences
from engine.scenario import Scenario
from lessons._errors import STEP, moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, Trial, apart, judged, outcome, revalued, trial
from lessons.bootstrap.trials import raised_and_whitened

REWARDS, VALUES = (0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4")
LAMS = (NONE, HALF, ONE)
TRUTH = Fraction(STEP)


def _with(lam: Fraction) -> Trial:
    return trial(REWARDS, VALUES, lam)


def _moved(name: str) -> list[Any]:
    """By λ: how the first of a list moves with the next value."""
    return [apart(getattr(revalued(one, 1), name), getattr(one, name))[0] for one in map(_with, LAMS)]


def _in_returns(_: Scenario) -> Judged:
    moved = _moved("returns")
    return judged([by != 0 for by in moved], lams=list(LAMS), moved=moved, one=ONE)


def _always_in_returns(_: Scenario) -> Judged:
    moved = _moved("returns")
    return judged(all(moved), lams=list(LAMS), moved=moved)


def _next_value(_: Scenario) -> Judged:
    moved = _moved("advantages")
    return judged([by > 0 for by in moved], lams=list(LAMS), moved=moved)


def _gae_always(_: Scenario) -> Judged:
    moved = _moved("advantages")
    return judged(all(moved), lams=list(LAMS), moved=moved)


def _bootstrapped_means() -> dict[str, Any]:
    exact, wrong = (moments(error)["mean"][0] for error in (0.0, 0.5))
    return {"truth": TRUTH, "exact": exact, "wrong": wrong}


def _bias(_: Scenario) -> Judged:
    found = _bootstrapped_means()
    return judged([found["exact"] != TRUTH, found["wrong"] != TRUTH], **found)


def _always_bias(_: Scenario) -> Judged:
    found = _bootstrapped_means()
    return judged(TRUTH not in (found["exact"], found["wrong"]), **found)


def _later_errors(_: Scenario) -> Judged:
    means = list(moments(0.5, (0.0, 0.5, 1.0))["mean"])
    return judged([mean != TRUTH for mean in means], lams=list(LAMS), means=means, truth=TRUTH, one=ONE)


def _n_steps(_: Scenario) -> Judged:
    own = _with(ONE)
    higher, steps = [own.values[0], *(v + 1 for v in own.values[1:])], [1, 2, len(own.values)]

    def estimate(values: list[Fraction], n: int) -> Fraction:
        return sequences.n_step_return(own.rewards, values, ONE, 0, n)

    moved = [estimate(higher, n) - estimate(own.values, n) for n in steps]
    return judged([by != 0 for by in moved], tokens=len(own.values), steps=steps, moved=moved)


def _uniform(_: Scenario) -> Judged:
    gammas, moved = [ONE, HALF], []
    for gamma in gammas:
        own = trial(REWARDS, VALUES, HALF, gamma)
        moved.append(apart(trial(REWARDS, [v + 1 for v in own.values], HALF, gamma).deltas, own.deltas))
    first = [by[0] for by in moved]
    return judged([by != 0 for by in first], gammas=gammas, first=first, last=moved[0][-1])


def _uniform_whitened(_: Scenario) -> Judged:
    found = raised_and_whitened()
    return judged([found["one"] != found["one_raised"], found["half"] != found["half_raised"]], **found)


def _smaller(_: Scenario) -> Judged:
    lams = [NONE, ONE]
    courses = {"smaller": VALUES, "larger": ("3/4", "0", "3/8", "3/4")}
    sizes = {name: [abs(trial(REWARDS, values, lam).advantages[0]) for lam in lams] for name, values in courses.items()}
    return judged([zero < one for zero, one in sizes.values()], lams=lams, **sizes)


def _one_round(_: Scenario) -> Judged:
    score = ONE
    first = [trial(outcome(3, score), (0, 0, 0), lam).returns[0] for lam in (NONE, ONE)]
    return judged([target == score for target in first], lams=[NONE, ONE], first=first)


def _zero_values(_: Scenario) -> Judged:
    own = trial(REWARDS, (0, 0, 0, 0), HALF)
    total = sum(own.rewards)
    return judged(max(own.advantages) > total, r=own.rewards, a=own.advantages, total=total)


def _learns_faster(_: Scenario) -> Judged:
    """Rounds until the first V has heard of the score, and the variance of one estimate, at λ zero and one."""
    rewards, counts = outcome(3), []
    for lam in (NONE, ONE):
        seen, count = [NONE] * 3, 0
        while seen[0] != ONE:
            seen, count = trial(rewards, seen, lam).returns, count + 1
        counts.append(count)
    calm, loud = moments(0.0)["variance"]
    cases = [counts[0] < counts[1], calm < loud]
    return judged(cases, rounds=counts[0], once=counts[1], calm=calm, loud=loud)


def _n_steps_to_the_end(scenario: Scenario) -> Judged:
    found = _n_steps(scenario).found
    first, last, short, whole = (found[name][k] for name in ("steps", "moved") for k in (0, -1))
    return judged(short != 0 == whole, tokens=found["tokens"], first=first, last=last, short=short, whole=whole)


TURNS: dict[str, Check] = {
    "returns_hold_later_values": _in_returns,
    "returns_are_always_bootstrapped": _always_in_returns,
    "gae_always_bootstraps": _gae_always,
    "bootstrapping_adds_bias": _bias,
    "bootstrapping_always_adds_bias": _always_bias,
    "later_value_errors_bias_the_gradient": _later_errors,
    "a_higher_next_value_lifts_the_advantage": _next_value,
    "n_step_estimates_bootstrap": _n_steps,
    "a_uniform_error_moves_the_deltas": _uniform,
    "a_uniform_error_survives_whitening": _uniform_whitened,
    "bootstrapping_makes_advantages_smaller": _smaller,
    "the_score_arrives_in_one_round": _one_round,
    "zero_values_blow_up_the_advantages": _zero_values,
    "bootstrapping_learns_faster": _learns_faster,
    "n_steps_beyond_the_end_hold_no_estimate": _n_steps_to_the_end,
}
