"""A claim that leaves to the messages before it what it is about: the same figure, the same identity, these numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

from prompts.read.characters import clean
from prompts.read.checkable import checkable
from prompts.read.formulas import spelt_out
from prompts.read.leaning import speaks_in_general
from prompts.read.left_open import slipped
from prompts.read.numbers.tokens import scan
from prompts.read.pronoun import spelled_out
from prompts.read.relation import relation
from prompts.read.settled import RATES, settled
from prompts.read.spoken_figure import NUMBER, at_another_place, figure
from prompts.read.steps import finds_none, step

LONGEST = 80  # characters of a message that leaves something to the ones before
FURTHEST = 6  # messages back
_WHAT_IF, _WERE = re.compile(r"\bwhat if\b", re.IGNORECASE), re.compile(r" were (?=[\d.])", re.IGNORECASE)
_IT_IS = re.compile(
    r"\b(?:is|was|does|would|will|should) (?:it|that one)(?: (?:then|now|still|also|really|be|become|equal|come to))*"
    rf" (?={NUMBER})"
    r"|\b(?:it|that one)(?:'s|'d be| is| was| would| will| should| becomes| equals| comes to)"
    rf"(?: (?:then|now|still|also|really|exactly|be|become|equal|come to))* (?={NUMBER})"
    r"|(?:它|这个(?:数|值|优势)?|那个(?:数|值|优势)?|该值)(?:现在|此时|这时候?|应该|大概|就|也|还|会|正好|刚好)*"
    rf"(?:是|等于|为|变成|变为) ?(?={NUMBER})",
    re.IGNORECASE,
)
_PLACE = re.compile(r"第|最后|末|\b(?:first|second|third|fourth|last|next|final|other)\b|另", re.IGNORECASE)
_HOLDS = re.compile(
    r"\W*(?:(?:and|but|so|then|ok|well|what about|what if|how about|if|那么?|可是?|但是?|如果|换成|呢)\W*+)*+"
    r"(?:(?:does|do|is|are|will|would)"
    r" (?:it|that|this|they|the (?:identity|equation|equality|formula|statement|claim|same))"
    r" (?:(?:still|also|then|now|even|always|be)\W++)*+(?:hold|true|work|go through|apply|the case|correct|right|valid)"
    r"(?: true| up)?"
    r"|(?:这|那|它们?|这个(?:等式|式子|恒等式|结论|关系)?|等式|恒等式|结论)?(?:还|仍然?|依然|也|又|就|会|能|一样|同样|照样)*"
    r"(?:成立|是对的|对|正确|是这样|相等|等于|一样|相同)(?:吗|么|吧|不)?)"
    r"\W*(?:then|too|there|as well|呢)?\W*",
    re.IGNORECASE,
)
_PROVING = re.compile(
    r"^\W*(?:please |can you |could you |请|帮我|能不能|麻烦)*(?:prove|show|derive|verify|check|demonstrate|explain why"
    r"|证明|推导|验证|说明|检验|证)(?: me)?(?:一下)?(?: that| to me that)?[\s:：,，]*",
    re.IGNORECASE,
)
_GAMMA, _LAMBDA = re.compile(r"\bgamma\b", re.IGNORECASE), re.compile(r"\b(?:lambda|lam)\b", re.IGNORECASE)
_WHY = re.compile(r"^\W*(?:那么?)?为(?:什么|何|啥) ?(?=.*(?:等于|相等|一样|就是|=))", re.IGNORECASE)
_IS = re.compile(r"(?<=\bit)'s(?= )", re.IGNORECASE)
_THEN = re.compile(
    r"^(?P<lead>\W{0,4}(?:(?:and|but|so|ok|那么?|所以)\b\W{0,2}){0,2})"
    r"(?:(?:now|then|at this point|in this case|at these settings|with these (?:numbers|settings)|here)\b"
    r"|这个?时候?|这种情况下?|此时|现在|这样(?:一来|的话)?|这里)[\s,，]*"
    r"|[\s,，]*\b(?:now|then|here|in this case)(?=(?:, (?:right|correct|no|isn't it))?\W*$)",
    re.IGNORECASE,
)


@step(finds_none)
def in_full(messages: Sequence[str], lesson: str, standing: Mapping[str, Any]) -> str | None:
    """The last message with what it leaves to the others; None where it leaves nothing that is understood."""
    text = clean(messages[-1]).strip()
    earlier = [clean(message).strip() for message in messages[:-1]][-FURTHEST:][::-1]
    if not earlier or len(text) > LONGEST or "\n" in text:
        return None
    return _of_figure(text, earlier, standing) or _of_identity(text, earlier) or _at_this(text, lesson, standing)


def _of_figure(text: str, earlier: Sequence[str], standing: Mapping[str, Any]) -> str | None:
    """If λ = 1, is it 0.6? of the figure that was last claimed, where that can be computed again."""
    elsewhere = at_another_place(text, earlier[0])
    if elsewhere is not None:
        return elsewhere if checkable([elsewhere], None, standing) is not None else None
    slip = slipped(text)
    if slip is not None:
        named = figure(earlier[0])
        return f"{named} = {slip}?" if named is not None and checkable(earlier[:1], None, standing) else None
    text = _WERE.sub(" is ", _WHAT_IF.sub("if", text))
    said = _IT_IS.search(text)
    named = next(filter(None, map(figure, earlier)), None) if said is not None else None
    if said is None or named is None or _names_another(f"{text[: said.start()]} {text[said.end() :]}"):
        return None
    is_it = "是 " if "\u3400" <= said[0].strip()[-1] <= "\u9fff" else " is "
    whole = f"{text[: said.start()]}{named}{is_it}{text[said.end() :]}"
    return whole if checkable([whole], None, standing) is not None else None


def _names_another(beside: str) -> bool:
    """Whether something else than a setting stands beside "it is": and the second one, is it 0.4?"""
    left, _ = settled(_in_letters(beside))
    return _PLACE.search(left) is not None or any(
        token.sense is not None and not token.sense.weak for token in scan(left)
    )


def _of_identity(text: str, earlier: Sequence[str]) -> str | None:
    """Does it still hold with γ = 1? of the identity that was last spoken of."""
    left, where = settled(_in_letters(text))
    if where is None or not (where.rates or where.inner) or _HOLDS.fullmatch(left.replace(" ,", ",")) is None:
        return None
    identity = next(filter(None, map(_identity, earlier)), None)
    if identity is None:
        return None
    rest, own = settled(_in_letters(identity))
    if own is None:
        return None
    rates = {**dict(own.rates), **dict(where.rates)}
    inner = "0 < γ < 1, " if where.inner else ""
    whole = f"{_setting(rates)}{inner}{rest.strip(' ,') if own.rates else identity}"
    return whole if relation(whole) is not None else None


def _in_letters(text: str) -> str:
    return _GAMMA.sub("γ", _LAMBDA.sub("λ", spelt_out(text)))


def _setting(rates: Mapping[str, Any]) -> str:
    letters = [(letter, rates[name]) for letter, name in RATES.items() if isinstance(rates.get(name), Number)]
    return "".join(f"with {letter} = {float(x):.6g}, " for letter, x in letters)


def _identity(text: str) -> str | None:
    """The equation that a message claims, or wants to be proved."""
    stated = _WHY.sub("", _PROVING.sub("", text)).strip(" ?？")
    for said in (stated, re.split("[:：]", stated)[-1].strip()):
        found = relation(said)
        if found is not None:
            return said
    return None


def _at_this(text: str, lesson: str, standing: Mapping[str, Any]) -> str | None:
    """Now it equals the Monte Carlo advantage: at the standing numbers, which a verdict looks at anyway."""
    if not _THEN.search(text) or speaks_in_general(text):
        return None
    plain = _THEN.sub(lambda found: found["lead"] or "", _IS.sub(" is", text), count=1)
    for whole in (plain, spelled_out(plain, lesson)):
        found = relation(whole) if whole else None
        if whole and found is not None:
            settled_for_all = found.every and not found.relation.where.rates
            return f"{_setting(standing)}{whole}" if settled_for_all else whole
    return None
