"""What people ask of where variance comes from and what it goes with: tokens, prompts, length, size, and bias."""

from __future__ import annotations

from fractions import Fraction

from engine import formulas
from engine.chance import one_coin, spread, walk
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._errors import STEP, TOKENS, moments
from lessons._proposition import Check, Judged
from lessons._trials import HALF, NONE, judged, rational, trial

LAMS = (0.0, 0.5, 1.0)


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
    mean = formulas.mean(sum(drawn), len(drawn))
    variance = formulas.mean(sum(formulas.squared_error(x, mean) for x in drawn), len(drawn))
    still = formulas.mean(sum(formulas.squared_error(x, fixed[0]) for x in fixed), len(fixed))
    return judged(variance > 0 == still, drawn=drawn, variance=variance, still=still)


def _large_is_noisy(_: Scenario) -> Judged:
    """Advantages that are large and always the same, and small ones that change their sign."""
    large, small = rational((5, 5)), rational(("1/2", "-1/2"))
    noise = []
    for found in (large, small):
        mean = formulas.mean(sum(found), len(found))
        noise.append(formulas.mean(sum(formulas.squared_error(x, mean) for x in found), len(found)))
    return judged(noise[0] > noise[1], large=large, small=small, noise=noise)


def _tokens_average(_: Scenario) -> Judged:
    """One coin at the end, λ = 1: the mean over a response's tokens varies as each of them does."""
    world = one_coin(4)
    rows = [
        trial(map(Fraction, r), map(Fraction, v)).advantages for r, v in zip(world.rewards, world.values, strict=True)
    ]
    means = [formulas.mean(sum(row), len(row)) for row in rows]
    one, mean = (
        formulas.mean(sum(formulas.squared_error(x, NONE) for x in xs), 2) for xs in ([rows[0][0], rows[1][0]], means)
    )
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
}
