"""β goes from .1 to .2 and the penalty from .04 to .08: two statements, one before and one after."""

from __future__ import annotations

import re

from prompts.read.worded.figure import U
from prompts.read.worded.settings import ANY_NAME

_TO = r"(?:to|into|down to|up to|到|提到|提高到|升到|降到|变成|变为|变到|涨到|→|->|成|调到|改成|改为)"
_NAME = (
    rf"(?:{ANY_NAME}|\b(?:KL |beta )?(?:penalty|reward|ratio|advantage|delta|target|return|horizon|weight|objective"
    rf"|term)\b|惩罚|奖励|比值|优势"
    r"|目标|回报|视野|权重)"
)
_MOVED = re.compile(
    rf"(?P<name>{_NAME})(?P<what>[^\d,;:。]{{0,40}}?(?:KL ?(?:of|is|=|为|是)? ?{U}[^\d,;:。]{{0,12}}?)?)(?:\bfrom|从"
    rf"|由) ?(?P<a>-?{U})(?![\d%])"
    rf"[^\d,;。]{{0,8}}?{_TO} ?(?P<b>-?{U})(?![\d%]|\.\d)",
    re.IGNORECASE,
)


def before_and_after(text: str) -> tuple[str, ...]:
    """The text as it was and as it is then, each a statement of its own; nothing where it is told of one time."""
    moved = list(_MOVED.finditer(text))
    if len(moved) != 2 or moved[0]["name"].lower() == moved[1]["name"].lower():
        return ()
    return _with(text, "a"), _with(text, "b")


def _with(text: str, side: str) -> str:
    return _MOVED.sub(lambda m: f"{m['name']}{_trimmed(m['what'])} = {m[side]} ", text)


_VERB = re.compile(
    r"\b(?:goes|rises?|falls?|drops?|turns?|grows?|increases?|decreases?|moves?|is (?:raised|lowered))\b|就|会"
    r"|也",
    re.IGNORECASE,
)


def _trimmed(what: str) -> str:
    return _VERB.sub(" ", what)
