"""More of what learners claim, with the checks that run."""

from __future__ import annotations

from engine.example import RUNNING
from engine.scenario import Scenario
from lessons._checks import changed, exact
from lessons._fact import Check, Judged, holds


def _state_holds_the_earlier_tokens(_: Scenario) -> Judged:
    tokens = RUNNING.tokens or ()
    states = [tokens[:t] for t in range(len(tokens))]
    return Judged(
        holds(all(len(state) == t for t, state in enumerate(states))),
        {"first": len(states[0]), "last": len(states[-1]), "count": len(tokens)},
    )


def _log_probs_share_the_advantages_index(_: Scenario) -> Judged:
    """One lower log-probability moves the term of its own token alone."""
    before = exact("surrogate", old_logp=RUNNING.logp)["terms"]
    raised = changed(RUNNING.rows("new_logp")[0], 1, -1.0)
    after = exact("surrogate", old_logp=RUNNING.logp, new_logp=raised)["terms"]
    moved = [t for t, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    return Judged(holds(moved == [1]), {"before": before[1], "after": after[1]})


CHECKS: dict[str, Check] = {
    "state_holds_the_earlier_tokens": _state_holds_the_earlier_tokens,
    "log_probs_share_the_advantages_index": _log_probs_share_the_advantages_index,
}
