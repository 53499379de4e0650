"""What learners state of the KL on average, of its range, and of how the estimators are written down."""

from __future__ import annotations

from itertools import product
from typing import Any

from engine import formulas
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.kl_samples import Vocabulary, estimates
from engine.ops import exp, log
from engine.proofs.programs import expected
from engine.readings.exact import exactly
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._leash import HOLED, mean_worth
from lessons._weighed import weighed
from lessons.kl_reward.measures import FAR, NEAR, POLICY, REFERENCE

VOCABULARY = Vocabulary(policy=POLICY, reference=REFERENCE)
LOGP, REF = -1.0, -2.0
BETAS = (2.0, 1.0, 0.25)


def _short(x: Any) -> float:
    return round(float(x), 6)


def _k3_other_way(_: Scenario) -> Judged:
    """k3 with the policy over the reference in the exponential, on the policy's samples."""

    def program(x: Inputs) -> dict[str, Any]:
        p, q = ([x.number(name, share) for share in row] for name, row in (("p", POLICY), ("q", REFERENCE)))
        d = [log(a) - log(b) for a, b in zip(p, q, strict=True)]
        turned = expected(p, lambda a: exp(d[a]) - d[a] - 1)
        return {"turned": turned, "kl": expected(p, lambda a: d[a])}

    found = exact_facts(program, Scenario())
    right = exact_facts(estimates(VOCABULARY), Scenario())["mean"]["k3"]
    return Judged(
        holds(close(found["turned"], right)),
        {"turned": _short(found["turned"]), "right": _short(right), "kl": _short(found["kl"])},
    )


def _k2_in_full(_: Scenario) -> Judged:
    k1, k2 = (
        _short(k) for k in exactly(lambda lift: [f(lift(LOGP), lift(REF)) for f in (formulas.k1, formulas.k2)], 1)
    )
    return Judged(holds(k2 == k1 * k1), {"k1": k1, "k2": k2, "square": k1 * k1})


def _from_the_reward_model(_: Scenario) -> Judged:
    """The KL with another score."""
    scores = RUNNING.rows("scores")[0]
    before, after = (exact("kl_rewards", scores=row)["kl"][0] for row in (scores, [s - 1 for s in scores]))
    return Judged(holds(before != after), {"before": before, "after": after})


def _summed_is_the_divergence(_: Scenario) -> Judged:
    """All responses of two tokens: the summed samples of some, and the divergence of the two distributions."""
    found = exact_facts(estimates(VOCABULARY), Scenario())
    sums = [found["k1"][a] + found["k1"][b] for a, b in product(range(2), repeat=2)]
    whole = 2 * found["divergence"]
    return Judged(
        holds(all(close(s, whole) for s in sums)), {"sums": [_short(s) for s in sums], "whole": _short(whole)}
    )


def _too_small_a_beta(_: Scenario) -> Judged:
    """What the best policy is really worth where the score has a hole, as β falls."""
    found = [mean_worth(beta, HOLED) for beta in BETAS]
    return Judged(holds(found[0] > found[1] > found[2]), {"betas": BETAS, "worth": found})


def _cancels_on_average(_: Scenario) -> Judged:
    found = exact_facts(estimates(VOCABULARY), Scenario())
    return Judged(
        holds(close(found["mean"]["k1"], 0.0)),
        {"samples": [_short(k) for k in found["k1"]], "mean": _short(found["mean"]["k1"])},
    )


def _rewards_are_lower(_: Scenario) -> Judged:
    """A token's mean score, and its mean reward, for a score that the token drawn decides."""
    scores, beta = (0.0, 1.0, 0.5), 0.1

    def program(x: Inputs) -> dict[str, Any]:
        p, q = ([x.number(name, share) for share in row] for name, row in (("p", POLICY), ("q", REFERENCE)))
        own, b = [x.number("scores", s) for s in scores], x.number("beta", beta)
        score = expected(p, lambda a: own[a])
        reward = expected(p, lambda a: formulas.token_reward(own[a], formulas.k1(log(p[a]), log(q[a])), b))
        return {"score": score, "reward": reward}

    found = exact_facts(program, Scenario())
    return Judged(
        holds(found["reward"] < found["score"]), {"score": _short(found["score"]), "reward": _short(found["reward"])}
    )


def _at_most_one(_: Scenario) -> Judged:
    near, far = (exact_facts(estimates(v), Scenario())["divergence"] for v in (VOCABULARY, FAR))
    return Judged(holds(max(near, far) <= 1), {"near": _short(near), "far": _short(far)})


def _varies_less(_: Scenario) -> Judged:
    """The variances of k1 and k3 for policies that are near, and for a token the policy all but excludes."""
    rare = Vocabulary(policy=(0.01, 0.99), reference=(0.9, 0.1))
    near, far = (exact_facts(estimates(v), Scenario())["variance"] for v in (NEAR, rare))
    return Judged(
        weighed(near["k3"] < near["k1"], far["k3"] > far["k1"]),
        {"times": int(near["k1"] / near["k3"]), "far": [_short(far[k]) for k in ("k1", "k3")]},
    )


def _pays_no_bonus(_: Scenario) -> Judged:
    """How far a token's reward lies above its score at most, by estimator."""
    scores = RUNNING.rows("scores")[0]
    most = {}
    for kind in ("k1", "k3"):
        rewards = exact("kl_rewards", kl_values=None, kl=kind)["rewards"]
        most[kind] = max(float(r) - s for r, s in zip(rewards, scores, strict=True))
    return Judged(holds(most["k3"] <= 0), {kind: _short(gain) for kind, gain in most.items()})


def _is_a_ratio(_: Scenario) -> Judged:
    k1, ratio = exactly(lambda lift: [f(lift(LOGP), lift(REF)) for f in (formulas.k1, formulas.ratio)], 1)
    return Judged(holds(close(k1, ratio)), {"k1": _short(k1), "ratio": _short(ratio)})


def _earns_at_most_the_score(_: Scenario) -> Judged:
    """A response that the reference likes better at both tokens: what it earns in all."""
    lowest = min(exact_facts(estimates(VOCABULARY), Scenario())["k1"])
    total = formulas.token_reward(1, 2 * float(lowest), 0.1)
    return Judged(holds(total <= 1), {"total": _short(total), "score": 1})


def _no_effect_on_the_actor(_: Scenario) -> Judged:
    with_kl, without = (gae(beta=beta)["advantages"][0] for beta in (RUNNING.beta, 0.0))
    return Judged(holds(close(with_kl, without)), {"with_kl": with_kl, "without": without})


AVERAGES: dict[str, Check] = {
    "k3_varies_less_than_k1": _varies_less,
    "k3_never_pays_a_bonus": _pays_no_bonus,
    "kl_is_a_ratio_of_probabilities": _is_a_ratio,
    "a_response_never_earns_more_than_its_score": _earns_at_most_the_score,
    "kl_in_the_reward_has_no_effect_on_the_actor": _no_effect_on_the_actor,
    "k3_takes_the_policy_over_the_reference": _k3_other_way,
    "k2_is_the_full_square": _k2_in_full,
    "kl_comes_from_the_reward_model": _from_the_reward_model,
    "a_responses_summed_kl_is_the_divergence": _summed_is_the_divergence,
    "too_small_a_beta_lets_the_score_be_gamed": _too_small_a_beta,
    "kl_penalty_cancels_on_average": _cancels_on_average,
    "mean_reward_lies_below_the_mean_score": _rewards_are_lower,
    "the_divergence_is_at_most_one": _at_most_one,
}
