"""What a re-telling may not do to a page: bring in numbers or formulas, change or drop them, break what is whole."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from prompts.model.numerals import numerals
from prompts.model.parts import MARKUP, Parts, parts
from prompts.tell.paragraphs import whole


class Objection(NamedTuple):
    """What is wrong with a re-telling: the kind, what it brought in and what it lost."""

    kind: str
    new: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


def objections(page: str, told: str, language: str) -> tuple[Objection, ...]:
    """Everything against showing `told` in the place of `page`; nothing if it may be shown.

    Numbers in figures and formulas must be the page's, all of them, in its order: numbers that change places change
    what is said. A number in words must stand on the page in words too, and may be left out. Code and tables are kept
    as they are or left out.
    """
    was, now = parts(page), parts(told)
    written, have = numerals(was.prose), numerals(now.prose)
    figures, kept = Counter(have.figures), Counter(written.figures)
    found = [
        _compared("numerals", new=figures - kept, lost=kept - figures),
        _compared("words", new=have.words - written.words),
        _compared("formulas", new=now.formulas - was.formulas, lost=was.formulas - now.formulas),
        _compared("operators", new=now.operators - was.operators),
        _compared("code", new=now.code - was.code),
        _compared("tables", new=now.tables - was.tables),
        _compared("markup", new=now.markup - was.markup),
        _compared("characters", new=_invisible(told) - _invisible(page)),
    ]
    if _order(now) != _order(was):
        found.append(Objection("order"))
    if not whole(told):
        found.append(Objection("open"))
    if _main_language(now.prose) != language:
        found.append(Objection("language"))
    return tuple(objection for objection in found if objection)


def _order(of: Parts) -> list[str]:
    """Numbers in figures and formulas, one after the other."""
    found: list[str] = []
    for i, stretch in enumerate(of.stretches):
        found += [stretch.strip()] if i % 2 else numerals(_without_tags(stretch)).figures
    return found


def _without_tags(stretch: str) -> str:
    return html.unescape(MARKUP.sub(" ", stretch))


def _main_language(prose: str) -> str | None:
    """The language that most of it is in: a page in one language may quote the other."""
    chinese, words = len(re.findall(r"[\u3400-\u9fff]", prose)), len(re.findall(r"[A-Za-z]{2,}", prose))
    return ("zh" if chinese > words else "en") if chinese or words else None


def _compared(kind: str, new: Counter[str], lost: Counter[str] | None = None) -> Objection | None:
    lost = lost or Counter()
    return Objection(kind, tuple(sorted(new.elements())), tuple(sorted(lost.elements()))) if new or lost else None


def _invisible(text: str) -> Counter[str]:
    """Control, direction and private-use characters, and marks that change the one before."""
    return Counter(c for c in text if unicodedata.category(c)[0] in "CM" and c not in "\n\t")
