"""What the critic is for at γ = λ = 1: a world of outcome rewards, its V, and one number in the place of every V."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from engine import formulas, world
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged

CHANCES = (HALF, HALF)
SCORES: Mapping[world.Path, Fraction] = {
    (0, 0): ONE, (0, 1): Fraction(3, 4), (1, 0): Fraction(1, 4), (1, 1): NONE,
}  # fmt: skip
ON_THE_WAY: Mapping[world.Path, Fraction] = {(0,): NONE, (1,): NONE}
KNOWN = world.World(CHANCES, {**ON_THE_WAY, **SCORES}, ONE)
Baselines: TypeAlias = Callable[[world.Path], Sequence[Any]]  # what is taken off along a response


def always(values: Sequence[Fraction]) -> Baselines:
    """The same whatever is written."""
    return lambda _: values


def mean_gradient(baselines: Baselines) -> Any:
    """The mean over all responses of Σ ∂log π · (G − b), by the logit of the first token."""

    def drawn(response: world.Path) -> Any:
        slopes = [(1 if token == 0 else 0) - CHANCES[0] for token in response]
        return sum(s * a for s, a in zip(slopes, advantages(response, baselines), strict=True))

    return KNOWN.expected(drawn)


def advantages(response: world.Path, baselines: Baselines) -> list[Any]:
    return [formulas.advantage(SCORES[response], b) for b in baselines(response)]


def _noise(baselines: Baselines) -> Any:
    """The mean square of what the second token is given."""
    return KNOWN.expected(lambda response: formulas.squared_error(advantages(response, baselines)[1], NONE))


def _only_a_baseline(_: Scenario) -> Judged:
    mean = KNOWN.value(())
    baselines: tuple[Baselines, Baselines] = (KNOWN.values_along, always([mean] * len(KNOWN.responses[0])))
    gradients, noise = ([of(b) for b in baselines] for of in (mean_gradient, _noise))
    return judged(
        gradients[0] == gradients[1] and noise[0] < noise[1],
        mean=mean, along=KNOWN.values_along((0, 0)), gradients=gradients, noise=noise,
    )  # fmt: skip


FACTS: dict[str, Check] = {"at_lambda_one_the_critic_is_a_baseline_that_moves": _only_a_baseline}
