"""What projects write into the padding: a score, placeholders of advantages; and an EOS that is taken for padding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import conventions
from engine.conventions import TRL, TRL_LATER, VERL_NEW, VERL_OLD, Convention, Rollout, Whitening
from engine.losses import surrogates
from engine.masks import last_valid
from engine.rewards import place_score
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import judged

REWARDS, VALUES, KEEP = (0, 0, 1, 0, 0), ("0.5", "0.6", "0.9", "0.8", "0.7"), (1, 1, 1, 0, 0)
LAST, LAM = last_valid(KEEP), Fraction("0.9")
EOS = PAD = 2  # ids of tokens
TOKENS = (5, 7, EOS, PAD, PAD)


def _advantages(convention: Convention, *, rewards: Any = REWARDS, keep: Any = KEEP) -> list[Fraction]:
    """One response's row as a project has it, not whitened."""
    rollout = Rollout([[Fraction(r) for r in rewards]], [[Fraction(v) for v in VALUES]], [list(keep)])
    plain = replace(convention, whitening=Whitening.NONE)
    return list(conventions.run(rollout, plain, gamma=Fraction(1), lam=LAM).advantages[0])


def _scored(convention: Convention) -> int:
    """Where a project puts the score."""
    return place_score(1, KEEP, placement=convention.placement).index(1)


def _later_trl_scores_in_the_padding(_: Scenario) -> Judged:
    verl, trl = map(_scored, (VERL_NEW, TRL_LATER))
    return Judged(holds(bool(KEEP[verl]) and not KEEP[trl]), {"last": LAST, "verl": verl, "trl": trl})


def _trl_scores(_: Scenario) -> Judged:
    early, later = map(_scored, (TRL, TRL_LATER))
    return judged([early == LAST, later == LAST], end=LAST, early=early, later=later)


def _decays_once_more(_: Scenario) -> Judged:
    """By how much one more point moves the last valid advantage, on the last token and on the first pad."""

    def gain(convention: Convention) -> Fraction:
        rows = [[score * (t == _scored(convention)) for t in range(len(KEEP))] for score in (1, 2)]
        one, two = (_advantages(convention, rewards=rewards)[LAST] for rewards in rows)
        return two - one

    verl, trl = map(gain, (VERL_NEW, TRL_LATER))
    return Judged(holds(trl == LAM * verl), {"verl": verl, "trl": trl, "lam": LAM})


def _whole_row_of_padding(_: Scenario) -> Judged:
    """What stands where nothing counts, whatever was there before."""
    found = _advantages(VERL_NEW, keep=(1, 1, 0, 0, 0))
    return Judged(holds(any(found[2:])), {"valid": found[:2], "outside": found[2:]})


def _tail_is_zero(_: Scenario) -> Judged:
    new, old = (_advantages(c)[LAST + 1 :] for c in (VERL_NEW, VERL_OLD))
    return Judged(holds(not any(new)), {"new": new, "old": old})


def _zero_on_pads(_: Scenario) -> Judged:
    rewards, values = (list(map(float, row)) for row in (REWARDS, VALUES))
    found = conventions.run(Rollout([rewards], [values], [list(KEEP)]), VERL_NEW, gamma=1.0, lam=float(LAM))
    raw, white = round(found.advantages[0][-1], 6), round(float(found.normalised[0][-1]), 6)
    return judged([raw == 0, white == 0], raw=raw, white=white)


def _same_id(_: Scenario) -> Judged:
    """The mask up to the first EOS, and the mask of what is not the pad id."""
    end = TOKENS.index(EOS)
    masks = [int(t <= end) for t in range(len(TOKENS))], [int(token != PAD) for token in TOKENS]
    scored = [place_score(1, mask).index(1) for mask in masks]
    advantages = [_advantages(VERL_NEW, rewards=place_score(1, m), keep=m) for m in masks]
    terms = [surrogates([Fraction(1)] * len(TOKENS), a, m)[end] for a, m in zip(advantages, masks, strict=True)]
    return judged(
        scored == [end, end - 1] and terms[0] is not None and terms[1] is None,
        right=masks[0], compared=masks[1], eos=end, scored=scored, a=advantages[0], lost=advantages[1],
    )  # fmt: skip


PROJECTS: dict[str, Check] = {
    "later_trl_puts_the_score_in_the_padding": _later_trl_scores_in_the_padding,
    "trl_scores_the_last_real_token": _trl_scores,
    "score_in_the_padding_decays_once_more": _decays_once_more,
    "masked_positions_have_advantages_of_their_own": _whole_row_of_padding,
    "raw_advantages_are_zero_behind_the_end": _tail_is_zero,
    "the_padding_has_zero_advantages": _zero_on_pads,
    "pad_id_equal_to_eos_drops_eos_from_the_mask": _same_id,
}
