"""What stands outside the mask, in the recursion and in a mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.conventions import TRL, VERL_OLD, Convention, Kept, Outcome, Rollout, run
from engine.facts import Inputs
from engine.mistakes.agreements import no_padding, right_padded
from engine.mistakes.mistake import Change, Mistake, stepping, unmasked
from engine.ops import Number

AFTER_EOS = replace(VERL_OLD, rewards=Kept.RESPONSE)  # V alone is kept there


def _with_every_position(name: str) -> Any:
    """The step of this name with a mask that keeps everything."""

    def step(x: Inputs) -> Callable[..., Any]:
        return lambda *batches, **given: vars(x.on)[name](*batches[:-1], unmasked(x.on, batches[-1]), **given)

    return step


def _following(convention: Convention) -> Change:
    """The recursion as a project has it."""

    def outcome(rewards: Any, values: Any, mask: Any, gamma: Number, lam: Number) -> Outcome:
        return run(Rollout(rewards, values, mask), convention, gamma=gamma, lam=lam)

    def gae(_x: Inputs) -> Callable[..., Any]:
        def step(rewards: Any, values: Any, mask: Any, *, gamma: Number, lam: Number) -> tuple[Any, Any]:
            found = outcome(rewards, values, mask, gamma, lam)
            return found.advantages, found.returns

        return step

    def td_errors(x: Inputs) -> Callable[..., Any]:
        """At λ = 0 the advantage is δ."""
        return lambda rewards, values, mask, *, gamma: (
            outcome(rewards, values, mask, gamma, x.number("lam", 0.0)).advantages
        )

    return stepping(gae=gae, td_errors=td_errors)


def _mean_over_every_position(x: Inputs) -> Callable[..., Any]:
    return lambda batch, mask: x.on.masked_mean(x.on.zeroed(batch, mask), unmasked(x.on, mask))


PADDING = (
    Mistake(
        id="mask_ignored_in_recursion",
        lesson="padding_mask",
        quantity="masked_gae",
        change=stepping(**{name: _with_every_position(name) for name in ("td_errors", "gae", "mc_returns")}),
        coincides=no_padding,
        needs=("mask",),
    ),
    Mistake(
        id="mask_shift_keeps_value_after_eos",  # verl before 0.5
        lesson="padding_mask",
        quantity="masked_gae",
        change=_following(AFTER_EOS),
        coincides=no_padding,
        needs=("mask",),
    ),
    Mistake(
        id="mask_holes_are_steps",  # the recursion decays over tool output
        lesson="padding_mask",
        quantity="masked_gae",
        change=_following(TRL),
        coincides=right_padded,
        needs=("mask",),
    ),
    Mistake(
        id="mask_mean_over_padded_length",
        lesson="padding_mask",
        quantity="surrogate",
        change=stepping(masked_mean=_mean_over_every_position),
        coincides=no_padding,
        needs=("mask",),
    ),
)
