"""Given or claimed: what follows from other numbers of the message is a statement to check."""

from __future__ import annotations

from bisect import bisect_right

from prompts.read.numbers.bind import Bound
from prompts.read.numbers.cues import OUTCOMES, says
from prompts.read.numbers.draft import Draft

_POLICY = frozenset(["ratio", "new_logp"])


def separate_claims(draft: Draft, bound: Bound, known: frozenset[str]) -> None:
    """Moves claims out of the params, and makes claims of the lists that are introduced as outcomes.

    known: names given before; they make outcomes of what an audit states.
    """
    given = {name for name, value in draft.params.items() if value is not None}
    beside = given | (known - given if draft.audit else frozenset())
    claimed = (given & OUTCOMES) | (_derived(beside, draft.audit) & given)
    draft.claimed |= {name: draft.params.pop(name) for name in list(draft.params) if name in claimed}
    if "kl_values" in draft.claimed:
        draft.claimed["kl"] = draft.claimed.pop("kl_values")
    if "mean" in draft.claimed and given & _POLICY:
        draft.claimed["objective"] = draft.claimed.pop("mean")
    _results(draft, bound, known if draft.audit else frozenset())


def outcomes(given: set[str]) -> set[str]:
    """What of the given follows from the rest of it."""
    made = {"rewards"} if "scores" in given and given & {"kl_values", "logp", "old_logp"} else set()
    logp = {"logp"} if "old_logp" in given and "ref_logp" in given else set()
    old = {"old_logp"} if {"new_logp", "logp"} <= given else set()
    return ((given & OUTCOMES) | _derived(given | made | logp | old, audit=False)) & given


def _derived(given: set[str], audit: bool) -> set[str]:
    """Quantities that can be inputs, but are outcomes beside what they are computed from."""
    value_loss = "vpreds" in given or {"old_values", "returns"} <= given
    from_rewards = {"rewards", "values"} <= given or ("deltas" in given and not given & _POLICY)
    from_group = audit and given & {"group_rewards", "rewards"} and not given & {*_POLICY, "whitened"}
    outcomes = {
        "advantages": from_rewards or from_group,
        "returns": given & {"rewards", "values", "advantages", "scores"} and not value_loss,
        "rewards": "scores" in given and given & {"kl_values", "logp"},
        "kl_values": {"logp", "ref_logp"} <= given,
        "ratio": {"new_logp", "old_logp"} <= given,
    }
    return {name for name, follows in outcomes.items() if follows and name in given}


def _results(draft: Draft, bound: Bound, known: frozenset[str]) -> None:
    """Lists introduced as outcomes, or alone in an audit, are claims of what the given numbers lead to."""
    swept = _swept(bound)
    sweep = {lam: u for u in draft.unnamed if (lam := swept.get(u.start)) is not None}
    if len(sweep) > 1 and {"rewards", "values"} <= set(draft.params):
        draft.claimed["sweep"] = {lam: u.value for lam, u in sweep.items()}
        draft.unnamed = [u for u in draft.unnamed if u not in sweep.values()]
        return
    outcomes = [name for name in _leads_to(draft, known) if name not in draft.claimed]
    for found in [u for u in draft.unnamed if u.name is None and (u.result or draft.audit)]:
        if outcomes and (draft.params or known):
            draft.claimed[outcomes.pop(0)] = found.value
            draft.unnamed.remove(found)


def _swept(bound: Bound) -> dict[int, str]:
    """Where a list follows "λ=0.5 gives": its place in the text and the λ as text."""
    lams = {b.group.end: f"{b.value:g}" for b in bound.bindings if b.name == "lam" and isinstance(b.value, float)}
    ends = sorted(lams)
    swept: dict[int, str] = {}
    for found, result in bound.loose:
        nearest = bisect_right(ends, found.start) - 1
        if result and not found.scalar and nearest >= 0 and found.start - ends[nearest] <= 16:
            swept[found.start] = lams[ends[nearest]]
    return swept


def _leads_to(draft: Draft, known: frozenset[str]) -> list[str]:
    given = set(draft.params) | known
    if {"rewards", "values"} <= given:
        return ["advantages", "returns"]
    if {"scores", "kl_values"} <= given or {"scores", "logp"} <= given:
        return ["rewards"]
    if "group_rewards" in given:
        return ["advantages"]
    if "advantages" in given and not given & {"ratio", "new_logp"}:
        return ["whitened"] if says("whiten", draft.text) else []
    if given & {"ratio", "new_logp"} and "advantages" in given:
        return ["objective_terms"]
    return ["mc_returns"] if "rewards" in given else []
