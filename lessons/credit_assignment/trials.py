"""More of what learners claim about credit, tried: whose surprise reaches whom, what is no share, what has no part."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities, sequences
from engine.example import RUNNING
from engine.facts import compute
from engine.proofs import theorem
from engine.scenario import Scenario, scenario
from lessons._at_hand import at_hand
from lessons._checks import changed, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._trials import HALF, NONE, ONE, apart, judged, outcome, raised, rational, rewarded, trial
from lessons.credit_assignment.shares import sharing

LAMS = (NONE, HALF, ONE)
OWN = trial((0, 0, 0, 1), ("1/4", "1/2", "3/8", "3/4"), HALF)


def _later_surprises(_: Scenario) -> Judged:
    before, after = (sequences.gae_advantages(deltas, ONE, HALF) for deltas in (OWN.deltas, raised(OWN.deltas, 2)))
    moved = apart(after, before)
    return judged(all(moved[:3]), moved=moved)


def _forwards() -> list[Any]:
    """Each advantage of the running example as a sum of its own."""
    found = gae()
    decay = Fraction(str(at_hand().lam)) * Fraction(str(at_hand().gamma))
    return [sequences.discounted_sum(found["deltas"][t:], decay) for t in range(at_hand().length)]


def _order(_: Scenario) -> Judged:
    theorem("gae_is_decayed_sum_of_deltas")
    forwards, backwards = _forwards(), gae()["advantages"]
    return judged(not close(forwards, backwards), forwards=forwards, backwards=backwards)


def _speed(_: Scenario) -> Judged:
    tokens = RUNNING.length
    sums = sum(tokens - t for t in range(tokens))
    same = close(_forwards(), gae()["advantages"])
    return judged(same and tokens < sums, tokens=tokens, recursion=tokens, sums=sums)


def _no_reward(_: Scenario) -> Judged:
    own = trial((0, 0, 1), ("1/4", "1/2", "3/4"), HALF)
    return judged(not any(own.advantages[:2]), r=own.rewards, v=own.values, a=own.advantages)


def _by_reward(place: int) -> list[Any]:
    return apart(rewarded(OWN, place).advantages, OWN.advantages)


def _own_only(_: Scenario) -> Judged:
    moved = _by_reward(2)
    return judged(moved == [0, 0, 1, 0], moved=moved)


def _fades(_: Scenario) -> Judged:
    theorem("reward_reaches_back_with_gamma_lambda")
    third, last = _by_reward(2)[:3], _by_reward(3)
    powers = [formulas.discounted(ONE, HALF, k) for k in (3, 2, 1, 0)]
    return judged(last == powers and third == powers[1:], third=third, last=last)


def _one_is_a_split(_: Scenario) -> Judged:
    tokens = 4
    found = trial(outcome(tokens), [0] * tokens).advantages
    share = formulas.mean(ONE, tokens)
    return judged(found == [share] * tokens, tokens=tokens, a=found, share=share)


def _shares(_: Scenario) -> Judged:
    found = compute(sharing, RUNNING).exact
    shares, weights = found["last_reward_shares"], found["last_reward_weight_sum"]
    reward = gae()["rewards"][-1]
    return judged(close(sum(shares), reward), share=shares[0], sum=sum(shares), weights=weights)


def _constant(_: Scenario) -> Judged:
    found = trial(outcome(4), [HALF] * 4, HALF).advantages
    return judged(found == [HALF * formulas.discounted(ONE, HALF, k) for k in (3, 2, 1, 0)], v=HALF, a=found)


def _idle(lam: Fraction) -> list[Any]:
    """The advantages of a token that plays no part, before a fair coin: kind and unkind. The critic is exact."""
    return [trial((0, end), (HALF, HALF), lam).advantages[0] for end in (1, 0)]


def _idle_mean(_: Scenario) -> Judged:
    lucky, unlucky = _idle(ONE)
    mean = formulas.mean(lucky + unlucky, 2)
    return judged(mean == 0, lucky=lucky, unlucky=unlucky, mean=mean)


def _idle_at_zero(_: Scenario) -> Judged:
    zero, one = _idle(NONE), _idle(ONE)
    return judged(not any(zero), zero=zero, one=one)


def _luck(_: Scenario) -> Judged:
    gaps = [good - bad for good, bad in map(_idle, LAMS)]
    return judged(gaps == sorted(set(gaps)), lams=list(LAMS), gaps=gaps)


def _one_for_all(_: Scenario) -> Judged:
    found = gae()["advantages"]
    return judged(len(set(found)) == 1, a=found, grpo=exact("grpo")["centered"][0])


def _eos_only(_: Scenario) -> Judged:
    score, other = 1, 2
    after = gae(scores=[0.0] * 5 + [float(other)])["advantages"]
    moved = apart(after, gae()["advantages"])
    return judged(not any(moved[:-1]), score=score, other=other, moved=moved)


def _whole_return(_: Scenario) -> Judged:
    given = scenario({"rewards": [1, 0, 2], "values": [0.5, 0.5, 0.5], "gamma": 1, "lam": 1})
    right = quantities.facts("mc", given).exact
    wrong = mistakes.run("mc_whole_return_everywhere", given).exact["mc_returns"]
    return judged(right["mc_returns"] == wrong, r=right["rewards"], right=right["mc_returns"], wrong=wrong)


def _pads(_: Scenario) -> Judged:
    parts = {"gamma": 1, "lam": 0.5}
    padded = {"rewards": [0, 0, 1, 5, 5], "values": [0.25, 0.5, 0.75, 9, 9], "mask": [1, 1, 1, 0, 0], **parts}
    alone = {"rewards": [0, 0, 1], "values": [0.25, 0.5, 0.75], **parts}
    found, plain = (quantities.facts("gae", scenario(given)).exact["advantages"] for given in (padded, alone))
    real = found[:3]
    return judged(any(a is not None for a in found[3:]) or real != plain, real=real, alone=plain)


def _prompt(_: Scenario) -> Judged:
    count, tokens = len(gae()["advantages"]), len(RUNNING.tokens or ())
    return judged(count > tokens, tokens=tokens, count=count)


def _kl_reaches(_: Scenario) -> Judged:
    by = 0.5
    after = gae(kl_values=changed(RUNNING.rows("kl_values")[0], 3, by), logp=None, ref_logp=None)["advantages"]
    moved = apart(after, gae(logp=None, ref_logp=None)["advantages"])
    return judged(all(m < 0 for m in moved[:4]), by=by, beta=RUNNING.beta, moved=moved)


def _deleting(_: Scenario) -> Judged:
    lucky, _unlucky = _idle(ONE)
    score = formulas.mean(ONE, 2)
    return judged(lucky == 0, lucky=lucky, score=score)


def _negative_is_bad(_: Scenario) -> Judged:
    lucky, unlucky = _idle(ONE)
    mean = formulas.mean(lucky + unlucky, 2)
    return judged(not (unlucky < 0 == mean), unlucky=unlucky, mean=mean)


def _words_enter(_: Scenario) -> Judged:
    kept = {"rewards": [float(r) for r in gae()["rewards"]], "scores": None}
    other = {"logp": [-9.0] * 6, "ref_logp": [-1.0] * 6, "tokens": list("abcdef")}
    firsts = [gae(**changes)["advantages"][0] for changes in (kept, {**kept, **other})]
    return judged(firsts[0] != firsts[1], firsts=firsts)


def _places(_: Scenario) -> Judged:
    own = trial((0, 0, 1), (HALF, HALF, HALF))
    after = trial(own.rewards, raised(own.values, 1))
    total = sum(own.deltas)
    return judged(
        after.deltas != own.deltas and sum(after.deltas) == total, before=own.deltas, after=after.deltas, total=total
    )


def _late_mistake(_: Scenario) -> Judged:
    good, bad = (trial(outcome(3, score), [HALF] * 3, HALF).advantages for score in (1, -1))
    return judged(all(b < g for g, b in zip(good, bad, strict=True)), v=HALF, good=good, bad=bad)


def _any_critic(_: Scenario) -> Judged:
    one, other = (trial((0, 0, 1), values, HALF) for values in (("1/4", "1/2", "3/4"), ("1/4", "3/4", "1/4")))
    return judged(
        one.advantages == other.advantages,
        r=one.rewards, v=one.values, a=one.advantages, w=other.values, b=other.advantages,
    )  # fmt: skip


def _reach(_: Scenario) -> Judged:
    decays = rational(("1/2", "9/10", "19/20"))
    reaches = [round(float(sum(formulas.discounted(1.0, float(d), k) for k in range(2000))), 6) for d in decays]
    fits = [abs(total - float(formulas.horizon(d))) < 1e-6 for total, d in zip(reaches, decays, strict=True)]
    return judged(all(fits) and reaches == sorted(reaches), decays=decays, reaches=reaches)


TRIED: dict[str, Check] = {
    "early_token_is_credited_with_later_surprises": _later_surprises,
    "order_of_computation_decides_the_credit": _order,
    "backward_order_is_for_speed": _speed,
    "tokens_without_reward_get_no_credit": _no_reward,
    "a_reward_affects_its_own_token_only": _own_only,
    "any_reward_fades_backwards_by_gamma_lambda": _fades,
    "lambda_one_splits_the_reward_equally": _one_is_a_split,
    "equal_shares_add_up_to_the_reward": _shares,
    "a_constant_critic_credits_by_distance_alone": _constant,
    "irrelevant_token_gets_nothing_on_average": _idle_mean,
    "at_lambda_zero_an_irrelevant_token_gets_exactly_nothing": _idle_at_zero,
    "smaller_lambda_keeps_later_luck_out": _luck,
    "ppo_gives_all_tokens_one_advantage": _one_for_all,
    "score_on_eos_credits_eos_only": _eos_only,
    "every_token_is_credited_with_the_whole_return": _whole_return,
    "tokens_after_eos_get_credit": _pads,
    "prompt_tokens_get_credit": _prompt,
    "a_tokens_kl_cost_reaches_earlier_tokens": _kl_reaches,
    "advantage_tells_what_deleting_the_token_would_do": _deleting,
    "negative_advantage_means_a_bad_token": _negative_is_bad,
    "tokens_and_probabilities_enter_the_credit": _words_enter,
    "values_place_the_credit_and_rewards_settle_its_total": _places,
    "penalty_for_a_late_mistake_reaches_early_tokens": _late_mistake,
    "same_response_same_credit_under_any_critic": _any_critic,
    "longest_reach_is_set_by_gamma_lambda": _reach,
}
