"""Who whitens how: what learners claim of whitening in verl and in OpenRLHF."""

from __future__ import annotations

from engine import formulas, statistics
from engine.conventions import OPENRLHF, VERL_NEW, Rollout, run
from engine.scenario import Scenario
from engine.statistics import WHITENING_EPSILON
from lessons._checks import alone
from lessons._fact import Check, Judged, holds
from lessons.whitening.further import MASK, PADDED, ROWS, _flat, _near, _rollout, _short, _white


def _padding_zero(_: Scenario) -> Judged:
    """verl's line reads every place; only its mean and variance are masked."""
    mean, variance = statistics.masked_mean(PADDED, MASK), statistics.masked_variance(PADDED, MASK)
    left = formulas.whiten(PADDED[-1], float(mean), float(variance), float(WHITENING_EPSILON))
    return Judged(holds(left == 0), {"given": PADDED, "left": round(left, 4)})


def _openrlhf_sample(_: Scenario) -> Judged:
    given = [1.0, 2.0, 4.0]
    rollout = Rollout(rewards=[given], values=[[0.0] * 3], mask=[[1] * 3])
    theirs = float(run(rollout, OPENRLHF, gamma=0.0, lam=0.0).normalised[0][0])
    found = alone("whiten", advantages=given)
    return Judged(
        holds(_near(theirs, found["whitened"][0])),
        {"given": given, "theirs": round(theirs, 4), "sample": _short(found["whitened"])[0]},
    )


def _verl_inside(_: Scenario) -> Judged:
    """What comes out of the function: advantages of mean zero, beside returns that are not."""
    found = run(_rollout(), VERL_NEW, gamma=1.0, lam=0.95)
    out = _flat(found.normalised)
    mean = sum(out) / len(out)
    return Judged(holds(_near(mean, 0)), {"mean": round(mean, 6) + 0.0, "raw": round(float(found.advantages[0][0]), 4),
                                          "out": round(float(found.normalised[0][0]), 4)})  # fmt: skip


def _by_minibatch(_: Scenario) -> Judged:
    """verl whitens before the batch is cut up: a half of it alone would come out otherwise."""
    rollout = Rollout(rewards=ROWS, values=[[0, 0], [0, 0]], mask=[[1, 1], [1, 1]])
    verl = _short(run(rollout, VERL_NEW, gamma=0, lam=0).normalised[0])
    half = _short(_white(ROWS[0]))
    return Judged(holds(verl == half), {"verl": verl, "half": half, "rows": ROWS})


PROJECTS: dict[str, Check] = {
    "padding_becomes_zero_in_verl": _padding_zero,
    "openrlhf_uses_the_sample_variance": _openrlhf_sample,
    "verl_hands_out_whitened_advantages": _verl_inside,
    "verl_whitens_each_minibatch": _by_minibatch,
}
