"""The numbers that a message states and that can be computed again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prompts.read.beside import Beside
from prompts.read.characters import clean
from prompts.read.numbers.sheet.fit import fit
from prompts.read.numbers.sheet.sheet import Sheet, sheet
from prompts.read.numbers.sheet.tidy import tidy
from prompts.read.numbers.spelling import plainly
from prompts.read.origins import placed_in
from prompts.read.placing import CUT, FROM_ONE
from prompts.read.results import read_as, statement
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
_DECIMAL = re.compile(r"(?<![\w.])\d*\.\d++(?![\w%]|\.\d)")
FEWEST = 2  # numbers that are stated of what is given
_DOUBTS = re.compile(
    r"\b(?:right|correct|wrong|incorrect|mistakes?|errors?|bugs?|slips?|typos?|off|fishy|check\w*|double-?check\w*"
    r"|verif\w+|audit\w*|valid\w*|confirm\w*|trust|consistent|adds? up|proofread|review|sanity|plausible|accurate"
    r"|ok(?:ay)?|sound|reliable|hold up|makes? sense|look (?:fine|good|ok)"
    r"|is (?:this|that|it) (?:what|how)|problem|issues?|spot|catch|broken|true)\b"
    r"|对[吗么嘛不]|对没|检查|核[对查实算]|验[算证一]|校验|审[一下阅核查]|审$|错|有误|不对|正确|问题|靠谱|可信|可靠"
    r"|准确|没毛病|看看|把关|挑|一致",
    re.IGNORECASE,
)
_WANTS = re.compile(
    r"(?:^|[.,;:!?\n]|\b(?:and|then|please|you|me|to|now|also|just))\s*"
    r"(?:compute|calculate|explain|derive|prove|show|plot|draw|whiten|normali[sz]e|implement|write|translate|fill|complete|suppose|change"
    r"|replace|give|tell|find|work out)\b|\b(?:why|how|what)\b[^.!\n]*\?|^\s*(?:why|how)\b"
    r"|为什么|为何|怎么(?!看)|如何|什么(?!问题|错|毛病)|多少|(?:帮我|请|麻烦|想|再|来|需要)[^,。\n]{0,6}(?:计算|算(?!得对)|解释|推导|证明|画|补全|填|白化|求)|假设|改成|换成",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r"[^.,，。;；:：]*[?？。.!\s]*$")


@step(finds_none)
def checkable(messages: Sequence[str], beside: Beside | None, earlier: Mapping[str, Any]) -> Statement | None:
    """What the last message states, on the numbers beside it, on earlier ones or on its own; None: nothing of it."""
    text = _straight(messages[-1])
    found = statement(text, beside, earlier)
    if found is None or _numbers_in(text) - {round(x, 9) for x in _numbers_of(found)}:
        return None  # there is more to it
    return replace(placed_in(messages[-1], lambda said: read_as(_straight(said)), found), denied=says_wrong(text))


def _straight(message: str) -> str:
    return _INVERTED.sub(r"\g<so>\g<what> \g<be> \g<x>", plainly(clean(message)))


def _numbers_in(text: str) -> set[float]:
    return {round(float(number), 9) for number in _DECIMAL.findall(text)}


def _numbers_of(found: Statement) -> Iterator[float]:
    stated = [claim.stated for claim in found.claims]
    waiting: list[Any] = [*found.given.values(), *stated]
    while waiting:
        x = waiting.pop()
        if isinstance(x, list | tuple | dict):
            waiting += x.values() if isinstance(x, dict) else x
        elif isinstance(x, int | float):
            yield abs(float(x))


@step(finds_none)
def pasted(message: str) -> Statement | None:
    """What a message states of the numbers that it brings itself, in whatever format; None where it wants something
    else of them, or has not both."""
    read = sheet(message)
    if len(read.series) < 2 or not _to_be_checked(read):
        return None
    found = fit(read)
    if found is None or found.total < (1 if _DOUBTS.search(read.rest) else FEWEST):
        return None
    notes = tuple(note for note, so in ((FROM_ONE, found.from_one), (CUT, found.cut)) if so)
    denied = says_wrong(" ".join(read.rest.split()))
    said = Statement(found.given, found.claims, notes, found.quantity, found.solved, denied)
    return placed_in(message, tidy, said)


def _to_be_checked(read: Sheet) -> bool:
    """Whether a message doubts its numbers, or says nothing of what it wants of them; where lines are worked out, what
    is wanted is said at the end."""
    said = read.rest.strip().rpartition("\n")[2] if read.worked else read.rest
    return _DOUBTS.search(read.rest) is not None or not _WANTS.search(said)


def says_wrong(text: str) -> bool:
    """Whether a message says of numbers that they are wrong, and does not only ask whether: 这是算错了吧"""
    last = _LAST_CLAUSE.search(text)
    return _SAID_WRONG.search(text) is not None and not (last and _WHETHER.search(last[0].strip()))
