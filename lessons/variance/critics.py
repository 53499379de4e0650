"""What learners claim of the critic's part in the variance: better critics, values for rewards, Monte Carlo in use."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.chance import World, blind, spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import default, judged
from lessons.variance.worlds import STEP, SWING, TOKENS, counted

LAMS = (0.0, 0.5, 1.0)
EXACT, WILD = walk(TOKENS, step=STEP), wild_critic(swing=SWING)
CALMED = replace(WILD, values=((1.0, 1.0),) * 2)  # the same responses, and a critic that knows they all earn 1


def _of(world: World) -> list[Any]:
    return list(exact_facts(spread(world, LAMS), Scenario())["variance"])


def _better_is_quieter(_: Scenario) -> Judged:
    wild, calmed, unseeing, exact = (_of(world)[1] for world in (WILD, CALMED, blind(EXACT), EXACT))
    return judged([calmed < wild, exact < unseeing], wild=wild, wild_exact=calmed, blind=unseeing, exact=exact)


def _values_for_rewards(_: Scenario) -> Judged:
    exact, wild = _of(EXACT), _of(WILD)
    return judged(
        [found[0] < found[2] for found in (exact, wild)],
        exact_zero=exact[0], exact_one=exact[2], wild_zero=wild[0], wild_one=wild[2],
    )  # fmt: skip


def _too_noisy(_: Scenario) -> Judged:
    found = counted("given_wrong").exact
    zero, one = (formulas.squared_error(found["mean"][i], Fraction(str(STEP))) + found["variance"][i] for i in (0, -1))
    return judged(not (default("verl", "lam") == 1 and one < zero), zero=zero, one=one)


CRITICS: dict[str, Check] = {
    "a_better_critic_lowers_gae_variance": _better_is_quieter,
    "replacing_far_rewards_by_values_lowers_variance": _values_for_rewards,
    "monte_carlo_is_too_noisy_to_use": _too_noisy,
}
