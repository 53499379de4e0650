"""A message that states results, beside the numbers that they follow from: what is given, and what is to be checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.example import RUNNING
from engine.quantities import LOGARITHMS
from engine.scenario import PARAMETERS, Scenario, scenario
from prompts.read.beside import FIELDS, Beside
from prompts.read.characters import clean
from prompts.read.numbers import read_numbers
from prompts.read.numbers.claims import outcomes
from prompts.read.numbers.cues import says
from prompts.read.numbers.results import Result, results
from prompts.read.numbers.spelling import plainly
from prompts.read.placing import Placed, placed

_REQUEST = re.compile(
    r"\b(?:compute|calculate|work (?:it )?out|find|derive|show|tell|what|how|which|why|explain|give me|can you"
    r"|could you|run|please|if)\b|多少|怎么|怎样|如何|什么|几何|为何|请|帮我|帮忙|求|算一下"
    r"|如果|假如|给出(?! ?\[)|解释|是不是应该",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？]|吗|么\b|对不对|是否")
_RATIO = frozenset(["ratio", "new_logp"])
_OTHER_NAMES = {"kl_values": ("kl", "k1"), "mean": ("mean",), "std_sample": ("std_sample",)}
NOTHING = Beside()


@dataclass(frozen=True)
class Statement:
    """The numbers to compute from, as they were given, and what is stated of them, in the order of the text."""

    given: Mapping[str, Any]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...] = ()


def statement(message: str, beside: Beside | None) -> Statement | None:
    """What a message states of the numbers beside it, or of its own; None where nothing of it can be checked."""
    text = plainly(clean(message))
    set_beside = beside or NOTHING
    found = results(text)
    if not found or not _states(text, with_numbers=beside is not None):
        return None
    stated = _stated(found, set_beside.inputs)
    rest = _without(text, stated)
    own = _numbers_of(rest)
    given = {**own, **set_beside.inputs, **{name: x for name, x in own.items() if name in PARAMETERS}}
    for source in _sources(stated, given):
        read = _read({**given, **source}, stated)
        if read is not None:
            return read
    return None


def _states(text: str, *, with_numbers: bool) -> bool:
    """Whether a message says something, and does not ask for it."""
    doubted = says("audit", text)
    if _REQUEST.search(text) and not (with_numbers and doubted):
        return False
    return with_numbers or not (doubted or _ASKED.search(text))


def _stated(found: Sequence[Result], inputs: Mapping[str, Any]) -> tuple[Result, ...]:
    """Those that follow from the numbers beside the message and from the others."""
    given = {name for name in inputs if name in FIELDS}
    follows = outcomes(given | {name for one in found for name in one.names})
    follows |= {name for name, logarithm in LOGARITHMS.items() if logarithm in given}
    named = [replace(one, names=()) if one.leads and not follows & {*one.names} else one for one in found]
    return tuple(one for one in named if not one.names or follows & {*one.names})


def _without(text: str, stated: Sequence[Result]) -> str:
    """The text without what is stated; the settings and the lists inside stay."""
    pieces: list[str] = []
    position = 0
    for one in stated:
        pieces += [text[position : one.start], " ", ", ".join(text[a:b] for a, b in one.kept), " "]
        position = max(position, one.end)
    return "".join([*pieces, text[position:]])


def _numbers_of(text: str) -> dict[str, Any]:
    """Lists and parameters of the text; single numbers of lists are talk."""
    numbers = read_numbers(text)
    if numbers.error is not None:
        return {}
    return {name: x for name, x in numbers.params.items() if name in PARAMETERS or name not in numbers.mentions}


def _sources(stated: Sequence[Result], given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What the unnamed lists of a statement are: what is averaged or whitened. Several: each may be meant."""
    lists = [source.value for one in stated for source in one.sources]
    if not lists or any(isinstance(given.get(name), list) for name in ("rewards", "scores", "new_logp", "ratio")):
        return [{}]
    return [{"advantages": source} for source in lists]


def _read(given: Mapping[str, Any], stated: Sequence[Result]) -> Statement | None:
    """The statement on these numbers, if they are sound and have what is stated."""
    try:
        own = scenario(given)
    except EngineError:
        return None
    borrowed = {name: x for name, x in RUNNING.given().items() if name in PARAMETERS and name not in own.given()}
    base = own.merged(borrowed)
    known = [(one, fact) for one in stated if (fact := _fact(base, one)) is not None]
    if not known:
        return None
    found: Placed = placed(known)
    return Statement(given, found.claims, found.notes) if found.claims else None


def _fact(base: Scenario, one: Result) -> tuple[str, Any] | None:
    """What is stated, under the name of the first fact that it can be, and the fact."""
    for name in one.names or _leads_to(base):
        name = "objective" if name == "mean" and _RATIO & base.given().keys() else name
        for other in _OTHER_NAMES.get(name, (name,)):
            found = computed(base, other)
            if found is not None:
                return found.name, found.facts.exact[found.name]
    return None


def _leads_to(base: Scenario) -> tuple[str, ...]:
    """What numbers are taken for that are given as the outcome, and no more is said."""
    own = base.given().keys()
    cases = (
        ("objective_terms", _RATIO & own and "advantages" in own),
        ("advantages", "values" in own and own & {"rewards", "scores"}),
        ("rewards", "scores" in own),
        ("mc_returns", "rewards" in own),
        ("advantages", "group_rewards" in own),
    )
    return tuple(name for name, leads in cases if leads)[:1]
