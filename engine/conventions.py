"""Where the projects differ, as values: run one rollout under two conventions and see the difference.

verl's are compared with the real packages (engine/CONFORMANCE.md); the others follow their published sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine import sequences
from engine.forms import forms_of
from engine.losses import Aggregation, Clip
from engine.ops import Number
from engine.rewards import Placement


class Kept(Enum):
    """Which positions of a batch keep their numbers before the recursion; the others are set to 0."""

    AS_GIVEN = "as_given"
    RESPONSE = "response"  # those of the response's tokens
    ONE_MORE = "one_more"  # and one behind the last: the mask was moved one to the right


class Whitening(Enum):
    NONE = "none"
    SAMPLE = "sample"  # variance over n − 1, ε added
    POPULATION = "population"  # variance over n, ε is its least value


class Masked(Enum):
    """What the recursion makes of a token outside the mask."""

    STEP = "step"  # one like any other
    CARRIED = "carried"  # no step; it is given what the next valid token has, 0 where none follows
    NOTHING = "nothing"  # no step, and 0


@dataclass(frozen=True, slots=True)
class Convention:
    """How one project turns a rollout into advantages, returns and losses."""

    name: str
    placement: Placement
    clamps: tuple[str, ...]  # the KL estimators that are kept within ±10
    rewards: Kept
    values: Kept
    masked: Masked
    whitening: Whitening
    whitens_outside: bool  # by the statistics of what is inside; else it is 0 there
    log_ratio_bound: int | None
    dual_clip: int | None
    halves_value_loss: bool


VERL_OLD = Convention(
    name="verl_old",
    placement=Placement.LAST_VALID,
    clamps=("k3",),
    rewards=Kept.AS_GIVEN,
    values=Kept.ONE_MORE,
    masked=Masked.STEP,
    whitening=Whitening.SAMPLE,
    whitens_outside=True,
    log_ratio_bound=None,
    dual_clip=None,
    halves_value_loss=True,
)
VERL_NEW = Convention(
    name="verl_new",
    placement=Placement.LAST_VALID,
    clamps=("k3",),
    rewards=Kept.AS_GIVEN,
    values=Kept.RESPONSE,
    masked=Masked.CARRIED,
    whitening=Whitening.SAMPLE,
    whitens_outside=True,
    log_ratio_bound=20,
    dual_clip=3,
    halves_value_loss=True,
)
TRL = Convention(  # up to 0.11
    name="trl",
    placement=Placement.LAST_VALID,
    clamps=(),
    rewards=Kept.RESPONSE,
    values=Kept.RESPONSE,
    masked=Masked.STEP,
    whitening=Whitening.SAMPLE,
    whitens_outside=True,
    log_ratio_bound=None,
    dual_clip=None,
    halves_value_loss=True,
)
TRL_LATER = Convention(  # 0.12 to 1.9
    name="trl_later",
    placement=Placement.FIRST_PADDING,
    clamps=(),
    rewards=Kept.ONE_MORE,
    values=Kept.ONE_MORE,
    masked=Masked.STEP,
    whitening=Whitening.SAMPLE,
    whitens_outside=False,
    log_ratio_bound=None,
    dual_clip=None,
    halves_value_loss=True,
)
OPENRLHF = Convention(
    name="openrlhf",
    placement=Placement.LAST_VALID,
    clamps=("k1", "k2", "k3"),
    rewards=Kept.RESPONSE,
    values=Kept.RESPONSE,
    masked=Masked.STEP,
    whitening=Whitening.POPULATION,
    whitens_outside=True,
    log_ratio_bound=20,
    dual_clip=None,
    halves_value_loss=True,
)
TEXTBOOK = Convention(
    name="textbook",
    placement=Placement.LAST_VALID,
    clamps=(),
    rewards=Kept.RESPONSE,
    values=Kept.RESPONSE,
    masked=Masked.NOTHING,
    whitening=Whitening.NONE,
    whitens_outside=False,
    log_ratio_bound=None,
    dual_clip=None,
    halves_value_loss=False,
)
CONVENTIONS = (VERL_OLD, VERL_NEW, TRL, TRL_LATER, OPENRLHF, TEXTBOOK)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What token rewards are made from: a score per response, and the log-probabilities of its tokens."""

    scores: Any
    logps: Any
    ref_logps: Any
    beta: Number
    kl_kind: str = "k1"


@dataclass(frozen=True, slots=True, eq=False)
class Rollout:
    """A batch, as lists of rows or as tensors [B, T]; anything may stand outside the mask."""

    rewards: Any  # per token, or a Scored
    values: Any
    mask: Any


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a convention makes of a rollout. The recursion saw `rewards` and `values`; `advantages` are not whitened."""

    rewards: Any
    values: Any
    advantages: Any
    returns: Any
    normalised: Any  # what the actor's loss is given


def keep(batch: Any, mask: Any, kept: Kept) -> Any:
    """A batch as a recursion sees it."""
    forms = forms_of(batch)
    if kept is Kept.AS_GIVEN:
        return batch
    return forms.zeroed(batch, mask if kept is Kept.RESPONSE else forms.one_more(mask))


def _token_rewards(rollout: Rollout, convention: Convention) -> Any:
    if not isinstance(rollout.rewards, Scored):
        return rollout.rewards
    forms, scored, mask = forms_of(rollout.values), rollout.rewards, rollout.mask
    kind = scored.kl_kind
    if kind.removesuffix("+") in convention.clamps:
        kind = f"{kind.removesuffix('+')}_clamped{'+' * kind.endswith('+')}"
    kl = forms.kl_penalties(scored.logps, scored.ref_logps, mask, kind=kind)
    placed = forms.place_score(scored.scores, mask, placement=convention.placement)
    return forms.token_rewards(placed, kl, mask, beta=scored.beta)


def run(rollout: Rollout, convention: Convention, *, gamma: Number, lam: Number) -> Outcome:
    """The rollout's advantages and returns as this project computes them."""
    forms, mask = forms_of(rollout.values), rollout.mask
    seen_rewards = keep(_token_rewards(rollout, convention), mask, convention.rewards)
    seen_values = keep(rollout.values, mask, convention.values)

    def advantages_of(rewards: Any, values: Any) -> list[Number]:
        return sequences.gae_advantages(sequences.deltas(rewards, values, gamma), gamma, lam)

    if convention.masked is Masked.STEP:
        advantages = forms.everywhere(advantages_of, seen_rewards, seen_values)
    else:
        advantages = forms.over_valid(advantages_of, mask, seen_rewards, seen_values)
    if convention.masked is Masked.CARRIED:
        advantages = forms.carried(advantages, mask)
    returns = forms.everywhere(sequences.critic_targets, advantages, seen_values)
    return Outcome(seen_rewards, seen_values, advantages, returns, _normalised(advantages, mask, convention))


def _normalised(advantages: Any, mask: Any, convention: Convention) -> Any:
    forms = forms_of(advantages)
    whiten = forms.whiten_everywhere if convention.whitens_outside else forms.whiten
    match convention.whitening:
        case Whitening.NONE:
            return advantages
        case Whitening.SAMPLE:
            return whiten(advantages, mask)
        case Whitening.POPULATION:
            return whiten(advantages, mask, sample=False, floors=True)


def policy_loss(
    convention: Convention, new_logps: Any, old_logps: Any, advantages: Any, mask: Any, eps: Number
) -> Number:
    """The actor's loss, meant over the batch's tokens."""
    forms = forms_of(new_logps)
    ratios = forms.ratios(new_logps, old_logps, mask, bound=convention.log_ratio_bound)
    terms = forms.policy_losses(ratios, advantages, mask, clip=Clip(eps, eps, convention.dual_clip))
    return forms.aggregate(terms, mask, Aggregation.TOKEN_MEAN)


def value_loss(
    convention: Convention, vpreds: Any, old_values: Any, returns: Any, mask: Any, cliprange: Number | None
) -> Number:
    """The critic's loss, meant over the batch's tokens; over one more per response where its values keep one more."""
    forms = forms_of(vpreds)
    trained = forms.one_more(mask) if convention.values is Kept.ONE_MORE else mask
    terms = forms.value_losses if convention.halves_value_loss else forms.value_errors
    return forms.aggregate(
        terms(vpreds, old_values, returns, trained, cliprange=cliprange), trained, Aggregation.TOKEN_MEAN
    )
