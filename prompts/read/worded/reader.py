"""A message to what was found on the figures that it states; None where any of it is not understood."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prompts.read.characters import clean
from prompts.read.numbers.spelling import in_digits
from prompts.read.steps import finds_none, step
from prompts.read.worded.clauses import clauses
from prompts.read.worded.counts import counts
from prompts.read.worded.deduced import deduced
from prompts.read.worded.figure import Figure, figures
from prompts.read.worded.finding import Finding, Read, Worded
from prompts.read.worded.groups import group
from prompts.read.worded.place import digits
from prompts.read.worded.scalars import scalars
from prompts.read.worded.settings import ANY_NAME, given
from prompts.read.worded.valued import valued
from prompts.read.worded.weights import weights

LONGEST = 400  # characters
_ROW = re.compile(  # rewards 1 1 0 0
    r"(?<=[\s:=])(?<![\[(,+\d-]\s)(?:[-+]?(?:\d*\.)?\d+ ){2,12}[-+]?(?:\d*\.)?\d+"
    r"(?=[,;:.]?(?:\s|$)|[,;:])(?!\s*+[\])\d])"
)
_COUNTS = re.compile(
    r"\d|[零一二两三四五半]|最后|zero|half|\b(?:first|second|third|fourth|last|final)\b", re.IGNORECASE
)
_SPACES = re.compile(r" {2,}")
_ASKS = re.compile(
    r"\b(?:what|how|why|which|where|who)\b(?:[^.;]|\.\d)*\?|^\W*(?:what|how|why|which|compute|calculate|show"
    r"|derive|prove|explain"
    r"|give|find|please)\b|多少|怎么|怎样|如何|什么|为何|为啥|哪|几[个步条]|帮我|请(?!问|确认)|算一下|算算|求出|写出"
    r"|解释"
    r"|不管|无论|不论|\b(?:whatever|regardless|no matter|always|any)\b|总是|任意|任何|\^ ?\{?[a-zA-Z]|[γλβ] ?/ ?\d"
    r"|\b(?:if|when|unless) (?:not|only)\b|还是[^,，。]{0,20}[?？]|\bor\b[^?]{0,40}\?|\bor\b.{0,8}\d",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"(?:这|那)?(?:是|就)?(?:算|写|弄|搞)?错了?(?:的)?(?:吧|吗|对吧|么)?[\s?？。!]*$|(?:不对|有误|不正确)(?:吧"
    r"|吗)?[\s?？。!]*$"
    r"|\bis (?:that|this|it) (?:wrong|incorrect|a mistake|off)\b|\b(?:that|this|which) (?:is|must be"
    r"|has to be) (?:wrong|incorrect|a mistake)\b"
    r"|\b(?:must|has to|have to|can only) be (?:wrong|incorrect|a mistake|false|off)\b"
    r"|\b(?:it is|it's) (?:false|wrong|not true) that\b|并非|\bI (?:doubt|don't think|do not think)\b|我"
    r"(?:不觉得|不认为)|^\W*不是说",
    re.IGNORECASE,
)
_RIGHT = re.compile(r"没(?:有)?[算写弄搞抄记说填]?错|错了吗|is (?:that|this|it) (?:wrong|right) or", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"(?:\bwhich (?:is why|shows|proves|means)\b|说明|证明|意味着?|因此|所以|可见)(?=[^\d]{5,}$)"
    r"(?!.*(?:零|zero|positive|negative|正的?|负的?)\W*$)|"
    r"(?:\bso\b|\btherefore\b|\bhence\b|\bmeans\b|\bmeaning\b|\bbecause\b|\bsince\b|所以|因此|因为|说明|意味着?"
    r"|也就是说|由于|可见)"
    r"(?=[^\d]{10,}$)(?!.*(?:零|zero|positive|negative|正的?|负的?)\W*$)",
    re.IGNORECASE,
)
_AS_OTHERS_HAVE_IT = re.compile(
    r"误(?:以为|当|把|认)|漏(?:掉|了)|忘(?:了|记|掉)|当成|错误地|错当|\bforg[eo]t\w*|\bmistak\w+|\bwrongly\b",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(  # because each step removes 0.2
    rf"[,，]? ?(?:\bbecause\b|因为)(?!.*(?:{ANY_NAME}|[=≈]|\b[rVAG]_?\d|logp|奖励|价值|优势|reward|value"
    rf"|advantage))(?:[^.。;；]|\.\d)*"
    r"[.。]?\s*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",? ?(?:don't they|doesn't it|isn't (?:it|that so|that right)|aren't they|right|correct|no|ok|yes)\s*\?\s*$"
    r"|(?:对吧|对吗|对不对|是吧|是吗|是不是|没错吧|不是吗|吗|吧|(?<!什)(?<!怎)么)[\s?？。!]*$|是不是|难道(?:不是)?",
    re.IGNORECASE,
)
_NOT_BUT = re.compile(
    r"(?:不是|并不是|不等于|而不是|而非) ?[^,，。;；]{1,24}?[,，]? ?而?(?:应该)?是(?=[^,，。]*\d)"
    r"|\bnot (?:about )?[-\d./^]{1,12},? but\b|\bisn't [-\d./^]{1,12},? but\b"
    r"|[,，] ?(?:而不是|而非|不是|and not|not|rather than|instead of)(?: about| 大约| 约)?"
    r" ?[-+±]?[\d./^]{1,12}(?:·?A)?(?![\d.])"
    r"| (?:rather than|instead of|and not) ?[-+±]?[\d./^]{1,12}(?:·?A)?(?![\d.])",
    re.IGNORECASE,
)
_NOT_THE_OTHER = re.compile(  # larger, not smaller
    r" ?[,，(]? ?(?:而不是|而非|而不|并不是|不是|and not|but not|not|rather than|instead of) ?(?:变得?|更|是)?(?:大"
    r"|小|高|低|多|少"
    r"|正|负|larger|smaller|bigger|greater|higher|lower|more|less|positive|negative|up|down)(?:的|了)?"
    r"(?: ?than ?[\d.]+)?\)?(?=\s*(?:$|[,，。.;；]))",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"不(?:会)?(?:是(?! ?(?:最后|末|结尾))|等于|为(?!零)|可能是|到)|没有?(?=等于|达)|\b(?:is|are|does|do|was|were"
    r"|will|would|can)(?: not"
    r"|n't)\b(?! zero| (?:the |a )?(?:last|final|terminal))|\bcannot\b|≠ ?(?!0(?!\.))",
    re.IGNORECASE,
)


@step(finds_none)
def worded(message: str, standing: Mapping[str, Any]) -> Worded | None:
    """What a message states in words; `standing` are the numbers that were spoken of before."""
    if len(message) > LONGEST or not _COUNTS.search(message):
        return None
    text = _ROW.sub(lambda row: f"[{', '.join(row.group().split())}]", _SPACES.sub(" ", in_digits(clean(message))))
    if "```" in text or text.count("\n") > 2:
        return None
    text = _TAG.sub(" ", _RIGHT.sub(" ", text))
    text, denials = _WRONG.subn(" ", text)
    if _ASKS.search(text) or _AS_OTHERS_HAVE_IT.search(text):
        return None
    text = _NOT_THE_OTHER.sub(" ", text)
    instead = [x for said in _NOT_BUT.finditer(text) for x in figures(f" {said[0].strip('，, ')} ")]
    text, contrasted = _NOT_BUT.subn(" ", text)
    text, negated = _NOT.subn(" ", text)
    if negated + denials > 1 or (negated and contrasted):
        return None
    found = _first(digits(text), standing)
    if found is None or (all(one.holds for one in found.findings) and _CONCLUDES.search(text)):
        return None  # the figure is right; whether what is made of it is, others say
    denied = (denials + negated) % 2 == 1
    return Worded(
        tuple(_not_the_other(one, instead) for one in found.findings),
        found.lesson,
        denied,
        found.from_one,
        found.standing,
    )


def _not_the_other(one: Finding, instead: Sequence[Figure]) -> Finding:
    """0.7 and not 0.729: what is denied is the number, more precisely."""
    if isinstance(one.correct, str | list | tuple) or not one.holds:
        return one
    decimals = len(one.stated.partition(".")[2])
    closer = any(x.decimals is not None and x.decimals > decimals and x.agrees(one.correct) for x in instead)
    return replace(one, holds=False) if closer else one


def _first(text: str, standing: Mapping[str, Any]) -> Read | None:
    """What the first reader finds that understands all of it."""
    plain = _IN_WORDS.sub(" ", text)
    if plain != text and re.search(r"\d", text[len(plain.rstrip()) :]):
        found = _first(plain, standing)  # whatever the reason is, a wrong figure is wrong
        return found if found is not None and not all(x.holds for x in found.findings) else None
    own = given(text)
    found = clauses(text, standing) or deduced(own)
    return found or next((read for reader in _READERS if (read := reader(own, standing)) is not None), None)


_READERS = (group, valued, counts, weights, scalars)
