"""How much of a reward each token is said to get: the weights with which the last one enters their advantages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.audits import Claim
from engine.computing import computed
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import PARAMETERS, PER_TOKEN, scenario
from prompts.read.numbers.groups import group
from prompts.read.numbers.numerals import decimals_shown, numerals
from prompts.read.numbers.results import Result
from prompts.read.numbers.tokens import scan
from prompts.read.numbers.whereabouts import ordinal, written
from prompts.read.placing import placed
from prompts.read.results import parameters_of
from prompts.read.statement import Statement

NOTE, NO_SHARE = "weights_of_the_last_reward", "advantages_are_no_shares"
LONGEST_RUN = 40  # characters from a token to its share
LONGEST_BRIEF = 60  # characters of a message that need not say again of what
_LAST_EN = (
    r"(?:(?:last|final|terminal|future|total|whole|entire|overall|end|sequence|outcome|eventual|same)[- ]?"
    r"(?:token'?s? )?){0,3}"
)
_LAST_ZH = r"(?:最后|最终|末尾|全部|整个|总|未来|所有|终局|结尾)(?:的|一个|那个|那份|所有|一步的?)*"
_REWARD = r"(?:rewards?|credits?|scores?|returns?|outcome)"
_REWARD_ZH = r"(?:奖励|回报|得分|功劳|信用|分数)"
_PERCENT = r"(?P<{0}>\d{{1,3}}(?:\.\d{{1,4}})?) ?(?:%|percent\b|per cent\b)"
_OF = re.compile(
    rf"\bof (?:the |all |any |its |that |this )*{_LAST_EN}{_REWARD}|(?:{_LAST_ZH} ?)?(?:{_REWARD_ZH}|reward|credit)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    rf"{_PERCENT.format('en')}[^\d%]{{0,12}}? of (?:the |all |any |its |that |this )*{_LAST_EN}{_REWARD}"
    rf"|{_PERCENT.format('zh')} ?的? ?(?:{_LAST_ZH} ?)?(?:{_REWARD_ZH}|reward|credit)"
    rf"|(?:{_LAST_ZH} ?)?(?:{_REWARD_ZH}|reward|credit) ?的? ?{_PERCENT.format('of')}",
    re.IGNORECASE,
)
_GETS = re.compile(
    r"\b(?:gets?|got|receives?|holds?|has|have|takes?|earns?|collects?)\b|[拿得分占获]到?", re.IGNORECASE
)
_TOKEN = re.compile(
    r"\b(?:token|step|position|词元) ?#?\d{1,4}(?![.\d%])|\bA_?\{?\d{1,3}\}?(?![.\d%])"
    r"|第 ?[\d一二三四五六七八九十]{1,3} ?(?:个|步|位)"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|final) (?:one|token|step)\b|最后(?:一个"
    r"|那个) ?(?:token|词元|词)|首个 ?(?:token|词元)",
    re.IGNORECASE,
)
_EACH = re.compile(_PERCENT.format("x"), re.IGNORECASE)
_WEIGHS = re.compile(r"weigh|factor|coefficient|discounted by|shrunk|faded|权重|系数|衰减|打折", re.IGNORECASE)
_LAST_REWARD = re.compile(
    rf"(?:last|final|terminal) (?:token'?s? )?(?:reward|score)|{_LAST_ZH} ?(?:{_REWARD_ZH}|reward)|\br_\{{?(?:T-1|\d+)",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"(?<![\w.])(?P<x>0?\.\d{1,6}|1\.0{1,4}|(?<=[是为=])1|(?<=s )1)(?![\d%]|\.\d| ?[-+*/^(])")
_EQUATED = re.compile(
    r"(?:\bA_?\{?\w{1,3}\}?|\b(?:advantage|token ?\d{1,4})(?:'s)?|优势|词元|token ?\d{0,4} ?的)[^%\d.;,]{0,16}"
    r"(?P<x>[+-]? ?(?:\d{1,4}\.\d{1,6}|\.\d{1,6}))(?!%)"
    r"[^%.;]{0,8}?(?:\bmeans?|\bis\b|\bare\b|=|\bi\.e|\bso\b|\bhence\b|\bsays?\b|\bmakes\b|\bamounts? to"
    r"|意味着?|表示|也就是"
    r"|即|说明|就是|相当于|代表|等于|所以|是)"
    rf"[^%.;=]{{0,60}}?{_PERCENT.format('p')}",
    re.IGNORECASE,
)
_COUNT = dict(zip("二两三四五六七八九十", (2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
_HEDGED = re.compile(
    r"\b(?:less|more|fewer|greater) than\b|\bat (?:most|least)\b|\b(?:below|above|under|over|nearly"
    r"|almost)\b(?= (?:half|\d))|\bnot\b|n't"
    r"|不到|超过|至少|至多|少于|多于|远|不是|没有|并非|倒数|second[- ]to[- ]last|next[- ]to[- ]last|penultimate|\*\*|\^"
    r"|(?:advantages?|\bA_\w|优势) ?(?:is|equals?|=|就是|等于|是) [^\d]{0,24}\d{1,3} ?%|优势(?:就是|等于"
    r"|是)[^\d]{0,12}\d{1,3} ?%",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"(?<![\w.])(?P<n>\d{1,3}|[二两三四五六七八九十])(?: ?个|-| )(?:response )?(?:token|词元)s?\b(?! ?\d)",
    re.IGNORECASE,
)
_BEHIND = re.compile(r" ?(?:shares? )?of the (?:last|final|terminal) (?:token's )?reward", re.IGNORECASE)
_BEFORE = re.compile(
    r"最后(?:一个|那个|的)? ?(?:奖励|reward)的? ?(?:的比例|权重)?(?:是|为|分别是|分别为)? ?\Z", re.IGNORECASE
)


@dataclass(frozen=True)
class _Said:
    """A share and the token that is said to have it: its number as written, or its place from 0, -1 the last."""

    value: float
    decimals: int
    place: int
    index: tuple[int, ...]
    at: int | None


def equated(text: str, given: Mapping[str, Any]) -> Statement | None:
    """An advantage that is called a share of the reward, which it is not: A_1 = .27, so token 1 got 77 % of it."""
    found = _EQUATED.search(text)
    if found is None or not any(x.start() <= found.start("p") < x.end() for x in _SHARE.finditer(text)):
        return None
    own, reward = found["x"].replace(" ", "").lstrip("+"), _last_reward(given)
    stated, shown = float(found["p"]) / 100, decimals_shown(found["p"]) + 2
    correct = Fraction(own) / reward if reward else None
    claim = Claim(f"{own} / {_plain(reward)}", stated, shown, places=(found.start("p"),), correct=correct)
    if correct is None or abs(float(correct) - stated) <= claim.tolerance:
        return None
    return Statement({}, (claim,), (NO_SHARE,))


def shares(text: str, given: Mapping[str, Any], before: str = "") -> Statement | None:
    """The weights of a last reward of 1 beside what is stated of them; `before` is what was spoken of."""
    if _HEDGED.search(text):
        return None
    parameters = {name: x for name, x in given.items() if name in PARAMETERS} | parameters_of(text)
    length = _length(text, given)
    whole = _list(text)
    if whole is not None:
        return _of_all(*whole, parameters) if length in (None, len(whole[0])) else None
    said = _single(text, before)
    if not said:
        return None
    alone = _alone(length or RUNNING.length)
    try:
        weights = computed(scenario({**_example(), **parameters, **alone}), "advantages")
    except EngineError:
        return None
    assert weights is not None, "there are rewards and values"
    known = [
        (
            Result(("advantages",), one.value, one.decimals, (one.place,), one.place, one.place, one.index, at=one.at),
            ("advantages", weights.facts.exact["advantages"]),
        )
        for one in said
    ]
    found = placed(known)
    return Statement({**parameters, **alone}, found.claims, (NOTE, *found.notes)) if found.claims else None


def _example() -> dict[str, Any]:
    return {name: x for name, x in RUNNING.given().items() if name in ("gamma", "lam")}


def _alone(length: int) -> dict[str, Any]:
    """A reward of 1 at the end and nothing else."""
    return {"rewards": [*[0.0] * (length - 1), 1.0], "values": [0.0] * length}


def _length(text: str, given: Mapping[str, Any]) -> int | None:
    """How many tokens there are: as the text says, or the lists; None where nobody says."""
    said = _LENGTH.search(text)
    lists = {len(x) for name, x in given.items() if name in PER_TOKEN and isinstance(x, list | tuple)}
    if len(lists) == 1:
        return lists.pop()
    return (_COUNT.get(said["n"]) or int(said["n"]) or None) if said and not lists else None


def _last_reward(given: Mapping[str, Any]) -> Fraction:
    for name in ("rewards", "scores"):
        row = given.get(name)
        if isinstance(row, list | tuple) and row and isinstance(row[-1], int | float):
            return Fraction(str(row[-1]))
    return Fraction(1)


def _plain(x: Fraction) -> str:
    return str(x.numerator) if x.denominator == 1 else f"{float(x):.12g}"


# ---------------------------------------------------------------- of every token


def _list(text: str) -> tuple[list[float], int, tuple[int, ...]] | None:
    """77, 81, 86, 90, 95, 100% of the last reward: the shares, their decimals, and where they stand."""
    tokens = scan(text)
    for found in group(tokens).groups:
        said = _BEHIND.match(text, found.end) or _BEFORE.search(text, max(0, found.start - 24), found.start)
        counted = any(found.start < t.end() and t.start() < found.end for t in _TOKEN.finditer(text))
        if found.scalar or not said or counted:
            continue
        numbers = list(numerals(tokens, found))
        percent = any(t.text.endswith("%") for t in numbers)
        stated = [(t.value or 0.0) / (100 if percent and not t.text.endswith("%") else 1) for t in numbers]
        shown = max(decimals_shown(t.text.rstrip("%")) for t in numbers) + 2 * percent
        return stated, shown, tuple(t.start for t in numbers)
    return None


def _of_all(stated: list[float], shown: int, places: tuple[int, ...], parameters: Mapping[str, Any]) -> Statement:
    claim = Claim("advantages", stated, shown, None, places)
    return Statement({**parameters, **_alone(len(stated))}, (claim,), (NOTE,))


# ---------------------------------------------------------------- of single tokens


def _single(text: str, before: str) -> list[_Said]:
    """Each percentage with the token before it; a brief message may call it "it", or not at all."""
    brief = bool(before) and len(text) <= LONGEST_BRIEF and _GETS.search(text) is not None and _OF.search(before)
    if not (_SHARE.search(text) or brief):
        return _weighed(text)
    said: list[_Said] = []
    tokens, position = list(_TOKEN.finditer(text)), 0
    for x in _EACH.finditer(text):
        near = [
            t for t in tokens if position <= t.start() and t.end() <= x.start() and x.start() - t.end() <= LONGEST_RUN
        ]
        whose = near[-1][0] if near else _spoken_of(text, before, said)
        if whose is None:
            return []
        said.append(_share(whose, float(x["x"]) / 100, decimals_shown(x["x"]) + 2, x.start("x")))
        position = x.end()
    return said


def _weighed(text: str) -> list[_Said]:
    """The last reward enters A_0 with weight .77: one token, one number."""
    if not (_WEIGHS.search(text) and _LAST_REWARD.search(text)):
        return []
    tokens = list(_TOKEN.finditer(text))
    numbers = [
        x for x in _DECIMAL.finditer(text) if not re.search(r"(?:[γλ]|lam|lambda|gamma) ?=? ?\Z", text[: x.start()])
    ]
    if len(tokens) != 1 or len(numbers) != 1:
        return []
    x = numbers[0]
    return [_share(tokens[0][0], float(x["x"]), max(1, decimals_shown(x["x"])), x.start("x"))]


def _spoken_of(text: str, before: str, said: Sequence[_Said]) -> str | None:
    """The token that is meant where none is named: the one spoken of last, else the first."""
    if said:
        return None
    after = list(_TOKEN.finditer(text))
    earlier = list(_TOKEN.finditer(before))
    if len(after) == 1:
        return after[0][0]
    return earlier[-1][0] if earlier else "first token" if before else None


def _share(whose: str, value: float, decimals: int, place: int) -> _Said:
    spoken = re.search(r"\d{1,4}", whose) if not re.match("第", whose) else None
    at = None if spoken else 0 if whose.startswith("首") else ordinal(whose)
    index = written(whose) if spoken else None
    numbered = index if index is not None else int(spoken[0]) if spoken else None
    return _Said(value, decimals, place, () if numbered is None else (numbered,), at)
