"""What learners conclude about the reference: what reaches it, where its KL acts, and what the leash is for."""

from __future__ import annotations

from fractions import Fraction
from math import log
from typing import Any

from engine import formulas, quantities
from engine.conventions import TRL, Rollout, Scored, run
from engine.facts import Inputs, compute
from engine.proofs.programs import expected
from engine.scenario import Scenario, scenario
from engine.slopes import own_slopes, total_slopes
from lessons._checks import changed, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons.reference_policy.checks import EDGE, HALF, ITERATIONS, _both_places, _kl_rewards, _slope

REF = list(EXAMPLE.rows("ref_logp")[0])
OLD = list(EXAMPLE.rows("old_logp")[0])
NEW = list(EXAMPLE.rows("new_logp")[0])
OTHER = [x - 1 for x in REF]


def _advantages(ref: list[float], **changes: Any) -> list[Any]:
    return list(gae(kl_values=None, ref_logp=ref, **changes)["advantages"])


def _gradient_reaches(_: Scenario) -> Judged:
    """What a step moves: the loss is differentiated by the new policy; the reference stands in it as numbers."""
    slopes = compute(own_slopes(_both_places, "in_loss", "new_logp"), EXAMPLE).exact["slopes"]
    after = exact("kl_estimators", logp=NEW, ref_logp=REF)["k1"][0]
    same = close(after, NEW[0] - REF[0])
    return Judged(holds(not same), {"slope": slopes[0], "ref": REF[0], "kl": after})


def _three_sets(_: Scenario) -> Judged:
    found = [NEW[0], OLD[0], REF[0]]
    return Judged(holds(len(set(found)) == len(found)), {"new": NEW[0], "old": OLD[0], "ref": REF[0]})


def _old_moves_on(_: Scenario) -> Judged:
    """The next iteration: the new policy has become the old one; KL is still taken from the same reference."""
    ratio = exact("surrogate", old_logp=NEW, new_logp=NEW)["ratio"][0]
    kl = [exact("kl_estimators", logp=row)["k1"][0] for row in (OLD, NEW)]
    return Judged(holds(ratio == 1 and kl[0] != kl[1] != 0), {"ratio": ratio, "kl": kl, "ref": REF[0]})


def _gives_values(_: Scenario) -> Judged:
    one, other = gae(kl_values=None)["values"][0], gae(kl_values=None, ref_logp=OTHER)["values"][0]
    return Judged(holds(one != other), {"one": one, "other": other})


def _same_tokens(_: Scenario) -> Judged:
    """Token by token the KL takes the reference's number for what the actor wrote."""
    found = exact("kl_estimators")["k1"]
    rows = zip(found, OLD, REF, strict=True)
    return Judged(
        holds(all(close(kl, old - ref) for kl, old, ref in rows)),
        {"count": len(REF), "old": OLD[0], "ref": REF[0], "kl": found[0]},
    )


def _loss_reads_it(_: Scenario) -> Judged:
    slope = _slope("in_loss", "ref_logp")
    return Judged(holds(slope != 0), {"slope": slope, "ratio": _ratio_slope()})


def _ratio_slope() -> Any:
    return compute(total_slopes(_ratios, ("ratio",), "ref_logp"), EXAMPLE).exact["ratio"]


def _ratios(x: Inputs) -> dict[str, Any]:
    return {"ratio": x.on.ratios(x["new_logp"], x["old_logp"], x.mask)}


def _reward_has_gradient(_: Scenario) -> Judged:
    in_reward, in_loss = _slope("in_reward", "new_logp"), _slope("in_loss", "new_logp")
    return Judged(holds(in_reward != 0), {"in_reward": in_reward, "in_loss": in_loss})


def _travels_back(_: Scenario) -> Judged:
    """The reference moved at the last token only: the first token's advantage."""
    last = len(REF) - 1
    before, after = (_advantages(ref)[0] for ref in (REF, changed(REF, last, -1.0)))
    return Judged(holds(before != after), {"before": before, "after": after})


def _loss_travels_back(_: Scenario) -> Judged:
    """The same with the KL in the loss: the first token's term, and the last one's."""
    last = len(REF) - 1
    one, other = (exact("kl_estimators", logp=NEW, ref_logp=ref)["k2"] for ref in (REF, changed(REF, last, -1.0)))
    return Judged(holds(one[0] != other[0]), {"first": one[0], "still": other[0], "last": [one[-1], other[-1]]})


def _groups_read_it(_: Scenario) -> Judged:
    own = scenario({"group_rewards": [1, 0, 0.5, 0]})
    found = quantities.facts("grpo", own)
    return Judged(holds("ref_logp" in found.used), {"adv": found.exact["advantages"][0]})


def _no_pull_at_reference(_: Scenario) -> Judged:
    """An actor that equals the reference: the slope of the KL in the loss, and of one that has moved."""
    at = compute(own_slopes(_both_places, "in_loss", "new_logp"), EXAMPLE.merged({"new_logp": REF})).exact["slopes"]
    away = compute(own_slopes(_both_places, "in_loss", "new_logp"), EXAMPLE).exact["slopes"]
    return Judged(holds(not any(at)), {"at": at[0], "away": away[0]})


def _net(p: float, beta: float) -> float:
    """The mean score less β·KL, where one of two tokens scores 1 and the reference is undecided."""
    kl = p * formulas.k1(log(p), log(HALF)) + (1 - p) * formulas.k1(log(1 - p), log(1 - HALF))
    return formulas.token_reward(p, kl, beta)


def _best(beta: float) -> float:
    return max((k / 100 for k in range(1, 100)), key=lambda p: _net(p, beta))


def _keeps_near(_: Scenario) -> Judged:
    free, held = _best(0.0), _best(1.0)
    return Judged(holds(HALF < held < free), {"ref": HALF, "free": free, "held": held})


def _more_is_better(_: Scenario) -> Judged:
    """What the best policy scores, by β."""
    betas = [0.0, 1.0, 10.0]
    scores = [_best(beta) for beta in betas]
    return Judged(holds(scores == sorted(scores)), {"betas": betas, "scores": scores})


def _freezes(_: Scenario) -> Judged:
    found = _best(100.0)
    return Judged(holds(abs(found - HALF) < 0.01), {"beta": 100, "found": found, "ref": HALF, "small": _best(0.1)})


def _moves_returns(_: Scenario) -> Judged:
    one, other = (gae(kl_values=None, ref_logp=ref)["returns"][0] for ref in (REF, OTHER))
    return Judged(holds(one != other), {"one": one, "other": other})


def _trl_in_reward(_: Scenario) -> Judged:
    """The first token's reward under TRL's convention, for two references."""
    mask = [[1] * len(REF)]

    def reward(ref: list[float]) -> float:
        scored = Scored(scores=[1.0], logps=[OLD], ref_logps=[ref], beta=0.1)
        return round(float(run(Rollout(scored, [[0.0] * len(REF)], mask), TRL, gamma=1.0, lam=1.0).rewards[0][0]), 6)

    one, other = reward(REF), reward(OTHER)
    return Judged(holds(one != other), {"one": one, "other": other})


def _all_agree(_: Scenario) -> Judged:
    """The first iteration, before any update, from a copy."""
    ratio = exact("surrogate", old_logp=REF, new_logp=REF)["ratio"]
    kl = exact("kl_estimators", logp=REF)["k1"]
    return Judged(holds(all(r == 1 for r in ratio) and not any(kl)), {"ratio": ratio[0], "kl": kl[0]})


def _two_distances(_: Scenario) -> Judged:
    to_old = sum(o - n for o, n in zip(OLD, NEW, strict=True)) / len(NEW)
    to_ref = sum(n - r for n, r in zip(NEW, REF, strict=True)) / len(NEW)
    return Judged(holds(not close(to_old, to_ref)), {"old": round(to_old, 4), "ref": round(to_ref, 4)})


def _step_and_way(_: Scenario) -> Judged:
    """The clip begins anew from where the last iteration ended; the KL is counted from the start."""
    reached = [float(EDGE**k) for k in (1, ITERATIONS)]
    kls = [round(log(x), 4) for x in reached]
    return Judged(
        holds(reached[1] > reached[0] and kls[1] > kls[0]),
        {"edge": reached[0], "reached": round(reached[1], 3), "times": ITERATIONS, "kls": kls},
    )


def _reward_renewed(_: Scenario) -> Judged:
    """The rewards, made with what the policy said when it wrote, and again after the update."""
    slope = _slope("in_reward", "new_logp")
    return Judged(holds(slope != 0), {"slope": slope, "reward": _kl_rewards()["rewards"][0]})


def _droppable(_: Scenario) -> Judged:
    """Zero in its place: the KL of the loss pulls elsewhere."""
    slopes = [
        compute(own_slopes(_both_places, "in_loss", "new_logp"), EXAMPLE.merged({"ref_logp": ref})).exact["slopes"][0]
        for ref in (REF, [0.0] * len(REF))
    ]
    return Judged(holds(slopes[0] == slopes[1]), {"slope": slopes[0], "without": slopes[1]})


def _larger_kl(_: Scenario) -> Judged:
    rewards = [_kl_rewards(ref_logp=[r - far for r in REF])["rewards"][0] for far in (0.0, 1.0, 2.0)]
    return Judged(holds(rewards == sorted(rewards, reverse=True) and rewards[0] > rewards[-1]), {"rewards": rewards})


def _total_charge(_: Scenario) -> Judged:
    found = _kl_rewards()
    score, paid = sum(EXAMPLE.rows("scores")[0]), sum(found["rewards"])
    charge = float(EXAMPLE.beta or 0) * float(sum(found["kl"]))
    return Judged(holds(close(score - paid, charge)), {"score": score, "paid": paid, "charge": round(charge, 6)})


def _charged(_: Scenario) -> Judged:
    found = _kl_rewards()
    likelier = [
        (old, ref, reward)
        for old, ref, reward in zip(OLD[:-1], REF[:-1], found["rewards"][:-1], strict=True)
        if old > ref
    ]
    old, ref, reward = likelier[0]
    return Judged(holds(all(r < 0 for _, _, r in likelier)), {"old": old, "ref": ref, "reward": reward})


def _equivalent(_: Scenario) -> Judged:
    """In the reward it moves earlier advantages and has no slope of its own; in the loss the other way round."""
    last = len(REF) - 1
    moved = _advantages(changed(REF, last, -1.0))[0] - _advantages(REF)[0]
    in_reward, in_loss = _slope("in_reward", "new_logp"), _slope("in_loss", "new_logp")
    return Judged(
        holds(in_reward == in_loss and moved == 0), {"moved": moved, "in_reward": in_reward, "in_loss": in_loss}
    )


def _entropy(_: Scenario) -> Judged:
    """KL plus entropy for two policies: a constant for a reference that is undecided, and not for another."""

    def together(policy: tuple[float, float], ref: tuple[float, float]) -> float:
        kl = expected(policy, lambda i: formulas.k1(log(policy[i]), log(ref[i])))
        return round(float(kl + sum(formulas.entropy_term(p) for p in policy)), 6)

    policies, even, uneven = ((0.5, 0.5), (0.75, 0.25)), (0.5, 0.5), (0.9, 0.1)
    level, tilted = ([together(p, ref) for p in policies] for ref in (even, uneven))
    return Judged(holds(level[0] == level[1] and tilted[0] == tilted[1]), {"level": level, "tilted": tilted})


def _distance_is_symmetric(_: Scenario) -> Judged:
    one, other = (0.5, 0.5), (0.9, 0.1)

    def kl(p: tuple[float, float], q: tuple[float, float]) -> float:
        return round(float(expected(p, lambda i: formulas.k1(log(p[i]), log(q[i])))), 4)

    return Judged(holds(kl(one, other) == kl(other, one)), {"there": kl(one, other), "back": kl(other, one)})


def _clip_reads_no_reference(_: Scenario) -> Judged:
    """The clip fraction under two references, the advantages being given."""
    given = EXAMPLE.merged({"advantages": [1.0] * EXAMPLE.length})
    one, other = (quantities.facts("clip", given.merged({"ref_logp": ref})).exact["clipfrac"] for ref in (REF, OTHER))
    return Judged(holds(one == other), {"one": one, "other": other})


def _doubling(_: Scenario) -> Judged:
    found = [Fraction(str(beta)) * Fraction(1, 5) for beta in (0.1, 0.2)]
    taken = [_kl_rewards(beta=beta)["rewards"][0] for beta in (0.1, 0.2)]
    return Judged(holds(close(taken[1], 2 * taken[0])), {"taken": taken, "charges": found})


FURTHER: dict[str, Check] = {
    "training_updates_the_reference": _gradient_reaches,
    "there_are_three_sets_of_log_probs": _three_sets,
    "old_moves_on_reference_stays": _old_moves_on,
    "reference_gives_values": _gives_values,
    "reference_scores_the_actors_tokens": _same_tokens,
    "kl_loss_reads_the_reference_directly": _loss_reads_it,
    "kl_in_reward_has_a_gradient_of_its_own": _reward_has_gradient,
    "kl_in_reward_reaches_earlier_tokens": _travels_back,
    "kl_in_loss_reaches_earlier_tokens": _loss_travels_back,
    "group_advantages_read_the_reference": _groups_read_it,
    "kl_loss_is_at_rest_at_the_reference": _no_pull_at_reference,
    "keeps_the_policy_from_running_away": _keeps_near,
    "larger_beta_is_always_better": _more_is_better,
    "huge_beta_freezes_the_policy": _freezes,
    "kl_in_reward_moves_the_returns": _moves_returns,
    "trl_puts_the_kl_in_the_reward": _trl_in_reward,
    "all_three_agree_at_the_very_start": _all_agree,
    "distance_to_old_and_to_reference_differ": _two_distances,
    "clip_limits_a_step_kl_the_whole_way": _step_and_way,
    "reward_kl_is_renewed_every_step": _reward_renewed,
    "a_constant_that_can_be_dropped": _droppable,
    "larger_kl_lowers_the_reward": _larger_kl,
    "total_charge_is_beta_times_total_kl": _total_charge,
    "likelier_than_reference_is_charged": _charged,
    "kl_in_reward_and_in_loss_are_equivalent": _equivalent,
    "kl_to_reference_is_an_entropy_bonus": _entropy,
    "kl_to_reference_is_symmetric": _distance_is_symmetric,
    "clip_fraction_ignores_the_reference": _clip_reads_no_reference,
    "doubling_beta_doubles_the_charge": _doubling,
}
