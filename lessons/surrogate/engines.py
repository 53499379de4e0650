"""Whose probability stands below the line: of the engine that samples, of the one that trains, of a policy between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import torch

from engine import formulas
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds

Chances = tuple[Fraction, ...]

LAYER = ((1.0, 0.5), (0.0, -0.5), (-0.5, 1.0))  # the last one, of two features and three tokens
FEATURES, KEPT, RATE = (1.0, 2.0), (1.0, 0.0), 0.5  # what dropout leaves of them, the rest made up for it
HOT, COOL = 1.0, 0.5

SAMPLER: Chances = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
TRAINER: Chances = (Fraction(2, 5), Fraction(2, 5), Fraction(1, 5))  # the same weights on another engine
CURRENT: Chances = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
WORTH = (Fraction(1), Fraction(2), Fraction(4))
EPS, MOST = Fraction(1, 5), Fraction(5, 4)
LIKELIEST = (Fraction(1, 2), Fraction(3, 10))  # what is kept of a vocabulary
PATH: tuple[Chances, ...] = tuple((half, 1 - half) for half in (Fraction(1, 2), Fraction(3, 4), Fraction(7, 8)))


def _log_probs(features: Sequence[float], temperature: float = HOT) -> list[float]:
    logits = torch.tensor(LAYER, dtype=torch.float64) @ torch.tensor(features, dtype=torch.float64)
    return list(torch.log_softmax(logits / temperature, 0).tolist())


def _ratios(new: Sequence[float], old: Sequence[float]) -> list[float]:
    return [round(formulas.ratio(*pair), 4) for pair in zip(new, old, strict=True)]


def _over(above: Chances, below: Chances) -> list[Fraction]:
    return [a / b for a, b in zip(above, below, strict=True)]


def _mean(of: Chances, weight: Callable[[int], Fraction]) -> Fraction:
    """What a token is worth on average, weighted."""
    return Fraction(expected(of, lambda i: weight(i) * WORTH[i]))


def _dropout(_: Scenario) -> Judged:
    plain = _log_probs(FEATURES)
    dropped = _log_probs([f * keep / (1 - RATE) for f, keep in zip(FEATURES, KEPT, strict=True)])
    same, other = _ratios(plain, plain), _ratios(dropped, plain)
    return Judged(holds(set(same) == {1.0} and 1.0 not in other), {"same": same, "other": other})


def _temperature(_: Scenario) -> Judged:
    hot, cool = _log_probs(FEATURES, HOT), _log_probs(FEATURES, COOL)
    same, other = _ratios(cool, cool), _ratios(hot, cool)
    return Judged(
        holds(set(same) == {1.0} and 1.0 not in other), {"hot": HOT, "cool": COOL, "same": same, "other": other}
    )


def _truncated(_: Scenario) -> Judged:
    """The two likeliest tokens, their probabilities made to add up to one, beside those of the whole softmax."""
    whole = LIKELIEST
    drawn = [p / sum(whole) for p in whole]
    weights = [p / d for p, d in zip(whole, drawn, strict=True)]
    mean = expected(drawn, lambda i: weights[i])
    likelier = all(d > p for d, p in zip(drawn, whole, strict=True))
    return Judged(
        holds(likelier and mean == sum(whole) < 1),
        {"whole": list(whole), "drawn": drawn, "weight": weights[0], "mean": mean},
    )


def _two_weights(_: Scenario) -> Judged:
    """What the current policy's tokens are worth on average, from the sampler's tokens, with one weight and both."""
    engine, ratio = _over(TRAINER, SAMPLER), _over(CURRENT, TRAINER)
    true = _mean(CURRENT, lambda _: Fraction(1))
    both, alone = _mean(SAMPLER, lambda i: engine[i] * ratio[i]), _mean(SAMPLER, lambda i: ratio[i])
    cut = _mean(SAMPLER, lambda i: min(engine[i], MOST) * ratio[i])
    product = [a * b for a, b in zip(engine, ratio, strict=True)]
    return Judged(
        holds(product == _over(CURRENT, SAMPLER) and both == true and true not in (alone, cut)),
        {"true": true, "both": both, "alone": alone, "most": MOST, "cut": round(float(cut), 4)},
    )


def _three_policies(_: Scenario) -> Judged:
    """The second token: over the policy that sampled it, and over the one that the clip is centred on."""
    proximal, current = TRAINER[1], TRAINER[1] * Fraction(11, 10)
    stale, near, weight = current / SAMPLER[1], current / proximal, proximal / SAMPLER[1]
    clipped = [formulas.is_clipped(ratio, Fraction(1), EPS, EPS) for ratio in (stale, near)]
    return Judged(
        holds(clipped == [1, 0] and near * weight == stale),
        {
            "sampled": SAMPLER[1],
            "proximal": proximal,
            "current": current,
            "stale": stale,
            "near": near,
            "weight": weight,
            "edge": 1 + EPS,
        },
    )


def _hidden(_: Scenario) -> Judged:
    """The first ratios over the trainer's own log-probabilities, and over those of the sampler."""
    own, real = _over(TRAINER, TRAINER), _over(TRAINER, SAMPLER)
    return Judged(holds(set(own) == {1} and 1 not in real), {"own": own, "real": real})


def _of_another(_: Scenario) -> Judged:
    """Tokens that another model wrote, weighted by one's own old probabilities and by those of the writer."""
    true = _mean(CURRENT, lambda _: Fraction(1))
    over_own, over_writer = _over(CURRENT, TRAINER), _over(CURRENT, SAMPLER)
    own, writer = _mean(SAMPLER, lambda i: over_own[i]), _mean(SAMPLER, lambda i: over_writer[i])
    return Judged(holds(own != true == writer), {"true": true, "own": own, "writer": writer})


def _moments(weights: Sequence[Fraction], old: Chances) -> tuple[Fraction, Fraction]:
    mean = Fraction(expected(old, lambda i: weights[i]))
    return mean, Fraction(expected(old, lambda i: formulas.squared_error(weights[i], mean)))


def _spread(_: Scenario) -> Judged:
    """Mean and variance of the weight, as the new policy goes away from the old one."""
    found = [_moments(_over(new, PATH[0]), PATH[0]) for new in PATH]
    means, spreads = zip(*found, strict=True)
    grows = all(a < b for a, b in pairwise(spreads))
    return Judged(
        holds(set(means) == {1} and grows),
        {"chances": [new[0] for new in PATH], "means": means, "spreads": spreads},
    )


ENGINES: dict[str, Check] = {
    "dropout_moves_the_first_ratios": _dropout,
    "temperature_must_be_the_same_on_both_sides": _temperature,
    "truncated_sampling_is_another_distribution": _truncated,
    "engine_weight_and_ppo_ratio_do_not_double": _two_weights,
    "three_policies_in_asynchronous_training": _three_policies,
    "recomputed_old_log_probs_hide_the_engine_gap": _hidden,
    "text_of_another_model_is_not_the_old_policys": _of_another,
    "weights_vary_more_the_farther_the_policy": _spread,
}
