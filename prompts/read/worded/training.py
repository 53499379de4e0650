"""Counts of one iteration: responses of a batch, mini-batches, optimiser steps; ones of a mask; the last index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from prompts.read.worded.figure import Figure, figures, without
from prompts.read.worded.finding import Finding, Read, one
from prompts.read.worded.settings import Given

_MINI = re.compile(
    r"\bmini[- _]?batch(?:es)?(?:[- _]?size)?(?: ?(?:of|is|size|with|=|:|为|是|大小|取|都))* ?(?P<a>\d{1,6})"
    r"|(?P<b>\d{1,6}) ?(?:条|个)?(?: (?:responses|samples))?(?:一个|per|in each|的|一)? ?mini[- _]?batch",
    re.IGNORECASE,
)
_EPOCHS = re.compile(
    r"\b(?:ppo_)?epochs?(?: ?(?:of|is|=|:|为|是))* ?(?P<a>\d{1,3})(?![\d.])|(?P<b>\d{1,3}) ?(?:个|遍|次"
    r"|轮)?(?:ppo[_ ])?epochs?\b"
    r"|(?:过|跑|训练|更新) ?(?P<c>\d{1,3}) ?(?:遍|轮(?!就))",
    re.IGNORECASE,
)
_BATCH = re.compile(
    r"(?P<a>\d{1,6}) ?(?:条|个)? ?(?:responses?|rollouts?|samples|回答|回复|样本)"
    r"|\b(?:train_)?batch(?:[- _]?size)?(?: ?(?:of|is|=|:|为|是))* ?"
    r"(?P<b>\d{1,6})",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"(?P<a>\d{1,6}) ?(?:次|步|个)?(?: ?(?:gradient|optimi[sz]er|actor|policy|update))* ?(?:steps|updates|更新|梯度步)"
    r"|(?:更新|走|做|takes?|makes?|gives?) ?(?:了)?(?P<b>\d{1,6}) ?(?:次|步|updates?|steps?|times)",
    re.IGNORECASE,
)
_PROMPTS = re.compile(r"(?P<n>\d{1,6}) ?(?:个|条)? ?(?:prompts?|questions?|问题|提示词?)", re.IGNORECASE)
_EACH = re.compile(
    r"(?P<a>\d{1,4}) ?(?:samples?|responses?|answers?|rollouts?|completions?) ?(?:each|per (?:prompt|question)"
    r"|for each)"
    r"|(?:each|per prompt|每(?:个|条)?(?:问题|提示词?|prompt)?)[^\d,，]{0,8}?(?P<b>\d{1,4}) ?(?:个|条|samples?"
    r"|responses?|answers?|回答|回复|次)",
    re.IGNORECASE,
)
_ROLLOUTS = re.compile(
    r"(?P<n>\d{1,6}) ?(?:个|条)? ?(?:rollouts?|responses?|samples|sequences|回答|回复|样本|轨迹)(?: in all"
    r"| in total)?",
    re.IGNORECASE,
)
_MASK = re.compile(r"\bmask\b|掩码", re.IGNORECASE)
_LENGTHS = re.compile(
    r"(?P<row>\d{1,4}(?: ?(?:,|、|和|and|与) ?\d{1,4}){1,7}) ?(?:个)? ?(?:response )?(?:tokens?|词元)", re.IGNORECASE
)
_PADDED_TO = re.compile(
    r"\b(?:padded |pads? )?[^\d,]{0,24}?to (?:length |a length of )?(?P<a>\d{1,4})|(?:补|pad)[^\d,]{0,8}?(?:到"
    r"|成) ?(?P<b>\d{1,4})",
    re.IGNORECASE,
)
_ONES = re.compile(
    r"(?P<a>\d{1,5}) ?(?:个)? ?(?:ones|1s|1(?!\d))|(?:sums? to|add up to|加起来(?:是|等于)?|之和(?:是"
    r"|为)?) ?(?P<b>\d{1,5})",
    re.IGNORECASE,
)
_MANY_OF = re.compile(r"(?<![\d.])\d{1,3} ?(?:个|条)?(?= ?(?:responses|回答|回复))", re.IGNORECASE)
_TOKENS = re.compile(r"(?P<n>\d{1,6}) ?(?:个)?[ -]?(?:response )?(?:tokens?|词元)", re.IGNORECASE)
_INDEX = re.compile(r"\b(?:index|position)\b|下标|索引", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|final)\b|最后|末尾", re.IGNORECASE)
_FROM_ZERO = re.compile(
    r"\b(?:counting|counted|starting|numbered|indexed) (?:from|at) (?:0|zero)\b|\b(?:0|zero)[- ](?:based|indexed)\b"
    r"|从 ?[0零] ?(?:开始)?(?:数|计|编号)?起?",
    re.IGNORECASE,
)
_FROM_ONE = re.compile(
    r"\b(?:counting|counted|starting|numbered|indexed) (?:from|at) (?:1|one)\b|\b(?:1|one)[- ](?:based|indexed)\b"
    r"|从 ?[1一] ?(?:开始)?(?:数|计|编号)?起?",
    re.IGNORECASE,
)
_OTHER = re.compile(r"prompt|提示|input_ids|整条|whole|slice|切片|logits|equal|比例|fraction", re.IGNORECASE)


def training(own: Given, standing: Mapping[str, Any]) -> Read | None:
    del standing
    if own.lists or own.unnamed or own.numbers or own.at_the_end is not None:
        return None
    for read, lesson in (
        (_steps, "ppo_loop"),
        (_rollouts, "ppo_loop"),
        (_ones, "padding_mask"),
        (_last_index, "index_conventions"),
    ):
        found = read(own.body)
        if found:
            return Read(found, lesson)
    return None


def _taken(pattern: re.Pattern[str], body: str) -> tuple[int | None, str]:
    found = pattern.search(body)
    if found is None:
        return None, body
    number = next(x for x in found.groups() if x)
    return int(number), without(body, [found.span()])


def _one_left(body: str) -> list[Figure] | None:
    stated = figures(body)
    left = without(body, [(x.start, x.end) for x in stated])
    return stated if len(stated) == 1 and not re.search(r"\d", left) and not stated[0].both else None


def _stated(pattern: re.Pattern[str], body: str) -> tuple[int | None, str]:
    return _taken(pattern, body)


def _finding(of: str, stated: int | None, correct: Fraction) -> list[Finding] | None:
    return None if stated is None else [Finding(of, str(stated), correct, correct == stated)]


def _steps(body: str) -> list[Finding] | None:
    """Epochs times batch over mini-batch."""
    mini, body = _taken(_MINI, body)
    epochs, body = _taken(_EPOCHS, body)
    steps, body = _taken(_STEPS, body)
    batch, body = _taken(_BATCH, body)
    if not mini or batch is None or steps is None or re.search(r"\d", body):
        return None
    return _finding(rf"{epochs or 1} \cdot {batch} / {mini}", steps, Fraction((epochs or 1) * batch, mini))


def _rollouts(body: str) -> list[Finding] | None:
    prompts, body = _taken(_PROMPTS, body)
    each, body = _taken(_EACH, body)
    rollouts, body = _taken(_ROLLOUTS, body)
    if prompts is None or each is None or re.search(r"\d", body):
        return None
    return _finding(rf"{prompts} \cdot {each}", rollouts, Fraction(prompts * each))


def _ones(body: str) -> list[Finding] | None:
    """Two responses of 3 and 5 tokens: the mask has 8 ones."""
    lengths = _LENGTHS.search(body)
    if not _MASK.search(body) or lengths is None:
        return None
    row = [int(x) for x in re.findall(r"\d+", lengths["row"])]
    body = without(body, [lengths.span()])
    longest, body = _taken(_PADDED_TO, body)
    ones, body = _taken(_ONES, _MANY_OF.sub(" ", body))
    if re.search(r"\d", body) or (longest is not None and longest < max(row)):
        return None
    return _finding(r"\sum m", ones, Fraction(sum(row)))


def _last_index(body: str) -> list[Finding] | None:
    """Of 12 tokens that are counted from 0, the last one has the index 11."""
    zero, one_based = _FROM_ZERO.search(body), _FROM_ONE.search(body)
    if not _INDEX.search(body) or not _LAST.search(body) or bool(zero) == bool(one_based) or _OTHER.search(body):
        return None
    body = without(body, [x.span() for x in (zero, one_based) if x])
    length, body = _taken(_TOKENS, body)
    stated = _one_left(body)
    if length is None or stated is None:
        return None
    return one("T-1" if zero else "T", Fraction(length - (1 if zero else 0)), stated)


_READERS = (
    (_steps, "ppo_loop"),
    (_rollouts, "ppo_loop"),
    (_ones, "padding_mask"),
    (_last_index, "index_conventions"),
)
