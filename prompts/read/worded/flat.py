"""A critic that says the same everywhere, and a reward at the end alone: every δ before the last one is c(γ − 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas
from prompts.read.worded.compared import half_understood
from prompts.read.worded.figure import figures, without
from prompts.read.worded.finding import Finding, Read, tex
from prompts.read.worded.sequence import SIGN, TESTS
from prompts.read.worded.settings import Given

_DELTA = re.compile(r"δ(?:_\{?t\}?)?|\bdeltas?\b|\bTD[- ]errors?\b|TD ?误差", re.IGNORECASE)
_REWARDED_LAST = re.compile(
    r"(?:只有|只在|仅在?)(?:最后|末尾|结尾|终点)[^\d,，。;；]{0,12}?(?:有|给|得|拿)(?:到|了)?(?:一个?)?(?:奖励|得分|分)"
    r"|(?:奖励|得分)只(?:在|有)(?:最后|末尾|结尾)[^\d,，。;；]{0,14}(?:[,，]? ?(?:为|是|等于"
    r"|=) ?(?P<x>\d+(?:\.\d+)?)(?![\d%]|\.\d))?|\bonly (?:the )?(?:last|final|terminal) (?:token"
    r"|step|one)? ?"
    r"(?:is|has|gets|earns|carries)(?: a| any)? ?reward(?:ed)?"
    r"|\b(?:a )?rewards? (?:comes? |is (?:given |paid )?)?only (?:at|on) the (?:very )?(?:end|last (?:token|step))"
    r"|\b(?:the )?only reward (?:is|comes|stands) (?:at|on) the (?:very )?(?:end|last (?:token|step))",
    re.IGNORECASE,
)
_BEFORE_LAST = re.compile(
    r"除了?最后(?:一?个?|那?个?)? ?(?:token|词元|步|位置)?(?:之?外|以外)?[,，]? ?(?:其他|其余|别的|所有|前面)?(?:的"
    r"|所有)?(?: ?(?:token|词元|步|位置))?的?"
    r"|(?:其他|其余|前面|之前)(?:所有)?的?(?: ?(?:token|词元|步|位置))?的?(?= ?(?:δ|TD|delta))"
    r"|\b(?:every|all|each)(?: the| of the)?(?: other| earlier)? (?:δ|deltas?|TD errors?) ?(?:but|except|before"
    r"|other than|up to)"
    r" (?:for |at )?(?:the )?(?:very )?(?:last|final)(?: one| token| step)?"
    r"|\b(?:the |all )?(?:other|earlier|intermediate) (?=δ|deltas?|TD errors?)"
    r"|\b(?:except|apart from|other than) (?:for |at )?(?:the )?(?:last|final)(?: one| token| step)?,?",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"最后(?:面)?(?:的|那|一)?(?:一|个|步|条)*(?: ?(?:token|词元|步))?的?|末尾(?:那|的)?个?的?"
    r"|\b(?:the )?(?:very )?(?:last|final)"
    r"(?: (?:one|token's|token|step's|step))?",
    re.IGNORECASE,
)
_EVERY = re.compile(r"每(?:一)?个|所有的?|全部的?|\b(?:every|each|all)\b(?: of)?(?: the)?", re.IGNORECASE)
_CUT = re.compile(r"[,，;；:：。]|\.(?=\s|$)|\band\b|\bwhile\b|\bbut\b(?! (?:the )?last)|而|但")
_EXCEPT = re.compile(r"除了?最后[^,，]{0,12}[,，]|\b(?:except|apart from|other than)[^,，]{0,28}[,，]", re.IGNORECASE)
_OTHERS = re.compile(
    r"advantage|优势|return|回报|target|目标|(?<![A-Za-z])(?-i:[ARGQ])(?![A-Za-z])|KL|whiten|白化|sum|之和|加起来"
    r"|\bif\b|如果",
    re.IGNORECASE,
)


def flat(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    if own.everywhere is None or own.lists or own.unnamed or set(own.numbers) - {"gamma", "lam"}:
        return None
    rewarded = _REWARDED_LAST.search(own.body)
    body = without(own.body, [rewarded.span()] if rewarded else [])
    gamma = own.numbers.get("gamma", Fraction(1))
    before = formulas.td_error(Fraction(0), own.everywhere, own.everywhere, gamma)
    end = Fraction(rewarded["x"]) if rewarded and rewarded["x"] else own.at_the_end
    last = None if end is None else formulas.td_error(end, own.everywhere, Fraction(0), gamma)
    if (rewarded is None and last is None) or not _DELTA.search(body):
        return None
    found: list[Finding] = []
    for part in _CUT.split(_EXCEPT.sub(lambda m: m[0].replace(",", " ").replace("，", " "), body)):
        if re.search(r"\d", part) or SIGN.search(part):
            stated = _stated(part, before, last)
            if stated is None:
                return None
            found += stated
    return Read(found, "why_not_delta") if found else None


def _stated(body: str, before: Fraction, last: Fraction | None) -> list[Finding] | None:
    """Of the δ before the last one, of the last one, or of all."""
    which, end, every = _BEFORE_LAST.search(body), _LAST.search(body), _EVERY.search(body)
    if which is not None:
        correct, name = [before], r"\delta_t\ (t < T-1)"
    elif last is not None and end is not None:
        correct, name = [last], r"\delta_{T-1}"
    elif last is not None and every is not None and _DELTA.search(body):
        correct, name = [before, last], r"\delta_t"
    else:
        return None
    said = next(x for x in (which, end, every) if x is not None)
    body = without(body, [said.span()])
    stated, signs = figures(body), list(SIGN.finditer(body))
    rest = without(body, [*((x.start, x.end) for x in stated), *(x.span() for x in signs)])
    if re.search(r"\d", rest) or _OTHERS.search(rest) or half_understood(rest) or len(stated) + len(signs) != 1:
        return None
    shown = correct[0] if len(correct) == 1 else correct
    if stated:
        said_so = not (stated[0].times or stated[0].both)
        return [Finding(name, tex(stated[0]), shown, all(map(stated[0].agrees, correct)))] if said_so else None
    test, sign = TESTS[signs[0].lastgroup or ""]
    return [Finding(name, sign, shown, all(map(test, correct)))]
