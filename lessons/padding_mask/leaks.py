"""What learners claim of the leak: how far it reaches, what it grows with, where it cannot be, what repairs it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isnan
from typing import Any

from engine import conventions
from engine.conventions import TRL_LATER, VERL_NEW, VERL_OLD, Convention, Kept, Outcome, Rollout, Whitening
from engine.errors import EngineError
from engine.masks import last_valid, zeroed
from engine.rewards import place_score
from engine.scenario import Scenario
from engine.statistics import masked_mean
from lessons._fact import Check, Judged, holds
from lessons._row import fraction, moved, row

REWARDS, VALUES, KEEP = ("0", "0", "1", "0", "0"), ("0.5", "0.6", "0.9", "0.8", "0.7"), (1, 1, 1, 0, 0)
EOS = last_valid(KEEP)
UNMASKED = replace(VERL_OLD, values=Kept.AS_GIVEN)
LAM = "0.9"


def as_in(
    convention: Convention,
    *,
    rewards: Any = REWARDS,
    values: Any = VALUES,
    keep: Any = KEEP,
    lam: str = LAM,
    gamma: str = "1",
) -> Outcome:
    """One response's row under a project's convention, not whitened."""
    rollout = Rollout([[fraction(r) for r in rewards]], [[fraction(v) for v in values]], [list(keep)])
    plain = replace(convention, whitening=Whitening.NONE)
    return conventions.run(rollout, plain, gamma=fraction(gamma), lam=fraction(lam))


def valid(found: Outcome) -> list[Fraction]:
    return list(found.advantages[0][: EOS + 1])


def leak(after: str, *, lam: str = LAM, gamma: str = "1", convention: Convention = VERL_OLD) -> list[Fraction]:
    """What one value left after EOS does to the valid advantages."""
    dirty, clean = ((*VALUES[: EOS + 1], v, "0") for v in (after, "0"))
    runs = [valid(as_in(convention, values=values, lam=lam, gamma=gamma)) for values in (dirty, clean)]
    return moved(*runs)


def _zero_stands_at_the_rows_end(_: Scenario) -> Judged:
    """The unmasked loop's last δ of the tensor and of the response."""
    found = as_in(UNMASKED, lam="0").advantages[0]
    own_end = fraction(REWARDS[EOS]) - fraction(VALUES[EOS])
    tensor_end = fraction(REWARDS[-1]) - fraction(VALUES[-1])
    return Judged(
        holds(found[-1] == tensor_end and found[EOS] != own_end),
        {"found": found[EOS], "own": own_end, "after": fraction(VALUES[EOS + 1])},
    )


def _grows_with_lambda(_: Scenario) -> Judged:
    leaks = [leak("0.8", lam=lam)[-1] for lam in ("0", "0.5", "0.9", "1")]
    return Judged(holds(leaks == sorted(leaks) and leaks[0] < leaks[-1]), {"leaks": leaks})


def _decays_to_the_start(_: Scenario) -> Judged:
    found = leak("0.8", lam="0.5")
    return Judged(holds(found[0] < found[1] < found[2]), {"leaks": found, "lam": fraction("0.5")})


def _proportional(_: Scenario) -> Judged:
    one, three = leak("0.5")[-1], leak("1.5")[-1]
    return Judged(holds(three == 3 * one != 0), {"one": one, "three": three})


def _gamma_leaks(_: Scenario) -> Judged:
    """λ at one, γ below it."""
    found = leak("0.8", lam="1", gamma="0.9", convention=UNMASKED)
    return Judged(holds(any(found)), {"gamma": fraction("0.9"), "leaks": found})


def _shows_at_the_defaults(_: Scenario) -> Judged:
    """verl's γ and λ of one, and λ below."""
    default, below = leak("0.8", lam="1"), leak("0.8")
    return Judged(holds(any(default)), {"default": default, "below": below, "lam": fraction(LAM)})


def _full_row(_: Scenario) -> Judged:
    full = (1,) * len(KEEP)
    old, new = (as_in(c, keep=full).advantages[0] for c in (UNMASKED, VERL_NEW))
    return Judged(holds(old == new), {"old": old[0], "new": new[0]})


def _zero_at_eos(_: Scenario) -> Judged:
    """V before EOS put to zero."""
    right, wrong = (valid(as_in(VERL_NEW, values=(*VALUES[:EOS], v, "0", "0"))) for v in (VALUES[EOS], "0"))
    return Judged(holds(right == wrong), {"right": right[-1], "wrong": wrong[-1], "v": fraction(VALUES[EOS])})


def _cut(_: Scenario) -> Judged:
    short = row(REWARDS[: EOS + 1], VALUES[: EOS + 1], lam=LAM)["advantages"]
    masked = valid(as_in(VERL_NEW))
    return Judged(holds(short == masked), {"cut": short, "masked": masked})


def _score_on_eos(_: Scenario) -> Judged:
    placed = place_score(1, KEEP, placement=VERL_NEW.placement)
    return Judged(holds(placed.index(1) == EOS), {"placed": placed, "eos": EOS})


def _score_at_the_rows_end(_: Scenario) -> Judged:
    """The score on the last position of the tensor, which is padding."""
    right = valid(as_in(VERL_NEW))
    lost = valid(as_in(VERL_NEW, rewards=("0", "0", "0", "0", "1")))
    return Judged(holds(right == lost), {"right": right[-1], "lost": lost[-1]})


def _decays_once_more(_: Scenario) -> Judged:
    """By how much one more point moves the last valid advantage, on the last token and on the first pad."""

    def gain(convention: Convention, position: int) -> Fraction:
        runs = []
        for score in ("2", "1"):
            rewards = [score if t == position else "0" for t in range(len(KEEP))]
            runs.append(valid(as_in(convention, rewards=rewards))[-1])
        return runs[0] - runs[1]

    verl = gain(VERL_NEW, EOS)
    trl = gain(TRL_LATER, place_score(1, KEEP, placement=TRL_LATER.placement).index(1))
    return Judged(holds(trl == fraction(LAM) * verl), {"verl": verl, "trl": trl, "lam": fraction(LAM)})


def _nan_times_zero(_: Scenario) -> Judged:
    """A NaN in the padding times the mask, and a mean that never looks there."""
    broken = float("nan")
    zeroed = [x * m for x, m in zip((1.0, 3.0, broken), (1, 1, 0), strict=True)]
    total = sum(zeroed)
    safe = masked_mean([1.0, 3.0, broken], (1, 1, 0))
    return Judged(holds(not isnan(total)), {"safe": safe})


def _response_mask_clears(_: Scenario) -> Judged:
    kept = zeroed(list(map(fraction, VALUES)), KEEP)
    return Judged(holds(not any(kept[EOS + 1 :])), {"kept": kept})


def _mean_of_nothing(_: Scenario) -> Judged:
    """A masked mean where no token counts: refused."""
    try:
        masked_mean([Fraction(1), Fraction(2)], (0, 0))
    except EngineError:
        return Judged("false", {"one": masked_mean([Fraction(1), Fraction(2)], (1, 0))})
    return Judged("true")


def _left_padding(_: Scenario) -> Judged:
    """Junk before the first valid token, in a loop that knows no mask."""
    runs = [
        as_in(UNMASKED, rewards=(junk, "0", "1"), values=(junk, "0.4", "0.6"), keep=(0, 1, 1)).advantages[0][1:]
        for junk in ("0", "7")
    ]
    return Judged(holds(runs[0] != runs[1]), {"clean": list(runs[0]), "dirty": list(runs[1])})


def _flips_the_sign(_: Scenario) -> Judged:
    """A last token that did worse than expected, and a large V left after it."""
    rewards = ("0", "0", "0.5", "0", "0")
    clean, dirty = (
        valid(as_in(UNMASKED, rewards=rewards, values=(*VALUES[: EOS + 1], after, "0"), lam="0.5"))[-1]
        for after in ("0", "3")
    )
    return Judged(holds(clean < 0 < dirty), {"clean": clean, "dirty": dirty, "after": fraction("3")})


LEAKS: dict[str, Check] = {
    "response_mask_clears_values_after_eos": _response_mask_clears,
    "masked_mean_of_no_tokens_is_zero": _mean_of_nothing,
    "left_padding_leaks": _left_padding,
    "leak_can_flip_the_sign": _flips_the_sign,
    "zero_after_the_end_stands_at_the_rows_end": _zero_stands_at_the_rows_end,
    "leak_grows_with_lambda": _grows_with_lambda,
    "leak_decays_towards_the_start": _decays_to_the_start,
    "leak_is_proportional_to_the_leftover_value": _proportional,
    "gamma_below_one_leaks_at_lambda_one": _gamma_leaks,
    "old_shift_shows_at_verls_defaults": _shows_at_the_defaults,
    "unpadded_row_has_no_leak": _full_row,
    "value_before_eos_should_be_zeroed": _zero_at_eos,
    "cutting_rows_equals_masking": _cut,
    "score_sits_on_the_last_valid_token": _score_on_eos,
    "score_may_sit_at_the_rows_end": _score_at_the_rows_end,
    "score_in_the_padding_decays_once_more": _decays_once_more,
    "nan_times_mask_is_zero": _nan_times_zero,
}
