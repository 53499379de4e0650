"""From scores to rewards: score − β·KL at every token, with a KL that is only a sample."""

from __future__ import annotations

from typing import Any

from engine import formulas, mistakes, quantities
from engine.errors import EngineError
from engine.facts import Facts, Inputs, compute
from engine.kl_samples import Vocabulary, estimates, pulls
from engine.proofs import counterexample, theorem
from engine.scenario import Scenario
from lessons import _twins as twins
from lessons._fact import Check
from lessons._figure import Figure, lanes
from lessons._first import first_response, worked
from lessons._lesson import Shown
from lessons.kl_reward.checks import CHECKS
from lessons.kl_reward.gradients import GRADIENTS

QUANTITIES: tuple[str, ...] = ("kl_rewards", "kl_estimators")
VOCABULARY = Vocabulary(policy=(0.5, 0.3, 0.2), reference=(0.4, 0.2, 0.4))
BETAS = (0.0, 0.01, 0.1, 0.5, 1.0)
CONTROLLER = {"beta": 0.1, "target": 0.1, "above": 0.3, "below": 0.05, "steps": 256.0, "horizon": 10000.0, "bound": 0.2}
MISTAKES = ("kl_added", "kl_without_beta", "kl_never_negative")
FACTS: dict[str, Check] = {**CHECKS, **GRADIENTS}


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
