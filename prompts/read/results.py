"""A message that states results, beside the numbers that they follow from: what is given, and what is to be checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.audits import Claim, audit
from engine.computing import computed
from engine.errors import EngineError
from engine.example import RUNNING
from engine.notation import show
from engine.quantities import LOGARITHMS
from engine.scenario import PARAMETERS, PER_TOKEN, Scenario, scenario
from prompts.read.beside import FIELDS, Beside
from prompts.read.characters import clean
from prompts.read.handing import wants_the_same
from prompts.read.leaning import says_little
from prompts.read.memory import on_its_own
from prompts.read.numbers import read_numbers
from prompts.read.numbers.claims import outcomes
from prompts.read.numbers.cues import says
from prompts.read.numbers.heads import STATISTICS
from prompts.read.numbers.results import Result, results
from prompts.read.numbers.spelling import plainly
from prompts.read.placing import Placed, agrees, placed
from prompts.read.statement import Statement

_ASKS_FOR = re.compile(
    r"(?:^|[.;,:!?\n] ?|\b(?:and|please|then|to|you|me|now) )"
    r"(?:compute|calculate|work out|find|derive|show|tell|explain|give me|run|print|plot|set|let|make|change|replace"
    r"|take|use|suppose|assume|whiten|normali[sz]e|append|drop)\b|改成|改为|换成|设成|设为|假设"
    r"|帮我|帮忙|请(?!问)|求(?!和)|算一下|算算|计算(?!出|得|的|结果)|解释|画",
    re.IGNORECASE,
)
_WHAT = re.compile(r"\b(?:what|how|which|why)\b|多少|怎么|怎样|如何|什么|为何|为啥|哪", re.IGNORECASE)
_WHY = re.compile(r"^\W*(?:but |so )?(?:why|how come)\b|为什么|为何|为啥|怎么(?:会|来|得)", re.IGNORECASE)
_ASKED = re.compile(r"[?？]|吗|么\b|对不对|是否")
_LAMBDA_RETURN = re.compile(r"λ ?- ?returns?\b", re.IGNORECASE)
_WORKS_ON = re.compile(
    r"\b(?:whiten|normali[sz]e|standardi[sz]e|clip|average|use|take|set|let|suppose|assume|given|with|for)\b"
    r"|白化(?!后)|标准化(?!后)|归一化(?!后)|裁剪(?!后)|用|取|设|对|把|将|给定|改|换",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:both|each|all|either)\b|都|均|各自|分别", re.IGNORECASE)
_RESTATED = frozenset(["rewards", "values"])
_RATIO = frozenset(["ratio", "new_logp"])
_OTHER_NAMES = {"kl_values": ("kl", "k1"), "mean": ("mean",), "std_sample": ("std_sample",)}


def statement(message: str, beside: Beside | None, earlier: Mapping[str, Any] | None = None) -> Statement | None:
    """What a message states of the numbers beside it, of its own, or of earlier ones; None where nothing of it can be
    checked."""
    text = read_as(message)
    earlier = None if on_its_own(read_numbers(text)) else earlier  # the lists that a message brings are meant
    every = results(text)
    doubts_more = bool(_ASKED.search(text)) and _on_earlier(earlier, _numbers_of(_without(text, every)))
    found = _meant(text, every, with_numbers=beside is not None or doubts_more)
    own = _numbers_of(_without(text, found)) if found else {}
    spoken_of = beside is not None or _on_earlier(earlier, own) or _without_values(found, own)
    if not found or not _states(text, found, with_numbers=spoken_of):
        return None
    inputs: Mapping[str, Any] = {}
    if beside is not None:
        inputs = {name: x for name, x in beside.inputs.items() if name in FIELDS}
    if beside is None and earlier and not any(isinstance(x, list) for x in own.values()):
        inputs = {} if says("hard_change", text) else earlier
    restated = {*inputs} & _RESTATED if beside is not None else set()
    stated = _stated(found, {*inputs, *own}, restated)
    own = _numbers_of(_without(text, stated))
    given = {**inputs, **own}
    read = [_read({**given, **source}, stated, own) for source in _sources(stated, given)]
    possible = [one for one in read if one is not None]
    if len(possible) > 1 and _EACH.search(text):  # of both lists the one that it is wrong of
        possible.sort(key=lambda one: not audit(scenario(one.given), one.claims).wrong)
    return possible[0] if possible else None


def read_as(message: str) -> str:
    """The text in which results are looked for."""
    return _LAMBDA_RETURN.sub("lambda return", plainly(clean(message)))


def _on_earlier(earlier: Mapping[str, Any] | None, own: Mapping[str, Any]) -> bool:
    """Whether a message brings no list to compute with where there are earlier ones: is A_1 .58?"""
    there = any(isinstance(x, list | tuple) for name, x in (earlier or {}).items() if name in PER_TOKEN)
    return there and not any(isinstance(x, list) for x in own.values())


def _without_values(found: Sequence[Result], own: Mapping[str, Any]) -> bool:
    """Whether returns are stated of rewards at λ = 1, where no value has a part in them."""
    named = {name for one in found for name in one.names} | {*own}
    return {"returns", "rewards"} <= named and "values" not in named and own.get("lam") == 1


def _meant(text: str, found: Sequence[Result], *, with_numbers: bool) -> Sequence[Result]:
    """Lists that only have a name are stated where they are doubted, or where nothing else is said."""
    alone = says_little(_without(text, found)) and not _WORKS_ON.search(text)
    bare = with_numbers and (alone or says("audit", text))
    return found if bare else [one for one in found if not one.bare]


def _states(text: str, found: Sequence[Result], *, with_numbers: bool) -> bool:
    """Whether a message says something, or asks whether it is so, and does not ask for it."""
    doubted = says("audit", text)
    if (_asks_otherwise(text) or wants_the_same(text)) and not (with_numbers and doubted):
        return False
    of_a_list = any(one.kept and STATISTICS & {*one.names} for one in found)
    return with_numbers or of_a_list or not (doubted or _ASKED.search(text))


def _asks_otherwise(text: str) -> bool:
    """Whether a message wants something done, or a question answered that yes and no do not answer."""
    return bool(_ASKS_FOR.search(text) or _WHY.search(text) or (_ASKED.search(text) and _WHAT.search(text)))


def _stated(found: Sequence[Result], names: set[str], restated: set[str]) -> tuple[Result, ...]:
    """Those that follow from the numbers beside the message and from the others, and single ones of these numbers."""
    given = {name for name in names if name in FIELDS}
    follows = outcomes(given | {name for one in found for name in one.names})
    follows |= {name for name, logarithm in LOGARITHMS.items() if logarithm in given}
    named = [replace(one, names=()) if one.leads and not follows & {*one.names} else one for one in found]
    single = [bool((one.index or one.at is not None) and restated & {*one.names}) for one in named]
    return tuple(one for one, of in zip(named, single, strict=True) if not one.names or of or follows & {*one.names})


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


def _read(given: Mapping[str, Any], stated: Sequence[Result], own: Mapping[str, Any]) -> Statement | None:
    """The statement on these numbers, if they are sound and have what is stated."""
    swept = _sweep(stated)
    if swept is not None:
        given = {**{name: x for name, x in given.items() if name != "lam"}, "lams": [lam for lam, _ in swept]}
    try:
        base = _complete(scenario(given))
    except EngineError:
        return None
    if swept is not None:
        return Statement(given, (_as_sweep(swept),)) if base.values is not None else None
    known = [(one, fact) for one in stated if (fact := _fact(base, one, own)) is not None]
    found: Placed = placed(known)
    return Statement(given, found.claims, found.notes) if found.claims else None


def _complete(own: Scenario) -> Scenario:
    given = own.given()
    return own.merged({name: x for name, x in RUNNING.given().items() if name in PARAMETERS and name not in given})


def _fact(base: Scenario, one: Result, own: Mapping[str, Any]) -> tuple[str, Any] | None:
    """What is stated, under the name of the first fact that it can be, and the fact."""
    for name in one.names or _leads_to(base):
        name = "objective" if name == "mean" and _RATIO & base.given().keys() else name
        for other in _OTHER_NAMES.get(name, (name,)):
            found = computed(base, other)
            if found is not None:
                fact = found.name, found.facts.exact[found.name]
                return _monte_carlo(base, one, own) or fact if other == "returns" and not agrees(one, fact[1]) else fact
    return None


def _monte_carlo(base: Scenario, one: Result, own: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Returns where only γ was spoken of may be the discounted ones; they are, where that makes them right."""
    if "gamma" not in own or "lam" in own:
        return None
    found = computed(base, "mc_returns")
    fact = found.facts.exact["mc_returns"] if found is not None else None
    return ("mc_returns", fact) if fact is not None and agrees(one, fact) else None


# ---------------------------------------------------------------- several λ


def _sweep(stated: Sequence[Result]) -> list[tuple[float, Result]] | None:
    """Advantages at two or more λ, each with its own: λ=0: […]; λ=1: […]."""
    found = [(dict(one.settings).get("lam"), one) for one in stated]
    lams = [(lam, one) for lam, one in found if lam is not None and isinstance(one.value, list)]
    plain = all(not one.names or one.names == ("advantages",) for _, one in lams)
    distinct = len({lam for lam, _ in lams}) == len(lams) == len(stated) > 1
    return lams if plain and distinct else None


def _as_sweep(swept: Sequence[tuple[float, Result]]) -> Claim:
    shown = max(one.decimals for _, one in swept)
    places = tuple(place for _, one in swept for place in one.places)
    return Claim("sweep", {show(lam).text: one.value for lam, one in swept}, shown, None, places)


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
