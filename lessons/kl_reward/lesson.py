"""From scores to rewards: score − β·KL at every token, with a KL that is only a sample."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from engine import formulas, mistakes, quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import Facts, Inputs, compute, exact_facts
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.ops import log
from engine.proofs import counterexample, theorem
from engine.proofs.programs import expected
from engine.readings.exact import Exact
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check, Judged, holds
from lessons._figure import Figure, lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.kl_reward.averages import AVERAGES
from lessons.kl_reward.checks import MORE
from lessons.kl_reward.claimed import CHECKS
from lessons.kl_reward.costs import COSTS
from lessons.kl_reward.gradients import GRADIENTS
from lessons.kl_reward.judged import JUDGED
from lessons.kl_reward.measures import MEASURES
from lessons.kl_reward.sizes import SIZES
from lessons.kl_reward.stated import STATED
from lessons.kl_reward.turns_on import TURNS
from lessons.kl_reward.weights import WEIGHTS

QUANTITIES: tuple[str, ...] = ("kl_rewards", "kl_estimators")
VOCABULARY = Vocabulary(policy=(0.5, 0.3, 0.2), reference=(0.4, 0.2, 0.4))
RARE = Vocabulary(policy=(0.01, 0.99), reference=(0.9, 0.1))  # a token the policy all but excludes
BETAS = (0.0, 0.01, 0.1, 0.5, 1.0)
CONTROLLER = {"beta": 0.1, "target": 0.1, "above": 0.3, "below": 0.05, "steps": 256.0, "horizon": 10000.0, "bound": 0.2}
MISTAKES = ("kl_added", "kl_without_beta", "kl_never_negative")
SAME = 1e-30  # two decimals of fifty digits


def show(scenario: Scenario) -> Shown:
    if scenario.kl_values is None and not _has_logs(scenario):
        raise EngineError("missing", field="kl_values" if scenario.logp is None else "ref_logp")
    scored = scenario.scores is not None
    facts = compute(taken, scenario).beside(compute(lowest, first_response(scenario))).beside(_constants())
    if _has_logs(scenario):
        facts = facts.beside(compute(quantities.kl_estimators, scenario))
    if scored:
        facts = facts.beside(compute(sweep, first_response(scenario)).under("grid"))
    ids = [id for id in MISTAKES if scored and mistakes.MISTAKES[id].possible(scenario)]
    return Shown(
        facts=facts,
        work=worked(taken, scenario),
        proofs={
            name: theorem(name)
            for name in ("expected_k1_is_kl", "k3_is_never_negative", "expected_k3_is_kl", "kl_is_never_negative",
                         "k1_gradient_is_zero_on_average")
        },
        counterexamples={name: counterexample(name) for name in ("k1_is_never_negative", "expected_k2_is_kl")},
        mistakes={id: mistakes.run(id, scenario) for id in ids},
        figures={"rewards": _figure(facts)} if scored and not scenario.batched else {},
        twins=(twins.kl_rewards, twins.charged, twins.estimators) if scenario.kl in (None, "k1") else (twins.charged,),
    )  # fmt: skip


def _has_logs(scenario: Scenario) -> bool:
    return scenario.ref_logp is not None and (scenario.logp is not None or scenario.old_logp is not None)


def taken(x: Inputs) -> dict[str, Any]:
    """KL and, where there are scores, what it leaves of them."""
    kl, mask = quantities.kl(x), x.mask
    found = {"kl": kl, "kl_mean": x.on.masked_mean(kl, mask), "T": x.scenario.length}
    if x.has("scores"):
        earned = x.on.token_rewards(x["scores"], kl, mask, beta=x["beta"])
        found |= {
            "scores": x["scores"],
            "rewards": earned,
            "score_total": x.on.total(x["scores"], mask),
            "reward_total": x.on.total(earned, mask),
        }
    return found


def lowest(x: Inputs) -> dict[str, Any]:
    """Where the first response's KL is lowest, and what the reward gains there."""
    kl = quantities.kl(x)[0]
    t = min(range(len(kl)), key=lambda i: round(float(kl[i]), 12))  # the first of what only rounding tells apart
    gain = formulas.token_reward(0 * kl[t], kl[t], x["beta"])
    return {"lowest": t, "lowest_kl": kl[t], "lowest_gain": gain}


def sweep(x: Inputs) -> dict[str, Any]:
    """The response's total reward for several β."""
    betas = [x.number("beta", beta) for beta in BETAS]
    by_beta = [x.on.token_rewards(x["scores"], quantities.kl(x), x.mask, beta=beta) for beta in betas]
    return {
        "beta": betas,
        "last_reward": [earned[0][-1] for earned in by_beta],
        "reward_total": [x.on.total(earned, x.mask)[0] for earned in by_beta],
    }


def _constants() -> Facts:
    both = compute(estimates(VOCABULARY), Scenario()).beside(compute(pulls(VOCABULARY), Scenario()))
    return both.beside(compute(_controller, Scenario())).under("constants")


def _controller(x: Inputs) -> dict[str, Any]:
    given = {name: x.number(name, number) for name, number in CONTROLLER.items()}

    def following(measured: str) -> Any:
        return formulas.adaptive_kl_coefficient(
            given["beta"], given[measured], given["target"], given["steps"], given["horizon"], given["bound"]
        )

    return {**given, "beta_after_above": following("above"), "beta_after_below": following("below")}


def _figure(facts: Facts) -> Figure:
    return lanes(facts.numbers, "scores", "kl", "rewards")


# ---------------------------------------------------------------- what learners claim


def _same(a: Exact, b: Exact) -> bool:
    return bool(abs(a - b) < SAME)


def _of(vocabulary: Vocabulary) -> dict[str, Any]:
    return exact_facts(estimates(vocabulary), Scenario())


def _a_sample_can_be_negative(_: Scenario) -> Judged:
    found = _of(VOCABULARY)
    lowest_kl = min(found["k1"])
    return Judged(holds(lowest_kl < 0 < found["mean"]["k1"]), {"k1": found["k1"], "mean": found["mean"]["k1"]})


def _negative_is_a_bug(_: Scenario) -> Judged:
    found = counterexample("k1_is_never_negative")
    given: dict[str, Any] = dict(found.inputs)
    return Judged(holds(found.left >= 0), {"k1": found.left, "logp": given["logp"][0], "ref": given["ref_logp"][0]})


def _rewards_stay_below_scores(_: Scenario) -> Judged:
    found = exact_facts(taken, RUNNING)
    t = exact_facts(lowest, RUNNING)["lowest"]
    reward, score = found["rewards"][t], found["scores"][t]
    return Judged(holds(reward <= score), {"reward": reward, "score": score, "kl": found["kl"][t]})


def _k3(_: Scenario) -> Judged:
    for name in ("k3_is_never_negative", "expected_k3_is_kl"):
        theorem(name)
    found = _of(VOCABULARY)
    unbiased = _same(found["mean"]["k3"], found["divergence"])
    return Judged(holds(min(found["k3"]) >= 0 and unbiased), _row(found, "k3"))


def _row(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {"samples": found[name], "mean": found["mean"][name], "divergence": found["divergence"]}


def _unbiased(name: str) -> Check:
    def check(_: Scenario) -> Judged:
        found = _of(VOCABULARY)
        return Judged(holds(_same(found["mean"][name], found["divergence"])), _row(found, name))

    return check


def _only_the_last_token(_: Scenario) -> Judged:
    found = exact_facts(taken, RUNNING)
    return Judged(holds(not any(found["rewards"][:-1])), {"rewards": found["rewards"], "scores": found["scores"]})


def _twice(_: Scenario) -> Judged:
    """Whether KL in the reward and KL in the loss push the logits the same way."""
    found = exact_facts(pulls(VOCABULARY), Scenario())
    reward, loss = found["in_reward"], found["k2_in_loss"]
    both = [a + b for a, b in zip(reward, loss, strict=True)]
    doubled = all(_same(total, 2 * one) for total, one in zip(both, reward, strict=True))
    return Judged(holds(doubled and any(reward)), {"reward": reward, "loss": loss, "both": both})


def _k1_as_a_loss(_: Scenario) -> Judged:
    theorem("k1_gradient_is_zero_on_average")
    found = exact_facts(pulls(VOCABULARY), Scenario())
    equal = all(_same(a, b) for a, b in zip(found["k1_in_loss"], found["in_reward"], strict=True))
    largest = max(abs(push) for push in found["k1_in_loss"])
    return Judged(holds(equal), {"loss": [0 * largest if largest < SAME else largest], "reward": found["in_reward"]})


def _beta_zero(_: Scenario) -> Judged:
    found = exact_facts(taken, RUNNING.merged({"beta": 0.0}))
    return Judged(holds(found["rewards"] == found["scores"]), {"rewards": found["rewards"]})


def _uses_the_old_policy(_: Scenario) -> Judged:
    """Whether the rewards stay when only the new policy's log-probabilities move."""
    before = exact_facts(taken, RUNNING)["rewards"]
    moved = [[x - 1 for x in row] for row in RUNNING.rows("new_logp")]
    after = exact_facts(taken, RUNNING.merged({"new_logp": moved}))["rewards"]
    return Judged(holds(before == after), {"before": before, "after": after})


def _is_the_divergence(_: Scenario) -> Judged:
    found = _of(VOCABULARY)
    sampled = [k for k in found["k1"] if _same(k, found["divergence"])]
    return Judged("true" if sampled else "depends", _row(found, "k1"))


def _k3_varies_less(_: Scenario) -> Judged:
    near, far = _of(VOCABULARY)["variance"], _of(RARE)["variance"]
    return Judged(
        holds(near["k3"] < near["k1"] and far["k3"] < far["k1"]),
        {"near_k1": near["k1"], "near_k3": near["k3"], "far_k1": far["k1"], "far_k3": far["k3"]},
    )


def _sum_estimates_the_sequence(_: Scenario) -> Judged:
    """E[Σ k1] over all responses of two tokens, and the KL of the two distributions over responses."""

    def program(x: Inputs) -> dict[str, Any]:
        first, second = _in(x, VOCABULARY), _in(x, RARE)
        tokens = range(2)
        pairs = list(product(tokens, tokens))
        p = [first[0][a] * second[0][b] for a, b in pairs]
        q = [first[1][a] * second[1][b] for a, b in pairs]
        steps = [_log_ratio(first, a) + _log_ratio(second, b) for a, b in pairs]
        return {"sum": expected(p, lambda i: steps[i]), "whole": expected(p, lambda i: log(p[i] / q[i]))}

    found = exact_facts(program, Scenario())
    return Judged(holds(_same(found["sum"], found["whole"])), found)


def _log_ratio(token: tuple[Sequence[Any], Sequence[Any]], choice: int) -> Any:
    return formulas.k1(log(token[0][choice]), log(token[1][choice]))


def _in(x: Inputs, vocabulary: Vocabulary) -> tuple[Sequence[Any], Sequence[Any]]:
    return [x.number("p", a) for a in vocabulary.policy], [x.number("q", b) for b in vocabulary.reference]


def _larger_beta_takes_more(_: Scenario) -> Judged:
    """What β takes out of a token's reward on average."""
    divergence = _of(VOCABULARY)["divergence"]
    taken = [beta * divergence for beta in BETAS]
    return Judged(holds(taken == sorted(taken)), {"beta": BETAS, "taken": taken})


FACTS: dict[str, Check] = {
    **CHECKS,
    "sampled_kl_can_be_negative": _a_sample_can_be_negative,
    "negative_kl_is_a_bug": _negative_is_a_bug,
    "rewards_never_exceed_scores": _rewards_stay_below_scores,
    "k3_is_never_negative_and_unbiased": _k3,
    "k2_is_unbiased": _unbiased("k2"),
    "abs_is_unbiased": _unbiased("abs"),
    "k1_is_unbiased": _unbiased("k1"),
    "penalty_touches_only_the_last_token": _only_the_last_token,
    "reward_and_loss_count_twice": _twice,
    "k1_works_as_a_loss": _k1_as_a_loss,
    "beta_zero_leaves_scores": _beta_zero,
    "reward_kl_uses_the_old_policy": _uses_the_old_policy,
    "kld_is_the_divergence": _is_the_divergence,
    "k3_always_varies_less": _k3_varies_less,
    "sum_estimates_sequence_kl": _sum_estimates_the_sequence,
    "larger_beta_takes_more": _larger_beta_takes_more,
    **MORE,
    **JUDGED,
    **COSTS,
    **MEASURES,
    **STATED,
    **AVERAGES,
    **TURNS,
    **WEIGHTS,
    **GRADIENTS,
    **SIZES,
}
