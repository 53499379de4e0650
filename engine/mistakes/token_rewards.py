"""On the way from scores to token rewards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.facts import Inputs
from engine.mistakes.agreements import named, one_score_no_padding, same, with_parameters, without
from engine.mistakes.mistake import Change, Mistake, both, each, reading, stepping
from engine.ops import Number
from engine.rewards import Placement
from engine.scenario import Scenario


@named
def without_kl(scenario: Scenario) -> Scenario:
    """The policy is the reference, in whichever way the KL is given."""
    if scenario.ref_logp is None:
        return without("kl_values")(scenario)
    return same(ref_logp="old_logp" if scenario.logp is None else "logp")(scenario)


def _on_every_kl(function: Callable[[Number], Number]) -> Change:
    """Something done to each token's KL, be it given or computed."""

    def penalties(x: Inputs) -> Callable[..., Any]:
        return lambda logp, ref, mask, *, kind: each(
            x.on, function, mask, x.on.kl_penalties(logp, ref, mask, kind=kind)
        )

    given = reading(kl_values=lambda x: each(x.on, function, x.mask, x["kl_values"]))
    return both(given, stepping(kl_penalties=penalties))


def _swapping(one: str, other: str) -> Change:
    """Two estimators, each under the name of the other."""
    kinds = {one: other, other: one}
    return stepping(
        kl_penalties=lambda x: (
            lambda logp, ref, mask, *, kind: x.on.kl_penalties(logp, ref, mask, kind=kinds.get(kind, kind))
        )
    )


def _adding(x: Inputs) -> Callable[..., Any]:
    return lambda scores, kl, mask, *, beta: x.on.token_rewards(scores, kl, mask, beta=-beta)


def _score_in_padding(x: Inputs) -> Any:
    return x.on.place_score(x.on.total(x["scores"], x.mask), x.mask, placement=Placement.FIRST_PADDING)


TOKEN_REWARDS = (
    Mistake(
        id="kl_added",
        lesson="kl_reward",
        quantity="kl_rewards",
        change=stepping(token_rewards=_adding),
        coincides=with_parameters(beta=0.0),
        needs=("beta",),
    ),
    Mistake(
        id="kl_sign_flipped",
        lesson="kl_reward",
        quantity="kl_rewards",
        change=_on_every_kl(lambda kl: -kl),
        coincides=without_kl,
    ),
    Mistake(
        id="kl_without_beta",
        lesson="kl_reward",
        quantity="kl_rewards",
        change=reading(beta=lambda x: x.number("beta", 1.0)),
        coincides=with_parameters(beta=1.0),
        needs=("beta",),
    ),
    Mistake(
        id="kl_never_negative",
        lesson="kl_reward",
        quantity="kl_rewards",
        change=_on_every_kl(abs),
        coincides=without_kl,
    ),
    Mistake(
        id="kl_k1_k3_swap",
        lesson="kl_reward",
        quantity="kl_estimators",
        change=_swapping("k1", "k3_clamped"),
        coincides=without_kl,
        needs=("ref_logp",),
    ),
    Mistake(
        id="kl_k1_k2_swap",
        lesson="kl_reward",
        quantity="kl_estimators",
        change=_swapping("k1", "k2"),
        coincides=without_kl,
        needs=("ref_logp",),
    ),
    Mistake(
        id="kl_k2_k3_swap",
        lesson="kl_reward",
        quantity="kl_estimators",
        change=_swapping("k2", "k3_clamped"),
        coincides=without_kl,
        needs=("ref_logp",),
    ),
    Mistake(
        id="score_index_first_padding",
        lesson="padding_mask",
        quantity="kl_rewards",
        change=reading(scores=_score_in_padding),
        coincides=one_score_no_padding,
        needs=("scores", "mask"),
    ),
)
