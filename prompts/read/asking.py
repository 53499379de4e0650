"""Which sentences of a message ask, claim or wish something; the rest is context.

Only the shape of a sentence is looked at. What cannot be told is left among the context: nothing is judged by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from prompts.read.features import concept_order
from prompts.read.parts import SAID, parts

Mood = Literal["asks", "confirms", "claims", "wishes", "context"]
MOST = 4  # askings of one message that are answered
LONGEST = 400  # characters of one sentence; what is longer is a text
SHORTEST = 2  # words or characters that can say anything
BRIEF = 60  # characters of a message that may wish something in any shape, of a sentence that may name nothing

_ENDS = re.compile(
    r"(?<=[。？！?!;；])\s*(?![)\]」”’\"'])|(?<=[A-Za-z0-9)\]'\"`$_*]\.)\s+(?=[A-Z\"'`$(])|\n+|(?<=\w)\.\.\.+\s+"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_GREETING = re.compile(
    r"\W*(?:hi|hello|hey|dear|thanks?|thank you|many thanks|tks|thx|please|sorry|你好|您好|大佬|作者|感谢|谢谢|多谢|"
    r"求教|求助|如题|如图|打扰)"
    r"[\w\s,，、!！~。.们老师大佬的好了您你]{0,24}\W*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「『][^\"”」』]*[\"”」』]\W*")  # an example, or somebody's words
_OPEN_ZH = re.compile(
    r"为什么|为啥|为何|怎么(?!说|办法)|怎样|如何|什么(?!都|也)|哪(?!怕)|多少|几[个步条种]|谁|咋|干嘛|何[种时谓以]|(?:区别|差别|原因|原理|含义|意义|作用)[\s?？。.!！]*$|求[问解教]|"
    r"不(?:太|是很|大)?(?:理解|明白|懂|清楚)|疑[惑问]|困惑|没(?:看|搞|弄)(?:懂|明白)|呢[?？]?\W*$"
)
_OPEN_EN = re.compile(
    r"\b(?:why|how|what|which|when|where|who)(?:'s)?\b(?=[^.]*\?|\s+(?:is|are|do|does|did|to|should|"
    r"would|can|not|we|the|it))"
    r"|\b(?:wonder(?:ing)?|curious|confus(?:ed|ing)|puzzl(?:ed|ing)|not sure|unsure|(?:don't|do not|"
    r"can't|cannot|couldn't|didn't|failed to) "
    r"(?:quite |really |fully )?(?:understand|get|see|figure)|question|explain|clarify|"
    r"difference between|any (?:idea|ideas|thoughts|insights?|explanation|suggestions?))\b",
    re.IGNORECASE,
)
_CONFIRM_ZH = re.compile(
    r"[吗么嘛]\s*[?？]?\W*$|吧\s*[?？]\W*$|(?:对|是|行|可以|能|会|要|有|该|应该|需要|正确|合理)(?:不|没)(?:对|是|行|可以|能|会|要|有|该|"
    r"应该|需要|正确|合理)|是否|有无|能否|可否|难道|对吧|是吧|有问题[?？吗]|还是.{1,30}[?？]"
)
_CONFIRM_EN = re.compile(
    r"(?:^|[,;:.–—-]\s*|\b(?:so|but|and|then|or)\s+)(?:is|isn't|are|aren't|am|was|wasn't|were|does|"
    r"doesn't|do|don't|did|didn't|should|shouldn't|shoudn't|"
    r"would|wouldn't|could|couldn't|can|can't|will|won't|has|hasn't|have|haven't|must)(?:n't|nt)?\s+[^?]{2,}\?"
    r"|\b(?:right|correct|true|no|yes|ok|normal|agree|wrong|not|isn't it|doesn't it|shouldn't it|"
    r"don't we|am i|is it|is that|is this)\s*\?|\bwhether\b|\bif (?:this|that|it|i) (?:is|was|are|"
    r"am)\b",
    re.IGNORECASE,
)
_WISH_ZH = re.compile(
    r"^\W*(?:为例\W|那|再|先|首先|然后|请|麻烦|能不能|能否|可以|可否|帮|给|替|让|你|我|们|一下|现在|接着|继续)*\s*(?:证明|推导|计算|算|求|解释|说明|讲|举|写|画|列|"
    r"给出|展示|演示|检查|核对|验算|对比|比较|考考|出[一道个几]|翻译|总结|来[一个道张])"
    r"|^\W*(?:用|把|将|假设|设|令|取).{1,80}(?:算|求|换成|改成|变成|白化|裁剪|代入|看看|讲|说|写|画)"
    r"|^\W*请?结合[^，,。]{1,30}(?:解释|说明|分析|讲)"
)
_WISH_EN = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|ok|okay|now|please|just|can you|could you|would you|will you|"
    r"let's|let us|help me|i want you to|i'd like you to)\W++)*+"
    r"(?:show|give|prove|derive|explain|compute|calculate|calc|work out|walk|write|draw|plot|list|"
    r"define|describe|compare|check|verify|audit|quiz|test|teach|summari[sz]e|"
    r"translate|illustrate|generate|create|practi[cs]e|tell|find|solve|evaluate|use|set|change|make|add|append|drop|remove|"
    r"replace|whiten|normali[sz]e|clip|mask|simplify|repeat|try|take|suppose|assume|let|run)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\W*(?:suppose|assume|say|consider|imagine|假设|设|若)\b", re.IGNORECASE)  # talk, and no wish
_OF_YOU = re.compile(
    r"像.{1,16}(?:讲|说|解释|一样|那样)|(?:给|帮|考|教|告诉)(?:一下)?我|(?:请|麻烦|能不能|能否|可以|可否)(?:你|您)?(?:再)?(?:用|给|举|写|讲|解释|推|证|列|画|出|说|展示|演示|把)|"
    r"[,，。;；]\s*(?:请|再|并|顺便)?(?:用|给出|举|写|讲|解释|推导|证明|列出|画)"
    r"|\b(?:can|could|would|will) you\b(?! (?:be|have|confirm|see))|\b(?:i(?:'d| would) like|"
    r"i (?:want|need)|give me|show me|tell me|teach me|ask me|quiz me|test me|please|pls)\b"
    r"|[,.;:]\s*(?:and |then |please |also )?(?:show|give|prove|derive|explain|write|walk)\b",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"我(?:认为|觉得|感觉|的理解|理解|以为|猜|发现|看到)|应该|疑似|似乎|好像|不应该|其实|明显|肯定|说明|意味|等价|相当于|错误|有误|有问题|不对|"
    r"\b(?:i (?:think|believe|guess|suspect|found|find|understand|noticed|assume|feel)|"
    r"in my (?:opinion|understanding)|my (?:understanding|concern|guess)|from my understanding|"
    r"seems?|should(?:n't)?|shoud|it (?:is|seems|appears|looks)|wrong|incorrect|bug|error|typo|"
    r"instead of|rather than|supposed to|equivalent|means? that|always|never)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Asking:
    """One sentence that wants an answer."""

    text: str
    mood: Mood


@lru_cache(maxsize=64)
def sentences(message: str) -> tuple[str, ...]:
    """The sentences that the learner says, greetings left out."""
    found = []
    for part in parts(message):
        if part.kind in SAID:
            for sentence in _ENDS.split(part.text):
                bare = (sentence or "").strip()[:LONGEST]
                if len(bare) >= SHORTEST and not _GREETING.fullmatch(bare) and not _QUOTED.fullmatch(bare):
                    found.append(bare)
    return tuple(found)


def mood(sentence: str) -> Mood:
    """What a sentence wants, by its shape."""
    asked = sentence.rstrip(" \"'”’)）").endswith(("?", "？"))
    if _CONFIRM_ZH.search(sentence) or _CONFIRM_EN.search(sentence):
        opens = _OPEN_ZH.search(sentence) if _CHINESE.search(sentence) else _OPEN_EN.match(sentence)
        return "asks" if opens else "confirms"
    if _OPEN_ZH.search(sentence) or _OPEN_EN.search(sentence):
        return "asks"
    if asked:
        return "confirms"
    if _WISH_ZH.search(sentence) or _WISH_EN.search(sentence):
        return "wishes"
    return "claims" if _CLAIM.search(sentence) else "context"


def wishes_of_you(sentence: str) -> bool:
    """Whether a sentence asks the tutor to do something."""
    supposes = _SUPPOSES.match(sentence) is not None
    return not supposes and any(wish.search(sentence) for wish in (_WISH_ZH, _WISH_EN, _OF_YOU))


@lru_cache(maxsize=64)
def askings(message: str) -> tuple[Asking, ...]:
    """What wants an answer, in order. Where no sentence asks, what is claimed; where nothing is, everything said."""
    said = sentences(message)
    moods = [mood(sentence) for sentence in said]
    for wanted in (("asks", "confirms", "wishes"), ("claims",), ("context",)):
        found = [Asking(sentence, is_) for sentence, is_ in zip(said, moods, strict=True) if is_ in wanted]
        if found:
            meant = _asked_of(said, moods) if all(_bare(one.text) for one in found) else ()
            return tuple([Asking(sentence, found[0].mood) for sentence in meant] or found)[:MOST]
    return ()


def _bare(sentence: str) -> bool:
    """Whether a sentence names nothing of the subject: 我的理解正确么？"""
    return len(sentence) <= BRIEF and not concept_order(sentence)


def _asked_of(said: tuple[str, ...], moods: list[Mood]) -> list[str]:
    """What a bare asking is about: what is said of the subject beside it."""
    pairs = zip(said, moods, strict=True)
    return [sentence for sentence, is_ in pairs if is_ in ("claims", "context") and not _bare(sentence)]


def wants_something(message: str) -> bool:
    """Whether anything is asked or wished, or so little is said that it may be."""
    return len(message) <= BRIEF or any(one.mood not in ("claims", "context") for one in askings(message))
