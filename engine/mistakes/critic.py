"""The critic's loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.facts import Inputs
from engine.mistakes.agreements import named, same
from engine.mistakes.mistake import Mistake, concluding, each, stepping
from engine.ops import Number
from engine.scenario import Scenario


@named
def critic_not_moved(scenario: Scenario) -> Scenario:
    return same(vpreds="values" if scenario.old_values is None else "old_values")(scenario)


@named
def critic_not_moved_and_right(scenario: Scenario) -> Scenario:
    settled = critic_not_moved(scenario)
    return same(returns="vpreds")(settled)


def _unhalved(x: Inputs, found: Any) -> dict[str, Any]:
    return {"vf_loss": x.on.masked_mean(found["max_sq_err"], x.mask)}


def _smaller(x: Inputs) -> Callable[..., Any]:
    """min(a, b) = a + b − max(a, b)."""

    def value_errors(vpreds: Any, old: Any, returns: Any, mask: Any, *, cliprange: Number) -> Any:
        clipped = x.on.clipped_values(vpreds, old, mask, cliprange=cliprange)
        errors = (
            x.on.value_errors(vpreds, old, returns, mask, cliprange=None),
            x.on.value_errors(clipped, old, returns, mask, cliprange=None),
            x.on.value_errors(vpreds, old, returns, mask, cliprange=cliprange),
        )
        return each(x.on, lambda a, b, larger: a + b - larger, mask, *errors)

    return value_errors


def _of_clipped(x: Inputs) -> Callable[..., Any]:
    def value_errors(vpreds: Any, old: Any, returns: Any, mask: Any, *, cliprange: Number) -> Any:
        clipped = x.on.clipped_values(vpreds, old, mask, cliprange=cliprange)
        return x.on.value_errors(clipped, old, returns, mask, cliprange=None)

    return value_errors


def _unclipped(x: Inputs) -> Callable[..., Any]:
    return lambda vpreds, old, returns, mask, **_: x.on.value_errors(vpreds, old, returns, mask, cliprange=None)


CRITIC = (
    Mistake(
        id="value_loss_without_half",
        lesson="critic_target",
        quantity="value_loss",
        change=concluding(_unhalved),
        coincides=critic_not_moved_and_right,
    ),
    Mistake(
        id="value_clip_min_for_max",
        lesson="critic_target",
        quantity="value_loss",
        change=stepping(value_errors=_smaller),
        coincides=critic_not_moved,
    ),
    Mistake(
        id="value_clip_always",  # the clipped prediction's error, whether or not it is the larger one
        lesson="critic_target",
        quantity="value_loss",
        change=stepping(value_errors=_of_clipped),
        coincides=critic_not_moved,
    ),
    Mistake(
        id="value_clip_forgotten",
        lesson="critic_target",
        quantity="value_loss",
        change=stepping(value_errors=_unclipped),
        coincides=critic_not_moved,
    ),
)
