"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import exact, gae
from lessons._fact import Check, Judged, holds


def _copy_has_no_kl(_: Scenario) -> Judged:
    same = exact("kl_estimators", ref_logp=RUNNING.logp)["k1"]
    return Judged(holds(not any(same)), {"copy": same[0], "later": exact("kl_estimators")["k1"][0]})


def _reference_changes_the_advantages(_: Scenario) -> Judged:
    other = [x - 1 for x in RUNNING.rows("ref_logp")[0]]
    own = {"kl_values": None, "ref_logp": other}
    return Judged(
        "depends",
        {"before": gae(kl_values=None)["advantages"][0], "after": gae(**own)["advantages"][0],
         "without": gae(beta=0.0)["advantages"][0], "still": gae(**own, beta=0.0)["advantages"][0]},
    )  # fmt: skip


CHECKS: dict[str, Check] = {
    "copy_has_no_kl": _copy_has_no_kl,
    "reference_changes_the_advantages": _reference_changes_the_advantages,
}
