"""What the KL compares: the probabilities that two models give to tokens, whatever numbers the models are made of."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import Any

from engine.facts import Inputs, exact_facts
from engine.ops import exp, log
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

Weights = tuple[float, float]  # of the last layer, one for each of two tokens
SHIFTED: tuple[Weights, Weights] = ((1.0, 0.0), (6.0, 5.0))  # far apart, and a softmax takes no notice of a shift
NUDGED: tuple[Weights, Weights] = ((0.0, 0.0), (0.01, 0.0))
SMALL, LARGE = 1.0, 400.0  # what comes out of the layer before


def _softmax(logits: Sequence[Any]) -> list[Any]:
    powers = [exp(x) for x in logits]
    return [power / sum(powers) for power in powers]


def _divergence(models: tuple[Weights, Weights], feature: float) -> float:
    def program(x: Inputs) -> dict[str, Any]:
        h = x.number("feature", feature)
        p, q = (_softmax([x.number("weight", w) * h for w in model]) for model in models)
        return {"divergence": expected(p, lambda a: log(p[a]) - log(q[a]))}

    return abs(round(float(exact_facts(program, Scenario())["divergence"]), 6))


def _distributions(_: Scenario) -> Judged:
    """Weights far apart with one distribution, and weights close together with two."""
    far, near = dist(*SHIFTED), dist(*NUDGED)
    same, other = _divergence(SHIFTED, SMALL), _divergence(NUDGED, LARGE)
    return Judged(
        holds(far > near and same == 0 < other),
        {"far": round(far, 4), "same": same, "near": near, "feature": LARGE, "other": round(other, 4)},
    )


WEIGHTS: dict[str, Check] = {"kl_compares_distributions_and_not_weights": _distributions}
