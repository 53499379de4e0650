"""What each device knows of the batch: its own share, or everyone's sums."""

from __future__ import annotations

from engine.scenario import Scenario
from engine.statistics import whiten_batch
from lessons._compare import close
from lessons._fact import Check, Judged, holds

SHARES = ([3.0, 5.0], [-3.0, -1.0])  # a good rank's advantages and a bad one's
MASKS = [[1, 1], [1, 1]]


def _by_rank(_: Scenario) -> Judged:
    own, whole = (
        [[round(float(x), 4) for x in row] for row in rows]
        for rows in (
            [whiten_batch([row], [mask])[0] for row, mask in zip(SHARES, MASKS, strict=True)],
            whiten_batch(SHARES, MASKS),
        )
    )
    return Judged(
        holds(not close(own, whole) and close(*own)),
        {"good": SHARES[0], "bad": SHARES[1], "own": own[0], "whole_good": whole[0], "whole_bad": whole[1]},
    )


RANKS: dict[str, Check] = {"whitening_each_rank_by_itself_is_another_thing": _by_rank}
