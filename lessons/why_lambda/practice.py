"""What learners claim of λ in practice: steadier training, whose critic, whose λ, and what projects ship with."""

from __future__ import annotations

from typing import Any

from engine.chance import World, spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._fact import Check, Judged
from lessons._trials import default, judged
from lessons.why_lambda.world import ERROR, ERRORS, LAMS, STEP, TOKENS, enumerated, world

SWING = 2.0


def _variances(of: World) -> list[Any]:
    """At λ one half and one."""
    return list(exact_facts(spread(of, (0.5, 1.0)), Scenario())["variance"])


def _zero_is_biased(_: Scenario) -> Judged:
    means = [enumerated(error).exact["mean"][0] for error in (0.0, ERROR)]
    return judged([mean != STEP for mean in means], truth=STEP, exact=means[0], off=means[1], error=ERROR)


def _steadier(_: Scenario) -> Judged:
    exact, wild = _variances(walk(TOKENS, step=STEP)), _variances(wild_critic(swing=SWING))
    return judged(
        [half < one for half, one in (exact, wild)],
        exact_half=exact[0], exact_one=exact[1], wild_half=wild[0], wild_one=wild[1],
    )  # fmt: skip


def _good_critic(_: Scenario) -> Judged:
    best = [found[1] for found in world().exact["best"]][::-1]
    return judged(best == sorted(best, reverse=True) and best[0] > best[-1], errors=list(ERRORS[::-1]), best=best)


def _means() -> list[Any]:
    """Of A_0 given a good first token, with an exact critic."""
    return list(enumerated(0.0).exact["mean"])


def _changes_optimum(_: Scenario) -> Judged:
    means = _means()
    return judged(len(set(means)) > 1, lams=list(LAMS), means=means)


def _average(lams: tuple[float, ...]) -> list[Any]:
    return list(exact_facts(spread(walk(TOKENS, step=STEP), lams), Scenario())["mean"])


def _own_lambdas(_: Scenario) -> Judged:
    """E[A_0] over all tokens, and E[R_0] = E[A_0] + V_0, by λ."""
    start = 0.5
    means = _average(LAMS)
    targets = [mean + type(mean)(start) for mean in means]
    right = not any(means) and all(float(target) == start for target in targets)
    return judged(right, lams=list(LAMS), advantages=means, targets=targets)


def _average_zero(_: Scenario) -> Judged:
    means = _average(LAMS)
    return judged(not any(means), lams=list(LAMS), means=means)


def _trl_is_one(_: Scenario) -> Judged:
    trl, verl = (gae(gamma=1.0, lam=default(name, "lam"))["advantages"][0] for name in ("trl", "verl"))
    return judged(default("trl", "lam") == 1, trl=trl, verl=verl)


def _verl_is_monte_carlo(_: Scenario) -> Judged:
    found = gae(gamma=default("verl", "gamma"), lam=default("verl", "lam"))
    return judged(found["advantages"] == found["mc_advantages"], a=found["advantages"], mc=found["mc_advantages"])


PRACTICE: dict[str, Check] = {
    "lambda_zero_is_biased": _zero_is_biased,
    "turning_lambda_down_makes_training_steadier": _steadier,
    "a_good_critic_allows_a_small_lambda": _good_critic,
    "lambda_changes_what_is_optimal": _changes_optimum,
    "actor_and_critic_may_have_their_own_lambda": _own_lambdas,
    "advantages_average_zero_at_every_lambda": _average_zero,
    "trl_default_lambda_is_one": _trl_is_one,
    "verl_default_gives_return_minus_value": _verl_is_monte_carlo,
}
