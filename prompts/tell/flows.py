"""What is computed from what, told: which quantity was moved, and what came of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from engine.flow import DRAWS, ROWS, Cell
from engine.links import Traced
from lessons._fact import Fact, Judged, Verdict, holds
from lessons._lesson import LANGUAGES
from prompts.read.flow import Flowing
from prompts.tell.ground import Grounded
from prompts.tell.words import word

# The names that the tensors have in verl; its symbol for a parameter.
NAMES = {
    "old_logp": "old_log_probs",
    "ref_logp": "ref_log_prob",
    "new_logp": "log_prob",
    "scores": "token_level_scores",
    "rewards": "token_level_rewards",
    "whitened": "masked_whiten(advantages)",
    "policy_loss": "pg_loss",
    "value_loss": "vf_loss",
    "gamma": "γ",
    "lam": "λ",
    "beta": "β",
    "eps": "clip_ratio",
}
FEW = 4  # lists that are named one by one; more are every other one
_INDEX = {"last": "T−1", "later": "t+k", "earlier": "t−k"}


def fact(stated: Flowing) -> Fact:
    """All of what is said has to hold; the pairs that decide are told, each once."""
    found_to_be = verdict(stated)
    deciding = list({_seen(pair): pair for pair in reversed(stated.traced) if _of((pair,)) == found_to_be}.values())
    found: dict[str, Any] = {
        "each": [_told(pair) for pair in reversed(deciding)],
        "responses": DRAWS * ROWS,
    }
    because = {language: word(language, "relations", "traced") for language in LANGUAGES}
    return Fact("relation", {}, because, lambda _: Judged(found_to_be, found))


def _seen(pair: Traced) -> tuple[object, ...]:
    """Pairs of which the same is told: what nothing moves is not moved with the others held either."""
    still = pair.moved is None and not pair.turns_on
    return pair.cause, pair.effect, None if still else pair


def verdict(stated: Flowing) -> Verdict:
    return _of(stated.traced)


def _of(pairs: tuple[Traced, ...]) -> Verdict:
    said = [pair.right for pair in pairs]
    return "depends" if None in said and False not in said else holds(False not in said)


def _told(pair: Traced) -> SimpleNamespace:
    moved = pair.moved
    return SimpleNamespace(
        cause=_name(pair.cause),
        effect=_name(pair.effect, "" if moved is None or moved.token is None else str(moved.token)),
        plainly=_name(pair.effect),
        moves=moved is not None,
        held=[_name(Cell(name)) for name in sorted(pair.held)] if len(pair.held) <= FEW else [],
        alone=len(pair.held) > FEW,
        before=moved.before if moved is not None else None,
        after=moved.after if moved is not None else None,
        turns_on=pair.turns_on,
    )


def _name(cell: Cell, token: str = "") -> Grounded:
    index = token or ("" if cell.place == "any" else _INDEX.get(cell.place, cell.place))
    return Grounded(f"`{NAMES.get(cell.name, cell.name)}{f'[{index}]' if index else ''}`")
