"""What learners claim of who is given which list, and of what does not reach the advantages of a batch."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import whitened
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.token_pipeline.effects import higher_values, pipeline, same


def _given_the_wrong_way(_: Scenario) -> Judged:
    actor, returns = whitened(), pipeline()["returns"]
    return Judged(
        holds(close(actor, returns)),
        {"actor": round(float(actor[0]), 6), "critic": returns[0]},
    )


def _needs_the_new_policy(_: Scenario) -> Judged:
    other = {"new_logp": [-3.0] * RUNNING.length}
    return Judged(
        holds(not same("advantages", **other)),
        {"before": pipeline()["advantages"][0], "after": pipeline(**other)["advantages"][0]},
    )


def _depends_on_the_reference(_: Scenario) -> Judged:
    """The reference moved, with KL in the reward and without."""
    ref = [x - 1 for x in RUNNING.rows("ref_logp")[0]]
    other = {"ref_logp": ref, "kl_values": None}
    on = [pipeline()["advantages"][0], pipeline(**other)["advantages"][0]]
    off = [pipeline(beta=0.0)["advantages"][0], pipeline(beta=0.0, **other)["advantages"][0]]
    moves, stays = on[0] != on[1], off[0] == off[1]
    return Judged("depends" if moves and stays else holds(moves), {"on": on, "off": off})


def _clip_range(_: Scenario) -> Judged:
    before, after = (pipeline(eps=eps)["advantages"][0] for eps in (0.2, 0.01))
    return Judged(holds(before != after), {"before": before, "after": after})


def _critic_step(_: Scenario) -> Judged:
    before, after = (pipeline(vpreds=[v] * RUNNING.length)["advantages"][0] for v in (0.1, 0.9))
    return Judged(holds(before != after), {"before": before, "after": after})


def _scores_go_into_gae(_: Scenario) -> Judged:
    """The advantages of the scores as they are, and of the rewards."""
    found, bare = pipeline(), pipeline(beta=0.0)
    return Judged(
        holds(close(found["advantages"], bare["advantages"])),
        {"a": found["advantages"][0], "bare": bare["advantages"][0]},
    )


def _made_from_advantages(_: Scenario) -> Judged:
    """The rewards under another critic and another λ, which make other advantages."""
    found, other = pipeline(), pipeline(values=higher_values(), lam=0.0)
    return Judged(
        holds(not close(found["rewards"], other["rewards"])),
        {"before": found["rewards"][-1], "after": other["rewards"][-1], "a": found["advantages"][0],
         "a_after": other["advantages"][0]},
    )  # fmt: skip


JUDGED: dict[str, Check] = {
    "actor_gets_returns_and_critic_advantages": _given_the_wrong_way,
    "advantages_need_the_new_policy": _needs_the_new_policy,
    "advantages_depend_on_the_reference": _depends_on_the_reference,
    "clip_range_changes_the_advantages": _clip_range,
    "critic_step_changes_this_batchs_advantages": _critic_step,
    "gae_runs_on_the_scores": _scores_go_into_gae,
    "rewards_are_made_from_advantages": _made_from_advantages,
}
