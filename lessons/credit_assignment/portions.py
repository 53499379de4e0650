"""News divided by its own sum: whether the quotients are portions of anything."""

from __future__ import annotations

from engine.scenario import Scenario
from engine.statistics import total
from lessons._fact import Check, Judged
from lessons._trials import judged, outcome, trial

VALUES = ("7/8", "1/8", "5/8")


def _no_portions(_: Scenario) -> Judged:
    """With a good score, and with one that is just what was foreseen."""
    good, foreseen = (trial(outcome(3, score), VALUES) for score in (1, "7/8"))
    whole = total(good.deltas)
    portions = [delta / whole for delta in good.deltas]
    return judged(
        min(portions) < 0 and max(portions) > 1 and total(foreseen.deltas) == 0,
        deltas=good.deltas, whole=whole, portions=portions, foreseen=foreseen.deltas, nothing=total(foreseen.deltas),
    )  # fmt: skip


PORTIONS: dict[str, Check] = {"news_over_its_own_sum_gives_no_shares": _no_portions}
