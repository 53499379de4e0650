"""Statements that one quantity is above another, or of one sign, under conditions of the same kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from engine import orders, terms
from engine.drawn import POLICY
from engine.orders import Order
from engine.terms import Term
from prompts.read.expressions import expressions
from prompts.read.formulas import spelt_out
from prompts.read.polarity import said
from prompts.read.settled import settled

_ABOVE = (
    r">|(?:is |are |be |will be |stays |lies )?(?:larger|greater|bigger|higher|more|above)(?: than)?|exceeds?"
    r"|(?:会)?(?:大于|高于|超过|多于)|比(?=.*[大高]$)"
)
_BELOW = (
    r"<|(?:is |are |be |will be |stays |lies )?(?:smaller|less|lower|below)(?: than)?"
    r"|(?:会)?(?:小于|低于|少于)|比(?=.*[小低]$)"
)
_OVER = re.compile(rf"(?:{_ABOVE})", re.IGNORECASE)
_UNDER = re.compile(rf"(?:{_BELOW})", re.IGNORECASE)
_POSITIVE = re.compile(r"(?:is |are |be |comes out |becomes )?positive|(?:为|是|必为)?正(?:的|数)?", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?:is |are |be |comes out |becomes )?negative|(?:为|是|必为)?负(?:的|数)?", re.IGNORECASE)
_FILL = re.compile(
    r"\s|[,，.。;；:：!！?？]|\b(?:must|always|necessarily|then|so|too|also|itself|will|has to|have to|the|is|are"
    r"|be|say|and|even|it follows that)\b|一定|必定|必然|肯定|总是|就|也|会|则|那么|那|所以|是|的|且|并且|要"
    r"|[大高小低]$",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"[,，;；。]|时(?![刻序间候])|的话|的时候|\.\s|\.$|→|⇒|=>|\b(?:then|so|implies|means)\b|那么|所以|则|就一定|说明|意味着|推出",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:when(?:ever)?|if|as long as|provided(?: that)?|given(?: that)?)\b|只要|(?<!应)当|如果|若", re.IGNORECASE
)
_AND = re.compile(r"\band\b|且|并且|、", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|cannot|no)\b|n't\b|[不没未非≥≤]|[<>]=|\\[gl]eq?\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\b(?:must|always|necessarily|has to|have to)\b|一定|必定|必然|必|总是|肯定", re.IGNORECASE)


@dataclass(frozen=True)
class Ordered:
    order: Order
    conditions: tuple[Order, ...]
    found: orders.Found
    sure: bool  # said to be always so


def ordered(sentence: str) -> Ordered | None:
    apart = said(spelt_out(sentence))
    if apart.contrasted or apart.denials:
        return None
    text, where = settled(apart.stated)
    if where is None or _NOT.search(text):
        return None
    text = text.replace(">", " exceeds ").replace("<", " is below ")
    clauses = _clauses(text)
    read = [_order(clause) for clause in clauses]
    if not read or any(one is None for one in read):
        return None
    *conditions, conclusion = [one for one in read if one is not None]
    plain = not conclusion.quantities
    if conclusion.quantities & POLICY or not (conditions or where.rates or where.zero or plain):
        return None
    if any(_of_all(one) or one.latex == conclusion.latex for one in conditions):
        return None
    found = orders.settle(conclusion, conditions, where)
    sure = _ALWAYS.search(text) is not None
    return Ordered(conclusion, tuple(conditions), found, sure) if found.known or (sure and found.seen) else None


def _of_all(condition: Order) -> bool:
    """Whether it may be supposed of every token: "if the rewards are positive"."""
    loose = [term for term in (condition.larger, condition.smaller) if term.anywhere]
    return any(term.quantities & {"rewards", "values", "deltas"} for term in loose)


def _clauses(text: str) -> list[str]:
    """The conditions, and what is said to follow from them, which comes last."""
    behind = _BEHIND.search(text)
    if behind is not None and text[: behind.start()].strip(" ,，"):
        follows, condition = text[: behind.start()], text[behind.end() :]
        return [*_pieces(condition), *_pieces(follows)]
    return _pieces(_BEHIND.sub(" ", text))


def _pieces(text: str) -> list[str]:
    return [piece for part in _CUT.split(text) for piece in _AND.split(part) if piece and _FILL.sub("", piece)]


def _order(clause: str) -> Order | None:
    """left > right, from a clause of which nothing else is left."""
    found = expressions(clause)
    if not 1 <= len(found) <= 2:
        return None
    rest = clause
    for _, start, end in reversed(found):
        rest = rest[:start] + "\n" + rest[end:]
    left, right = found[0][0], found[1][0] if len(found) == 2 else terms.number(Fraction(0))
    for pattern, make in _ways(len(found)):
        match = pattern.search(rest)
        if match is not None and not _FILL.sub("", rest[: match.start()] + " " + rest[match.end() :]):
            return make(left, right)
    return None


def _ways(count: int) -> list[tuple[re.Pattern[str], Callable[[Term, Term], Order]]]:
    if count == 1:
        return [(_POSITIVE, lambda a, b: Order(a, b)), (_NEGATIVE, lambda a, b: Order(b, a))]
    return [(_OVER, lambda a, b: Order(a, b)), (_UNDER, lambda a, b: Order(b, a))]
