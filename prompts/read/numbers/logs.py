"""Probabilities and their logarithms: log π_old is a log-probability, and what is negative is one too."""

from __future__ import annotations

import math
import re
from typing import Any

from prompts.read.numbers.draft import Draft
from prompts.read.numbers.token import Token

PROBABILITIES = {"prob": "logp", "ref_prob": "ref_logp", "new_prob": "new_logp", "old_prob": "old_logp"}
_SPOKEN = re.compile(r"(?<!log[ _-])(?<!log)\bprob(?:s\b|abilit)|(?<!对数)概率", re.IGNORECASE)
_LOGARITHMS = frozenset(["log", "ln"])


def join_logarithms(tokens: list[Token]) -> list[Token]:
    """The logarithm of a policy's probabilities becomes one name: log π_ref, ln p_old, log(π_new)."""
    result: list[Token] = []
    i = 0
    while i < len(tokens):
        last = _argument(tokens, i)
        if last is None:
            result.append(tokens[i])
            i += 1
        else:
            name = tokens[i + 1] if last == i + 1 else tokens[i + 2]
            assert name.sense is not None, "only names are arguments"
            meant = name.sense._replace(meaning=PROBABILITIES[name.sense.meaning], tight=False)
            result.append(
                name._replace(text=f"log {name.text}", start=tokens[i].start, end=tokens[last].end, sense=meant)
            )
            i = last + 1
    return result


def _argument(tokens: list[Token], i: int) -> int | None:
    """The last token of a logarithm of probabilities that begins at a token."""
    if tokens[i].kind != "word" or tokens[i].text.lower().rstrip("_") not in _LOGARITHMS:
        return None
    behind = tokens[i + 1 : i + 4]
    if behind and _probable(behind[0]) and behind[0].start - tokens[i].end <= 1:
        return i + 1
    wrapped = len(behind) == 3 and behind[0].text == "(" and behind[2].text == ")" and _probable(behind[1])
    return i + 3 if wrapped else None


def _probable(token: Token) -> bool:
    return token.sense is not None and token.sense.meaning in PROBABILITIES


def convert_probabilities(draft: Draft) -> None:
    """Probabilities become log-probabilities; negative ones have become it already, log 0 is left to the door.

    What the actor "gives" is whatever the message speaks of: where that is probabilities or percent, what is positive.
    """
    if _SPOKEN.search(draft.text) or "%" in draft.text:
        for name, log_name in PROBABILITIES.items():
            if log_name in draft.params and name not in draft.params and _positive(draft.params[log_name]):
                draft.params[name] = draft.params.pop(log_name)
                if log_name in draft.bare:
                    draft.bare.add(name)
    for name, log_name in PROBABILITIES.items():
        if name in draft.params:
            given = draft.params.pop(name)
            if log_name in draft.params:
                continue
            logarithms = _negative(given)
            draft.params[log_name] = given if logarithms else [_log(x) for x in given]
            draft.notes += [] if logarithms else ["probabilities_converted"]
            if name in draft.bare:
                draft.bare.add(log_name)


def _positive(x: Any) -> bool:
    if isinstance(x, list):
        return bool(x) and all(map(_positive, x))
    return isinstance(x, float) and 0 < x <= 1


def _negative(x: Any) -> bool:
    return any(map(_negative, x)) if isinstance(x, list) else isinstance(x, float) and x < 0


def _log(x: Any) -> Any:
    if isinstance(x, list):
        return [_log(entry) for entry in x]
    if not isinstance(x, float) or math.isnan(x):
        return math.nan
    return math.log(x) if x > 0 else -math.inf
