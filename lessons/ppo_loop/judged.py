"""Questions of judgement about an iteration, and its order swapped: cases for and against, computed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine import drift, formulas
from engine.facts import compute
from engine.fork import small_world
from engine.scenario import Scenario
from engine.slopes import own_slopes
from lessons._checks import alone, exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons._policies import EXAMPLE
from lessons._weighed import weighed
from lessons.ppo_loop.checks import _handed_over, _slope, _terms

TARGETS = tuple(Fraction(x) for x in gae()["returns"])
RATE = Fraction(1, 4)
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
    """One pass over a batch of targets by one number of the critic's, from far off and from where it should stay."""
    sizes = (len(TARGETS), 1)
    far, near = ([_loss(_one_pass(start, size)) for size in sizes] for start in (Fraction(0), _mean(TARGETS)))
    return Judged(
        weighed(far[1] < far[0], near[1] > near[0]),
        {
            "sizes": list(sizes),
            "steps": [len(TARGETS) // size for size in sizes],
            "far": [round(float(x), 4) for x in far],
            "near": [round(float(x), 4) for x in near],
        },
    )


def _mean(xs: Sequence[Fraction]) -> Fraction:
    return sum(xs, Fraction(0)) / len(xs)


def _loss(prediction: Fraction, targets: Sequence[Fraction] | None = None) -> Fraction:
    """The critic's loss when it says the same of every state."""
    errors = [formulas.squared_error(prediction, target) for target in targets or TARGETS]
    return Fraction(formulas.value_loss_term(_mean(errors)))


def _one_pass(prediction: Fraction, size: int) -> Fraction:
    """Gradient steps on one minibatch after another; the loss is a parabola, so its slope is this difference."""
    for i in range(0, len(TARGETS), size):
        further, back = (_loss(prediction + side, TARGETS[i : i + size]) for side in (1, -1))
        prediction -= RATE * (further - back) / 2
    return prediction


def _values_after(_: Scenario) -> Judged:
    """GAE with the values of the critic that has been trained on this batch, beside those from the rollout."""
    values = [float(v) for v in EXAMPLE.rows("values")[0]]
    later = [v + 0.1 for v in values[:-1]] + values[-1:]
    one, other = gae()["advantages"][0], gae(values=later)["advantages"][0]
    return Judged(holds(close(one, other)), {"one": one, "other": other})


def _critic_by_advantage(_: Scenario) -> Judged:
    """How far the critic's loss still pulls where every prediction is the return, and where it is the advantage."""
    handed = _handed_over()
    target, adv = (
        max(abs(float(s)) for s in compute(own_slopes(_terms, "critic", "vpreds"), at).exact["slopes"])
        for at in (handed.merged({"vpreds": handed.rows(name)[0]}) for name in ("returns", "advantages"))
    )
    return Judged(
        holds(close(adv, 0.0)),
        {"target": handed.rows("returns")[0][0], "adv": handed.rows("advantages")[0][0],
         "at_target": round(target, 4), "at_adv": round(adv, 4)},
    )  # fmt: skip


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
