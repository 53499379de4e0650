"""The one figure of which a message states a number, and the same figure of another token."""

from __future__ import annotations

import re

from engine.scenario import PARAMETERS
from prompts.read.numbers.tokens import scan

LONGEST = 80  # characters of a message that states one number
NUMBER = r"[+-]? ?(?:\d{1,4}(?:\.\d{1,6})?|\.\d{1,6})(?![\d%]|\.\d)"
_FIGURE = re.compile(
    r"(?:^|[,，:：]|\b(?:so|then|and|but|that)\b|那么?|所以)\W*"
    r"(?:(?P<figure>[^,，。;；:：?？=]{2,40}?) ?"
    r"(?:(?:应该|大概|现在|就|也|才|会)*(?:是|等于|为)|="
    r"|\b(?:is|was|equals|comes to|(?:should|would|will) (?:be|equal))\b)"
    r"|(?:is|was) (?P<asked>the [^,，。;；:：?？=]{2,40}?)\b)"
    rf" ?(?:about |exactly )?{NUMBER}",
    re.IGNORECASE,
)
_ZH_PLACE = r"(?:倒数)?第 ?[一二三四五六七八九十\d] ?个|最后一?个|末个"
_EN_PLACE = r"first|second|third|fourth|fifth|sixth|last"
_PLACE = re.compile(rf"{_ZH_PLACE}|\b(?:{_EN_PLACE})\b", re.IGNORECASE)
_THERE = re.compile(
    rf"\W*(?:那么?|所以)?(?P<zh>{_ZH_PLACE})(?: ?(?:token|词元?))?的?(?:呢)?[,，?？]?\s*(?:它|也|应该|大概|就)*"
    rf"(?:是|等于|为) ?(?P<x_zh>{NUMBER})\W*(?:吧|吗|么|对吧|对吗|对不对)\W*"
    rf"|\W*(?:(?:and|so|but|then)\W+)?(?:for |what about |how about |is )?the (?P<en>{_EN_PLACE})(?: one| token)?[,?]*"
    rf" (?:is it|it is|it's|is|should be|would be)?(?P<x_en>{NUMBER})\W*(?:, (?:right|correct))?\W*",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？]|吧|吗|么|对不对|\b(?:right|correct)\b", re.IGNORECASE)


def figure(text: str) -> str | None:
    """The one figure of which a message states a number: the first advantage."""
    if len(text) > LONGEST:
        return None
    named = [(found["figure"] or found["asked"]).strip() for found in _FIGURE.finditer(text)]
    senses = [[token.sense.meaning for token in scan(name) if token.sense is not None] for name in named]
    figures = [name for name, of in zip(named, senses, strict=True) if of and not {*of} & {*PARAMETERS}]
    return figures[-1] if figures else None


def at_another_place(text: str, before: str) -> str | None:
    """And the second one, is it 0.4? as a claim on the figure of the message before, of that token."""
    said = _THERE.fullmatch(text)
    named = figure(before) if said is not None else None
    if said is None or named is None or not _ASKED.search(text) or len(_PLACE.findall(named)) != 1:
        return None
    there = _PLACE.sub(said["zh"] or said["en"], named)
    return f"{there} 是 {said['x_zh']}，对吗？" if said["zh"] else f"{there} is {said['x_en'].strip()}, right?"
