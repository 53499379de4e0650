"""What keeps the padding out, and what only seems to: the right fact with another reason."""

from __future__ import annotations

from engine.conventions import OPENRLHF, VERL_NEW
from engine.masks import zeroed
from engine.scenario import Scenario
from lessons._proposition import Check, Judged
from lessons._row import fraction
from lessons._trials import judged
from lessons.padding_mask.counted import HOLE
from lessons.padding_mask.leaks import EOS, KEEP, LAM, UNMASKED, VALUES, as_in, valid

CLEAN = (*VALUES[: EOS + 1], "0", "0")


def _something_else_keeps_new_verl_clean(_: Scenario) -> Judged:
    """The same junk, the same λ, the same loss: only the mask in the loop differs."""
    with_mask, without = (valid(as_in(project)) for project in (VERL_NEW, UNMASKED))
    clean = valid(as_in(UNMASKED, values=CLEAN))
    mask_does_it = with_mask == clean != without
    return judged(not mask_does_it, lam=fraction(LAM), masked=with_mask, without=without)


def _something_else_cancels_at_lambda_one(_: Scenario) -> Judged:
    """Whether the value behind EOS leaves δ of EOS alone at λ = 1, or enters it and is taken out by the next δ."""
    one_left = (*VALUES[: EOS + 2], "0")
    dirty, clean = ([as_in(UNMASKED, values=v, lam=lam) for lam in ("0", "1")] for v in (one_left, CLEAN))
    deltas, advantages = ([d.advantages[0], c.advantages[0]] for d, c in zip(dirty, clean, strict=True))
    enters, leaves = (deltas[0][t] - deltas[1][t] for t in (EOS, EOS + 1))
    cancels = enters and enters + leaves == 0 and advantages[0][EOS] == advantages[1][EOS]
    return judged(not cancels, enters=enters, delta=leaves)


def _masking_afterwards_mends(_: Scenario) -> Judged:
    mended = zeroed(as_in(UNMASKED).advantages[0], KEEP)[: EOS + 1]
    clean = valid(as_in(UNMASKED, values=CLEAN))
    return judged(mended == clean, lam=fraction(LAM), clean=clean, found=mended)


def _eos_for_the_score(_: Scenario) -> Judged:
    """Nothing is paid anywhere: EOS has an advantage all the same."""
    found = as_in(VERL_NEW, rewards=("0",) * len(KEEP)).advantages[0][EOS]
    return judged(found == 0, found=found)


def _openrlhf_zeroes_verl_skips(_: Scenario) -> Judged:
    """A value outside the mask that is not zeroed, by the loop that skips; and a hole, by the loop that only zeroed."""
    skips = [as_in(VERL_NEW, values=values).advantages[0][: EOS + 1] for values in (VALUES, CLEAN)]
    zeroed_first, skipped = (as_in(project, **HOLE).advantages[0][0] for project in (OPENRLHF, VERL_NEW))
    return judged(skips[0] == skips[1] and zeroed_first != skipped, openrlhf=zeroed_first, verl=skipped)


REASONS: dict[str, Check] = {
    "something_else_keeps_new_verl_clean": _something_else_keeps_new_verl_clean,
    "something_else_cancels_at_lambda_one": _something_else_cancels_at_lambda_one,
    "eos_is_in_the_mask_for_another_reason": _eos_for_the_score,
    "openrlhf_zeroes_first_and_new_verl_skips": _openrlhf_zeroes_verl_skips,
    "masking_the_advantages_afterwards_mends_the_leak": _masking_afterwards_mends,
}
