"""Questions of judgement about whitening, and its parts swapped: cases for and against, computed."""

from __future__ import annotations

from typing import Any

from engine import statistics
from engine.scenario import Scenario
from lessons._checks import alone
from lessons._fact import Check, Judged, holds
from lessons._weighed import weighed

GIVEN = [1, 2, 6]


def _white(advantages: Any) -> Any:
    return alone("whiten", advantages=advantages)["whitened"]


def _short(xs: Any) -> list[float]:
    return [round(float(x), 4) + 0.0 for x in xs]


def _is_better(_: Scenario) -> Judged:
    """Batches of hundredfold size get steps of one size; good tokens get a negative sign."""
    small, large = (_short(_white([x * times for x in GIVEN])) for times in (1, 100))
    return Judged(
        weighed(abs(small[0] - large[0]) < 0.001, min(large) < 0 < min(GIVEN)),
        {"large": large[-1], "small": small[-1], "given": GIVEN, "found": small},
    )


def _shift_is_needed(_: Scenario) -> Judged:
    """With the mean put back all stay positive; shifted, a level of the critic's error drops out."""
    kept = _short(statistics.whiten([float(x) for x in GIVEN], [1] * 3, shift_mean=False))
    shifted, raised = _short(_white(GIVEN)), _short(_white([x + 5 for x in GIVEN]))
    return Judged(
        weighed(shifted == raised, min(kept) > 0 > min(shifted)), {"given": GIVEN, "shifted": shifted, "kept": kept}
    )


def _whole_batch_is_better(_: Scenario) -> Judged:
    """A response that is better in all its tokens than the other: by the batch it stays above."""
    rows = [[1, 2], [4, 5]]
    batch, own = [_short(row) for row in _white(rows)], [_short(_white(row)) for row in rows]
    return Judged(holds(min(batch[1]) > max(batch[0]) and own[0] == own[1]), {"rows": rows, "batch": batch, "own": own})


def _zero_after(_: Scenario) -> Judged:
    """Which raw advantage ends at zero."""
    found = _short(_white([1, 2, 3]))
    return Judged(holds(found[1] == 0), {"given": [1, 2, 3], "found": found})


def _largest_grows(_: Scenario) -> Judged:
    """Advantages that hardly differ, and advantages that differ a lot."""
    near, far = [0.01, 0.02, 0.03], [10, 20, 30]
    grown, shrunk = (_short(_white(xs))[-1] for xs in (near, far))
    return Judged(
        weighed(grown > near[-1], shrunk < far[-1]), {"near": near, "grown": grown, "far": far, "shrunk": shrunk}
    )


def _mean_first_is_wrong(_: Scenario) -> Judged:
    """First divided by the deviation and shifted after, beside first shifted and divided after."""
    found = alone("whiten", advantages=GIVEN)
    std, right = float(found["std_sample"]), _short(found["whitened"])
    scaled = [x / std for x in GIVEN]
    mean = sum(scaled) / len(scaled)
    other = _short([x - mean for x in scaled])
    return Judged(
        holds(any(abs(a - b) > 0.001 for a, b in zip(right, other, strict=True))), {"right": right, "other": other}
    )


def _mean_of_roots(_: Scenario) -> Judged:
    """The mean distance from the mean in the place of the deviation."""
    found = alone("whiten", advantages=GIVEN)
    mean, std = float(found["mean"]), round(float(found["std_sample"]), 4)
    distance = round(sum(abs(x - mean) for x in GIVEN) / len(GIVEN), 4)
    return Judged(holds(distance == std), {"distance": distance, "std": std, "given": GIVEN})


JUDGED: dict[str, Check] = {
    "whitening_is_better_than_raw": _is_better,
    "subtracting_the_mean_is_better": _shift_is_needed,
    "batch_statistics_keep_responses_apart": _whole_batch_is_better,
    "advantage_at_the_mean_becomes_zero": _zero_after,
    "whitening_enlarges_advantages": _largest_grows,
    "order_of_shift_and_division_matters": _mean_first_is_wrong,
    "std_is_the_mean_distance": _mean_of_roots,
}
