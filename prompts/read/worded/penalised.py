"""Rewards that follow from a list of KL and β: −β·KL for every token, and the score on the last one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import formulas
from prompts.read.worded.figure import U, without
from prompts.read.worded.finding import Read, row
from prompts.read.worded.groups import _plain
from prompts.read.worded.settings import Given

_KL = re.compile(
    r"(?:\bKLs?\b|\bk_?1\b)(?: ?(?:penalt(?:y|ies)|values?|值|散度|惩罚|序列|列表))? ?(?:分别|依次)?(?:=|:|is|are|of"
    r"|是|为)? ?$",
    re.IGNORECASE,
)
_SCORE = re.compile(rf"(?:\bscores?\b|得分|打分|分数) ?(?:=|:|is|of|是|为)? ?(?P<x>-?{U})(?![\d%]|\.\d)", re.IGNORECASE)
_UNSAID = (0, 1)  # the scores that go without saying: none, and right


def penalised(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    stated = own.lists.get("rewards")
    if stated is None or set(own.lists) != {"rewards"} or len(own.unnamed) != 1 or set(own.numbers) != {"beta"}:
        return None
    kl, start, end = own.unnamed[0]
    body = without(own.body, [(start, end)])
    if len(kl) != len(stated) or not _KL.search(own.body[:start]):
        return None
    said = _SCORE.search(body)
    rest = without(body, [said.span()] if said else [])
    if re.search(r"\d", re.sub(r"\bk_?1\b", " ", rest)):
        return None
    penalties = [formulas.token_reward(Fraction(0), x, own.numbers["beta"]) for x in kl]
    score = Fraction(said["x"]) if said else own.at_the_end
    if score is None:
        left = stated[-1] - penalties[-1]
        score = min(map(Fraction, _UNSAID), key=lambda x: abs(x - left))
        if abs(score - left) > Fraction(1, 100):  # whatever the score is, this says nothing of it
            return None
    rewards = [*penalties[:-1], penalties[-1] + score]
    return Read(row(r"\mathrm{score}_t - \beta\,\mathrm{KL}_t", rewards, [_plain(x) for x in stated]), "kl_reward")
