"""What learners claim of what the KL costs: in the reward, in the total, to whom, and what it keeps the policy from."""

from __future__ import annotations

from typing import Any

from engine import conventions, formulas
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Rollout, Scored
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.ops import exp, log
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import changed, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._row import fraction

REFERENCE, EARNED = (0.5, 0.25, 0.25), (0.0, 0.0, 1.0)
BETAS = (0.25, 0.5, 2.0)
ROUNDED = 6  # digits


def tilted(beta: float) -> Any:
    """The reference, tilted by exp(reward/β); its KL from the reference, its reward, and what it is worth."""

    def program(x: Inputs) -> dict[str, Any]:
        q = [x.number("q", share) for share in REFERENCE]
        earned, b = [x.number("rewards", r) for r in EARNED], x.number("beta", beta)
        weights = [share * exp(r / b) for share, r in zip(q, earned, strict=True)]
        whole = sum(weights[1:], weights[0])
        p = [w / whole for w in weights]
        return {"p": p, **_worth(p, q, earned, b)}

    return exact_facts(program, Scenario())


def _worth(p: Any, q: Any, earned: Any, beta: Any) -> dict[str, Any]:
    kl = expected(p, lambda a: log(p[a] / q[a]))
    reward = expected(p, lambda a: earned[a])
    return {"kl": kl, "reward": reward, "worth": formulas.token_reward(reward, kl, beta)}


def _rival(policy: tuple[float, ...], beta: float) -> Any:
    """What another policy is worth."""

    def program(x: Inputs) -> dict[str, Any]:
        p, q = ([x.number(name, share) for share in row] for name, row in (("p", policy), ("q", REFERENCE)))
        return _worth(p, q, [x.number("rewards", r) for r in EARNED], x.number("beta", beta))

    return exact_facts(program, Scenario())["worth"]


def _short(x: Any) -> float:
    return round(float(x), ROUNDED)


def _stays_closer(_: Scenario) -> Judged:
    found = [tilted(beta)["kl"] for beta in BETAS]
    return Judged(holds(found[0] > found[1] > found[2]), {"betas": BETAS, "kl": [_short(k) for k in found]})


def _tilted_is_best(_: Scenario) -> Judged:
    best = tilted(0.5)["worth"]
    others = [_rival(p, 0.5) for p in (REFERENCE, (0.25, 0.25, 0.5), (0.125, 0.125, 0.75))]
    return Judged(
        holds(all(best >= other for other in others)), {"best": _short(best), "others": [_short(x) for x in others]}
    )


def _last_is_the_score(_: Scenario) -> Judged:
    found, score = exact("kl_rewards"), fraction(at_hand().rows("scores")[0][-1])
    return Judged(
        holds(found["rewards"][-1] == score), {"reward": found["rewards"][-1], "score": score, "kl": found["kl"][-1]}
    )


def _total(_: Scenario) -> Judged:
    found, score = exact("kl_rewards"), fraction(sum(RUNNING.rows("scores")[0]))
    summed = sum(found["kl"])
    made = formulas.token_reward(score, summed, fraction(RUNNING.beta or 0))
    total = sum(found["rewards"])
    return Judged(holds(close(total, made)), {"total": total, "score": score, "kl": summed, "beta": RUNNING.beta})


def _to_the_old_policy(_: Scenario) -> Judged:
    """The reference moved, and the policy that is being trained."""
    plain = exact("kl_rewards")["kl"]
    by_reference = exact("kl_rewards", ref_logp=[x - 1 for x in RUNNING.rows("ref_logp")[0]], kl_values=None)["kl"]
    by_new = exact("kl_rewards", new_logp=[x - 1 for x in RUNNING.rows("new_logp")[0]])["kl"]
    return Judged(
        holds(plain == by_reference and plain != by_new),
        {"plain": plain[0], "reference": by_reference[0], "trained": by_new[0]},
    )


def _proportional(_: Scenario) -> Judged:
    """What is taken off the first token, for one β and for twice that."""
    taken = [-exact("kl_rewards", beta=beta)["rewards"][0] for beta in (0.1, 0.2)]
    return Judged(holds(taken[1] == 2 * taken[0] != 0), {"one": taken[0], "two": taken[1]})


def _off_the_advantage(_: Scenario) -> Judged:
    """A of the bare scores, less β·KL token by token."""
    bare, found = gae(beta=0.0)["advantages"], gae()
    kl, beta = exact("kl_rewards")["kl"], fraction(RUNNING.beta or 0)
    late = [formulas.token_reward(a, k, beta) for a, k in zip(bare, kl, strict=True)]
    return Judged(
        holds(close(late, found["advantages"])), {"late": late[0], "a": found["advantages"][0], "bare": bare[0]}
    )


def _same_formula(_: Scenario) -> Judged:
    """A full row of three tokens with k1, under four conventions."""
    scored = Scored([1.0], [[-0.5, -0.75, -0.25]], [[-0.75, -0.5, -0.25]], beta=0.5)
    rollout = Rollout(scored, [[0.0, 0.0, 0.0]], [[1, 1, 1]])
    found = [
        list(conventions.run(rollout, c, gamma=1.0, lam=1.0).rewards[0]) for c in (VERL_OLD, VERL_NEW, TRL, OPENRLHF)
    ]
    return Judged(holds(all(x == found[0] for x in found)), {"count": len(found), "r": found[0]})


def _trl_clamps(_: Scenario) -> Judged:
    """k3 of a token that the reference likes far better."""
    scored = Scored([0.0], [[-9.0, -0.5]], [[-1.0, -0.5]], beta=1.0, kl_kind="k3")
    rollout = Rollout(scored, [[0.0, 0.0]], [[1, 1]])
    trl, verl = (-float(conventions.run(rollout, c, gamma=1.0, lam=1.0).rewards[0][0]) for c in (TRL, VERL_NEW))
    return Judged(holds(trl == verl), {"trl": _short(trl), "verl": _short(verl)})


def _entropy_bonus(_: Scenario) -> Judged:
    """−β log π against −β(log π − log π_ref), token by token."""
    logp, ref = RUNNING.rows("logp")[0], RUNNING.rows("ref_logp")[0]
    beta = fraction(RUNNING.beta or 0)
    bonus = [-beta * fraction(a) for a in logp]
    penalty = [-beta * formulas.k1(fraction(a), fraction(b)) for a, b in zip(logp, ref, strict=True)]
    return Judged(
        holds(len({a - b for a, b in zip(bonus, penalty, strict=True)}) == 1),
        {"bonus": bonus[:2], "penalty": penalty[:2]},
    )


def _only_own_token(_: Scenario) -> Judged:
    """One token's reference log-probability moved: which rewards move."""
    place = 2
    before = exact("kl_rewards")["rewards"]
    after = exact("kl_rewards", ref_logp=changed(RUNNING.rows("ref_logp")[0], place, -1.0), kl_values=None)["rewards"]
    change = [b - a for a, b in zip(before, after, strict=True)]
    others = [x for t, x in enumerate(change) if t != place]
    return Judged(holds(change[place] != 0 and not any(others)), {"moved": change})


def _dense(_: Scenario) -> Judged:
    """How many tokens have a reward, with the KL and without."""
    with_kl, without = (exact("kl_rewards", beta=beta)["rewards"] for beta in (RUNNING.beta, 0.0))
    counts = [sum(map(bool, row)) for row in (with_kl, without)]
    return Judged(holds(counts[0] > counts[1]), {"with_kl": counts[0], "without": counts[1], "T": RUNNING.length})


def _before_gae(_: Scenario) -> Judged:
    """The advantages of rewards with the KL off them, and of the scores."""
    with_kl, scores = gae()["advantages"], gae(beta=0.0)["advantages"]
    made = gae(scores=None, rewards=[float(r) for r in exact("kl_rewards")["rewards"]])["advantages"]
    return Judged(
        holds(close(made, with_kl) and not close(with_kl, scores)),
        {"a": with_kl[0], "made": made[0], "bare": scores[0]},
    )


def _length_pays(_: Scenario) -> Judged:
    """What a response pays on average, a token's mean KL being the same at each."""
    mean = tilted(BETAS[1])["kl"]
    paid = [_short(fraction(RUNNING.beta or 0) * length * fraction(_short(mean))) for length in (10, 100)]
    return Judged(holds(paid[1] > paid[0]), {"short": paid[0], "long": paid[1], "few": 10, "many": 100})


COSTS: dict[str, Check] = {
    "kl_makes_the_rewards_dense": _dense,
    "kl_comes_off_before_the_advantages": _before_gae,
    "longer_responses_pay_more_kl": _length_pays,
    "larger_beta_keeps_the_policy_closer": _stays_closer,
    "best_policy_is_the_reference_tilted_by_the_reward": _tilted_is_best,
    "last_reward_is_the_score": _last_is_the_score,
    "total_reward_is_score_less_summed_kl": _total,
    "reward_kl_is_between_new_and_old_policy": _to_the_old_policy,
    "penalty_is_proportional_to_beta": _proportional,
    "kl_is_taken_off_the_advantages": _off_the_advantage,
    "projects_share_the_reward_formula": _same_formula,
    "trl_clamps_k3": _trl_clamps,
    "kl_penalty_is_an_entropy_bonus": _entropy_bonus,
    "a_tokens_kl_changes_its_own_reward_only": _only_own_token,
}
