"""What turns on something that was left unsaid: the critic, λ, where chance comes in, what is already given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from engine import formulas
from engine.chance import World, blind, coins, noise_of_later_tokens, one_coin, spread, walk, wild_critic
from engine.facts import exact_facts
from engine.scenario import Scenario
from lessons._errors import moments
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, judged, rational, trial
from lessons._turns import always, sometimes
from lessons.variance.asked import ASKED
from lessons.variance.checks import MORE
from lessons.variance.critics import CRITICS
from lessons.variance.sources import SOURCES
from lessons.variance.stated import STATED
from lessons.variance.trials import TRIED
from lessons.variance.worlds import STEP, SWING, TOKENS

LAMS = (0.5, 1.0)
USUAL = 0.95


def _of(world: World) -> list[Any]:
    """The variance of A_0 at λ one half and at one."""
    return list(exact_facts(spread(world, LAMS), Scenario())["variance"])


def _moments(numbers: Sequence[Any]) -> tuple[Any, Any]:
    mean = formulas.mean(sum(numbers), len(numbers))
    return mean, formulas.mean(sum(formulas.squared_error(x, mean) for x in numbers), len(numbers))


def _no_critic(_: Scenario) -> Judged:
    """V ≡ 0, rewards of variance one at each token: δ is the reward."""
    found = [noise_of_later_tokens(ONE, TOKENS, ONE, lam, own=True) for lam in (HALF, ONE)]
    return judged(found[0] < found[1], tokens=TOKENS, lam=HALF, gae=found[0], mc=found[1])


def _jumping_critic(_: Scenario) -> Judged:
    half, one = _of(wild_critic(swing=SWING))
    return judged([half > 0, one > 0], lam=HALF, half=half, one=one)


def _jumping_below_one(_: Scenario) -> Judged:
    half, one = _of(wild_critic(swing=SWING))
    return judged(half > one == 0, lam=HALF, half=half, one=one)


def _last(_: Scenario) -> Judged:
    """A last token that earns a point or none, at even odds, with V at one half."""
    ends = [trial((end,), (HALF,)).advantages[0] for end in (1, 0)]
    given, before = _moments(ends[:1])[1], _moments(ends)[1]
    return judged([given == 0, before == 0], given=given, before=before)


def _last_before(_: Scenario) -> Judged:
    found = _last(_).found
    return judged(found["before"] > 0 == found["given"], **found)


def _single_outcome(_: Scenario) -> Judged:
    tokens = (2, 4, 6)
    found = [_of(one_coin(n))[1] for n in tokens]
    return judged(len(set(found)) == 1, tokens=tokens, variances=found)


def _mc_length(_: Scenario) -> Judged:
    tokens = (2, 6)
    news, end = ([_of(world(n))[1] for n in tokens] for world in (coins, one_coin))
    return judged([pair[1] > pair[0] for pair in (news, end)], tokens=tokens, news=news, end=end)


def _independent_early(_: Scenario) -> Judged:
    left = [noise_of_later_tokens(ONE, n, ONE, ONE, own=True) for n in range(TOKENS, 0, -1)]
    return judged(left == sorted(set(left), reverse=True), variances=left)


def _independent_sum(_: Scenario) -> Judged:
    outcomes = rational((0, 1))
    each = _moments(outcomes)[1]
    both = _moments([a + b for a, b in product(outcomes, repeat=2)])[1]
    return judged(both == 2 * each, each=each, both=both)


def _usual_on_long(_: Scenario) -> Judged:
    tokens = (2, 500)
    left = [round(float(noise_of_later_tokens(1.0, n, 1.0, USUAL, own=True) / n), 4) for n in tokens]
    return judged(left[1] < 0.5 < left[0], lam=Fraction(str(USUAL)), tokens=tokens, left=left)


def _step_rewards(_: Scenario) -> Judged:
    """One point or none at the end; against half points, or whole ones, drawn at each of two steps."""
    end = _moments(rational((0, 1)))[1]
    small, large = ([a + b for a, b in product(rational((0, most)), repeat=2)] for most in (HALF, ONE))
    parts, whole = _moments(small)[1], _moments(large)[1]
    return judged([parts > end, whole > end], end=end, parts=parts, whole=whole)


def _covariance(courses: Sequence[Any]) -> Any:
    first, second = ([one.deltas[t] for one in courses] for t in range(2))
    together = _moments([a * b for a, b in zip(first, second, strict=True)])[0]
    return together - _moments(first)[0] * _moments(second)[0]


def _correlated(_: Scenario) -> Judged:
    """Two coins and a critic that is exact; a sure point and a critic that jumps."""
    exact = _covariance([trial(pair, (0, 0)) for pair in product((1, -1), repeat=2)])
    wild = _covariance([trial((0, 1), (1, v)) for v in (0, 2)])
    return judged([exact != 0, wild != 0], exact=exact, wild=wild)


def _on_the_critic(_: Scenario) -> Judged:
    world = walk(TOKENS, step=STEP)
    seeing, unseeing = _of(world), _of(blind(world))
    found = {"seeing": seeing, "blind": unseeing}
    return judged([a != b for a, b in zip(seeing, unseeing, strict=True)], lam=HALF, **found)


def _greedy(_: Scenario) -> Judged:
    """The same tokens each time: scored the same, or by a judge that gives a point more or less."""
    sure = _moments([trial((0, 1), (0, 0)).advantages[0] for _ in range(2)])[1]
    noisy = _moments([trial((0, 1 + by), (0, 0)).advantages[0] for by in (ONE, -ONE)])[1]
    return judged([sure == 0, noisy == 0], sure=sure, noisy=noisy)


def _even_odds(_: Scenario) -> Judged:
    chances = rational(("1/10", "1/4", "1/2", "3/4", "9/10"))
    found = [p * (1 - p) for p in chances]
    return judged(found.index(max(found)) == 2 and found[0] == found[-1], p=chances, variances=found)


def _exact_mean(_: Scenario) -> Judged:
    exact, wrong = (moments(error, LAMS)["mean"] for error in (0.0, 0.5))
    return judged(exact[0] == exact[1] and wrong[0] != wrong[1], lam=HALF, exact=exact, wrong=wrong)


def _noisy_judge(_: Scenario) -> Judged:
    found = _greedy(_).found
    return judged(found["noisy"] > 0 == found["sure"], **found)


TURNS: dict[str, Check] = {
    "without_a_critic_gae_varies_less_on_independent_rewards": _no_critic,
    "a_jumping_critic_adds_variance": _jumping_critic,
    "below_one_a_jumping_critic_adds_variance": _jumping_below_one,
    "the_last_advantage_has_no_variance": _last,
    "before_it_is_drawn_the_last_advantage_varies": _last_before,
    "a_single_outcome_varies_alike_at_any_length": _single_outcome,
    "monte_carlo_variance_always_grows_with_length": always(_mc_length),
    "independent_news_makes_early_tokens_noisier": _independent_early,
    "early_tokens_are_always_noisier": always(MORE["early_tokens_are_noisier"]),
    "independent_rewards_add_their_variances": _independent_sum,
    "reward_variances_always_add": always(TRIED["return_variance_is_the_sum_of_reward_variances"]),
    "a_better_critic_always_lowers_gae_variance": always(CRITICS["a_better_critic_lowers_gae_variance"]),
    "a_better_critic_can_lower_gae_variance": sometimes(CRITICS["a_better_critic_lowers_gae_variance"]),
    "lambda_095_removes_most_variance_on_long_responses": _usual_on_long,
    "step_rewards_mean_more_variance": _step_rewards,
    "the_deltas_are_correlated": _correlated,
    "the_variance_turns_on_the_critic": _on_the_critic,
    "less_variance_is_always_better": always(STATED["less_variance_is_better"]),
    "variance_reduction_is_always_needed": always(STATED["variance_reduction_is_needed"]),
    "gae_variance_always_grows_with_the_length": always(ASKED["gae_variance_grows_with_the_length"]),
    "the_kl_penalty_always_adds_variance": always(ASKED["the_kl_penalty_adds_variance"]),
    "variance_is_largest_at_even_odds": _even_odds,
    "an_exact_critic_gives_gae_and_monte_carlo_the_same_mean": _exact_mean,
    "gae_and_monte_carlo_always_have_the_same_mean": always(SOURCES["gae_and_monte_carlo_have_the_same_mean"]),
    "grpo_always_varies_more_than_gae": always(SOURCES["grpo_varies_more_than_gae"]),
    "greedy_decoding_leaves_no_variance": _greedy,
    "greedy_decoding_with_a_noisy_judge_varies": _noisy_judge,
    "greedy_decoding_never_varies": always(_greedy),
    "step_rewards_always_mean_more_variance": always(_step_rewards),
    "training_always_lowers_the_variance": always(ASKED["training_lowers_the_variance"]),
    "a_higher_temperature_always_raises_the_variance": always(ASKED["a_higher_temperature_raises_the_variance"]),
    "values_for_far_rewards_always_lower_the_variance": always(
        CRITICS["replacing_far_rewards_by_values_lowers_variance"]
    ),
}
