"""After a change: what followed from the changed numbers is left to be computed again, what contradicts them goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from prompts.read.numbers.edits.edit import TOKENS
from prompts.read.numbers.edits.targets import by_token

RECOMPUTED = "recomputed"

# A list that follows from others: each way to have all it needs, and what else goes into it.
_SOURCES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "kl_values": (("logp", "ref_logp"),),
    "rewards": (("scores", "kl_values"), ("scores", "logp", "ref_logp")),
    "ratio": (("new_logp", "old_logp"),),
    "advantages": (("rewards", "values"), ("scores", "kl_values", "values"), ("scores", "logp", "ref_logp", "values")),
    "returns": (("rewards", "values"), ("advantages", "values")),
}
_SIDES = {"eps_low", "eps_high"}  # of one width, once they differ
_WITH: Mapping[str, tuple[str, ...]] = {
    "kl_values": ("kl",),
    "rewards": ("beta", "kl"),
    "advantages": ("gamma", "lam", "beta", "kl", "mask"),
    "returns": ("gamma", "lam", "mask"),
}
# What goes when a list is set that no longer follows from its sources.
_OVERRULED: Mapping[str, tuple[str, ...]] = {
    "kl_values": ("ref_logp",),
    "rewards": ("scores",),
    "ratio": ("new_logp", "old_logp"),
    "advantages": ("rewards", "scores"),
}


def settled(params: Mapping[str, Any], touched: Iterable[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The scenario without the lists that the touched parts make obsolete, and notes on that."""
    changed, result = set(touched), dict(params)
    notes: list[str] = []
    if "eps" in result and _SIDES & changed:
        both = result.pop("eps")
        result = {**dict.fromkeys(_SIDES, both), **result}
    for name in [name for name in _SOURCES if name in changed]:
        if _follows(name, result):
            for source in _OVERRULED.get(name, ()):
                if source not in changed:
                    result.pop(source, None)
    for name, ways in _SOURCES.items():
        stale = any(set(way) & changed for way in ways) or set(_WITH.get(name, ())) & changed
        if name in result and name not in changed and stale and _follows(name, result):
            del result[name]
            notes.append(RECOMPUTED)
            changed.add(name)
    return result, tuple(dict.fromkeys(notes))


def fitted(params: Mapping[str, Any], touched: Iterable[str], loose: Iterable[str]) -> dict[str, Any]:
    """Without the loose lists whose length is not that of what was touched: they were about other tokens."""
    names = by_token(params)
    lengths = {len(params[name]) for name in names if name in set(touched)}
    if len(lengths) != 1:
        return dict(params)
    (length,) = lengths
    free = {*loose, TOKENS}
    return {name: x for name, x in params.items() if name not in names or name not in free or len(x) == length}


def _follows(name: str, params: Mapping[str, Any]) -> bool:
    """Whether everything that a list follows from is there."""
    return any(all(source in params for source in way) for way in _SOURCES[name])
