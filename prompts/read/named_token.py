"""A token that is called by its place, with its own numbers in the place of that: was the second token clipped?"""

from __future__ import annotations

import math
import re

from engine.scenario import Scenario
from prompts.read.worded.place import LAST, NTH, ORDINAL, ZH

_OF_THE_CLIP = re.compile(r"clip|gradient|裁|截断|梯度", re.IGNORECASE)
_LEADS = re.compile(
    r"^\W*+(?:(?:so|and|then|but|ok|那么?|所以|但)\b\W*+)++"
    r"|\b(?:any ?more|the|does|do|still|on|in|for|of|at|to|through|flows?)\b|还|现在|上",
    re.IGNORECASE,
)
DIGITS = 6


def on_its_numbers(message: str, own: Scenario) -> str | None:
    """The message about a token of the learner's, told of its advantage and its ratio; None where there is none."""
    found = ORDINAL.search(message) or LAST.search(message)
    ratios = _ratios(own)
    if found is None or not ratios or own.advantages is None or not _OF_THE_CLIP.search(message):
        return None
    at = _index(found)
    if not -len(ratios) <= at < len(ratios):
        return None
    rest = _LEADS.sub(" ", message[: found.start()] + " " + message[found.end() :])
    advantage, ratio = own.rows("advantages")[0][at], round(ratios[at], DIGITS)
    return f"A={advantage}, ratio={ratio}, ε={own.eps}: {' '.join(rest.split())}"


def _index(found: re.Match[str]) -> int:
    if found.re is LAST:
        return -1
    if found["en"]:
        return NTH[found["en"].lower()]
    ordinal = found["zh"] or found["num"]
    return (ZH.get(ordinal) or int(ordinal)) - 1


def _ratios(own: Scenario) -> list[float]:
    if own.ratio is not None:
        return [float(r) for r in own.rows("ratio")[0]]
    if own.new_logp is None or own.old_logp is None:
        return []
    pairs = zip(own.rows("new_logp")[0], own.rows("old_logp")[0], strict=True)
    return [math.exp(new - old) for new, old in pairs]
