"""What a message asks to be solved for: "which λ gives A_0 = 0.5" has an unknown, a goal, and other numbers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from engine.audits import decimals
from engine.solving import FACTS, LISTS, UNKNOWNS, Goal, Unknown
from engine.spans import Relation
from prompts.read.characters import clean
from prompts.read.numbers import read_numbers
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan
from prompts.read.numbers.whereabouts import ordinal

LONGEST = 400  # characters of a message that asks for an unknown
RATES = ("gamma", "lam")
_S = re.compile(r"'s\b")
_BEFORE = re.compile(
    r"(?:第 ?[\d一二三四五六七八九十]+ ?(?:个|步|位)|最后(?:一个|一步)?|末尾|结尾"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|final|\d+(?:st|nd|rd|th))\b)"
    r" ?(?:token|词元|步)? ?的? ?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(r" ?(?:at|in) the (?:very )?end\b", re.IGNORECASE)
_MARK = re.compile(r"‹(?P<kind>[uqn])(?P<place>\d+)›")


@dataclass(frozen=True)
class Sought:
    unknowns: tuple[Unknown, ...]  # one, or γ and λ
    goals: tuple[Goal, ...]
    rest: str  # the message without its goals: the numbers in it are given
    stated: tuple[float, ...] = ()  # the advantages that are to be met, where it is a whole list


@dataclass(frozen=True)
class _Sketch:
    """A message with marks in the place of its quantities and numbers."""

    text: str
    marks: Sequence[tuple[str, Token, int | None]]  # the words that each stands for, its token, the index

    def of(self, mark: str) -> tuple[str, Token, int | None]:
        return self.marks[int(mark.strip("‹›uqn"))]

    def plain(self, text: str) -> str:
        """The words again."""
        return _MARK.sub(lambda mark: self.marks[int(mark["place"])][0], text)


def sought(message: str) -> Sought | None:
    """The unknown and its goals; None where nothing is to be solved for."""
    if len(message) > LONGEST or "‹" in message:
        return None
    sketch = _sketched(_S.sub(" ", clean(message)))
    rest, goals = sketch.text, []
    for found in _goals().finditer(sketch.text):
        goal = _goal(found, sketch)
        if goal is not None:
            goals.append(goal)
            rest = rest.replace(found[0], " G ", 1)
    marks = next(_asked_for(rest), None)
    if marks is None:
        return None
    unknowns = tuple(Unknown(token.sense.meaning, index) for _, token, index in map(sketch.of, marks) if token.sense)
    whole = () if goals else _whole_list(message)
    if whole:
        shown = decimals(list(whole))
        goals = [Goal("advantages", "=", Fraction(str(x)), t, shown) for t, x in enumerate(whole)]
    several = len(unknowns) > 1
    if not goals or (several and (not whole or {one.name for one in unknowns} != {*RATES})):
        return None
    words = re.sub(r" ?\bG\b ?", " ", rest) if not whole else rest
    return Sought(unknowns, tuple(dict.fromkeys(goals)), sketch.plain(words), whole if several else ())


def _asked_for(rest: str) -> Iterator[list[str]]:
    """The marks of what is asked for: of one parameter or number, or of two parameters side by side."""
    for frame in _frames():
        for found in frame.finditer(rest):
            yield [mark[0] for mark in _MARK.finditer(found["unknown"])]


def _whole_list(message: str) -> tuple[float, ...]:
    """Advantages that are stated as a list."""
    read = read_numbers(message)
    stated = {**read.params, **read.claimed}.get("advantages")
    numbers = stated if isinstance(stated, list | tuple) else ()
    return tuple(float(x) for x in numbers) if all(isinstance(x, int | float) for x in numbers) else ()


# ---------------------------------------------------------------- the message as a sketch


def _sketched(text: str) -> _Sketch:
    marks: list[tuple[str, Token, int | None]] = []
    parts: list[str] = []
    at = 0
    for token in scan(text):
        start, end, kind, index = token.start, token.end, _kind(token), _index(token)
        if kind == "q" and index is None:
            before, behind = _BEFORE.search(text[at:start]), _BEHIND.match(text, end)
            if before is not None:
                start, index = at + before.start(), ordinal(before[0])
            elif behind is not None:
                end, index = behind.end(), -1
        if kind is None or (kind == "q" and index is None) or start < at:
            continue
        parts += [text[at:start], f"‹{kind}{len(marks)}›"]
        marks.append((text[start:end], token, index))
        at = end
    return _Sketch("".join(parts) + text[at:], marks)


def _kind(token: Token) -> str | None:
    """u: one number that can be asked for; q: one of a list; n: a number."""
    if token.kind == "number":
        return "n"
    meaning = token.sense.meaning if token.kind == "name" and token.sense is not None else ""
    if meaning in (*LISTS, *UNKNOWNS) and meaning not in (*RATES, "beta"):
        return "q"
    return "u" if meaning in (*UNKNOWNS, *FACTS) else None


def _index(token: Token) -> int | None:
    return token.subscript if isinstance(token.subscript, int) else None


def _goal(found: re.Match[str], sketch: _Sketch) -> Goal | None:
    _, token, index = sketch.of(found["what"])
    fact = token.sense.meaning if token.sense is not None else ""
    if fact not in FACTS:
        return None
    if found["number"] is None:
        relation = next(sign for sign in _read()["signs"] if found[_group("sign", sign)])
        return Goal(fact, _relation(relation), Fraction(0), index)
    relation = next((one for one in _read()["relations"] if found[_group("is", one)]), "=")
    words, number, _ = sketch.of(found["number"])
    shown = len(words.rstrip("% ").partition(".")[2]) if "e" not in words.lower() else 0
    value = Fraction(repr(number.value)) if number.value is not None else Fraction(0)
    return Goal(fact, _relation(relation), value, index, shown + 2 * words.endswith("%"))


def _relation(sign: str) -> Relation:
    relations: tuple[Relation, ...] = ("=", "<", "<=", ">", ">=")
    return next(one for one in relations if one == sign)


# ---------------------------------------------------------------- the patterns


@cache
def _read() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _group(kind: str, sign: str) -> str:
    return kind + {"=": "0", "<": "1", "<=": "2", ">": "3", ">=": "4"}[sign]


def _named(kind: str, table: dict[str, str]) -> str:
    return "|".join(f"(?P<{_group(kind, sign)}>{words})" for sign, words in table.items())


@cache
def _goals() -> re.Pattern[str]:
    """A computed number, and what it is to be."""
    fill = rf"(?:\s|{_read()['between']['words']})*"
    return re.compile(
        rf"(?P<what>‹[uq]\d+›){fill}(?:(?:{_named('is', _read()['relations'])})?{fill}(?P<number>‹n\d+›)"
        rf"|(?:{_named('sign', _read()['signs'])}))",
        re.IGNORECASE,
    )


@cache
def _frames() -> tuple[re.Pattern[str], ...]:
    one = r"‹[uq]\d+›"
    unknown = (
        rf"[(（]?(?P<unknown>{one}(?:(?:\s|,|，|、|and\b|&|和|与|/|\+)+{one})?)[)）]?(?!\s*(?:=|:|is|为|是|取)?\s*‹n)"
    )
    asks = _read()["asks"]
    return tuple(
        re.compile(frame.replace(" ", r"\s*").replace("{G}", r"\bG\b").replace("{U}", unknown), re.IGNORECASE)
        for frame in (*asks["before"], *asks["after"])
    )
