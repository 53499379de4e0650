"""Mean, deviation and whitening of a list that the message has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine import statistics
from engine.ops import sqrt
from engine.readings.exact import exactly
from prompts.read.worded.figure import Figure, figures, without
from prompts.read.worded.finding import Finding, Read, one, row
from prompts.read.worded.groups import _plain
from prompts.read.worded.place import how, places, spans
from prompts.read.worded.settings import Given

LONGEST = 64
_WHITEN = re.compile(r"\b(?:whiten|normali[sz]|standardi[sz])\w*|白化|标准化|归一化", re.IGNORECASE)
_STATISTICS = {
    "std": r"\bstd(?:ev)?\b|\bstandard deviations?\b|标准差",
    "variance": r"\bvar(?:iance)?\b|方差",
    "mean": r"\bmean\b|\baverage\b|均值|平均值?",
    "sum": r"\bsum\b|\btotal\b|\badds? up to\b|\bsums? to\b|总和|之和|加起来|的?和(?=是|为|等于)",
}
_STATISTIC = re.compile("|".join(f"(?P<{n}>{w})" for n, w in _STATISTICS.items()), re.IGNORECASE)
_POPULATION = re.compile(
    r"\bpopulation\b|总体|有偏|\bbiased\b|\bddof ?= ?0|\bn in the denominator|除以 ?n(?!-)|(?<![A-Za-z])n 作?分母",
    re.IGNORECASE,
)
_SAMPLE = re.compile(r"\bsample\b|样本|无偏|\bunbiased\b|\bBessel\b|贝塞尔|n ?- ?1|\bverl\b", re.IGNORECASE)
_WITH_STD = re.compile(
    r"(?:\bwith|\busing|\bby|用|按|以)[^,，。;；]{0,16}(?:\bstd\b|standard deviation|标准差|方差|variance)|(?:样本"
    r"|总体)标准差(?=白化|标准化|归一化)|\((?:sample|population|样本|总体)[^)]*\)",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?P<positive>\bpositive\b|[是为都全]正|正的|大于 ?0)"
    r"|(?P<negative>\bnegative\b|[是为都全]负|负的|小于 ?0)|(?P<zero>\bzero\b|[是为]零)",
    re.IGNORECASE,
)
_DISCOUNTED = re.compile(r"\bdiscounted\b|折扣|打折", re.IGNORECASE)
_OF_ANOTHER = {  # what is said of a list that follows from the one given
    "deltas": re.compile(r"advantage|优势|return|回报", re.IGNORECASE),
    "advantages": re.compile(r"\bdeltas?\b|δ|td errors?|return|回报", re.IGNORECASE),
}
_TESTS = {"zero": lambda x: abs(float(x)) < 1e-9, "positive": lambda x: x > 0, "negative": lambda x: x < 0}


def lists(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    named = [own.lists[name] for name in ("advantages", "group_rewards", "deltas") if name in own.lists]
    if {"rewards", "values"} & set(own.lists) and not own.unnamed:
        named = [*named, *(own.lists[n] for n in ("rewards",) if n in own.lists and "values" not in own.lists)]
    rows = [*named, *(x for x, _, _ in own.unnamed)]
    if _DISCOUNTED.search(own.body):
        return None
    if any(name in own.lists and said.search(own.body) for name, said in _OF_ANOTHER.items()):
        return None
    whitens = _WHITEN.search(own.body) is not None
    if not rows or len(rows) > 2 or not 2 <= len(rows[0]) <= LONGEST or (not whitens and len(rows) > 1):
        return None
    if not whitens and not _STATISTIC.search(own.body):
        return None
    body = without(own.body, [(a, b) for _, a, b in own.unnamed])
    sample = not (_POPULATION.search(body) and not _SAMPLE.search(body))
    for pattern in (_WITH_STD, _POPULATION, _SAMPLE):
        body = pattern.sub(lambda found: " " * len(found[0]), body)
    numbers = [float(x) for x in rows[0]]
    found = (
        _whitened(numbers, rows[1:], body, sample=sample)
        if whitens
        else _statistics(numbers, body, own.body, sample=sample)
    )
    return Read(found, "whitening") if found else None


def _whitened(numbers: Sequence[float], others: Sequence[Any], body: str, *, sample: bool) -> list[Finding] | None:
    everyone = [1] * len(numbers)
    if len(set(numbers)) == 1:
        return None
    facts = exactly(
        lambda x: statistics.whiten([x(n) for n in numbers], everyone, sample=sample, epsilon=0), len(numbers)
    )
    name = r"\hat{A}"
    if others:
        if len(others[0]) != len(facts) or re.search(r"\d", body):
            return None
        return row(name, facts, [_plain(x) for x in others[0]])
    statistic = _STATISTIC.search(body)
    said, several = places(body), how(body)
    rest = without(body, [*spans(said), *((a, b) for _, a, b in several), *([statistic.span()] if statistic else [])])
    signs = list(_SIGN.finditer(rest))
    stated = figures(rest)
    if re.search(r"\d", without(rest, [(x.start, x.end) for x in stated])):
        return None
    kinds = {kind for kind, _, _ in several}
    if statistic:
        return _of_whitened(facts, statistic.lastgroup or "", stated, signs, sample=sample)
    at = {t for one_place in said for t in one_place.among(len(facts))}
    chosen = [facts[t] for t in sorted(at)] if at else list(facts)
    if kinds & {"largest", "smallest"} and not at:
        chosen = [max(facts) if "largest" in kinds else min(facts)]
    if signs and not stated:
        kind = signs[0].lastgroup or ""
        shown = {"positive": "> 0", "negative": "< 0", "zero": "= 0"}[kind]
        return [Finding(name, shown, list(chosen), all(map(_TESTS[kind], chosen)))]
    if len(stated) == len(chosen):
        return row(name, chosen, stated) if len(stated) > 1 else one(name, chosen[0], stated)
    if len(stated) == 1 and stated[0].both:
        ends = [min(facts), max(facts)]
        return [Finding(name, rf"\pm {stated[0].shown.lstrip('±')}", ends, all(map(stated[0].agrees, ends)))]
    return None


def _of_whitened(
    facts: Sequence[Any], statistic: str, stated: Sequence[Figure], signs: Sequence[re.Match[str]], *, sample: bool
) -> list[Finding] | None:
    everyone = [1] * len(facts)
    mean = statistics.masked_mean(facts, everyone)
    variance = statistics.masked_variance(facts, everyone, sample=sample)
    x = {"mean": mean, "sum": statistics.total(list(facts)), "variance": variance, "std": sqrt(variance)}[statistic]
    x = round(float(x), 12)
    if len(stated) == 1:
        return one(rf"\mathrm{{{statistic}}}(\hat{{A}})", x, stated)
    zero = len(signs) == 1 and signs[0].lastgroup == "zero" and not stated
    return [Finding(rf"\mathrm{{{statistic}}}(\hat{{A}})", "0", x, x == 0)] if zero else None


def _statistics(numbers: Sequence[float], body: str, whole: str, *, sample: bool) -> list[Finding] | None:
    """Each statistic beside the figure that follows it."""
    named = list(_STATISTIC.finditer(body))
    stated = figures(body)
    if not named or len(named) != len(stated) or re.search(r"\d", without(body, [(x.start, x.end) for x in stated])):
        return None
    if re.search(r"δ|\bdelta|优势|advantage|回报|\breturn|γ|λ|奖励|\breward", body) and len(named) > 1:
        return None
    everyone = [1] * len(numbers)
    found: list[Finding] = []
    found_until = 0
    for name, figure in zip(named, stated, strict=True):
        kind = name.lastgroup or ""
        words = whole[found_until : figure.start]
        marked = sample if not (_POPULATION.search(words) or _SAMPLE.search(words)) else not _POPULATION.search(words)
        found += one(rf"\mathrm{{{kind}}}", _one(kind, numbers, everyone, sample=marked), [figure])
        found_until = figure.end
    return found


def _one(kind: str, numbers: Sequence[float], everyone: Sequence[int], *, sample: bool) -> Any:
    def program(x: Any) -> Any:
        row = [x(n) for n in numbers]
        if kind == "sum":
            return statistics.total(row)
        if kind == "mean":
            return statistics.masked_mean(row, everyone)
        variance = statistics.masked_variance(row, everyone, sample=sample)
        return variance if kind == "variance" else sqrt(variance)

    return exactly(program, len(numbers))
