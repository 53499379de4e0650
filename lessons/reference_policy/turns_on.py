"""What is so of the reference in one case and not in another: by the place of the KL, β, the iteration, the token."""

from __future__ import annotations

from math import log
from typing import Any

from engine import quantities
from engine.facts import Inputs, compute
from engine.scenario import Scenario, scenario
from engine.slopes import own_slopes, total_slopes
from lessons._checks import changed, exact, gae
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons._trials import judged
from lessons.reference_policy.checks import EDGE, HALF, ITERATIONS, _both_places, _kl_rewards
from lessons.reference_policy.further import NEW, OLD, OTHER, REF, _advantages, _best

LEASHES = (10.0, 0.01)  # β


def _loss(with_kl: bool) -> float:
    """The slope of the actor's loss by the reference, its KL in the loss or not."""

    def program(x: Inputs) -> dict[str, Any]:
        ratios = x.on.ratios(x["new_logp"], x["old_logp"], x.mask)
        return {"loss": _both_places(x)["in_loss"] if with_kl else ratios}

    return round(float(compute(total_slopes(program, ("loss",), "ref_logp"), EXAMPLE).exact["loss"]), 6)


def _slopes_found() -> dict[str, Any]:
    return {"on": _loss(True), "off": _loss(False)}


def _enters_loss(_: Scenario) -> Judged:
    found = _slopes_found()
    return judged([slope != 0 for slope in found.values()], **found)


def _always_enters_loss(_: Scenario) -> Judged:
    found = _slopes_found()
    return Judged(holds(all(slope != 0 for slope in found.values())), found)


def _made(beta: float) -> list[list[float]]:
    """The first reward and the first return, with one reference and with another."""
    rows = []
    for ref in (REF, OTHER):
        found = gae(kl_values=None, ref_logp=ref, beta=beta)
        rows.append([round(float(found[name][0]), 6) for name in ("rewards", "returns")])
    return rows


def _has_to_be_loaded(_: Scenario) -> Judged:
    """The KL charged somewhere, in the loss or in the reward, and nowhere."""
    loss, free = _slopes_found(), _made(0.0)
    charged = _made(0.1)
    needed = [loss["on"] != 0, charged[0] != charged[1], loss["off"] != 0 or free[0] != free[1]]
    return judged(needed, **loss, reward=[row[0] for row in charged], free=free[0][0])


def _moves_rewards(_: Scenario) -> Judged:
    charged, free = _made(0.1), _made(0.0)
    return judged([row[0] != row[1] for row in (charged, free)], one=charged[0], other=charged[1], free=free[0])


def _old_is_ref(_: Scenario) -> Judged:
    """The policy that writes: in the first iteration a copy of the reference, in a later one no more."""
    return judged([row == REF for row in (list(REF), OLD)], ref=REF[0], old=OLD[0])


def _old_always_ref(_: Scenario) -> Judged:
    return Judged(holds(OLD == REF), {"ref": REF[0], "old": OLD[0]})


def _kls() -> list[float]:
    """The first token's KL, of a copy and of a policy that has moved."""
    return [round(float(exact("kl_estimators", logp=row)["k1"][0]), 6) for row in (REF, NEW)]


def _policy_is_reference(_: Scenario) -> Judged:
    start, later = _kls()
    return judged([kl == 0 for kl in (start, later)], start=start, later=later)


def _policy_is_always_reference(_: Scenario) -> Judged:
    start, later = _kls()
    return Judged(holds(start == later == 0), {"start": start, "later": later})


def _can_coincide(_: Scenario) -> Judged:
    start, later = _kls()
    return Judged(holds(start == 0), {"start": start, "later": later})


def _reaches_back(_: Scenario) -> Judged:
    """The reference moved at the last token only: what the first token's gradient is made of."""
    moved = changed(REF, len(REF) - 1, -1.0)
    reward = [round(float(_advantages(ref)[0]), 6) for ref in (REF, moved)]
    loss = [round(float(exact("kl_estimators", logp=NEW, ref_logp=ref)["k2"][0]), 6) for ref in (REF, moved)]
    return judged([row[0] != row[1] for row in (reward, loss)], reward=reward, loss=loss)


def _stays_near(_: Scenario) -> Judged:
    """The best policy on a short leash and on a long one."""
    found = [_best(beta) for beta in LEASHES]
    return judged([abs(p - HALF) < 0.1 for p in found], betas=list(LEASHES), found=found, ref=HALF)


def _likes_it_more(_: Scenario) -> Judged:
    kl = [round(float(k), 6) for k in _kl_rewards()["kl"]]
    return judged([k > 0 for k in kl], most=max(kl), least=min(kl))


def _groups_need_it(_: Scenario) -> Judged:
    """The group's advantages read no reference; a KL in the loss beside them does."""
    found = quantities.facts("grpo", scenario({"group_rewards": [1, 0, 0.5, 0]}))
    return judged(
        [_loss(True) != 0, "ref_logp" in found.used], on=_loss(True), adv=round(float(found.exact["advantages"][0]), 4)
    )


def _farther_than_old(_: Scenario) -> Judged:
    """A token at the edge of each step's range: its log-ratio to the reference and to the old policy."""
    step = round(log(EDGE), 6)
    whole = [round(step * k, 6) for k in (ITERATIONS, 1)]
    return judged([ref > step for ref in whole], step=step, later=whole[0], first=whole[1], times=ITERATIONS)


def _pull() -> list[tuple[float, float]]:
    """Each token's log-ratio to the reference, and the slope of the KL in the loss by its log-probability."""
    slopes = compute(own_slopes(_both_places, "in_loss", "new_logp"), EXAMPLE).exact["slopes"]
    return [(round(n - r, 6), round(float(s), 6)) for n, r, s in zip(NEW, REF, slopes, strict=True)]


def _pushes_down(_: Scenario) -> Judged:
    """Descent goes against the slope."""
    above, below = max(_pull()), min(_pull())
    return judged([pair[1] > 0 for pair in (above, below)], above=list(above), below=list(below))


def _likelier_is_pushed_down(_: Scenario) -> Judged:
    pairs = _pull()
    above = max(pairs)
    return Judged(holds(all(slope > 0 for ratio, slope in pairs if ratio > 0)), {"above": list(above)})


TURNS_ON: dict[str, Check] = {
    "ref_log_prob_enters_the_actors_loss": _enters_loss,
    "ref_log_prob_always_enters_the_actors_loss": _always_enters_loss,
    "ppo_has_to_load_a_reference": _has_to_be_loaded,
    "reference_changes_rewards_and_returns": _moves_rewards,
    "old_and_ref_log_probs_are_equal": _old_is_ref,
    "old_and_ref_log_probs_are_always_equal": _old_always_ref,
    "policy_equals_the_reference": _policy_is_reference,
    "policy_always_equals_the_reference": _policy_is_always_reference,
    "policy_can_equal_the_reference": _can_coincide,
    "a_tokens_kl_reaches_earlier_tokens": _reaches_back,
    "policy_stays_near_the_reference": _stays_near,
    "policy_likes_the_token_more_than_the_reference": _likes_it_more,
    "group_methods_use_a_reference": _groups_need_it,
    "farther_from_the_reference_than_from_the_old_policy": _farther_than_old,
    "kl_loss_pushes_the_token_down": _pushes_down,
    "kl_loss_pushes_down_what_is_likelier": _likelier_is_pushed_down,
}
