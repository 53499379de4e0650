"""A small vocabulary under two policies: what each KL estimator says of every token, on average, and how it pulls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine import formulas
from engine.facts import Inputs, Program
from engine.ops import Number, exp, log
from engine.proofs.programs import expected

Row = tuple[float, ...]
Estimator = Callable[[Number, Number], Number]

ESTIMATORS: dict[str, Estimator] = {
    "k1": formulas.k1,
    "k2": formulas.k2,
    "k3": formulas.k3,
    "abs": formulas.abs_kl,
}
SLOPES: dict[str, Estimator] = {  # of each by the policy's log-probability; engine.proofs.kl proves them
    "k1": lambda _logp, _ref_logp: 1,
    "k2": formulas.k1,
    "k3": lambda logp, ref_logp: 1 - formulas.ratio(ref_logp, logp),
}


@dataclass(frozen=True)
class Vocabulary:
    """Each token's probability under the policy and under the reference."""

    policy: Row
    reference: Row


def estimates(vocabulary: Vocabulary) -> Program:
    """Each estimator by token, its mean and variance under the policy, and the divergence itself."""

    def program(x: Inputs) -> dict[str, Any]:
        p, q = _probabilities(x, vocabulary)
        by_token = {name: [of(log(a), log(b)) for a, b in zip(p, q, strict=True)] for name, of in ESTIMATORS.items()}
        mean = {name: _mean(p, row) for name, row in by_token.items()}
        return {
            "policy": p,
            "reference": q,
            **by_token,
            "mean": mean,
            "variance": {
                name: _mean(p, [formulas.squared_error(k, mean[name]) for k in row]) for name, row in by_token.items()
            },
            "divergence": expected(p, lambda a: log(p[a] / q[a])),
        }

    return program


def pulls(vocabulary: Vocabulary) -> Program:
    """The gradient of a unit of KL by each token's logit, taken out of the reward or added to the loss in each form.

    `stepped` are the probabilities after a step of gradient descent of rate 1: against the gradient.
    The policy is a softmax, so ∂log p(a)/∂z(b) is 1 − p(b) where a is b, and −p(b) elsewhere.
    """

    def program(x: Inputs) -> dict[str, Any]:
        p, q = _probabilities(x, vocabulary)
        logs = [(log(a), log(b)) for a, b in zip(p, q, strict=True)]

        def push(weights: Sequence[Number], b: int, a: int) -> Number:
            return weights[a] * ((1 if a == b else 0) - p[b])

        def pushed(weights: Sequence[Number]) -> list[Number]:
            return [expected(p, partial(push, weights, b)) for b in range(len(p))]

        in_loss = {f"{name}_in_loss": pushed([slope(*pair) for pair in logs]) for name, slope in SLOPES.items()}
        in_reward = pushed([formulas.k1(*pair) for pair in logs])
        stepped = _softmax([of_policy - slope for (of_policy, _), slope in zip(logs, in_reward, strict=True)])
        return {"policy": p, "reference": q, "in_reward": in_reward, "stepped": stepped, **in_loss}

    return program


def _softmax(logits: Sequence[Number]) -> list[Number]:
    powers = [exp(z) for z in logits]
    return [power / sum(powers) for power in powers]


def _probabilities(x: Inputs, vocabulary: Vocabulary) -> tuple[list[Number], list[Number]]:
    return [x.number("p", a) for a in vocabulary.policy], [x.number("q", b) for b in vocabulary.reference]


def _mean(p: Sequence[Number], row: Sequence[Number]) -> Number:
    return expected(p, lambda a: row[a])
