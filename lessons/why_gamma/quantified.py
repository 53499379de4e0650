"""What turns on the case, said of every case or of some."""

from __future__ import annotations

from lessons._proposition import Check
from lessons._turns import always, sometimes
from lessons.why_gamma.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "gamma_always_reorders_the_answers": always(TRIED["gamma_reorders_the_answers"]),
    "a_discount_always_brings_bias": always(TRIED["a_discount_brings_bias"]),
    "a_discount_can_bring_bias": sometimes(TRIED["a_discount_brings_bias"]),
}
