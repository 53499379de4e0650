"""What the size of raw advantages does to a step: of plain descent, and of an optimizer that divides by its size."""

from __future__ import annotations

from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged
from lessons._weighed import weighed
from lessons.whitening.judged import GIVEN

FACTOR = 100


def _slope(advantages: list[int]) -> float:
    """How the surrogate moves with the ratio of the first token, from either side of one."""
    rest = [1.0] * (len(advantages) - 1)
    above, below = (
        float(alone("surrogate", ratio=[ratio, *rest], advantages=advantages)["surrogate"]) for ratio in (1.5, 0.5)
    )
    return round(above - below, 6)


def _raw_scale_sets_the_step(_: Scenario) -> Judged:
    """Advantages a hundredfold: the step in proportion to the slope, and the step of size one in its direction."""
    plain = [_slope([factor * a for a in GIVEN]) for factor in (1, FACTOR)]
    scaled = [slope / abs(slope) for slope in plain]
    return Judged(
        weighed(plain[1] > plain[0], scaled[0] == scaled[1]), {"factor": FACTOR, "plain": plain, "scaled": scaled}
    )


STEPS: dict[str, Check] = {"raw_scale_sets_the_step": _raw_scale_sets_the_step}
