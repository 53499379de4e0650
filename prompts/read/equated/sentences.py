"""What equates two noun phrases in a sentence, and under which conditions: a cascade of rules on its letters.

N a noun phrase · E is, equals, gives · F differs from · a the same · d different · m makes · q what · z adds up to
P M X D plus, minus, times, over · K … f, K … o subtract from, take off · j … t, J add to · g, h the difference of, 之差
S s the sum of, 之和 · W w the discounted sum · y Y the (γλ)-decayed sum · v discounted · A all of · u later · U from t
L I x p the last, the first, the next, the previous one of · l i on the last, on the first token · 1 on a single one
~ not · ! always · ? sometimes · % only · C by definition · B but · & and · c comma
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import equalities, terms
from prompts.read.equated import nouns
from prompts.read.equated.cutting import Piece
from prompts.read.equated.nouns import Noun

_FLAGS = "~!?%$#0Cli1"
_MOST = 60  # steps
_CHAIN = 3  # sides


class Sides(NamedTuple):
    """The noun phrases that are equated in a row, and what is said around them."""

    sides: tuple[Noun, ...]
    differ: bool
    flags: str  # in the order of the sentence
    shape: str


Made = Noun | None
Rule = tuple[re.Pattern[str], Callable[[Sequence[Noun]], Made]]


def _rule(pattern: str, make: Callable[..., Made]) -> Rule:
    return re.compile(pattern), lambda found: make(*found)


def _same(left: Noun, right: Noun) -> Made:
    """Where a step is named, or put in brackets, and is what it is called: … 得到 G, 再减去 V."""
    found = [(a, b) for a in left for b in right if equalities.same_everywhere(a.term, b.term)]
    return tuple(b for _, b in found)


_RULES: tuple[Rule, ...] = (
    _rule(r"\(N\)", lambda n: n),
    _rule(r"N\(E?N\)|NENc(?=MN)", _same),
    _rule(r"AN", nouns.some_of(nouns.ALL)),
    _rule(r"LN", lambda n: nouns.moved(n, "T-1")),
    _rule(r"IN", lambda n: nouns.moved(n, "0")),
    _rule(r"vxN", lambda n: nouns.discounted(nouns.moved(n, "t+1"))),
    _rule(r"xN", nouns.next_one),
    _rule(r"pN", lambda n: nouns.moved(n, "t-1")),
    _rule(r"[uU]N|NU(?=s|w)|(?<=[SWy])NU", nouns.some_of(nouns.LATER)),
    _rule(r"vN(?=z)", nouns.discounted_sum),
    _rule(r"SN&N(?![as])", lambda a, b: nouns.joined(a, b, terms.plus)),
    _rule(r"N&Ns(?![ad])", lambda a, b: nouns.joined(a, b, terms.plus)),
    _rule(r"SN|Ns", nouns.summed),
    _rule(r"WN|Nw", nouns.discounted_sum),
    _rule(r"yN|NY", lambda n: nouns.discounted_sum(n, ("gamma", "lam"))),
    _rule(r"NXN", lambda a, b: nouns.joined(a, b, terms.times)),
    _rule(r"NDN", lambda a, b: nouns.joined(a, b, terms.over)),
    _rule(r"KNfN|KNoN|NfNn?M(?!N)", lambda a, b: nouns.joined(b, a, terms.minus)),
    _rule(r"fNn?MN", lambda a, b: nouns.joined(a, b, terms.minus)),
    _rule(r"jNtN|NJN", lambda a, b: nouns.joined(b, a, terms.plus)),
    _rule(r"NMN", lambda a, b: nouns.joined(a, b, terms.minus)),
    _rule(r"NPN", lambda a, b: nouns.joined(a, b, terms.plus)),
    _rule(r"gN&N|N&Nh", lambda a, b: nouns.joined(a, b, terms.minus)),
)
_INSTEAD = re.compile(r"[^E~]*(?:~E|E~)[^E~]*[EB][^E~]*")  # it is not this, it is that
_MEETS = re.compile(
    r"(?P<both>N&Nb)|(?P<equal>E?N(?:EN)+|EN&NE?|ENN|NEqNE|qNE+N|mNE?N)|(?P<alike>E?N&NE?a)"
    r"|(?P<instead>NENBN)|(?P<differ>E?NFN|E?N&NE?d)|(?P<adds>E?NzN)|(?P<setting>[Ee]N)"
)


def sides(pieces: Sequence[Piece]) -> Sides | None:
    letters, found, flags = _letters(pieces)
    raw = "".join(piece.letters for piece in pieces)
    for _ in range(_MOST):
        for pattern, make in _RULES:
            match = pattern.search(letters)
            if match is None:
                continue
            start, end = (letters.count("N", 0, at) for at in match.span())
            made = make(found[start:end])
            if not made:
                return None
            found[start:end] = [made]
            letters = letters[: match.start()] + "N" + letters[match.end() :]
            break
        else:
            return _met(letters, found, flags, _INSTEAD.fullmatch(raw) is not None)
    return None


def _letters(pieces: Sequence[Piece]) -> tuple[str, list[Noun], str]:
    pieces = _called(pieces)
    letters = "".join(piece.letters for piece in pieces)
    flags = "".join(letter for letter in letters if letter in _FLAGS)
    letters = "".join(letter for letter in letters if letter not in _FLAGS)
    letters = re.sub(r"&?c+&?|c&", "c", letters).strip("c&")
    letters = re.sub(r"^([^E]*?)c(?=[PMXD])", r"\1", letters)
    return letters, [piece.noun for piece in pieces if piece.noun], flags


def _again(before: Noun, noun: Noun) -> bool:
    """Whether one thing is called by two names: 优势的定义是 A = …"""
    return any(a.term.latex == b.term.latex for a in before for b in noun)


def _added(noun: Noun) -> bool:
    return all(one.summed or r"\sum" in one.term.latex for one in noun)


def _called(pieces: Sequence[Piece]) -> list[Piece]:
    """With one noun where two names of one quantity follow each other: 优势 A_t."""
    found: list[Piece] = []
    close = False  # whether nothing but a space stands between them
    for piece in pieces:
        before = found[-1].noun if found and piece.noun else ()
        same = nouns.called(before, piece.noun)
        if before and close and nouns.of_rate(before):
            same = nouns.joined(before, piece.noun, terms.times)
        if piece.letters:
            found = [*found[:-1], piece._replace(noun=same)] if same else [*found, piece]
        close = bool(piece.letters) or (close and piece.word == " ")
    return found


def _met(letters: str, found: Sequence[Noun], flags: str, instead: bool) -> Sides | None:
    paused = "c" in letters
    letters = re.sub(r"E{2,}", "E", re.sub(r"c+(?=E|$)", "", letters)).replace("c", "")
    asks = len(found) > 1 and not (letters.startswith("E") and paused)
    letters = re.sub(r"^[Ee](?=.*[EFadz])", "", letters) if asks else letters
    match = _MEETS.fullmatch(letters)
    if match is None or any(reading.part for noun in found for reading in noun):
        return None
    if match["adds"] or match["both"]:
        totals = tuple(noun if _added(noun) else nouns.summed(noun) for noun in (found if match["both"] else found[:1]))
        both = (*totals, *found[len(totals) :])
        return Sides(both, False, flags, match.lastgroup or "") if all(both) else None
    found = [noun for i, noun in enumerate(found) if i == 0 or len(found) < _CHAIN or not _again(found[i - 1], noun)]
    if len(found) > _CHAIN:
        return None
    if (match["instead"] and len(found) > 2) or (len(found) > 2 and "~" in flags):
        rest = flags.replace("~", "", 1)
        return Sides((found[0], found[2]), False, rest, "instead") if instead and len(found) == 3 else None
    return Sides(tuple(found), match["differ"] is not None, flags, match.lastgroup or "")
