"""Arguments by their place: gae([0,0,1], [.5,.6,.9], 1, .95)."""

from __future__ import annotations

from prompts.read.numbers.cues import CALLS
from prompts.read.numbers.grouping import Grouping
from prompts.read.numbers.naming import WRAPPERS
from prompts.read.numbers.token import Token


def call_arguments(tokens: list[Token], grouping: Grouping) -> dict[int, str]:
    """gae([0,0,1], [.5,.6,.9], 1, .95): the first token of each positional group, and the name of its place."""
    places = {g.first: g for g in grouping.groups}
    named: dict[int, str] = {}
    for i, token in enumerate(tokens[:-1]):
        call = token.text.rsplit(".", 1)[-1].lower()
        if call not in CALLS or tokens[i + 1].text != "(" or tokens[i + 1].start != token.end:
            continue
        end = grouping.partner.get(i + 1, i + 1)
        j, slots = i + 2, list(CALLS[call])
        if i + 1 in places and slots:
            named[i + 1] = slots[0]
        while j < end and slots:
            start = j
            while j < end and tokens[j].kind != "comma":
                if j in places:
                    keyword = any(t.kind == "equals" for t in tokens[start:j])
                    if not keyword:
                        named[j] = slots[0]
                    j = places[j].last
                elif tokens[j].kind == "open" and not (
                    tokens[j - 1].kind == "word" and WRAPPERS.match(tokens[j - 1].text)
                ):
                    j = grouping.partner.get(j, j)
                j += 1
            slots, j = slots[1:], j + 1
    return named
