"""Where γ would stand in the exact policy gradient of the discounted return, and does not stand in PPO's code."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, world
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged

CHANCE, STEP = Fraction(1, 4), Fraction(1, 100)  # of the first token, in every state


def _known(chance: Fraction, gamma: Fraction) -> world.World:
    rewards = {path: Fraction(str(r)) for path, r in world.SMALL_REWARDS.items()}
    return world.World((chance, 1 - chance), rewards, gamma)


def _exact(gamma: Fraction) -> Any:
    """How the mean discounted return moves with the chance: it is a parabola, so its slope is this difference."""
    up, down = (_known(CHANCE + step, gamma).value(()) for step in (STEP, -STEP))
    return (up - down) / (2 * STEP)


def _estimated(gamma: Fraction, discount: Fraction) -> Any:
    """The mean over all responses of the sum of ∂log π · A, each step with its own power of a discount."""
    known = _known(CHANCE, gamma)

    def drawn(response: world.Path) -> Any:
        total: Any = NONE
        for t, token in enumerate(response):
            slope = 1 / CHANCE if token == 0 else -1 / (1 - CHANCE)
            before = response[:t]
            advantage = formulas.advantage(known.q(before, token), known.value(before))
            total += formulas.discounted(slope * advantage, discount, t)
        return total

    return known.expected(drawn)


def _factor_is_left_out(_: Scenario) -> Judged:
    """The slope itself; the policy gradient with the power of γ and without; and all of it at γ = 1."""
    gammas = (HALF, ONE)
    exact = [_exact(gamma) for gamma in gammas]
    with_it = [_estimated(gamma, gamma) for gamma in gammas]
    without = [_estimated(gamma, ONE) for gamma in gammas]
    return judged(
        exact == with_it and without[0] != exact[0] and without[1] == exact[1],
        gamma=HALF, exact=exact[0], with_it=with_it[0], without=without[0], one=ONE, same=without[1],
    )  # fmt: skip


GRADIENT: dict[str, Check] = {"exact_gradient_has_a_power_of_gamma_for_each_step": _factor_is_left_out}
