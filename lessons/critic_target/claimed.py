"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine import formulas
from engine.example import RUNNING
from engine.proofs import theorem
from engine.scenario import Scenario
from lessons._at_hand import at_hand
from lessons._checks import exact, gae
from lessons._compare import close
from lessons._fact import Check, Judged, holds

NARROW = 0.01


def _clip_moves_the_returns(_: Scenario) -> Judged:
    """With a narrower range the clipped predictions move, the returns do not."""
    wide, narrow = (exact("value_loss", cliprange_value=c) for c in (RUNNING.cliprange_value, NARROW))
    return Judged(
        holds(wide["returns"] != narrow["returns"]),
        {"ret": wide["returns"][0], "wide": wide["vpred_clipped"][0], "narrow": narrow["vpred_clipped"][0]},
    )


def _target_at_lambda_zero_is_td(_: Scenario) -> Judged:
    found = gae(lam=0.0)
    target = formulas.mc_step(found["rewards"][0], found["values"][1], at_hand().gamma)
    return Judged(holds(close(target, found["returns"][0])), {"target": found["returns"][0], "sum": target})


def _target_is_monte_carlo(_: Scenario) -> Judged:
    theorem("lambda_return_is_monte_carlo_at_lambda_one")
    one, below = gae(lam=1.0), gae()
    mc = exact("mc")["mc_returns"][0]
    return Judged("depends", {"at_one": one["returns"][0], "mc": mc, "below": below["returns"][0], "lam": RUNNING.lam})


CHECKS: dict[str, Check] = {
    "clip_moves_the_returns": _clip_moves_the_returns,
    "target_at_lambda_zero_is_td": _target_at_lambda_zero_is_td,
    "target_is_monte_carlo": _target_is_monte_carlo,
}
