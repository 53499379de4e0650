"""The computations a learner can ask for: each a program that runs on tensors and on exact numbers alike.

A part that was not given is derived where it can be: rewards from scores and KL, advantages from rewards and values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import formulas, sequences
from engine.by_group import grpo, rloo
from engine.errors import EngineError
from engine.facts import Facts, Inputs, Program, compute
from engine.losses import Clip
from engine.notation import show
from engine.ops import sqrt
from engine.scenario import Scenario

LONGEST_MIXTURE = 64  # tokens: every n-step advantage of every token is computed

# ---------------------------------------------------------------- parts, given or derived


def kl(x: Inputs) -> Any:
    if x.has("kl_values") and not x.has("logp", "ref_logp"):
        return x["kl_values"]
    logp = "logp" if x.has("logp") else "old_logp"
    kind = x.scenario.kl or "k1"
    x.used.add("kl")
    return x.on.kl_penalties(x[logp], x["ref_logp"], x.mask, kind=VERL_KINDS[kind])


VERL_KINDS = {"k1": "k1", "k2": "k2", "k3": "k3_clamped", "abs": "abs"}


def rewards(x: Inputs) -> Any:
    if x.has("rewards"):
        return x["rewards"]
    if not x.has("scores"):
        raise EngineError("missing", field="rewards")
    return x.on.token_rewards(x["scores"], kl(x), x.mask, beta=x["beta"])


def advantages(x: Inputs) -> Any:
    if x.has("advantages"):
        return x["advantages"]
    if not x.has("values"):
        raise EngineError("missing", field="advantages")
    return x.on.gae(rewards(x), x["values"], x.mask, gamma=x["gamma"], lam=x["lam"])[0]


def for_the_actor(x: Inputs) -> dict[str, Any]:
    """The advantages that the losses take: as given; of a batch GAE's whitened over it; of one response GAE's alone."""
    found = {"advantages": advantages(x)}
    if x.scenario.batched and not x.has("advantages") and x.tokens > 1:
        found["whitened"] = x.on.whiten(found["advantages"], x.mask)
    return found


def taken(found: Mapping[str, Any]) -> Any:
    """Those of them that weigh in a loss."""
    return found.get("whitened", found["advantages"])


def ratios(x: Inputs) -> Any:
    if x.has("ratio"):
        return x["ratio"]
    old = "old_logp" if x.has("old_logp") else "logp"
    return x.on.ratios(x["new_logp"], x[old], x.mask)


# ---------------------------------------------------------------- from rewards and values


def gae(x: Inputs) -> dict[str, Any]:
    """Everything that rewards and values determine: δ, A, R, the Monte Carlo return beside them, and the totals."""
    r, values, mask, gamma = rewards(x), x["values"], x.mask, x["gamma"]
    deltas = x.on.td_errors(r, values, mask, gamma=gamma)
    found, returns = x.on.gae(r, values, mask, gamma=gamma, lam=x["lam"])
    return {
        "rewards": r,
        "values": values,
        "deltas": deltas,
        "advantages": found,
        "returns": returns,
        **_monte_carlo(x, r, values),
        "T": x.scenario.length,
        "delta_sum": x.on.discounted_sum(deltas, mask, gamma=gamma),
        "advantage_sum": x.on.total(found, mask),
    }


def _monte_carlo(x: Inputs, r: Any, values: Any) -> dict[str, Any]:
    mc_returns = x.on.mc_returns(r, x.mask, gamma=x["gamma"])
    return {
        "mc_returns": mc_returns,
        "mc_advantages": x.on.advantages_of(mc_returns, values, x.mask),
        "excess": x.on.excess(mc_returns, values, x.mask),
    }


def mc(x: Inputs) -> dict[str, Any]:
    r, values = rewards(x), x["values"]
    return {"rewards": r, "values": values, "T": x.scenario.length, **_monte_carlo(x, r, values)}


def reward_to_go(x: Inputs) -> dict[str, Any]:
    r = rewards(x)
    return {"rewards": r, "T": x.scenario.length, "mc_returns": x.on.mc_returns(r, x.mask, gamma=x["gamma"])}


def lambda_sweep(x: Inputs) -> dict[str, Any]:
    if x.scenario.lams is None:
        raise EngineError("missing", field="lams")
    x.used.add("lams")
    r, values, gamma = rewards(x), x["values"], x["gamma"]
    sweep = {
        show(lam).text: x.on.gae(r, values, x.mask, gamma=gamma, lam=x.number("lam", lam))[0] for lam in x.scenario.lams
    }
    return {
        "rewards": r,
        "values": values,
        "T": x.scenario.length,
        "deltas": x.on.td_errors(r, values, x.mask, gamma=gamma),
        **_monte_carlo(x, r, values),
        "sweep": sweep,
    }


def padding_leak(x: Inputs) -> dict[str, Any]:
    """The advantages of the valid tokens, and what the recursion gives when it runs through the padding as well."""
    r, values, gamma, lam = rewards(x), x["values"], x["gamma"], x["lam"]

    def recursion(r: Any, v: Any) -> Any:
        return sequences.gae_advantages(sequences.deltas(r, v, gamma), gamma, lam)

    return {
        **gae(x),
        "masked": x.on.gae(r, values, x["mask"], gamma=gamma, lam=lam)[0],
        "unmasked": x.on.everywhere(recursion, r, values),
    }


def nstep_mixture(x: Inputs) -> dict[str, Any]:
    """GAE as the weighted mean of n-step advantages: by n at token 0, and their mean at every token."""
    r, values, gamma, lam = rewards(x), x["values"], x["gamma"], x["lam"]
    length = x.scenario.length
    if length > LONGEST_MIXTURE:
        raise EngineError("too_long", field="rewards", length=length, limit=LONGEST_MIXTURE)
    by_n = [x.on.n_step_advantages(r, values, x.mask, gamma=gamma, n=n) for n in range(1, length + 1)]
    count = len(by_n[0])
    weights = [sequences.mixture_weights(length - t, lam) for t in range(length)]
    mixture = [
        [sum(w * by_n[i][row][t] for i, w in enumerate(weights[t])) for t in range(length)] for row in range(count)
    ]
    return {
        **gae(x),
        "weights": [weights[0]] * count,
        "n_step_advantages": [[found[row][0] for found in by_n] for row in range(count)],
        "mixture": mixture,
    }


# ---------------------------------------------------------------- from scores


def kl_rewards(x: Inputs) -> dict[str, Any]:
    return {"kl": kl(x), "rewards": rewards(x), "T": x.scenario.length}


def kl_estimators(x: Inputs) -> dict[str, Any]:
    logp = x["logp" if x.has("logp") else "old_logp"]
    return {name: x.on.kl_penalties(logp, x["ref_logp"], x.mask, kind=kind) for name, kind in VERL_KINDS.items()}


def pipeline(x: Inputs) -> dict[str, Any]:
    """All six lists: scores, KL, rewards, δ, A, R, and what the actor is given in the end."""
    found = {"kl": kl(x), **gae(x)}
    if x.tokens > 1:
        found["whitened"] = x.on.whiten(found["advantages"], x.mask)
    return found


# ---------------------------------------------------------------- normalising


def whiten(x: Inputs) -> dict[str, Any]:
    a, mask = advantages(x), x.mask
    found = {
        "advantages": a,
        "mean": x.on.masked_mean(a, mask),
        "std_sample": sqrt(x.on.masked_variance(a, mask)),
        "std_population": sqrt(x.on.masked_variance(a, mask, sample=False)),
        "whitened": x.on.whiten(a, mask),
        "whitened_population": x.on.whiten(a, mask, sample=False),
    }
    if x.has("values"):
        found["returns"] = x.on.critic_targets(a, x["values"], mask)
    return found


# ---------------------------------------------------------------- the losses


def surrogate(x: Inputs) -> dict[str, Any]:
    ratio, given = ratios(x), for_the_actor(x)
    terms = x.on.surrogates(ratio, taken(given), x.mask)
    return {"ratio": ratio, **given, "terms": terms, "surrogate": x.on.masked_mean(terms, x.mask)}


LOGARITHMS = {"prob": "logp", "ref_prob": "ref_logp", "new_prob": "new_logp", "old_prob": "old_logp"}


def probabilities(x: Inputs) -> dict[str, Any]:
    """The probability of each sampled token, where its logarithm is given."""
    found = {name: x.on.probabilities(x[log], x.mask) for name, log in LOGARITHMS.items() if x.has(log)}
    if not found:
        raise EngineError("missing", field="logp")
    return found


def clip(x: Inputs) -> dict[str, Any]:
    ratio, given, mask = ratios(x), for_the_actor(x), x.mask
    a = taken(given)
    low = x["eps_low"] if x.has("eps_low") else x["eps"]
    high = x["eps_high"] if x.has("eps_high") else x["eps"]
    terms = x.on.objectives(ratio, a, mask, clip=Clip(low, high))
    return {
        "ratio": ratio,
        **given,
        "unclipped": x.on.surrogates(ratio, a, mask),
        "clipped": x.on.clipped_terms(ratio, a, mask, clip=Clip(low, high)),
        "objective_terms": terms,
        "objective": x.on.masked_mean(terms, mask),
        "clipfrac": x.on.clip_fraction(ratio, a, mask, clip=Clip(low, high)),
    }


def value_loss(x: Inputs) -> dict[str, Any]:
    old = x["old_values" if x.has("old_values") else "values"]
    if x.has("returns"):
        returns = x["returns"]
    elif x.has("values"):
        returns = x.on.gae(rewards(x), x["values"], x.mask, gamma=x["gamma"], lam=x["lam"])[1]
    else:
        raise EngineError("missing", field="returns")
    vpreds, cliprange = x["vpreds"], x["cliprange_value"]
    errors = x.on.value_errors(vpreds, old, returns, x.mask, cliprange=cliprange)
    return {
        "returns": returns,
        "vpred_clipped": x.on.clipped_values(vpreds, old, x.mask, cliprange=cliprange),
        "max_sq_err": errors,
        "vf_loss": formulas.value_loss_term(x.on.masked_mean(errors, x.mask)),
        "vf_clipfrac": x.on.value_clip_fraction(vpreds, old, returns, x.mask, cliprange=cliprange),
    }


QUANTITIES: Mapping[str, Program] = {
    "gae": gae,
    "lambda_sweep": lambda_sweep,
    "masked_gae": gae,
    "padding_leak": padding_leak,
    "mc": mc,
    "reward_to_go": reward_to_go,
    "kl_rewards": kl_rewards,
    "kl_estimators": kl_estimators,
    "pipeline": pipeline,
    "whiten": whiten,
    "surrogate": surrogate,
    "clip": clip,
    "value_loss": value_loss,
    "nstep_mixture": nstep_mixture,
    "grpo": grpo,
    "rloo": rloo,
    "probabilities": probabilities,
}


def facts(quantity: str, scenario: Scenario) -> Facts:
    """The facts of one of the computations."""
    return compute(QUANTITIES[quantity], scenario)
