"""A message, taken apart before anything of it is understood: prose, titles, quotations, code, logs, tables, formulas.

People paste. What they paste is no word to the tutor: no wish, no claim and no number stands in code, a log or a
quotation. Blocks are found by their Markdown; lines that stand bare among the prose by what they look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from markdown_it import MarkdownIt

Kind = Literal["title", "prose", "quotation", "code", "log", "table", "formula"]
SAID: tuple[Kind, ...] = ("title", "prose")  # what the learner says; the rest is shown
LONGEST_LINE = 400  # characters of a line that are looked at to tell what it is
LONGEST_TITLE = 90
FEW_LINES = 2  # of a message that is nothing but a formula

_BLOCKS = {"fence": "code", "code_block": "code", "html_block": "code", "blockquote_open": "quotation"}
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_ENGLISH = (  # small words that sentences have, and code, logs and formulas have not
    "an the is are was be been do does did not of to in that this these it we you my our your they he "
    "there and or but so because if when while what why how which who whether where should would could "
    "can cannot will may might must have has had with without from than then as at by on for about into "
    "just only very more less same seem seems think believe believed understand get got don't doesn't "
    "isn't aren't shouldn't i'm i'd it's please thanks hi hello any some both each every between during "
    "after before always never also too here"
)
_COMMON = frozenset(_ENGLISH.split())
_LOG = re.compile(
    r"\s*(?:\[?\(?\d{4}[-/]\d\d[-/]\d\d|\[?\d\d:\d\d:\d\d|Traceback \(|File \"|\w*(?:Error|Exception|Warning):|"
    r"\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG)\b|step[: ]?\d+ ?[-|,:]|\d+%\|)"
    r"|\s*\{?['\"]?[\w/@.()-]+['\"]?\s?:\s?-?[\d.]+(?:e-?\d+)?,\s?['\"]?[\w/@.()-]+['\"]?\s?:"
    r"|.{0,200}?\.py:\d+|(?:[^\s:=|]{3,50}[:=]\s?-?\d[\d.e%-]*[\s,|-]+){3}",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\s*(?:(?:def|class|import|from|return|elif|else|try|except|with|raise|assert|for|while|if|async|await|yield)\b"
    r"[^?？。]*[:(\w)]\s*$|@\w|#include|#!|\$ |>>> |export \w|python3? |pip |sudo |bash |torchrun |accelerate |git |"
    r"CUDA_|--?[a-z][\w-]*(?:[ =]|$)|//|/\*|\*/|</?\w+[ >/])"
    r"|\s*[\w.\[\]:,'\" -]{1,80}\s?(?:[-+*/]?=|:=)\s?[\w.]+\(|\s*(?:self|torch|np|F|nn)\.\w"
    r"|[^\u3400-\u9fff]*(?:[;{\\]|\)\s*,?)\s*$",
)
_CALLS = re.compile(r"[A-Za-z_][\w.]*(?:\[[^\]]*\])?\s?(?:[-+*/]?=(?!=)|\()|[A-Za-z]\w*[._]\w+")
_FORMULA = re.compile(r"\s*(?:\$\$.*|\\\[.*|\\begin\{.*|\$[^$]+\$[.,，。]?\s*$)")
_ROW = re.compile(r"\s*\|.*\|\s*$")


@dataclass(frozen=True)
class Part:
    kind: Kind
    text: str


@lru_cache(maxsize=64)
def parts(message: str) -> tuple[Part, ...]:
    """The message in order; neighbouring lines of one kind are one part."""
    lines = message.splitlines()
    kinds: list[Kind | None] = [None] * len(lines)
    for token in _markdown().parse(message):
        if token.map is None or token.level > 0:
            continue
        kind = _BLOCKS.get(token.type) or ("table" if token.type == "table_open" else None)
        if kind == "code" and token.type == "code_block":
            kind = None  # an indented line may as well be prose: it is told by what it looks like
        if kind is not None:
            kinds[slice(*token.map)] = [kind] * (token.map[1] - token.map[0])  # type: ignore[list-item]
        elif token.type == "heading_open":
            kinds[token.map[0]] = "title"
    found = tuple(_joined(lines, kinds))
    bare = len(lines) <= FEW_LINES and not any(kinds) and not any(part.kind in SAID for part in found)
    return (Part("prose", message.strip()),) if bare and message.strip() else found  # a formula alone is what is said


def said(message: str) -> str:
    """What the learner says, without what is only shown."""
    return "\n".join(part.text for part in parts(message) if part.kind in SAID)


def titles(message: str) -> frozenset[str]:
    """The lines that are headings."""
    return frozenset(line for part in parts(message) if part.kind == "title" for line in part.text.split("\n"))


def pastes(message: str) -> bool:
    """Whether there is code or a log."""
    return any(part.kind in ("code", "log") for part in parts(message))


def shows(message: str) -> bool:
    """Whether something is pasted beside what is said."""
    return any(part.kind in ("code", "log", "quotation") for part in parts(message))


def _joined(lines: list[str], kinds: list[Kind | None]) -> Iterator[Part]:
    together: list[str] = []
    last: Kind | None = None
    for number, line in enumerate(lines):
        if not line.strip():
            if together and last in SAID:
                together.append("")
            continue
        kind = kinds[number] or _looks_like(line)
        if kind == "code" and _numbers_alone(line):
            kind = "prose"  # rewards = [0, 0, 1]: data that is offered
        if number == 0 and kind == "prose" and len(lines) > 1 and _is_title(line):
            kind = "title"
        if kind != last and together and last is not None:
            yield Part(last, "\n".join(together).strip())
            together = []
        together.append(_plain(line) if kind in SAID else line)
        last = kind
    if together and last is not None:
        yield Part(last, "\n".join(together).strip())


_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d{1,2}[.)、]\s*(?=\D))")
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_IMAGE = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\n]{0,400}\)|https?://[^\s)，。]{1,400}|<img[^>]{0,400}>")


def _plain(line: str) -> str:
    """A line of prose without its marks, links and pictures."""
    return _IMAGE.sub(r"\1", _EMPHASIS.sub("", _HEADING.sub("", line))).strip()


def _is_title(line: str) -> bool:
    bare = line.strip()
    return len(bare) <= LONGEST_TITLE and bare[-1] not in "。.,，;；:：、!！"


_GIVES = re.compile(r"\s*[\w\u0370-\u03ff ]{1,30}\s?[=:：]\s?[\[(]?\s?[-+−]?[\d.][-+−\d.,，、;\s]*[\])]?[,，;]?\s*$")


_WORKED = re.compile(r"=\s*[-+−]?\d[\d.]*\s*[,，.。;；]?\s*$")
_CALLED = re.compile(r"[A-Za-z]\(|\.[a-z]")


def _numbers_alone(line: str) -> bool:
    """Whether a line only gives a name its number or list, or works one out: r = [0, 0, 1] · δ_0 = r_0 − V_0 = 0.3"""
    seen = line[:LONGEST_LINE]
    return _GIVES.match(seen) is not None or (_WORKED.search(seen) is not None and not _CALLED.search(seen))


def _looks_like(line: str) -> Kind:
    seen = line[:LONGEST_LINE]
    if _ROW.match(line):
        return "table"
    if _natural(seen):
        return "prose"
    if _FORMULA.match(seen):
        return "formula"
    if _LOG.match(seen):
        return "log"
    return "code" if _CODE.match(seen) or len(_CALLS.findall(seen)) >= 2 else "prose"


def _natural(line: str) -> bool:
    """Whether a line reads as a sentence: Chinese outside of comments, or enough of the small words of English."""
    if len(_CHINESE.findall(line.partition("#")[0])) >= 4 and not _LOG.match(line):
        return True
    words = [word.lower() for word in _WORD.findall(line)]
    common = sum(word in _COMMON for word in words)
    return common >= 2 and common >= len(words) / 6


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("zero", {"maxNesting": 8}).enable(
        ["fence", "code", "blockquote", "table", "html_block", "heading"]
    )
