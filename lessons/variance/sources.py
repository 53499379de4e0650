"""What people ask of where variance comes from and what it goes with: tokens, prompts, length, size, and bias."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import formulas
from engine.chance import coins, one_coin, spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._errors import STEP, TOKENS, moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, judged, rational, trial

LAMS = (0.0, 0.5, 1.0)


def _mean_and_variance(found: Sequence[Any]) -> tuple[Any, Any]:
    mean = formulas.mean(sum(found), len(found))
    return mean, formulas.mean(sum(formulas.squared_error(x, mean) for x in found), len(found))


def _all_later_chance(_: Scenario) -> Judged:
    """δ holds one token's chance, the return that of every token to come."""
    tokens = (1, 2, 4)
    found = [exact_facts(spread(walk(n, step=STEP), LAMS), Scenario())["variance"] for n in tokens]
    one, mc = found[0][0], [row[2] for row in found]
    return judged(mc == [n * one for n in tokens], tokens=list(tokens), mc=mc, one=one)


def _same_mean(_: Scenario) -> Judged:
    exact, wrong = (moments(error, (0.5, 1.0))["mean"] for error in (0.0, 0.5))
    found = {"exact": exact, "wrong": wrong}
    return judged([gae == mc for gae, mc in (exact, wrong)], **found)


def _from_sampling(_: Scenario) -> Judged:
    """The same rule of scoring, with tokens drawn and with tokens fixed."""
    drawn = [trial((0, end), (HALF, HALF)).advantages[0] for end in (1, 0)]
    fixed = [drawn[0]] * 2
    variance, still = (_mean_and_variance(found)[1] for found in (drawn, fixed))
    return judged(variance > 0 == still, drawn=drawn, variance=variance, still=still)


def _large_is_noisy(_: Scenario) -> Judged:
    """Advantages that are large and always the same, and small ones that change their sign."""
    large, small = rational((5, 5)), rational(("1/2", "-1/2"))
    noise = [_mean_and_variance(found)[1] for found in (large, small)]
    return judged(noise[0] > noise[1], large=large, small=small, noise=noise)


def _tokens_average(_: Scenario) -> Judged:
    """One coin at the end, λ = 1: the mean over a response's tokens varies as each of them does."""
    world = one_coin(4)
    rows = [
        trial(map(Fraction, r), map(Fraction, v)).advantages for r, v in zip(world.rewards, world.values, strict=True)
    ]
    means = [formulas.mean(sum(row), len(row)) for row in rows]
    one, mean = (_mean_and_variance(xs)[1] for xs in ([row[0] for row in rows], means))
    return judged(mean < one, tokens=4, one=one, mean=mean)


def _harder(_: Scenario) -> Judged:
    """From an easy prompt to a middling one, and from there to a hard one: chance of success and variance."""
    chances = rational(("9/10", "1/2", "1/10"))
    easy, middle, hard = (p * (1 - p) for p in chances)
    return judged([middle > easy, hard > middle], p=chances, variances=[easy, middle, hard])


def _every_prompt(_: Scenario) -> Judged:
    chances = rational(("1/2", "9/10"))
    found = [p * (1 - p) for p in chances]
    return judged(found[0] == found[1], p=chances, variances=found)


def _less_bias(_: Scenario) -> Judged:
    errors = (0.0, 0.5, 2.0)
    biases = [[mean - Fraction(STEP) for mean in moments(error, (0.5, 1.0))["mean"]] for error in errors]
    gae, mc = ([abs(pair[i]) for pair in biases] for i in (0, 1))
    return judged(any(a < b for a, b in zip(gae, mc, strict=True)), errors=list(errors), gae=gae, mc=mc)


def _both_lower(_: Scenario) -> Judged:
    """From λ one to one half with a critic that is off: does bias fall along with the variance?"""
    found = moments(0.5, (0.5, 1.0), TOKENS)
    bias = [abs(mean - Fraction(STEP)) for mean in found["mean"]]
    down = found["variance"][0] < found["variance"][1]
    return judged(not (down and bias[0] > bias[1]), variances=found["variance"], biases=bias)


def _monte_carlo_biased_and_quiet(_: Scenario) -> Judged:
    """One step and the whole return, with a critic that is off: bias and variance of either."""
    found = moments(0.5)
    bias = [abs(mean - Fraction(STEP)) for mean in found["mean"]]
    quiet = found["variance"][1] < found["variance"][0]
    return judged(quiet or bias[1] > bias[0], variances=found["variance"], biases=bias)


def _monte_carlo_biased(_: Scenario) -> Judged:
    """The mean of the Monte Carlo advantage against the true one, with critics that are off by more and more."""
    errors = (0.0, 0.5, 2.0)
    biases = [moments(error)["mean"][1] - Fraction(STEP) for error in errors]
    return judged(any(biases), errors=list(errors), biases=biases, one_step=moments(2.0)["mean"][0] - Fraction(STEP))


def _value_varies(_: Scenario) -> Judged:
    """Every course that leaves from one state: what the critic says there, and what is then earned."""
    world = walk(4, step=STEP)
    said, earned = [row[0] for row in world.values], [sum(row) for row in world.rewards]
    of_v, of_g = _mean_and_variance(said)[1], _mean_and_variance(earned)[1]
    return judged(of_v != 0, v=said[0], of_v=of_v, of_g=of_g)


def _returns_vary_more(_: Scenario) -> Judged:
    """From one state, and over a hard and an easy prompt together; luck goes up or down by the same."""
    values, luck = rational(("1/5", "4/5")), Fraction(1, 10)
    one = [(values[0] + sign * luck, values[0]) for sign in (1, -1)]
    both = [(v + sign * luck, v) for v in values for sign in (1, -1)]
    found = {}
    for name, pairs in (("one", one), ("both", both)):
        returns, advantages = [g for g, _ in pairs], [formulas.advantage(g, v) for g, v in pairs]
        found[name] = [_mean_and_variance(xs)[1] for xs in (returns, advantages)]
    return judged([g > a for g, a in found.values()], **found)


def _independent(_: Scenario) -> Judged:
    """Two tokens with a coin each, λ = 1: do their advantages go together?"""
    ways = [trial(map(Fraction, row), (0, 0)).advantages for row in coins(2).rewards]
    (first, _), (second, _) = (_mean_and_variance([way[t] for way in ways]) for t in (0, 1))
    together = _mean_and_variance([way[0] * way[1] for way in ways])[0] - first * second
    return judged(together == 0, covariance=together)


def _either(_: Scenario) -> Judged:
    """Coins and no critic: A is then the sum of rewards weighed by powers of γλ."""
    full, by_gamma, by_lam = (
        _mean_and_variance([trial(map(Fraction, row), (0, 0), lam, gamma).advantages[0] for row in coins(2).rewards])[1]
        for lam, gamma in ((1, 1), (1, HALF), (HALF, 1))
    )
    return judged(by_gamma < full and by_lam < full, full=full, gamma=by_gamma, lam=by_lam)


def _grpo(_: Scenario) -> Judged:
    """The score less the mean of four, beside δ: with an exact critic, and with one that jumps about."""
    others = Fraction(3, 4)  # what four responses leave of the score's variance
    found = {}
    for name, world in (("exact", walk(4, step=STEP)), ("wild", wild_critic(swing=2.0))):
        zero, one = exact_facts(spread(world, (0.0, 1.0)), Scenario())["variance"]
        found[name] = [one * others, zero]
    return judged([grpo > gae for grpo, gae in found.values()], **found)


SOURCES: dict[str, Check] = {
    "monte_carlo_holds_all_later_chance": _all_later_chance,
    "gae_and_monte_carlo_have_the_same_mean": _same_mean,
    "variance_comes_from_sampling_tokens": _from_sampling,
    "a_large_advantage_means_high_variance": _large_is_noisy,
    "more_tokens_average_the_noise_out": _tokens_average,
    "harder_prompts_have_more_variance": _harder,
    "every_prompt_has_the_same_variance": _every_prompt,
    "gae_lowers_the_bias": _less_bias,
    "bias_and_variance_fall_together": _both_lower,
    "monte_carlo_is_biased": _monte_carlo_biased,
    "monte_carlo_is_biased_and_one_step_is_noisy": _monte_carlo_biased_and_quiet,
    "the_value_of_a_given_state_varies": _value_varies,
    "returns_vary_more_than_advantages": _returns_vary_more,
    "advantages_of_one_response_are_independent": _independent,
    "gamma_and_lambda_both_lower_the_variance": _either,
    "grpo_varies_more_than_gae": _grpo,
}
