"""How much of the last reward each token is said to get: the weights with which it enters their advantages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.audits import Claim
from prompts.read.numbers.groups import group
from prompts.read.numbers.numerals import decimals_shown, numerals
from prompts.read.numbers.tokens import scan

NOTE = "weights_of_the_last_reward"
_BEHIND = re.compile(r" ?(?:shares? )?of the (?:last|final|terminal) (?:token's )?reward", re.IGNORECASE)
_BEFORE = re.compile(
    r"最后(?:一个|那个|的)? ?(?:奖励|reward)的? ?(?:的比例|权重)?(?:是|为|分别是|分别为)? ?\Z", re.IGNORECASE
)


def shares(text: str, parameters: Mapping[str, Any]) -> tuple[Mapping[str, Any], Claim] | None:
    """The numbers to compute from, a reward of 1 at the end and nothing else, and what is stated of the advantages."""
    tokens = scan(text)
    for found in group(tokens).groups:
        said = _BEHIND.match(text, found.end) or _BEFORE.search(text, max(0, found.start - 24), found.start)
        if found.scalar or not said:
            continue
        written = list(numerals(tokens, found))
        percent = any(t.text.endswith("%") for t in written)
        stated = [(t.value or 0.0) / (100 if percent and not t.text.endswith("%") else 1) for t in written]
        shown = max(decimals_shown(t.text.rstrip("%")) for t in written) + 2 * percent
        alone = {"rewards": [*[0.0] * (len(stated) - 1), 1.0], "values": [0.0] * len(stated)}
        return {**parameters, **alone}, Claim("advantages", stated, shown, None, tuple(t.start for t in written))
    return None
