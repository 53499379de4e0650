"""Exercises, drawn: each is a function of what may be asked, a level and a seed. Who knows the three has it again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine import dealing, facts
from engine.errors import EngineError
from engine.exercise import Ask, Drill, Exercise, Kind, Moved, shown, sign
from engine.mistakes import MISTAKES
from engine.quantities import QUANTITIES
from engine.scenario import LISTS, PARAMETERS, Scenario, scenario

KINDS: Mapping[int, tuple[Kind, ...]] = {
    1: ("options", "sign"),
    2: ("options", "change"),
    3: ("open", "list", "change"),
}
LEVELS = tuple(KINDS)
LENGTHS = {1: 2, 2: 3, 3: 4}  # tokens
MOST = 5  # options
SEEDS = 10_000
BESIDE = {"surrogate": ("advantages",), "mc": ("values",)}  # what a program reads besides what it is asked for
_TRIES = 200
_ENOUGH = 3  # options, where so many can be had


def set_up(drill: Drill, level: int, seed: int, own: Scenario | None = None) -> Exercise:
    """The exercise of a level and a seed; `own`: on the learner's numbers, where these are enough."""
    return _set_up(drill, level, seed, own)


def moving(drill: Drill, standing: Scenario, seed: int) -> Exercise | None:
    """What a change of one of the standing numbers does; none where nothing that is asked here would move."""
    for attempt in range(_TRIES):
        chance = random.Random(f"{drill.number}.{seed}.{attempt}")
        asks = [ask for ask in drill.asks if ask.moves]
        if not asks:
            return None
        ask = chance.choice(asks)
        own = _of_page(ask, standing)
        found = _tried(ask, "change", own, chance) if own is not None else None
        if found is not None:
            return found
    return None


@lru_cache(maxsize=256)
def _set_up(drill: Drill, level: int, seed: int, own: Scenario | None) -> Exercise:
    first, fallback = random.Random(f"{drill.number}.{level}.{seed}"), None
    if drill.falsehoods and (not drill.asks or first.random() < 1 / 2):
        return _statements(drill, first, level)
    for attempt in range(_TRIES):
        chance = random.Random(f"{drill.number}.{level}.{seed}.{attempt}")
        ask = chance.choice(drill.asks)
        kind = chance.choice([kind for kind in KINDS[level] if _can(ask, kind)])
        found = _tried(ask, kind, _dealt(ask, level, chance, own), chance)
        if found is not None and (kind != "options" or len(found.options) >= min(_ENOUGH, 1 + len(ask.mistakes))):
            return found
        fallback = fallback or found
    assert fallback is not None, f"nothing can be asked of {drill}"
    return fallback


def _can(ask: Ask, kind: Kind) -> bool:
    return {"change": bool(ask.moves), "list": ask.at != "whole"}.get(kind, True)


def _statements(drill: Drill, chance: random.Random, level: int) -> Exercise:
    """One true sentence among false ones, the more the higher the level."""
    false = chance.sample(drill.falsehoods, min(level + 1, len(drill.falsehoods)))
    right = chance.choice([id for id in drill.truths if id not in false])
    options = [right, *false]
    chance.shuffle(options)
    return Exercise("truth", None, scenario({}), None, right, options=tuple(options))


def _dealt(ask: Ask, level: int, chance: random.Random, own: Scenario | None) -> Scenario:
    """The learner's own numbers where they are enough, or dealt ones; what the program needs besides is there."""
    length = max(LENGTHS[level], ask.shortest)
    dealt = {**dealing.lists(chance, length), **dealing.rates(chance)}
    dealt = dealing.padded(dealt, length) if "mask" in ask.given else dealt
    given = {name: x for name, x in (own.given() if own is not None else {}).items() if name in ask.given}
    lists = {name for name in ask.given if name in LISTS}
    own_lists = lists <= {*given} and own is not None and not own.batched and own.mask is None
    kept = given if own_lists else {name: x for name, x in given.items() if name in PARAMETERS}
    needed = {*ask.given, *BESIDE.get(ask.quantity, ()), "gamma", "lam"}
    return scenario({**{name: x for name, x in dealt.items() if name in needed}, **kept})


def _tried(ask: Ask, kind: Kind, standing: Scenario, chance: random.Random) -> Exercise | None:
    """The exercise on these numbers; none where they teach nothing."""
    try:
        moved = _moved(ask, standing, chance) if kind == "change" else None
        own = standing if moved is None else standing.merged(_with(standing, moved))
        index = _place(ask, own, chance) if kind != "list" else None
        right = _at(facts.exact_facts(QUANTITIES[ask.quantity], own)[ask.fact], index)
        wrong = dict(_mistaken(ask, own, index))
        found = Exercise(kind, ask, own, index, right, _different(wrong, right), moved=moved)
        if moved is not None:
            before = _at(facts.exact_facts(QUANTITIES[ask.quantity], moved.before)[ask.fact], index)
            found = replace(found, before=before, wrong=wrong, wrongly_before=dict(_mistaken(ask, moved.before, index)))
        found = replace(found, options=_options(found, chance)) if kind == "options" else found
    except (EngineError, IndexError, ArithmeticError):
        return None
    return found if _teaches(found) else None


def _of_page(ask: Ask, standing: Scenario) -> Scenario | None:
    """What the question is about, of the numbers that stand on a page; what is not given there, as it is computed."""
    if standing.batched:
        return None
    needed = {*ask.given, *BESIDE.get(ask.quantity, ()), "gamma", "lam"} - {"mask"}
    if standing.old_logp is None and standing.logp is not None:
        standing = standing.merged({"old_logp": standing.logp})
    own = {name: x for name, x in standing.given().items() if name in (*needed, *ask.given)}
    try:
        computed = facts.quick_facts(QUANTITIES[ask.quantity], standing) if needed - {*own} else {}
        return scenario({**{name: computed[name] for name in needed - {*own}}, **own})
    except (EngineError, KeyError):
        return None


def _place(ask: Ask, own: Scenario, chance: random.Random) -> int | None:
    if ask.at == "whole":
        return None
    keep = own.rows("mask")[0] if own.mask is not None else None
    length = own.length or len(own.rows("group_rewards")[0])
    valid = [t for t in range(length) if keep is None or keep[t]]
    return {"first": valid[0], "last": valid[-1], "any": chance.choice(valid)}[ask.at]


def _moved(ask: Ask, standing: Scenario, chance: random.Random) -> Moved:
    """A part of the scenario, changed to another number of its kind."""
    part = chance.choice([name for name in ask.moves if getattr(standing, name) is not None])
    if part in PARAMETERS:
        old = float(getattr(standing, part))
        return Moved(part, None, old, chance.choice([x for x in (0.2, 0.5, 0.8, 1.0) if x != old]), standing)
    row = standing.rows(part)[0]
    index = chance.randrange(len(row))
    new = round(row[index] + chance.choice((-0.4, -0.2, 0.2, 0.4)), 6)
    return Moved(part, index, row[index], new, standing)


def _with(standing: Scenario, moved: Moved) -> dict[str, Any]:
    if moved.index is None:
        return {moved.part: moved.new}
    row = list(standing.rows(moved.part)[0])
    row[moved.index] = moved.new
    return {moved.part: row}


def _mistaken(ask: Ask, own: Scenario, index: int | None) -> Iterator[tuple[str, Any]]:
    for id in ask.mistakes:
        if MISTAKES[id].possible(own):
            yield id, _at(facts.exact_facts(MISTAKES[id].on(ask.quantity), own)[ask.fact], index)


def _at(fact: Any, index: int | None) -> Any:
    if index is not None:
        return fact[index]
    return tuple(x for x in fact if x is not None) if isinstance(fact, list) else fact


def _different(wrong: Mapping[str, Any], right: Any) -> dict[str, Any]:
    return {id: x for id, x in wrong.items() if x is not None and shown(x) != shown(right)}


def _options(found: Exercise, chance: random.Random) -> tuple[Any, ...]:
    """The right number and those of the mistakes, each once as it is shown."""
    others = list({shown(x): x for x in found.wrong.values()}.values())
    options = [found.right, *chance.sample(others, min(len(others), MOST - 1))]
    chance.shuffle(options)
    return tuple(options)


def _teaches(found: Exercise) -> bool:
    """Whether the right answer differs from a mistake's in what is asked, and is a number that people write."""
    row = found.right if isinstance(found.right, tuple) else (found.right,)
    if any("×" in shown(x) for x in (*row, *found.options)) or not any(row):
        return False
    if found.kind == "change":
        return found.before is not None and abs(found.right - found.before) > 10**-3
    if found.kind == "sign":
        return any(sign(x) != sign(found.right) for x in found.wrong.values())
    return bool(found.wrong) and (found.kind != "options" or len(found.options) > 1)
