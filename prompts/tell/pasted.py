"""A learner's own text with each checked number marked where it stands; without the marks it is the text again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.audits import Audited
from engine.claims import Checked
from engine.notation import show
from prompts.tell.ground import Grounded, strip_marks
from prompts.tell.learner_text import fenced, shielded
from prompts.tell.markdown import folded
from prompts.tell.sections import PASTED, Section
from prompts.tell.words import word

RIGHT, WRONG, OPEN = "✓", "✗", "?"
CLASSES = {RIGHT: "right", WRONG: "wrong", OPEN: "open"}
SHORT = 12  # lines that are shown whole
_NUMERAL = re.compile(r"(?:[-+−–‐‑‒﹣－＋] ?)?(?:\d+(?:[.．]\d*)?|[.．]\d+)(?:[eE][-+]?\d+)?(?:/\d+)?(?: ?[%％])?")
_ROW = re.compile(r"[^\S\n]*\|.*\|[^\S\n]*")
_RULE = re.compile(r"[^\S\n]*\|(?:[^\S\n]*:?-+:?[^\S\n]*\|)+[^\S\n]*")


@dataclass(frozen=True)
class Piece:
    """Some of the text as it was typed; and behind a number what was found of it."""

    text: str
    sign: str = ""
    correct: str = ""

    @property
    def mark(self) -> str:
        return f" {self.sign} → {self.correct}" if self.correct else f" {self.sign}" if self.sign else ""


Line = tuple[Piece, ...]


def pieces(text: str, found: Audited) -> tuple[Piece, ...]:
    """The text, cut behind every number that was looked at."""
    signs = {x.place: (RIGHT, "") if x.right else (WRONG, _due(x)) for x in found.checked}
    signs |= {place: (OPEN, "") for place in found.undetermined if place not in signs}
    made, done = [], 0
    for place, sign in sorted((place, sign) for place, sign in signs.items() if place is not None and place >= 0):
        number = _NUMERAL.match(text, place)
        if number is not None and place >= done:
            made.append(Piece(text[done : number.end()], *sign))
            done = number.end()
    return (*made, Piece(text[done:]))


def _due(x: Checked) -> str:
    """What a number should be, at its own digits where these tell the two apart."""
    if x.correct is None:
        return ""
    own = f"{float(x.correct):.{x.decimals}f}"
    return own if own != x.shown else show(x.correct).text


def lines(made: Sequence[Piece]) -> list[Line]:
    """The same, line by line."""
    found: list[list[Piece]] = [[]]
    for piece in made:
        *whole, last = piece.text.split("\n")
        for text in whole:
            found[-1].append(Piece(text))
            found.append([])
        found[-1].append(Piece(last, piece.sign, piece.correct))
    return [tuple(line) for line in found]


def sections(text: str, found: Audited | None, language: str) -> tuple[Section, ...]:
    """The section of a page that shows it, where there is any."""
    shown = marked(text, found, language) if found is not None and text else ""
    if found is None or not shown:
        return ()
    return (Section(PASTED, language, shown, dressed=marked(text, found, language, dressed=True)),)


def marked(text: str, found: Audited, language: str, *, dressed: bool = False) -> Grounded:
    """The whole text; of a long one the wrong lines first, and all of it behind a name. Nothing where nothing of it
    has a place. dressed: for the browser, which colours the signs."""
    every = lines(pieces(strip_marks(text), found))
    signs = {piece.sign for line in every for piece in line if piece.sign}
    if not signs:
        return Grounded("")
    legend = word(language, "pasted", "comma").join(word(language, "pasted", CLASSES[x]) for x in CLASSES if x in signs)
    wrong = [line for line in every if any(piece.sign == WRONG for piece in line)]
    whole = "\n\n".join(_blocks(every, dressed=dressed))
    if len(every) > SHORT and wrong:
        whole = f"{_as_typed(wrong, dressed=dressed)}\n\n{folded(word(language, 'pasted', 'whole'), whole)}"
    return Grounded(f"{legend}\n\n{whole}")


def _blocks(every: Sequence[Line], *, dressed: bool) -> Iterator[str]:
    """A table stays a table, all else keeps its blanks and its line ends."""
    tabled = _tabled(["".join(piece.text for piece in line) for line in every])
    for is_table, run in groupby(zip(tabled, every, strict=True), key=lambda pair: pair[0]):
        some = [line for _, line in run]
        if is_table:
            yield "\n".join(_row(line, dressed=dressed) for line in some)
        elif any(piece.text.strip() for line in some for piece in line):
            yield _as_typed(some, dressed=dressed)


def _tabled(typed: Sequence[str]) -> list[bool]:
    """Which lines are rows of a table in Markdown: of one width, its rule below the first."""
    found = [False] * len(typed)
    for i in range(1, len(typed)):
        width = typed[i].count("|")
        if not _RULE.fullmatch(typed[i]) or not _ROW.fullmatch(typed[i - 1]) or typed[i - 1].count("|") != width:
            continue
        k = i - 1
        while k < len(typed) and _ROW.fullmatch(typed[k]) and typed[k].count("|") == width:
            found[k] = True
            k += 1
    return found


def _row(line: Line, *, dressed: bool) -> str:
    if len(line) == 1 and _RULE.fullmatch(line[0].text):
        return line[0].text
    cells = ("|".join(map(shielded, piece.text.split("|"))) for piece in line)
    sign = _dressed if dressed else _plain
    return "".join(text + sign(piece) for text, piece in zip(cells, line, strict=True))


def _as_typed(some: Sequence[Line], *, dressed: bool) -> str:
    """Signs take the place of blanks where there are several: columns stay under one another."""
    shield, sign = (shielded, _dressed) if dressed else (fenced, _plain)
    inside = "\n".join("".join(shield(text) + sign(x) for text, x in _closed_up(line)) for line in some).strip("\n")
    return f'<pre class="pasted">{inside}\n</pre>' if dressed else f"```text\n{inside}\n```"


def _closed_up(line: Line) -> Iterator[tuple[str, Piece]]:
    """The pieces of a line, each without the blanks that the sign before it takes."""
    owed = 0
    for piece in line:
        blanks = len(piece.text) - len(piece.text.lstrip(" "))
        taken = min(owed, max(blanks - 1, 0))
        yield piece.text[taken:], piece
        owed = len(piece.mark) + (owed - taken if blanks == len(piece.text) else 0)


def _plain(piece: Piece) -> str:
    return piece.mark


def _dressed(piece: Piece) -> str:
    return f'<span class="{CLASSES[piece.sign]}">{piece.mark}</span>' if piece.sign else ""
