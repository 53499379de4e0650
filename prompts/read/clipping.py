"""Statements on the clipped objective of one token, with its ratio in numbers, its advantage in numbers or by sign."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from engine.example import RUNNING
from engine.one_term import OneTerm
from prompts.read.polarity import said

_NUMBER = r"[-+]?\s*\d*\.?\d+"
_A = r"(?:\bA(?:_t)?(?![A-Za-z])|(?:the |an? )?\badv(?:antage)?s?\b|优势)"
_IS = r"\s*(?:is|are|was|of|at|=|为|是|取|等于)*\s*"
_TABLE = tomllib.loads(Path(__file__).with_name("clipping.toml").read_text(encoding="utf-8"))


def _pattern(name: str) -> re.Pattern[str]:
    text = "|".join(_TABLE[name])
    for short, meant in (("<A>", _A), ("<IS>", _IS), ("<X>", f"(?P<x>{_NUMBER})")):
        text = text.replace(short, meant)
    return re.compile(text, re.IGNORECASE)


_NEGATIVE, _POSITIVE, _ADVANTAGE = map(_pattern, ("negative", "positive", "advantage"))
_RATIO, _EPS, _VALUE, _CLIPPED = map(_pattern, ("ratio", "eps", "value", "clipped"))
_NO_GRADIENT, _GRADIENT, _PUSHES, _FILL = map(_pattern, ("no_gradient", "gradient", "pushes", "fill"))
_DUAL = re.compile(r"dual[ -]?clip|双重?裁剪", re.IGNORECASE)
_PLAIN = re.compile(r"(?:没有|不用|without) ?(?:a )?dual[ -]?clip", re.IGNORECASE)


@dataclass(frozen=True)
class OnOneToken:
    """What is stated of one token's objective, and the token."""

    token: OneTerm
    holds: bool


def on_one_token(sentence: str) -> OnOneToken | None:
    text = said(sentence).stated.replace("−", "-")
    if _DUAL.search(_PLAIN.sub(" ", text)):
        return None
    text = _PLAIN.sub(" ", text)
    read = _token(text)
    if read is None:
        return None
    token, rest, signed = read
    verdicts, rest = _conclusions(token, rest, signed=signed)
    if not verdicts or _FILL.sub("", rest) or None in verdicts:
        return None
    return OnOneToken(token, all(verdicts))


def _token(text: str) -> tuple[OneTerm, str, bool] | None:
    """The token that is spoken of, what else is said, and whether only the sign of its advantage is known."""
    eps, text = _taken(_EPS, text)
    ratio, text = _taken(_RATIO, text)
    negative, positive = _NEGATIVE.search(text), _POSITIVE.search(text)
    signed = bool(negative) != bool(positive)
    if signed:
        advantage: Fraction | None = Fraction(-1 if negative else 1)
        text = (_NEGATIVE if negative else _POSITIVE).sub(" ", text, count=1)
    else:
        advantage, text = _taken(_ADVANTAGE, text)
    width = eps if eps is not None else Fraction(str(RUNNING.eps))
    if ratio is None or not advantage or ratio <= 0 or not 0 < width < 1:
        return None
    return OneTerm(advantage, ratio, width), text, signed


def _taken(pattern: re.Pattern[str], text: str) -> tuple[Fraction | None, str]:
    found = pattern.search(text)
    if found is None:
        return None, text
    return Fraction(found["x"].replace(" ", "")), text[: found.start()] + " " + text[found.end() :]


def _conclusions(token: OneTerm, rest: str, *, signed: bool) -> tuple[list[bool | None], str]:
    """Whether each thing that is said of the token is so, and what is left of the text."""
    found: list[bool | None] = []
    if match := _VALUE.search(rest):
        stated = Fraction(match["x"].replace(" ", ""))
        per_advantage = token.objective / token.advantage
        found.append(
            stated == per_advantage if match["a"] else None if signed else stated == token.objective,
        )
        rest = rest[: match.start()] + " " + rest[match.end() :]
    for pattern, so in ((_NO_GRADIENT, token.decided_by_the_clip), (_GRADIENT, not token.decided_by_the_clip)):
        if match := pattern.search(rest):
            found.append(so)
            rest = rest[: match.start()] + " " + rest[match.end() :]
    if match := _PUSHES.search(rest):
        down = "down" in match.group().lower() or "下" in match.group() or "压低" in match.group()
        found.append(not token.decided_by_the_clip and down == (token.advantage < 0))
        rest = rest[: match.start()] + " " + rest[match.end() :]
    if match := _CLIPPED.search(rest):
        denied = bool((match["no"] or "").strip()) or match["un"] is not None
        found.append(token.decided_by_the_clip is not denied)
        rest = rest[: match.start()] + " " + rest[match.end() :]
    return found, rest
