"""On the way from advantages to whitened ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import formulas
from engine.facts import Inputs
from engine.mistakes.agreements import equal_advantages, no_padding, without
from engine.mistakes.mistake import Mistake, Terms, advancing, each, stepping, unmasked
from engine.ops import Number
from engine.statistics import WHITENING_EPSILON


def _whitened_before_targets(x: Inputs) -> Callable[..., Any]:
    return lambda advantages, values, mask: x.on.critic_targets(x.on.whiten(advantages, mask), values, mask)


def _gae_with_whitened_targets(x: Inputs) -> Callable[..., Any]:
    def gae(rewards: Any, values: Any, mask: Any, *, gamma: Number, lam: Number) -> tuple[Any, Any]:
        found, _ = x.on.gae(rewards, values, mask, gamma=gamma, lam=lam)
        return found, x.on.critic_targets(x.on.whiten(found, mask), values, mask)

    return gae


def _from_whitened_returns(x: Inputs, terms: Terms, lam: Number) -> Any:
    _, returns = x.on.gae(terms.rewards, terms.values, terms.mask, gamma=terms.gamma, lam=lam)
    return x.on.advantages_of(x.on.whiten(returns, terms.mask), terms.values, terms.mask)


def _of_the_population(name: str) -> Any:
    def step(x: Inputs) -> Callable[..., Any]:
        return lambda batch, mask, **_: vars(x.on)[name](batch, mask, sample=False)

    return step


def _with_every_position(name: str) -> Any:
    def step(x: Inputs) -> Callable[..., Any]:
        return lambda batch, mask, **given: vars(x.on)[name](batch, unmasked(x.on, mask), **given)

    return step


def _by_variance(x: Inputs) -> Callable[..., Any]:
    """The root forgotten: the variance stands where the standard deviation belongs."""

    def whiten(batch: Any, mask: Any, **given: Any) -> Any:
        mean, variance = x.on.masked_mean(batch, mask), x.on.masked_variance(batch, mask, **given)
        epsilon = x.number("epsilon", float(WHITENING_EPSILON))
        return each(x.on, lambda a_t: formulas.standardise(a_t, mean, variance, epsilon), mask, batch)

    return whiten


def _unshifted(x: Inputs) -> Callable[..., Any]:
    return lambda batch, mask, **given: x.on.whiten(batch, mask, shift_mean=False, **given)


WHITENING = (
    Mistake(
        id="whiten_before_returns",
        lesson="whitening",
        quantity="pipeline",
        change=stepping(gae=_gae_with_whitened_targets, critic_targets=_whitened_before_targets),
        coincides=without("rewards", "values"),
        needs=("values",),
        tokens=2,
    ),
    Mistake(
        id="whiten_returns_first",
        lesson="whitening",
        quantity="gae",
        change=advancing(_from_whitened_returns),
        coincides=without("rewards", "values"),
        needs=("values",),
        tokens=2,
    ),
    Mistake(
        id="whiten_population",
        lesson="whitening",
        quantity="whiten",
        change=stepping(whiten=_of_the_population("whiten"), masked_variance=_of_the_population("masked_variance")),
        coincides=equal_advantages,
    ),
    Mistake(
        id="whiten_mask_ignored",
        lesson="whitening",
        quantity="whiten",
        change=stepping(**{name: _with_every_position(name) for name in ("whiten", "masked_mean", "masked_variance")}),
        coincides=no_padding,
        needs=("mask",),
    ),
    Mistake(
        id="whiten_by_variance",
        lesson="whitening",
        quantity="whiten",
        change=stepping(whiten=_by_variance),
        coincides=equal_advantages,
    ),
    Mistake(
        id="whiten_without_shift",
        lesson="whitening",
        quantity="whiten",
        change=stepping(whiten=_unshifted),
        coincides=without("advantages"),
    ),
)
