"""Where a response stops: an EOS that looks like padding, and an EOS that nobody sampled."""

from __future__ import annotations

from fractions import Fraction

from engine.conventions import VERL_NEW
from engine.losses import surrogates
from engine.rewards import place_score
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import HALF, ONE, judged
from lessons.padding_mask.leaks import VALUES, as_in

EOS = PAD = 2
TOKENS = (5, 7, EOS, PAD, PAD)
STOPS = Fraction(1, 4)  # how likely EOS was at the place where the response was cut
LUCK = (HALF, -HALF)  # advantages that have nothing to do with the token


def _same_id(_: Scenario) -> Judged:
    """The mask up to the first EOS, and the mask of what is not the pad id."""
    end = TOKENS.index(EOS)
    masks = [int(t <= end) for t in range(len(TOKENS))], [int(token != PAD) for token in TOKENS]
    scored = [place_score(1, mask).index(1) for mask in masks]
    advantages = [as_in(VERL_NEW, rewards=place_score(1, m), values=VALUES, keep=m).advantages[0] for m in masks]
    terms = [surrogates([ONE] * len(TOKENS), a, m)[end] for a, m in zip(advantages, masks, strict=True)]
    return judged(
        scored == [end, end - 1] and terms[0] is not None and terms[1] is None,
        right=masks[0], compared=masks[1], eos=end, scored=scored, a=list(advantages[0]), lost=list(advantages[1]),
    )  # fmt: skip


def _forced(_: Scenario) -> Judged:
    """The mean push on the logit of EOS by an advantage that is the same whatever the token."""
    stopped, went_on = 1 - STOPS, -STOPS  # ∂log π of the token that is there, by that logit
    sampled = [STOPS * stopped * a + (1 - STOPS) * went_on * a for a in LUCK]
    forced = [stopped * a for a in LUCK]
    return judged(
        not any(sampled) and forced[0] > 0 > forced[1], chance=STOPS, luck=list(LUCK), sampled=sampled, forced=forced
    )


STOPPED: dict[str, Check] = {
    "pad_id_equal_to_eos_drops_eos_from_the_mask": _same_id,
    "forced_eos_was_not_chosen_by_the_policy": _forced,
}
