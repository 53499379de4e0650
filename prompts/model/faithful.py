"""What a re-telling may not do to a page: bring in numbers or formulas, change or drop them, break what is whole."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from prompts.model.numerals import numerals
from prompts.model.parts import parts
from prompts.tell.paragraphs import whole


class Objection(NamedTuple):
    """What is wrong with a re-telling: the kind, what it brought in and what it lost."""

    kind: str
    new: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def objections(page: str, told: str, language: str) -> tuple[Objection, ...]:
    """Everything against showing `told` in the place of `page`; nothing if it may be shown.

    Numbers in figures and formulas must be the page's, each as often. A number in words must be one of the page's; the
    page's own numbers in words may be left out. Code and tables are kept as they are or left out.
    """
    was, now = parts(page), parts(told)
    written, told_numbers = numerals(was.prose), numerals(now.prose)
    have, known = told_numbers.figures + told_numbers.words, written.figures + written.words
    found = [
        _compared("numerals", new=have - known, lost=written.figures - have),
        _compared("formulas", new=now.formulas - was.formulas, lost=was.formulas - now.formulas),
        _compared("operators", new=now.operators - was.operators),
        _compared("code", new=now.code - was.code),
        _compared("tables", new=now.tables - was.tables),
        _compared("markup", new=now.markup - was.markup),
        _compared("characters", new=_invisible(told) - _invisible(page)),
    ]
    if not whole(told):
        found.append(Objection("open"))
    if _main_language(now.prose) != language:
        found.append(Objection("language"))
    return tuple(objection for objection in found if objection)


def _main_language(prose: str) -> str | None:
    """The language that most of it is in: a page in one language may quote the other."""
    chinese, words = len(re.findall(r"[\u3400-\u9fff]", prose)), len(re.findall(r"[A-Za-z]{2,}", prose))
    return ("zh" if chinese > words else "en") if chinese or words else None


def _compared(kind: str, new: Counter[str], lost: Counter[str] | None = None) -> Objection | None:
    lost = lost or Counter()
    return Objection(kind, tuple(sorted(new.elements())), tuple(sorted(lost.elements()))) if new or lost else None


def _invisible(text: str) -> Counter[str]:
    """Control, direction and private-use characters."""
    return Counter(c for c in text if unicodedata.category(c)[0] == "C" and c not in "\n\t")
