"""Groups to names: what stands before a list, behind it, or in a chain of names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from prompts.read.numbers.cues import AFTER, SCALARS, says
from prompts.read.numbers.grouping import Group, Grouping
from prompts.read.numbers.naming import in_expression, labelled, may_name, named_before
from prompts.read.numbers.token import Token

_RESULTS = frozenset(["advantages", "returns", "deltas"])  # wished for, behind two lists that nobody named


@dataclass(frozen=True)
class Binding:
    """One name and the numbers it was given."""

    name: str
    value: Any
    group: Group
    index: int | str | None = None
    weak: bool = False
    place: int = -1  # the name's token


@dataclass(frozen=True)
class Bound:
    bindings: tuple[Binding, ...]
    loose: tuple[tuple[Group, bool], ...]  # groups without a name, and whether they are introduced as results


def bind(tokens: list[Token], grouping: Grouping) -> Bound:
    """Every group with its name or among the loose ones, in the order of the text."""
    bindings: list[Binding] = []
    loose: list[tuple[Group, bool]] = []
    queue: list[int] = []  # names of a chain that wait for their lists
    edge = -1
    for g, found in enumerate(grouping.groups):
        following = grouping.groups[g + 1].first if g + 1 < len(grouping.groups) else len(tokens)
        place = labelled(tokens, grouping, found)
        place = named_before(tokens, edge + 1, found) if place is None else place
        queue = queue if place is None and _contiguous(tokens, edge + 1, found.first - 1) else []
        if place is None and queue:
            bindings.append(_binding(tokens, queue.pop(0), found))
        elif place is None:
            beside = bool(loose) and loose[-1][0].last == found.first - 1 and not loose[-1][0].scalar
            behind = _behind(tokens, found, following, beside=beside)
            if behind is None:
                loose.append((found, _is_result(tokens, edge + 1, found.first - 1)))
            else:
                bindings.append(_binding(tokens, behind, found))
                edge = behind
                continue
        else:
            named, queue = _chained(tokens, place, edge + 1, found, _lists_in_a_row(tokens, grouping.groups, g))
            bindings += named
        edge = found.last
    return Bound(tuple(bindings), tuple(loose))


def _binding(tokens: list[Token], place: int, found: Group, value: Any = None) -> Binding:
    sense = tokens[place].sense
    assert sense is not None, "only names are bound"
    return Binding(
        sense.meaning, found.value if value is None else value, found, tokens[place].subscript, sense.weak, place
    )


def _lists_in_a_row(tokens: list[Token], groups: tuple[Group, ...], g: int) -> int:
    """How many bracketed lists follow one another from a group on: r, V = […], […]."""
    count = 1
    while g + 1 < len(groups) and count < 6 and groups[g + 1].bracketed:
        if not _contiguous(tokens, groups[g].last + 1, groups[g + 1].first - 1):
            break
        g, count = g + 1, count + 1
    return count


def _chained(tokens: list[Token], place: int, low: int, found: Group, lists: int) -> tuple[list[Binding], list[int]]:
    """γ=λ=1 · gamma, lam = 1, 0.95 · r, V = […], […]: bindings, and the names that wait for the next lists."""
    chain, joined, j = [place], "", place - 1
    while j > low and len(chain) < 6 and _joins_names(tokens[j]) and tokens[j - 1].kind == "name":
        chain.insert(0, j - 1)
        joined, j = joined + tokens[j].text, j - 2
    meanings = [t.sense.meaning for k in chain if (t := tokens[k]).sense]
    of_one_token = {tokens[k].subscript for k in chain}
    if found.scalar and set(joined) == {"="} and len(of_one_token) == 1 and isinstance(of_one_token.pop(), int):
        return [_binding(tokens, k, found) for k in chain], []  # A_3 = δ_3 = 0.4
    if len(chain) == 1 or any(tokens[k].subscript is not None for k in chain) or len(set(meanings)) < len(chain):
        return [_binding(tokens, place, found)], []
    scalar_names = all(m in SCALARS for m in meanings)
    if found.scalar:
        shared = scalar_names and (set(joined) <= {"="} or _shared(tokens, place, found.first))
        return [_binding(tokens, k, found) for k in (chain if shared or set(joined) <= {"="} else chain[-1:])], []
    if scalar_names and len(found.value) == len(chain):
        return [_binding(tokens, k, found, x) for k, x in zip(chain, found.value, strict=True)], []
    if set(joined) <= {"="}:
        return [_binding(tokens, k, found) for k in chain], []
    if scalar_names or not found.bracketed:
        return [_binding(tokens, place, found)], []
    chain = chain[-lists:]
    return [_binding(tokens, chain[0], found)], chain[1:]


def _joins_names(token: Token) -> bool:
    return token.kind in ("comma",) or token.text in ("and", "和", "与", "=", "/", "&", "跟", "、")


def _shared(tokens: list[Token], place: int, end: int) -> bool:
    return any(t.kind == "word" and re.search(r"both|都|均|皆", t.text) for t in tokens[place + 1 : end])


def _contiguous(tokens: list[Token], first: int, last: int) -> bool:
    return all(t.kind in ("comma", "newline") or t.text in ("and", "和", "与") for t in tokens[first : last + 1])


def _behind(tokens: list[Token], found: Group, following: int, *, beside: bool) -> int | None:
    """The name that follows a group: [0,0,1] as rewards · 0.95 的 λ."""
    j, steps = found.last + 1, 0
    while (
        j < following
        and steps < 3
        and tokens[j].kind in ("word", "quote", "close")
        and (tokens[j].kind != "word" or tokens[j].text.lower() in AFTER)
    ):
        j, steps = j + 1, steps + 1
    if j >= following or tokens[j].kind != "name" or in_expression(tokens, j) or not may_name(tokens, j, found):
        return None
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    sense = tokens[j].sense
    if sense is not None and (sense.weak or (sense.meaning in _RESULTS and beside)):
        return None
    taken = after is not None and (after.kind in ("equals", "number", "open") or j + 1 == following)
    if taken or sense is None or (sense.meaning in SCALARS) != found.scalar:
        return None
    return j


def _is_result(tokens: list[Token], low: int, last: int) -> bool:
    """Whether a group is introduced as an outcome."""
    for j in range(last, max(low, last - 3) - 1, -1):
        if tokens[j].kind == "arrow":
            return True
        if tokens[j].kind == "word" and says("result", tokens[j].text):
            return True
    return False
