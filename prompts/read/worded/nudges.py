"""By how much A, δ or R of a token moves when one value or reward is moved by a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine import sequences
from prompts.read.worded.figure import U, figures, without
from prompts.read.worded.finding import Read, one
from prompts.read.worded.settings import Given

_MOVED = (
    r"(?:\b(?:rais\w+|increas\w+|lower\w*|decreas\w+|reduc\w+|chang\w+|mov\w+|bump\w*|overestimat\w*|goes|is|are|too"
    r"|higher|up|down|larger|smaller"
    r"|rises?|falls?|drops?|grows?|shift\w*|high|low)\b|高估|低估|改动|改变|改大|改小|调高|调低|提高|降低|增加|减少"
    r"|上升|下降|变化|变大|变小|抬高|升|降|变|高|低"
    r"|大|小|多|少|了|出|就|会|只|也|跟着)"
)
_X = rf"(?P<x>{U})(?![\d%]|\.\d)"
_CAUSE = re.compile(
    rf"(?:{_MOVED} ?){{0,3}}(?P<of>(?<![A-Za-z])(?-i:[Vr]))_\{{?t(?: ?\+ ?(?P<k>\d))?\}}?(?![\w+])(?: ?(?:{_MOVED}|by"
    rf"|的|estimate|值) ?){{0,4}} ?{_X}"
    rf"(?: ?(?:too high|too low|higher|lower))?",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    rf"(?P<of>(?<![A-Za-z])(?-i:[AR])|δ)_\{{?t\}}?(?![\w+])(?: ?(?:{_MOVED}|by|only|exactly|by only|too|then"
    rf"|the same) ?){{1,6}}{_X}",
    re.IGNORECASE,
)
_DOWN = re.compile(r"\b(?:lower\w*|decreas\w+|reduc\w+|falls?|drops?|down|smaller|low)\b|低|降|减|少|小", re.IGNORECASE)
_UP = re.compile(
    r"\b(?:rais\w+|increas\w+|overestimat\w*|up|high|higher|larger|rises?|grows?)\b|高|升|增|多|大|抬", re.IGNORECASE
)
_TAIL = 6  # tokens, more than any effect here reaches


def nudges(own: Given, standing: Mapping[str, Any]) -> Read | None:
    """V_{t+1} is raised by .2, and A_t goes up by .2: what is linear is moved once."""
    del standing
    if own.lists or own.unnamed or own.everywhere is not None or set(own.numbers) - {"gamma", "lam"}:
        return None
    effect = list(_EFFECT.finditer(own.body))
    body = without(own.body, [x.span() for x in effect])
    cause = list(_CAUSE.finditer(body))
    if len(cause) != 1 or len(effect) != 1 or re.search(r"\d", without(body, [cause[0].span()])):
        return None
    gamma, lam = own.numbers.get("gamma", Fraction(1)), own.numbers.get("lam")
    of, step = effect[0]["of"], int(cause[0]["k"] or 0)
    if (lam is None and of != "δ") or step + 2 > _TAIL:
        return None
    moved = Fraction(cause[0]["x"]) * (-1 if _down(cause[0][0]) else 1)
    rewards, values = [Fraction(0)] * _TAIL, [Fraction(0)] * _TAIL
    (values if cause[0]["of"] == "V" else rewards)[step] = moved
    deltas = sequences.deltas(rewards, values, gamma)
    advantages = sequences.gae_advantages(deltas, gamma, lam if lam is not None else Fraction(0))
    rows = {"δ": deltas, "A": advantages, "R": sequences.critic_targets(advantages, values)}
    stated = figures(effect[0][0])
    if len(stated) != 1:
        return None
    change = rows[of][0]
    signed = _down(effect[0][0]) or bool(_UP.search(effect[0][0]))
    told = change if signed and not _down(effect[0][0]) else -change if signed else abs(change)
    letter = r"\delta" if of == "δ" else of
    return Read(one(rf"\Delta {letter}_t" if signed else rf"|\Delta {letter}_t|", told, stated), "bootstrap")


def _down(words: str) -> bool:
    return _DOWN.search(words) is not None
