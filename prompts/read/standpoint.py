"""Before or after which token a value is read: values[:, 0] is what the critic says before the first response token."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prompts.read.polarity import said

LESSON = "critic_slice"
OWN, NEXT = "value_is_read_before_the_token", "next_value_is_after_the_token"
_VALUE = re.compile(
    r"(?<![a-z_])(?:old[_ ])?values? ?\[ ?(?:(?::|b|batch) ?, ?)?(?P<i>[ti]|\d{1,2})(?: ?(?P<up>\+ ?1))? ?\]"
    r"|(?<![A-Za-z])V_?(?:\{(?P<j>[ti]|\d{1,2})(?P<upj> ?\+ ?1)?\}|(?P<k>[ti]|\d{1,2})(?![\w+-]))"
    r"|(?<![A-Za-z])V ?\( ?s?_?\{?(?P<m>[ti]|\d{1,2})(?P<upm> ?\+ ?1)?\}? ?\)"
)
_ORDINALS = "first|second|third|fourth|fifth"
_ZH = "一二三四五"
_TOKEN = re.compile(
    rf"(?:the )?(?P<en>{_ORDINALS}|1st|2nd|3rd) (?:(?:response|generated|reply|output|answer) )?(?:token|one)(?! of)"
    r"|(?:(?:response|generated) )?token ?(?:number |index )?(?P<letter>[ti])(?![\w+])"
    rf"|第 ?(?P<zh>[{_ZH}]|[1-5]) ?个 ?(?:(?:回复|回答|生成|response)的? ?)?(?:token|词元)|首个? ?(?:token|词元)"
    r"|第 ?(?P<nth>[ti]) ?个 ?token",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"\b(?P<before>before|prior to|ahead of)\b|\bafter\b|(?P<zh>之前|以前|(?<![之以])前(?=[的,，读算]|$))"
    r"|之后|以后|(?<![之以])后(?=[的,，读算]|$)",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"\b(?:is|are|was|be|it|that|the|a|an|of|at|as|in|taken|reads?|evaluated|evaluation|computed|scored|predicted|given"
    r"|critic(?:'s)?|estimates?|value|v|state|s|output|prediction|what|says|has|have|had|been|already|still|just|comes?"
    r"|written|write|generated|generate|sampled|sample|chosen|picked|emitted|produced|appended|seen|means?|refers? to"
    r"|gives?|so|and|then|for|estimated|measured|not|n't|doesn't|isn't)\b"
    r"|[\s,，.。:：;；?？!！()（）\"'`“”]"
    r"|[是的在把就也已经还被它那个这评估计算出读取得到来写完生成选定采样看状态价值时候刻吧吗呢了对应为给里张量处上即站]|critic|不|没|有|并非",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Standpoint:
    """The proposition that a sentence says of one value, or denies."""

    id: str
    denied: bool

    @property
    def proposition(self) -> tuple[str, str]:
        return LESSON, self.id


def standpoint(sentence: str) -> Standpoint | None:
    """Which state a value is said to be of, where the sentence says nothing else."""
    apart = said(sentence)
    text = apart.stated
    values, tokens, where = (list(p.finditer(text)) for p in (_VALUE, _TOKEN, _WHERE))
    if apart.denials or [len(values), len(tokens), len(where)] != [1, 1, 1]:
        return None
    spans = sorted(found.span() for found in (values[0], tokens[0], where[0]))
    rest = text
    for start, end in reversed(spans):
        rest = rest[:start] + " " + rest[end:]
    index, token = _state(values[0]), _token(tokens[0])
    if _FILL.sub("", rest) or index[0] != token[0]:
        return None
    before = bool(where[0]["before"] or where[0]["zh"])
    off = token[1] + (not before) - index[1]
    return _ways(before, off, apart.negated)


def _ways(before: bool, off: int, negated: bool) -> Standpoint | None:
    """`off` is how many tokens later the state is said to be than it is."""
    if off == 0:
        return Standpoint(OWN if before else NEXT, negated)
    if off == 1 and not before:
        return Standpoint(OWN, not negated)
    if off == -1 and before:
        return Standpoint(NEXT, not negated)
    return None


def _state(found: re.Match[str]) -> tuple[str, int]:
    index = found["i"] or found["j"] or found["k"] or found["m"]
    later = bool(found["up"] or found["upj"] or found["upm"])
    return ("", int(index) + later) if index.isdigit() else (index, int(later))


def _token(found: re.Match[str]) -> tuple[str, int]:
    letter = found["letter"] or found["nth"]
    if letter:
        return letter.lower(), 0
    if found["en"]:
        return "", [*_ORDINALS.split("|"), "1st", "2nd", "3rd"].index(found["en"].lower()) % 5
    ordinal = found["zh"] or "1"
    return "", (int(ordinal) if ordinal.isdigit() else _ZH.index(ordinal) + 1) - 1
