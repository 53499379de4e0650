"""A sheet as numbers to compute from and numbers to check: under the reading of its names in which most of them are right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, TypeAlias

from engine.audits import Claim
from engine.errors import EngineError
from engine.rates import agreement, fitted
from engine.scenario import PARAMETERS, Scenario, scenario
from prompts.read.numbers.sheet.cell import Cell, Series
from prompts.read.numbers.sheet.labels import meanings, named_last
from prompts.read.numbers.sheet.literals import CHAINED
from prompts.read.numbers.sheet.roles import Roles, roles
from prompts.read.numbers.sheet.sheet import Sheet

Named: TypeAlias = tuple[Series, tuple[str, ...]]
MOST = 96  # readings that are tried
RESULTS = frozenset(["deltas", "advantages", "returns", "mc_returns", "mc_advantages", "whitened", "kl", "objective_terms", "clipped"])
_NO_LIST = frozenset(["index", "tokens", "other"])
_IDLE = frozenset(["next_value", "log_ratio", "clipped_ratio"])  # read, so that they are taken for nothing else
_GROUP = re.compile(r"grpo|rloo|leave.one.out|留一|组内|同一个? ?(?:prompt|问题)|\bgroup\b|一组", re.IGNORECASE)
_RLOO = re.compile(r"rloo|leave.one.out|留一", re.IGNORECASE)
_GRPO = re.compile(r"grpo|组内(?:标准|归一)|group.?(?:norm|relative)", re.IGNORECASE)
_UNCLEAR = frozenset(["scores", "rewards", "group_rewards", "terms", "unclipped", "clipped", "clipped_ratio", "objective_terms"])
_OF_GROUPS = frozenset(["rewards", "scores", "group_rewards", "advantages", "whitened", "baselines", "centered"])
_KINDS = ("k1", "k2", "k3", "abs")
_LAMBDA = re.compile(r"(?:λ|lam(?:bda)?) ?(?:=|:|is|取|为) ?(?P<x>\d*\.?\d+)", re.IGNORECASE)
_MONTE_CARLO = re.compile(r"monte|(?<![A-Za-z])mc(?![A-Za-z])|蒙特", re.IGNORECASE)
_PENALTIES = frozenset(["kl", "ref_logp"])
_RATIO = frozenset(["ratio", "new_logp"])
_ALONE = frozenset(["mean", "std_sample", "std_population"])


@dataclass(frozen=True)
class Fitted:
    """What is given, what is stated of it, and how well the two agree."""

    given: dict[str, Any]
    claims: tuple[Claim, ...]
    quantity: str | None
    solved: tuple[str, ...]  # rates that were not stated and are taken as they fit
    right: int
    total: int
    from_one: bool = False


def fit(sheet: Sheet) -> Fitted | None:
    """The best reading; None where nothing is stated of anything that is given."""
    every = _distinct(_hatted([(one, names) for one in sheet.series if (names := _names(one)) and names[0] not in _NO_LIST]))
    named, again = _stated_again(every)
    if not named or sheet.batched or any(one.label == CHAINED for one in sheet.series) or _swept(sheet):
        return None
    best: tuple[tuple[float, ...], Fitted] | None = None
    for rank, choice in enumerate(_choices(sheet, named)):
        for quantity in _quantities(sheet, choice):
            found = _read(sheet, choice, quantity, again)
            if found is None:
                continue
            score = (found.right - 0.001 * rank, found.total)
            if best is None or score > best[0]:
                best = score, found
        if best is not None and best[1].right == best[1].total and rank >= 1 and best[1].total >= _cells(named):
            break
    return None if best is None else best[1]


def _hatted(named: list[Named]) -> list[Named]:
    """Â beside A is the whitened one."""
    raw = any(names[0] == "advantages" and "Â" not in one.label for one, names in named)
    own = any(names[0] == "whitened" for _, names in named)
    return [(one, ("whitened",) if raw and not own and names[0] == "advantages" and "Â" in one.label else names) for one, names in named]


def _distinct(named: Sequence[Named]) -> list[Named]:
    """Without what is said again: the same numbers under the same name."""
    kept: list[Named] = []
    for one, names in named:
        again = any(names[0] == other[0] and one.values == known.values and _same_places(one, known) for known, other in kept)
        kept += [] if again else [(one, names)]
    return kept


def _stated_again(named: list[Named]) -> tuple[list[Named], list[Series]]:
    """Results of which other numbers are stated under the same name: each is checked."""
    first: dict[str, Series] = {}
    kept: list[Named] = []
    again: list[Series] = []
    for one, names in named:
        known = first.get(names[0]) if names[0] in RESULTS else None
        if known is not None and (one.indices or len(known.cells) == len(one.cells)):
            again.append(one)
        else:
            first.setdefault(names[0], one)
            kept.append((one, names))
    return kept, again


def _same_places(one: Series, other: Series) -> bool:
    whole = {(), *(tuple(range(first, first + len(one.cells))) for first in (0, 1))}
    return one.indices == other.indices or {one.indices, other.indices} <= whole


def _swept(sheet: Sheet) -> bool:
    """Whether lists are told apart by their λ."""
    said = {float(found["x"]) for one in sheet.series if (found := _LAMBDA.search(one.label))}
    return len(said) > 1 or bool(said - {sheet.settings.get("lam")})


def _cells(named: Sequence[Named]) -> int:
    return max(len(one.cells) for one, _ in named)


def _names(one: Series) -> tuple[str, ...]:
    return meanings(one.label) or (named_last(one.label) if one.prose else ())


def _choices(sheet: Sheet, named: Sequence[Named]) -> Iterator[dict[str, Series]]:
    """Every way to name the series with no name twice, the likeliest first."""
    of_groups = all(_OF_GROUPS & {names[0], *(names if "group_rewards" in names else ())} for _, names in named)
    grouped = _GROUP.search(sheet.text) is not None and of_groups
    first = Counter((_regrouped(names) if grouped else names)[0] for _, names in named)
    options = [_open(_regrouped(names) if grouped else names, first) for _, names in named]
    if "mc_returns" in first and not {"deltas", "returns"} & first.keys() and _MONTE_CARLO.search(sheet.text):
        options = [("mc_advantages",) if names[0] == "advantages" else names for names in options]
    if not of_groups:
        options = [tuple(name for name in names if name != "group_rewards") or names for names in options]
    ranked = sorted(product(*(range(len(o)) for o in options)), key=sum) if _count(options) <= 4000 else [(0,) * len(options)]
    seen = 0
    for ranks in islice(ranked, MOST * 8):
        names = [o[k] for o, k in zip(options, ranks, strict=True)]
        doubled = Counter(names)
        if any(n > 1 for name, n in doubled.items() if name not in _IDLE):
            if sum(ranks) > 0 or _distinct_possible(options):
                continue
        seen += 1
        if seen > MOST:
            return
        found: dict[str, Series] = {}
        for name, (one, _) in zip(names, named, strict=True):
            found.setdefault(name, one)
        yield _as_meant({name: one for name, one in found.items() if name not in _IDLE})


def _open(names: tuple[str, ...], first: Mapping[str, int]) -> tuple[str, ...]:
    """What a label may name here: what it says, where it says one thing and nothing else says the same."""
    return names if names[0] in _UNCLEAR or first[names[0]] > 1 else names[:1]


def _as_meant(choice: dict[str, Series]) -> dict[str, Series]:
    """Names that say more than they mean where their counterpart is not there: an old value without a new one."""
    has = choice.keys()
    renamed = {}
    if "vpreds" not in has or "returns" not in has:
        renamed |= {old: "values" for old in ("old_values", "vpreds") if old in has and "values" not in has}
    kinds = [kind for kind in _KINDS if kind in has]
    if "scores" in has and "kl" not in has and len(kinds) == 1:
        renamed[kinds[0]] = "kl"
    if "scores" in has and "rewards" not in has and not has & {"kl", *_KINDS, "ref_logp"}:
        renamed["scores"] = "rewards"
    if ("vpreds" not in has or "returns" not in has) and "values" in has:
        choice = {name: one for name, one in choice.items() if name not in ("old_values", "vpreds")}
    return {renamed.get(name, name): one for name, one in choice.items()}


def _count(options: Sequence[Sequence[str]]) -> int:
    size = 1
    for one in options:
        size *= len(one)
    return size


def _distinct_possible(options: Sequence[Sequence[str]]) -> bool:
    """Whether the series can all have different names."""
    return any(len({*names}) == len(names) for names in islice(product(*options), 4000))


def _regrouped(names: tuple[str, ...]) -> tuple[str, ...]:
    """In a group of responses rewards and scores are the group's; what is normalised are its advantages."""
    if "group_rewards" in names:
        return tuple(dict.fromkeys(("group_rewards", *names)))
    return tuple(dict.fromkeys(("advantages", *names))) if names[0] == "whitened" else names


def _quantities(sheet: Sheet, choice: Mapping[str, Series]) -> tuple[str | None, ...]:
    if "group_rewards" not in choice:
        return (None,)
    rloo, grpo = _RLOO.search(sheet.text), _GRPO.search(sheet.text)
    if "baselines" in choice or (rloo and not grpo):
        return ("rloo",)
    return ("grpo",) if grpo and not rloo else ("grpo", "rloo")


# ---------------------------------------------------------------- one reading


def _read(
    sheet: Sheet, choice: Mapping[str, Series], quantity: str | None, again: Sequence[Series] = ()
) -> Fitted | None:
    single = {name: x for name, x in sheet.single.items() if not (name in _ALONE and "group_rewards" in choice)}
    if _RATIO & choice.keys() and "mean" in single:  # of the terms
        single["objective"] = single.pop("mean")
    if "objective" in single and "clipped" in choice and not choice.keys() & {"objective_terms", "terms", "unclipped"}:
        choice = {"objective_terms" if name == "clipped" else name: one for name, one in choice.items()}
    if sheet.score is not None and "rewards" in choice and "scores" not in choice and _PENALTIES & choice.keys():
        n = len(choice["rewards"].cells)
        cells = tuple(Cell("", sheet.score if t == n - 1 else 0.0, 0, -1) for t in range(n))
        choice = {**choice, "scores": Series("score", cells)}
    found = roles(choice, single, clips=any(name in sheet.settings for name in ("eps", "eps_low")))
    if not found.given and "deltas" not in choice:
        return None
    length, shift = _length(choice, found)
    try:
        own = _own(sheet, choice, found, length, shift)
    except EngineError:
        return None
    claims = _claims(choice, found, single, own, length, shift)
    doubled = [(_names(one)[0], one) for one in again]
    claims += tuple(_claim(name, one, length, shift) for name, one in doubled if name in found.claimed)
    claims = tuple(sorted(claims, key=lambda c: min(c.places, default=0)))
    if own is None or not claims:
        return None
    unsaid = [name for name in ("gamma", "lam", "beta") if name not in sheet.settings]
    try:
        rates = fitted(own, claims, [n for n in unsaid if _needs(n, own, claims)], quantity)
        complete = own.merged(rates)
        right, total = agreement(complete, claims, quantity)
    except EngineError:
        return None
    if not total:
        return None
    given = {**complete.given()}
    return Fitted(given, claims, quantity, tuple(rates), right, total, from_one=shift == 1)


def _needs(rate: str, own: Scenario, claims: Sequence[Claim]) -> bool:
    if rate == "beta":
        return own.scores is not None
    if own.rewards is None and own.scores is None:
        return False
    return rate == "gamma" or own.values is not None


def _length(choice: Mapping[str, Series], found: Roles) -> tuple[int, int]:
    """How many tokens there are, and where the written subscripts count from."""
    listed = [len(one.cells) for name, one in choice.items() if not one.indices]
    places = [t for one in choice.values() for t in one.indices]
    if listed:
        length = Counter(listed).most_common(1)[0][0]
        inputs = [len(choice[s].cells) for s in found.given.values() if not choice[s].indices]
        length = Counter(inputs).most_common(1)[0][0] if inputs else length
        return length, 1 if places and max(places) == length and 0 not in places else 0
    shift = min(places, default=0) if min(places, default=0) in (0, 1) else 0
    return max(places, default=-1) + 1 - shift, shift


def _own(sheet: Sheet, choice: Mapping[str, Series], found: Roles, length: int, shift: int) -> Scenario | None:
    given: dict[str, Any] = {}
    for parameter, name in found.given.items():
        given[parameter] = _whole(choice[name], length, shift, parameter)
    if "deltas" in choice and "rewards" not in given and "scores" not in given:
        row = _whole(choice["deltas"], length, shift, "deltas")
        given = {"rewards": row, "values": [0.0] * length}
    given |= {name: x for name, x in sheet.settings.items() if name in PARAMETERS}
    if sheet.kl and "scores" in given and "kl_values" not in given:
        given["kl"] = sheet.kl
    return scenario(given)


def _whole(one: Series, length: int, shift: int, name: str) -> list[float]:
    """A list to compute with: a number for every token; empty cells are padding."""
    row: list[float | None] = [None] * length
    if one.indices:
        for t, x in zip(one.indices, one.values, strict=True):
            if 0 <= t - shift < length:
                row[t - shift] = x
    else:
        row = one.values
        if len(row) == length + 1 and name in ("values", "old_values") and row[-1] == 0:
            row = row[:-1]
    missing = next((t for t, x in enumerate(row) if x is not None), 0)
    if one.indices and missing and all(x is not None for x in row[missing:]):  # told from a later token on
        return [0.0 if x is None else x for x in row]
    if any(x is None for x in row) and name != "mask" and sum(x is not None for x in row) < len(row):
        kept = [0.0 if x is None else x for x in row]
        if all(x is not None for x in row[: len(row) - 1]) or one.indices:
            raise EngineError("missing", field=name, position=())
        return kept
    return [0.0 if x is None else x for x in row]


# ---------------------------------------------------------------- what is stated


def _claims(
    choice: Mapping[str, Series], found: Roles, single: Mapping[str, Cell], own: Scenario | None, length: int, shift: int
) -> tuple[Claim, ...]:
    grounded = "deltas" in choice and not {"rewards", "scores", "kl_values"} & found.given.keys() and "rewards" not in found.claimed
    left_out = {"deltas", "returns", "mc_returns", "whitened"} if grounded else set()
    left_out |= {fact for fact, name in found.claimed.items() if choice[name].prose and len(choice[name].cells) != length and not choice[name].indices}
    claims = [_claim(fact, choice[name], length, shift) for fact, name in found.claimed.items() if fact not in left_out]
    for name, cell in single.items():
        claims.append(Claim(name, cell.value, cell.decimals, None, (cell.place,), (cell.decimals,), None, (cell.made,)))
    return tuple(claims)


def _claim(fact: str, one: Series, length: int, shift: int) -> Claim:
    cells: list[Cell | None] = list(one.cells)
    if one.indices:
        row: list[Cell | None] = [None] * length
        for t, x in zip(one.indices, one.cells, strict=True):
            if 0 <= t - shift < length:
                row[t - shift] = x
        cells = row
    typed = [x for x in cells if x is not None]
    digits = shown(typed)
    return Claim(
        fact, [None if x is None else x.value for x in cells], max(digits, default=1), None,
        tuple(x.place for x in typed), digits, _method(one.label) if fact == "advantages" else None,
        tuple(x.made for x in typed),
    )  # fmt: skip


def _method(label: str) -> str | None:
    """Which of a group's advantages a label says that they are."""
    rloo, grpo = _RLOO.search(label), _GRPO.search(label)
    return None if bool(rloo) == bool(grpo) else "rloo" if rloo else "grpo"


def shown(typed: Sequence[Cell]) -> tuple[int, ...]:
    """The digits to which each number of a list is meant: as typed, or, where zeros at the end are not written, those
    of the finest. A number that shows as many digits in all as the finest is meant as typed, too."""
    finest = max((x.decimals for x in typed), default=0)
    keeps = any(x.decimals == finest and x.typed.rstrip("%").endswith("0") for x in typed) and finest > 0
    most = max((_significant(x) for x in typed if x.decimals == finest), default=0)
    return tuple(x.decimals if keeps or _significant(x) >= most else finest for x in typed)


def _significant(x: Cell) -> int:
    """How many digits a number shows from its first that is not zero."""
    return len(x.typed.lstrip("+-").rstrip("%").replace(".", "").lstrip("0"))
