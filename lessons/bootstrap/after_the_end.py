"""The value that a critic leaves behind EOS, in the verl that read it and in the one that does not."""

from __future__ import annotations

from engine.conventions import VERL_NEW, VERL_OLD, Rollout, run
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._fact import Check, Judged, holds
from lessons._trials import default

AFTER, HALF = 0.8, 0.5  # V left behind the end; a λ below one


def _first_and_last(lam: float) -> list[tuple[float, float]]:
    """Of a response of three tokens with a V left behind it: first and last advantage in old and new verl."""
    rollout = Rollout([[0.0, 0.0, 1.0, 0.0]], [[0.25, 0.5, 0.75, AFTER]], [[1, 1, 1, 0]])
    found = [run(rollout, one, gamma=1.0, lam=lam).advantages[0] for one in (VERL_OLD, VERL_NEW)]
    return [(round(row[0], 6), round(row[2], 6)) for row in found]


def _old_verl(_: Scenario) -> Judged:
    old, new = (last for _first, last in _first_and_last(HALF))
    return Judged(holds(old != new), {"after": AFTER, "lam": HALF, "old": old, "new": new})


def _harmful_at_one(_: Scenario) -> Judged:
    theorem("leftover_value_is_harmless_at_lambda_one")
    old, new = (first for first, _last in _first_and_last(default("verl", "lam")))
    old_half, new_half = (first for first, _last in _first_and_last(HALF))
    return Judged(
        holds(old != new), {"after": AFTER, "old": old, "new": new, "old_half": old_half, "new_half": new_half}
    )


AFTER_THE_END: dict[str, Check] = {
    "old_verl_bootstraps_on_the_value_after_eos": _old_verl,
    "value_after_eos_matters_for_earlier_tokens_at_lambda_one": _harmful_at_one,
}
