"""What a number format makes of a far reward's weight."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import torch

from engine import formulas
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import judged

GAMMA, STEPS = Fraction(99, 100), 1000


def _not_underflow(_: Scenario) -> Judged:
    """The weight itself, as bf16 keeps it, and added to one there; and how many near tokens it stands against."""
    weight = float(formulas.discounted(1, GAMMA, STEPS))
    kept = torch.tensor(weight).bfloat16()
    off = abs(float(kept) - weight) / weight
    added = float(torch.ones_like(kept) + kept)
    smallest = torch.finfo(torch.bfloat16).tiny
    return judged(
        smallest < float(kept) and off < 1 / 2**8 and added == 1,
        gamma=GAMMA, steps=STEPS, weight=round(weight, 6), horizon=formulas.horizon(GAMMA), added=added,
        halvings=_halvings(weight), kept=_halvings(float(kept)), smallest=_halvings(smallest),
    )  # fmt: skip


def _halvings(x: float) -> float:
    """How often one is halved until it is x."""
    return round(-log2(x), 1)


FORMATS: dict[str, Check] = {"a_far_weight_does_not_underflow": _not_underflow}
