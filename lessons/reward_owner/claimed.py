"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import changed, exact
from lessons._compare import close
from lessons._fact import Check, Judged, holds


def _another_token_another_reward(_: Scenario) -> Judged:
    """Another choice of the token is another log-probability, and so another KL."""
    logp = [RUNNING.rows("logp")[0][0] - 1, *RUNNING.rows("logp")[0][1:]]
    own, other = (exact("kl_rewards", kl_values=None, logp=x)["rewards"][0] for x in (RUNNING.logp, logp))
    return Judged(holds(own != other), {"own": own, "other": other})


def _kl_part_is_of_the_next_token(_: Scenario) -> Judged:
    logp = RUNNING.rows("logp")[0]
    moved = [logp[0], logp[1] - 1, *logp[2:]]
    own, other = (exact("kl_rewards", kl_values=None, logp=x)["rewards"] for x in (logp, moved))
    return Judged(holds(own[0] != other[0]), {"first": other[0], "before": own[1], "after": other[1]})


def _reward_is_the_probability(_: Scenario) -> Judged:
    """A token that policy and reference find less likely by the same factor."""
    before, ref = RUNNING.rows("logp")[0], RUNNING.rows("ref_logp")[0]
    pairs = ((before, ref), (changed(before, 0, -1.0), changed(ref, 0, -1.0)))
    own, other = (exact("kl_rewards", kl_values=None, logp=x, ref_logp=y)["rewards"][0] for x, y in pairs)
    return Judged(holds(not close(own, other)), {"logp": before[0], "less": before[0] - 1, "reward": own})


CHECKS: dict[str, Check] = {
    "another_token_another_reward": _another_token_another_reward,
    "kl_part_is_of_the_next_token": _kl_part_is_of_the_next_token,
    "reward_is_the_tokens_probability": _reward_is_the_probability,
}
