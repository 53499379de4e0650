"""The ratio, the surrogate and the clip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas
from engine.facts import Inputs
from engine.losses import Clip
from engine.mistakes.agreements import equal_bounds, named, same, without
from engine.mistakes.mistake import Mistake, concluding, each, stepping, supplying
from engine.scenario import Scenario


@named
def policy_not_moved(scenario: Scenario) -> Scenario:
    """Every ratio is 1, in whichever way it is given."""
    if scenario.ratio is not None:
        return scenario.merged({"ratio": [[1.0] * len(row) for row in scenario.rows("ratio")]})
    return same(new_logp="logp" if scenario.old_logp is None else "old_logp")(scenario)


@named
def old_policy_is_reference(scenario: Scenario) -> Scenario:
    return same(ref_logp="logp" if scenario.old_logp is None else "old_logp")(scenario)


def _upside_down(x: Inputs) -> Callable[..., Any]:
    return lambda new, old, mask: x.on.ratios(old, new, mask)


def _log_ratios(x: Inputs) -> Callable[..., Any]:
    return lambda new, old, mask: each(x.on, formulas.k1, mask, new, old)


def _negated(x: Inputs, batch: Any) -> Any:
    return each(x.on, lambda number: -number, x.mask, batch)


def _larger(x: Inputs) -> Callable[..., Any]:
    """max(a, b) = −min(−a, −b)."""
    return lambda ratio, advantages, mask, *, clip: _negated(
        x, x.on.objectives(ratio, _negated(x, advantages), mask, clip=clip)
    )


def _any_ratio_outside(x: Inputs) -> Callable[..., Any]:
    """Above the range a gain is clipped, below it a loss: counted as if every token were both."""

    def clip_fraction(ratio: Any, _advantages: Any, mask: Any, *, clip: Clip) -> Any:
        gain = each(x.on, lambda r: 0 * r + 1, mask, ratio)
        return sum(x.on.clip_fraction(ratio, sign, mask, clip=clip) for sign in (gain, _negated(x, gain)))

    return clip_fraction


def _bounds_swapped(name: str) -> Any:
    def step(x: Inputs) -> Callable[..., Any]:
        return lambda *batches, clip: vars(x.on)[name](*batches, clip=Clip(clip.high, clip.low))

    return step


def _as_losses(x: Inputs, found: Any) -> dict[str, Any]:
    lists = {name: _negated(x, found[name]) for name in ("terms", "objective_terms") if name in found}
    return {**lists, **{name: -found[name] for name in ("surrogate", "objective") if name in found}}


POLICY = (
    Mistake(
        id="ratio_to_reference",
        lesson="reference_policy",
        quantity="surrogate",
        change=supplying(old_logp=lambda x: x["ref_logp"]),
        coincides=old_policy_is_reference,
        needs=("new_logp", "ref_logp"),
    ),
    Mistake(
        id="ratio_without_exp",
        lesson="surrogate",
        quantity="surrogate",
        change=stepping(ratios=_log_ratios),
        coincides=None,
        needs=("new_logp",),
    ),
    Mistake(
        id="ratio_upside_down",
        lesson="surrogate",
        quantity="surrogate",
        change=stepping(ratios=_upside_down),
        coincides=policy_not_moved,
        needs=("new_logp",),
    ),
    Mistake(
        id="clip_max_for_min",
        lesson="ppo_clip",
        quantity="clip",
        change=stepping(objectives=_larger),
        coincides=policy_not_moved,
    ),
    Mistake(
        id="clip_always",  # the clipped term, whether or not it is the smaller one
        lesson="ppo_clip",
        quantity="clip",
        change=stepping(objectives=lambda x: x.on.clipped_terms),
        coincides=policy_not_moved,
    ),
    Mistake(
        id="clip_fraction_of_any_ratio",
        lesson="ppo_clip",
        quantity="clip",
        change=stepping(clip_fraction=_any_ratio_outside),
        coincides=policy_not_moved,
    ),
    Mistake(
        id="clip_bounds_swap",
        lesson="ppo_clip",
        quantity="clip",
        change=stepping(
            **{name: _bounds_swapped(name) for name in ("objectives", "clipped_terms", "clip_fraction")},
        ),
        coincides=equal_bounds,
        needs=("eps_low", "eps_high"),
    ),
    Mistake(
        id="objective_sign_flipped",  # the loss, called the objective
        lesson="ppo_clip",
        quantity="clip",
        change=concluding(_as_losses),
        coincides=without("advantages"),
    ),
)
