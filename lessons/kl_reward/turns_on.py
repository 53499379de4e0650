"""What turns on something that was not said: where the KL goes, which estimator it is, how β is set, which token."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.example import RUNNING
from engine.facts import exact_facts
from engine.kl_samples import Vocabulary, estimates
from engine.proofs import theorem
from engine.readings.exact import exactly
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged
from lessons._row import fraction
from lessons._trials import apart, judged
from lessons._turns import always
from lessons.kl_reward.measures import POLICY, REFERENCE

VOCABULARY = Vocabulary(policy=POLICY, reference=REFERENCE)
RARE, UNLIKELY = (-30.0, -1.0), (-1.0, -0.5)  # of a token: its log-probability under the policy, under the reference
TARGET, CONTROLLER = 0.1, (256.0, 10000.0, 0.2)  # steps, horizon and bound


def _short(x: Any) -> float:
    return round(float(x), 6)


def _by_kind(token: tuple[float, float], *kinds: Any) -> list[float]:
    return [_short(k) for k in exactly(lambda lift: [of(*map(lift, token)) for of in kinds], 1)]


def _placed() -> tuple[dict[str, Any], dict[str, Any]]:
    """The running example with the KL in the reward, and with the KL in the loss: the rewards are the scores then."""
    return gae(), gae(beta=0.0)


def _rewards() -> tuple[list[Any], list[Any], list[Any]]:
    """The rewards with the KL in them, without it, and the scores."""
    scores = [fraction(s) for s in RUNNING.rows("scores")[0]]
    return exact("kl_rewards")["rewards"], exact("kl_rewards", beta=0.0)["rewards"], scores


def _off_the_reward(_: Scenario) -> Judged:
    on, off, scores = _rewards()
    return judged([on != scores, off != scores], on=on, off=off)


def _equal_scores(_: Scenario) -> Judged:
    on, off, scores = _rewards()
    return judged([on == scores, off == scores], on=on, off=off)


def _middle_zero(_: Scenario) -> Judged:
    on, off, _scores = _rewards()
    return judged([not any(row[:-1]) for row in (on, off)], on=on, off=off)


def _last_is_score(_: Scenario) -> Judged:
    on, off, scores = _rewards()
    return judged([row[-1] == scores[-1] for row in (on, off)], on=on[-1], off=off[-1], score=scores[-1])


def _in_advantages(_: Scenario) -> Judged:
    on, off = (found["advantages"] for found in _placed())
    bare = gae(scores=None, rewards=[float(s) for s in RUNNING.rows("scores")[0]])["advantages"]
    return judged([not close(row, bare) for row in (on, off)], on=on[0], off=off[0])


def _in_returns(_: Scenario) -> Judged:
    on, off = (found["returns"] for found in _placed())
    bare = gae(scores=None, rewards=[float(s) for s in RUNNING.rows("scores")[0]])["returns"]
    return judged([not close(row, bare) for row in (on, off)], on=on[0], off=off[0])


def _moved_by_the_actor() -> tuple[list[Any], list[Any]]:
    """The first token's reward, and its k3 in the loss, before and after the actor has moved."""
    rows = [[-0.3] * RUNNING.length, [-2.0] * RUNNING.length]
    rewards = [exact("kl_rewards", new_logp=row)["rewards"][0] for row in rows]
    ref = RUNNING.rows("ref_logp")[0][0]
    return rewards, [_by_kind((row[0], ref), formulas.k3)[0] for row in rows]


def _has_a_gradient(_: Scenario) -> Judged:
    reward, loss = _moved_by_the_actor()
    return judged([pair[0] != pair[1] for pair in (reward, loss)], reward=reward, loss=loss)


def _reads_the_old(_: Scenario) -> Judged:
    reward, loss = _moved_by_the_actor()
    return judged([pair[0] == pair[1] for pair in (reward, loss)], reward=reward, loss=loss)


def _twice(_: Scenario) -> Judged:
    """How often a token's KL is charged: with both switches on, and with one."""
    on, _off, scores = _rewards()
    in_reward = on[0] != scores[0]
    in_loss = _by_kind((RUNNING.rows("logp")[0][0], RUNNING.rows("ref_logp")[0][0]), formulas.k3)[0] != 0
    charges = [in_reward + in_loss, int(in_reward)]
    return judged([times > 1 for times in charges], both=charges[0], one=charges[1])


def _negative_is_wrong(_: Scenario) -> Judged:
    theorem("k3_is_never_negative")
    found = exact("kl_estimators")
    least = {kind: _short(min(found[kind])) for kind in ("k1", "k3")}
    return judged([low >= 0 for low in least.values()], **least)


def _not_negative(_: Scenario) -> Judged:
    theorem("kl_is_never_negative")
    divergence = _short(exact_facts(estimates(VOCABULARY), Scenario())["divergence"])
    sample = _short(min(exact("kl_estimators")["k1"]))
    return judged([divergence >= 0, sample >= 0], divergence=divergence, sample=sample)


def _unbiased(_: Scenario) -> Judged:
    found = exact_facts(estimates(VOCABULARY), Scenario())
    means = {kind: _short(found["mean"][kind]) for kind in ("k1", "k2", "k3")}
    divergence = _short(found["divergence"])
    return judged([means[kind] == divergence for kind in means], divergence=divergence, **means)


def _clamped(_: Scenario) -> Judged:
    k1, plain, clamped = _by_kind(RARE, formulas.k1, formulas.k3, formulas.k3_clamped)
    return judged([clamped < plain, abs(k1) < abs(RARE[0] - RARE[1])], k1=k1, k3=clamped)


def _flips(_: Scenario) -> Judged:
    kinds = (formulas.k1, formulas.k2)
    one, turned = _by_kind(UNLIKELY, *kinds), _by_kind((UNLIKELY[1], UNLIKELY[0]), *kinds)
    return judged([b == -a for a, b in zip(one, turned, strict=True)], k1=[one[0], turned[0]], k2=[one[1], turned[1]])


def _beta_moves(_: Scenario) -> Judged:
    """Adaptive where the measured KL is above its target, and on it: there the rule leaves β as a fixed one is."""
    beta = RUNNING.beta or 0.0
    above, on = (formulas.adaptive_kl_coefficient(beta, kl, TARGET, *CONTROLLER) for kl in (3 * TARGET, TARGET))
    return judged([after != beta for after in (above, on)], beta=beta, above=_short(above), on=_short(on))


def _more_beta(_: Scenario) -> Judged:
    """β doubled: how far each token's reward moves."""
    beta = RUNNING.beta or 0.0
    one, two = (exact("kl_rewards", beta=b)["rewards"] for b in (beta, 2 * beta))
    moved = apart(two, one)
    return judged([m < 0 for m in moved], moved=moved, kl=exact("kl_rewards")["kl"])


def _total_below(_: Scenario) -> Judged:
    score = fraction(sum(RUNNING.rows("scores")[0]))
    kl = exact("kl_rewards")["kl"]
    turned = [-float(k) for k in kl]
    totals = [Fraction(sum(exact("kl_rewards")["rewards"]))]
    totals.append(Fraction(sum(exact("kl_rewards", kl_values=turned, logp=None, ref_logp=None)["rewards"])))
    return judged([total < score for total in totals], score=score, plain=totals[0], turned=totals[1], kl=sum(kl))


def _advantages_in_reward(scenario: Scenario) -> Judged:
    found = _in_advantages(scenario).found
    return judged(found["on"] != found["off"], **found)


def _returns_in_loss(scenario: Scenario) -> Judged:
    """The KL in the loss, and the bare scores."""
    off = _in_returns(scenario).found["off"]
    bare = gae(scores=None, rewards=[float(s) for s in RUNNING.rows("scores")[0]])["returns"][0]
    return judged(not close(off, bare), off=off, bare=bare)


def _differentiated_in_loss(scenario: Scenario) -> Judged:
    before, after = _has_a_gradient(scenario).found["loss"]
    return judged(before != after, before=before, after=after)


def _loss_reads_the_current(scenario: Scenario) -> Judged:
    before, after = _reads_the_old(scenario).found["loss"]
    return judged(before != after, before=before, after=after)


def _middle_without_kl(scenario: Scenario) -> Judged:
    off = _middle_zero(scenario).found["off"]
    return judged(not any(off[:-1]), off=off)


def _adaptive(scenario: Scenario) -> Judged:
    found = _beta_moves(scenario).found
    return judged(found["above"] != found["beta"], **found)


def _where_positive(scenario: Scenario) -> Judged:
    found = _more_beta(scenario).found
    signs = [(moved < 0) == (kl > 0) for moved, kl in zip(found["moved"], found["kl"], strict=True)]
    return judged(all(signs), **found)


def _k1_is_clamped(scenario: Scenario) -> Judged:
    k1 = _clamped(scenario).found["k1"]
    return judged(k1 != RARE[0] - RARE[1], k1=k1)


TURNS: dict[str, Check] = {
    "kl_in_the_reward_changes_the_advantages": _advantages_in_reward,
    "kl_in_the_loss_enters_the_returns": _returns_in_loss,
    "kl_in_the_loss_carries_a_gradient": _differentiated_in_loss,
    "kl_in_the_loss_reads_the_current_policy": _loss_reads_the_current,
    "without_kl_in_the_reward_middle_rewards_are_zero": _middle_without_kl,
    "an_adaptive_controller_changes_beta": _adaptive,
    "a_larger_beta_lowers_the_rewards_where_k1_is_positive": _where_positive,
    "a_larger_beta_lowers_every_reward": always(_more_beta),
    "verl_clamps_k1": _k1_is_clamped,
    "the_kl_comes_off_the_reward": _off_the_reward,
    "rewards_equal_scores": _equal_scores,
    "middle_rewards_are_zero": _middle_zero,
    "the_last_reward_equals_the_score": _last_is_score,
    "the_kl_changes_the_advantages": _in_advantages,
    "the_returns_contain_the_kl": _in_returns,
    "the_kl_term_carries_a_gradient": _has_a_gradient,
    "the_kl_reads_the_old_policy": _reads_the_old,
    "the_kl_is_charged_twice": _twice,
    "a_negative_kl_is_a_mistake": _negative_is_wrong,
    "the_kl_is_not_negative": _not_negative,
    "the_kl_estimate_is_unbiased": _unbiased,
    "the_kl_is_clamped": _clamped,
    "swapping_the_models_flips_the_sign": _flips,
    "beta_changes_in_training": _beta_moves,
    "a_larger_beta_lowers_a_tokens_reward": _more_beta,
    "a_responses_total_is_below_its_score": _total_below,
}
