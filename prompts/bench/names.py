"""What the workbench calls its rows and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.notation import SYMBOLS, Symbol
from engine.scenario import Scenario
from prompts.tell.words import word

_OTHERWISE = ("clipped", "unclipped")  # whose signs say how they are made

# What a part of the scenario moves, were nothing given in between.
_ADVANTAGES = ("deltas", "advantages", "returns", "whitened", "unclipped", "clipped", "objective_terms")
_AFTER_RATIO = ("ratio", "unclipped", "clipped", "objective_terms")
_MOVES: Mapping[str, tuple[str, ...]] = {
    "gamma": ("mc_returns", *_ADVANTAGES),
    "lam": tuple(name for name in _ADVANTAGES if name != "deltas"),
    "beta": ("rewards", "mc_returns", *_ADVANTAGES),
    "eps": ("clipped", "objective_terms"),
    "scores": ("rewards", "mc_returns", *_ADVANTAGES),
    "logp": ("kl_values", "rewards", "mc_returns", *_ADVANTAGES, "ratio"),
    "ref_logp": ("kl_values", "rewards", "mc_returns", *_ADVANTAGES),
    "kl_values": ("rewards", "mc_returns", *_ADVANTAGES),
    "rewards": ("mc_returns", *_ADVANTAGES),
    "values": _ADVANTAGES,
    "mask": ("rewards", "mc_returns", *_ADVANTAGES, "ratio"),
    "new_logp": _AFTER_RATIO,
}
_ASKED_AS: Mapping[str, str] = {  # rows that one question explains
    **dict.fromkeys(("rewards", "scores", "logp", "kl_values"), "kl"),
    **dict.fromkeys(("unclipped", "objective_terms"), "clipped"),
    "new_logp": "ratio",
}


def question(name: str, language: str) -> str:
    """What a learner would ask about a row."""
    return word(language, "bench", f"ask_{_ASKED_AS.get(name, name)}")


def symbol(name: str, language: str, t: int | None = None) -> str:
    if name in _OTHERWISE:
        return word(language, "bench", f"row_{name}")
    return Symbol(name, t).text if name in SYMBOLS else name


def listed(names: Iterable[str], language: str) -> str:
    return word(language, "labels", "and").join(dict.fromkeys(symbol(name, language) for name in names))


def moved_by(name: str, given: Scenario, rows: Iterable[str]) -> tuple[str, ...]:
    """Which of the rows that are shown a part of the scenario moves."""
    from_scores = given.rewards is None
    moved = _MOVES[name]
    if name == "logp" and (not from_scores or given.ref_logp is None):
        moved = _AFTER_RATIO
    elif name in ("scores", "ref_logp", "kl_values", "beta") and not from_scores:
        return ()
    return tuple(row for row in rows if row in moved)
