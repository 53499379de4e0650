"""What turns on the case, said of every case or of some."""

from __future__ import annotations

from lessons._proposition import Check
from lessons._turns import always, sometimes
from lessons.returns_identity.reasons import REASONS
from lessons.returns_identity.turns_on import TURNS_ON

TRIED: dict[str, Check] = {**REASONS, **TURNS_ON}

QUANTIFIED: dict[str, Check] = {
    "returns_always_hold_later_values": always(TRIED["returns_hold_later_values"]),
    "returns_can_hold_later_values": sometimes(TRIED["returns_hold_later_values"]),
    "returns_always_exceed_the_total_reward": always(TRIED["returns_exceed_the_total_reward"]),
}
