"""The numbers that a message states and that can be computed again: of lists, of one token, of themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.audits import Claim
from prompts.read.beside import FIELDS, Beside
from prompts.read.characters import clean
from prompts.read.leaning import speaks_in_general
from prompts.read.numbers.spelling import plainly
from prompts.read.of_lists import actual_return, ends, signs, statistics, whitened
from prompts.read.one_token import one_token
from prompts.read.results import asks_otherwise, statement
from prompts.read.shares import equated, shares
from prompts.read.statement import Statement
from prompts.read.sums import Sum, sums
from prompts.read.terms import terms, weights, without_supposition

TOTAL_WEIGHT = "sum(weights)"
LONGEST = 400  # characters of a message that is read for one number
SPARE, ASIDE = 60, 24  # characters beside a sum, all of them and of one clause: the message is still about the sum
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


def checkable(
    messages: Sequence[str], beside: Beside | None, earlier: Mapping[str, Any], *, page: bool = False
) -> Statement | None:
    """What the last message states, on the numbers beside it, on earlier ones or on its own; None: nothing of it.

    page: it brings lists and what comes of them, so that every number of it is looked up elsewhere.
    """
    text = _INVERTED.sub(r"\g<so>\g<what> \g<be> \g<x>", plainly(clean(messages[-1])))
    found = _read(text, messages, beside, earlier, page=page)
    if found is not None and {claim.name for claim in found.claims} == {TOTAL_WEIGHT}:
        return None  # one, whatever the numbers are: the lesson proves it
    return replace(found, denied=True) if found is not None and says_wrong(text) else found


def says_wrong(text: str) -> bool:
    """Whether a message says of numbers that they are wrong, and does not only ask whether: 这是算错了吧"""
    last = _LAST_CLAUSE.search(text)
    return _SAID_WRONG.search(text) is not None and not (last and _WHETHER.search(last[0].strip()))


def _read(
    text: str, messages: Sequence[str], beside: Beside | None, earlier: Mapping[str, Any], *, page: bool
) -> Statement | None:
    own = {name: x for name, x in beside.inputs.items() if name in FIELDS} if beside is not None else None
    given = own if own is not None else earlier
    at_all = speaks_in_general(text) and "[" not in text  # not of the numbers at hand
    brief = len(text) <= LONGEST and not (asks_otherwise(text) or at_all)
    results = beside.results if beside is not None else {}
    if brief and (called := equated(text, given) or whitened(text, given) or statistics(text, given, results)):
        return called
    worked, notes = terms(text, given) if brief and given else ((), ())
    worked = worked or (weights(text, given) if brief and given else ())
    text = without_supposition(text)
    says = statement(text, beside, earlier)
    if worked:
        return _with(says, worked, notes, given)
    if says is not None or page or not brief:
        return says
    before = messages[-2] if len(messages) > 1 else ""
    return (
        shares(text, given, plainly(clean(before)))
        or signs(text, given, results)
        or actual_return(text, given)
        or ends(text, given, results)
        or one_token(text, given)
        or _by_itself(text)
    )


def _with(
    says: Statement | None, worked: tuple[Claim, ...], notes: tuple[str, ...], given: Mapping[str, Any]
) -> Statement:
    """A statement together with what was worked out of the same numbers, each number once."""
    if says is None:
        return Statement(given, worked, notes)
    there = {place for claim in says.claims for place in claim.places}
    more = tuple(claim for claim in worked if not there & {*claim.places})
    return replace(says, claims=(*says.claims, *more), notes=tuple(dict.fromkeys((*says.notes, *notes))))


def _by_itself(text: str) -> Statement | None:
    """Arithmetic; a right sum decides only where the message says little else."""
    found = sums(text)
    wrong = any(abs(float(one.claim.correct) - one.claim.stated) > one.claim.tolerance for one in found)
    if (
        not found
        or not (wrong or _says_no_more(text, found))
        or not (_OF_OURS.search(text) or re.search(r"\.\d", text))
    ):
        return None
    return Statement({}, tuple(one.claim for one in found))


def _says_no_more(text: str, found: Sequence[Sum]) -> bool:
    """Whether nothing is concluded from a sum, and no other clause says much."""
    left = text
    for one in reversed(found):
        left = f"{left[: one.start]}#{left[one.end :]}"
    clauses = [clause for clause in _CLAUSES.split(left) if "#" not in clause and not _AGREES.fullmatch(clause)]
    return len(left) <= SPARE and not _CONCLUDES.search(left) and all(len(clause) <= ASIDE for clause in clauses)


_OF_OURS = re.compile(
    r"token|\bids?\b|prompt|response|rewards?|advantage|values?|credit|returns?|delta|terms?|ratio|scores?|share"
    r"|split|\bkl\b|logp"
    r"|词元|回复|回答|提示|奖励|优势|价值|回报|得分|份额|平分|均分",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:，；：。\n]|\.(?!\d)")
_AGREES = re.compile(
    r"\W*(?:(?:it|that|this) is|is (?:it|that|this))? ?(?:right|correct|ok|true)\W*"
    r"|\W*(?:这样)?(?:对|没错|正确)[了的吗吧]?\W*",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:so|since|because|therefore|hence|thus|then|means|meaning|but)\b|所以|因此|因为|说明|意味|于是|那么|但",
    re.IGNORECASE,
)
