"""More of what learners claim of variance, counted over every course: how noise adds up, and what feeds it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import sqrt
from typing import Any

from engine import formulas
from engine.chance import World, noise_of_later_tokens, one_coin, spread, walk
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, judged, rational, trial
from lessons.variance.worlds import STEP, TOKENS, counted

LAMS = (0.0, 0.5, 1.0)
EACH = Fraction(str(STEP)) ** 2
LAM = Fraction(19, 20)


def _moments(numbers: Sequence[Any]) -> tuple[Any, Any]:
    """Mean and variance of numbers that are equally likely."""
    mean = formulas.mean(sum(numbers), len(numbers))
    return mean, formulas.mean(sum(formulas.squared_error(x, mean) for x in numbers), len(numbers))


def _of(world: World) -> list[Any]:
    """Var A_0 at each of LAMS."""
    return list(exact_facts(spread(world, LAMS), Scenario())["variance"])


def _courses(world: World, lam: Any) -> list[Any]:
    """A trial for each course, all equally likely."""
    return [trial(map(Fraction, r), map(Fraction, v), lam) for r, v in zip(world.rewards, world.values, strict=True)]


def _squared(_: Scenario) -> Judged:
    counted_half = _of(walk(TOKENS, step=STEP))[1]
    squared, plain = (sum(formulas.discounted(EACH, w, k) for k in range(TOKENS)) for w in (HALF**2, HALF))
    return judged(counted_half == squared, each=EACH, tokens=TOKENS, counted=counted_half, squared=squared, plain=plain)


def _quartered(_: Scenario) -> Judged:
    _zero, half, one = _of(walk(2, step=STEP, first=1))
    return judged(half / one == Fraction(1, 4), one=one, half=half, ratio=half / one)


def _bounded(_: Scenario) -> Judged:
    lam, tokens = Fraction(9, 10), (10, 100, 1000)

    def noise(at: Fraction) -> list[float]:
        return [round(float(noise_of_later_tokens(1.0, n, 1.0, float(at), own=True)), 4) for n in tokens]

    bound = round(float(1 / (1 - lam**2)), 4)
    found, mc = noise(lam), noise(ONE)
    return judged(max(found) <= bound < max(mc), lam=lam, tokens=list(tokens), gae=found, mc=mc, bound=bound)


def _last_is_the_same(_: Scenario) -> Judged:
    world = walk(4, step=STEP)
    variances = [_moments([one.advantages[-1] for one in _courses(world, str(lam))])[1] for lam in LAMS]
    return judged(len(set(variances)) == 1, lams=list(LAMS), variances=variances)


def _outcome_noise(_: Scenario) -> Judged:
    courses = _courses(one_coin(4), 1)
    variances = [_moments([one.mc_returns[t] for one in courses])[1] for t in range(4)]
    return judged(len(set(variances)) == 1 and variances[0] > 0, tokens=4, variances=variances)


def _sum_of_variances(_: Scenario) -> Judged:
    signs = (ONE, -ONE)
    independent = _moments([a + b for a in signs for b in signs])[1]
    together, each = _moments([a + a for a in signs])[1], _moments(signs)[1]
    cases = [total == 2 * each for total in (independent, together)]
    return judged(cases, each=each, independent=independent, together=together)


def _gradient_baseline(_: Scenario) -> Judged:
    """(Q − b)·∂log p by the first choice's logit, at even odds."""
    q, v = rational((3, 1)), Fraction(2)

    def gradients(baseline: Fraction) -> tuple[Any, Any]:
        return _moments([(q[0] - baseline) * HALF, (q[1] - baseline) * -HALF])

    (mean, without), (same, with_v) = gradients(NONE), gradients(v)
    return judged(mean == same and with_v < without, q=q, mean=mean, without=without, v=v, same=same, with_v=with_v)


def _between_prompts(_: Scenario) -> Judged:
    values, swing = rational(("1/5", "4/5")), Fraction(1, 10)
    returns = [(v + sign * swing, v) for v in values for sign in (1, -1)]
    g, a = _moments([g for g, _ in returns])[1], _moments([formulas.advantage(g, v) for g, v in returns])[1]
    return judged(a < g, v=values, swing=swing, g=g, a=a)


def _clip(_: Scenario) -> Judged:
    eps = (0.1, 0.2, 0.3)
    found = [exact("clip", old_logp=RUNNING.logp, eps=e)["advantages"][0] for e in eps]
    return judged(len(set(found)) > 1, eps=list(eps), a=found)


def _epochs(_: Scenario) -> Judged:
    before, after = gae()["advantages"][0], gae(vpreds=[9.0] * 6, new_logp=[-3.0] * 6)["advantages"][0]
    return judged(before != after, before=before, after=after)


def _four_times(_: Scenario) -> Judged:
    counts = (1, 4)
    variances = [_moments([formulas.mean(sum(way), n) for way in product((ONE, -ONE), repeat=n)])[1] for n in counts]
    deviations = [sqrt(x) for x in variances]
    return judged(
        variances[1] == variances[0] / 4 and deviations[1] == deviations[0] / 2,
        counts=list(counts), variances=variances, deviations=deviations,
    )  # fmt: skip


def _wrong(lam: int) -> tuple[Any, Any]:
    """Mean and variance with a critic far off, at λ = 0 or 1."""
    found = counted("given_wrong").exact
    return found["mean"][-lam], found["variance"][-lam]


def _high_is_biased(_: Scenario) -> Judged:
    mean, variance = _wrong(1)
    most = max(counted("given_wrong").exact["variance"])
    return judged(not (variance == most and mean == STEP), truth=STEP, variance=variance, mean=mean)


def _steady_is_right(_: Scenario) -> Judged:
    mean, variance = _wrong(0)
    return judged(not (variance == 0 and mean != STEP), truth=STEP, variance=variance, mean=mean)


def _decomposed(_: Scenario) -> Judged:
    truth, world = Fraction(str(STEP)), walk(4, step=STEP, error=0.5, fade=0.5, first=1)
    found = [one.advantages[0] for one in _courses(world, HALF)]
    mean, variance = _moments(found)
    total = formulas.mean(sum(formulas.squared_error(a, truth) for a in found), len(found))
    bias = mean - truth
    split = formulas.squared_error(bias, NONE) + variance
    return judged(total == split, bias=bias, variance=variance, counted=total, sum=split)


def _delta_alone(_: Scenario) -> Judged:
    tokens = (2, 4, 6)
    found = [_of(walk(n, step=STEP)) for n in tokens]
    delta, mc = [row[0] for row in found], [row[2] for row in found]
    return judged(len(set(delta)) == 1 and mc == sorted(set(mc)), tokens=list(tokens), delta=delta, mc=mc)


def _most_at_095(_: Scenario) -> Judged:
    tokens = (6, 50, 500)
    left = [noise_of_later_tokens(1.0, n, 1.0, float(LAM), own=True) / n for n in tokens]
    return judged([x < 0.5 for x in left], lam=LAM, tokens=list(tokens), left=[round(x, 4) for x in left])


def _batch_spread(_: Scenario) -> Judged:
    """The good and the bad first token, each given; exact critic, λ = 0."""
    groups = [[one.advantages[0] for one in _courses(walk(4, step=STEP, first=sign), 0)] for sign in (1, -1)]
    truths, noise = ([_moments(group)[i] for group in groups] for i in (0, 1))
    spread_of_all = _moments([a for group in groups for a in group])[1]
    return judged(not (spread_of_all > max(noise)), truths=truths, noise=noise, spread=spread_of_all)


def _more_samples(_: Scenario) -> Judged:
    _zero, half, one = _of(walk(TOKENS, step=STEP))
    times = one / half
    return judged(times > 1 and one / times == half, half=half, one=one, times=round(float(times), 4))


def _doubled(_: Scenario) -> Judged:
    one, two = (_of(walk(4, step=step, start=start))[2] for step, start in ((STEP, 0.5), (2 * STEP, 1.0)))
    return judged(two == 4 * one, before=one, after=two, ratio=two / one)


def _shifted(_: Scenario) -> Judged:
    low, high = rational((0, 1)), rational((1, 2))
    before, after = _moments(low)[1], _moments(high)[1]
    return judged(after > before, low=low, high=high, before=before, after=after)


def _last_given(_: Scenario) -> Judged:
    courses = _courses(walk(3, step=STEP), 1)
    with_end = [(one.advantages[-1], one.rewards[-1] > one.values[-1]) for one in courses]
    given = [_moments([a for a, up in with_end if up is good])[1] for good in (True, False)]
    open_end = _moments([a for a, _ in with_end])[1]
    return judged(not any(given) and open_end > 0, given=given, open=open_end)


def _sharper(_: Scenario) -> Judged:
    chances = (0.5, 0.75, 1.0)
    sure = [exact_facts(spread(World((p, 1 - p), ((1.0,), (0.0,)), ((p,),) * 2), LAMS), Scenario()) for p in chances]
    variances = [found["variance"][2] for found in sure]
    return judged(variances == sorted(variances, reverse=True), p=list(chances), variances=variances)


def _uncorrelated(_: Scenario) -> Judged:
    courses = _courses(walk(4, step=STEP), 1)
    columns = [[one.deltas[t] for one in courses] for t in range(4)]
    products = [
        _moments([a * b for a, b in zip(x, y, strict=True)])[0] - _moments(x)[0] * _moments(y)[0]
        for x, y in pairwise(columns)
    ]
    total, mc = sum(_moments(column)[1] for column in columns), _moments([one.mc_advantages[0] for one in courses])[1]
    return judged(not any(products) and total == mc, covariance=products[0], sum=total, mc=mc)


TRIED: dict[str, Check] = {
    "variance_adds_up_with_squared_weights": _squared,
    "half_lambda_quarters_the_next_steps_variance": _quartered,
    "below_one_the_variance_stays_bounded": _bounded,
    "last_token_is_equally_noisy_for_both": _last_is_the_same,
    "outcome_noise_reaches_every_token_whole": _outcome_noise,
    "return_variance_is_the_sum_of_reward_variances": _sum_of_variances,
    "baseline_lowers_the_gradients_variance": _gradient_baseline,
    "baseline_removes_the_spread_between_prompts": _between_prompts,
    "clipping_lowers_the_variance_of_advantages": _clip,
    "more_epochs_lower_the_variance": _epochs,
    "four_times_the_responses_halve_the_noise": _four_times,
    "high_variance_means_biased": _high_is_biased,
    "no_variance_means_no_bias": _steady_is_right,
    "squared_error_is_bias_squared_plus_variance": _decomposed,
    "delta_varies_with_the_own_step_only": _delta_alone,
    "lambda_095_removes_most_of_the_variance": _most_at_095,
    "spread_over_the_batch_is_the_estimators_noise": _batch_spread,
    "more_variance_needs_more_responses": _more_samples,
    "doubling_the_rewards_quadruples_the_variance": _doubled,
    "a_shift_of_the_scores_adds_variance": _shifted,
    "given_its_token_the_last_advantage_is_certain": _last_given,
    "a_sharper_policy_lowers_the_variance": _sharper,
    "deltas_are_uncorrelated_with_an_exact_critic": _uncorrelated,
}
