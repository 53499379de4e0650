"""A sheet as numbers to compute from and to check, under the reading of its names in which most of them are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from engine.audits import Claim
from engine.errors import EngineError
from engine.rates import agreement, fitted
from engine.scenario import PARAMETERS, Scenario, scenario
from prompts.read.numbers.sheet.cell import Cell, Series
from prompts.read.numbers.sheet.literals import CHAINED
from prompts.read.numbers.sheet.naming import Named, choices, named, quantities, swept
from prompts.read.numbers.sheet.roles import Roles, roles
from prompts.read.numbers.sheet.sheet import Sheet
from prompts.read.numbers.sheet.stated import claim, known_from, single
from prompts.read.numbers.sheet.tokens import BLANK_IS_ZERO, Tokens, tokens

MOST = 6  # ways to take settings of which several values are spoken of
LONGEST = 128  # tokens of a sheet that is read
SLIGHTLY = 0.001  # of a right number, for each reading that is likelier
_NOT_OF_DELTAS = frozenset(["deltas", "returns", "mc_returns", "whitened"])
_CLIPS = frozenset(["eps", "eps_low"])
_RATES = ("gamma", "lam", "beta")
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
    cut: bool = False  # the value after the end counts with the last reward


def fit(sheet: Sheet) -> Fitted | None:
    """The best reading; None where nothing is stated of anything that is given."""
    best: Fitted | None = None
    for one in _as_set(sheet):
        found = _fit(one)
        if found is not None and (best is None or found.right > best.right):
            best = found
        if best is None or best.right == best.total:
            break
    return best


def _as_set(sheet: Sheet) -> Iterator[Sheet]:
    """The sheet under each of its settings, where several values of one are spoken of: the likeliest first."""
    said = {name: sheet.said[name] for name in _RATES if len(sheet.said.get(name, ())) > 1}
    ways = product(*said.values())
    for values in islice(ways, MOST):
        yield replace(sheet, settings={**sheet.settings, **dict(zip(said, values, strict=True))})


def _fit(sheet: Sheet) -> Fitted | None:
    if any(len(one.cells) > LONGEST for one in sheet.series):
        return None
    series, again = named(sheet)
    if not series or sheet.batched or any(one.label == CHAINED for one in sheet.series) or swept(sheet):
        return None
    best: Fitted | None = None
    for rank, choice in enumerate(choices(sheet, series)):
        for quantity in quantities(sheet, choice):
            for found in _read(sheet, choice, quantity, again):
                if best is None or found.right - SLIGHTLY * rank > best.right:
                    best = found
        if best is not None and best.right == best.total >= max(len(one.cells) for one, _ in series):
            break
    return best


# ---------------------------------------------------------------- one reading


def _read(
    sheet: Sheet, named_so: Mapping[str, Series], quantity: str | None, again: Sequence[Named]
) -> Iterator[Fitted]:
    alone = {name: x for name, x in sheet.single.items() if not (name in _ALONE and "group_rewards" in named_so)}
    if _RATIO & named_so.keys() and "mean" in alone:  # of the terms
        alone["objective"] = alone.pop("mean")
    choice = _scored(sheet, _termed(named_so, alone))
    found = roles(choice, alone, clips=bool(_CLIPS & sheet.settings.keys()))
    if not found.given and "deltas" not in choice:
        return
    more = [(names[0], one) for one, names in again if names[0] in found.claimed]
    for over in tokens(choice, found.given.values(), [one for _, one in more]):
        with suppress(EngineError):
            own = _own(sheet, choice, found, over)
            results = [claim(fact, choice[name], over) for fact, name in _checkable(choice, found, over)]
            results += [claim(fact, one, over) for fact, one in more]
            results += [single(name, cell) for name, cell in alone.items()]
            begins = over.begins(choice[name] for name in _needed(choice, found))
            results = [part for one in results for part in known_from(begins, one)]
            ordered = tuple(sorted(results, key=lambda one: min(one.places, default=0)))
            if (made := _fitted(sheet, own, ordered, quantity, over)) is not None:
                yield made


def _fitted(
    sheet: Sheet, own: Scenario, claims: tuple[Claim, ...], quantity: str | None, over: Tokens
) -> Fitted | None:
    cut = bool(sheet.after) and own.rewards is not None
    unsaid = [name for name in _RATES if name not in sheet.settings and _matters(name, own)]
    rates = fitted(own, claims, unsaid, quantity)
    complete = own.merged(rates)
    right, total = agreement(complete, claims, quantity)
    if not total:
        return None
    return Fitted(complete.given(), claims, quantity, tuple(rates), right, total, over.first == 1, cut)


def _matters(rate: str, own: Scenario) -> bool:
    """Whether anything that can be computed turns on a rate."""
    if rate == "beta":
        return own.scores is not None and (own.kl_values is not None or own.ref_logp is not None)
    rewarded = own.rewards is not None or own.scores is not None
    return rewarded and (rate == "gamma" or own.values is not None)


def _termed(choice: Mapping[str, Series], alone: Mapping[str, Cell]) -> Mapping[str, Series]:
    """Clipped terms whose mean is the objective are its terms."""
    if "objective" not in alone or choice.keys() & {"objective_terms", "terms", "unclipped"}:
        return choice
    return {"objective_terms" if name == "clipped" else name: one for name, one in choice.items()}


def _scored(sheet: Sheet, choice: Mapping[str, Series]) -> Mapping[str, Series]:
    """With the one score of the response at its last token, where the rewards beside it follow from it."""
    if sheet.score is None or "rewards" not in choice or "scores" in choice or not _PENALTIES & choice.keys():
        return choice
    length = len(choice["rewards"].cells)
    cells = (*(Cell("", 0.0, 0, -1) for _ in range(length - 1)), Cell("", sheet.score, 0, -1))
    return {**choice, "scores": Series("score", cells)}


def _own(sheet: Sheet, choice: Mapping[str, Series], found: Roles, over: Tokens) -> Scenario:
    """What there is to compute from. TD errors alone are rewards before a critic that says 0."""
    given: dict[str, Any] = {parameter: over.whole(choice[name], parameter) for parameter, name in found.given.items()}
    if _grounded(choice, found):
        given = {"rewards": over.whole(choice["deltas"], "deltas"), "values": [0.0] * over.count}
    given |= {name: x for name, x in sheet.settings.items() if name in PARAMETERS}
    if sheet.after and "rewards" in given:
        if "gamma" not in sheet.settings:
            raise EngineError("missing", field="gamma")
        given["rewards"] = [*given["rewards"][:-1], given["rewards"][-1] + sheet.settings["gamma"] * sheet.after]
    if sheet.kl and "scores" in given and "kl_values" not in given:
        given["kl"] = sheet.kl
    return scenario(given)


def _grounded(choice: Mapping[str, Series], found: Roles) -> bool:
    """Whether the stated TD errors are all that there is to compute from."""
    return "deltas" in choice and not {"rewards", "scores"} & {*found.given, *found.claimed}


def _needed(choice: Mapping[str, Series], found: Roles) -> list[str]:
    """The lists that have to be known of a token for its results to be checked."""
    return ["deltas"] if _grounded(choice, found) else [x for p, x in found.given.items() if p not in BLANK_IS_ZERO]


def _checkable(choice: Mapping[str, Series], found: Roles, over: Tokens) -> list[tuple[str, str]]:
    """The results that can be checked; a list of another length only where it stands as a list."""
    left_out = _NOT_OF_DELTAS if _grounded(choice, found) else frozenset[str]()
    return [
        (fact, name)
        for fact, name in found.claimed.items()
        if fact not in left_out
        and (choice[name].indices or not choice[name].prose or len(choice[name].cells) == over.count)
    ]
