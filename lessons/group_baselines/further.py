"""What learners conclude about groups: who influences whom, what the deviation does, and what baselines are for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, groups, losses, quantities
from engine.errors import EngineError
from engine.groups import GRPO_EPSILON
from engine.losses import Aggregation
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.scenario import Scenario, scenario
from lessons._checks import alone
from lessons._compare import close
from lessons._fact import Check, Judged, holds

NEAR = 1e-4
CHANCES, SCORES = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1, 2))  # of two responses


def _facts(quantity: str, *scores: float) -> dict[str, Any]:
    return dict(quantities.facts(quantity, scenario({"group_rewards": list(scores)})).exact)


def _grpo(*scores: float) -> list[float]:
    return [round(float(a), 4) + 0.0 for a in _facts("grpo", *scores)["advantages"]]


def _rloo(*scores: float) -> list[Any]:
    return list(_facts("rloo", *scores)["advantages"])


def _alike(one: Any, other: Any) -> bool:
    return all(abs(float(a) - float(b)) < NEAR for a, b in zip(one, other, strict=True))


def _rloo_sum(_: Scenario) -> Judged:
    theorem("rloo_is_rescaled_mean_baseline")
    found = _rloo(1, 0, 0.5, 0)
    return Judged(holds(close(sum(found), 0)), {"found": found, "sum": sum(found)})


def _no_gamma(_: Scenario) -> Judged:
    """Which of a scenario's parts the program reads."""
    found = quantities.facts("grpo", scenario({"group_rewards": [1, 0], "gamma": 0.5, "lam": 0.5}))
    other = quantities.facts("grpo", scenario({"group_rewards": [1, 0], "gamma": 1.0, "lam": 1.0}))
    unread = not {"gamma", "lam"} & set(found.used)
    return Judged(holds(unread and found.exact == other.exact), {"adv": round(float(found.exact["advantages"][0]), 4)})


def _mean_estimates_value(_: Scenario) -> Judged:
    """The mean of two scores, over all pairs that can be drawn."""
    value = expected(CHANCES, lambda i: SCORES[i])
    pairs = expected(CHANCES, lambda i: expected(CHANCES, lambda j: (SCORES[i] + SCORES[j]) / 2))
    return Judged(holds(pairs == value), {"value": value, "mean": pairs})


def _tells_tokens_apart(_: Scenario) -> Judged:
    theorem("grpo_gives_all_tokens_one_advantage")
    row = groups.share([Fraction(1, 2)], [[1, 1, 1]])[0]
    return Judged(holds(len(set(row)) > 1), {"row": row})


def _level(score: float, sign: int) -> Judged:
    found = _grpo(score, score, score, score)
    return Judged(holds(all(a * sign > 0 for a in found)), {"score": score, "found": found})


def _all_wrong(_: Scenario) -> Judged:
    return _level(0, -1)


def _all_right(_: Scenario) -> Judged:
    return _level(1, 1)


def _epsilon_beside_std(_: Scenario) -> Judged:
    """With a spread this small it shows where ε stands."""
    scores = [0.0, 1e-5]
    found = float(_facts("grpo", *scores)["advantages"][1])
    mean, squares = sum(scores) / 2, sum((s - sum(scores) / 2) ** 2 for s in scores)
    std = formulas.sample_variance(squares, 2) ** 0.5
    beside = formulas.standardise(scores[1], mean, std, float(GRPO_EPSILON))
    within = formulas.whiten(scores[1], mean, std**2, float(GRPO_EPSILON))
    return Judged(
        holds(abs(found - beside) < NEAR < abs(found - within)),
        {"epsilon": GRPO_EPSILON, "found": round(found, 4), "within": round(within, 4)},
    )


def _needs_two(_: Scenario) -> Judged:
    try:
        groups.rloo([Fraction(1)], [0])
    except EngineError:
        return Judged("true", {"count": 1, "two": _rloo(1, 0)})
    return Judged("false", {"count": 1, "two": _rloo(1, 0)})


def _weighs_extremes(_: Scenario) -> Judged:
    """What the deviation multiplies a difference of scores by, for a hard prompt and for an even one."""

    def factor(*scores: float) -> float:
        found = _facts("grpo", *scores)
        return round(float(found["advantages"][0] / found["centered"][0]), 4)

    hard, even = factor(1, 0, 0, 0, 0, 0, 0, 0), factor(1, 1, 1, 1, 0, 0, 0, 0)
    return Judged(holds(hard > even), {"hard": hard, "even": even})


def _weights(mode: Aggregation) -> list[Any]:
    """What one token of a response of four and one of a response of one add to the loss."""
    masks = [[1, 1, 1, 1], [1, 0, 0, 0]]
    none = losses.aggregate([[0] * 4, [0] * 4], masks, mode)
    return [
        losses.aggregate([[Fraction(r == row and not t) for t in range(4)] for r in (0, 1)], masks, mode) - none
        for row in (0, 1)
    ]


def _long_weighs_less(_: Scenario) -> Judged:
    long, short = _weights(Aggregation.SEQ_MEAN_TOKEN_MEAN)
    return Judged(holds(long < short), {"long": long, "short": short, "count": 4})


def _tokens_alike(_: Scenario) -> Judged:
    long, short = _weights(Aggregation.TOKEN_MEAN)
    return Judged(holds(long == short), {"long": long, "short": short})


def _plus_plus(scores: list[Any], *, baseline: bool) -> list[float]:
    """Two prompts with two responses each, one token a response."""
    masks = [[1]] * len(scores)
    found = (
        groups.reinforce_plus_plus_baseline(scores, [0, 0, 1, 1], masks)
        if baseline
        else groups.reinforce_plus_plus([[s] for s in scores], masks)
    )
    return [round(float(row[0]), 4) + 0.0 for row in found]


def _baseline_form(_: Scenario) -> Judged:
    """One prompt's scores raised by ten."""
    plain, raised = (_plus_plus(scores, baseline=True) for scores in ([1, 0, 1, 0], [11, 10, 1, 0]))
    bare = _plus_plus([11, 10, 1, 0], baseline=False)
    return Judged(holds(plain == raised != bare), {"plain": plain, "raised": raised, "bare": bare})


def _needs_groups(_: Scenario) -> Judged:
    """Three responses, each to a prompt of its own."""
    found = groups.reinforce_plus_plus([[s] for s in (1.0, 0.0, 1.0)], [[1]] * 3)
    row = [round(float(r[0]), 4) for r in found]
    return Judged(holds(not any(row)), {"found": row})


def _standardises(_: Scenario) -> Judged:
    scores = [1, 0, 0.5, 0]
    white = alone("whiten", advantages=scores)["whitened"]
    return Judged(
        holds(_alike(white, _grpo(*scores))), {"grpo": _grpo(*scores), "white": [round(float(w), 4) for w in white]}
    )


def _constant_value(_: Scenario) -> Judged:
    """GAE with γ = λ = 1 and a critic that says the group's mean of every state."""
    mean = 0.25
    found = alone("gae", rewards=[0, 0, 1], values=[mean] * 3, gamma=1, lam=1)["advantages"]
    centred = _facts("grpo", 1, 0, 0, 0)["centered"][0]
    return Judged(holds(all(a == centred for a in found)), {"gae": found, "group": centred, "value": mean})


def _difference(_: Scenario) -> Judged:
    found = _rloo(1, 0.25)
    return Judged(holds(found[0] == Fraction(3, 4) == -found[1]), {"scores": [1, 0.25], "found": found})


def _rloo_larger(_: Scenario) -> Judged:
    centred, left_out = float(_facts("grpo", 1, 0, 0, 0)["centered"][0]), float(_rloo(1, 0, 0, 0)[0])
    return Judged(holds(left_out > centred), {"centred": centred, "rloo": left_out})


def _approaches(_: Scenario) -> Judged:
    factors = []
    for count in (2, 4, 64):
        scores = [1.0] + [0.0] * (count - 1)
        factors.append(float(_rloo(*scores)[0]) / float(_facts("grpo", *scores)["centered"][0]))
    return Judged(
        holds(factors == sorted(factors, reverse=True) and factors[-1] < 1.02),
        {"counts": [2, 4, 64], "factors": [round(float(f), 4) for f in factors]},
    )


def _above_mean(_: Scenario) -> Judged:
    scores = [0.9, 0.2, 0.7, 0.1]
    mean, found = sum(scores) / 4, _grpo(*scores)
    return Judged(
        holds(all((s > mean) == (a > 0) for s, a in zip(scores, found, strict=True))),
        {"scores": scores, "mean": round(mean, 4), "found": found},
    )


def _at_mean(_: Scenario) -> Judged:
    found = _grpo(1, 0.5, 0)
    return Judged(holds(found[1] == 0), {"scores": [1, 0.5, 0], "found": found})


def _order(_: Scenario) -> Judged:
    one, other = _grpo(1, 0, 0.5, 0), _grpo(0, 0.5, 0, 1)
    return Judged(holds(sorted(one) != sorted(other) or one[0] != other[-1]), {"one": one, "other": other})


def _token_rewards(_: Scenario) -> Judged:
    """One score for each response is all that is given."""
    found = quantities.facts("grpo", scenario({"group_rewards": [1, 0]}))
    return Judged(holds("rewards" in found.used), {"count": 2, "found": _grpo(1, 0)})


def _minus_one(_: Scenario) -> Judged:
    one, other = _grpo(1, 0, 0, 1), _grpo(1, -1, -1, 1)
    return Judged(holds(not _alike(one, other)), {"zero": one[0], "minus": other[0]})


def _gradient(baseline: Fraction) -> tuple[Any, Any]:
    """Mean and variance of (score − b)·∂log p for the first of the two, over the two responses."""
    slopes = (1 - CHANCES[0], -CHANCES[0])  # of log p by the first logit
    terms = [(s - baseline) * g for s, g in zip(SCORES, slopes, strict=True)]
    mean = expected(CHANCES, lambda i: terms[i])
    return mean, expected(CHANCES, lambda i: (terms[i] - mean) ** 2)


def _bare_is_biased(_: Scenario) -> Judged:
    bare, based = _gradient(Fraction(0))[0], _gradient(expected(CHANCES, lambda i: SCORES[i]))[0]
    return Judged(holds(bare != based), {"bare": bare, "based": based})


def _lowers_variance(_: Scenario) -> Judged:
    bare, based = _gradient(Fraction(0))[1], _gradient(expected(CHANCES, lambda i: SCORES[i]))[1]
    return Judged(holds(based < bare), {"bare": bare, "based": based})


def _without_ratio(_: Scenario) -> Judged:
    """A GRPO advantage in the clipped objective, at two ratios."""
    adv = _grpo(1, 0)[0]
    found = [alone("clip", ratio=[r], advantages=[adv], eps=0.2)["objective"] for r in (1.0, 1.5)]
    return Judged(holds(found[0] == found[1]), {"adv": adv, "found": found})


def _influence(_: Scenario) -> Judged:
    one, other = _grpo(1, 0, 0, 0)[0], _grpo(1, 1, 0, 0)[0]
    return Judged(holds(one != other), {"one": one, "other": other})


def _hard_prompt_negative(_: Scenario) -> Judged:
    """The wrong answers of a group with many right ones, and of one with few."""
    easy, hard = _grpo(1, 1, 1, 0)[-1], _grpo(1, 0, 0, 0)[-1]
    return Judged(holds(easy < hard), {"easy": easy, "hard": hard})


FURTHER: dict[str, Check] = {
    "rloo_sums_to_zero": _rloo_sum,
    "grpo_reads_no_gamma_or_lambda": _no_gamma,
    "group_mean_estimates_the_prompts_value": _mean_estimates_value,
    "grpo_tells_good_tokens_from_bad": _tells_tokens_apart,
    "all_wrong_gets_negative_advantages": _all_wrong,
    "all_right_gets_positive_advantages": _all_right,
    "grpo_adds_epsilon_to_the_std": _epsilon_beside_std,
    "rloo_needs_at_least_two": _needs_two,
    "std_gives_one_sided_prompts_more_weight": _weighs_extremes,
    "sequence_mean_gives_tokens_of_long_responses_less": _long_weighs_less,
    "token_mean_weighs_all_tokens_alike": _tokens_alike,
    "reinforce_plus_plus_baseline_subtracts_the_group_mean": _baseline_form,
    "reinforce_plus_plus_needs_groups": _needs_groups,
    "grpo_is_standardising_within_the_group": _standardises,
    "centred_scores_are_monte_carlo_with_one_value": _constant_value,
    "two_rloo_advantages_are_the_difference": _difference,
    "rloo_is_larger_than_centred": _rloo_larger,
    "rloo_approaches_centred_in_large_groups": _approaches,
    "above_the_group_mean_is_positive": _above_mean,
    "score_at_the_mean_gets_zero": _at_mean,
    "order_within_the_group_matters": _order,
    "grpo_needs_token_rewards": _token_rewards,
    "minus_one_or_zero_for_wrong_matters": _minus_one,
    "without_baseline_it_is_biased": _bare_is_biased,
    "baseline_lowers_the_variance": _lowers_variance,
    "grpo_does_without_ratio_and_clip": _without_ratio,
    "others_scores_change_my_advantage": _influence,
    "failing_an_easy_prompt_costs_more": _hard_prompt_negative,
}
