"""Numbers of one token that are named one after another: each is given, or follows from those before it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.readings.exact import exactly
from prompts.read.worded.compared import Compared, comparisons, half_understood
from prompts.read.worded.figure import NUMERAL, Figure, figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.follows import FOLLOWS, LESSONS
from prompts.read.worded.neighbours import of_one_token
from prompts.read.worded.scalar_names import COSTS, EVERY_NAME, OFF_THE_REWARD, TO_THE_REWARD
from prompts.read.worded.scalars import Mention, inputs_of, mentions_of, pairs_of
from prompts.read.worded.settings import Given

MOST = 10  # numbers
ROUNDS = 4  # of what follows from what follows
_PARAMETERS = ("gamma", "lam", "beta", "eps", "eps_low", "eps_high", "cliprange_value")
_LOGARITHMS = {"logp": "prob", "ref_logp": "ref_prob", "old_logp": "old_prob", "new_logp": "new_prob"}
_CHAINED = re.compile(r" ?(?:=|≈|~) ?(?:about |约 ?)?")
_BEHIND = re.compile(  # becomes −1 after whitening
    r"(?:\bbecomes|\bgets|\bis|\bturns into|变成了?|成为) (?:about )?(?P<x>[-+]?\d*\.?\d+),? (?P<what>(?:after|once"
    r"|when) (?:being )?"
    r"whiten(?:ing|ed))",
    re.IGNORECASE,
)
_SAME_FOR_BOTH = re.compile(
    r"\b(?:actor|policy)\b.{0,12}\b(?:reference|ref)\b[^\d,;]{0,20}\bboth\b[^\d,;]{0,24}?(?P<x>0?\.\d{1,4})"
    r"|(?:actor|策略).{0,6}参考(?:模型|策略)?[^\d,;]{0,8}都[^\d,;]{0,12}?(?P<zh>0?\.\d{1,4})",
    re.IGNORECASE,
)
_NO_REWARD = re.compile(r"\b(?:no|without(?: any| a)?) rewards?\b(?! model)|没有奖励|无奖励", re.IGNORECASE)
_DENIED = re.compile(r"不(?!同|变|是最后)|没|\b(?:never|neither|nor|no longer)\b", re.IGNORECASE)
_THE_OTHER = re.compile(r"\b(?P<side>old|new) (?:one|value)\b(?= ?(?:is|was|=|at|of)? ?-)", re.IGNORECASE)
_NAMED_FIRST = re.compile(  # k3 at logp = …
    r"(?P<name>\bk_?[123]\b|\bKL\b|\bratio\b|比值) ?(?:在|当) ?(?P<at>[^。;；]{1,60}?)(?:的时候"
    r"|时)(?!间)",
    re.IGNORECASE,
)
_CLIPPED_TO = re.compile(
    r"(?:目标(?:函数)?|objective)(?:就|会)?(?:被| is )?(?:截断?|clipped|capped|cut)(?:到|成|为|在| at| to)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:if|when|unless) (?:we|you|it|instead)|\binstead\b|\bwould have\b|\bwithout\b|\btwice\b|\bdoubl|\bhalv|倍"
    r"|改成|换成|如果改"
    r"|\bn-step\b|\d-step|\bA\^\{?\(|步优势|\bgroup\b|组内?|GRPO|RLOO|\bbatch of\b|\b(?:steps?|tokens) (?:later|ahead"
    r"|before)\b"
    r"|\bprobabilit(?:y|ies) of\b|\bupdate|\bgradient|梯度|clip fraction|\bclip(?:ped)?\b(?=\W*$)|裁掉|被裁",
    re.IGNORECASE,
)


class _Known(NamedTuple):
    value: float
    since: frozenset[str]  # the given numbers that it was made from


def deduced(own: Given) -> Read | None:
    """Every number of it, given or checked; None where one is neither, or is not made use of."""
    if own.lists or own.unnamed or own.everywhere is not None or _OTHERWISE.search(own.body):
        return None
    body = _NAMED_FIRST.sub(r"\g<at> \g<name>", _THE_OTHER.sub(r"\g<side> logp", own.body))
    body = OFF_THE_REWARD.sub(r"lowers the reward by \g<x>", body)
    body = COSTS.sub(r"lowers the reward by \g<x>", body)
    body = TO_THE_REWARD.sub(r"raises the reward by \g<x>", body)
    body = _BEHIND.sub(r"\g<what> is \g<x>", _CLIPPED_TO.sub("objective =", body))
    compared, body = comparisons(of_one_token(_NO_REWARD.sub(" reward = 0 ", body)))
    settings = {name: float(x) for name, x in own.numbers.items()}
    if own.at_the_end is not None:
        settings["scores"] = float(own.at_the_end)
    known, body = pairs_of(settings, body)
    both = _SAME_FOR_BOTH.search(body)
    if both:
        x = float(both["x"] or both["zh"])
        known, body = {**known, "prob": x, "ref_prob": x}, without(body, [both.span()])
    mentions, rest = mentions_of(body, EVERY_NAME)
    mentions = _of_the_policy([_as_probability(x) for x in mentions])
    chains, rest = _chains(body, mentions, rest)
    if len(mentions) > 3 * MOST or re.search(r"\d|-\.", rest) or half_understood(rest) or _DENIED.search(rest):
        return None
    beside = _named_by(compared, mentions)
    return None if beside is None else _told(body, known, mentions, chains, beside)


def _named_by(compared: Sequence[Compared], mentions: Sequence[Mention]) -> list[tuple[str, Figure]] | None:
    """Each comparison with the name that stands before it."""
    found = [(next((x.name for x in reversed(mentions) if x.end <= one.start), ""), one.bound) for one in compared]
    return None if any(not name for name, _ in found) or any(x.supposed for x in compared) else found


def _as_probability(mention: Mention) -> Mention:
    """No logarithm of a probability is positive: it is the probability that is said."""
    positive = mention.figure is not None and mention.figure.value > 0
    return mention._replace(name=_LOGARITHMS[mention.name]) if positive and mention.name in _LOGARITHMS else mention


def _of_the_policy(mentions: Sequence[Mention]) -> list[Mention]:
    """What is held against the reference is the log-probability at sampling: the old one, where only that is named."""
    names = {x.name for x in mentions}
    alone = "ref_logp" in names and not names & {"logp", "new_logp", "ratio"}
    return [x._replace(name="logp") if alone and x.name == "old_logp" else x for x in mentions]


def _chains(body: str, mentions: Sequence[Mention], rest: str) -> tuple[dict[int, list[Figure]], str]:
    """ratio = (−0.3)/(−0.5) = 0.6: what more is said of each mention."""
    chains: dict[int, list[Figure]] = {}
    every = figures(body)
    for j, mention in enumerate(mentions):
        end = mention.figure.end if mention.figure is not None else -1
        while end >= 0:
            link = _CHAINED.match(body, end)
            number = NUMERAL.match(body, link.end()) if link else None
            more = None if number is None else next((x for x in every if x.end == number.end()), None)
            if more is None:
                break
            chains.setdefault(j, []).append(more)
            rest = without(rest, [(more.start, more.end)])
            end = more.end
    return chains, rest


def _told(
    body: str,
    known: Mapping[str, float],
    mentions: Sequence[Mention],
    chains: Mapping[int, Sequence[Figure]],
    compared: Sequence[tuple[str, Figure]],
) -> Read | None:
    going: dict[str, _Known] = {}
    for name, x in inputs_of(body, known, mentions).items():
        parameter = name in _PARAMETERS or name not in known
        going[name] = _Known(x, frozenset() if parameter else frozenset([name]))
    given = {name for name in known if name not in _PARAMETERS}
    found: list[Finding] = []
    used: set[str] = set()
    lesson = ""
    for j, mention in enumerate(mentions):
        if mention.figure is None:
            continue
        if mention.figure.both or mention.figure.times:
            return None
        closure = _closure(going)
        follows = _following(_meant(mention.name), closure)
        if follows is None:
            if mention.name in given or mention.figure.relation or chains.get(j):
                return None
            given.add(mention.name)
            going[mention.name] = _Known(float(mention.figure.value), frozenset([mention.name]))
            continue
        name, correct, since, written = follows
        found += one(written, correct, [mention.figure, *chains.get(j, ())])
        used |= since
        lesson = LESSONS[name]
        going[mention.name] = _Known(float(correct), since)
    for compared_name, bound in compared:
        follows = _following(_meant(compared_name), _closure(going))
        if follows is None or compared_name in given:
            return None
        name, correct, since, written = follows
        found += one(written, correct, [bound])
        used |= since
        lesson = lesson or LESSONS[name]
    return Read(found, lesson) if found and given <= used and len(found) <= MOST else None


def _meant(name: str) -> tuple[str, ...]:
    """Without ε, the objective is ratio times A."""
    return (name, "surrogate") if name == "objective" else (name,)


def _closure(known: Mapping[str, _Known]) -> dict[str, _Known]:
    """Everything that follows from what is known, a few steps on; nothing that was given is worked out again."""
    closure = dict(known)
    for _ in range(ROUNDS):
        more = {}
        for name, arguments, formula, _written in FOLLOWS:
            if name not in closure and name not in more and set(arguments) <= set(closure):
                value = _exact(formula, [closure[x].value for x in arguments])
                if value is not None:
                    more[name] = _Known(float(value), _since(closure, arguments))
        if not more:
            break
        closure |= more
    return closure


def _following(names: Sequence[str], known: Mapping[str, _Known]) -> tuple[str, Any, frozenset[str], str] | None:
    """What a name comes to, from what it takes, with how it is written."""
    for meant in names:
        for name, arguments, formula, written in FOLLOWS:
            if name == meant and set(arguments) <= set(known):
                since = _since(known, arguments)
                correct = _exact(formula, [known[x].value for x in arguments])
                if since and correct is not None and meant not in since:
                    return name, correct, since, written
    return None


def _since(known: Mapping[str, _Known], arguments: Sequence[str]) -> frozenset[str]:
    return frozenset().union(*(known[x].since for x in arguments))


def _exact(formula: Any, numbers: Sequence[float]) -> Any:
    try:
        return exactly(lambda number: formula(*map(number, numbers)), len(numbers))
    except (EngineError, ArithmeticError, ValueError):
        return None
