"""What numbers are a result of: the head of the clause before them, or what they are said to be behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prompts.read.numbers.cues import SCALARS
from prompts.read.numbers.grouping import Group, Grouping
from prompts.read.numbers.token import Token

NAMES_NOTHING = frozenset(["tokens", "other", "length", "next_value", "log_ratio"])
STATISTICS = frozenset(["whitened", "mean", "std", "std_sample", "std_population", "delta_sum", "advantage_sum"])
# What is computed where only the sides of an equation are named.
_EXPRESSIONS = {
    ("advantages", "+", "values"): "returns",
    ("values", "+", "advantages"): "returns",
    ("mc_returns", "-", "values"): "mc_advantages",
    ("returns", "-", "values"): "advantages",
    ("logp", "-", "ref_logp"): "kl_values",
    ("old_logp", "-", "ref_logp"): "kl_values",
}
_OWNING = re.compile(r"的|'s\b")


def can_be_stated(token: Token) -> bool:
    sense = token.sense
    return sense is not None and sense.meaning not in SCALARS | NAMES_NOTHING and not (sense.weak or sense.tight)


def heads(text: str, tokens: list[Token], low: int, copula: int, sources: Sequence[Group]) -> list[int]:
    """The tokens that name what is stated: the first side of an equation, its head; several sides name several."""
    sides: list[list[int]] = [[]]
    depth = 0
    for j in range(low, copula):
        token = tokens[j]
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "equals" and depth <= 0 and sides[-1]:
            sides.append([])
        elif token.kind != "name" or (depth > 0 and not (sides[-1] and tokens[j - 1].kind == "open")):
            continue
        elif can_be_stated(token) and not _names_a_source(tokens, j, sources):
            sides[-1].append(j)
    sides = [side for side in sides if side]
    if (
        len(sides) > 1
        and sides[-1][-1] == copula - 1
        and tokens[copula - 2].kind in ("name", "word", "number", "close")
    ):
        return [copula - 1]  # kl = k1 values = […]: two settings, and no equation
    found = [_head(text, tokens, side) for side in sides[:1]]
    return [head for head in found if head is not None]


def _head(text: str, tokens: list[Token], side: list[int]) -> int | None:
    """The whitened advantages · 优势的均值 · mean(A): a statistic before what it is of, in Chinese what stands last."""
    statistic = next((j for j in side if _sense(tokens, j) in STATISTICS), None)
    if statistic is not None:
        return statistic
    pair = side[:2]
    if len(pair) == 2 and pair[1] - pair[0] == 2 and tokens[pair[0] + 1].kind == "operator":
        return pair[0] if expression(tokens, pair[0]) else None
    if tokens[side[0] - 1].kind == "operator" and side[0] and tokens[side[0] - 1].text not in "|/":
        return None
    if len(side) > 1 and _OWNING.search(text[tokens[side[0]].end : tokens[side[-1]].start]):
        return side[-1]
    return side[0] if tokens[side[0] + 1].kind != "operator" else None


def expression(tokens: list[Token], j: int) -> str | None:
    if j + 2 >= len(tokens) or tokens[j + 1].kind != "operator" or tokens[j + 2].kind != "name":
        return None
    return _EXPRESSIONS.get((_sense(tokens, j), tokens[j + 1].text, _sense(tokens, j + 2)))


def meaning(tokens: list[Token], j: int) -> str:
    name = expression(tokens, j) or _sense(tokens, j)
    return "std_sample" if name == "std" else name


def _sense(tokens: list[Token], j: int) -> str:
    sense = tokens[j].sense
    return sense.meaning if sense is not None else ""


def _names_a_source(tokens: list[Token], j: int, sources: Sequence[Group]) -> bool:
    """V = [0.3, 0.4] before the result is a list that it follows from."""
    for source in sources:
        between = tokens[j + 1 : source.first]
        linked = all(t.kind == "equals" or t.text.lower() in ("is", "are", "是", "为") for t in between)
        if j < source.first and linked and _sense(tokens, j) not in STATISTICS:
            return True
    return False


def unnamed(tokens: list[Token], source: Group) -> bool:
    before = tokens[source.first - 1] if source.first else None
    return before is None or before.kind not in ("equals", "name") or _sense(tokens, source.first - 1) in STATISTICS


def behind(tokens: list[Token], numbers: Group, grouping: Grouping, g: int) -> list[str]:
    """[…] = A^MC, and […] are the discounted cumulative rewards: what a result is said to be."""
    following = grouping.groups[g + 1].first if g + 1 < len(grouping.groups) else len(tokens)
    j = numbers.last + 1
    while j < min(following, numbers.last + 4) and tokens[j].kind == "word" and tokens[j].text.lower() in _BEING:
        j += 1
    linked = j > numbers.last + 1
    if j < following and tokens[j].kind == "equals":
        j, linked = j + 1, True
    if not linked or j >= following or tokens[j].kind != "name" or not can_be_stated(tokens[j]):
        return []
    if j + 1 < len(tokens) and tokens[j + 1].kind in ("operator", "equals", "number"):
        return []
    return [meaning(tokens, j)]


_BEING = frozenset(["is", "are", "as", "the", "is the", "是", "就是", "等于", "为", "which", "i.e"])
