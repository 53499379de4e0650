"""What is said of a list as a whole: the mean of whitened advantages, all KL positive, which return a column is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.scenario import scenario
from prompts.read.none_of import SOME, none_of
from prompts.read.numbers.groups import group
from prompts.read.numbers.heads import can_be_stated
from prompts.read.numbers.numerals import decimals_shown, numerals
from prompts.read.numbers.tokens import scan
from prompts.read.statement import Statement

FURTHEST = 40  # characters between a list's name and what is said of all of it
WHITENED = "whitened_has_mean_zero"
_X = r"[+-]? ?(?:\d{1,6}\.\d{1,6}|\.\d{1,6}|\d{1,4})"
_WHITENED = re.compile(
    r"\b(?:whiten|normali[sz]|standardi[sz])ed\b(?: \w+){0,2}|白化(?:过|好|之?后)?的?(?:优势|结果|advantages?"
    r"|A)?|标准化后|归一化后"
    r"|\b(?:returned|put out|given|output) by (?:verl'?s? )?`?(?:compute_(?:gae_)?advantages?\w*|the (?:gae"
    r"|advantage) function)"
    r"|`?compute_(?:gae_)?advantages?\w*`?(?:\(\))? ?(?:returns?|gives?|返回|给出|输出)",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:un|not |before |raw|pre-?)(?:whiten|normali)|\bbefore (?:being )?whiten|\braw\b|[没未]白化"
    r"|白化(?:之?前)|[没未]标准化",
    re.IGNORECASE,
)
_OF_WHITENED: tuple[tuple[str, int, re.Pattern[str]], ...] = tuple(
    (
        name,
        value,
        re.compile(
            rf"(?:{words})[^\d.;=]{{0,32}}?(?:=|is|are|of|:|是|为|等于)? ?(?P<x>{_X})(?![\d%]|\.\d)", re.IGNORECASE
        ),
    )
    for name, value, words in (
        ("mean", 0, r"\bmeans?\b|\baverages?\b|均值|平均值?"),
        ("sum", 0, r"\bsums?(?: to)?\b|\badds? up to\b|总和|之和|加起来"),
        ("std", 1, r"\bstd\b|\bstandard deviation\b|标准差"),
        ("var", 1, r"\bvar(?:iance)?\b|方差"),
    )
)
_SIGNS: tuple[tuple[str, Callable[[Any], bool], re.Pattern[str]], ...] = tuple(
    (sign, holds, re.compile(words, re.IGNORECASE))
    for sign, holds, words in (
        (
            "≥ 0",
            lambda x: x >= 0,
            r"\b(?:non-?negative|not negative|never negative|at least (?:0|zero))\b|≥ ?0|>= ?0|非负|不(?:是"
            r"|为)?负|没有负",
        ),
        ("≤ 0", lambda x: x <= 0, r"\b(?:non-?positive|not positive|never positive)\b|≤ ?0|<= ?0|非正|不(?:是|为)?正"),
        (
            "> 0",
            lambda x: x > 0,
            r"\b(?:positive|above (?:0|zero)|greater than (?:0|zero)|larger than (?:0|zero))\b|> ?0(?![.\d])"
            r"|[是为全都]正(?:的|数|值|[。.,，!?？]|$|吗|吧)|大于 ?[0零]|正数|为正",
        ),
        (
            "< 0",
            lambda x: x < 0,
            r"\b(?:negative|below (?:0|zero)|less than (?:0|zero))\b|< ?0(?![.\d])|[是为全都]负(?:的|数|值"
            r"|[。.,，!?？]|$|吗|吧)"
            r"|小于 ?[0零]|负数|为负",
        ),
    )
)
_ALL = re.compile(r"\b(?:all|every|each|everywhere|throughout)\b|全部?|所有|每一?个|都|处处|一律", re.IGNORECASE)
_NOT_ALL = re.compile(
    r"\b(?:not all|not every|n't all|almost|nearly|most|except|but|if|when|must|always)\b|不(?:是|都|全)|并非"
    r"|几乎|除了|如果|要是"
    r"|必须|一定|总是",
    re.IGNORECASE,
)
_ALIKE = {"kl": ("k1", "kl"), "kl_values": ("k1", "kl"), "mean": ()}
_ACTUAL = re.compile(
    r"\b(?:actual|real|true|realised|realized|observed|sampled|monte[- ]?carlo|discounted) (?:(?:cumulative"
    r"|discounted|total|future|observed) )*(?:returns?|rewards?(?:[- ]to[- ]go)?)\b"
    r"|\bcumulative (?:discounted )?(?:returns?|rewards?)\b|\bsums? of (?:the )?(?:actual|real|discounted|future"
    r"|remaining)[a-z ]{0,24} rewards?\b"
    r"|(?:实际|真实|真正|蒙特卡[洛罗])(?:的|拿到的|得到的)?(?:累[计积]|折扣|未来)?的?(?:回报|奖励|收益|return)"
    r"|累[计积](?:折扣)?(?:回报|奖励)"
    r"|折扣(?:累[计积])?(?:回报|奖励和?)",
    re.IGNORECASE,
)
_LAMBDA = re.compile(
    r"\bλ ?-? ?returns?|\blambda[- ]returns?|\bnot\b|n't|\bunlike\b|λ ?-? ?回报|不是|并非|而非", re.IGNORECASE
)
_ENDS = re.compile(rf"(?P<a>{_X}) ?(?:\.{{2,}}|to|through|-|~|到|至) ?(?P<b>{_X})(?![\d%]|\.\d)")


def whitened(text: str, given: Mapping[str, Any]) -> Statement | None:
    """The mean and the deviation of whitened advantages are 0 and 1, whatever they were before."""
    del given
    said = _WHITENED.search(text)
    if said is None or _NOT_YET.search(text) or any(not x.scalar for x in group(scan(text)).groups):
        return None
    found = [(name, value, x) for name, value, pattern in _OF_WHITENED for x in pattern.finditer(text)]
    if len(found) != 1 or not _measured(text, said, found[0][2]):
        return None
    name, value, x = found[0]
    written = x["x"].replace(" ", "")
    claim = Claim(
        f"{name}(whitened)",
        float(written),
        decimals_shown(written),
        places=(x.start("x"),),
        correct=Fraction(value),
    )
    return Statement({}, (claim,), (WHITENED,))


def _measured(text: str, said: re.Match[str], x: re.Match[str]) -> bool:
    """Whether a number with decimals is said of what is whitened, in one breath: a whole one may be the theory."""
    first, last = sorted((said.span(), x.span()))
    between = text[first[1] : last[0]]
    near = len(between) <= FURTHEST and not re.search(r"[,;，；。]|\b(?:raw|batch)\b|批", between)
    linked = said.start() < x.start() or re.fullmatch(r"\W*(?:of|for|in)?\W*(?:the |my |our )?\W*", between) is not None
    return "." in x["x"] and near and linked and not _DENIED.search(x[0])


_DENIED = re.compile(r"\b(?:not|above|below|over|under)\b|n't|不|并非|≠|高|低", re.IGNORECASE)


_NUMBERS_OF = re.compile(r"(?<=\bk[123]) values?\b|(?<=\bKL) values?\b", re.IGNORECASE)


def signs(text: str, given: Mapping[str, Any], results: Mapping[str, Any]) -> Statement | None:
    """All sampled KL positive, no delta negative: how many of the list are, beside how many there are."""
    text = _NUMBERS_OF.sub("", text)
    some = none_of(text, SOME)
    none = some or none_of(text)
    all_of_it = _ALL.search(text) is not None and _NOT_ALL.search(text) is None
    if not (none or all_of_it) or any(x.scalar is False for x in group(scan(text)).groups):
        return None
    sign = none or next(((shown, holds) for shown, holds, words in _SIGNS if words.search(text)), None) or _bound(text)
    names = list(dict.fromkeys(t.sense.meaning for t in scan(text) if t.sense is not None and can_be_stated(t)))
    names = [name for name in names if name not in ("logp", "ref_logp", "old_logp")] or names
    if sign is None or len(names) != 1:
        return None
    for name in _ALIKE.get(names[0], (names[0],)):
        row = _row(name, given, results)
        if row:
            there = sum(1 for x in row if sign[1](x))
            claim = Claim(f"{name} {sign[0]}", float(len(row)), 0, correct=Fraction(there), counts=True)
            return Statement(_known(given), (claim,), denied=some is not None)
    return None


_BOUND = re.compile(
    rf"(?P<below>\b(?:below|under|less than|smaller than)|<|小于|低于) ?(?P<b>{_X})(?![\d%]|\.\d)"
    rf"|(?P<above>\b(?:above|over|greater than|larger than|more than)|>|大于|高于|超过) ?(?P<a>{_X})(?![\d%]|\.\d)",
    re.IGNORECASE,
)


def _bound(text: str) -> tuple[str, Callable[[Any], bool]] | None:
    """Below .5, above 1: what all of a list is said to be."""
    found = _BOUND.search(text)
    if found is None:
        return None
    edge = Fraction((found["b"] or found["a"]).replace(" ", ""))
    return (f"< {float(edge):g}", lambda x: x < edge) if found["below"] else (f"> {float(edge):g}", lambda x: x > edge)


def _known(given: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        scenario(given)
    except EngineError:
        return {}
    return given


def _row(name: str, given: Mapping[str, Any], results: Mapping[str, Any]) -> Sequence[Any] | None:
    """The list of that name as it was given, or as it is computed."""
    there = results.get(name, given.get(name))
    if not isinstance(there, list | tuple):
        try:
            found = computed(scenario(given), name)
        except EngineError:
            return None
        there = found.facts.exact[found.name] if found is not None else None
    flat = isinstance(there, list | tuple) and not any(isinstance(x, list | tuple) for x in there)
    return [x for x in there if x is not None] if flat and there is not None else None


_STATISTICS: tuple[tuple[str, Callable[[Sequence[Any]], Any], re.Pattern[str]], ...] = tuple(
    (name, of, re.compile(words, re.IGNORECASE))
    for name, of, words in (
        ("sum", sum, r"\bsums?\b|\btotals?\b|\badds? up\b|总和|之和|加起来|合计|总共"),
        ("mean", lambda row: sum(row) / len(row), r"\bmeans?\b|\baverages?\b|均值|平均"),
        ("max", max, r"\b(?:max(?:imum)?|largest|highest|biggest|greatest)\b|最大|最高"),
        ("min", min, r"\b(?:min(?:imum)?|smallest|lowest|least)\b|最小|最低"),
    )
)
_STATED = re.compile(
    rf"(?:=|\bis\b|\bare\b|\bto\b|\bof\b|是|为|等于|得) ?(?:about |only |just |约)?(?P<x>{_X})(?![\d%]|\.\d)",
    re.IGNORECASE,
)


def statistics(text: str, given: Mapping[str, Any], results: Mapping[str, Any]) -> Statement | None:
    """The rewards add up to .94 · the largest KL is .2: one list, one statistic, one number."""
    found = [(name, of) for name, of, words in _STATISTICS if words.search(text)]
    stated = list(_STATED.finditer(text))
    tokens = scan(text)
    names = {t.sense.meaning for t in tokens if t.sense is not None and can_be_stated(t)} - {"mean"}
    if len(found) != 1 or len(stated) != 1 or len(names) != 1 or sum(t.kind == "number" for t in tokens) != 1:
        return None
    (name, of), written = found[0], stated[0]["x"].replace(" ", "")
    for listed in _ALIKE.get(next(iter(names)), tuple(names)):
        row = _row(listed, given, results)
        if row:
            claim = Claim(f"{name}({listed})", float(written), decimals_shown(written), places=(stated[0].start("x"),))
            return Statement(_known(given), (replace(claim, correct=of([Fraction(str(x)) for x in row])),))
    return None


_BY_SIZE = re.compile(r"\b(?:rang\w+|between|spread|lie)\b|介于|之间|范围", re.IGNORECASE)
_FROM_TO = re.compile(
    rf"(?:\bfrom\b|\bbetween\b|从|介于) ?(?P<a>{_X})[^\d.;]{{0,12}}?"
    rf"(?:\bto\b|\band\b|到|至|→) ?(?P<b>{_X})(?![\d%]|\.\d)",
    re.IGNORECASE,
)


def ends(text: str, given: Mapping[str, Any], results: Mapping[str, Any]) -> Statement | None:
    """The values rise from .2 to .6: the first and the last of one list, or its least and its largest."""
    tokens = scan(text)
    said = list(_FROM_TO.finditer(text))
    names = {t.sense.meaning for t in tokens if t.sense is not None and can_be_stated(t)}
    if len(said) != 1 or len(names) != 1 or sum(t.kind == "number" for t in tokens) != 2 or _DENIED.search(text):
        return None
    for name in _ALIKE.get(next(iter(names)), tuple(names)):
        row = _row(name, given, results)
        if row:
            by_size = _BY_SIZE.search(text) is not None
            shown = (("min", min(row)), ("max", max(row))) if by_size else (("first", row[0]), ("last", row[-1]))
            stated = [said[0][end].replace(" ", "") for end in ("a", "b")]
            if by_size:
                stated.sort(key=float)
            claims = tuple(
                Claim(f"{what}({name})", float(x), decimals_shown(x), correct=Fraction(str(correct)))
                for x, (what, correct) in zip(stated, shown, strict=True)
            )
            return Statement(_known(given), claims)
    return None


def actual_return(text: str, given: Mapping[str, Any]) -> Statement | None:
    """A column from … to … that is called the actual return: the sum of the rewards to come, without the critic."""
    if _ACTUAL.search(text) is None or _LAMBDA.search(text) or "rewards" not in given:
        return None
    lists = [x for x in group(scan(text)).groups if not x.scalar and not x.elided]
    if len(lists) == 1:
        shown = max(decimals_shown(t.text) for t in numerals(scan(text), lists[0]))
        return Statement(given, (Claim("mc_returns", lists[0].value, shown, None),))
    ends = list(_ENDS.finditer(text))
    if len(ends) != 1:
        return None
    claims = tuple(
        Claim(
            "mc_returns",
            float(ends[0][end].replace(" ", "")),
            max(1, decimals_shown(ends[0][end])),
            place,
            (ends[0].start(end),),
        )
        for end, place in (("a", 0), ("b", len(given["rewards"]) - 1))
    )
    return Statement(given, claims)
