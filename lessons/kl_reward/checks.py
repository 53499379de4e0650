"""More of what learners claim about the KL in the reward: its sign, its direction, its reach, its estimators."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas, mistakes, quantities
from engine.batches import kl_penalties, token_rewards
from engine.example import RUNNING
from engine.facts import Inputs, compute, exact_facts
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.ops import log
from engine.proofs import theorem
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._fact import Check, Judged, holds

VOCABULARY = Vocabulary(policy=(0.5, 0.3, 0.2), reference=(0.4, 0.2, 0.4))
SAME = 1e-30  # two decimals of fifty digits


def _found(**changes: Any) -> dict[str, Any]:
    return exact_facts(quantities.kl_rewards, at_hand().merged(changes))


def _advantages(**changes: Any) -> Any:
    return exact_facts(quantities.gae, RUNNING.merged(changes))["advantages"]


def _scores() -> list[float]:
    return list(RUNNING.rows("scores")[0])


def _is_added(_: Scenario) -> Judged:
    right, wrong = _found()["rewards"][0], mistakes.run("kl_added", RUNNING).exact["rewards"][0]
    return Judged(holds(right == wrong), {"kl": _found()["kl"][0], "right": right, "wrong": wrong})


def _preferred_tokens_pay(_: Scenario) -> Judged:
    """More likely under the policy than under the reference, and the other way round."""
    found = exact_facts(quantities.kl_rewards, RUNNING.merged({"scores": [0.0] * RUNNING.length}))
    pairs = list(zip(found["kl"], found["rewards"], strict=True))
    more, less = max(pairs), min(pairs)
    return Judged(holds(more[1] < 0 < less[1]), {"more": more[1], "less": less[1]})


def _same_policy_pays_nothing(_: Scenario) -> Judged:
    found = _found(ref_logp=RUNNING.logp)
    return Judged(holds(not any(found["kl"])), {"kl": found["kl"], "rewards": found["rewards"]})


def _direction_is_reference_first(_: Scenario) -> Judged:
    """The mean of k1 over the policy's tokens, beside the divergence in either direction."""

    def program(x: Inputs) -> dict[str, Any]:
        found = estimates(VOCABULARY)(x)
        p, q = found["policy"], found["reference"]
        return {
            "mean": found["mean"]["k1"],
            "forward": expected(p, lambda a: log(p[a] / q[a])),
            "reverse": expected(q, lambda a: log(q[a] / p[a])),
        }

    found = exact_facts(program, Scenario())
    return Judged(holds(abs(found["mean"] - found["reverse"]) < SAME), found)


def _one_for_the_response(_: Scenario) -> Judged:
    kl = _found()["kl"]
    return Judged(holds(len(kl) == 1), {"kl": kl, "T": len(kl)})


def _controller_raises(_: Scenario) -> Judged:
    beta, target, steps, horizon, bound = (Fraction(x) for x in ("0.1", "0.1", "256", "10000", "0.2"))
    above, below = (
        formulas.adaptive_kl_coefficient(beta, Fraction(kl), target, steps, horizon, bound) for kl in ("0.3", "0.05")
    )
    return Judged(holds(above > beta > below), {"beta": beta, "above": above, "below": below, "target": target})


def _reaches_earlier_tokens(_: Scenario) -> Judged:
    """The KL of the last token alone, in the first advantage."""
    last = [*RUNNING.rows("ref_logp")[0][:-1], RUNNING.rows("ref_logp")[0][-1] - 1]
    before, after = _advantages()[0], _advantages(ref_logp=last)[0]
    return Judged(holds(before != after), {"before": before, "after": after})


def _zero_sum_means_equal(_: Scenario) -> Judged:
    """Log-ratios that cancel."""
    logp, ref = [[-1.0, -2.0]], [[-2.0, -1.0]]
    kl = kl_penalties(logp, ref, [[1, 1]], kind="k1")[0]
    return Judged(holds(not (sum(kl) == 0 and any(kl))), {"kl": kl, "sum": sum(kl)})


def _k3_pulls_like_kl(_: Scenario) -> Judged:
    theorem("k3_gradient_is_that_of_reverse_kl_on_average")
    found = exact_facts(pulls(VOCABULARY), Scenario())
    same = all(abs(a - b) < SAME for a, b in zip(found["k3_in_loss"], found["in_reward"], strict=True))
    return Judged(holds(same), {"k3": found["k3_in_loss"], "kl": found["in_reward"]})


def _k2_pulls_like_kl(_: Scenario) -> Judged:
    theorem("k2_gradient_is_that_of_kl_on_average")
    found = exact_facts(pulls(VOCABULARY), Scenario())
    same = all(abs(a - b) < SAME for a, b in zip(found["k2_in_loss"], found["in_reward"], strict=True))
    return Judged(holds(same), {"k2": found["k2_in_loss"], "kl": found["in_reward"]})


def _padding_pays(_: Scenario) -> Judged:
    mask, logp, ref = [[1, 1, 0]], [[-1.0, -1.0, -1.0]], [[-2.0, -1.5, -9.0]]
    kl = kl_penalties(logp, ref, mask, kind="k1")
    rewards = token_rewards([[0.0, 1.0, 0.0]], kl, mask, beta=1.0)[0]
    return Judged(holds(rewards[2] != 0), {"pad": rewards[2], "first": rewards[0]})


def _abs_is_larger(_: Scenario) -> Judged:
    found = exact_facts(estimates(VOCABULARY), Scenario())
    return Judged(
        holds(found["mean"]["abs"] > found["divergence"]), {"abs": found["mean"]["abs"], "kl": found["divergence"]}
    )


def _score_is_scaled_too(_: Scenario) -> Judged:
    """How the last reward moves with the score, for two β."""
    lower = [*_scores()[:-1], 0.0]
    moved = [_found(beta=b)["rewards"][-1] - _found(beta=b, scores=lower)["rewards"][-1] for b in (0.1, 0.5)]
    return Judged(holds(moved[0] != moved[1]), {"one": moved[0], "other": moved[1]})


def _over_the_vocabulary(_: Scenario) -> Judged:
    """What the penalty has read: log-probabilities of the sampled tokens, one each."""
    found = compute(quantities.kl_rewards, RUNNING)
    read = found.used & {"logp", "ref_logp"}
    per_token = len(RUNNING.rows("logp")[0]) / len(found.exact["kl"])
    return Judged(holds(per_token > 1), {"lists": len(read), "each": int(per_token)})


def _k3_is_clamped(_: Scenario) -> Judged:
    far = {"logp": [-9.0], "ref_logp": [-1.0]}
    raw, clamped = (kl_penalties([far["logp"]], [far["ref_logp"]], [[1]], kind=k)[0][0] for k in ("k3", "k3_clamped"))
    return Judged(holds(clamped < raw), {"raw": round(float(raw), 6), "clamped": float(clamped)})


def _changes_the_targets(_: Scenario) -> Judged:
    with_kl, without = (exact_facts(quantities.gae, RUNNING.merged({"beta": b}))["returns"][0] for b in (0.1, 0.0))
    return Judged(holds(with_kl != without), {"with_kl": with_kl, "without": without})


def _kl_in_the_loss_changes_advantages(_: Scenario) -> Judged:
    """Nothing of it in the reward: whether the reference still moves A."""
    other = [x - 1 for x in RUNNING.rows("ref_logp")[0]]
    before, after = _advantages(beta=0.0)[0], _advantages(beta=0.0, ref_logp=other)[0]
    return Judged(holds(before != after), {"before": before, "after": after})


MORE: dict[str, Check] = {
    "kl_is_added_to_the_reward": _is_added,
    "tokens_the_policy_prefers_pay": _preferred_tokens_pay,
    "no_penalty_when_policy_is_reference": _same_policy_pays_nothing,
    "reward_kl_runs_from_reference_to_policy": _direction_is_reference_first,
    "kl_penalty_is_one_number_per_response": _one_for_the_response,
    "controller_raises_beta_above_target": _controller_raises,
    "kl_of_a_token_reaches_earlier_advantages": _reaches_earlier_tokens,
    "zero_summed_kl_means_equal_policies": _zero_sum_means_equal,
    "k3_loss_has_the_gradient_of_kl": _k3_pulls_like_kl,
    "k2_loss_has_the_gradient_of_kl": _k2_pulls_like_kl,
    "padding_pays_the_kl_penalty": _padding_pays,
    "absolute_value_overestimates_kl": _abs_is_larger,
    "beta_scales_the_score_as_well": _score_is_scaled_too,
    "kl_is_summed_over_the_vocabulary": _over_the_vocabulary,
    "verl_clamps_k3": _k3_is_clamped,
    "kl_in_the_reward_changes_the_critics_target": _changes_the_targets,
    "kl_in_the_loss_changes_the_advantages": _kl_in_the_loss_changes_advantages,
}
