"""More of what learners claim of the reference: when it is run, what it gives, what the leash to it does."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import log
from typing import Any

from engine import formulas, quantities
from engine.facts import Inputs, compute
from engine.scenario import Scenario
from engine.slopes import total_slopes
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE

BETAS = (0.0, 0.1, 0.5)
EDGE, ITERATIONS = Fraction(6, 5), 10
HALF, TILTED, BETA = 0.5, 0.75, 0.1  # of one token out of two, under the reference and after training


def _kl_rewards(**changes: Any) -> dict[str, Any]:
    return dict(quantities.facts("kl_rewards", EXAMPLE.merged({"kl_values": None, **changes})).exact)


def _both_places(x: Inputs) -> dict[str, Any]:
    """The KL of the reward, of the policy that wrote; the KL of the loss, of the policy that is trained."""
    return {
        "in_reward": x.on.kl_penalties(x["old_logp"], x["ref_logp"], x.mask, kind="k1"),
        "in_loss": x.on.kl_penalties(x["new_logp"], x["ref_logp"], x.mask, kind="k2"),
    }


@cache
def _slope(name: str, by: str) -> Any:
    return compute(total_slopes(_both_places, (name,), by), EXAMPLE).exact[name]


def _is_reward_model(_: Scenario) -> Judged:
    """Without β the rewards are the scores, whatever the reference says."""
    other = [x - 1 for x in EXAMPLE.rows("ref_logp")[0]]
    rewards = [_kl_rewards(beta=0.0, ref_logp=ref)["rewards"][-1] for ref in (EXAMPLE.ref_logp, other)]
    return Judged(holds(rewards[0] != rewards[1]), {"score": EXAMPLE.rows("scores")[0][-1], "reward": rewards[1]})


def _larger_beta(_: Scenario) -> Judged:
    taken = [_kl_rewards(beta=beta)["rewards"][0] for beta in BETAS]
    return Judged(
        holds(taken == sorted(taken, reverse=True) and len(set(taken)) == len(taken)),
        {"betas": list(BETAS), "kl": _kl_rewards()["kl"][0], "rewards": taken},
    )


def _zero_at_start(_: Scenario) -> Judged:
    """An actor that has not left the model it started from."""
    start, later = _kl_rewards(logp=EXAMPLE.ref_logp, old_logp=EXAMPLE.ref_logp)["kl"], _kl_rewards()["kl"]
    return Judged(holds(not any(start)), {"start": start[0], "later": later[0]})


def _one_number_per_token(_: Scenario) -> Judged:
    given = EXAMPLE.rows("ref_logp")[0]
    return Judged(holds(len(given) == EXAMPLE.length), {"count": len(given), "first": given[0]})


def _run_every_step(_: Scenario) -> Judged:
    """The KL of the reward does not move with the policy that is being updated."""
    by_new, by_old = _slope("in_reward", "new_logp"), _slope("in_reward", "old_logp")
    return Judged(holds(by_new != 0), {"by_new": by_new, "by_old": by_old, "ref": EXAMPLE.rows("ref_logp")[0][0]})


def _old_here_new_there(_: Scenario) -> Judged:
    found = {
        "reward_old": _slope("in_reward", "old_logp"), "reward_new": _slope("in_reward", "new_logp"),
        "loss_old": _slope("in_loss", "old_logp"), "loss_new": _slope("in_loss", "new_logp"),
    }  # fmt: skip
    right = found["reward_old"] != 0 == found["reward_new"] and found["loss_new"] != 0 == found["loss_old"]
    return Judged(holds(right), found)


def _ratio_one_is_reference(_: Scenario) -> Judged:
    unmoved = EXAMPLE.merged({"new_logp": EXAMPLE.old_logp})
    ratio = quantities.facts("surrogate", unmoved).exact["ratio"][0]
    kl = _kl_rewards()["kl"][0]
    return Judged(holds(ratio == 1 and kl == 0), {"ratio": ratio, "kl": kl})


def _clip_is_enough(_: Scenario) -> Judged:
    """Every iteration up to the edge of the range, each from where the last one ended."""
    reached = EDGE**ITERATIONS
    return Judged(holds(reached <= EDGE), {"edge": EDGE, "times": ITERATIONS, "reached": round(float(reached), 3)})


def _net(p: float) -> float:
    """The mean score less β·KL, where token a scores 1 and the other 0."""
    kl = p * formulas.k1(log(p), log(HALF)) + (1 - p) * formulas.k1(log(1 - p), log(1 - HALF))
    return round(formulas.token_reward(p, kl, BETA), 4)


def _smaller_is_better(_: Scenario) -> Judged:
    at_reference, away = _net(HALF), _net(TILTED)
    return Judged(
        holds(at_reference >= away), {"p": HALF, "at": at_reference, "tilted": TILTED, "away": away, "beta": BETA}
    )


def _bonus(_: Scenario) -> Judged:
    """A token that the actor likes less than the reference does."""
    found = _kl_rewards()
    t = min(range(EXAMPLE.length), key=found["kl"].__getitem__)
    return Judged(
        holds(found["kl"][t] < 0 < found["rewards"][t]),
        {"actor": EXAMPLE.rows("old_logp")[0][t], "ref": EXAMPLE.rows("ref_logp")[0][t], "kl": found["kl"][t],
         "reward": found["rewards"][t]},
    )  # fmt: skip


def _penalty_by_score(_: Scenario) -> Judged:
    good, bad = (_kl_rewards(scores=[0.0] * (EXAMPLE.length - 1) + [score])["rewards"][0] for score in (1.0, -1.0))
    return Judged(holds(good != bad), {"good": good, "bad": bad})


MORE: dict[str, Check] = {
    "reference_is_the_reward_model": _is_reward_model,
    "larger_beta_pulls_harder": _larger_beta,
    "kl_is_zero_at_the_start": _zero_at_start,
    "one_number_per_token": _one_number_per_token,
    "reference_runs_every_step": _run_every_step,
    "reward_kl_reads_old_loss_kl_reads_new": _old_here_new_there,
    "ratio_one_means_reference": _ratio_one_is_reference,
    "clip_makes_kl_unnecessary": _clip_is_enough,
    "smaller_kl_is_always_better": _smaller_is_better,
    "less_likely_than_reference_earns_a_bonus": _bonus,
    "penalty_depends_on_the_score": _penalty_by_score,
}
