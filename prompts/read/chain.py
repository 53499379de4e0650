"""Statements of more than two sides, and sides that are told in words: R = Σγ^k r, which is also V + A."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

MOST = 4  # sides
_REWARDS_AHEAD = "sum_k gamma^k r_{t+k}"
_TOLD = (  # what is said in words, as it is computed
    (
        re.compile(
            r"(?:the |its )?(?:current|immediate|own|present|token's) rewards? ?(?:\+|plus|and) ?(?:the |a |all )?"
            r"(?:(?:decayed|discounted|decaying|weighted|faded)[ -])?(?:sum of )?(?:the |all )?"
            r"(?:(?:decayed|discounted|decaying|weighted) )?(?:future|later|remaining|following) rewards?"
            r"|(?:the |a )?(?:decayed|discounted|decaying) sum of (?:the |all |all the )?(?:(?:future|later"
            r"|remaining) )?rewards"
            r"|(?:当前|即时|本步|当步|自己)的?奖励 ?(?:\+|加上?|和|与) ?(?:衰减|折扣|打折)?后?的?(?:未来|后续"
            r"|后面|之后)的?(?:所有|全部)?的?奖励的?(?:之和|的和"
            r"|衰减和|折扣和|总和)?"
            r"|(?:未来|后续|之后|往后)?(?:所有|全部)?奖励的?(?:衰减|折扣)(?:之和|总和|求和|和)",
            re.IGNORECASE,
        ),
        _REWARDS_AHEAD,
    ),
    (
        re.compile(
            r"(?:the |a )?monte[- ]?carlo returns?|蒙特卡[洛罗]回报|(?:the )?(?:actual|real|true"
            r"|observed) (?:cumulative "
            r"|discounted |total )*(?:returns?|rewards?)(?: (?:from|after|starting at|at) s_t)?"
            r"|(?:实际|真实|真正)的?(?:累[计积]|折扣)?的?(?:回报|奖励)",
            re.IGNORECASE,
        ),
        "G_t",
    ),
)
_QUOTES = re.compile(r"['\"`‘’“”]")
_ASIDE = re.compile(r"\([^()=]*(?:\.\.|column|list|列)[^()=]*\)", re.IGNORECASE)
_BETWEEN = re.compile(
    r",? ?(?:and (?:it is )?)?(?:also|equally|as well) (?:defined |written |given |computed )?(?:as|by|equal to) "
    r"|,? ?(?:is|are) (?:defined|written|given|computed) (?:as|by) |,? ?(?:which is|i\.e\.|that is"
    r"|in other words),? (?:also |the same as )?"
    r"|,? ?(?:也就是|同时也?(?:是|等于|定义为)|又(?:是|等于|定义为)|也(?:是|等于|定义为)|即|定义为) ?"
    r"|(?<![<>!≠])=(?!=)|(?<=\w) is (?=G_t|sum_k)"
    r"|就是|等于",
    re.IGNORECASE,
)
_FORMULA = re.compile(  # symbols and their names, and nothing else
    r"(?:\\?(?:gamma|lambda|lam|delta|sum|hat|GAE|MC|returns?|advantages?|values?|rewards?|deltas?)(?![A-Za-z])"
    r"|(?<![A-Za-z])[rVAGRQtkln](?![A-Za-z])|[γλδΣβ\s\d_{}()^+*·≥−>=<-])+",
)
_VALUED = re.compile(r"\d\.\d|(?<![\w.])\.\d|^\W*\d+\W*$")
_ADDRESSED = re.compile(
    r"[吗吧呢]|,? ?\b(?:right|correct|true)\b|^ ?(?:回报|优势|returns?|advantages?|the)(?= ?[RGA]_)|^ ?(?:so"
    r"|is it true that|that) "
)
_NAMED = {
    **dict.fromkeys(("回报", "returns", "the return", "the returns"), "R_t"),
    **dict.fromkeys(("优势", "the advantage"), "A_t"),
}
_NUMBERED = re.compile(r"(?<=[A-Za-zδ])_\{?\d{1,3}\}?(?!\d)")


def pairs(sentence: str) -> Iterator[str]:
    """The equations that a sentence states of every two of its sides, where it has several or says one in words."""
    text = _ASIDE.sub(" ", _QUOTES.sub("", sentence))
    told = text
    for pattern, formula in _TOLD:
        told = pattern.sub(formula, told)
    sides = [_NAMED.get(side.strip().lower(), side) for side in _BETWEEN.split(told)]
    sides = [_ADDRESSED.sub("", side).strip(" .,;。?？") for side in sides]
    plain = all(_FORMULA.fullmatch(side) and not _VALUED.search(side) for side in sides)
    if not plain or not 2 <= len(sides) <= MOST or (len(sides) == 2 and told == text):
        return
    for a, b in combinations(sides, 2):
        general = "r_{t+k}" in a + b or "G_t" in (a, b) or _FROM_HERE.search(a + b) is not None
        yield f"{_at_t(a)} = {_at_t(b)}" if general else f"{a} = {b}"


def _at_t(side: str) -> str:
    return _NUMBERED.sub("_t", side)


# ---------------------------------------------------------------- sums with an index that is left out or said twice

_OVER = re.compile(
    r"(?P<sum>\\sum|Σ|\bsum)_(?:\{[lk](?: ?[=≥>]+ ?0)?\}|[lk](?![A-Za-z]))(?: ?\^ ?(?:\{[^{}]{1,12}\}|∞|\\infty))?"
)
_FROM_HERE = re.compile(
    r"(?P<power>\^ ?[({]?[lk][)}]?\)? ?[·*]? ?)(?P<what>\\?delta|δ|r)(?![A-Za-z_^{\[(])", re.IGNORECASE
)


def indexed(text: str) -> str:
    """Σ_l (γλ)^l δ, with what is summed counted from token t on."""
    written = _OVER.sub(r"\g<sum> ", text)
    ahead = _FROM_HERE.sub(r"\g<power>\g<what>_{t+l}", written)
    return ahead if ahead == written or "_t" in written else _at_t(ahead)
