"""What learners claim of what a mask lets count: tokens with holes, means, the critic's loss, what stands outside."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine import conventions
from engine.conventions import OPENRLHF, TRL, VERL_NEW, VERL_OLD, Convention
from engine.losses import Aggregation, aggregate, surrogates
from engine.masks import valid as kept
from engine.scenario import Scenario
from engine.statistics import masked_mean
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, row
from lessons.padding_mask.leaks import EOS, KEEP, VALUES, as_in, valid

HOLE: dict[str, Any] = {
    "rewards": ("0", "0", "0", "1"), "values": ("0.2", "0.3", "0.9", "0.4"), "keep": (1, 1, 0, 1),
}  # fmt: skip


def _first(convention: Convention, **changes: Any) -> Fraction:
    return Fraction(as_in(convention, **{**HOLE, **changes}).advantages[0][0])


def _without_the_hole() -> Fraction:
    """The valid tokens as if there were no others."""
    rewards, values = (kept(HOLE[name], HOLE["keep"]) for name in ("rewards", "values"))
    return row(rewards, values, lam="0.9")["advantages"][0]


def _attention_mask_will_do(_: Scenario) -> Judged:
    """The mask of all text in the place of the mask of the policy's tokens: right-padded, and with tool output."""
    rows = ("policy", "policy", "policy", "pad"), ("policy", "policy", "tool", "policy")
    text, own = ([[int(who in of) for who in row] for row in rows] for of in (("policy", "tool"), ("policy",)))
    first = [_first(VERL_NEW, keep=masks[1]) for masks in (text, own)]
    same = [a == b for a, b in zip(text, own, strict=True)]
    return Judged(
        "depends" if same == [True, False] and first[0] != first[1] else holds(all(same)),
        {"whole": first[0], "own": first[1]},
    )


def _pads_in_the_mean(_: Scenario) -> Judged:
    advantages = [*valid(as_in(VERL_NEW)), Fraction(0), Fraction(0)]
    masked, everywhere = (masked_mean(advantages, mask) for mask in (KEEP, (1,) * len(KEEP)))
    return Judged(holds(masked == everywhere), {"masked": masked, "everywhere": everywhere})


def _new_verl_decays(_: Scenario) -> Judged:
    found, alone = _first(VERL_NEW), _without_the_hole()
    decayed = _first(OPENRLHF)
    return Judged(holds(found != alone), {"found": found, "alone": alone, "decayed": decayed})


def _openrlhf_decays(_: Scenario) -> Judged:
    found = [_first(c) for c in (OPENRLHF, TRL)]
    alone = _without_the_hole()
    return Judged(holds(all(x != alone for x in found)), {"found": found, "alone": alone})


def _masked_reward_counts(_: Scenario) -> Judged:
    before, after = _first(VERL_NEW), _first(VERL_NEW, rewards=("0", "0", "7", "1"))
    return Judged(holds(before != after), {"before": before, "after": after})


def _value_in_a_hole(_: Scenario) -> Judged:
    before, after = _first(VERL_NEW), _first(VERL_NEW, values=("0.2", "0.3", "99", "0.4"))
    return Judged(holds(before == after), {"before": before, "after": after})


def _next_value_skips(_: Scenario) -> Judged:
    """δ before the hole, in verl as it is: with the value after the hole, or the one in it."""
    found = as_in(VERL_NEW, **HOLE, lam="0").advantages[0][1]
    v = [fraction(x) for x in HOLE["values"]]
    behind, inside = v[3] - v[1], v[2] - v[1]
    return Judged(holds(found == behind != inside), {"found": found, "behind": behind, "inside": inside})


def _tool_tokens_act(_: Scenario) -> Judged:
    """What the actor's objective has at a masked place."""
    mask = HOLE["keep"]
    terms = surrogates([Fraction(1)] * len(mask), as_in(VERL_NEW, **HOLE).advantages[0], mask)
    return Judged(holds(terms[2] is not None), {"counted": len(kept(terms, mask)), "T": len(mask), "term": terms[1]})


def _critic_loss(convention: Convention, pad: str) -> Fraction:
    """The critic's loss with this prediction behind EOS."""
    predicted = [[*(fraction(v) for v in VALUES[: EOS + 1]), fraction(pad), Fraction(0)]]
    returns, old = [[Fraction(1)] * len(KEEP)], [[fraction(v) for v in VALUES]]
    return Fraction(conventions.value_loss(convention, predicted, old, returns, [list(KEEP)], None))


def _critic_learns_padding(_: Scenario) -> Judged:
    losses = [_critic_loss(VERL_NEW, pad) for pad in ("0", "5")]
    return Judged(holds(losses[0] != losses[1]), {"losses": losses})


def _old_critic_learns_one_more(_: Scenario) -> Judged:
    old, new = ([_critic_loss(c, pad) for pad in ("0", "5")] for c in (VERL_OLD, VERL_NEW))
    return Judged(holds(old[0] != old[1] and new[0] == new[1]), {"old": old, "new": new})


def _responses_alike(_: Scenario) -> Judged:
    """A long response with a loss of one at each token, a short one with four."""
    terms = [[Fraction(1)] * 3, [Fraction(4), Fraction(0), Fraction(0)]]
    masks = [[1, 1, 1], [1, 0, 0]]
    found = aggregate(terms, masks, Aggregation.SEQ_MEAN_TOKEN_MEAN)
    own = [masked_mean(t, m) for t, m in zip(terms, masks, strict=True)]
    tokens = aggregate(terms, masks, Aggregation.TOKEN_MEAN)
    return Judged(holds(found == sum(own) / 2), {"own": own, "found": found, "tokens": tokens})


def _tail_is_zero(_: Scenario) -> Judged:
    new, old = (list(as_in(c).advantages[0][EOS + 1 :]) for c in (VERL_NEW, VERL_OLD))
    return Judged(holds(not any(new)), {"new": new, "old": old})


COUNTED: dict[str, Check] = {
    "attention_mask_can_stand_for_response_mask": _attention_mask_will_do,
    "zero_pads_in_the_mean_are_harmless": _pads_in_the_mean,
    "new_verl_decays_over_holes": _new_verl_decays,
    "openrlhf_and_trl_decay_over_holes": _openrlhf_decays,
    "reward_on_a_masked_token_counts": _masked_reward_counts,
    "value_in_a_hole_is_ignored": _value_in_a_hole,
    "next_value_skips_the_hole": _next_value_skips,
    "tool_tokens_are_trained_as_actions": _tool_tokens_act,
    "critic_is_trained_on_padding": _critic_learns_padding,
    "old_verl_trains_the_critic_behind_eos": _old_critic_learns_one_more,
    "seq_mean_weighs_responses_equally": _responses_alike,
    "raw_advantages_are_zero_behind_the_end": _tail_is_zero,
}
