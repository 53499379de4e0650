"""The words that announce something new, and those that add a condition to what was asked before."""

from __future__ import annotations

import re

from prompts.read.leaning import LONGEST_ECHO, supposes

_ANNOUNCED = (
    r"(?:something|anything) (?:else|different|new)|(?:next|new|different|another) (?:question|topic|subject)"
    r"|(?:(?:换|来|说|聊|问|讲|谈)[一点些个]{0,2}别的(?:问题|话题|东西|事)?|下一个(?:问题|话题)|换个?(?:问题|话题|题目)|另一个问题|新问题"
    r"|(?:先|暂时)?不(?:说|管|聊|谈|问)(?:这个|它)了|这个先(?:放|搁)一边"
    r"|(?:forget|leave|never ?mind|enough of) (?:that|this|it)(?: aside| for now)?)"
)
_ANNOUNCING = re.compile(
    r"^\W*+(?:(?:(?:ok(?:ay)?|and|but|so|now|then|well|right|thanks?|let'?s (?:talk about|try|do)|i have|one more"
    r"|an?|the|quick)\b|(?:好的?|那么?|现在|行|嗯|再|接下来|我?们?|咱们?|想))\W*+)*+"
    rf"(?:{_ANNOUNCED})(?: (?:now|then|entirely|completely|altogether)|吧|了)?\s*[:：,，.。;；—–-]+\s*(?=\S)",
    re.IGNORECASE,
)
_NEW_SUBJECT = re.compile(
    r"\b(different|another|new|other) (topic|question|subject|matter|thing)\b|\bunrelated\b|\bby the way\b"
    r"|\bbtw\b|\bon another note\b"
    rf"|换个?(问题|话题|题目)|另(外)?(一个|问)|另外|顺便|说到这|题外话|新问题|别的问题|{_ANNOUNCING.pattern}",
    re.IGNORECASE,
)
_SUPPOSE = re.compile(r"\W*(?:(?:and|but|now|then)\W+)?(?:suppose|assume|imagine)\b", re.IGNORECASE)
_CONDITION = re.compile(  # which rewards there are, how large a rate is, how good the critic
    r"^\W*(?:那么?|可是?|但是?|如果|要是|假如|若|当|换成|再)*"
    r"(?:(?:只有|仅有?|只在?)?(?:最后|第一|中间|末尾|结尾|每|所有|全部|任何|一半|有的)[^,，。]{0,16}(?:奖励|reward)"
    r"|(?:中间|每步|过程)?(?:奖励|rewards?) ?(?:[^,，。]{0,6})(?:只|都|全|正|负|零|0|稀疏|最后|末尾|每|为|是|很|没)"
    r"|(?:没有?|不给)(?:中间)?奖励"
    r"|(?:γ|λ|gamma|lambda|折扣)[^,，。]{0,4}(?:小于|大于|不是|不等于|<|>|很|接近|趋)"
    r"|(?:critic|价值|values?) ?[^,，。]{0,6}(?:准|完美|都|全|零|0|负|正|常数|偏|随机)(?!什么))"
    r"[^,，。]{0,20}呢\W*$"
    r"|^\W*+(?:(?:and|but|or|ok|so|then|well)\W++)*+(?:(?:what )?(?:if|when)|what about when|suppose|assume|imagine) "
    r"[^,.?!]{0,24}"
    r"(?:\b(?:rewards?|gamma|lambda|critic|values?) (?:is|are|was|were|has|have|comes?|gets?)\b|\brewarded\b"
    r"|\b(?:has|have|gets?|carr(?:y|ies)|receives?) (?:an? |the |any |no )*(?:\w+ )?rewards?\b)[^,.?!]{0,40}\W*$"
    r"|^\W*+(?:(?:and|but|or|ok|so|then|well)\W++)*+(?:with|for|under) (?:only |an? |the |no )*[\w -]{0,24}"
    r"\b(?:rewards?|critic|values)\b(?: (?:only )?(?:at|on|for) [\w ]{1,24})?\?\W*$",
    re.IGNORECASE,
)


def turns_away(message: str) -> bool:
    """Whether a message says that it begins something new."""
    return _NEW_SUBJECT.search(message) is not None


def unannounced(message: str) -> str:
    """The message without the words that announce something new: now something else: …"""
    return _ANNOUNCING.sub("", message, count=1)


def adds_a_condition(message: str) -> bool:
    """Whether a brief message only supposes something of the numbers that the question before is about."""
    brief = len(message) <= LONGEST_ECHO and (supposes(message) or _SUPPOSE.match(message) is not None)
    return brief and _CONDITION.match(message) is not None
