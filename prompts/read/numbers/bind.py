"""Groups to names: what stands before a list, behind it, in a call, or in a chain of names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from prompts.read.numbers.groups import Group, Grouping
from prompts.read.numbers.tokens import Token

SCALARS = frozenset(["gamma", "lam", "beta", "eps", "eps_low", "eps_high", "cliprange_value"])
LISTS = frozenset(
    "rewards scores values old_values vpreds returns advantages logp ref_logp new_logp old_logp kl_values ratio mask group_rewards".split()
)
FURTHEST = 14  # tokens between a list and its name

_CALLS = {
    "gae": ("rewards", "values", "gamma", "lam"),
    "compute_gae": ("rewards", "values", "gamma", "lam"),
    "compute_gae_advantage_return": ("rewards", "values", "mask", "gamma", "lam"),
    "nstep": ("rewards", "values"),
    "discounted": ("rewards", "gamma"),
    "reward_to_go": ("rewards", "gamma"),
    "rewards_to_go": ("rewards", "gamma"),
    "discount_cumsum": ("rewards", "gamma"),
    "whiten": ("advantages", "mask"),
    "masked_whiten": ("advantages", "mask"),
    "whitening": ("advantages", "mask"),
    "normalize": ("advantages", "mask"),
    "masked_mean": ("advantages", "mask"),
    "grpo": ("group_rewards",),
    "rloo": ("group_rewards",),
    "kl_penalty": ("logp", "ref_logp"),
    "compute_value_loss": ("vpreds", "returns", "old_values"),
    "compute_policy_loss": ("old_logp", "new_logp", "advantages", "mask", "eps"),
}
_WRAPPERS = re.compile(r"(?:\w+\.)?(?:tensor|array|asarray|list|Tensor|FloatTensor|tuple|as_tensor|stack|cat)$")
_LINKS = frozenset(
    "is are was were be of at as to equals equal with the a an these my following set taken about around being becomes become now both all"
    " each respectively only just said says guessed gives gave predicted predicts estimates coefficient from over in for use used using"
    " take let say fixed still instead back down up changed change made make by values value factor parameter were come came out"
    " reads read shows show array list tensor vector than goes go did get gets got not me my its it's some one last final token end"
    .split()
)  # fmt: skip
_LINK_ENDINGS = "取为是用设成到约值给等于了说估报就全都各有最高低上下调改变换只才共近选按的分后仅剩拿得"
_FORMULA = frozenset(["number", "operator", "open", "close", "name", "equals", "sign", "quote", "comma"])
_COMPARISONS = ("大于", "小于", "高于", "低于", "不等于", "多于", "少于", "不是", "接近")
_STEP_BACK = frozenset(["quote", "equals", "arrow", "other", "dots"])
_RESULT = re.compile(
    r"(?:(?:得|得到|得出|得了|结果|算出|算出来|算得|返回|输出|给出|答案|写)(?:是|为|成)?|gives?|gave|got|get|getting|obtain(?:ed)?|result|results|output|returns?|giving"
    r"|yields?|received|算成)$"
)
_AFTER = frozenset(
    [
        "as",
        "for",
        "are",
        "is",
        "是",
        "作为",
        "为",
        "的",
        "being",
        "were",
        "was",
        "这是",
        "当",
        "当作",
        "做",
        "分别是",
        "to",
    ]
)


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
    arguments = _call_arguments(tokens, grouping)
    bindings: list[Binding] = []
    loose: list[tuple[Group, bool]] = []
    queue: list[int] = []  # names of a chain that wait for their lists
    edge = -1
    for g, found in enumerate(grouping.groups):
        following = grouping.groups[g + 1].first if g + 1 < len(grouping.groups) else len(tokens)
        if found.first in arguments:
            bindings.append(Binding(arguments[found.first], found.value, found))
            edge = found.last
            continue
        place = _labelled(tokens, grouping, found)
        place = _before(tokens, edge + 1, found) if place is None else place
        queue = queue if place is None and _contiguous(tokens, edge + 1, found.first - 1) else []
        if place is None and queue:
            bindings.append(_binding(tokens, queue.pop(0), found))
        elif place is None:
            behind = _behind(tokens, found, following)
            if behind is None:
                loose.append((found, _is_result(tokens, edge + 1, found.first - 1)))
            else:
                bindings.append(_binding(tokens, behind, found))
                edge = behind
                continue
        else:
            named, queue = _chained(tokens, place, edge + 1, found)
            bindings += named
        edge = found.last
    return Bound(tuple(bindings), tuple(loose))


def _binding(tokens: list[Token], place: int, found: Group, value: Any = None) -> Binding:
    sense = tokens[place].sense
    assert sense is not None, "only names are bound"
    return Binding(
        sense.meaning, found.value if value is None else value, found, tokens[place].index, sense.weak, place
    )


# ---------------------------------------------------------------- the name before


def _before(tokens: list[Token], low: int, found: Group) -> int | None:
    """The token that names a group, looking back from it."""
    words = commas = 0
    j = found.first - 1
    stop = max(low, found.first - FURTHEST)
    while j >= stop:
        token = tokens[j]
        if token.kind == "name":
            if _names(tokens, j, found):
                return j
            if found.scalar and token.index == "t":
                return None
            if _in_expression(tokens, j):
                return (
                    _before_expression(tokens, low, j)
                    if tokens[found.first - 1].kind == "equals" or found.scalar
                    else None
                )
        elif token.kind == "word" and _WRAPPERS.match(token.text):
            pass
        elif token.kind == "word":
            words += 1 if token.text.isascii() else 1 + len(token.text) // 8
            if (found.scalar and not _links(token.text)) or words > (4 if found.scalar else 7):
                return None
        elif token.kind == "open":
            wrapped = j > 0 and tokens[j - 1].kind == "word" and _WRAPPERS.match(tokens[j - 1].text)
            labelled = token.text == "("
            if not wrapped and not (labelled and j > 0 and tokens[j - 1].kind in ("name", "open") and not found.scalar):
                return None
        elif token.kind == "comma":
            commas += 1
            if found.scalar or commas > 1 or tokens[found.first].text != "[" or token.text == ";":
                return None
        elif token.kind == "newline":
            if j != found.first - 1 or (j > stop and tokens[j - 1].kind not in ("name", "equals", "newline")):
                return None
        elif token.kind in ("number", "operator", "close"):
            if found.scalar:
                return _before_expression(tokens, low, j) if tokens[found.first - 1].kind == "equals" else None
            if token.kind == "operator" and token.text != "|":
                return None
        elif token.kind not in _STEP_BACK:
            return None
        elif token.kind == "arrow" and not (j > 0 and tokens[j - 1].kind == "name") and token.text != "∈":
            return None
        j -= 1
    return None


def _labelled(tokens: list[Token], grouping: Grouping, found: Group) -> int | None:
    """A(λ=1) [0.5, 0.41]: the name stands before a remark in parentheses."""
    opening = grouping.opening.get(found.first - 1)
    if opening is None or found.scalar or opening == 0 or tokens[opening - 1].kind != "name":
        return None
    return opening - 1 if _names(tokens, opening - 1, found) else None


def _names(tokens: list[Token], j: int, found: Group) -> bool:
    """Whether a name may name this group."""
    token = tokens[j]
    sense = token.sense
    assert sense is not None, "only names are asked"
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    beside = after is not None and (after.kind == "equals" or j + 1 == found.first)
    if sense.meaning == "other":
        return found.scalar and not found.bracketed
    if (
        sense.meaning == "tokens"
        or (sense.weak and found.scalar and not beside)
        or (sense.tight and not _tied(token, after))
    ):
        return False
    if (
        token.text == "A"
        and after is not None
        and after.kind == "word"
        and after.text.isascii()
        and after.text.lower() not in _LINKS
    ):
        return False
    if found.scalar and token.index == "t":
        return False
    if sense.meaning in SCALARS and not found.scalar and token.index is not None:
        return False
    return not _in_expression(tokens, j)


def _tied(token: Token, after: Token | None) -> bool:
    """A one-letter name counts before an = sign; b, which nothing else is called, before its number too."""
    return after is not None and (after.kind == "equals" or (token.text == "b" and after.kind == "number"))


def _in_expression(tokens: list[Token], j: int) -> bool:
    """A name beside an operator, or glued to another name or a number, is part of a formula."""
    before = tokens[j - 1] if j else None
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    if before and before.kind == "operator" and before.text not in "|/":
        return True
    if after and after.kind == "operator" and after.text not in "|/":
        return True
    if not tokens[j].text.isascii() and len(tokens[j].text) > 1:
        return False
    glued = (("name", "number"), before, tokens[j].start), (("name",), after, tokens[j].end)
    (kinds, left, at), (after_kinds, right, ends) = glued
    return bool(
        (left and left.kind in kinds and left.end == at and tokens[j].text not in ("lam", "eps", "beta"))
        or (right and right.kind in after_kinds and right.start == ends)
    )


def _before_expression(tokens: list[Token], low: int, j: int) -> int | None:
    """NAME = 0.9*0.6 - 0.5 = 0.04: the name before the first = sign, when only an expression lies between."""
    stop = max(low, j - 40)
    while j > stop and tokens[j].kind in _FORMULA:
        if tokens[j].kind == "equals" and tokens[j - 1].kind == "name" and not _in_expression(tokens, j - 1):
            return j - 1 if tokens[j - 1].index != "t" else None
        if tokens[j].kind == "name" and not _in_expression(tokens, j) and tokens[j].index != "t":
            return j
        j -= 1
    return None


def _links(word: str) -> bool:
    """Whether a word may stand between a parameter and its number."""
    if word.isascii():
        return word.lower() in _LINKS
    return len(word) <= 8 and word[-1] in _LINK_ENDINGS and not word.endswith(_COMPARISONS)


# ---------------------------------------------------------------- chains, calls, the name behind


def _chained(tokens: list[Token], place: int, low: int, found: Group) -> tuple[list[Binding], list[int]]:
    """γ=λ=1 · gamma, lam = 1, 0.95 · r, V = […], […]: bindings, and the names that wait for the next lists."""
    chain, joined, j = [place], "", place - 1
    while j > low and len(chain) < 6 and _joins_names(tokens[j]) and tokens[j - 1].kind == "name":
        chain.insert(0, j - 1)
        joined, j = joined + tokens[j].text, j - 2
    meanings = [t.sense.meaning for k in chain if (t := tokens[k]).sense]
    if len(chain) == 1 or any(tokens[k].index is not None for k in chain) or len(set(meanings)) < len(chain):
        return [_binding(tokens, place, found)], []
    scalar_names = all(m in SCALARS for m in meanings)
    if found.scalar:
        shared = scalar_names and (set(joined) <= {"="} or _shared(tokens, place, found.first))
        return [_binding(tokens, k, found) for k in (chain if shared or set(joined) <= {"="} else chain[-1:])], []
    if scalar_names and len(found.value) == len(chain):
        return [_binding(tokens, k, found, x) for k, x in zip(chain, found.value, strict=True)], []
    if scalar_names or not found.bracketed:
        return [_binding(tokens, place, found)], []
    return [_binding(tokens, chain[0], found)], chain[1:]


def _joins_names(token: Token) -> bool:
    return token.kind in ("comma",) or token.text in ("and", "和", "与", "=", "/", "&", "跟", "、")


def _shared(tokens: list[Token], place: int, end: int) -> bool:
    return any(t.kind == "word" and re.search(r"both|都|均|皆", t.text) for t in tokens[place + 1 : end])


def _contiguous(tokens: list[Token], first: int, last: int) -> bool:
    return all(t.kind in ("comma", "newline") or t.text in ("and", "和", "与") for t in tokens[first : last + 1])


def _behind(tokens: list[Token], found: Group, following: int) -> int | None:
    """The name that follows a group: [0,0,1] as rewards · 0.95 的 λ."""
    j, steps = found.last + 1, 0
    while (
        j < following
        and steps < 3
        and tokens[j].kind in ("word", "quote", "close")
        and (tokens[j].kind != "word" or tokens[j].text.lower() in _AFTER or tokens[j].text.lower() in ("the", "my"))
    ):
        j, steps = j + 1, steps + 1
    if j >= following or tokens[j].kind != "name" or _in_expression(tokens, j) or not _names(tokens, j, found):
        return None
    after = tokens[j + 1] if j + 1 < len(tokens) else None
    sense = tokens[j].sense
    if sense is not None and sense.weak:
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
        if tokens[j].kind == "word" and _RESULT.search(tokens[j].text.lower()):
            return True
    return False


def _call_arguments(tokens: list[Token], grouping: Grouping) -> dict[int, str]:
    """gae([0,0,1], [.5,.6,.9], 1, .95): the first token of each positional group, and the name of its place."""
    places = {g.first: g for g in grouping.groups}
    named: dict[int, str] = {}
    for i, token in enumerate(tokens[:-1]):
        call = token.text.rsplit(".", 1)[-1].lower()
        if call not in _CALLS or tokens[i + 1].text != "(" or tokens[i + 1].start != token.end:
            continue
        end = grouping.partner.get(i + 1, i + 1)
        j, slots = i + 2, list(_CALLS[call])
        if i + 1 in places and slots:
            named[i + 1] = slots[0]
        while j < end and slots:
            start = j
            while j < end and tokens[j].kind != "comma":
                if j in places:
                    keyword = any(t.kind == "equals" for t in tokens[start:j])
                    if not keyword:
                        named[j] = slots[0]
                    j = places[j].last
                elif tokens[j].kind == "open" and not (
                    tokens[j - 1].kind == "word" and _WRAPPERS.match(tokens[j - 1].text)
                ):
                    j = grouping.partner.get(j, j)
                j += 1
            slots, j = slots[1:], j + 1
    return named
