"""What each series of a sheet is called: the ways to name them all, the likeliest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TypeAlias

from prompts.read.numbers.sheet.cell import Series
from prompts.read.numbers.sheet.labels import meanings, named_last
from prompts.read.numbers.sheet.sheet import Sheet

Named: TypeAlias = tuple[Series, tuple[str, ...]]
MOST = 96  # ways that are tried
WIDEST = 4000  # ways that are looked through
RESULTS = frozenset(
    ["deltas", "advantages", "returns", "mc_returns", "mc_advantages", "whitened", "kl", "objective_terms", "clipped"]
)
RLOO = re.compile(r"rloo|leave.one.out|留一", re.IGNORECASE)
GRPO = re.compile(r"grpo|组内(?:标准|归一)|group.?(?:norm|relative)", re.IGNORECASE)
_GROUP = re.compile(r"grpo|rloo|leave.one.out|留一|组内|同一个? ?(?:prompt|问题)|\bgroup\b|一组", re.IGNORECASE)
_NO_LIST = frozenset(["index", "tokens", "other"])
_RETURNS = ("returns", "mc_returns")
_IDLE = frozenset(["next_value", "log_ratio", "clipped_ratio"])  # read, so that they are taken for nothing else
_UNCLEAR = frozenset(
    ["scores", "rewards", "group_rewards", "terms", "unclipped", "clipped", "clipped_ratio", "objective_terms"]
)
_OF_GROUPS = frozenset(["rewards", "scores", "group_rewards", "advantages", "whitened", "baselines", "centered"])
_KINDS = ("k1", "k2", "k3", "abs")
_LAMBDA = re.compile(r"(?:λ|lam(?:bda)?) ?(?:=|:|is|取|为) ?(?P<x>\d*\.?\d+)", re.IGNORECASE)
_MONTE_CARLO = re.compile(r"monte|(?<![A-Za-z])mc(?![A-Za-z])|蒙特", re.IGNORECASE)


def named(sheet: Sheet) -> tuple[list[Named], list[Named]]:
    """Each series with what it may be, and the results that are stated once more under a name."""
    every = [(one, names) for one in sheet.series if (names := _names(one)) and names[0] not in _NO_LIST]
    return _stated_again(_distinct(_hatted(every)))


def _hatted(named: list[Named]) -> list[Named]:
    """Â beside A is the whitened one."""
    raw = any(names[0] == "advantages" and "Â" not in one.label for one, names in named)
    own = any(names[0] == "whitened" for _, names in named)
    return [
        (one, ("whitened",) if raw and not own and names[0] == "advantages" and "Â" in one.label else names)
        for one, names in named
    ]


def _distinct(named: Sequence[Named]) -> list[Named]:
    """Without what is said again: the same numbers under the same name."""
    kept: list[Named] = []
    for one, names in named:
        again = any(
            names[0] == other[0] and one.values == known.values and _same_places(one, known) for known, other in kept
        )
        kept += [] if again else [(one, names)]
    return kept


def _stated_again(named: list[Named]) -> tuple[list[Named], list[Named]]:
    """Results of which other numbers are stated under the same name: each is checked."""
    first: dict[str, Series] = {}
    kept: list[Named] = []
    again: list[Named] = []
    for one, names in sorted(named, key=lambda pair: -len(pair[0].cells)):
        known = first.get(names[0])
        part = known is not None and len(one.indices) < len(known.cells) and bool(one.indices)
        whole = known is not None and names[0] in RESULTS and (one.indices or len(known.cells) == len(one.cells))
        if part or whole:
            again.append((one, names))
        else:
            first.setdefault(names[0], one)
            kept.append((one, names))
    return kept, again


def _same_places(one: Series, other: Series) -> bool:
    whole = {(), *(tuple(range(first, first + len(one.cells))) for first in (0, 1))}
    return one.indices == other.indices or {one.indices, other.indices} <= whole


def swept(sheet: Sheet) -> bool:
    """Whether lists are told apart by their λ."""
    said = {float(found["x"]) for one in sheet.series if (found := _LAMBDA.search(one.label))}
    return len(said) > 1 or bool(said - {sheet.settings.get("lam")})


def _names(one: Series) -> tuple[str, ...]:
    return meanings(one.label) or (named_last(one.label) if one.prose else ())


def choices(sheet: Sheet, named: Sequence[Named]) -> Iterator[dict[str, Series]]:
    """Every way to name the series with no name twice, the likeliest first."""
    options = _options(sheet, named)
    apart = _distinct_possible(options)
    ways = (way for way in islice(_ranked(options), MOST * 8) if not apart or _all_differ(way))
    for names in islice(ways, MOST):
        found: dict[str, Series] = {}
        for name, (one, _) in zip(names, named, strict=True):
            found.setdefault(name, one)
        yield _as_meant({name: one for name, one in found.items() if name not in _IDLE})


def _options(sheet: Sheet, named: Sequence[Named]) -> list[tuple[str, ...]]:
    """What each series may be called in the company of the others."""
    of_groups = all(_OF_GROUPS & {names[0], *(names if "group_rewards" in names else ())} for _, names in named)
    spread = "std_sample" in sheet.single and any("group_rewards" in names for _, names in named)
    grouped = of_groups and (spread or _GROUP.search(sheet.text) is not None)
    called = [_regrouped(names) if grouped else names for _, names in named]
    first = Counter(names[0] for names in called)
    options = [_open(names, first) for names in called]
    options = [_RETURNS if _reckoned(one, own) else own for (one, _), own in zip(named, options, strict=True)]
    if "mc_returns" in first and not {"deltas", "returns"} & first.keys() and _MONTE_CARLO.search(sheet.text):
        options = [("mc_advantages",) if names[0] == "advantages" else names for names in options]
    if not of_groups:
        options = [tuple(name for name in names if name != "group_rewards") or names for names in options]
    return options


def _ranked(options: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """All ways to choose, those with the first choices first; only these where there are too many."""
    if _count(options) > WIDEST:
        yield tuple(names[0] for names in options)
        return
    for ranks in sorted(product(*(range(len(names)) for names in options)), key=sum):
        yield tuple(names[k] for names, k in zip(options, ranks, strict=True))


def _all_differ(names: Sequence[str]) -> bool:
    counted = [name for name in names if name not in _IDLE]
    return len({*counted}) == len(counted)


def _open(names: tuple[str, ...], first: Mapping[str, int]) -> tuple[str, ...]:
    """What a label may name here: what it says, where it says one thing and nothing else says the same. Where there is
    nothing but returns, R may be the rewards."""
    unclear = names[0] in _UNCLEAR or first[names[0]] > 1 or first.keys() <= {*_RETURNS}
    return names if unclear else names[:1]


def _reckoned(one: Series, names: tuple[str, ...]) -> bool:
    """Returns whose lines are written out: the lines show which returns they are."""
    return names == _RETURNS[:1] and sum(cell is not None and cell.made is not None for cell in one.cells) > 1


def _as_meant(choice: dict[str, Series]) -> dict[str, Series]:
    """Names that say more than they mean where their counterpart is not there: an old value without a new one."""
    has = choice.keys()
    renamed: dict[str, str] = {}
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
    return any(_all_differ(names) for names in islice(product(*options), WIDEST))


def _regrouped(names: tuple[str, ...]) -> tuple[str, ...]:
    """In a group of responses rewards and scores are the group's; what is normalised are its advantages."""
    if "group_rewards" in names:
        return tuple(dict.fromkeys(("group_rewards", *names)))
    return tuple(dict.fromkeys(("advantages", *names))) if names[0] == "whitened" else names


def quantities(sheet: Sheet, choice: Mapping[str, Series]) -> tuple[str | None, ...]:
    if "group_rewards" not in choice:
        return (None,)
    rloo, grpo = RLOO.search(sheet.text), GRPO.search(sheet.text)
    if "baselines" in choice or (rloo and not grpo):
        return ("rloo",)
    return ("grpo",) if grpo and not rloo else ("grpo", "rloo")
