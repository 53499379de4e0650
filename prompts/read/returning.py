"""Going back to an earlier subject by its name: "back to my numbers", 回到刚才的 γ."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.scenario import LISTS
from lessons._lesson import OUT_OF_SCOPE
from prompts.read.characters import clean
from prompts.read.lesson import decide, rank
from prompts.read.numbers import calls_a_method
from prompts.read.numbers.tokens import scan
from prompts.read.steps import finds_none, step
from prompts.read.turn import Turn

MOST_REMEMBERED = 16  # subjects of a conversation
LIKELY = 0.2  # of a lesson's probability, where several earlier subjects may be meant

_BACK_TO = re.compile(
    r"(?:\b(?:let'?s |can we |please )?(?:(?:go|come|get|jump|switch|turn)(?:ing)? )?back to\b|\breturn(?:ing)? to\b"
    r"|\bas (?:I|we) said about\b|(?:再|那|我们|咱们)?(?:说回|回到|讲回|聊回|谈回|看回|回过头来?(?:再)?(?:看|说|讲)?"
    r"|回头再?(?:看|说|讲)|接着(?:说|讲|看)?(?=刚才|前面|之前|上面)|继续(?:说|讲|看)?(?=刚才|前面|之前|上面)))"
    r" ?(?P<what>(?:(?! but | with | and (?!values?\b)| using |但|不过|把|换|用|改|,)[^.。;；:：?？!！\n]){1,48})",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\b(?:numbers?|examples?|lists?|data|inputs?|setup|problem|exercise|calculation|computation)\b"
    r"|数(?!学)|例子|列表|数据|题|那组|这组",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\bfirst\b|\boriginal\b|\binitial\b|最(?:初|开始|早)|一开始|第一", re.IGNORECASE)
_EDITED = re.compile(
    r"\d|\bdefault|默认|\bone\b|\bzero\b|原来|\boriginal\b|\binitial\b|最初|一开始|\bstart",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:it|its|that|this|they|them|there)\b|[它这那其]", re.IGNORECASE)
_ALIKE = (frozenset(["rewards", "scores", "group_rewards"]), frozenset(["values", "old_values", "vpreds"]))


class Returned(NamedTuple):
    """The turn that is gone back to, what else the message says, and whether that points at it: it, that, 它."""

    turn: Turn
    rest: str
    points: bool


def remembered(before: Turn, turn: Turn, *, on: bool) -> tuple[Turn, ...]:
    """The subjects so far, each as it stood last."""
    if turn.lesson == OUT_OF_SCOPE:
        return before.history
    same = on and turn.lesson == before.lesson
    kept = before.history[:-1] if same else before.history
    return (*kept, turn)[-MOST_REMEMBERED:]


@step(finds_none)
def returned(history: tuple[Turn, ...], message: str) -> Returned | None:
    """The earlier subject that a message goes back to, if it names one."""
    plain = clean(message)
    said = _BACK_TO.search(plain)
    if said is None or not history:
        return None
    what = said["what"]
    found = _earlier(history, what)
    if found is None:
        return None
    kept = what if calls_a_method(what) else ""  # back to GAE, but λ = 0.3
    rest = f"{plain[: said.start()]} {kept} {plain[said.end() :]}".strip(" ,，:：;；.。")
    return Returned(found, rest, _POINTS.search(rest) is not None)


def _earlier(history: tuple[Turn, ...], what: str) -> Turn | None:
    with_lists = [turn for turn in history if _lists(turn)]
    named = {alike for token in scan(what) if token.sense for alike in _like(token.sense.meaning)}
    having = [turn for turn in with_lists if named & _lists(turn)]
    if _NUMBERS.search(what) and not (named and not having):
        among = having or with_lists
        if _EDITED.search(what) and len({tuple(map(str, turn.given.items())) for turn in among}) < 2:
            return None
        if _FIRST.search(what) and among and among[0] is history[-1]:  # it was changed since
            return None
        return (among[0] if _FIRST.search(what) else among[-1]) if among else None
    if _EDITED.search(what):
        return None
    if having and len(history) > 1 and not named & _lists(history[-1]):
        return having[-1]
    return _about(history, what) if len(history) > 1 else None


def _about(history: tuple[Turn, ...], what: str) -> Turn | None:
    """The subject whose lesson the words name best."""
    likely = {**dict(rank(what)), **dict(decide(what).alternatives)}
    best = max(history, key=lambda turn: likely.get(turn.lesson, 0.0))
    others = {turn.lesson for turn in history[:-1]} - {history[-1].lesson}
    sure = likely.get(best.lesson, 0.0) >= LIKELY or len(others) == 1
    return next(turn for turn in reversed(history) if turn.lesson == best.lesson) if sure else None


def _lists(turn: Turn) -> frozenset[str]:
    """The lists that were the matter of a turn; not those that were only there when something else was asked."""
    if turn.carried:
        return frozenset()
    return frozenset(name for name in turn.given if name in LISTS and name != "lams")


def _like(name: str) -> frozenset[str]:
    return next((alike for alike in _ALIKE if name in alike), frozenset([name]) if name in LISTS else frozenset())
