"""Numbers of one worked example, right or with one mistake planted in them, as they would be typed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError
from engine.mistakes import MISTAKES, on_the_way_to
from engine.scenario import Scenario, scenario
from tests.audit.kinds import KINDS, Kind, facts, written
from tests.audit.planting import NOTHING, ROUNDED, choose, plant


@dataclass(frozen=True)
class Column:
    """One list: how it is headed (a key of wording.HEADS), the fact or input that it is, and its typed numbers."""

    head: str
    name: str
    typed: tuple[str, ...]
    given: bool


@dataclass(frozen=True)
class Sheet:
    kind: str
    own: Scenario
    columns: tuple[Column, ...]
    scalars: tuple[tuple[str, str], ...]
    settings: Mapping[str, float]
    digits: int
    planted: str
    wrong: frozenset[str]  # "advantages[3]": cells that are not right at the digits typed
    causes: frozenset[str]  # any of which explains them


def sheet(rng: random.Random, kind: str) -> Sheet:
    """One example of a kind; what is planted is drawn, and shows at the digits typed."""
    shape = KINDS[kind]
    while True:
        own = _given(rng, kind)
        digits = rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5, 6))
        results = _some(rng, shape)
        scalars = tuple(name for name in shape.scalars if rng.random() < 0.6)
        right = facts(shape, own)
        typed = {name: written(right[name], digits) for _, name in results} | {
            n: written(right[n], digits) for n in scalars
        }
        planted = choose(rng, shape, own)
        made = plant(rng, planted, shape, own, typed, digits)
        if made is None:
            continue
        wrong = frozenset(where for name in made for where in _differing(name, made[name], right[name], digits))
        exact = _exactly_a_program(shape, own, made, right, digits) if not wrong else {}
        if bool(planted) != bool(wrong) or (planted == ROUNDED and not wrong):
            continue
        programs = _explaining(shape, own, made, digits) if wrong else frozenset(exact)
        if not wrong and exact:
            wrong = frozenset(w for name in made for w in _inexact(name, made[name], right[name]))
        own_cause = {planted} if planted in MISTAKES else {"rounding"} if planted == ROUNDED else {"unknown"}
        causes = programs | (own_cause if planted else frozenset())
        columns = [Column(h, n, _astyped(own, n), given=True) for h, n in shape.given]
        columns += [Column(h, n, tuple(made[n]), given=False) for h, n in results]
        return Sheet(
            kind, own, tuple(columns), tuple((n, made[n][0]) for n in scalars), _settings(own), digits,
            planted or ("exactly" if exact else NOTHING), wrong, frozenset(causes),
        )  # fmt: skip


# ---------------------------------------------------------------- what goes in


def _given(rng: random.Random, kind: str) -> Scenario:
    n = rng.randint(3, 8)
    places = rng.choice((1, 2, 2, 3))

    def draw(low: float, high: float, places: int = places) -> list[float]:
        return [round(rng.uniform(low, high), places) for _ in range(n)]

    def last(x: float) -> list[float]:
        return [0.0] * (n - 1) + [x]

    sparse = last(rng.choice((1.0, 1.0, -1.0, 0.5, 2.0)))
    rates = {
        "gamma": rng.choice((1.0, 1.0, 0.99, 0.95, 0.9, 0.98, 0.8)),
        "lam": rng.choice((0.95, 0.95, 0.9, 0.97, 1.0, 0.8, 0.5)),
    }
    logp, _ = ([-abs(x) - 0.1 for x in draw(0.0, 2.5, 2)] for _ in range(2))
    logp, near = [round(x, 2) for x in logp], [round(min(-0.01, x + rng.uniform(-0.4, 0.4)), 2) for x in logp]
    cases: dict[str, dict[str, Any]] = {
        "gae": {"rewards": sparse if rng.random() < 0.5 else draw(-0.5, 1), "values": draw(-0.2, 1), **rates},
        "gae_from_scores": {"scores": sparse, "logp": logp, "ref_logp": near, "values": draw(0, 1),
                            "beta": rng.choice((0.1, 0.05, 0.2, 0.01)), **rates},
        "kl_rewards": {"scores": sparse, "kl_values": draw(-0.3, 0.5, 2), "beta": rng.choice((0.1, 0.05, 0.2, 0.01))},
        "mc": {"rewards": draw(-0.5, 1), "values": draw(-0.2, 1), "gamma": rates["gamma"]},
        "reward_to_go": {"rewards": draw(-0.5, 1), "gamma": rng.choice((0.99, 0.95, 0.9, 0.5))},
        "whiten": {"advantages": draw(-1.5, 2)},
        "grpo": {"group_rewards": rng.choice(
            (draw(0, 1), [float(rng.randint(0, 1)) for _ in range(n)], draw(-2, 5, 1)))},
        "surrogate": {"new_logp": near, "old_logp": logp, "advantages": draw(-1.5, 2)},
        "clip": {"ratio": draw(0.5, 1.6, 2), "advantages": draw(-1.5, 2), "eps": rng.choice((0.2, 0.2, 0.1, 0.3))},
        "value_loss": {"vpreds": draw(-0.3, 1.4, 2), "old_values": draw(0, 1, 2), "returns": draw(0, 1, 2),
                       "cliprange_value": rng.choice((0.2, 0.1, 0.5))},
        "kl_estimators": {"logp": logp, "ref_logp": near},
    }  # fmt: skip
    cases |= {"gae_whitened": cases["gae"], "rloo": cases["grpo"]}
    own = cases[kind]
    if len({*own.get("group_rewards", (0, 1))}) < 2 or len({*own.get("advantages", (0, 1))}) < 2:
        return _given(rng, kind)
    return scenario(own)


def _some(rng: random.Random, shape: Kind) -> tuple[tuple[str, str], ...]:
    """Most of the results, in their order."""
    while True:
        kept = tuple(one for one in shape.results if rng.random() < 0.8)
        if len(kept) >= min(shape.needed, len(shape.results)) and (
            len(kept) == 1 or shape.needed > 1 or rng.random() < 0.9
        ):
            return kept


def _settings(own: Scenario) -> dict[str, float]:
    return {
        name: x for name in ("gamma", "lam", "beta", "eps", "cliprange_value") if (x := getattr(own, name)) is not None
    }


def _astyped(own: Scenario, name: str) -> tuple[str, ...]:
    numbers = own.rows(name)[0]
    places = max(len(f"{x:.10g}".partition(".")[2]) for x in numbers)
    return tuple(f"{x:.{places}f}" for x in numbers)


# ---------------------------------------------------------------- what is wrong


def _differing(name: str, made: Sequence[str], right: Any, digits: int) -> list[str]:
    """What is not right at the digits typed; half a unit may be rounded either way."""
    numbers = right if isinstance(right, list) else [right]
    off = [
        t for t, (a, b) in enumerate(zip(made, numbers, strict=True)) if abs(float(a) - b) > 0.5 * 10.0**-digits + 1e-9
    ]
    return [f"{name}[{t}]" if len(numbers) > 1 else name for t in off]


def _inexact(name: str, made: Sequence[str], right: Any) -> list[str]:
    numbers = right if isinstance(right, list) else [right]
    return [
        f"{name}[{t}]" if len(numbers) > 1 else name
        for t, (a, b) in enumerate(zip(made, numbers, strict=True))
        if abs(float(a) - b) > 1e-9
    ]


def _explaining(shape: Kind, own: Scenario, made: Mapping[str, list[str]], digits: int) -> frozenset[str]:
    """Every program that gives all the typed numbers."""
    return frozenset(_giving(shape, own, lambda found: all(written(found[n], digits) == list(made[n]) for n in made)))


def _exactly_a_program(
    shape: Kind, own: Scenario, made: Mapping[str, list[str]], right: Mapping[str, Any], digits: int
) -> frozenset[str]:
    """With one or two digits: the programs that give all the numbers without rounding, where the right one does not."""
    if digits > 2 or not any(_inexact(n, made[n], right[n]) for n in made):
        return frozenset()
    return frozenset(_giving(shape, own, lambda found: not any(_inexact(n, made[n], found[n]) for n in made)))


def _giving(shape: Kind, own: Scenario, does: Any) -> list[str]:
    ids = {m.id for q in shape.quantities for m in on_the_way_to(q) if m.possible(own)}
    found = []
    for id in ids:
        try:
            if does(facts(shape, own, id)):
                found.append(id)
        except (EngineError, ZeroDivisionError, OverflowError):
            continue
    return found


def without_settings(made: Sheet) -> Sheet:
    """The same with γ and λ left unsaid."""
    return replace(made, settings={k: x for k, x in made.settings.items() if k not in ("gamma", "lam")})
