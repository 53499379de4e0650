"""Other numbers for the same exercise: drawn from a seed, short enough to reckon with by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engine import consistency, dealing
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS, PARAMETERS, scenario

Params = Mapping[str, Any]

LENGTH = 4  # tokens of a response that is drawn as a whole
LONGEST = 8  # of one that takes the place of the learner's
STANDING = ("tokens", "prompt", "mask")  # of the learner's own: no numbers to be drawn


def drawn(given: Params, kept: frozenset[str], seed: int) -> dict[str, Any]:
    """Numbers in the place of those given, of the same names and lengths; the kept parameters stay. Where nothing is
    given, a whole response with its group."""
    lists = {name: x for name, x in given.items() if name in LISTS and name != "lams"}
    parameters = {name: x for name, x in given.items() if name in PARAMETERS and name in kept}
    if lists:
        own = {**_like(lists, seed), **parameters}
        own |= {name: given[name] for name in STANDING if name in given}
        if _sensible(own) and own != dict(given):
            return own
    return {**_whole(seed), **parameters}


def _sensible(own: Params) -> bool:
    try:
        consistency.check(scenario(own))
    except EngineError:
        return False
    return True


def _like(lists: Params, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    found: dict[str, Any] = {**dealing.rates(chance)}
    rows = max((len(x) for x in lists.values() if x and isinstance(x[0], list | tuple)), default=0)
    whole = [
        dealing.lists(chance, len(_first(lists)), len(lists.get("group_rewards", ()))) for _ in range(max(1, rows))
    ]
    for name, x in lists.items():
        if name in whole[0]:
            batched = rows and isinstance(x[0], list | tuple)
            found[name] = [row[name] for row in whole] if batched else whole[0][name]
        else:
            found[name] = x
    return found


def _first(lists: Params) -> Any:
    """One list by token, of the learner's."""
    x = next((x for name, x in lists.items() if name != "group_rewards"), [0.0] * LENGTH)
    return x[0] if x and isinstance(x[0], list | tuple) else x


def _whole(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    rates = dealing.rates(chance)
    lists = dealing.lists(chance, LENGTH)
    names = [name for name in RUNNING.given() if name in lists]
    return {**{name: lists[name] for name in names}, **rates}
