"""What learners say of an iteration between its stages: what waits for what, what is stored, what is read."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import exp
from typing import Any

from engine import drift, formulas
from engine.chance import one_coin
from engine.facts import Inputs, compute
from engine.scenario import Scenario
from engine.slopes import own_slopes, total_slopes
from lessons._checks import alone, gae, whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons._weighed import weighed
from lessons.ppo_loop.checks import BATCH, QUARTER, _handed_over, _slope, _terms
from lessons.ppo_loop.further import LENGTH, _actor_reads, _critic_reads, _losses
from lessons.ppo_loop.judged import FAR, NEAR, OLD, TARGETS, _loss, _mean, _one_pass

MOVED = {"new_logp": "actor", "vpreds": "critic"}
ACTOR_READS, CRITIC_READS = ("new_logp", "old_logp", "advantages"), ("vpreds", "returns")
BUDGET, SMALL, LARGE = 1024, 64, 256  # responses to write in all, and two sizes of a batch


def _stored(_: Scenario) -> Judged:
    """After an update: the ratio of the stored list to itself, and of the policy's own list to it."""
    old, new = EXAMPLE.rows("old_logp")[0], EXAMPLE.rows("new_logp")[0]
    return Judged(holds(old == new), {"old": old[0], "new": new[0], "ratio": round(exp(new[0] - old[0]), 4)})


def _scoring_needs_critic(_: Scenario) -> Judged:
    one, other = gae()["rewards"], gae(values=[9.0] * LENGTH)["rewards"]
    return Judged(holds(not close(one, other)), {"one": one[-1], "other": other[-1]})


def _both(x: Inputs) -> dict[str, Any]:
    """One loss for both networks."""
    terms = _terms(x)
    actor, critic = terms["actor"], terms["critic"]
    if not isinstance(actor, list):
        return {"both": actor + critic}
    pairs = [zip(a, c, strict=True) for a, c in zip(actor, critic, strict=True)]
    return {"both": [[a + c for a, c in pair] for pair in pairs]}


def _adding(_: Scenario) -> Judged:
    found = {by: compute(total_slopes(_both, ("both",), by), _handed_over()).exact["both"] for by in MOVED}
    own = {by: _slope(name, by) for by, name in MOVED.items()}
    return Judged(
        holds(all(close(found[by], own[by]) for by in MOVED)),
        {
            name: round(float(slope), 6)
            for name, slope in (
                ("actor", own["new_logp"]),
                ("actor_both", found["new_logp"]),
                ("critic", own["vpreds"]),
                ("critic_both", found["vpreds"]),
            )
        },
    )


def _scored_on_the_way(_: Scenario) -> Judged:
    scores = EXAMPLE.rows("scores")[0]
    return Judged(holds(any(scores[:-1])), {"before": sum(map(abs, scores[:-1])), "last": scores[-1]})


def _update_first(_: Scenario) -> Judged:
    """The actor's slope with no advantages yet, and with them."""
    without = compute(
        total_slopes(_terms, ("actor",), "new_logp"), _handed_over().merged({"advantages": [0.0] * LENGTH})
    ).exact["actor"]
    return Judged(holds(without != 0), {"without": without, "with_them": _slope("actor", "new_logp")})


def _any_order(_: Scenario) -> Judged:
    """The KL first and the score put on it, beside both at once."""
    kl_first = gae(scores=[0.0] * LENGTH)["rewards"]
    made = [k + Fraction(str(s)) for k, s in zip(kl_first, EXAMPLE.rows("scores")[0], strict=True)]
    at_once = gae()["rewards"]
    return Judged(holds(close(made, at_once)), {"made": made[-1], "at_once": at_once[-1]})


def _larger_pieces(_: Scenario) -> Judged:
    sizes = [QUARTER, 2 * QUARTER]
    steps = [len(range(0, BATCH, size)) for size in sizes]
    return Judged(holds(steps[1] < steps[0]), {"batch": BATCH, "sizes": sizes, "steps": steps})


def _actor_reads_returns(_: Scenario) -> Judged:
    return _actor_reads("returns")


def _critic_reads_rewards_directly(_: Scenario) -> Judged:
    return _critic_reads("rewards")


def _more_responses(_: Scenario) -> Judged:
    """A coin's noise in the mean of a batch, and how many batches a given number of responses makes."""
    ends = [Fraction(r[0]) for r in one_coin(1).rewards]
    middle = sum(ends, Fraction(0)) / len(ends)
    variance = sum((Fraction(formulas.squared_error(middle, r)) for r in ends), Fraction(0)) / len(ends)
    sizes = (SMALL, LARGE)
    noise, updates = [variance / size for size in sizes], [BUDGET // size for size in sizes]
    return Judged(
        weighed(noise[1] < noise[0], updates[1] < updates[0]),
        {"sizes": [SMALL, LARGE], "noise": noise, "budget": BUDGET, "updates": updates},
    )


def _next_old(_: Scenario) -> Judged:
    """The next iteration's first ratio, its old policy being the actor as it has become, and being the earlier one."""
    new, old = (EXAMPLE.rows(name)[0] for name in ("new_logp", "old_logp"))
    renewed, kept = exp(new[0] - new[0]), exp(new[0] - old[0])
    return Judged(holds(renewed == 1 != kept), {"renewed": renewed, "kept": round(kept, 4)})


def _without_scores(_: Scenario) -> Judged:
    known, unknown = gae()["returns"][0], gae(scores=[0.0] * LENGTH)["returns"][0]
    return Judged(holds(known == unknown), {"known": known, "unknown": unknown})


@cache
def _slopes() -> list[float]:
    """How each token's term moves with its new log-probability."""
    found = compute(own_slopes(_terms, "actor", "new_logp"), _handed_over()).exact["slopes"]
    return [round(float(slope), 6) for slope in found]


def _end_is_trained(_: Scenario) -> Judged:
    return Judged(holds(_slopes()[-1] != 0), {"last": _slopes()[-1]})


def _first_is_left_out(_: Scenario) -> Judged:
    return Judged(holds(_slopes()[0] == 0), {"first": _slopes()[0]})


def _pushed_by_advantage(_: Scenario) -> Judged:
    """The slope at a token with its advantage doubled, at the first step."""
    at_first = {"new_logp": EXAMPLE.rows("old_logp")[0]}
    handed = _handed_over().merged(at_first)
    doubled = [2 * a for a in handed.rows("advantages")[0]]
    one, two = (
        compute(own_slopes(_terms, "actor", "new_logp"), at).exact["slopes"][0]
        for at in (handed, handed.merged({"advantages": doubled}))
    )
    return Judged(holds(close(two, 2 * one)), {"one": round(float(one), 4), "two": round(float(two), 4)})


def _pushed_alike(_: Scenario) -> Judged:
    """With each token hearing its own news only, whitened with the batch."""
    found = [round(float(a), 4) for a in whitened(lam=0.0)]
    return Judged(holds(min(found) > 0 or max(found) < 0), {"lam": 0, "least": min(found), "largest": max(found)})


def _target_network(_: Scenario) -> Judged:
    """The critic's targets while the critic itself moves."""
    before, after = (gae(vpreds=[v] * LENGTH)["returns"][0] for v in (0.1, 0.9))
    return Judged(holds(before != after), {"before": before, "after": after})


def _more_critic_steps(_: Scenario) -> Judged:
    """A critic that says the same of every state: one pass or four, from far off and from where it should stay."""
    far, near = ([_after(start, passes) for passes in (1, 4)] for start in (Fraction(0), _mean(TARGETS)))
    return Judged(
        weighed(far[1] < far[0], near[1] > near[0]),
        {"far": [round(float(x), 4) for x in far], "near": [round(float(x), 6) for x in near]},
    )


def _after(prediction: Fraction, passes: int) -> Fraction:
    for _ in range(passes):
        prediction = _one_pass(prediction, 1)
    return _loss(prediction)


def _reuse_harms(_: Scenario) -> Judged:
    """What is really earned by going on with the samples of an old policy: a little way, and a long way."""
    near, far = drift.earned(OLD, NEAR), drift.earned(OLD, FAR)
    return Judged(weighed(far < near, near > 0), {"near": near, "far": far})


def _unmoved(name: str, **changes: Any) -> Judged:
    """A list that a model is said to put out, before and after everything that model says is replaced."""
    before, after = gae()[name][0], gae(**changes)[name][0]
    return Judged(holds(before != after), {"before": before, "after": after})


def _actor_gives_values(_: Scenario) -> Judged:
    return _unmoved("values", new_logp=[-9.0] * LENGTH)


def _scorer_gives_values(_: Scenario) -> Judged:
    return _unmoved("values", scores=[9.0] * LENGTH)


def _scorer_gives_returns(_: Scenario) -> Judged:
    """The scores as they are, the critic another one: whether the returns are the scores' alone."""
    before, after = gae()["returns"][0], gae(values=[0.9] * LENGTH)["returns"][0]
    return Judged(holds(close(before, after)), {"before": before, "after": after})


def _critic_gives_log_probs(_: Scenario) -> Judged:
    one, other = (_losses(vpreds=[v] * LENGTH)["actor"][0] for v in (0.1, 0.9))
    return Judged(holds(one != other), {"one": one, "other": other})


def _reads(names: set[str], term: str) -> Judged:
    """Which lists of the batch a loss moves with: each replaced in turn."""
    others = [-0.9 - 0.1 * t for t in range(LENGTH)]
    plain = _losses()[term]
    found = {
        name for name in (*ACTOR_READS, *CRITIC_READS, "rewards", "scores", "ref_logp")
        if not close(list(_losses(**{name: others})[term]), list(plain))
    }  # fmt: skip
    return Judged(holds(found == names), {"count": len(found), "first": plain[0]})


def _actor_reads_these(_: Scenario) -> Judged:
    return _reads(set(ACTOR_READS), "actor")


def _critic_reads_these(_: Scenario) -> Judged:
    return _reads(set(CRITIC_READS), "critic")


def _micro_batches(_: Scenario) -> Judged:
    """The mean of the slopes at once, and gathered from two unequal parts, each part by its number of tokens."""
    slopes = [Fraction(str(slope)) for slope in _slopes()]
    parts = [slopes[:2], slopes[2:]]
    gathered = sum((_mean(part) * len(part) for part in parts), Fraction(0)) / len(slopes)
    return Judged(
        holds(gathered != _mean(slopes)),
        {"whole": round(float(_mean(slopes)), 6), "gathered": round(float(gathered), 6)},
    )


def _token_by_token(_: Scenario) -> Judged:
    """The first token's advantage, which its update needs, with the response's last reward known and another."""
    known, other = gae()["advantages"][0], gae(scores=[0.0] * LENGTH)["advantages"][0]
    return Judged(holds(close(known, other)), {"known": known, "other": other})


def _several_needed(_: Scenario) -> Judged:
    """A single response of a single prompt."""
    found = alone("gae", rewards=[0, 0, 1], values=[0.5, 0.25, 0.75], gamma=1, lam=0.5)["advantages"]
    return Judged(holds(not any(found)), {"a": found})


BETWEEN: dict[str, Check] = {
    "new_log_probs_are_the_stored_ones": _stored,
    "scoring_needs_the_critic": _scoring_needs_critic,
    "one_summed_loss_does_the_same": _adding,
    "score_is_known_on_the_way": _scored_on_the_way,
    "actor_may_be_updated_before_the_advantages": _update_first,
    "score_and_kl_can_come_in_any_order": _any_order,
    "larger_minibatches_mean_fewer_steps": _larger_pieces,
    "actor_loss_reads_returns": _actor_reads_returns,
    "critic_loss_reads_rewards": _critic_reads_rewards_directly,
    "more_responses_in_a_batch_are_better": _more_responses,
    "the_next_old_policy_is_the_updated_actor": _next_old,
    "critic_can_be_trained_without_scores": _without_scores,
    "end_token_is_trained_like_any_other": _end_is_trained,
    "first_token_is_not_trained": _first_is_left_out,
    "push_is_proportional_to_the_advantage": _pushed_by_advantage,
    "all_tokens_of_a_response_are_pushed_alike": _pushed_alike,
    "a_target_network_is_needed": _target_network,
    "more_critic_steps_are_better": _more_critic_steps,
    "reusing_samples_is_harmful": _reuse_harms,
    "actor_puts_out_values": _actor_gives_values,
    "reward_model_puts_out_values": _scorer_gives_values,
    "reward_model_puts_out_returns": _scorer_gives_returns,
    "critic_puts_out_log_probs": _critic_gives_log_probs,
    "actor_update_reads_log_probs_and_advantages_only": _actor_reads_these,
    "critic_update_reads_values_and_returns_only": _critic_reads_these,
    "micro_batches_change_the_step": _micro_batches,
    "updates_happen_at_every_token": _token_by_token,
    "several_responses_to_a_prompt_are_needed": _several_needed,
}
