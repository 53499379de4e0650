"""What turns a statement round: negation, rhetorical form, the ends of scales, numbers. In both languages."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from prompts.read.mark import Mark
from prompts.read.normalise import normalise

_FILE = Path(__file__).with_name("polarity.toml")
_FRAMES_DEEP = 4  # frames within frames that are taken off
_PARAMETERS = {
    "λ": "λ",
    "lambda": "λ",
    "lam": "λ",
    "γ": "γ",
    "gamma": "γ",
    "β": "β",
    "beta": "β",
    "ε": "ε",
    "epsilon": "ε",
    "eps": "ε",
    "ratio": "ρ",
    "比值": "ρ",
    "n": "n",
}
_AMOUNTS = {
    "零": "0",
    "一": "1",
    "一半": "0.5",
    "zero": "0",
    "one": "1",
    "half": "0.5",
    "one half": "0.5",
    "a half": "0.5",
    "½": "0.5",
    "1/2": "0.5",
}
_NUMBER = r"\d+(?:\.\d+)?"
_SURELY = re.compile(r"(难道(?:说)?[^,，。?？不没]{1,24}?)(?:不(?![过断同管])|没有?)(?=.*[吗么?？])")  # yes is expected
_WORD = re.compile(r"[A-Za-z]{2,}")
_NUMBERED = re.compile(r"([VrRAGQδρ])_(\d)")
_PARTICLES = re.compile(r"(?:(?<![什怎那])[吗么嘛吧呢啊呀][\s?？。!]*|[\s?？。.!]+)$")
_SETTING = re.compile(
    rf"(λ|lambda|lam|γ|gamma|β|beta|ε|epsilon|eps|ratio|比值|\bn)[a-z_]*\s*"
    rf"(?:=+|is|was|at|of|equals?|set to|to|为|取|是|等于|设为|设成|调到|取成|"
    rf"([<>≤≥]=?|below|above|小于|大于|less than|greater than))?\s*"
    rf"({_NUMBER}|one half|a half|zero|one|half|一半|零|一)"
)
_NUMERAL = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w.]*\w)|(?<=[=^_{{(−-]){_NUMBER}")
_RELATIONS = {
    None: "=",
    "<": "<",
    "≤": "<",
    "<=": "<",
    ">": ">",
    "≥": ">",
    ">=": ">",
    "below": "<",
    "above": ">",
    "小于": "<",
    "大于": ">",
    "less than": "<",
    "greater than": ">",
}
_SHIFTED = re.compile(r"([tTn])\s*([+-])\s*1|(?<![a-z])(tp1|next|下一个?|后一个?)(?![a-z])")


class Said(NamedTuple):
    """A statement apart: the words without what turns them, and what turns them."""

    core: str  # without frames: "I think …, right?"
    stated: str  # and without what it is set against: "…, not …"; indices as they are
    contrasted: bool
    denials: int  # how often the whole of it is called wrong
    neutral: str  # and without negators
    negated: bool
    ends: tuple[int, ...]  # for each scale: 1 one end, -1 the other, 0 neither or both
    settings: frozenset[tuple[str, str, str]]  # λ is 0
    numerals: frozenset[str]
    shifts: frozenset[str]  # t+1, t-1
    parts: tuple[bool, bool]  # whether the first part of the sentence is negated, and the last


@cache
def _lexicon() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: re.compile("|".join(_numbered(patterns)), re.IGNORECASE)
        for name, patterns in table.items()
        if name != "axes"
    }


def _numbered(patterns: list[str]) -> list[str]:
    """The patterns with their back-references shifted to where their groups end up."""
    found, groups = [], 0
    for pattern in patterns:
        found.append(_shifted(pattern, groups))
        groups += re.compile(pattern.replace("\\1", "")).groups
    return found


def _shifted(pattern: str, groups: int) -> str:
    return re.sub(r"\\(\d)", lambda m: f"\\{int(m[1]) + groups}", pattern)


@cache
def _axes() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))["axes"]
    return tuple((_words(one), _words(other)) for one, other in table.values())


def _words(pattern: str) -> re.Pattern[str]:
    """Alternatives; one that begins with a letter begins a word."""
    return re.compile("|".join(rf"\b{p}" if re.match(r"[a-z]", p) else p for p in _alternatives(pattern)))


def _alternatives(pattern: str) -> list[str]:
    """Split at bars that stand in no bracket."""
    parts, depth = [""], 0
    for character in pattern:
        depth += (character in "([") - (character in ")]")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


AXES = len(tomllib.loads(_FILE.read_text(encoding="utf-8"))["axes"])


def _spelt(text: str) -> str:
    """Formulas in one spelling, words in small letters; single letters keep their size, as R and r are two things."""
    small = _WORD.sub(lambda word: word.group().lower(), normalise(text))
    return small.replace("’", "'").strip()


def _any_index(text: str) -> str:
    """V_0 and r_0 stand for V_t and r_t, where no other index is mentioned."""
    numbered = set(_NUMBERED.findall(text))
    return _NUMBERED.sub(r"\1_t", text) if len(numbered) > 1 and len({index for _, index in numbered}) == 1 else text


@lru_cache(maxsize=256)
def said(text: str) -> Said:
    """The statement of a text."""
    lexicon = _lexicon()
    core, denied = _spelt(text), 0
    for _ in range(_FRAMES_DEEP):
        core, n = lexicon["denials"].subn(" ", core)
        denied += n
        shorter = lexicon["frames"].sub(" ", core).strip()
        if shorter == core or not shorter:
            break
        core = shorter
    core = _SURELY.sub(r"\1", core)
    core = _PARTICLES.sub("", lexicon["rhetorical"].sub(" ", core)).strip() or core
    stated = lexicon["contrasts"].sub(" ", core).strip() or core
    denying = lexicon["innocent"].sub(_kept, stated)
    neutral, negations = lexicon["negators"].subn(" ", denying)
    plain = neutral.translate(_BACK)
    return Said(
        core=_any_index(core),
        stated=stated,
        contrasted=stated != core,
        denials=denied,
        neutral=_any_index(" ".join(plain.split())),
        negated=(denied + negations) % 2 == 1,
        ends=tuple(_end(one, other, denying) for one, other in _axes()),
        settings=frozenset(map(_set_to, _SETTING.finditer(plain))),
        numerals=frozenset(_NUMERAL.findall(plain)),
        parts=_parts(denying, lexicon["negators"]),
        shifts=frozenset(map(_shift, _SHIFTED.finditer(plain))),
    )


def turning_marks(core: str) -> list[Mark]:
    """Where the words stand that turn a statement: negators, ends of scales, settings, shifts."""
    found = [Mark(*m.span(), " ".join(_set_to(m))) for m in _SETTING.finditer(core)]
    found += [Mark(*m.span(), "not") for m in _lexicon()["negators"].finditer(core)]
    found += [Mark(*m.span(), _shift(m)) for m in _SHIFTED.finditer(core)]
    for number, (one, other) in enumerate(_axes()):
        found += [Mark(*m.span(), f"{number}+") for m in one.finditer(core)]
        found += [Mark(*m.span(), f"{number}-") for m in other.finditer(core)]
    return found


def _set_to(found: re.Match[str]) -> tuple[str, str, str]:
    return _PARAMETERS[found[1]], _RELATIONS[found[2]], _AMOUNTS.get(found[3], found[3])


def _shift(found: re.Match[str]) -> str:
    return found[1].lower() + found[2] if found[1] else "t+"


def _parts(text: str, negators: re.Pattern[str]) -> tuple[bool, bool]:
    parts = [part for part in _BETWEEN.split(text) if part.strip()] or [text]
    return len(negators.findall(parts[0])) % 2 == 1, len(negators.findall(parts[-1])) % 2 == 1


_BETWEEN = re.compile(r"[,，;；:：]|\b(?:because|since|so|but|whereas|while|although)\b|因为|所以|因此|而是|但")
_HIDDEN = str.maketrans("不没无未非别否只仅", "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007\ue008")
_ENGLISH = re.compile(r"\b(no|not|only|just|merely|solely|without)\b|(?<=n)('t)\b")
_BACK = {after: before for before, after in _HIDDEN.items()}


def _kept(found: re.Match[str]) -> str:
    """Characters that negate elsewhere, put where no negator finds them."""
    return _ENGLISH.sub(lambda m: m[0][0] + "\u2060" + m[0][1:], found.group()).translate(_HIDDEN)


def _end(one: re.Pattern[str], other: re.Pattern[str], text: str) -> int:
    return bool(one.search(text)) - bool(other.search(text))
