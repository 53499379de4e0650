"""Other numbers for the same exercise: drawn from a seed, short enough to reckon with by hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engine import consistency
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS, PARAMETERS, scenario

Params = Mapping[str, Any]

LENGTH = 4  # tokens of a response that is drawn as a whole
LONGEST = 8  # of one that takes the place of the learner's
GROUP = 4
STANDING = ("tokens", "prompt", "mask")  # of the learner's own: no numbers to be drawn
_RATES = (("gamma", (0.9, 0.8, 0.95, 0.99)), ("lam", (0.5, 0.9, 0.8, 0.95, 0.6)), ("beta", (0.1, 0.2, 0.05)))
_WIDTHS = (("eps", (0.2, 0.1)), ("cliprange_value", (0.2, 0.1)))


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
    found: dict[str, Any] = {**_rates(chance)}
    rows = max((len(x) for x in lists.values() if x and isinstance(x[0], list | tuple)), default=0)
    whole = [_lists(chance, len(_first(lists)), len(lists.get("group_rewards", ()))) for _ in range(max(1, rows))]
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
    rates = _rates(chance)
    lists = _lists(chance, LENGTH, GROUP)
    names = [name for name in RUNNING.given() if name in lists]
    return {**{name: lists[name] for name in names}, **rates}


def _rates(chance: random.Random) -> dict[str, float]:
    """Different γ and λ: a mistake that swaps them shows."""
    found = {name: chance.choice(choices) for name, choices in (*_RATES, *_WIDTHS)}
    others = [x for x in dict(_RATES)["lam"] if x != found["gamma"]]
    return {**found, "lam": chance.choice(others)}


def _lists(chance: random.Random, length: int, group: int) -> dict[str, Any]:
    """A response in which the actor, the reference and the critic disagree, as they do in training."""
    logp = [-chance.randint(4, 16) / 20 for _ in range(length)]
    gaps = [chance.choice((-0.1, 0.05, 0.1, 0.2)) for _ in range(length)]
    steps = chance.sample([0.4, -0.4, 0.1, -0.1], 4)
    values = [chance.randint(2, 16) / 20 for _ in range(length)]
    last = chance.choice((1.0, 2.0, -1.0, 1.5))
    return {
        "scores": [0.0] * (length - 1) + [last],
        "kl_values": [round(gap, 2) for gap in gaps],
        "logp": logp,
        "ref_logp": [round(x - gap, 2) for x, gap in zip(logp, gaps, strict=True)],
        "new_logp": [round(min(-0.01, x + steps[t % len(steps)]), 2) for t, x in enumerate(logp)],
        "old_logp": logp,
        "ratio": [chance.choice((0.6, 0.9, 1.1, 1.5)) for _ in range(length)],
        "rewards": [chance.choice((0.0, 0.0, 0.5, -0.5)) for _ in range(length - 1)] + [last],
        "values": values,
        "old_values": values,
        "vpreds": [round(v + chance.choice((0.05, -0.1, 0.3, -0.35)), 2) for v in values],
        "advantages": [chance.choice((-1.0, -0.5, 0.4, 0.8, 1.5)) for _ in range(length)],
        "returns": [chance.randint(0, 24) / 20 for _ in range(length)],
        "group_rewards": _scores(chance, group or GROUP),
    }


def _scores(chance: random.Random, group: int) -> list[float]:
    """Of one group: never all alike."""
    found = [chance.choice((0.0, 0.5, 1.0, 2.0)) for _ in range(group)]
    return [found[0] + 1, *found[1:]] if len({*found}) == 1 else found
