"""What a short message leaves to the ones before it: which two are both, what was a slip, of which figure."""

from __future__ import annotations

import re

from engine.scenario import PARAMETERS
from prompts.read.characters import clean
from prompts.read.memory import Memory
from prompts.read.numbers.tokens import scan
from prompts.read.spoken_figure import at_another_place
from prompts.read.steps import step
from prompts.read.turn import Turn

LONGEST = 60  # characters of a message that leaves something open
_X = r"(?P<x>[+-]?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6}))(?![\d%]|\.\d)"
_BOTH = re.compile(
    r"(?:(?:\b(?:they|these|those)(?: are| were|'re)? )?\bboth\b(?: of (?:them|these|those))?(?: parameters?| rates?)?"
    r"(?: ?(?:at|to|are|were|is|equal to|equal|set to|being|be|=))*"
    r"|(?:把|将|让)?(?<![前后头尾中])(?:两个|两者|二者|它们俩?|这俩|俩)(?:参数)?(?:一起|同时)?(?:都|均|全)?"
    rf"(?:改成|改为|换成|设成|设为|变成|调到|取成|取|是|为|等于|=|用)*) ?{_X}",
    re.IGNORECASE,
)
_ALL_OF_THEM = re.compile(  # only of what was changed last
    rf"^(?P<lead>\W*(?:那么?|如果|要是|再|把)?)(?:都|均)(?:改成|改为|换成|设成|设为|变成|调到|取|是|为|等于|=)* ?{_X}"
)
_RATES = ("gamma", "lam")
_SLIP = re.compile(
    r"\W*+(?:(?:(?:no|nope|wait|sorry|oops|ah|oh|hm+|my bad|actually|typo|correction|i mis(?:typed|wrote)"
    r"|that was (?:a typo|wrong))\b|不对|不是|不|我?(?:刚才|刚刚)?(?:说|打|写|弄|搞)错了?|口误|笔误|更正|等等|抱歉"
    r"|不好意思|手滑了?|手误|[少多]打了[^,，]{1,6}|啊|哦|呃)\W*+)*+"
    r"(?P<meant>i (?:actually |really )?(?:meant|mean|wanted)(?: to (?:say|write|type))?"
    r"|it(?:'s| is| should be| was)|should be|make (?:it|that)"
    r"|我(?:的意思|想说的|要写的|想写的|指的|说的)?(?:其实)?(?:想写|想说|要写|是说|是指|是)的?是?|应该?是|其实是|是)?"
    rf"[^\w+.-]*+{_X}\W*+(?:(?:才对|才是|of course)\W*+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"\W*{_X},? (?:sorry|i mean|i meant|of course|that was a typo|my bad)\W*|\W*{_X.replace('<x>', '<zh>')}[,，]? ?"
    r"(?:抱歉|不好意思|写错了|打错了|手滑了?|才对)\W*",
    re.IGNORECASE,
)


@step(lambda message, _: message)
def in_place(message: str, before: Turn) -> str:
    """The message with the names that it leaves open; as it is where it leaves none, or where they are not known."""
    text = clean(message).strip()
    if len(text) > LONGEST:
        return message
    return _of_both(text, before.memory) or _corrected(text, before) or at_another_place(text, before.stated) or message


def _of_both(text: str, memory: Memory) -> str | None:
    changed = tuple(dict.fromkeys(edit.target for edit in memory.changes))
    last_two = len(changed) == len(_RATES) and all(name in PARAMETERS for name in changed)
    said = _BOTH.search(text) or (_ALL_OF_THEM.search(text) if last_two else None)
    if said is None or any(token.sense is not None for token in scan(text)):
        return None
    if not last_two and not ({*changed} <= {*_RATES} <= {*memory.params}):
        return None
    names = changed if last_two else _RATES
    lead = said.groupdict().get("lead") or ""
    settings = ", ".join(f"{name} = {said['x']}" for name in names)
    return f"{text[: said.start()]}{lead}{settings}{text[said.end() :]}"


def _corrected(text: str, before: Turn) -> str | None:
    """What the number that was set by the message before was meant to be."""
    meant = slipped(text)
    last = before.memory.changes[-1] if before.memory.changes else None
    if meant is None or last is None or not before.only_numbers:
        return None
    if last.target in PARAMETERS:
        return f"{last.target} = {meant}"
    return f"make it {meant}" if last.op == "set" and not isinstance(last.operand, tuple) else None


def slipped(text: str) -> str | None:
    """The number that a message gives for one that was a slip: sorry, 0.5"""
    said = _SLIP.fullmatch(text)
    if said is not None and (said["meant"] or not text.startswith(said["x"])):
        return said["x"]
    after = _AFTER.fullmatch(text)
    return (after["x"] or after["zh"]) if after is not None else None
