"""More of what learners claim about credit: who is praised or blamed, how far back, and for what."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import quantities
from engine.facts import exact_facts
from engine.proofs import theorem
from engine.proofs.programs import gae
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds

ONE, HALF = Fraction(1), Fraction(1, 2)
LAM = Fraction(19, 20)


def _at(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.gae, at_hand().merged(changes))


def _weight_of_the_end(length: int, lam: Fraction) -> Fraction:
    """What the last reward counts in the first advantage."""
    nothing = [0 * ONE] * length
    return gae([*nothing[:-1], ONE], nothing, ONE, lam)[0] - gae(nothing, nothing, ONE, lam)[0]


def _smaller_lambda_reaches_less_far(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    small, large = (_weight_of_the_end(6, lam) for lam in (HALF, LAM))
    return Judged(holds(small < large), {"small": small, "large": large, "lam": LAM})


def _length_dilutes(_: Scenario) -> Judged:
    short, long = (_weight_of_the_end(n, LAM) for n in (6, 60))
    full = _weight_of_the_end(60, ONE)
    return Judged(
        "depends" if long < short and full == 1 else holds(long < short),
        {"short": round(float(short), 6), "long": round(float(long), 6), "full": full, "lam": LAM},
    )


def _goes_where_the_value_jumps(_: Scenario) -> Judged:
    """The critic sees the turn at the second token."""
    rewards, values = [0 * ONE, 0 * ONE, ONE], [HALF / 5, HALF / 5, ONE]
    found = gae(rewards, values, ONE, 0 * ONE)
    return Judged(holds(found[1] == max(found) and found[1] > 0), {"v": values, "delta": found})


def _step_rewards_replace_gae(_: Scenario) -> Judged:
    """Rewards at every token: whether A is the token's own reward less V."""
    rewards, values = [HALF, HALF, HALF], [ONE, HALF, HALF]
    found = gae(rewards, values, ONE, LAM)
    alone = [r - v for r, v in zip(rewards, values, strict=True)]
    return Judged(holds(found == alone), {"r": rewards, "own": alone[0], "adv": found[0]})


def _later_tokens_pay(_: Scenario) -> Judged:
    """The first token spoils it, the critic sees it, nothing more goes wrong."""
    rewards, values = [0 * ONE] * 3, [Fraction(9, 10), 0 * ONE, 0 * ONE]
    found = gae(rewards, values, ONE, LAM)
    return Judged(holds(any(a < 0 for a in found[1:])), {"v": values, "adv": found})


def _good_answers_praise_every_token(_: Scenario) -> Judged:
    rewards, values = [0 * ONE, 0 * ONE, ONE], [HALF, Fraction(9, 10), Fraction(1, 5)]
    found = gae(rewards, values, ONE, HALF)
    return Judged(holds(all(a > 0 for a in found)), {"r": rewards, "v": values, "adv": found})


def _the_end_gets_most(_: Scenario) -> Judged:
    found = _at()["advantages"]
    return Judged(holds(found[-1] == max(found)), {"last": found[-1], "most": max(found)})


def _total_grows_with_lambda(_: Scenario) -> Judged:
    def handed_out(lam: Fraction) -> Fraction:
        return sum((_weight_of_the_end(n, lam) for n in range(1, 7)), 0 * ONE)

    none, half, one = (handed_out(lam) for lam in (0 * ONE, HALF, ONE))
    return Judged(holds(none < half < one), {"none": none, "half": half, "one": one, "T": 6})


def _more_weight_means_more_advantage(_: Scenario) -> Judged:
    """The last reward weighs most in the last advantage; which is the smallest here."""
    found = _at()["advantages"]
    first = _weight_of_the_end(6, LAM)
    return Judged(
        holds(found[0] < found[-1]), {"first": round(float(first), 6), "last": 1, "adv": [found[0], found[-1]]}
    )


def _foreseen_success_is_praised(_: Scenario) -> Judged:
    """A perfect score that the critic had been sure of."""
    rewards, values = [0 * ONE, ONE], [ONE, ONE]
    found = gae(rewards, values, ONE, LAM)
    return Judged(holds(any(found)), {"r": rewards, "v": values, "adv": found})


def _no_critic_level_credit(_: Scenario) -> Judged:
    found = gae([0 * ONE, 0 * ONE, ONE], [0 * ONE] * 3, ONE, ONE)
    return Judged(holds(len(set(found)) == 1), {"adv": found})


def _same_token_same_credit(_: Scenario) -> Judged:
    """The same word at two places of one response."""
    later = (at_hand().tokens or ("b",) * at_hand().length)[2:]
    found = _at(tokens=["a", "a", *later])["advantages"]
    return Judged(holds(found[0] == found[1]), {"first": found[0], "second": found[1]})


def _negative_reward_blames_all(_: Scenario) -> Judged:
    """A response that fails, as was feared."""
    rewards, values = [0 * ONE, -ONE], [-2 * ONE, -2 * ONE]
    found = gae(rewards, values, ONE, LAM)
    return Judged(holds(all(a < 0 for a in found)), {"r": rewards, "v": values, "adv": found})


def _zero_credits_one_step(_: Scenario) -> Judged:
    found = _at(lam=0.0)
    return Judged(
        holds(found["advantages"] == found["deltas"]), {"adv": found["advantages"][0], "delta": found["deltas"][0]}
    )


MORE: dict[str, Check] = {
    "smaller_lambda_gives_early_tokens_less": _smaller_lambda_reaches_less_far,
    "longer_responses_dilute_the_final_reward": _length_dilutes,
    "credit_goes_where_the_value_jumps": _goes_where_the_value_jumps,
    "step_rewards_make_gae_unnecessary": _step_rewards_replace_gae,
    "later_tokens_pay_for_an_early_mistake": _later_tokens_pay,
    "good_answer_makes_every_advantage_positive": _good_answers_praise_every_token,
    "last_token_gets_the_largest_advantage": _the_end_gets_most,
    "total_weight_grows_with_lambda": _total_grows_with_lambda,
    "larger_weight_means_larger_advantage": _more_weight_means_more_advantage,
    "foreseen_success_is_still_praised": _foreseen_success_is_praised,
    "no_critic_at_lambda_one_gives_equal_credit": _no_critic_level_credit,
    "same_word_gets_the_same_credit": _same_token_same_credit,
    "failure_makes_every_advantage_negative": _negative_reward_blames_all,
    "lambda_zero_credits_only_the_own_step": _zero_credits_one_step,
}
