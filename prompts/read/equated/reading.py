"""The equation that a sentence states in words, and how it is stated: denied, of all settings, of some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from engine import equalities
from engine.drawn import POLICY, Where
from engine.equalities import Equality, Found
from prompts.read.equated.cutting import cut
from prompts.read.equated.nouns import ADVANTAGE, LABEL, RETURN, ZERO, Noun, Reading, named
from prompts.read.equated.sentences import Sides, sides
from prompts.read.equating import equation
from prompts.read.formulas import spelt_out
from prompts.read.polarity import said
from prompts.read.settled import settled

_NOT = re.compile(r"n't\b")
_GAE_AT = re.compile(r"\bGAE ?\((?:γ, ?)?(?:λ|lam|lambda)? ?=? ?(\d(?:\.\d+)?)\)", re.IGNORECASE)
_BELOW_ONE = re.compile(r"\b(?:for (?:any |every |all )?)?(?:λ (?:is )?)?below (?:λ ?= ?)?(?:1|one)\b(?! ?[.\d])")
_RATE = r"[γλ](?: ?(?:[和与、]|and|or) ?[γλ])?"
_TAKES = r"(?:[取是为填选设调]成?)?(?:多少|几|什么值?|何值|怎么[取选调设变]|如何[取选设]?)"
_EVERY = re.compile(  # whatever γ and λ are
    rf"(?:不管|无论|不论|任凭|不拘|随便|哪怕|对|对于|在)? ?(?:任何|任意|所有|每个|一切)的? ?{_RATE}(?: ?值)?[下时都上]?"
    rf"|(?:不管|无论|不论|任凭|不拘|随便) ?{_RATE} ?(?:的取值|的值)?{_TAKES}?(?=[,，都也 ]|$|[^\w])"
    r"|[γλ] ?(?:[取是为填选设调]成?)?(?:多少|几|什么值?)[都也](?:行|可以|一样|成立|是|等于)?"
    r"|[与跟和] ?[γλ] ?的?(?:取值)?(?:无关|没关系)地?|不看 ?[γλ]"
    r"|\b(?:whatever|no matter (?:what|which)|regardless of|irrespective of|independent(?:ly)? of"
    r"|(?:for|at|under|with|whatever the) (?:any|every|all|each|value of|arbitrary))"
    rf" ?(?:the )?(?:values? of |choice of )?{_RATE}(?: values?)?"
    r"(?: (?:you|we|one) (?:pick|choose|use|take|set)| (?:is|are|may be|happens to be)(?= |$|[,.]))?"
    r"|\bλ or no λ\b|\b(?:for|at|under) (?:other|different) λs?\b"
)
_UNLESS_NOT = 2  # it is not so, unless
_LONGEST = 200  # characters
_FRAMES = re.compile(
    r"^\W*(?:I (?:might|may) have (?:this|that|it) backwards, but|as far as I (?:remember|know|recall),?"
    r"|if I remember (?:the formula )?(?:right|rightly|correctly),? ?(?:it is |it's )?(?=\S+ ?=)"
    r"|my notes (?:say|claim|have)(?: that)?\b|我没(?:弄混|记反|搞混|搞反|记错)[吧吗]?[:：,，]|书上写(?:着|的是)?)",
    re.IGNORECASE,
)
_TAILS = re.compile(
    r"[.,;]?\s*\b(?:is|are) (?:that|this|the) (?:page|formula|line|note)s? ?(?:right|correct|ok)?\W*$"
    r"|[,，;；]?\s*在?最后一(?:个 ?token|步|位)\s*[上处时]?\s*V_?\{?(?:t\+1|T)\}?\s*(?:取|=|是|为|记作)\s*0\W*$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"(?<![A-Za-z])V(?:'(?!s)|\(next\)|_next\b)|\bnext_?values\b")
_ASKED_NOT = re.compile(r"^\W*(?:is|are|does|do)n't", re.IGNORECASE)
_POINT = re.compile(r"(?<=[=≈] )\.(?=\d)|(?<==)\.(?=\d)")
_BRACKETS = re.compile(r"\([\s,]*\)")
_BETWEEN = re.compile(r",\s*(?:、|and)\s*,")
_PLAIN = re.compile(r"\bundiscounted (?=returns?\b|rewards?-to-go)")
_MADE_OF = re.compile(
    r"是.{1,40}(?:算出?来?|得?来|推出来?)的\W*[吧吗]?\W*$|\b(?:code|verl)\b.*Q|代码.*Q", re.IGNORECASE
)
_EXPECTED = re.compile(  # asked so that yes is expected
    r"不(?=[就正]是.*(?:[吗么嘛]|$))"
    r"|^\W*(?:so |and |but )?(?:is it|isn't it)(?: not)? (?:so|true|the case|right|correct) that\b",
    re.IGNORECASE,
)
_AHEAD = r"\sum_{k}"
_EXCESS = re.compile(r"超额|excess|surplus", re.IGNORECASE)
_REWARDS_ADDED = re.compile(r"\\sum_\{[kt]\} r_")
_SPOKEN_OF = {"scores", "kl_values", "beta", "whitened", "action_values"}  # of what γ and λ do not decide
_NEVER_ZERO = {"advantages", "deltas", "mc_returns", "returns", "mc_advantages"}
_ARROW = re.compile(r"^[ ,]*(?:→|⇒|=>)")
_OPEN = re.compile(  # nothing is said of γ or λ
    r"[γλ] ?(?:我|我们|还|都|也|暂时|先){0,3}(?:没定|未定|没选|没设|没给|不固定|待定)(?=[,，;；。])"
    r"|\b(?:with |leaving |while )?[γλ] (?:is )?"
    r"(?:not (?:yet )?(?:fixed|set|chosen|decided)|undecided|unspecified|(?:left )?open)(?: yet)?(?=[,;:.])",
    re.IGNORECASE,
)
_WORD_GAE = re.compile(r"\bgae\b|mc\b|monte|蒙特卡[洛罗]|基线|baseline")


@dataclass(frozen=True)
class Equated:
    equality: Equality
    denied: bool
    every: bool
    some: bool
    only: bool


def equated(sentence: str) -> Equated | None:
    if len(sentence) > _LONGEST:
        return None
    plain = _plainly(sentence)
    if _MADE_OF.search(plain):
        return None
    apart = said(spelt_out(plain))
    text, where = settled(_EVERY.sub(" ∀ ", _OPEN.sub(" ", _BELOW_ONE.sub(" λ<1 ", _NOT.sub(" not", apart.stated)))))
    if where is None or ("∀" in text and where.rates and not {"γ", "λ"} <= set(sentence)):
        return None
    if apart.contrasted and _rates_in(apart.core) > _rates_in(apart.stated):
        return None
    text = _BETWEEN.sub(" , ", _BRACKETS.sub(" ", text))
    pieces = cut(_ARROW.sub(" , ", text).replace("才", " only " if where.rates else " "))
    found = sides(pieces) if pieces is not None else None
    where = _at(where, found.flags) if found is not None else None
    if found is None or where is None:
        return None
    equality = _equality(found, where, text)
    if equality is None:
        return None
    settled_as = equalities.settle(equality)
    if settled_as.where and "0" not in found.flags and _may_be_discounted(equality, sentence):
        return None
    if (apart.contrasted or found.shape == "instead" or "#" in found.flags) and settled_as.where:
        return None
    return _stated(equality, settled_as, found, apart.denials)


def _plainly(sentence: str) -> str:
    """The sentence without what only frames it, with the next value in one spelling."""
    text = _NEXT.sub("V_{t+1}", _TAILS.sub("", _FRAMES.sub("", sentence)))
    text = _ASKED_NOT.sub(lambda found: found[0][:-3], text) if "?" in text else text
    text = _GAE_AT.sub(r"GAE λ=\1 , ", _PLAIN.sub("unweighted-", _POINT.sub("0.", text)))
    return _EXPECTED.sub(" ", text)


def _may_be_discounted(equality: Equality, sentence: str) -> bool:
    """Whether rewards are added up, or δ to the excess: who does not say how may leave out the discount."""
    both = (equality.left, equality.right)
    excess = _EXCESS.search(sentence) is not None and any(one.latex == r"\sum_{t} \delta_{t}" for one in both)
    return excess or any(_REWARDS_ADDED.search(one.latex) for one in both)


def _rates_in(text: str) -> int:
    return text.count("γ") + text.count("λ")


def _at(where: Where, flags: str) -> Where | None:
    """With the token that the sentence speaks of."""
    tokens = {"l": "last", "i": "first"}.keys() & set(flags)
    if len(tokens) > 1:
        return None
    return replace(where, token={"l": "last", "i": "first"}.get("".join(tokens), ""), single="1" in flags)


def _stated(equality: Equality, found: Found, said_of: Sides, denials: int) -> Equated | None:
    flags = "".join(flag for flag in said_of.flags if flag in "~!?%$C")
    denied = (flags.count("~") + said_of.differ + denials) % 2 == 1
    every, some, only = bool({"!", "$"} & set(flags)), "?" in flags, "%" in flags
    if "C" in flags:
        of_advantage = equality.left.cell is not None and equality.left.cell[0] == "advantages"
        if of_advantage and "action_values" not in equality.quantities and found.always:
            return None
        every = True
    if "!~" in flags and flags.count("~") == 1:  # never, and not "not always"
        some, every = True, False
    elif every and "~" in flags and not {"~!", "$~", "~$"} & set(map("".join, pairwise(flags))) and found.where:
        return None
    if only and (len(equality.where.rates) != 1 or ("%~" in flags and flags.count("~") != _UNLESS_NOT)):
        return None
    return Equated(equality, denied, every and not some, some, only)


def _equality(found: Sides, where: Where, text: str) -> Equality | None:
    rows = found.sides
    if found.shape == "setting":
        if not where.rates:
            return None
        subject = tuple(
            reading
            for name, sort in (("advantage", ADVANTAGE), ("returns", RETURN))
            for reading in named(name)
            if any(other.sort == sort for other in rows[0])
        )
        rows = (subject, rows[0])
    of_gae = _WORD_GAE.search(text) is not None
    meant = [_between(left, right, where, of_gae=of_gae) for left, right in pairwise(rows)]
    if not meant or None in meant:
        return None
    return next((one for one in meant if one is not None and not one.holds(one.where)), meant[0])


def _between(left: Noun, right: Noun, where: Where, *, of_gae: bool) -> Equality | None:
    """The equation of two nouns, if every meaning of them is settled alike."""
    found = [_equation(a, b, where) for a, b in _pairs(left, right, of_gae=of_gae)]
    if not found or None in found:
        return None
    known = [one for one in found if one is not None]
    settled_as = [equalities.settle(one) for one in known]
    if not settled_as[0].always and left[0].summed != right[0].summed and not _placed(known[0]):
        return None
    return known[0] if all(one == settled_as[0] for one in settled_as) else None


def _placed(equality: Equality) -> bool:
    """Whether one side is of a certain token, where the other is a sum over all."""
    return any(place.isdigit() or place == "T-1" for place in equality.left.places | equality.right.places)


def _pairs(left: Noun, right: Noun, *, of_gae: bool) -> Iterator[tuple[Reading, Reading]]:
    """What may be meant by both: things of one sort, where there are several."""
    if of_gae:
        left, right = _sampled(left), _sampled(right)
    pairs = [(a, b) for a in left for b in right]
    alike = [(a, b) for a, b in pairs if a.sort == b.sort]
    yield from alike if alike and len(pairs) > 1 else pairs


def _sampled(noun: Noun) -> Noun:
    """Beside GAE, a return less a value is that of Monte Carlo."""
    differences = [one for one in noun if one.sort == ADVANTAGE and "mc_returns" in one.term.quantities]
    return tuple(differences) or noun


def _equation(a: Reading, b: Reading, where: Where) -> Equality | None:
    left, right = a.term, b.term
    if a.summed != b.summed and (left.anywhere or right.anywhere) and not where.token:
        where = replace(where, token="first")
    if left.latex == right.latex or _unsure(a, b, where):
        return None
    if ZERO in (a.sort, b.sort):
        return Equality(left, right, where) if {a.name, b.name} & _NEVER_ZERO else None
    return equation(left, right, where) if left.quantities and right.quantities else None


def _unsure(a: Reading, b: Reading, where: Where) -> bool:
    """Whether the words leave open which token is meant, or what is discounted, and by how much."""
    both = [a.term, b.term]
    ends = [bool(one.places) and one.places <= {"T-1", "0"} for one in both]
    decayed = any(one.latex.startswith(r"\sum_{k} \gamma^{k} \delta") for one in both)
    rewards = any(r"\sum_{t} r" in one.latex for one in both)
    deltas = any(one.summed and one.term.quantities == {"deltas"} for one in (a, b))
    excess = "excess" in (a.sort, b.sort) and "gamma" not in dict(where.rates)
    return bool(
        (ends[1] and not ends[0] and a.term.anywhere and not (where.token or _AHEAD in a.term.latex))
        or (ends[0] and not ends[1] and b.term.anywhere and not (b.name or b.summed or where.token))
        or (all(ends) and a.term.quantities == b.term.quantities and not (a.summed or b.summed))
        or (decayed and any(one.name == "advantages" for one in (a, b)))
        or (excess and (deltas or rewards))
        or (rewards and deltas and "gamma" not in dict(where.rates))
        or any(one.name == "values" and "- V_{t}" in other.latex for one, other in ((a, b.term), (b, a.term)))
        or any(r"\gamma V_{t}" in one.latex and one.anywhere for one in both)  # of the next one, perhaps
        or (LABEL in (a.sort, b.sort) and {a.name, b.name} & {"values", "rewards"})
        or _of_other_things(a, b)
    )


def _of_other_things(a: Reading, b: Reading) -> bool:
    """Whether a policy is spoken of, or scores and KL other than as what makes the rewards."""
    names = a.term.quantities | b.term.quantities
    scored = names & {"scores", "kl_values", "beta"}
    whole = {"scores", "rewards"} <= names and not (a.summed or b.summed)
    return bool(names & POLICY - _SPOKEN_OF) or (bool(scored) and not whole)
