"""What noun phrases stand for: each as the terms that it may mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from engine import terms
from engine.terms import Term
from prompts.read.expressions import place_of, unindexed


@dataclass(frozen=True)
class Reading:
    """One meaning of a noun phrase. The sort is what it can be equated with: an advantage with an advantage."""

    term: Term
    sort: str = ""
    name: str = ""  # of the list, where it is a single one that can be had at another token
    part: str = ""  # "all" of them, or the "later" ones: what only a sum can be of
    summed: bool = False  # over all tokens


Noun = tuple[Reading, ...]
LATER, ALL = "later", "all"
ADVANTAGE, RETURN, REWARD, RATE, ZERO, LABEL = "advantage", "return", "reward", "rate", "zero", "label"
_LISTS = {
    "advantage": ("advantages", ADVANTAGE),
    "whitened": ("whitened", ADVANTAGE),
    "delta": ("deltas", ADVANTAGE),
    "value": ("values", RETURN),
    "returns": ("returns", RETURN),
    "monte_carlo_return": ("mc_returns", RETURN),
    "monte_carlo_advantage": ("mc_advantages", ADVANTAGE),
    "reward": ("rewards", REWARD),
    "action_value": ("action_values", RETURN),
    "score": ("scores", REWARD),
}
_SEVERAL = {
    "return": ("monte_carlo_return", "returns"),
    "monte_carlo": ("monte_carlo_advantage", "monte_carlo_return"),
    "kl": ("kl_alone", "penalty"),
    "one_step": ("delta", "target_one_step"),
}


@cache
def named(name: str, index: str = "") -> Noun:
    """A quantity by its name in words.toml; empty where it has no such index."""
    if name in _SEVERAL:
        return tuple(reading for one in _SEVERAL[name] for reading in named(one, index))
    if name in _LISTS:
        quantity, sort = _LISTS[name]
        term = at(quantity, index) if index else unindexed(quantity)
        kept = quantity if index in ("", "t") else ""
        return (Reading(term, sort, kept),) if term is not None else ()
    return () if index else (_made()[name],)


def at(quantity: str, index: str) -> Term | None:
    place = place_of(index)
    return terms.quantity(quantity, *place) if place is not None else None


@cache
def _made() -> dict[str, Reading]:
    first_return, first_value = at("mc_returns", "0"), at("values", "0")
    next_value = at("values", "t+1")
    assert first_return is not None and first_value is not None and next_value is not None
    discounted = terms.times(terms.rate("gamma"), next_value)
    penalty = terms.times(terms.constant("beta"), unindexed("kl_values"))
    return {
        "reward_mean": Reading(terms.average(unindexed("rewards")), RETURN),
        "value_mean": Reading(terms.average(unindexed("values")), RETURN),
        "label": Reading(unindexed("returns"), LABEL),
        "beta": Reading(terms.constant("beta"), RATE),
        "undiscounted_return": _from_here(named("reward")[0], lambda term: term),
        "kl_alone": Reading(unindexed("kl_values"), REWARD, "kl_values"),
        "zero": Reading(terms.number(Fraction(0)), ZERO),
        "gamma": Reading(terms.rate("gamma"), RATE),
        "excess": Reading(terms.minus(first_return, first_value), "excess"),
        "reward_total": Reading(terms.total(unindexed("rewards")), RETURN, summed=True),
        "target_one_step": Reading(terms.plus(unindexed("rewards"), discounted), RETURN),
        "penalty": Reading(penalty, REWARD),
    }


def of_term(term: Term) -> Noun:
    sort = RATE if term.cell is not None and not term.quantities else ""
    name = term.cell[0] if term.cell is not None and term.cell[1] in ("any", "t") and term.quantities else ""
    return (Reading(term, sort or _SORTS.get(name, ""), name, summed=term.latex.startswith(r"\sum_{t}")),)


_SORTS = dict(_LISTS.values())


def each(noun: Noun, change: Callable[[Reading], Reading | None]) -> Noun:
    """Every meaning changed; those that cannot be are left out."""
    return tuple(new for reading in noun if (new := change(reading)) is not None)


def moved(noun: Noun, index: str) -> Noun:
    """The quantity at another token: the next one, the last."""

    def change(reading: Reading) -> Reading | None:
        term = at(reading.name, index) if reading.name and reading.term.anywhere else None
        return None if term is None else replace(reading, term=term, name="")

    return each(noun, change)


def some_of(part: str) -> Callable[[Noun], Noun]:
    """All of a list, or what comes later: which must be added up."""
    return lambda noun: each(noun, lambda one: replace(one, part=part) if one.name and one.part in ("", part) else None)


def summed(noun: Noun) -> Noun:
    """The plain sum: over all tokens, or over those from t on."""

    def change(one: Reading) -> Reading | None:
        if one.summed or not one.name:
            return None
        if one.part == LATER:
            return _from_here(one, lambda term: term)
        return Reading(
            terms.total(unindexed(one.name)), RETURN if one.sort in (REWARD, RETURN) else ADVANTAGE, summed=True
        )

    return each(noun, change)


def discounted_sum(noun: Noun, rates: tuple[str, ...] = ("gamma",)) -> Noun:
    """From t on, each weighted with the power of γ, or of γλ."""

    def weigh(term: Term) -> Term:
        base = terms.rate(rates[0])
        for name in rates[1:]:
            base = terms.times(base, terms.rate(name))
        return terms.times(terms.power(base, lambda _response, _t, k: k, "k"), term)

    return each(noun, lambda one: None if one.summed or not one.name else _from_here(one, weigh))


def _from_here(one: Reading, weigh: Callable[[Term], Term]) -> Reading:
    ahead = terms.quantity(one.name, lambda _response, t, k: t + k, "t+k")
    found = replace(terms.ahead(weigh(ahead)), anywhere=True)
    return Reading(found, RETURN if one.sort == REWARD else one.sort)


def next_one(noun: Noun) -> Noun:
    """The one of the next token; a value of it is discounted where it is added, which words leave out."""
    there = moved(noun, "t+1")
    return there + (discounted(there) if any(one.name == "values" for one in noun) else ())


def discounted(noun: Noun) -> Noun:
    """What lies one token ahead, with its factor: γ, and γλ before an advantage."""

    def change(one: Reading) -> Reading | None:
        if one.term.cell is None or one.term.cell[1] != "t+1":
            return None
        factor = terms.rate("gamma")
        if one.term.cell[0] == "advantages":
            factor = terms.times(factor, terms.rate("lam"))
        return replace(one, term=terms.times(factor, one.term))

    return each(noun, change)


def called(word: Noun, symbol: Noun) -> Noun:
    """A quantity called by two of its names: "the return G_t". Empty where they are two quantities."""
    return tuple(one for one in symbol for other in word if one.name == other.name != "")


Join = Callable[[Term, Term], Term]


def joined(left: Noun, right: Noun, join: Join) -> Noun:
    """Every meaning of one with every meaning of the other."""
    pairs = [(_beside(a, b), _beside(b, a)) for a in left for b in right]
    return tuple(
        Reading(join(a.term, b.term), _sort(a, b, join), summed=a.summed and b.summed)
        for a, b in pairs
        if not (a.part or b.part or _apart(a.term, b.term) or _apart(b.term, a.term))
    )


def _beside(a: Reading, b: Reading) -> Reading:
    """A return beside V_0 is that of the first token."""
    first = b.term.places == {"0"} and a.name in ("returns", "mc_returns")
    return next(iter(moved((a,), "0")), a) if first else a


def _apart(a: Term, b: Term) -> bool:
    """Whether one is of a certain token and the other of any: V_{T-1} plus the deltas."""
    fixed = bool(a.places) and not any(place.startswith("t") for place in a.places)
    return fixed and b.cell is not None and b.cell[1] == "any"


def _sort(a: Reading, b: Reading, join: Join) -> str:
    if RATE in (a.sort, b.sort):
        return next((one.sort for one in (a, b) if one.sort != RATE), "")
    if join is terms.minus and b.name == "values":
        return ADVANTAGE
    if join is terms.plus and "values" in (a.name, b.name):
        return RETURN
    return ""


def of_rate(noun: Noun) -> bool:
    return all(reading.sort == RATE for reading in noun)
