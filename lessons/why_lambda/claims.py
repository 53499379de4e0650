"""What learners claim of λ, each with a check that runs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas, quantities, sequences
from engine.example import RUNNING
from engine.proofs.monte_carlo import gae_lambda_zero_is_td_error
from engine.proofs.programs import gae
from engine.proofs.sensitivities import later_values_vanish_at_lambda_one
from engine.proofs.variance import gae_variance_grows_with_lambda
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._first import numbers
from lessons.why_lambda.asked import ASKED
from lessons.why_lambda.checks import MORE
from lessons.why_lambda.kin import KIN
from lessons.why_lambda.practice import PRACTICE
from lessons.why_lambda.stated import STATED
from lessons.why_lambda.trials import TRIED
from lessons.why_lambda.turns_on import TURNS
from lessons.why_lambda.world import ERROR, ERRORS, LAMS, STEP, enumerated, world


def _at(scenario: Scenario = RUNNING, **changes: float | list[float]) -> Mapping[str, Any]:
    return quantities.facts("gae", numbers(scenario).merged(changes)).exact


def _biases(error: float) -> list[Any]:
    return [mean - Fraction(STEP) for mean in enumerated(error).exact["mean"]]


def _less_bias_more_variance(_: Scenario) -> Judged:
    """In the known world, and for the variance of independent noise under a fixed V in general."""
    gae_variance_grows_with_lambda()
    biases, variances = [abs(b) for b in _biases(ERROR)], enumerated(ERROR).exact["variance"]
    falls, rises = biases == sorted(biases, reverse=True), variances == sorted(variances)
    return Judged(
        holds(falls and rises),
        {"low": LAMS[1], "high": LAMS[3], "bias_low": biases[1], "bias_high": biases[3], "variance_low": variances[1],
         "variance_high": variances[3]},
    )  # fmt: skip


def _by_error() -> dict[float, list[Any]]:
    """error → [the best λ, its mean squared error, those at λ = 0 and 1]."""
    return {float(error): found for error, *found in world().exact["best"]}


def _one_is_best(_: Scenario) -> Judged:
    exact, off = _by_error()[0.0], _by_error()[ERROR]
    return Judged(
        holds(exact[0] == off[0] == 1),
        {"best_exact": exact[0], "error_exact": exact[1], "one_exact": exact[3], "best_off": off[0],
         "error_off": off[1], "one_off": off[3]},
    )  # fmt: skip


def _bad_critic_small_lambda(_: Scenario) -> Judged:
    best = [found[0] for found in _by_error().values()]
    return Judged(holds(best == sorted(best, reverse=True)), {"errors": list(ERRORS), "best": best})


def _zero_is_delta(_: Scenario) -> Judged:
    gae_lambda_zero_is_td_error()
    found = _at(lam=0.0)
    return Judged(
        holds(found["advantages"] == found["deltas"]),
        {"advantage": found["advantages"][0], "delta": found["deltas"][0]},
    )


def _zero_is_nothing(_: Scenario) -> Judged:
    found = _at(lam=0.0)["advantages"]
    return Judged(holds(not any(found)), {"advantages": found})


def _moved(t: int, lam: float) -> tuple[Any, Any]:
    """A_0 of the running example, and with V_t one higher."""
    higher = [v + float(i == t) for i, v in enumerate(RUNNING.rows("values")[0])]
    return _at(lam=lam)["advantages"][0], _at(lam=lam, values=higher)["advantages"][0]


def _one_ignores_later_values(_: Scenario) -> Judged:
    later_values_vanish_at_lambda_one()
    (before, after), (half, half_after) = _moved(2, 1.0), _moved(2, 0.5)
    return Judged(holds(before == after), {"before": before, "half": half, "half_after": half_after})


def _one_ignores_all_values(_: Scenario) -> Judged:
    before, after = _moved(0, 1.0)
    return Judged(holds(before == after), {"before": before, "after": after})


def _larger_lambda_larger_advantage(_: Scenario) -> Judged:
    """It depends on whether the later news is good or bad."""
    good, bad = ([Fraction(0), Fraction(x)] for x in (1, 0))
    values = [Fraction(1, 2), Fraction(1, 2)]
    pairs = [[gae(r, values, Fraction(1), Fraction(lam))[0] for lam in (0, 1)] for r in (good, bad)]
    rises, falls = pairs[0][0] < pairs[0][1], pairs[1][0] > pairs[1][1]
    return Judged(
        "depends" if rises and falls else holds(rises),
        {"good_zero": pairs[0][0], "good_one": pairs[0][1], "bad_zero": pairs[1][0], "bad_one": pairs[1][1]},
    )


def _must_equal_gamma(_: Scenario) -> Judged:
    """With an exact critic the mean is the true advantage for every λ beside γ = 1."""
    means = enumerated(0.0).exact["mean"]
    return Judged(holds(any(mean != STEP for mean in means)), {"truth": means[-1], "lam": LAMS[2], "mean": means[2]})


def _exact_is_unbiased(_: Scenario) -> Judged:
    biases = _biases(0.0)
    return Judged(holds(not any(biases)), {"lams": list(LAMS), "means": enumerated(0.0).exact["mean"], "truth": STEP})


def _larger_leans_on_the_critic(_: Scenario) -> Judged:
    """How far A_0 moves when V_1 is one higher."""
    moves = [abs(after - before) for before, after in (_moved(1, lam) for lam in (0.0, 0.5, 1.0))]
    return Judged(holds(moves == sorted(moves)), {"zero": moves[0], "half": moves[1], "one": moves[2]})


def _half_is_the_middle(_: Scenario) -> Judged:
    zero, half, one = (_at(lam=lam)["advantages"][0] for lam in (0.0, 0.5, 1.0))
    return Judged(holds(2 * half == zero + one), {"zero": zero, "half": half, "one": one, "middle": (zero + one) / 2})


def _actor_only(_: Scenario) -> Judged:
    zero, one = (_at(lam=lam)["returns"][0] for lam in (0.0, 1.0))
    return Judged(holds(zero == one), {"zero": zero, "one": one})


def _zero_never_hears_the_end(_: Scenario) -> Judged:
    """A critic that starts at 0 and is set to its targets, λ = 0: after how many rounds V_0 knows the reward."""
    rewards, values = [Fraction(x) for x in (0, 0, 1)], [Fraction(0)] * 3
    seen = [values[0]]
    for _round in rewards:
        values = sequences.critic_targets(gae(rewards, values, Fraction(1), Fraction(0)), values)
        seen.append(values[0])
    return Judged(holds(not any(seen)), {"rounds": len(rewards), "seen": seen, "end": seen[-1]})


def _verl_below_one(scenario: Scenario) -> Judged:
    found = _at(scenario, gamma=1.0, lam=1.0)
    same = all(abs(a - b) < 1e-9 for a, b in zip(found["advantages"], found["mc_advantages"], strict=True))
    return Judged(holds(not same), {"gae": found["advantages"][0], "mc": found["mc_advantages"][0]})


def _farther_means_less(_: Scenario) -> Judged:
    """Below γλ = 1; at 1 everything counts the same."""
    below, level = ([formulas.discounted(Fraction(1), c, k) for k in range(4)] for c in (Fraction(1, 2), Fraction(1)))
    falls, stays = below == sorted(set(below), reverse=True), len(set(level)) == 1
    return Judged("depends" if falls and stays else holds(falls), {"below": below, "level": level})


FACTS: dict[str, Check] = {
    "larger_lambda_less_bias_more_variance": _less_bias_more_variance,
    "lambda_one_is_always_best": _one_is_best,
    "a_bad_critic_wants_a_small_lambda": _bad_critic_small_lambda,
    "lambda_zero_is_delta": _zero_is_delta,
    "lambda_zero_makes_advantages_zero": _zero_is_nothing,
    "lambda_one_ignores_later_values": _one_ignores_later_values,
    "lambda_one_ignores_every_value": _one_ignores_all_values,
    "larger_lambda_means_larger_advantage": _larger_lambda_larger_advantage,
    "lambda_must_equal_gamma": _must_equal_gamma,
    "exact_critic_is_unbiased_at_every_lambda": _exact_is_unbiased,
    "larger_lambda_leans_on_the_critic": _larger_leans_on_the_critic,
    "lambda_half_is_the_middle": _half_is_the_middle,
    "lambda_concerns_the_actor_only": _actor_only,
    "lambda_zero_never_hears_the_final_reward": _zero_never_hears_the_end,
    "verl_default_lambda_is_below_one": _verl_below_one,
    "farther_deltas_count_less": _farther_means_less,
    **MORE,
    **TRIED,
    **PRACTICE,
    **STATED,
    **ASKED,
    **TURNS,
    **KIN,
}
