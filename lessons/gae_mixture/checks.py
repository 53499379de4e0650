"""More of what learners claim about the mixture: whose weights, what enters them, what n steps are made of."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from engine import formulas, quantities, sequences
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._first import on_own

ONE, HALF, LAM = Fraction(1), Fraction(1, 2), Fraction(19, 20)


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.nstep_mixture, at_hand().merged(changes))


def _weights(length: int, lam: Fraction) -> list[Any]:
    return sequences.mixture_weights(length, lam)


def _same_weights_everywhere(_: Scenario) -> Judged:
    """At the first of six tokens, and at one with three left."""
    first, later = _weights(6, HALF), _weights(3, HALF)
    return Judged(holds(first[:3] == later), {"first": first, "later": later})


def _last_token_has_one(_: Scenario) -> Judged:
    found = _weights(1, HALF)
    own = _at()
    return Judged(
        holds(found == [1] and own["advantages"][-1] == own["deltas"][-1]),
        {"weight": found[0], "adv": own["advantages"][-1], "delta": own["deltas"][-1]},
    )


def _zero_leaves_one_step(_: Scenario) -> Judged:
    weights = _weights(4, 0 * ONE)
    own = _at(lam=0.0)
    return Judged(
        holds(weights == [1, 0, 0, 0] and own["advantages"] == own["deltas"]),
        {"weights": weights, "adv": own["advantages"][0], "delta": own["deltas"][0]},
    )


def _some_weight_is_negative(_: Scenario) -> Judged:
    lams = [Fraction(k, 10) for k in range(11)]
    least = min(min(_weights(6, lam)) for lam in lams)
    return Judged(holds(least < 0), {"least": least, "tried": len(lams)})


def _gamma_is_in_the_weights(_: Scenario) -> Judged:
    one, half = _at(gamma=1.0), _at(gamma=0.5)
    return Judged(
        holds(one["weights"] != half["weights"]),
        {"one": one["weights"][0], "half": half["weights"][0], "two_one": one["n_step_advantages"][1],
         "two_half": half["n_step_advantages"][1]},
    )  # fmt: skip


def _recursion_gives_the_mixture(own: Scenario) -> Judged:
    theorem("gae_is_mixture_of_n_step_advantages")
    found = exact_facts(quantities.nstep_mixture, own)
    return Judged(
        holds(close(found["mixture"], found["advantages"])),
        {"mixture": found["mixture"][0], "recursion": found["advantages"][0]},
    )


def _two_steps_are_two_deltas(_: Scenario) -> Judged:
    theorem("n_step_advantage_is_sum_of_deltas")
    found = _at()
    total = found["deltas"][0] + formulas.discounted(found["deltas"][1], ONE, 1)
    return Judged(
        holds(close(found["n_step_advantages"][1], total)),
        {"two": found["n_step_advantages"][1], "deltas": found["deltas"][:2]},
    )


def _lambda_is_in_every_estimate(_: Scenario) -> Judged:
    half, one = _at(lam=0.5)["n_step_advantages"][1], _at(lam=1.0)["n_step_advantages"][1]
    return Judged(holds(half != one), {"half": half, "one": one})


def _horizon_is_the_mean(_: Scenario) -> Judged:
    """The mean number of steps against 1/(1 − λ), on a short response and a long one."""

    def mean_steps(length: int) -> Fraction:
        return sum((n * w for n, w in enumerate(_weights(length, LAM), start=1)), 0 * ONE)

    horizon = 1 / (1 - LAM)
    short, long = mean_steps(6), mean_steps(400)
    near = abs(long - horizon) < Fraction(1, 100)
    return Judged(
        "depends" if near and short < horizon - 1 else holds(near),
        {"horizon": horizon, "short": round(float(short), 6), "long": round(float(long), 6), "lam": LAM},
    )


def _estimates_agree_without_news(_: Scenario) -> Judged:
    """Nothing surprising after the first token: later δ are 0."""
    rewards, values = [0 * ONE, 0 * ONE, ONE], [HALF, ONE, ONE]
    found = sequences.n_step_advantages(rewards, values, ONE)
    return Judged(holds(len(set(found)) == 1), {"r": rewards, "v": values, "steps": found})


def _one_step_ignores_reward(_: Scenario) -> Judged:
    """How many rewards are in A^(n): which of them move it."""
    values = [HALF] * 4

    def seen(n: int) -> int:
        plain = sequences.n_step_return([0 * ONE] * 4, values, ONE, 0, n)
        moved = [sequences.n_step_return([ONE * (t == k) for t in range(4)], values, ONE, 0, n) for k in range(4)]
        return sum(m != plain for m in moved)

    counts = [seen(n) for n in (1, 2, 3)]
    return Judged(holds(counts == [1, 2, 3]), {"counts": counts})


def _first_weight(_: Scenario) -> Judged:
    weights = _weights(6, LAM)
    return Judged(holds(weights[0] == 1 - LAM), {"first": weights[0], "last": weights[-1], "lam": LAM})


def _lambda_is_the_one_step_share(_: Scenario) -> Judged:
    weights = _weights(6, Fraction(9, 10))
    return Judged(holds(weights[0] == Fraction(9, 10)), {"first": weights[0], "lam": Fraction(9, 10)})


def _each_weight_is_lambda_times_the_one_before(_: Scenario) -> Judged:
    """The quotients of neighbouring weights, the last one too."""
    weights = _weights(5, Fraction(4, 5))
    quotients = [b / a for a, b in pairwise(weights)]
    return Judged(holds(set(quotients) == {Fraction(4, 5)}), {"quotients": quotients})


MORE: dict[str, Check] = {
    "every_token_uses_the_same_weights": _same_weights_everywhere,
    "last_token_has_a_single_estimate": _last_token_has_one,
    "lambda_zero_leaves_only_one_step": _zero_leaves_one_step,
    "weights_can_be_negative": _some_weight_is_negative,
    "gamma_is_in_the_weights": _gamma_is_in_the_weights,
    "recursion_gives_exactly_the_mixture": on_own(_recursion_gives_the_mixture),
    "two_step_advantage_is_two_deltas": _two_steps_are_two_deltas,
    "each_n_step_estimate_contains_lambda": _lambda_is_in_every_estimate,
    "mean_look_ahead_is_the_horizon": _horizon_is_the_mean,
    "estimates_agree_when_nothing_surprises": _estimates_agree_without_news,
    "n_step_estimate_uses_n_rewards": _one_step_ignores_reward,
    "first_weight_is_one_less_lambda": _first_weight,
    "lambda_is_the_weight_of_one_step": _lambda_is_the_one_step_share,
    "each_weight_is_lambda_times_the_one_before": _each_weight_is_lambda_times_the_one_before,
}
