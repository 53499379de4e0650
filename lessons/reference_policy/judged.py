"""Questions of judgement about the reference, and its KL with a part swapped: cases for and against, computed."""

from __future__ import annotations

from math import exp

from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._leash import HOLED, PAID, mean_worth
from lessons._policies import EXAMPLE
from lessons._weighed import weighed
from lessons.reference_policy.checks import HALF, ITERATIONS, _kl_rewards, _slope
from lessons.reference_policy.further import OLD, REF, _advantages, _best

LEASH = 2.0  # β


def _needed(_: Scenario) -> Judged:
    """Held to the reference the policy stays near it; let go it scores more."""
    free, held = _best(0.0), _best(1.0)
    return Judged(weighed(abs(held - HALF) < abs(free - HALF), free > held), {"ref": HALF, "free": free, "held": held})


def _larger_beta(_: Scenario) -> Judged:
    betas = [0.1, 1.0, 10.0]
    found = [_best(beta) for beta in betas]
    away = [abs(p - HALF) for p in found]
    return Judged(weighed(away[-1] < away[0], found[-1] < found[0]), {"betas": betas, "found": found, "ref": HALF})


def _in_loss(_: Scenario) -> Judged:
    """In the loss it has a slope of its own; in the reward it reaches earlier tokens."""
    in_reward, in_loss = _slope("in_reward", "new_logp"), _slope("in_loss", "new_logp")
    moved = round(float(_advantages([*REF[:-1], REF[-1] - 1])[0] - _advantages(REF)[0]), 4)
    return Judged(
        weighed(in_loss != 0 == in_reward, moved != 0), {"in_reward": in_reward, "in_loss": in_loss, "moved": moved}
    )


def _renewed(_: Scenario) -> Judged:
    """The best policy with the first reference kept and with it renewed: by a true score, and by one with a hole."""
    true, fooled = ([mean_worth(LEASH, worth, times) for times in (1, ITERATIONS)] for worth in (PAID, HOLED))
    return Judged(
        weighed(true[1] > true[0], fooled[1] < fooled[0]), {"times": ITERATIONS, "true": true, "fooled": fooled}
    )


def _of_probabilities(_: Scenario) -> Judged:
    kl, difference = float(_kl_rewards()["kl"][0]), exp(OLD[0]) - exp(REF[0])
    return Judged(holds(close(kl, difference)), {"kl": round(kl, 6), "difference": round(difference, 6)})


def _turned_round(_: Scenario) -> Judged:
    kl, turned = float(_kl_rewards()["kl"][0]), REF[0] - OLD[0]
    return Judged(
        holds(close(kl, turned)), {"old": OLD[0], "ref": REF[0], "kl": round(kl, 6), "turned": round(turned, 6)}
    )


def _added(_: Scenario) -> Judged:
    found = _kl_rewards()
    kl, beta = float(found["kl"][0]), float(EXAMPLE.beta or 0)
    reward, added = float(found["rewards"][0]), float(EXAMPLE.rows("scores")[0][0]) + beta * kl
    return Judged(holds(close(reward, added)), {"reward": round(reward, 6), "added": round(added, 6)})


def _last_is_free(_: Scenario) -> Judged:
    """The last reward beside the score that stands there."""
    reward, score = float(_kl_rewards()["rewards"][-1]), float(EXAMPLE.rows("scores")[0][-1])
    return Judged(holds(close(reward, score)), {"reward": round(reward, 6), "score": score})


def _old_instead(_: Scenario) -> Judged:
    """The policy that wrote put in the reference's place, in the KL of the reward."""
    right, instead = (_kl_rewards(ref_logp=ref)["kl"][0] for ref in (REF, OLD))
    return Judged(holds(close(right, instead)), {"right": right, "instead": instead})


JUDGED: dict[str, Check] = {
    "reference_is_needed": _needed,
    "larger_beta_is_better": _larger_beta,
    "kl_in_loss_is_better_than_in_reward": _in_loss,
    "reference_should_be_renewed": _renewed,
    "kl_is_a_difference_of_probabilities": _of_probabilities,
    "kl_is_reference_minus_policy": _turned_round,
    "kl_is_added_to_the_reward": _added,
    "last_token_pays_no_kl": _last_is_free,
    "old_policy_can_serve_as_reference": _old_instead,
}
