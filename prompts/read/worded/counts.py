"""Lengths and positions: how many δ there are, how long input_ids is, which positions the critic's slice takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from engine.slices import cut
from prompts.read.worded.figure import Figure, blank, figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.place import places
from prompts.read.worded.settings import Given

LONGEST = 100_000  # tokens
_PROMPT = re.compile(
    r"(?:\bprompt[_ ]?(?:length)?|提示(?:词|长度)?)(?: ?(?:长度?|has|have|of|is|=|:|有|为|是|length|with|共"
    r"|含))* ?(?P<a>\d{1,5})(?: ?(?:个|tokens?|ids?|词元))*"
    r"|(?P<b>\d{1,5})(?: ?个| |-)?(?:tokens? )?(?:token )?(?:的)? ?(?:prompt|提示词?)(?: ?tokens?| ?ids| ?词元)?",
    re.IGNORECASE,
)
_RESPONSE = re.compile(
    r"(?:\b(?:response|answer|reply|completion)[_ ]?(?:length)?|回复|回答|生成)(?: ?(?:长度?|has|have|of|is|="
    r"|:|有|为|是|length|with|共|含|的))* ?(?P<a>\d{1,5})(?: ?(?:个|tokens?|ids?|词元))*"
    r"|(?P<b>\d{1,5})(?: ?个| |-)?(?:tokens? )?(?:token )?(?:的)? ?(?:response|answer|reply|completion"
    r"|回复|回答)(?: ?tokens?| ?ids| ?词元)?",
    re.IGNORECASE,
)
_SLICE = re.compile(
    r"\[ ?(?::|\.\.\.)? ?,? ?-(?P<a>\d{1,5}) ?: ?-(?P<b>\d{1,5}) ?(?:,[^\]]*)?\]|\[ ?(?::"
    r"|\.\.\.)? ?,? ?-(?P<c>\d{1,5}) ?: ?\]"
)
_NAMED_SLICE = re.compile(r"\[ ?(?::|\.\.\.)? ?,? ?-response_?len(?:gth)? ?- ?1 ?: ?- ?1 ?\]", re.IGNORECASE)
_POSITIONS = re.compile(r"\bpositions?\b|\bind(?:ex|ices)\b|位置|下标|索引", re.IGNORECASE)
_FROM_ZERO = re.compile(
    r"\(?(?:\b0-based\b|\bcounting from (?:0|zero)\b|\bzero-based\b"
    r"|从 ?[0零] ?(?:开始)?数?(?:起)?|\b0[- ]indexed\b)\)?",
    re.IGNORECASE,
)
_FROM_ONE = re.compile(r"\b1-based\b|\bcounting from (?:1|one)\b|从 ?[1一] ?(?:开始)?数", re.IGNORECASE)
_SPAN = re.compile(
    r"(?<![\d.\w-])(?P<a>\d{1,5}) ?(?:to|through|-|~|\.{2,3}|到|至|–) ?(?P<b>\d{1,5})(?![\d.]\d)", re.IGNORECASE
)
_ENTRIES = re.compile(
    r"\b(?:elements?|entries|entry|numbers|outputs|long|values)\b|个(?:元素|数|值|输出)|长度?", re.IGNORECASE
)
_FIRST_VALUE = re.compile(
    r"\bV_?\{?0\}?(?![\d.])|\bvalues\[:, ?0\]|\bfirst value\b|第 ?一 ?个(?:价值|value|V)", re.IGNORECASE
)
_FIRST_TOKEN = re.compile(
    r"\bfirst (?:response |reply |answer )?token\b|第 ?[一1] ?个 ?(?:response|回复|回答)? ?(?:token|词元)",
    re.IGNORECASE,
)
_LAST_TOKEN = re.compile(
    r"\blast (?:response |reply |answer )?token\b|最后一?个 ?(?:response|回复|回答)? ?(?:token|词元)", re.IGNORECASE
)
_PER_TOKEN = re.compile(
    r"(?P<n>\d{1,5}) ?(?:个)? ?(?:δ|deltas?|TD[ -]?errors?|TD ?误差|advantages?|优势|returns?|回报|values?|价值"
    r"|V\b|A\b|R\b|rewards?|奖励|log[- ]?probs?|kls?|KL)(?:值|s)?",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"(?:δ|\bdeltas?|\bTD[ -]?errors?|TD ?误差|\badvantages?|优势|\breturns?|回报|\bvalues?|价值|\brewards?|奖励)"
    r" ?(?:就|只|也|共|应该|一定)*(?:有|是|为) ?(?P<n>\d{1,5}) ?个",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\binput_ids\b|\bwhole sequence\b|\btotal (?:length|sequence)\b|\bsequence length\b|总长度?|整个序列"
    r"|\bfull sequence\b|\battention_mask\b|一共|总共",
    re.IGNORECASE,
)
_MASK = re.compile(r"\b(?:response_)?mask\b|掩码", re.IGNORECASE)
_PADDED = re.compile(
    r"(?P<a>\d{1,4}) ?(?:个)?(?: ?(?:of (?:them|which) )?(?:are )?)?(?:padding|pad)(?: ?tokens?)?|"
    r"(?:padding|pad)(?: ?有| of| is|=|:)? ?(?P<b>\d{1,4}) ?个",
    re.IGNORECASE,
)
_LENGTHS = re.compile(
    r"(?:长度|lengths?)(?: ?(?:分别)?(?:是|为|of|are|=|:))? ?(?P<row>\d{1,4}(?: ?(?:,|、|和|and|与) ?\d{1,4}){1,7})",
    re.IGNORECASE,
)


def counts(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    if own.lists or own.unnamed or own.numbers or own.at_the_end is not None:
        return None
    for read, lesson in _READERS:
        found = read(own.body)
        if found:
            return Read(found, lesson)
    return None


def _length(pattern: re.Pattern[str], body: str) -> tuple[int | None, str]:
    found = list(pattern.finditer(body))
    if len(found) != 1:
        return None, body
    return int(found[0]["a"] or found[0]["b"]), blank(body, *found[0].span())


def _alone(body: str) -> list[Figure] | None:
    body = re.sub(r"(?<=\d)(?: ?个| ?tokens?| ?ids?| long)", " ", body)
    stated = figures(body)
    return None if re.search(r"\d", without(body, [(x.start, x.end) for x in stated])) else stated


def _of_mask(body: str) -> list[Finding] | None:
    """The ones of a mask are the tokens that are no padding."""
    if not _MASK.search(body):
        return None
    lengths = _LENGTHS.search(body)
    if lengths:
        row = [int(x) for x in re.findall(r"\d+", lengths["row"])]
        body = blank(body, *lengths.span())
        body = re.sub(
            rf"(?<!\d){len(row)} ?(?:条|个|responses?)|(?:padding|pad\w*|补)[^\d,，]{{0,8}}{max(row)}|1 的个数|个 1",
            " ",
            body,
        )
        stated = _alone(re.sub(r"\bones\b", " ", body))
        return one(r"\sum m", sum(row), stated) if stated and len(stated) == 1 else None
    padded = _PADDED.search(body)
    if padded is None:
        return None
    body = blank(body, *padded.span())
    length = re.search(
        r"(?:length|长度?|long)(?: ?(?:is|of|=|:|为|是))? ?(?P<a>\d{1,4})|(?P<b>\d{1,4}) ?(?:个)?"
        r"(?:response )?(?:tokens?|词元|positions)",
        body,
        re.IGNORECASE,
    )
    if length is None:
        return None
    body = re.sub(r"1 的个数|个 1(?!\d)", " ", blank(body, *length.span()))
    body = re.sub(r"\b(\w+) ones\b", lambda m: f"{_WORDS.get(m[1].lower(), m[1])} ", body)
    stated = _alone(body)
    there = int(length["a"] or length["b"]) - int(padded["a"] or padded["b"])
    return one(r"\sum m", there, stated) if stated and len(stated) == 1 else None


_WORDS = {
    w: str(k)
    for k, w in enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
}


def _of_slice(body: str) -> list[Finding] | None:
    """Which positions a slice from the end takes, how many, and where V_0 is read."""
    prompt, body = _length(_PROMPT, body)
    response, body = _length(_RESPONSE, body)
    if _FROM_ONE.search(body):
        return None
    first = _FIRST_VALUE.search(body)
    body = _FROM_ZERO.sub(" ", body)
    said, named = _SLICE.search(body), _NAMED_SLICE.search(body)
    if named and response is not None:
        start = figures(blank(body, *named.span()))
        starts = _POSITIONS.search(body) and len(start) == 1 and start[0].value < 0
        return one(r"-T-1", -response - 1, start) if starts else None
    if said is None:
        return _read_at(body, prompt, response, first)
    begin = int(said["a"] or said["c"])
    end = int(said["b"] or 0)
    body = blank(body, *said.span())
    if _POSITIONS.search(body) and prompt is not None and response is not None:
        return _taken(body, prompt + response, begin, end)
    stated = _alone(_ENTRIES.sub(" ", body)) if _ENTRIES.search(body) else None
    return one(rf"{begin} - {end}", begin - end, stated) if stated and len(stated) == 1 else None


def _taken(body: str, whole: int, begin: int, end: int) -> list[Finding] | None:
    if not 0 <= end < begin <= whole <= LONGEST:
        return None
    right = cut(list(range(whole)), begin - end, 1 - end)
    span = _SPAN.search(body)
    if span:
        stated = list(range(int(span["a"]), int(span["b"]) + 1))
        body = blank(body, *span.span())
    else:
        found = figures(body)
        stated = [int(x.value) for x in found]
        body = without(body, [(x.start, x.end) for x in found])
    if not stated or re.search(r"\d", body):
        return None
    whole_slice = len(stated) > 1 or len(right) == 1
    if not whole_slice:
        return None
    return [
        Finding(rf"[-{begin}:-{end}]" if end else rf"[-{begin}:]", _listed(stated), _listed(right), stated == right)
    ]


def _listed(row: Sequence[int]) -> str:
    shown = [str(x) for x in row] if len(row) <= 6 else [str(row[0]), str(row[1]), r"\ldots", str(row[-1])]
    return r",\ ".join(shown)


def _read_at(body: str, prompt: int | None, response: int | None, first: re.Match[str] | None) -> list[Finding] | None:
    """V_0 is read at the prompt's last position; the first response token stands behind it."""
    if prompt is None or not _POSITIONS.search(body):
        return None
    token, last = _FIRST_TOKEN.search(body), _LAST_TOKEN.search(body)
    spans = [x.span() for x in (first, token, last) if x and x.end() <= len(body)]
    if len(spans) != 1:
        return None
    if last and (response is None):
        return None
    stated = _alone(without(body, spans))
    right = prompt - 1 if first else prompt if token else prompt + (response or 0) - 1
    name = r"V_0" if first else r"a_0" if token else r"a_{T-1}"
    return one(name, right, stated) if stated and len(stated) == 1 else None


def _per_token(body: str) -> list[Finding] | None:
    """One δ, one A, one R for every response token."""
    length, rest = _length(_RESPONSE, body)
    if length is None:
        found = re.search(
            r"(?P<a>\d{1,5}) ?(?:个)? ?(?:response |reply |回复 ?|回答 ?)?(?:tokens?|词元)", body, re.IGNORECASE
        )
        if found is None:
            return None
        length, rest = int(found["a"]), blank(body, *found.span())
    named = list(_PER_TOKEN.finditer(rest)) or list(_SO_MANY.finditer(rest))
    if (
        not named
        or re.search(r"\d", without(rest, [x.span() for x in named]))
        or re.search(r"prompt|提示", body, re.IGNORECASE)
    ):
        return None
    return [Finding("T", x["n"], length, int(x["n"]) == length) for x in named]


def _of_whole(body: str) -> list[Finding] | None:
    prompt, body = _length(_PROMPT, body)
    response, body = _length(_RESPONSE, body)
    if prompt is None or response is None or not _WHOLE.search(body) or places(body):
        return None
    stated = _alone(body)
    return one(rf"{prompt} + {response}", prompt + response, stated) if stated and len(stated) == 1 else None


_READERS = (
    (_of_mask, "padding_mask"),
    (_of_slice, "critic_slice"),
    (_per_token, "token_pipeline"),
    (_of_whole, "token_pipeline"),
)
