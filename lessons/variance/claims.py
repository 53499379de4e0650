"""What learners claim of variance, each with a check that runs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas, quantities
from engine.proofs.variance import gae_variance_grows_with_lambda
from engine.scenario import Scenario, scenario
from lessons._fact import Check, Judged, holds
from lessons.variance.asked import ASKED
from lessons.variance.checks import MORE
from lessons.variance.critics import CRITICS
from lessons.variance.places import PLACES
from lessons.variance.sources import SOURCES
from lessons.variance.stated import STATED
from lessons.variance.trials import TRIED
from lessons.variance.turns_on import TURNS
from lessons.variance.worlds import LAMS, STEP, SWING, TOKENS, counted


def _of(world: str) -> Mapping[float, Any]:
    """λ → Var A_0."""
    return dict(zip(LAMS, counted(world).exact["variance"], strict=True))


def _mean(world: str) -> Mapping[float, Any]:
    return dict(zip(LAMS, counted(world).exact["mean"], strict=True))


def _gae_varies_less(_: Scenario) -> Judged:
    exact, wild = _of("exact"), _of("wild")
    less, more = exact[0.5] < exact[1.0], wild[0.5] > wild[1.0]
    return Judged(
        "depends" if less and more else holds(less),
        {"gae": exact[0.5], "mc": exact[1.0], "wild_gae": wild[0.5], "wild_mc": wild[1.0]},
    )


def _any_critic(_: Scenario) -> Judged:
    wild = _of("wild")
    return Judged(holds(wild[0.0] <= wild[1.0]), {"swing": SWING, "zero": wild[0.0], "one": wild[1.0]})


def _untrained_is_noisier(_: Scenario) -> Judged:
    """A critic that sees nothing is no source of noise."""
    found = _of("given_blind")
    return Judged(holds(found[0.0] > found[1.0]), {"zero": found[0.0], "one": found[1.0], "wild": _of("wild")[0.0]})


def _more_samples(_: Scenario) -> Judged:
    """A response's advantages are the same whether it is computed alone or beside others."""
    rewards, values = [[0, 0, 1], [1, 0, 0]], [[0.5, 0.25, 0.75], [0.5, 0.5, 0.5]]
    parts = {"gamma": 1, "lam": 0.5}
    beside = quantities.facts("gae", scenario({"rewards": rewards, "values": values, **parts})).exact["advantages"][0]
    alone = quantities.facts("gae", scenario({"rewards": rewards[0], "values": values[0], **parts})).exact["advantages"]
    return Judged(holds(beside != alone), {"alone": alone, "beside": beside})


def _falls_with_lambda(_: Scenario) -> Judged:
    gae_variance_grows_with_lambda()
    found = list(_of("two_coins").values())
    return Judged(holds(found == sorted(found, reverse=True)), {"lams": list(LAMS), "variances": found})


def _baseline_leaves_it(_: Scenario) -> Judged:
    """Var(G − V) and Var(G) from one given state: λ = 1, with V and with V put to 0."""
    with_v, without = _of("exact")[1.0], _of("without_values")[1.0]
    return Judged(holds(with_v == without), {"with_v": with_v, "without": without})


def _baseline_is_the_reason(_: Scenario) -> Judged:
    """Both subtract the same V_t; what differs is λ."""
    found = _of("exact")
    return Judged(holds(found[0.5] == found[1.0]), {"half": found[0.5], "one": found[1.0]})


def _less_is_more_accurate(_: Scenario) -> Judged:
    variances, means = _of("given_wrong"), _mean("given_wrong")
    truth = Fraction(STEP)
    errors = {lam: formulas.squared_error(means[lam], truth) + variances[lam] for lam in (0.0, 1.0)}
    return Judged(
        holds(variances[0.0] >= variances[1.0] or errors[0.0] <= errors[1.0]),
        {"variance_zero": variances[0.0], "variance_one": variances[1.0], "error_zero": errors[0.0],
         "error_one": errors[1.0]},
    )  # fmt: skip


def _only_smaller_numbers(_: Scenario) -> Judged:
    """With an exact critic the mean stays what it is while the variance falls."""
    means, variances = _mean("given_good"), _of("given_good")
    return Judged(
        holds(means[0.5] != means[1.0]),
        {"mean": means[0.5], "half": variances[0.5], "one": variances[1.0]},
    )


def _grows_with_length(_: Scenario) -> Judged:
    """With news at every token it does; with one coin at the end it does not."""
    rises = _of("exact")[1.0] == TOKENS * Fraction(STEP) ** 2
    stays = _of("one_coin_near")[1.0] == _of("one_coin_far")[1.0]
    return Judged(
        "depends" if rises and stays else holds(rises),
        {"tokens": TOKENS, "each": Fraction(STEP) ** 2, "all": _of("exact")[1.0],
         "near": _of("one_coin_near")[1.0], "far": _of("one_coin_far")[1.0]},
    )  # fmt: skip


def _deterministic_reward(_: Scenario) -> Judged:
    """In the exact world the reward is a function of the tokens; the tokens are what is drawn."""
    return Judged(holds(_of("exact")[1.0] == 0), {"variance": _of("exact")[1.0]})


def _one_response_shows_it(_: Scenario) -> Judged:
    """In two worlds GAE at λ = ½ can differ from G − V by the same kind of gap, and the variances order differently."""
    exact, wild = _of("exact"), _of("wild")
    return Judged(
        holds((exact[0.5] < exact[1.0]) == (wild[0.5] < wild[1.0])),
        {"gae": exact[0.5], "mc": exact[1.0], "wild_gae": wild[0.5], "wild_mc": wild[1.0]},
    )


def _for_free(_: Scenario) -> Judged:
    means, variances = _mean("given_wrong"), _of("given_wrong")
    return Judged(
        holds(means[0.5] == Fraction(STEP)),
        {"truth": Fraction(STEP), "half": means[0.5], "variance_half": variances[0.5], "variance_one": variances[1.0]},
    )


FACTS: dict[str, Check] = {
    "gae_varies_less_than_monte_carlo": _gae_varies_less,
    "any_critic_makes_gae_vary_less": _any_critic,
    "an_untrained_critic_makes_gae_noisier": _untrained_is_noisier,
    "gae_uses_more_samples": _more_samples,
    "variance_falls_as_lambda_grows": _falls_with_lambda,
    "baseline_leaves_the_variance_given_the_state": _baseline_leaves_it,
    "the_baseline_is_why_gae_varies_less": _baseline_is_the_reason,
    "less_variance_means_more_accurate": _less_is_more_accurate,
    "only_because_the_numbers_are_smaller": _only_smaller_numbers,
    "monte_carlo_variance_grows_with_length": _grows_with_length,
    "a_deterministic_reward_has_no_variance": _deterministic_reward,
    "one_response_shows_the_variance": _one_response_shows_it,
    "less_variance_comes_for_free": _for_free,
    **MORE,
    **TRIED,
    **CRITICS,
    **PLACES,
    **STATED,
    **ASKED,
    **SOURCES,
    **TURNS,
}
