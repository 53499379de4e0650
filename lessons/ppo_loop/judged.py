"""Questions of judgement about an iteration, and its order swapped: cases for and against, computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import drift, formulas
from engine.fork import small_world
from engine.scenario import Scenario
from lessons._checks import alone, exact, gae
from lessons._compare import close
from lessons._policies import EXAMPLE
from lessons._proposition import Check, Judged, holds
from lessons._weighed import weighed
from lessons.ppo_loop.checks import BATCH, QUARTER, _slope

OLD, NEAR, FAR = Fraction(3, 4), Fraction(5, 8), Fraction(1, 8)


def _more_epochs(_: Scenario) -> Judged:
    """One batch carried a little way and a long way: what is really earned."""
    near, far = drift.earned(OLD, NEAR), drift.earned(OLD, FAR)
    return Judged(weighed(near > 0, far < near), {"old": OLD, "near": NEAR, "far": FAR, "small": near, "large": far})


def _critic_worth(_: Scenario) -> Judged:
    """A critic that foresees tells tokens apart; one that errs moves the mean."""
    told = [float(a) for a in alone("gae", rewards=[0, 0, 1], values=[0.5, 0.5, 1], gamma=1, lam=0)["advantages"]]
    world = small_world().exact
    return Judged(
        weighed(len(set(told)) > 1, world["mean_with_wrong_critic"] != world["q"]),
        {"told": told, "q": world["q"], "wrong": world["mean_with_wrong_critic"]},
    )


def _smaller_minibatch(_: Scenario) -> Judged:
    """More steps from the same batch, and a mean over fewer samples: its variance for one sample's of one."""
    steps = [BATCH // size for size in (BATCH, QUARTER)]
    spreads = [Fraction(1, size) for size in (BATCH, QUARTER)]
    return Judged(weighed(steps[1] > steps[0], spreads[1] > spreads[0]), {"sizes": [BATCH, QUARTER], "steps": steps})


def _values_after(_: Scenario) -> Judged:
    """GAE with the values of the critic that has been trained on this batch, beside those from the rollout."""
    values = [float(v) for v in EXAMPLE.rows("values")[0]]
    later = [v + 0.1 for v in values[:-1]] + values[-1:]
    one, other = gae()["advantages"][0], gae(values=later)["advantages"][0]
    return Judged(holds(close(one, other)), {"one": one, "other": other})


def _critic_by_advantage(_: Scenario) -> Judged:
    """The target that the critic's loss pulls to: at which prediction its slope ends."""
    found = gae()
    target, adv = float(found["returns"][0]), float(found["advantages"][0])
    loss = [formulas.squared_error(p, target) for p in (target, adv)]
    pull = _slope("critic", "vpreds")
    return Judged(holds(pull != 0 and loss[1] == 0), {"target": target, "adv": adv, "loss": loss[0]})


def _swapped_roles(_: Scenario) -> Judged:
    """Which network each of the losses has a slope by."""
    actor = [_slope("actor", name) for name in ("vpreds", "new_logp")]
    critic = [_slope("critic", name) for name in ("new_logp", "vpreds")]
    return Judged(
        holds(actor[0] != 0 and critic[0] != 0),
        {"actor": actor[1], "actor_other": actor[0], "critic": critic[1], "critic_other": critic[0]},
    )


def _kl_after_gae(_: Scenario) -> Judged:
    """β·KL taken off the finished advantages, beside KL in the rewards."""
    without, within = (gae(beta=beta)["advantages"][0] for beta in (0.0, float(EXAMPLE.beta or 0)))
    kl = float(exact("kl_estimators")["k1"][0])
    after: Any = float(without) - float(EXAMPLE.beta or 0) * kl
    return Judged(holds(close(after, within)), {"after": round(after, 6), "within": round(float(within), 6)})


JUDGED: dict[str, Check] = {
    "more_epochs_are_better": _more_epochs,
    "keeping_the_critic_is_better": _critic_worth,
    "smaller_minibatches_are_better": _smaller_minibatch,
    "gae_may_wait_for_the_critic_update": _values_after,
    "critic_is_trained_towards_advantages": _critic_by_advantage,
    "actor_loss_is_for_the_critic_and_the_reverse": _swapped_roles,
    "kl_may_be_taken_off_after_gae": _kl_after_gae,
}
