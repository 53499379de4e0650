"""γ, λ and β that nobody stated: those under which most of the stated numbers are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypeAlias

from engine.claims import Claim
from engine.compared import paired
from engine.computing import ORDER, OTHERWISE
from engine.errors import EngineError
from engine.example import RUNNING
from engine.facts import quick_facts
from engine.quantities import QUANTITIES
from engine.scenario import Scenario

USUAL: Mapping[str, tuple[float, ...]] = {
    "gamma": (1.0, 0.99, 0.95, 0.9, 0.98, 0.97, 0.995, 0.999, 0.8, 0.5, 0.85, 0.7),
    "lam": (0.95, 1.0, 0.9, 0.97, 0.98, 0.99, 0.8, 0.5, 0.0, 0.85, 0.92, 0.7, 0.6),
    "beta": (0.1, 0.05, 0.01, 0.2, 0.02, 0.001, 0.5, 1.0, 0.04, 0.03),
}
Row: TypeAlias = Sequence[float | None]
FINEST = (2, 3, 4)  # decimals that solved rates are tried with
MOST = 40  # rates that are tried of each


def agreement(own: Scenario, claims: Sequence[Claim], quantity: str | None = None) -> tuple[int, int]:
    """How many of the stated numbers are right, and how many can be computed at all."""
    right = total = 0
    made: dict[str, Mapping[str, Any] | None] = {}
    for claim in claims:
        fact = None if claim.open else _fact(own, claim.name, claim.quantity or quantity, made)
        if fact is not None:
            pairs = paired(claim, fact)
            right, total = right + sum(pair.right for pair in pairs), total + len(pairs)
    return right, total


def _fact(own: Scenario, name: str, quantity: str | None, made: dict[str, Mapping[str, Any] | None]) -> Any:
    order = [*([quantity] if quantity else []), *(one for one in ORDER if one != quantity)]
    for fact in dict.fromkeys((name, OTHERWISE.get(name, name))):
        for one in order:
            if one not in made:
                made[one] = _quick(one, own)
            found = made[one]
            if found is not None and fact in found:
                return found[fact]
    return None


def _quick(quantity: str, own: Scenario) -> Mapping[str, Any] | None:
    try:
        return quick_facts(QUANTITIES[quantity], own)
    except (EngineError, ZeroDivisionError, OverflowError, StopIteration):
        return None


def fitted(
    own: Scenario, claims: Sequence[Claim], unsaid: Sequence[str], quantity: str | None = None
) -> dict[str, float]:
    """The unsaid rates as they fit best; the running example's where no others fit better."""
    usual = {name: getattr(RUNNING, name) for name in unsaid}
    best, score = usual, agreement(own.merged(usual), claims, quantity)
    if not unsaid or score[0] == score[1]:
        return best
    for rates in _tried(own, claims, unsaid):
        found = agreement(own.merged(rates), claims, quantity)
        if found > score:
            best, score = rates, found
        if score[0] == score[1]:
            break
    return best


def _tried(own: Scenario, claims: Sequence[Claim], unsaid: Sequence[str]) -> Iterator[dict[str, float]]:
    whole = {c.name: c.stated for c in claims if c.index is None and not c.open and isinstance(c.stated, Sequence)}
    choices = {name: list(USUAL[name]) for name in unsaid}
    for name, x in _solved(own, whole):
        if name in choices and len(choices[name]) < MOST and x not in choices[name]:
            choices[name].append(x)
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


def _solved(own: Scenario, whole: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, float]]:
    """What single numbers ask of a rate."""
    for name, x in _equations(own, whole):
        for places in FINEST:
            rounded = round(x, places)
            if 0 <= rounded <= 1 and abs(x - rounded) < 0.02:
                yield name, rounded


def _row(own: Scenario, name: str, whole: Mapping[str, Sequence[Any]]) -> list[float | None]:
    given = getattr(own, name, None)
    found = given if given is not None else whole.get(name, ())
    return [x if isinstance(x, int | float) else None for x in found]


def _equations(own: Scenario, whole: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, float]]:
    r, v = _row(own, "rewards", whole), _row(own, "values", whole)
    deltas, adv = _row(own, "deltas", whole), _row(own, "advantages", whole)
    after: Row = [*v[1:], 0.0]
    for d, r_t, v_t, v_n in zip(deltas, r, v, after, strict=False):
        if d is not None and r_t is not None and v_t is not None and v_n:
            yield "gamma", (d - r_t + v_t) / v_n
    g = _row(own, "mc_returns", whole) or _row(own, "returns", whole)
    for g_t, r_t, g_n in zip(g, r, g[1:], strict=False):
        if g_t is not None and r_t is not None and g_n:
            yield "gamma", (g_t - r_t) / g_n
    for s, k, r_t in zip(
        _row(own, "scores", whole),
        _row(own, "kl_values", whole) or _row(own, "kl", whole),
        r or whole.get("rewards", ()),
        strict=False,
    ):
        if s is not None and k and r_t is not None:
            yield "beta", (s - r_t) / k
    yield from _both(r, v, after, adv)
    for a, d, a_n in zip(adv, deltas or _td_errors(own, r, v, after), adv[1:], strict=False):
        if a is not None and d is not None and a_n:
            for gamma in (own.gamma,) if own.gamma else USUAL["gamma"][:6]:
                yield "lam", (a - d) / a_n / gamma


def _td_errors(own: Scenario, r: Row, v: Row, after: Row) -> list[float | None]:
    """The δ of the given lists, at γ = 1 if it is not known."""
    gamma = 1.0 if own.gamma is None else own.gamma
    return [
        None if r_t is None or v_t is None or n is None else r_t - v_t + gamma * n
        for r_t, v_t, n in zip(r, v, after, strict=False)
    ]


def _both(r: Row, v: Row, after: Row, adv: Row) -> Iterator[tuple[str, float]]:
    """A_t = r_t − V_t + γV_{t+1} + γλA_{t+1}: two tokens ask for both rates."""
    rows = [
        (n, a_n, a - r_t + v_t)
        for r_t, v_t, n, a, a_n in zip(r, v, after, adv, adv[1:], strict=False)
        if r_t is not None and v_t is not None and n is not None and a is not None and a_n is not None
    ]
    for (a, b, x), (c, d, y) in combinations(rows[:6], 2):
        size = a * d - b * c
        if abs(size) > 1e-6:
            gamma, product_ = (x * d - b * y) / size, (a * y - c * x) / size
            yield "gamma", gamma
            if abs(gamma) > 1e-6:
                yield "lam", product_ / gamma
