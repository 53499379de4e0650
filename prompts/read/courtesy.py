"""Thanks, greetings and goodbyes: a message that is nothing but one of them is answered in kind."""

from __future__ import annotations

import re

_EN_TAIL = (
    r"(?:\s*+(?:there|you|so much|a lot|very much|a million|all|again|everyone|guys|telescope|tutor|bot"
    r"|for (?:the |your |all the )?\w+)\b)*+"
)
_ZH_TAIL = r"(?:你|您|啦|了|啊|呀|哦|喔|咯|呢|老师|大佬|大神|telescope|大家|讲得?的?(?:很|真|太)?(?:好|清楚)了?)*+"
_COURTESIES = {
    "thanks": rf"(?:(?:ok(?:ay)?|great|cool|nice|perfect|got it|many|好的?|嗯+|行|明白了?|懂了)\W*+)*+"
    rf"(?:(?:thanks?|thx|ty|cheers|much appreciated){_EN_TAIL}|(?:谢谢|多谢|感谢|谢了|谢啦|非常感谢|太感谢){_ZH_TAIL})",
    "hello": rf"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings){_EN_TAIL}"
    rf"|(?:你好|您好|哈喽|嗨|早上好|下午好|晚上好|早|在吗|在么){_ZH_TAIL})",
    "goodbye": rf"(?:(?:bye(?:[- ]bye)?|goodbye|see you|see ya|good night|that's all){_EN_TAIL}"
    rf"|(?:再见|拜拜|回见|晚安|下次见|先这样){_ZH_TAIL})",
}
_ALONE = {name: re.compile(rf"\W*+(?:{said}\W*+)++", re.IGNORECASE) for name, said in _COURTESIES.items()}
LONGEST = 80  # characters


def courtesy(message: str) -> tuple[str, ...]:
    """The one that a message is, and nothing else."""
    brief = len(message) <= LONGEST
    return tuple(name for name, alone in _ALONE.items() if brief and alone.fullmatch(message))[:1]
