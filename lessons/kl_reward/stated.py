"""What else learners state of the KL in the reward: what a token pays, how estimators compare, what it is good for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import formulas
from engine.example import RUNNING
from engine.facts import Inputs, exact_facts
from engine.ops import exp, log
from engine.proofs.programs import expected, mean
from engine.readings.exact import exactly
from engine.scenario import Scenario
from lessons._checks import changed, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._leash import HOLED, PAID, mean_worth
from lessons._row import fraction
from lessons._turns import always
from lessons._weighed import weighed
from lessons.kl_reward.costs import EARNED, REFERENCE, tilted

WEAK, STRONG = 0.25, 2.0  # β
KINDS = (formulas.k1, formulas.k2, formulas.k3, formulas.abs_kl)
STEPS = 3


def _short(x: Any) -> float:
    return round(float(x), 6)


def _beta() -> Fraction:
    return fraction(RUNNING.beta or 0)


def _scores() -> list[Fraction]:
    return [fraction(s) for s in RUNNING.rows("scores")[0]]


def _by_kind(logp: float, ref: float) -> list[float]:
    """k1, k2, k3 and the absolute value of one token."""
    return [_short(k) for k in exactly(lambda lift: [of(lift(logp), lift(ref)) for of in KINDS], 1)]


def _can_be_negative(_: Scenario) -> Judged:
    least = min(exact("kl_rewards")["rewards"])
    return Judged(holds(least < 0), {"least": least})


def _reaches_later(_: Scenario) -> Judged:
    """The reference moved at one token: where the advantages move."""
    place = 2
    ref = changed(RUNNING.rows("ref_logp")[0], place, -1.0)
    pairs = zip(gae()["advantages"], gae(ref_logp=ref, kl_values=None)["advantages"], strict=True)
    moved = [t for t, (a, b) in enumerate(pairs) if not close(a, b)]
    return Judged(holds(max(moved) > place), {"place": place, "moved": moved})


def _charged_otherwise(charge: Any) -> Check:
    """Whether the rewards are the scores less β times this row made of the KL."""

    def check(_: Scenario) -> Judged:
        found = exact("kl_rewards")
        rows = zip(_scores(), charge(found["kl"]), strict=True)
        made = [formulas.token_reward(s, k, _beta()) for s, k in rows]
        return Judged(holds(close(made, found["rewards"])), {"made": made[:STEPS], "right": found["rewards"][:STEPS]})

    return check


def _mean_for_all(kl: list[Any]) -> list[Any]:
    return [mean(kl)] * len(kl)


def _so_far(kl: list[Any]) -> list[Any]:
    return [sum(kl[: t + 1]) for t in range(len(kl))]


def _multiplied(_: Scenario) -> Judged:
    """The score scaled down by the KL, which leaves a token without a score at zero."""
    found = exact("kl_rewards")
    made = [s * (1 - _beta() * k) for s, k in zip(_scores(), found["kl"], strict=True)]
    return Judged(holds(close(made, found["rewards"])), {"made": made[0], "right": found["rewards"][0]})


def _scores_change(_: Scenario) -> Judged:
    """The scores that two β leave in the rewards once the KL is added back."""
    rows = [(fraction(beta), exact("kl_rewards", beta=beta)) for beta in (0.1, 0.5)]
    back = [[r + beta * k for r, k in zip(x["rewards"], x["kl"], strict=True)] for beta, x in rows]
    return Judged(holds(not close(back[0], back[1])), {"score": back[0][-1], "same": back[1][-1]})


def _estimators_agree(_: Scenario) -> Judged:
    found = _by_kind(-1.0, -2.0)
    return Judged(holds(len(set(found)) == 1), {"k1": found[0], "k2": found[1], "k3": found[2], "abs": found[3]})


def _low_var_is_k3(_: Scenario) -> Judged:
    """What verl computes under that name, beside the estimators."""
    logp, ref = -0.5, -1.0
    own, found = _short(formulas.k3_clamped(logp, ref)), [_short(x) for x in _by_kind(logp, ref)]
    return Judged(
        holds(own == found[2] and own not in (found[0], found[1])),
        {"own": own, "k1": found[0], "k2": found[1], "k3": found[2]},
    )


def _all_vanish(_: Scenario) -> Judged:
    same, other = _by_kind(-1.0, -1.0), _by_kind(-1.0, -1.5)
    return Judged(holds(not any(same) and all(other)), {"same": same, "other": other})


def _swap_flips(_: Scenario) -> Judged:
    one, other = (_by_kind(*pair)[0] for pair in ((-1.0, -2.0), (-2.0, -1.0)))
    return Judged(holds(one == -other != 0), {"one": one, "other": other})


def _swap_leaves_k2(_: Scenario) -> Judged:
    one, other = (_by_kind(*pair) for pair in ((-1.0, -2.0), (-2.0, -1.0)))
    return Judged(holds(one[1] == other[1]), {"one": one[1], "other": other[1], "third": [one[2], other[2]]})


def _small_ratios(_: Scenario) -> Judged:
    """By how much k3 differs from k2, in parts of it, for a small log-ratio and a large one."""
    off = [_short(abs(k[2] / k[1] - 1)) for k in (_by_kind(-1.0, -1.05), _by_kind(-1.0, -3.0))]
    return Judged(holds(off[0] < 0.05 < off[1]), {"near": off[0], "far": off[1]})


def _has_a_bound(_: Scenario) -> Judged:
    """k1 of a token that the reference finds ever less likely."""
    found = [_by_kind(-1.0, ref)[0] for ref in (-2.0, -20.0, -200.0)]
    return Judged(holds(found[-1] <= 10 * found[0]), {"kl": found})


def _beta_is_a_share(_: Scenario) -> Judged:
    """A β above one is computed with like any other."""
    one, three = (exact("kl_rewards", beta=beta)["rewards"][0] for beta in (1.0, 3.0))
    return Judged(holds(three != 3 * one), {"one": one, "three": three})


def _abs_has_a_sign(_: Scenario) -> Judged:
    found = [_by_kind(-1.0, ref)[3] for ref in (-2.0, -1.0, -0.5)]
    return Judged(holds(min(found) >= 0), {"abs": found})


def _distance(p: list[Any], q: list[Any]) -> Any:
    return expected(p, lambda a: log(p[a] / q[a]))


def _path(start: tuple[float, ...], beta: float) -> list[float]:
    """KL from the reference, step by step, of a policy that goes towards reward less β·KL."""

    def program(x: Inputs) -> dict[str, Any]:
        q, p = ([x.number(name, share) for share in row] for name, row in (("q", REFERENCE), ("p", start)))
        earned, b, pace = [x.number("rewards", r) for r in EARNED], x.number("beta", beta), x.number("rate", 0.5)
        found = []
        for _ in range(STEPS):
            found.append(_distance(p, q))
            weights = [
                exp((1 - pace * b) * log(one) + pace * b * log(own) + pace * r)
                for one, own, r in zip(p, q, earned, strict=True)
            ]
            whole = sum(weights[1:], weights[0])
            p = [w / whole for w in weights]
        return {"kl": found}

    return [_short(k) for k in exact_facts(program, Scenario())["kl"]]


def _grows_in_training(_: Scenario) -> Judged:
    """From the reference, and from a policy that has already gone too far."""
    start, back = _path(REFERENCE, 1.0), _path((0.01, 0.01, 0.98), 1.0)
    return Judged(weighed(start[-1] > start[0], back[-1] < back[0]), {"start": start, "back": back})


def _is_stabilising(_: Scenario) -> Judged:
    """The policy stays nearer; and one token can cost more than the whole answer earns."""
    kl = [_short(tilted(beta)["kl"]) for beta in (WEAK, STRONG)]
    price = _short(_beta() * fraction(_by_kind(-6.0, -1.0)[2]))
    return Judged(weighed(kl[1] < kl[0], price > max(EARNED)), {"kl": kl, "price": price, "score": max(EARNED)})


def _hurts_the_score(_: Scenario) -> Judged:
    """What the best policy gets under a weak and a strong penalty: by a true score, and by one with a hole."""
    true, fooled = ([mean_worth(beta, worth) for beta in (WEAK, STRONG)] for worth in (PAID, HOLED))
    return Judged(weighed(true[1] < true[0], fooled[1] > fooled[0]), {"true": true, "fooled": fooled})


def _adaptive_is_better(_: Scenario) -> Judged:
    """The KL comes to its target; but with β the critic's targets move under it."""
    target, beta = 0.1, WEAK
    for _step in range(60):
        beta = float(formulas.adaptive_kl_coefficient(beta, float(tilted(beta)["kl"]), target, 256, 1000, 0.2))
    fixed, held = (_short(tilted(b)["kl"]) for b in (WEAK, beta))
    returns = [gae(beta=b)["returns"][0] for b in (0.1, 0.2)]
    return Judged(
        weighed(abs(held - target) < abs(fixed - target), not close(*returns)),
        {"target": target, "fixed": fixed, "held": held, "returns": returns},
    )


STATED: dict[str, Check] = {
    "token_rewards_can_be_negative": _can_be_negative,
    "kl_of_a_token_reaches_later_advantages": _reaches_later,
    "every_token_pays_the_mean_kl": _charged_otherwise(_mean_for_all),
    "a_token_pays_the_kl_so_far": _charged_otherwise(_so_far),
    "penalty_is_multiplied_into_the_score": _multiplied,
    "kl_penalty_changes_the_scores": _scores_change,
    "estimators_agree_on_each_token": _estimators_agree,
    "low_var_kl_is_k3": _low_var_is_k3,
    "all_estimators_vanish_where_log_probs_agree": _all_vanish,
    "swapping_the_models_flips_k1": _swap_flips,
    "swapping_the_models_leaves_k2": _swap_leaves_k2,
    "k2_and_k3_agree_for_small_log_ratios": _small_ratios,
    "a_tokens_kl_penalty_is_bounded": _has_a_bound,
    "beta_must_lie_between_zero_and_one": _beta_is_a_share,
    "abs_is_never_negative": _abs_has_a_sign,
    "kl_grows_in_training": _grows_in_training,
    "kl_always_grows_in_training": always(_grows_in_training),
    "kl_penalty_makes_training_stable": _is_stabilising,
    "kl_penalty_hurts_the_score": _hurts_the_score,
    "kl_penalty_always_hurts_the_score": always(_hurts_the_score),
    "adaptive_beta_is_better": _adaptive_is_better,
}
