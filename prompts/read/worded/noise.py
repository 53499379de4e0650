"""Variances of sums of independent rewards or δ, each weighed as it enters A_0 or G_0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from engine import formulas
from engine.statistics import total
from prompts.read.worded.figure import U, figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.settings import numbers_of

LONGEST = 64  # steps
_VARIANCE = r"(?:\bvariances?\b|方差)"
_INDEPENDENT = re.compile(r"\b(?:independent|i\.?i\.?d\.?|uncorrelated)\b|独立|不相关", re.IGNORECASE)
_UNIT = re.compile(
    rf"\bunit {_VARIANCE}|单位方差|\b{_VARIANCE}(?: of| is)? (?P<a>{U})(?: each)?(?![\d.])|方差(?:都|各|均|同)?(?:是"
    rf"|为|等于)? ?(?P<b>{U})"
    rf"(?![\d.])|\beach (?:with|of|has) {_VARIANCE}(?: of)? ?(?P<c>{U})(?![\d.])",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"(?<![\d.])(?P<n>\d{1,2})[ -]?(?:个|步|条)?(?: ?(?:independent|独立)的?)?(?: ?(?:rewards?|deltas?|δ|steps?"
    r"|tokens?|TD errors?|奖励|步|词元"
    r"|TD ?误差))?(?=[ ,;:的方、]|$)",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"(?<![A-Za-z])(?-i:(?P<name>A|G))(?:_\{?(?:0|t)\}?)(?![A-Za-z\d])|(?P<adv>\b(?:first |GAE )?advantages?\b|优势)"
    r"|(?P<ret>\b(?:Monte Carlo )?returns?\b|蒙特卡[洛罗](?:回报|优势)?|回报)",
    re.IGNORECASE,
)
_DELTAS = re.compile(r"δ|\bdeltas?\b|TD", re.IGNORECASE)
_NO_CRITIC = re.compile(
    r"(?<![A-Za-z])V(?:_t)? ?(?:≡|=|恒为|恒等于|都是|全是|is|全为|处处为) ?0(?![.\d])|\bno critic\b|\bcritic (?:is"
    r"|says|outputs) (?:always )?0\b"
    r"|critic ?(?:恒为|输出)(?:都是)? ?0",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    rf"(?:γ ?[·*×]? ?λ|\bgamma ?[·*]? ?lam(?:bda)?\b) ?(?:=|is|of|为|是) ?(?P<x>{U})(?![\d.])", re.IGNORECASE
)
_AND = re.compile(r"\band\b|[,;]|而|且")


_UNITS = re.compile(r" ?[*·×]? ?(?<![A-Za-z])(?:s|σ|sigma) ?\^ ?2(?![\d.])", re.IGNORECASE)
_EQUAL = re.compile(
    rf"(?:\b(?:equal|the same|a common|common|identical)|同样的?|相同的?|相等的?) ?{_VARIANCE}(?: of)?"
    rf"(?: ?(?:s|σ|sigma) ?\^ ?2)?(?: each)?|{_VARIANCE}(?: of| is|都是?|均为|相同,?(?:都?是)?|为|是| =|=)? ?(?:s|σ"
    rf"|sigma) ?\^ ?2"
    r"(?: each)?(?![A-Za-z\d])",
    re.IGNORECASE,
)
HOWEVER_LONG = re.compile(
    r",? ?\b(?:however long|no matter how long|regardless of (?:how long|the length)|whatever the length)"
    r"(?: of)?(?: (?:the )?(?:response|answer|sequence|reply))?(?: (?:gets?|is|grows|becomes))?"
    r"|,? ?\b(?:as|when) (?:the )?(?:response|answer|sequence|it) (?:gets|grows|becomes) (?:longer|long"
    r"|ever longer)(?: and longer)?"
    r"|[,，]? ?(?:无论|不管|不论)?(?:回答|回复|序列)?(?:有|再|变得)?多长[,，]?(?:都|也)?|(?:回答|回复|序列)?(?:再"
    r"|越来越|无限|很|足够)长[,，]?(?:都|也|时)?",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:stays?|remains?|is|keeps?) (?:always )?(?:below|under|less than|at most|bounded by)\b|\bnever (?:exceeds"
    r"|reaches|goes above|gets above"
    r"|passes)\b|\bat most\b|不会?(?:超过|高于|大于)|(?:始终|总|一直|都)(?:会)?(?:低于|小于|不到)|(?<!不)小于|低于",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?<!never )(?:exceeds|goes above|gets above|grows (?:past|beyond|above))\b|(?<!不)(?<!不会)超过",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:approaches|tends to|converges to|goes to|settles at)\b|趋于|收敛到|趋近于?|逼近", re.IGNORECASE
)


def noise(text: str) -> Read | None:
    """As a whole, or one statement for each λ: A_0 has variance 1.25 at λ = .5 and 2 at λ = 1."""
    if not _INDEPENDENT.search(text) or not re.search(_VARIANCE, text, re.IGNORECASE):
        return None
    text = _UNITS.sub(" ", _EQUAL.sub(" variance 1 each", text, count=1))
    unit = _UNIT.search(text)
    of_deltas = _DELTAS.search(text) is not None
    critic = _NO_CRITIC.search(text)
    if unit is None or not (of_deltas or critic):
        return None
    each = Fraction(unit["a"] or unit["b"] or unit["c"] or 1)
    text = without(text, [x.span() for x in (unit, critic) if x])
    head, target, tail = _apart(text)
    if target is None:
        return None
    if HOWEVER_LONG.search(text):
        return _unlimited(HOWEVER_LONG.sub(" ", text), each)
    many = [x for x in _MANY.finditer(text) if int(x["n"]) > 1 and not text[x.end() :].startswith("%")]
    counted = [x for x in many if re.search(r"[^\d ]", x[0])]
    if len(counted) != 1 or not 1 < int(counted[0]["n"]) <= LONGEST:
        return None
    span = counted[0].span()
    text = without(text, [span])
    head, target, tail = _apart(text)
    return _stated(head, target, tail, int(counted[0]["n"]), each) if target is not None else None


def _apart(text: str) -> tuple[str, re.Match[str] | None, str]:
    found = list(_TARGET.finditer(text))
    return (text[: found[0].start()], found[0], text[found[0].end() :]) if found else (text, None, "")


def _stated(head: str, target: re.Match[str], tail: str, steps: int, each: Fraction) -> Read | None:
    product = _PRODUCT.search(head)
    settings, head = numbers_of(without(head, [product.span()] if product else []))
    if re.search(r"\d", head):
        return None
    found: list[Finding] = []
    known = dict(settings)
    for part in _AND.split(tail):
        own, rest = numbers_of(part)
        stated = figures(rest)
        if re.search(r"\d", without(rest, [(x.start, x.end) for x in stated])) or len(stated) > 1:
            return None
        if _TARGET.search(rest) and stated:
            return None
        known = {**known, **own}
        if not stated:
            continue
        decay = _decay(target, known, Fraction(product["x"]) if product else None)
        if decay is None:
            return None
        shares = [formulas.discounted(Fraction(1), decay, k) for k in range(steps)]
        variance = each * total([x * x for x in shares])
        letter = "G_0" if _is_return(target) else "A_0"
        found += one(rf"\mathrm{{Var}}({letter})", variance, stated)
    return Read(found, "variance") if found else None


def _unlimited(text: str, each: Fraction) -> Read | None:
    """The variance of ever longer responses: what it stays below, and what it comes to."""
    product = _PRODUCT.search(text)
    settings, rest = numbers_of(without(text, [product.span()] if product else []))
    targets = list(_TARGET.finditer(rest))
    decay = _decay(targets[0], settings, Fraction(product["x"]) if product else None) if len(targets) == 1 else None
    if decay is None or not 0 <= decay < 1:
        return None
    rest = without(rest, [targets[0].span()])
    below, over, limit = _BELOW.search(rest), _OVER.search(rest), _LIMIT.search(rest)
    stated = figures(rest)
    if re.search(r"\d", without(rest, [(x.start, x.end) for x in stated])) or len(stated) != 1:
        return None
    if sum(x is not None for x in (below, over, limit)) != 1:
        return None
    variance = each / (1 - decay * decay)
    name = rf"\lim_{{T\to\infty}}\mathrm{{Var}}({'G_0' if _is_return(targets[0]) else 'A_0'})"
    if limit:
        return Read(one(name, variance, [replace(stated[0], relation="")]), "variance")
    bound = stated[0].value + Fraction(stated[0].tolerance if stated[0].about else 0)
    shown = (r"\leq " if below else "> ") + stated[0].shown
    return Read([Finding(name, shown, variance, variance <= bound if below else variance > bound)], "variance")


def _is_return(target: re.Match[str]) -> bool:
    return target["name"] == "G" or target["ret"] is not None


def _decay(target: re.Match[str], known: Mapping[str, Fraction], product: Fraction | None) -> Fraction | None:
    gamma = known.get("gamma", Fraction(1))
    if _is_return(target):
        return gamma
    if product is not None:
        return product
    return gamma * known["lam"] if "lam" in known else None
