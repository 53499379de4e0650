"""What people ask of variance beside λ: which baselines help, what training and noisy rewards do, what scales how."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import Any

from engine import formulas, groups
from engine.chance import coins, noise_of_later_tokens, one_coin, spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, rational, trial
from lessons.variance.worlds import STEP, SWING, TOKENS

LAMS = (0.0, 0.5, 1.0)
LAM = Fraction("0.95")


def _moments(numbers: Sequence[Any]) -> tuple[Any, Any]:
    """Mean and variance of numbers equally likely."""
    mean = formulas.mean(sum(numbers), len(numbers))
    return mean, formulas.mean(sum(formulas.squared_error(x, mean) for x in numbers), len(numbers))


def _variances(world: Any) -> list[Any]:
    return list(exact_facts(spread(world, LAMS), Scenario())["variance"])


def _gradient(advantages: Sequence[Any]) -> tuple[Any, Any]:
    """A·∂log p by the logit of the token that was drawn at even odds."""
    return _moments([a * HALF for a in advantages])


def _noisy_gradients(_: Scenario) -> Judged:
    swings = rational((0, 1, 2))
    found = [_gradient([ONE + swing, ONE - swing]) for swing in swings]
    variances = [variance for _, variance in found]
    rises = variances == sorted(set(variances)) and len({mean for mean, _ in found}) == 1
    return judged(rises, swings=swings, mean=found[0][0], variances=variances)


def _training(_: Scenario) -> Judged:
    """One choice decides between a point and none: a policy that grows sure, and one that leaves sure failure."""
    sure, rising = rational(("1/2", "9/10")), rational(("1/10", "1/2"))
    (before, after), (low, high) = ([p * (1 - p) for p in pair] for pair in (sure, rising))
    return judged(
        [after < before, high < low], sure=sure, before=before, after=after, rising=rising, low=low, high=high
    )


def _temperature(_: Scenario) -> Judged:
    """The right token leads: against one other, and against nine others, at a temperature of one and of two."""

    def variance(others: int, temperature: float) -> float:
        right = exp(2 / temperature)
        p = right / (right + others)
        return round(p * (1 - p), 4)

    (few, few_hot), (many, many_hot) = ([variance(n, heat) for heat in (1.0, 2.0)] for n in (1, 9))
    return judged([few_hot > few, many_hot > many], few=few, few_hot=few_hot, many=many, many_hot=many_hot)


def _reward_noise(_: Scenario) -> Judged:
    signs, noise = (ONE, -ONE), HALF
    clean = [trial((0, end), (0, 0)).advantages[0] for end in signs]
    noisy = [trial((0, end + by * noise), (0, 0)).advantages[0] for end in signs for by in signs]
    before, after, own = _moments(clean)[1], _moments(noisy)[1], _moments([noise, -noise])[1]
    return judged(after == before + own, before=before, own=own, after=after)


def _proportional(_: Scenario) -> Judged:
    found = _variances(coins(2))
    return judged(found[0] == 0 and found[1] * 2 == found[2], lams=list(LAMS), variances=found)


def _quiet_at_one(_: Scenario) -> Judged:
    found = _variances(wild_critic(swing=SWING))
    return judged(found[2] == 0 < found[0], lams=list(LAMS), variances=found)


def _long_gain(_: Scenario) -> Judged:
    tokens = (1, 10, 100)
    left = [round(float(noise_of_later_tokens(1.0, n, 1.0, float(LAM), own=True) / n), 4) for n in tokens]
    return judged(left == sorted(set(left), reverse=True), lam=LAM, tokens=list(tokens), left=left)


def _gae_grows(_: Scenario) -> Judged:
    tokens = (2, 6)
    news, end = ([_variances(world(n))[1] for n in tokens] for world in (coins, one_coin))
    return judged([pair[1] > pair[0] for pair in (news, end)], tokens=list(tokens), news=news, end=end)


def _deviation(_: Scenario) -> Judged:
    variance = _variances(walk(TOKENS, step=STEP))[0]
    deviation = sqrt(variance)
    return judged(float(variance) == deviation, variance=variance, deviation=deviation)


def _kl_adds(_: Scenario) -> Judged:
    """A score and a cost, drawn independently; and a cost that is paid where the score is high."""
    scores, cost = rational((1, 0)), HALF
    plain = _moments(scores)[1]
    free = _moments([s - c for s in scores for c in (NONE, cost)])[1]
    tied = _moments([s - cost * s for s in scores])[1]
    return judged([free > plain, tied > plain], plain=plain, free=free, tied=tied)


def _group_mean(_: Scenario) -> Judged:
    prompts = [rational(("1/10", "3/10")), rational(("7/10", "9/10"))]
    scores = [s for group in prompts for s in group]
    centred = groups.mean_centred(scores, [0, 0, 1, 1])
    before, after = _moments(scores)[1], _moments(centred)[1]
    return judged(after < before, scores=scores, before=before, after=after)


def _any_baseline(_: Scenario) -> Judged:
    q, baselines = rational((3, 1)), rational((0, 2, 9))
    found = [_moments([(q[0] - b) * HALF, (q[1] - b) * -HALF])[1] for b in baselines]
    return judged(max(found[1:]) < found[0], b=baselines, variances=found)


def _means_zero(_: Scenario) -> Judged:
    """One and the same response each time, and a critic that always says one half."""
    found = [trial((0, 1), (HALF, HALF)).advantages[0] for _ in range(2)]
    _, variance = _moments(found)
    return judged(not (variance == 0 and found[0] != 0), a=found[0], variance=variance)


def _batch_or_lambda(_: Scenario) -> Judged:
    """Two responses at λ = 1 against one at λ = 1/2: many tokens with news, and a single one."""
    long, short = (_variances(walk(n, step=STEP)) for n in (TOKENS, 1))
    found = {"long": (long[2] / 2, long[1]), "short": (short[2] / 2, short[1])}
    cases = [batch < lam for batch, lam in found.values()]
    return judged(cases, tokens=TOKENS, **{name: list(pair) for name, pair in found.items()})


ASKED: dict[str, Check] = {
    "noisy_advantages_make_noisy_gradients": _noisy_gradients,
    "training_lowers_the_variance": _training,
    "a_higher_temperature_raises_the_variance": _temperature,
    "reward_noise_adds_to_the_variance": _reward_noise,
    "variance_is_proportional_to_lambda": _proportional,
    "at_lambda_one_later_values_add_no_noise": _quiet_at_one,
    "longer_responses_gain_more_from_a_smaller_lambda": _long_gain,
    "gae_variance_grows_with_the_length": _gae_grows,
    "variance_and_standard_deviation_are_one": _deviation,
    "the_kl_penalty_adds_variance": _kl_adds,
    "the_group_mean_lowers_variance_as_a_baseline": _group_mean,
    "any_baseline_lowers_the_variance": _any_baseline,
    "no_variance_means_zero_advantage": _means_zero,
    "a_larger_batch_is_better_than_a_smaller_lambda": _batch_or_lambda,
}
