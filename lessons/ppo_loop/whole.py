"""The iteration as a whole: what it is, what each model puts out, where the critic may sit, what on-policy means."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

from engine import formulas, quantities
from engine.facts import compute
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE

RUNS = ((64, 64, 1), (1024, 1024, 1), (1024, 256, 1), (64, 64, 4))  # responses in a rollout, in a mini-batch; epochs
RATE, START = 0.1, 0.5  # of each update; a token's probability at the rollout
BODY, HEAD, INPUT, GOAL, ADV = 0.5, 1.5, 2.0, 1.0, 0.75  # a body of one weight, a value head, and one token
COEF, STEP = 0.5, 1e-5


def _in_one_sentence(_: Scenario) -> Judged:
    """A score for the response; an advantage for each token; each log-prob pushed the way of it, and only so far."""
    advantages = [float(a) for a in quantities.facts("gae", EXAMPLE).exact["advantages"]]
    start = EXAMPLE.merged({"new_logp": EXAMPLE.old_logp, "advantages": advantages})
    pushes = [float(s) for s in compute(own_slopes(quantities.surrogate, "terms", "new_logp"), start).exact["slopes"]]
    scores = EXAMPLE.rows("scores")[0]
    along = all(push * a > 0 for push, a in zip(pushes, advantages, strict=True))
    eps = float(EXAMPLE.eps or 0)
    stopped = all(formulas.is_clipped(1 + (eps + eps) * (1 if a > 0 else -1), a, eps, eps) for a in advantages)
    one_score = sum(s != 0 for s in scores) == 1
    return Judged(
        holds(along and stopped and one_score and len(pushes) == EXAMPLE.length),
        {"score": scores[-1], "count": len(advantages), "first": round(advantages[0], 4), "eps": eps},
    )


def _what_each_puts_out(_: Scenario) -> Judged:
    """How many numbers each of the four gives for the response."""
    old, ref, values = (EXAMPLE.rows(name)[0] for name in ("old_logp", "ref_logp", "values"))
    scores = [s for s in EXAMPLE.rows("scores")[0] if s != 0]
    tokens = EXAMPLE.tokens or ()
    each = {len(tokens), len(old), len(ref), len(values)}
    return Judged(
        holds(each == {EXAMPLE.length} and len(scores) == 1),
        {
            "count": len(tokens),
            "actor": old[0],
            "ref": ref[0],
            "value": values[0],
            "score": scores[0],
        },
    )


def _policy_loss(weight: float) -> float:
    """Minus ρA of a token whose logit comes out of the body."""

    def chance(w: float) -> float:
        return 1 / (1 + exp(-w * INPUT))

    return float(-formulas.surrogate_term(formulas.ratio(log(chance(weight)), log(chance(BODY))), ADV))


def _value_loss(weight: float) -> float:
    return float(formulas.value_loss_term(formulas.squared_error(HEAD * weight * INPUT, GOAL)))


def _slope(loss: Callable[[float], float]) -> float:
    """By the weight of the actor's body."""
    return (loss(BODY + STEP) - loss(BODY - STEP)) / (2 * STEP)


def _may_share_a_body(_: Scenario) -> Judged:
    """The value loss by the actor's body: with the value head on it, and with a body of the critic's own."""
    shared, separate = _slope(_value_loss), _slope(lambda _w: _value_loss(BODY))
    policy, both = _slope(_policy_loss), _slope(lambda w: _policy_loss(w) + COEF * _value_loss(w))
    summed = abs(both - (policy + COEF * shared)) < STEP
    one_each = len(quantities.facts("gae", EXAMPLE).exact["values"]) == EXAMPLE.length
    return Judged(
        holds(abs(shared) > STEP and separate == 0 and summed and one_each),
        {
            "shared": round(shared, 4),
            "separate": separate,
            "policy": round(policy, 4),
            "coef": COEF,
            "both": round(both, 4),
        },
    )


def _furthest(updates: int) -> float:
    """How far from one the ratio gets that an update meets, where every update moves the token's logit alike."""
    logit, widest = log(START / (1 - START)), 0.0
    for _ in range(updates):
        p = 1 / (1 + exp(-logit))
        widest = max(widest, abs(float(formulas.ratio(log(p), log(START))) - 1))
        logit += RATE
    return widest


def _on_policy_by_updates(_: Scenario) -> Judged:
    """Small and large rollouts, used for one update and for several."""
    updates = [rollout // mini * epochs for rollout, mini, epochs in RUNS]
    widest = [_furthest(count) for count in updates]
    single = [w for count, w in zip(updates, widest, strict=True) if count == 1]
    several = [w for count, w in zip(updates, widest, strict=True) if count > 1]
    return Judged(
        holds(all(close(w, 0.0) for w in single) and min(several) > 0 and close(min(several), max(several))),
        {
            "rollouts": [run[0] for run in RUNS],
            "minis": [run[1] for run in RUNS],
            "epochs": [run[2] for run in RUNS],
            "updates": updates,
            "widest": [round(w, 4) for w in widest],
        },
    )


WHOLE: dict[str, Check] = {
    "ppo_for_language_models_in_one_sentence": _in_one_sentence,
    "each_model_puts_out_its_own_numbers": _what_each_puts_out,
    "critic_may_share_the_actors_body": _may_share_a_body,
    "on_policy_is_a_matter_of_updates_per_rollout": _on_policy_by_updates,
}
