"""What whitening is."""

from __future__ import annotations

from engine import quantities
from engine.example import BOTH
from engine.scenario import Scenario
from lessons._compare import close
from lessons._fact import Check, Judged, holds
from lessons.whitening.further import _flat

TINY = 1e-4  # what the ε under the root may change


def _mean_off_deviation_out(_: Scenario) -> Judged:
    """The whitened numbers, beside what the two steps make of the raw ones by hand."""
    found = quantities.facts("whiten", BOTH).exact
    raw, white = (_flat(found[name]) for name in ("advantages", "whitened"))
    mean = sum(raw) / len(raw)
    deviation = (sum((a - mean) ** 2 for a in raw) / (len(raw) - 1)) ** 0.5
    made = [(a - mean) / deviation for a in raw]
    same = all(abs(a - b) < TINY for a, b in zip(made, white, strict=True))
    return Judged(
        holds(same and close(sum(white), 0.0)),
        {"raw": raw[0], "mean": round(mean, 4), "deviation": round(deviation, 4), "white": round(white[0], 4)},
    )


SAID: dict[str, Check] = {"takes_off_the_mean_and_divides_by_the_deviation": _mean_off_deviation_out}
