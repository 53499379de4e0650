"""Numbers told token by token: token 1: 0.3, token 2: 0.2, … each with the number of its token as it is written."""

from __future__ import annotations

import re

_PAIR = re.compile(
    r"(?:\b(?:token|step|position) ?#?|词元 ?|第 ?)(?P<token>\d{1,4})(?: ?个 ?(?:token|词元)?)?(?:'s)?"
    r" ?(?:gets?|has|holds|receives|得到?|拿到?|分到|[:=]|是|为)? ?"
    r"(?P<x>[+-]?(?:\d{1,9}\.\d{1,9}|\.\d{1,9}))(?![\d%]|\.\d)",
    re.IGNORECASE,
)
FURTHEST = 60  # characters from one to the next, and from their name to the first


def allotted(text: str) -> list[tuple[int, str, int, int]]:
    """At least two, one after the other: the token, the literal, and where each begins and ends."""
    run: list[tuple[int, str, int, int]] = []
    for pair in _PAIR.finditer(text):
        if run and pair.start() - run[-1][3] > FURTHEST:
            break
        run.append((int(pair["token"]), pair["x"], pair.start("x"), pair.end()))
    return run if len(run) > 1 else []


def spoken_before(text: str, start: int) -> str:
    """The words that lead to the first of them."""
    return re.split(r"[.。;；\n]", text[max(0, start - FURTHEST) : start])[-1]
