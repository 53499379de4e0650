"""A critic that says the same everywhere, and a reward at the end alone: every δ before the last one is c(γ − 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas
from prompts.read.worded.compared import half_understood
from prompts.read.worded.figure import figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.sequence import SIGN, TESTS
from prompts.read.worded.settings import Given

_DELTA = re.compile(r"δ(?:_\{?t\}?)?|\bdeltas?\b|\bTD[- ]errors?\b|TD ?误差", re.IGNORECASE)
_REWARDED_LAST = re.compile(
    r"(?:只有|只在|仅在?)(?:最后|末尾|结尾|终点)[^\d,，。;；]{0,12}?(?:有|给|得|拿)(?:到|了)?(?:一个?)?(?:奖励|得分|分)"
    r"|(?:奖励|得分)只(?:在|有)(?:最后|末尾|结尾)[^\d,，。;；]{0,8}|\bonly (?:the )?(?:last|final|terminal) (?:token"
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
    which = _BEFORE_LAST.search(body)
    if (rewarded is None and own.at_the_end is None) or which is None or not _DELTA.search(body):
        return None
    body = without(body, [which.span()])
    gamma = own.numbers.get("gamma", Fraction(1))
    correct = formulas.td_error(Fraction(0), own.everywhere, own.everywhere, gamma)
    stated, signs = figures(body), list(SIGN.finditer(body))
    rest = without(body, [*((x.start, x.end) for x in stated), *(x.span() for x in signs)])
    if re.search(r"\d", rest) or _OTHERS.search(rest) or half_understood(rest) or len(stated) + len(signs) != 1:
        return None
    name = r"\delta_t\ (t < T-1)"
    if stated:
        return None if stated[0].times or stated[0].both else Read(one(name, correct, stated), "why_not_delta")
    test, shown = TESTS[signs[0].lastgroup or ""]
    return Read([Finding(name, shown, correct, test(correct))], "why_not_delta")
