"""The numbers that a message states and that can be computed again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prompts.read.beside import Beside
from prompts.read.characters import clean
from prompts.read.numbers.spelling import plainly
from prompts.read.results import statement
from prompts.read.statement import Statement
from prompts.read.steps import finds_none, step

_SAID_WRONG = re.compile(
    r"(?<!没)(?<!没有)(?<!没[算写搞弄记说看抄])(?<!没有[算写搞弄记说看抄])(?:算错|错|不对|有误|写错|搞错|弄错)了?(?:吧|对吧|对不对|是吧|是不是|不是吗)[\s?？。!]*$"
    r"|(?:一定|肯定|必然|显然|那)(?:是|就)?(?:算|写|弄|搞)?错了?(?:的|吧)?[\s?？。!]*$"
    r"|\b(?:is|are|was|were|must be|has to be|have to be|'s|'re) (?:clearly |surely |just |all |obviously )?"
    r"(?:wrong|incorrect|mistaken|miscomputed|miscalculated|a mistake|an error|off)"
    r"(?:, ?(?:right|correct|no|isn'?t it|aren'?t they|isn'?t that so|don'?t you think))?[\s?.!]*$"
    r"|\bmeans? (?:that )?(?:an error|a mistake|something (?:is|went|was) wrong)[\s?.!]*$"
    r"|\bI (?:think|believe|suspect)[^.;]{0,40}\b(?:wrong|incorrect|a mistake)[\s?.!]*$",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"^\W*(?:is|are|was|were|did|does|do|has|have|can|could|any|which|where|what|who)\b[^.,;:]*$"
    r"|(?:有没有|是否|哪里|哪个|谁|吗)[^,，。]*$",
    re.IGNORECASE,
)
_INVERTED = re.compile(  # is A_1 .58?
    r"^(?P<so>\W*+(?:(?:so|and|then|but|ok)\b\W*+)*+)(?P<be>is|are|was|were) (?P<what>[^?=]{1,48}?) "
    r"(?P<x>(?:about |really )?(?:[+-]? ?(?:\d+(?:\.\d+)?|\.\d+)|\[[^\[\]]+\]))(?=\s*\?)",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r"[^.,，。;；:：]*[?？。.!\s]*$")


@step(finds_none)
def checkable(messages: Sequence[str], beside: Beside | None, earlier: Mapping[str, Any]) -> Statement | None:
    """What the last message states, on the numbers beside it, on earlier ones or on its own; None: nothing of it."""
    text = _INVERTED.sub(r"\g<so>\g<what> \g<be> \g<x>", plainly(clean(messages[-1])))
    found = statement(text, beside, earlier)
    return replace(found, denied=True) if found is not None and says_wrong(text) else found


def says_wrong(text: str) -> bool:
    """Whether a message says of numbers that they are wrong, and does not only ask whether: 这是算错了吧"""
    last = _LAST_CLAUSE.search(text)
    return _SAID_WRONG.search(text) is not None and not (last and _WHETHER.search(last[0].strip()))
