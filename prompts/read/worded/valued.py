"""The exact value of a state whose rewards to come are certain, or are paid with a probability that is told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from engine import sequences
from engine.notation import show
from prompts.read.worded.figure import Figure, U, figures, without
from prompts.read.worded.finding import Finding, Read, one, row
from prompts.read.worded.place import places, spans
from prompts.read.worded.settings import Given

LONGEST = 64  # tokens
_EXACT = re.compile(
    r"\b(?:exact|true|perfect|accurate|correct|certain|surely|deterministic|right value|fixed|always|ideal)(?:ly)?\b"
    r"|理想|准确"
    r"|真实|精确|确定|必定"
    r"|肯定|固定|一定|完美",
    re.IGNORECASE,
)
_INDEXED = re.compile(
    rf"(?<![A-Za-z])(?-i:r)_\{{?t(?: ?\+ ?(?P<k>\d{{1,2}}))?\}}? ?(?:=|is|是|为) ?(?P<x>-?{U})", re.IGNORECASE
)
_AHEAD = re.compile(
    r"(?:(?:\brewards?\b|奖励|\bpays?\b|(?:固定|必定|肯定|一定|都|恰好)(?:会)?(?:得|拿|给|付)到?)(?: (?:ahead|left"
    r"|to come|still to come|remaining))?(?: ?(?:are|is|必定|肯定"
    r"|一定|分别|依次"
    r"|surely|certainly|exactly|precisely|always|will be|of|都|固定|确定|是|为|:|=)){0,4}) ?"
    rf"(?P<row>-?{U}(?:(?: ?[,、] ?(?:and )?(?:then )?| and then | and | then | ?[和与] ?)-?{U}){{1,9}})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?<![A-Za-z])(?-i:V)(?:_\{?(?P<i>t(?: ?\+ ?\d)?|\d{1,2})\}?|\(s_?t?\))?(?![A-Za-z\d])|\bvalues?\b"
    r"|价值|\b(?:perfect|accurate|exact|ideal|true|correct) critic(?: (?:would|should|will|must))? (?:says?|predicts?"
    r"|outputs?|gives?)|(?:完美|准确|精确|理想)的? ?critic ?(?:就|会|应该?|要)*(?=在第|[说给输预估])(?:说|给出?|输出"
    r"|预测|估)?",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\b(?P<side>before|after) the (?P<nth>first|second|third|fourth) (?:token|step|one)"
    r"|(?:在 ?)?第 ?(?P<zh>[一二三四1-4]) ?个? ?(?:token|词元)? ?(?:之|以)?(?P<side_zh>前|后)面?(?:会|就|应该)?(?:说"
    r"|给出?|输出|预测|估)?",
    re.IGNORECASE,
)
_NTH = {
    **{w: k for k, w in enumerate(("first", "second", "third", "fourth"))},
    **dict(zip("一二三四1234", (0, 1, 2, 3) * 2, strict=True)),
}
_CHANCE = re.compile(
    rf"(?:\bwith (?:a )?(?:probability|chance)(?: of)?|以|有) ?(?P<p>{U} ?%?)(?: ?的?(?:概率|可能(?:性)?|几率|chance"
    rf"|probability))?"
    rf"|(?:概率|probability|chance)(?: of| is|是|为)? ?(?P<q>{U} ?%?)|(?P<c>{U} ?%) (?:of the time|chance)",
    re.IGNORECASE,
)
_PAYS = re.compile(
    rf"(?:\bpays?|\bearns?|\bgets?|\bscores?|\byields?|\breward(?: of| is)?|得到?|拿到?|奖励(?:是"
    rf"|为)?) ?(?P<x>-?{U})(?![\d%]|\.\d)(?: ?分)?",
    re.IGNORECASE,
)
_ELSE = re.compile(
    rf"(?:\b(?:otherwise|else|or)\b|否则|不然)(?:得|是|为| ?gets?| ?pays?| ?a reward of)? ?(?P<x>-?{U})(?![\d%]"
    rf"|\.\d)(?: ?分)?",
    re.IGNORECASE,
)
_ORDER = re.compile(rf"(?P<x>-?{U}) otherwise\b", re.IGNORECASE)
_EACH = re.compile(
    rf"(?:\b(?:each|every)(?: token| step| one)?(?:'s)?[^\d,;:。]{{0,24}}?|每(?:个|一个|步|一步)? ?(?:token|步"
    rf"|词元)?的?(?:[^\d,;:。]{{0,10}}?))"
    rf"(?P<cost>扣掉?|\bcosts?\b|罚)? ?(?P<x>[-+]?{U})(?![\d%]|\.\d)(?: ?(?:分|points?))?",
    re.IGNORECASE,
)
_EACH_OF = re.compile(r"\beach of (?:the |its )?(\d{1,2} (?:tokens?|steps?))", re.IGNORECASE)
_MANY = re.compile(
    r"(?<![\d.])(?P<n>\d{1,2})[ -]?(?:个|步)? ?(?:response |remaining |more )?(?:tokens?|steps?|词元"
    r"|步)?(?=[ ,;:。、的]|$|token)",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"(?<![\d.])(?P<n>\d{1,2})[ -]?个?[ -]?(?:response )?(?:tokens?|词元)", re.IGNORECASE)
_FROM_TO = re.compile(
    rf"(?:\bfrom\b|从) ?(?P<a>-?{U})(?![\d%])[^\d;。]{{0,30}}?(?:\bto\b|到|至|→"
    rf"|成) ?[^\d;。,]{{0,16}}?(?P<b>-?{U})(?![\d%]|\.\d)",
    re.IGNORECASE,
)
_FALLS = re.compile(
    r"\b(?:falls?|drops?|declines?|decreases?|shrinks?|goes down|lower)\b|降|下降|减小|变小|越来越[低小]"
    r"|越往后越[低小]|越(?:靠近|接近|到)(?:结尾|末尾|最后|后面?)越[低小]",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:rises?|grows?|increases?|climbs?|goes up|higher)\b|升|上升|增大|变大|越来越[高大]"
    r"|越往后越[高大]|越(?:靠近|接近|到)(?:结尾|末尾|最后|后面?)越[高大]",
    re.IGNORECASE,
)


SOME = 8  # tokens, where their number is not said
_DEEPER = re.compile(
    r"负得(?:越来越|越)?(?:多|厉害|大)|越(?:来越)?负|\bmore (?:and more )?negative\b|\b(?:deeper|further) below (?:0"
    r"|zero)",
    re.IGNORECASE,
)
_SHALLOWER = re.compile(r"负得(?:越来越|越)?(?:少|轻|小)|\bless (?:and less )?negative\b", re.IGNORECASE)
_LEFT = re.compile(r"[还只]剩|\b(?:left|to go|remaining|still to come)\b", re.IGNORECASE)
_SIZE = re.compile(
    r"[变越更减增][大小多少]|来越[大小多少]|\b(?:shrinks?|grows?|smaller|larger|bigger)\b",
    re.IGNORECASE,
)
_ENDLESS = re.compile(
    r"\bhalf\b|一半|\btwice\b|倍|whiten|白化|学到|学出|\blearn\w*|"
    r"无限|没有尽头|不定|随机|随时|可能|\binfinite|\bendless|\brandom|\bvarying|\bany moment\b|\bconverg|绝对值"
    r"|\bmagnitude",
    re.IGNORECASE,
)


def valued(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    if own.lists.keys() - {"rewards"} or own.unnamed or own.everywhere is not None or not _VALUE.search(own.body):
        return None
    gamma = own.numbers.get("gamma", Fraction(1))
    if set(own.numbers) - {"gamma", "lam"}:
        return None
    for read in (_constant, _certain, _by_chance, _at_the_end):
        found = read(own, gamma)
        if found:
            return Read(found, "value_shape" if read is _constant else "value_includes_reward")
    return None


def _alone(body: str) -> list[Figure] | None:
    stated = figures(body)
    left = without(body, [(x.start, x.end) for x in stated])
    return None if re.search(r"\d", left) or any(x.both or x.times for x in stated) else stated


def _certain(own: Given, gamma: Fraction) -> list[Finding] | None:
    """The rewards that are still to come, one after the other; V_t is what they come to."""
    if not _EXACT.search(own.body):
        return None
    indexed = list(_INDEXED.finditer(own.body))
    if len(indexed) > 1 and [int(x["k"] or 0) for x in indexed] == list(range(len(indexed))):
        rewards = [Fraction(x["x"]) for x in indexed]
        body = without(own.body, [x.span() for x in indexed])
    elif "rewards" in own.lists:
        rewards, body = list(own.lists["rewards"]), own.body
    else:
        ahead = list(_AHEAD.finditer(own.body))
        if len(ahead) != 1 or indexed:
            return None
        rewards = [Fraction(x) for x in re.findall(rf"-?{U}", ahead[0]["row"])]
        body = without(own.body, [ahead[0].span()])
    body = re.sub(rf"(?<![\d.]){len(rewards)} ?(?:个|步|steps?|tokens?|rewards?)", " ", body)
    at, body = _standing_at(body)
    values = list(_VALUE.finditer(body))
    numbered = {x["i"] for x in values if x["i"]}
    if (
        at is None
        or at >= len(rewards)
        or len(numbered - {"t", "0"}) > 0
        or places(without(body, [x.span() for x in values]))
    ):
        return None
    stated = _alone(without(body, [x.span() for x in values]))
    worth = sequences.mc_returns(rewards, gamma)[at]
    return one(f"V_{at}" if at else "V_t", worth, stated) if stated and len(stated) == 1 else None


def _standing_at(body: str) -> tuple[int | None, str]:
    """How many tokens have been written where V is spoken of: none before the first one, one after it."""
    said = list(_STANDS.finditer(body))
    if not said:
        return 0, body
    if len(said) > 1:
        return None, body
    later = (said[0]["side"] or "").lower() == "after" or said[0]["side_zh"] == "后"
    return _NTH[(said[0]["nth"] or said[0]["zh"]).lower()] + later, without(body, [said[0].span()])


def _at_the_end(own: Given, gamma: Fraction) -> list[Finding] | None:
    """Only the last of so many tokens is rewarded: what V_0 is worth."""
    counted = list(_TOKENS.finditer(own.body))
    if own.at_the_end is None or own.lists or not _EXACT.search(own.body) or len(counted) != 1:
        return None
    length = int(counted[0]["n"])
    values = list(_VALUE.finditer(own.body))
    indices = {x["i"] for x in values if x["i"]}
    if (
        not 0 < length <= LONGEST
        or len(indices) != 1
        or not (index := indices.pop()).isdecimal()
        or int(index) >= length
    ):
        return None
    stated = _alone(without(own.body, [counted[0].span(), *(x.span() for x in values)]))
    rewards = [*(Fraction(0) for _ in range(length - 1)), own.at_the_end]
    worth = sequences.mc_returns(rewards, gamma)[int(index)]
    return one(f"V_{index}", worth, stated) if stated and len(stated) == 1 else None


def _by_chance(own: Given, gamma: Fraction) -> list[Finding] | None:
    """It pays 1 with probability .3 and 0 otherwise, and nothing after it."""
    if "gamma" in own.numbers and gamma != 1:
        return None
    body = own.body
    chance = list(_CHANCE.finditer(body))
    if len(chance) != 1:
        return None
    written = (chance[0]["p"] or chance[0]["q"] or chance[0]["c"]).replace(" ", "")
    p = Fraction(written.rstrip("%")) / (100 if written.endswith("%") else 1)
    body = without(body, [chance[0].span()])
    otherwise = _ELSE.search(body) or _ORDER.search(body)
    if otherwise is None or not 0 <= p <= 1:
        return None
    body = without(body, [otherwise.span()])
    pays = list(_PAYS.finditer(body))
    values = list(_VALUE.finditer(body))
    if len(pays) != 1 or not values or pays[0].start() > values[-1].start():
        return None
    body = without(body, [pays[0].span(), *(x.span() for x in values)])
    stated = _alone(without(body, spans(places(body))))
    worth = p * Fraction(pays[0]["x"]) + (1 - p) * Fraction(otherwise["x"])
    return one("V", worth, stated) if stated and len(stated) == 1 else None


def _constant(own: Given, gamma: Fraction) -> list[Finding] | None:
    """The same reward at each of so many tokens: V falls from all of them to the last one."""
    body = _EACH_OF.sub(r"\1, each", own.body)
    each = list(_EACH.finditer(body))
    if len(each) != 1 or own.lists:
        return None
    reward = Fraction(each[0]["x"].replace("+", "")) * (-1 if each[0]["cost"] else 1)
    body = without(body, [each[0].span()])
    many = [x for x in _MANY.finditer(body) if int(x["n"]) > 1]
    many = [x for x in many if re.search(r"[a-z步个词]", x[0])] if len(many) > 1 else many
    if len(many) > 1 or (many and int(many[0]["n"]) > LONGEST) or _ENDLESS.search(body):
        return None
    if not many and not _EXACT.search(body):
        return None
    body = without(body, [x.span() for x in many])
    worth = sequences.mc_returns([reward] * (int(many[0]["n"]) if many else SOME), gamma)
    if reward < 0 and _SIZE.search(body) and not (_DEEPER.search(body) or _SHALLOWER.search(body)):
        return None  # smaller: nearer to 0, or further below it?
    falls = _DEEPER.search(body) or _FALLS.search(body)
    rises = _SHALLOWER.search(body) or _RISES.search(body)
    moved = _FROM_TO.search(body)
    if moved and many:
        rest = without(body, [moved.span()])
        ends = figures(moved[0])
        if re.search(r"\d", rest) or len(ends) != 2:
            return None
        found = row("V_0,\\ V_{T-1}", [worth[0], worth[-1]], ends)
        return [*found, *_direction(worth, falls, rises)]
    at, left = _standing_at(body)
    rest = without(left, [x.span() for x in _VALUE.finditer(left)])
    stated = _alone(rest)
    if stated and len(stated) == 1 and many and at is not None and at < len(worth) and not (falls or rises):
        placed = left != body or _LEFT.search(body) or {x["i"] for x in _VALUE.finditer(body)} == {"0"}
        return one(f"V_{at}", worth[at], stated) if placed and _EXACT.search(own.body) else None
    if re.search(r"\d", rest):
        return None
    return _direction(worth, falls, rises) or None


def _direction(worth: Sequence[Any], falls: re.Match[str] | None, rises: re.Match[str] | None) -> list[Finding]:
    if bool(falls) == bool(rises):
        return []
    holds = worth[0] > worth[-1] if falls else worth[0] < worth[-1]
    shown = f"{'>' if falls else '<'}\\ V_{{T-1}} = {show(worth[-1]).latex}"
    return [Finding("V_0", shown, worth[0], holds)]
