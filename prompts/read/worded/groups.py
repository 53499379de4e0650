"""Advantages of a group of responses, without a critic: GRPO, RLOO, the group's mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine import groups, statistics
from engine.readings.exact import exactly
from prompts.read.worded.figure import Figure, blank, figures, without
from prompts.read.worded.finding import Finding, Read, one, row, tex
from prompts.read.worded.place import how, places, spans
from prompts.read.worded.settings import Given

LARGEST = 64  # responses
_METHOD = {
    "dr_grpo": (
        r"\bDr\.? ?GRPO\b|(?:不除|不用除|without(?: dividing by)?|no division by)(?:以)?(?: the)? ?(?:组内)?(?:标准差"
        r"|std)"
        r"|减(?:去|掉)?(?: ?组(?:内|的)?)?(?:均值|平均)|\bminus the (?:group )?mean\b|\bmean[- ]cent(?:er|re)d\b"
    ),
    "grpo": r"\bGRPO\b",
    "rloo": r"\bRLOO\b|leave[- ]one[- ]out|留一",
}
_GROUP = re.compile(r"组|\bgroup\b", re.IGNORECASE)
_BASELINE = re.compile(r"\bbaselines?\b|基线", re.IGNORECASE)
_CENTRE = re.compile(r"\b(?:group )?mean\b|组?(?:内)?(?:均值|平均)", re.IGNORECASE)
_SPREAD = re.compile(r"\bstd\b|\bstandard deviation\b|标准差", re.IGNORECASE)
_POPULATION = re.compile(r"\bpopulation\b|总体|ddof ?= ?0|除以 ?n(?!-)", re.IGNORECASE)
_RIGHT = re.compile(
    r"\b(?:correct|right|winning|best|good|successful)(?: one| response| answer)?s?\b|(?:答?对|正确)的?"
    r"(?:那?(?:个|条|些))?|得 ?1 ?(?:分)?的(?:那?(?:个|条))?",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|failed|losing|bad|other)(?: one| response| answer)?s?\b|(?:答?错|不对|错误)的?"
    r"(?:那?(?:个|条|些))?|其余(?:的)?|其他(?:的)?",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"(?P<n>\d{1,2}) ?(?:个|条)?(?:responses?|回答|回复|answers?)?(?:里|中|当中|, of which|,? where"
    r"|,? with)?[^\d,.;]{0,6}(?:只有|有|仅)? ?(?P<k>\d{1,2}) ?(?:个|条)?(?: (?:of them |of which )?(?:is "
    r"|are |being )?(?:right|correct)|答?对|正确)"
    r"|(?P<k2>\d{1,2}) (?:out )?of (?:the )?(?P<n2>\d{1,2}) (?:\w+ ){0,2}?(?:right|correct)",
    re.IGNORECASE,
)
_ALL_ALIKE = re.compile(
    r"(?:\ball (?P<n>\d{1,2})(?: responses?| answers?)?[^\d,;]{0,40}?(?:rewards?|scores?) (?:of |= ?"
    r"|are |is )?(?P<x>\d(?:\.\d+)?)"
    r"|(?P<nz>\d{1,2}) ?(?:个|条)(?:回答|回复)?(?:的奖励|的得分)?(?:全部?|都)[^\d,，;]{0,8}?(?:是|得|拿|为)?(?:奖励)? ?"
    r"(?P<xz>\d(?:\.\d+)?) ?分?"
    r"|\ball (?P<nr>\d{1,2})(?: responses?| answers?)?[^\d,;]{0,12}? (?:right|correct|wrong)\b"
    r"|(?P<nu>\d{1,2}) ?(?:responses?|answers?),? (?:are )?all (?:of them )?(?:are )?(?:right|correct|wrong)\b"
    r"|(?P<nq>\d{1,2}) ?(?:个|条)(?:回答|回复)?(?:全部?|都)(?:答?对|答?错))",
    re.IGNORECASE,
)
_SIGNS = {
    "zero": r"\b(?:zero|vanish(?:es)?|no signal)\b|(?:是|为|等于|都)?零",
    "positive": r"\bpositive\b|(?:是|为|全|都)正|正的|> ?0(?!\.\d)|大于 ?0",
    "negative": r"\bnegative\b|(?:是|为|全|都)负|负的|< ?0(?!\.\d)|小于 ?0",
}
_SIGN = re.compile("|".join(f"(?P<{n}>{w})" for n, w in _SIGNS.items()), re.IGNORECASE)
_SHOWN = {"zero": "= 0", "positive": "> 0", "negative": "< 0"}
_TESTS = {"zero": lambda x: x == 0, "positive": lambda x: x > 0, "negative": lambda x: x < 0}


def group(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    method = next((name for name, words in _METHOD.items() if re.search(words, own.body, re.IGNORECASE)), None)
    if (method is None and not _GROUP.search(own.body)) or "values" in own.lists:
        return None
    scores, body, stated_row = _scores(own)
    if scores is None or not 2 <= len(scores) <= LARGEST:
        return None
    for words in _METHOD.values():
        body = re.sub(words, lambda m: " " * len(m[0]), body, flags=re.IGNORECASE)
    found = _found(own.body, body, method, scores, stated_row)
    return Read(found, "group_baselines") if found else None


def _scores(own: Given) -> tuple[tuple[Fraction, ...] | None, str, tuple[Fraction, ...] | None]:
    """The group's rewards, the words, and a second list, which is stated of it."""
    body = own.body
    there = own.lists.get("group_rewards") or own.lists.get("rewards") or own.lists.get("advantages")
    rows = list(own.unnamed)
    if there is None and rows:
        there, start, end = rows.pop(0)
        body = blank(body, start, end)
    if there is None and (many := _SO_MANY.search(body)):
        n, k = int(many["n"] or many["n2"]), int(many["k"] or many["k2"])
        there = (Fraction(1),) * k + (Fraction(0),) * (n - k) if k <= n else None
        body = blank(body, *many.span())
    if there is None and (alike := _ALL_ALIKE.search(body)):
        n = int(next(alike[g] for g in ("n", "nz", "nr", "nq", "nu") if alike[g]))
        there = (Fraction(alike["x"] or alike["xz"] or 1),) * n
        body = blank(body, *alike.span())
    if len(rows) > 1:
        return None, body, None
    stated = rows[0][0] if rows else own.lists.get("advantages") if "group_rewards" in own.lists else None
    if rows:
        body = blank(body, rows[0][1], rows[0][2])
    return there, body, stated


def _found(
    whole: str, body: str, method: str | None, scores: Sequence[Fraction], stated_row: Sequence[Fraction] | None
) -> list[Finding] | None:
    counted = re.search(rf"(?<![\d.]){len(scores)} ?(?:个|条|responses?|answers?|samples?|回答)", body)
    body = blank(body, *counted.span()) if counted else body
    one_group = [0] * len(scores)
    rows = [float(x) for x in scores]
    sample = not _POPULATION.search(whole)
    name, facts = r"A", None
    if _BASELINE.search(body) and method == "rloo":
        name, facts = "b", exactly(lambda x: groups.rloo_baselines([x(s) for s in rows], one_group), len(rows))
    elif method == "rloo":
        facts = exactly(lambda x: groups.rloo([x(s) for s in rows], one_group), len(rows))
    elif method == "dr_grpo" or (method == "grpo" and len(set(scores)) == 1):
        facts = exactly(lambda x: groups.mean_centred([x(s) for s in rows], one_group), len(rows))
    elif (_SPREAD.search(body) or _CENTRE.search(body) or _BASELINE.search(body)) and not re.search(
        r"优势|advantage", body
    ):
        return _statistic(body, rows, sample=sample)
    elif method == "grpo":
        facts = exactly(lambda x: groups.grpo([x(s) for s in rows], one_group, sample=sample, epsilon=0), len(rows))
    if facts is None:
        return None
    if stated_row is not None:
        return _listed(name, facts, stated_row) if not re.search(r"\d", body) else None
    return _of(name, facts, scores, body)


def _statistic(body: str, rows: Sequence[float], *, sample: bool) -> list[Finding] | None:
    stated = figures(body)
    everyone = [1] * len(rows)
    if len(stated) != 1 or re.search(r"\d", without(body, [(x.start, x.end) for x in stated])):
        return None
    if _SPREAD.search(body):
        variance = exactly(
            lambda x: statistics.masked_variance([x(s) for s in rows], everyone, sample=sample), len(rows)
        )
        return one(r"\sigma", float(variance) ** 0.5, stated)
    return one(r"\mu", exactly(lambda x: statistics.masked_mean([x(s) for s in rows], everyone), len(rows)), stated)


def _listed(name: str, facts: Sequence[Any], stated: Sequence[Fraction]) -> list[Finding] | None:
    if len(stated) != len(facts):
        return None
    shown = [_plain(x) for x in stated]
    return row(name, facts, shown)


def _plain(x: Fraction) -> Figure:
    written = f"{float(x):.12g}"
    return Figure(x, len(written.partition(".")[2]), written, 0, 0)


def _of(name: str, facts: Sequence[Any], scores: Sequence[Fraction], body: str) -> list[Finding] | None:
    """Of one response, of the right or the wrong ones, of all, of their sum."""
    said, several = places(body), how(body)
    right, wrong = _RIGHT.search(body), _WRONG.search(body)
    rest = without(body, [*spans(said), *((a, b) for _, a, b in several), *(x.span() for x in (right, wrong) if x)])
    signs = list(_SIGN.finditer(rest))
    rest = without(rest, [x.span() for x in signs])
    counted = re.search(rf"(?<![\d.]){len(facts)} ?(?:个|条|responses?|answers?|samples?|advantages?)", rest)
    rest = blank(rest, *counted.span()) if counted else rest
    stated = figures(rest)
    if re.search(r"\d", without(rest, [(x.start, x.end) for x in stated])) or any(x.times for x in stated):
        return None
    kinds = {kind for kind, _, _ in several}
    if kinds & {"sum", "mean"}:
        return _total(facts, stated, signs, mean="mean" in kinds)
    at = {t for one_place in said for t in one_place.among(len(facts))}
    if at:
        chosen = [facts[t] for t in sorted(at)]
    elif right and wrong and len(stated) == 2:
        pair = [facts[scores.index(max(scores))], facts[scores.index(min(scores))]]
        return row(name, pair if right.start() < wrong.start() else pair[::-1], stated)
    elif right or wrong or kinds & {"largest", "smallest"}:
        best = max(scores) if right or "largest" in kinds else min(scores)
        chosen = [x for x, score in zip(facts, scores, strict=True) if score == best]
    else:
        chosen = list(facts)
    if signs and not stated:
        test = _TESTS[signs[0].lastgroup or ""]
        return [
            Finding(
                name,
                _SHOWN[signs[0].lastgroup or ""],
                chosen,
                all(map(test, chosen)),
            )
        ]
    if len(stated) == 1:
        return [
            Finding(
                name, tex(stated[0]), chosen[0] if len(set(chosen)) == 1 else chosen, all(map(stated[0].agrees, chosen))
            )
        ]
    return row(name, chosen, stated) if len(stated) == len(chosen) else None


def _total(
    facts: Sequence[Any], stated: Sequence[Figure], signs: Sequence[re.Match[str]], *, mean: bool
) -> list[Finding] | None:
    total = statistics.total(list(facts)) / (len(facts) if mean else 1)
    name = r"\tfrac{1}{n}\sum A" if mean else r"\sum A"
    if len(stated) == 1:
        return one(name, total, stated)
    zero = len(signs) == 1 and signs[0].lastgroup == "zero"
    return [Finding(name, "0", total, abs(float(total)) < 1e-9)] if zero and not stated else None
