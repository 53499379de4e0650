"""One text cut by two tokenizers: at which places it can be asked for a value."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from engine.rewards import place_score
from engine.scenario import Scenario
from lessons._fact import Check, Judged
from lessons._trials import judged

ACTOR, OTHER = ("un", "believ", "able"), ("unbel", "iev", "able")


def _starts(tokens: Sequence[str]) -> list[int]:
    """How many characters stand before each token: its state."""
    return list(accumulate((len(token) for token in tokens[:-1]), initial=0))


def _same_tokenizer(_: Scenario) -> Judged:
    """As many values as tokens, and not all of them of a state in which the actor chose; a score has one place."""
    actor, other = _starts(ACTOR), _starts(OTHER)
    missing = [state for state in actor if state not in other]
    placed = place_score(1, [1] * len(ACTOR))
    return judged(
        "".join(ACTOR) == "".join(OTHER) and len(actor) == len(other) and bool(missing) and sum(placed) == 1,
        actor=actor, other=other, missing=missing[0], placed=placed,
    )  # fmt: skip


TOKENIZERS: dict[str, Check] = {"critic_needs_the_actors_tokenizer": _same_tokenizer}
