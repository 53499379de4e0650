"""What else learners state of the reference: which model it is, how hard it holds, what a KL to it says."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log
from typing import Any

from engine import formulas, quantities
from engine.example import BOTH
from engine.facts import Inputs, exact_facts
from engine.ops import exp as exp_of
from engine.ops import log as log_of
from engine.proofs.programs import expected
from engine.scenario import Scenario
from lessons._checks import gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._leash import HOLED, PAID, REFERENCE, mean_worth
from lessons._policies import EXAMPLE
from lessons._weighed import weighed
from lessons.reference_policy.checks import HALF, _kl_rewards
from lessons.reference_policy.further import OTHER, REF, _best

WEAK, STRONG = 0.25, 2.0  # β


def _short(x: Any) -> float:
    return round(float(x), 6)


def _tilted(scores: tuple[float, ...], beta: float, reference: tuple[float, ...] = REFERENCE) -> dict[str, float]:
    """The best policy for these scores less β·KL: its KL, its mean score, its last chance."""

    def program(x: Inputs) -> dict[str, Any]:
        q = [x.number("q", share) for share in reference]
        earned, b = [x.number("rewards", r) for r in scores], x.number("beta", beta)
        weights = [share * exp_of(r / b) for share, r in zip(q, earned, strict=True)]
        whole = sum(weights[1:], weights[0])
        p = [w / whole for w in weights]
        kl = expected(p, lambda a: log_of(p[a] / q[a]))
        return {"kl": kl, "score": expected(p, lambda a: earned[a]), "last": p[-1]}

    return {name: _short(value) for name, value in exact_facts(program, Scenario()).items()}


def _is_where_training_starts(_: Scenario) -> Judged:
    """The KL of the policy that training starts from, and of the one it has become."""
    start, later = _kl_rewards(logp=REF, old_logp=REF)["kl"], _kl_rewards()["kl"]
    return Judged(holds(not any(start) and any(later)), {"start": start[0], "later": later[0]})


def _is_a_hard_limit(_: Scenario) -> Judged:
    """The same β and ever larger scores: how far the best policy goes."""
    kl = [_tilted(tuple(k * s for s in PAID), 1.0)["kl"] for k in (1.0, 2.0, 4.0)]
    return Judged(holds(kl[0] == kl[-1]), {"kl": kl, "times": [1, 2, 4]})


def _twice_the_score(_: Scenario) -> Judged:
    doubled, halved = _tilted(tuple(2 * s for s in PAID), 1.0), _tilted(PAID, 0.5)
    return Judged(holds(doubled["last"] == halved["last"]), {"doubled": doubled["last"], "halved": halved["last"]})


def _greedy_without(_: Scenario) -> Judged:
    """Mean scores with these chances of the good one of two tokens, nothing charged; and the best on the leash."""
    shares = [0.0, HALF, 0.9, 1.0]
    best = max(shares, key=lambda p: expected((p, 1 - p), lambda a: 1 - a))
    return Judged(holds(best == shares[-1] and _best(1.0) < best), {"best": best, "held": _best(1.0)})


def _forbidden_token(_: Scenario) -> Judged:
    """The KL of a token that the reference finds less and less likely, down to hardly ever."""
    kl = [_short(formulas.k1(log(HALF), log(share))) for share in (1e-2, 1e-4, 1e-8, 1e-16)]
    return Judged(holds(all(b - a > 4 for a, b in pairwise(kl))), {"kl": kl})


def _whitening_reads_it(_: Scenario) -> Judged:
    """Both responses' advantages as they are, the first one's reference another."""
    made = quantities.facts("gae", BOTH).numbers["advantages"]
    policies = [(reference, BOTH.rows("ref_logp")[1]) for reference in (REF, OTHER)]
    given = [BOTH.merged({"advantages": made, "ref_logp": rows}) for rows in policies]
    one, other = (quantities.facts("whiten", x).exact["whitened"][0][0] for x in given)
    return Judged(holds(not close(one, other)), {"one": _short(one), "other": _short(other)})


def _large_kl_is_bad(_: Scenario) -> Judged:
    """The same distance, gone for a true score and for one with a hole."""
    kl = [_tilted(PAID, beta)["kl"] for beta in (STRONG, WEAK)]
    true, fooled = ([mean_worth(beta, worth) for beta in (STRONG, WEAK)] for worth in (PAID, HOLED))
    return Judged(weighed(fooled[1] < fooled[0], true[1] > true[0]), {"kl": kl, "true": true, "fooled": fooled})


def _stronger_is_better(_: Scenario) -> Judged:
    """A reference that likes the right token more; and a surer one that likes it hardly at all."""
    plain = _tilted(PAID, 1.0)["score"]
    knowing, sure = (_tilted(PAID, 1.0, ref)["score"] for ref in ((0.25, 0.25, 0.5), (0.98, 0.01, 0.01)))
    return Judged(weighed(knowing > plain, sure < plain), {"plain": plain, "knowing": knowing, "sure": sure})


def _alike_for_all(_: Scenario) -> Judged:
    kl = _kl_rewards()["kl"][:3]
    return Judged(holds(len({_short(k) for k in kl}) == 1), {"kl": kl})


def _is_a_probability(_: Scenario) -> Judged:
    return Judged(holds(all(0 <= x <= 1 for x in REF)), {"ref": REF[0], "p": _short(exp(REF[0]))})


def _moves_the_last_only(_: Scenario) -> Judged:
    pairs = zip(_kl_rewards()["rewards"], _kl_rewards(ref_logp=OTHER)["rewards"], strict=True)
    moved = [t for t, (a, b) in enumerate(pairs) if not close(a, b)]
    return Judged(holds(moved == [len(REF) - 1]), {"moved": moved})


def _likely_is_good(_: Scenario) -> Judged:
    """The token that the reference finds likeliest, and the one with the largest advantage."""
    advantages = gae()["advantages"]
    likeliest, best = REF.index(max(REF)), advantages.index(max(advantages))
    return Judged(holds(likeliest == best), {"likeliest": likeliest, "best": best})


def _score_sets_the_limit(_: Scenario) -> Judged:
    """A constant on top of every score: the best policy."""
    plain, raised = _tilted(PAID, 1.0), _tilted(tuple(s + 5 for s in PAID), 1.0)
    return Judged(holds(plain["last"] != raised["last"]), {"plain": plain["last"], "raised": raised["last"]})


def _old_moves_within(_: Scenario) -> Judged:
    """The first ratio in the middle of an iteration; it would stay at one if the old policy moved along."""
    ratio = _short(
        quantities.facts("surrogate", EXAMPLE.merged({"advantages": [1.0] * EXAMPLE.length})).exact["ratio"][0]
    )
    return Judged(holds(ratio == 1), {"ratio": ratio})


def _renewal_resets(_: Scenario) -> Judged:
    """The KL from the first reference, and from one that has just been renewed with the policy itself."""
    kept, renewed = (_kl_rewards(ref_logp=ref)["kl"] for ref in (REF, list(EXAMPLE.rows("old_logp")[0])))
    return Judged(holds(any(kept) and not any(renewed)), {"kept": kept[0], "renewed": renewed[0]})


def _covers_the_prompt(_: Scenario) -> Judged:
    prompt = len(EXAMPLE.prompt or "")
    return Judged(
        holds(len(REF) == prompt + EXAMPLE.length), {"count": len(REF), "prompt": prompt, "T": EXAMPLE.length}
    )


def _large_kl_bad_token(_: Scenario) -> Judged:
    """The token with the largest KL, and its advantage."""
    kl, advantages = _kl_rewards()["kl"], gae()["advantages"]
    place = kl.index(max(kl))
    return Judged(holds(advantages[place] < 0), {"kl": kl[place], "a": _short(advantages[place]), "at": place})


STATED: dict[str, Check] = {
    "old_policy_moves_within_an_iteration": _old_moves_within,
    "renewing_the_reference_resets_the_kl": _renewal_resets,
    "ref_log_prob_covers_the_prompt": _covers_the_prompt,
    "a_large_kl_at_a_token_means_a_bad_token": _large_kl_bad_token,
    "reference_is_the_starting_policy": _is_where_training_starts,
    "kl_penalty_is_a_hard_limit": _is_a_hard_limit,
    "doubling_the_scores_is_like_halving_beta": _twice_the_score,
    "without_kl_the_optimum_is_greedy": _greedy_without,
    "zero_reference_probability_costs_without_limit": _forbidden_token,
    "whitening_reads_the_reference": _whitening_reads_it,
    "a_large_kl_is_a_bad_sign": _large_kl_is_bad,
    "a_stronger_reference_is_better": _stronger_is_better,
    "every_token_has_the_same_kl_to_the_reference": _alike_for_all,
    "ref_log_prob_is_a_probability": _is_a_probability,
    "reference_moves_only_the_last_reward": _moves_the_last_only,
    "likely_under_the_reference_means_good": _likely_is_good,
    "a_constant_on_the_scores_moves_the_best_policy": _score_sets_the_limit,
}
