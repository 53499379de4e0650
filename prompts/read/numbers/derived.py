"""What follows from outcomes that are given in place of rewards: from δ, from G and V, from R and V."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.example import LAM
from prompts.read.numbers.cues import FACTS, says
from prompts.read.numbers.draft import Draft

GAMMA = 1.0  # where none is given, as in the running example
DERIVED = frozenset(
    [
        "from_deltas",
        "rewards_from_deltas",
        "rewards_from_returns",
        "advantages_from_returns",
        "returns_from_advantages",
    ]
)  # notes: lists that the message does not name
_BASIS = frozenset(
    ["rewards", "scores", "advantages", "group_rewards", "ratio", "new_logp", "old_logp", "vpreds", "old_values"]
)


def derive(draft: Draft) -> None:
    """Outcomes that nothing else determines are what the rest is computed from; where results are doubted, never."""
    derive_returns(draft)
    if draft.audit or _BASIS & draft.params.keys():
        return
    gamma = draft.params.get("gamma", GAMMA)
    if not isinstance(gamma, float | int):
        return
    deltas, values, returns = (_row(draft, name) for name in ("deltas", "values", "returns"))
    later = _row(draft, "mc_returns")
    if deltas and not values and "values" not in draft.params:
        _instead(draft, "deltas", {"rewards": deltas, "values": [0.0] * len(deltas)}, "from_deltas")
    elif deltas and values and len(deltas) == len(values):
        rewards = [d + v - gamma * w for d, v, w in zip(deltas, values, [*values[1:], 0.0], strict=True)]
        _instead(draft, "deltas", {"rewards": _rounded(rewards)}, "rewards_from_deltas")
    elif later and values and len(later) == len(values):
        rewards = [g - gamma * h for g, h in zip(later, [*later[1:], 0.0], strict=True)]
        _instead(draft, "mc_returns", {"rewards": _rounded(rewards)}, "rewards_from_returns")
    elif returns and values and len(returns) == len(values) and not says("value_loss", draft.text):
        advantages = [r - v for r, v in zip(returns, values, strict=True)]
        _instead(draft, "returns", {"rewards": _behind(draft, advantages, values)}, "advantages_from_returns")


def derive_returns(draft: Draft) -> None:
    """Advantages and values make the critic's targets, where these are asked for."""
    advantages, values = _row(draft, "advantages"), _row(draft, "values")
    asked = FACTS["returns"].search(draft.text) or says("target", draft.text)
    if draft.audit or not asked or says("whiten", draft.text) or {*draft.params} & (_BASIS - {"advantages"}):
        return
    if advantages and len(advantages) == len(values):
        _instead(draft, "advantages", {"rewards": _behind(draft, advantages, values)}, "returns_from_advantages")


def _behind(draft: Draft, advantages: Sequence[float], values: Sequence[float]) -> list[float]:
    """The rewards that lead to these advantages under γ and λ."""
    gamma, lam = float(draft.params.get("gamma", GAMMA)), float(draft.params.get("lam", LAM))
    later = zip(advantages, [*advantages[1:], 0.0], values, [*values[1:], 0.0], strict=True)
    return _rounded([a - gamma * lam * b + v - gamma * w for a, b, v, w in later])


def _row(draft: Draft, name: str) -> list[float]:
    """A list of plain numbers, given or stated."""
    found = draft.claimed.get(name, draft.params.get(name))
    flat = isinstance(found, Sequence) and all(isinstance(x, float) for x in found)
    return list(found) if flat and found is not None else []


def _instead(draft: Draft, name: str, made: dict[str, Any], note: str) -> None:
    draft.claimed.pop(name, None)
    draft.params.pop(name, None)
    draft.params |= made
    draft.notes.append(note)


def _rounded(numbers: Sequence[float]) -> list[float]:
    """As people write them: 0.9 − 0.5 is 0.4."""
    return [float(f"{x:.12g}") for x in numbers]
