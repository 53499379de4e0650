"""More of what learners claim about bootstrapping, tried: how the end is closed, how news travels, what V moves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, sequences
from engine.chance import spread, walk
from engine.conventions import VERL_NEW, VERL_OLD, Rollout, run
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand, batch_at_hand
from lessons._checks import exact, gae, moved_by_value, one_token, whitened
from lessons._fact import Check, Judged
from lessons._trials import (
    HALF,
    NONE,
    ONE,
    Trial,
    apart,
    default,
    judged,
    outcome,
    revalued,
    trial,
)

OWN = trial((0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4"), HALF)
LAMS, TOKENS, STEP = (0.0, 0.5, 1.0), 5, 0.25
AFTER = 0.8  # V left behind the end


def _last_delta() -> tuple[Any, Any, Any]:
    """Mean δ of the last token, closed with 0 and with V once more, and what is earned behind the end."""
    known = one_token()
    wrong = sum(p * (d + known["value"]) for p, d in zip(known["probabilities"], known["deltas"], strict=True))
    return known["mean_delta"], wrong, sum(known["after"])


def _zero_is_a_guess(_: Scenario) -> Judged:
    mean, wrong, after = _last_delta()
    return judged(mean != 0 or after != 0, after=after, mean=mean, wrong=wrong)


def _finished_bootstraps(_: Scenario) -> Judged:
    mean, wrong, _after = _last_delta()
    return judged(wrong == 0 != mean, mean=mean, wrong=wrong)


def _cut_is_finished(_: Scenario) -> Judged:
    """The last token of a response, once at its end and once where the length limit cut it."""
    reward, value, left = NONE, HALF, Fraction(3, 5)
    finished, cut = (formulas.td_error(reward, value, after, ONE) for after in (NONE, left))
    return judged(finished == cut, finished=finished, v=left, cut=cut)


def _twice(_: Scenario) -> Judged:
    theorem("telescoping")
    own = trial((1, 2, 4), (3, 5, 2))
    total, excess = sum(own.deltas), sum(own.rewards) - own.values[0]
    return judged(total != excess, sum=total, excess=excess)


def _rounds(lam: Fraction, count: int) -> list[list[Any]]:
    """V after each round of a critic that starts at 0 and is set to its targets."""
    rewards, seen = outcome(3), [[NONE] * 3]
    for _round in range(count):
        seen.append(trial(rewards, seen[-1], lam).returns)
    return seen[1:]


def _circular(_: Scenario) -> Judged:
    rounds, rewards = 3, outcome(3)
    seen = _rounds(NONE, rounds)
    truth = sequences.mc_returns(rewards, ONE)
    return judged(seen[-1] != truth, r=rewards, first=seen[0], rounds=rounds, last=seen[-1])


def _one_a_round(_: Scenario) -> Judged:
    first, second, third = _rounds(NONE, 3)
    travels = [first, second, third] == [[0, 0, 1], [0, 1, 1], [1, 1, 1]]
    return judged(travels, first=first, second=second, third=third)


def _one_round(_: Scenario) -> Judged:
    zero, half, one = (_rounds(lam, 1)[0] for lam in (NONE, HALF, ONE))
    return judged(zero[0] < half[0] < one[0] == 1, zero=zero, half=half, one=one)


def _biases(error: float) -> tuple[list[Any], list[Any]]:
    """Bias and variance of the first token's advantage at LAMS, for a critic off by so much."""
    found = exact_facts(spread(walk(TOKENS, step=STEP, error=error, fade=0.5, first=1), LAMS), Scenario())
    return [mean - Fraction(str(STEP)) for mean in found["mean"]], list(found["variance"])


def _trades(_: Scenario) -> Judged:
    biases, variances = _biases(0.5)
    falls = biases == sorted(biases, reverse=True) and biases[0] > biases[-1] == 0
    return judged(falls and variances == sorted(set(variances)), lams=list(LAMS), biases=biases, variances=variances)


def _shrinks(_: Scenario) -> Judged:
    errors = (1.0, 0.5, 0.0)
    biases = [_biases(error)[0][1] for error in errors]
    return judged(biases[0] == 2 * biases[1] != 0 and biases[2] == 0, errors=list(errors), biases=biases)


def _all_raised() -> list[float]:
    return [v + 1 for v in at_hand().rows("values")[0]]


def _uniform(_: Scenario) -> Judged:
    moved = apart(gae(values=_all_raised())["deltas"], gae()["deltas"])
    return judged(not any(moved[:-1]) and moved[-1] == -1, gamma=at_hand().gamma, moved=moved)


def _whitened(lam: float, **changes: Any) -> float:
    return float(whitened(gamma=1.0, lam=lam, **changes)[0])


def raised_and_whitened() -> dict[str, float]:
    """The first whitened advantage at λ one and one half, as it is and with every V one higher."""
    raised = [[v + 1 for v in row] for row in batch_at_hand().rows("values")]
    one, half = ([_whitened(lam), _whitened(lam, values=raised)] for lam in (1.0, 0.5))
    shown = {"one": one[0], "one_raised": one[1], "half": half[0], "half_raised": half[1]}
    return {name: round(x, 6) for name, x in shown.items()}


def _uniform_whitened(_: Scenario) -> Judged:
    found = raised_and_whitened()
    return judged(found["one"] == found["one_raised"], **found)


def _grpo(_: Scenario) -> Judged:
    other = _all_raised()
    before, after = (exact("grpo", **changes)["centered"][0] for changes in ({}, {"values": other}))
    own, changed = gae()["advantages"][0], gae(values=other)["advantages"][0]
    return judged(before != after, before=before, after=after, lam=RUNNING.lam, gae=own, gae_after=changed)


def _baseline(_: Scenario) -> Judged:
    own, following = moved_by_value(0, lam=1.0), moved_by_value(1, lam=1.0)
    return judged(own == following, own=own, next=following)


def _reward_model(_: Scenario) -> Judged:
    def rest(score: int) -> list[Any]:
        found = gae(scores=[0.0] * 5 + [float(score)])
        return [d - r for d, r in zip(found["deltas"], found["rewards"], strict=True)]

    score, other = 1, 3
    return judged(rest(score) != rest(other), score=score, other=other, rest=rest(score))


def _targets(_: Scenario) -> Judged:
    def moved(lam: Fraction) -> Any:
        own = trial(OWN.rewards, OWN.values, lam)
        return revalued(own, 1).returns[0] - own.returns[0]

    half, one = moved(HALF), moved(ONE)
    return judged(half != 0 == one, half=half, one=one)


def _moved(place: int) -> list[Any]:
    return apart(revalued(OWN, place).advantages, OWN.advantages)


def _early_value(_: Scenario) -> Judged:
    theorem("later_advantages_ignore_value")
    first, third = _moved(0), _moved(2)
    return judged(any(first[1:]), first=first, third=third)


def _later_weights() -> list[Any]:
    """How much A_0 moves with V_1, V_2, V_3."""
    return [_moved(k)[0] for k in (1, 2, 3)]


def _one_minus_lambda(_: Scenario) -> Judged:
    theorem("later_value_reaches_back_through_bootstrap")
    moved, lam = _later_weights(), OWN.lam
    formula = [formulas.mixture_weight(k, lam) for k in (1, 2, 3)]
    return judged(moved == formula, lam=lam, moved=moved, formula=formula)


def _nearest_weighs_most(_: Scenario) -> Judged:
    moved = _later_weights()
    return judged(moved == sorted(set(moved), reverse=True), lam=OWN.lam, moved=moved)


def _first_and_last(lam: Fraction) -> list[tuple[Any, Any]]:
    """Of a response of three tokens with a V left behind it: first and last advantage in old and new verl."""
    rollout = Rollout([[0.0, 0.0, 1.0, 0.0]], [[0.25, 0.5, 0.75, AFTER]], [[1, 1, 1, 0]])
    found = [run(rollout, one, gamma=1.0, lam=float(lam)).advantages[0] for one in (VERL_OLD, VERL_NEW)]
    return [(round(row[0], 6), round(row[2], 6)) for row in found]


def _old_verl(_: Scenario) -> Judged:
    (_, old), (_, new) = _first_and_last(HALF)
    return judged(old != new, after=AFTER, lam=HALF, old=old, new=new)


def _harmful_at_one(_: Scenario) -> Judged:
    theorem("leftover_value_is_harmless_at_lambda_one")
    (old, _), (new, _) = _first_and_last(Fraction(str(default("verl", "lam"))))
    (old_half, _), (new_half, _) = _first_and_last(HALF)
    return judged(old != new, after=AFTER, old=old, new=new, old_half=old_half, new_half=new_half)


def _foretells(_: Scenario) -> Judged:
    world = walk(3, step=STEP, first=1)
    value = Fraction(world.values[0][1])
    returns = sorted({Fraction(r[-1]) for r in world.rewards})
    mean = formulas.mean(sum(Fraction(r[-1]) for r in world.rewards), len(world.rewards))
    return judged(set(returns) == {value}, v=value, returns=returns, mean=mean)


def _dense(_: Scenario) -> Judged:
    own = trial((1, 1, 1), (2, 1, 1))
    before, after = own.deltas[0], revalued(own, 1).deltas[0]
    return judged(before == after, r=own.rewards, before=before, after=after)


def _delta_at_one(_: Scenario) -> Judged:
    own = trial(OWN.rewards, OWN.values, 1)
    higher: Trial = revalued(own, 1)
    delta, adv = higher.deltas[0] - own.deltas[0], higher.advantages[0] - own.advantages[0]
    return judged(delta == 1 and adv == 0, delta=delta, adv=adv)


def _on_an_estimate(_: Scenario) -> Judged:
    before, after = (formulas.mc_step(HALF, v, ONE) for v in (HALF, HALF + 1))
    return judged(before != after, before=before, after=after)


def _really_reached(_: Scenario) -> Judged:
    world = walk(3, step=STEP)
    after = sorted({Fraction(row[1]) for row in world.values})
    return judged(len(after) == 2, after=after, mean=formulas.mean(sum(after), len(after)))


TRIED: dict[str, Check] = {
    "zero_after_the_end_is_a_guess": _zero_is_a_guess,
    "finished_responses_should_bootstrap_too": _finished_bootstraps,
    "cut_and_finished_responses_are_alike": _cut_is_finished,
    "later_rewards_are_counted_twice": _twice,
    "bootstrapping_is_circular": _circular,
    "news_travels_one_token_a_round_at_lambda_zero": _one_a_round,
    "lambda_one_carries_the_news_in_one_round": _one_round,
    "bootstrapping_trades_variance_for_bias": _trades,
    "bias_shrinks_with_the_critics_error": _shrinks,
    "a_uniform_error_cancels_in_all_deltas_but_the_last": _uniform,
    "whitening_removes_a_uniform_error_at_lambda_one": _uniform_whitened,
    "grpo_bootstraps": _grpo,
    "subtracting_the_own_value_is_the_bootstrap": _baseline,
    "bootstrap_term_comes_from_the_reward_model": _reward_model,
    "targets_are_bootstrapped_below_one": _targets,
    "an_early_value_moves_later_advantages": _early_value,
    "weight_of_a_later_value_has_one_minus_lambda": _one_minus_lambda,
    "next_value_weighs_most_among_later_ones": _nearest_weighs_most,
    "old_verl_bootstraps_on_the_value_after_eos": _old_verl,
    "value_after_eos_matters_for_earlier_tokens_at_lambda_one": _harmful_at_one,
    "exact_next_value_equals_the_sampled_return": _foretells,
    "dense_rewards_replace_the_bootstrap": _dense,
    "deltas_hold_the_next_value_even_at_lambda_one": _delta_at_one,
    "an_estimate_built_on_an_estimate": _on_an_estimate,
    "next_value_is_of_the_state_really_reached": _really_reached,
}
