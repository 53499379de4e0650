"""What γ or λ alone leaves over so many steps: γ = .99 over 100 steps leaves .366."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

from engine import formulas
from prompts.read.worded.figure import figures, without
from prompts.read.worded.finding import Read, one
from prompts.read.worded.settings import Given

OVER = re.compile(
    r"\b(?:over|after|across|in) (?P<a>\d{1,4}) (?:time ?)?(?:steps?|tokens?)\b|(?:经过|过了?|走了?|传了?"
    r"|连乘) ?(?P<b>\d{1,4})"
    r" ?(?:个)?(?:步|次|token|词元)(?:之?后|以后)?",
    re.IGNORECASE,
)
_REMAINS = re.compile(
    r"\bleaves?\b|\bleft\b|\bremains?\b|\b(?:decays?|shrinks?|falls?|drops?|goes|comes) (?:down )?to\b|[还只仅]?剩"
    r"|衰减(?:到"
    r"|成|为)|[变缩][到成为]|降到",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"(?<![A-Za-z])(?-i:[AVRGT])(?![A-Za-z])|advantage|优势|δ|delta|weight|权重|variance|方差|step estimate"
)


def left_over(own: Given, standing: Mapping[str, Any]) -> Read | None:
    """What γ, λ or both leave of 1 over so many steps."""
    del standing
    rates = {name: own.numbers[name] for name in ("gamma", "lam") if name in own.numbers}
    steps = list(OVER.finditer(own.body))
    if not rates or set(own.numbers) != set(rates) or len(steps) != 1 or own.unnamed or own.everywhere is not None:
        return None
    body = without(own.body, [steps[0].span()])
    if not _REMAINS.search(body) or _OF_OTHERS.search(body) or own.at_the_end is not None:
        return None
    stated = figures(body)
    if len(stated) != 1 or re.search(r"\d", without(body, [(x.start, x.end) for x in stated])):
        return None
    if stated[0].both or stated[0].times or not 0 < stated[0].value <= 1:
        return None
    letters = "".join(rf"\{'gamma' if name == 'gamma' else 'lambda'}" for name in rates)
    power = int(steps[0]["a"] or steps[0]["b"])
    worth = formulas.discounted(Fraction(1), prod(rates.values()), power)
    return Read(one(rf"({letters})^{{{power}}}", worth, stated), "why_gamma")
