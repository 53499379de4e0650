"""Corrections that name both numbers, of which the negated one is the old one: the last reward is 3, not 2."""

from __future__ import annotations

import re

LONGEST = 120  # characters of a message that corrects
_NUMBER = r"[+-]?(?:\d{1,9}(?:\.\d{1,12})?|\.\d{1,12})%?"
_OLD, _NEW = (rf"(?P<{name}>(?<![\w.])(?<!\w\[){_NUMBER})(?![\d%\w]|\.\d)" for name in ("old", "new"))
_SORRY = (
    r"^\W*(?:(?:no|nope|wait|sorry|oops|ah|oh|hm+|my (?:bad|mistake|error|fault)|actually|scratch that|correction|typo"
    r"|(?:i )?made a (?:typo|mistake)"
    r"|i (?:mis)?(?:typed|wrote|meant)(?: it)?(?: wrong(?:ly)?)?|i mean|wrong"
    r"|不对|不是(?=[,，])|等等|等下|抱歉|对不起|啊|哦|呃|噢|口误|更正"
    r"|(?:我|你)?(?:刚才|刚刚)?(?:说|打|写|搞|改|弄|记|看|抄|输)错了|错了)\b[^\w]*|[,，.。!！;；:：\s]){1,6}"
)
_OPENING = re.compile(_SORRY, re.IGNORECASE)
_LEAD = (
    r"(?:\b(?:is|was|are|were|be|should(?: have)?(?: be(?:en)?)?|must be|equals?|to|=)\W{1,2}|[=:] ?"
    r"|(?:本来|其实)?(?:应该?)?(?:是|为|等于|取|写成|改成|改为|换成|设成|设为)了? ?){0,3}"
)
_NOT = r"(?:(?:and|but)\W)?(?:not|instead of|rather than)\W{1,2}|(?:而|并)?(?:不是|并非|不该是|不应该?是|非) ?"
_NOT_THE_OLD = (
    r"(?:\b(?:(?:is|was|are|were)(?:n'?t| not)|should(?:n'?t| not) (?:be|have been)|not)\W{1,2}"
    r"|(?:并|应该?)?(?:不是|不应该?是|不该是|并非) ?)"
)
_BUT = (
    r"(?:but|it'?s|it is|it was|it should be|should be|rather|make it|而|应该?|,|\s){1,4}"
    r"(?:是|为)? ?|(?:而|应该?)?(?:是|为) ?"
)
_AFTER = r"(?=\W*(?:$|[,.。;；!！)吧呀啊哦]))"
_PATTERNS = (
    re.compile(rf"{_LEAD}{_NEW} ?[,;:(]? ?(?:{_NOT}){_OLD}\)?{_AFTER}", re.IGNORECASE),
    re.compile(rf"{_NOT_THE_OLD}{_OLD} ?[,;:.]? ?(?:{_BUT}){_NEW}{_AFTER}", re.IGNORECASE),
)
_OLD_LIST = re.compile(r"(?<=\]) ?,? ?(?:(?:and |but )?not|instead of|而?不是) ?\[[^\[\]]{1,200}\]", re.IGNORECASE)
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def corrected(text: str) -> str:
    """The message, with what a number is and is not said as a change from one to the other."""
    if len(text) > LONGEST:
        return text
    text = _OLD_LIST.sub("", text)
    for pattern in _PATTERNS:
        found = pattern.search(text)
        if found is not None:
            return _as_change(text, found)
    return text


def _as_change(text: str, found: re.Match[str]) -> str:
    before, after = _OPENING.sub("", text[: found.start()]).strip(), text[found.end() :]
    before = re.sub(r"^(?:it|that|this|它|那个|这个)$", "", before, flags=re.IGNORECASE)
    if _CHINESE.search(text):
        return f"{before} 从 {found['old']} 改成 {found['new']}{after}"
    return f"change {before} from {found['old']} to {found['new']}{after}"
