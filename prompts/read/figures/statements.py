"""Pieces to statements: of what, in which relation, to which number; clause by clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from prompts.read.figures.figure import ZERO, Figure
from prompts.read.figures.pieces import Piece

PARAMETERS = ("gamma", "lam", "beta", "eps", "eps_low", "eps_high", "cliprange_value")
_RELATIONS = {"more": ">", "less": "<", "positive": ">", "negative": "<"}
_ASIDE = ("count", "tag", "break", "wrong")


@dataclass(frozen=True)
class Subject:
    """What is spoken of: a name, which tokens of it, and what of several."""

    name: str
    at: tuple[int, ...] = ()  # as counted off, from 0; from the end where negative
    index: int | None = None  # as it is written
    how: str = ""  # sum, mean, largest, smallest, every


@dataclass(frozen=True)
class Stated:
    """relation: =, > or <, to a figure, to a list or to another subject; or ?, which asks what it is."""

    subject: Subject
    relation: str = "="
    figure: Figure | None = None
    row: tuple[Fraction, ...] = ()
    other: Subject | None = None
    denied: bool = False


def statements(pieces: Sequence[Piece]) -> list[Stated] | None:
    """None where a clause says something that is not understood."""
    found: list[Stated] = []
    before: Subject | None = None
    for clause in _clauses(pieces):
        stated = _stated(clause, before)
        if stated is None:
            return None
        found += stated
        names = [piece for piece in clause if piece.kind == "name" and piece.name not in PARAMETERS]
        before = found[-1].subject if stated else _subject(clause, names[-1], before) if names else before
    return found


def _clauses(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Without what is only set against what is said: 0.58, not 0.5; not 0.5 but 0.58."""
    clause: list[Piece] = []
    skips = False
    for piece in pieces:
        if piece.kind == "but" and [p.kind for p in clause[-2:]] == ["not", "figure"]:
            clause = clause[:-2]
        elif piece.kind == "instead":
            skips = True
        elif piece.kind == "break":
            if [p.kind for p in clause] == ["name"] and piece.text in "?？":
                clause.append(Piece("ask", piece.text))  # γ = 1, …, δ_0?
            if clause:
                yield clause
            clause, skips = [], False
        elif not skips:
            clause.append(piece)
    if clause:
        yield clause


def _subject(clause: Sequence[Piece], piece: Piece, before: Subject | None) -> Subject:
    places = [p.at for p in clause if p.kind == "place"]
    how = next((p.kind for p in clause if p.kind in ("sum", "mean", "largest", "smallest", "every")), "")
    name = piece.name or (before.name if before is not None else "")
    return Subject(name, places[0] if places else (), piece.subscript, how)


def _stated(clause: Sequence[Piece], before: Subject | None) -> list[Stated] | None:
    kinds = [piece.kind for piece in clause if piece.kind not in _ASIDE]
    says = {"figure", "list", "zero", "positive", "negative", "bigger", "smaller", "more", "less", "ask"} & {*kinds}
    if not says:
        return []
    values = [p for p in clause if p.kind in ("figure", "list", "zero")]
    names = [p for p in clause if p.kind == "name"]
    if "ask" in kinds:
        return _asked(clause)
    if "than" in kinds or "more" in kinds or "less" in kinds:
        return _compared(clause, before)
    if len(values) > 1 or len(names) > 1:
        return _in_a_row(clause, before)
    subject = _subject(clause, names[0] if names else Piece("", ""), before)
    if not names and before is not None and not any(p.kind == "place" for p in clause):
        subject = replace(before, how=subject.how or before.how)
    if not subject.name:
        return None
    denied = kinds.count("not") % 2 == 1
    sign = next((_RELATIONS[k] for k in kinds if k in ("positive", "negative")), None)
    found = [Stated(subject, sign, ZERO, denied=denied)] if sign is not None else []
    for value in values:
        found.append(Stated(subject, "=", ZERO if value.kind == "zero" else value.figure, value.row, denied=denied))
    return found if len(found) == 1 or not denied else None


def _asked(clause: Sequence[Piece]) -> list[Stated] | None:
    """What is δ_t; r = 1, V = 0.4, A_t = ? What is asked stands right before the question or right after it."""
    ask = next(i for i, p in enumerate(clause) if p.kind == "ask")
    before, after = list(clause[:ask]), list(clause[ask + 1 :])
    names: list[Piece] = []
    while before and before[-1].kind == "name":
        names.insert(0, before.pop())
    while not before and after and after[0].kind == "name" and not (after[1:] and after[1].kind in ("equal", "figure")):
        names.append(after.pop(0))
    rest = [*before, *after]
    if not names or {p.kind for p in rest} - {"name", "figure", "equal", "zero", *_ASIDE}:
        return None
    given = _in_a_row(rest, None)
    return None if given is None else [*given, *(Stated(_subject(clause, name, None), "?") for name in names)]


def _in_a_row(clause: Sequence[Piece], before: Subject | None) -> list[Stated] | None:
    """γ = λ = 1; rewards [0, 1] V [0.3, 0.4]; A_3 = 0.2 + 0.15 = 0.35: each name with the numbers behind it."""
    found: list[Stated] = []
    parts: list[list[Piece]] = [[]]
    for piece in clause:
        done = any(p.kind in ("figure", "list", "zero") for p in parts[-1])
        linked = parts[-1] and parts[-1][-1].kind == "equal"
        if (piece.kind in ("name", "place") and done) or (piece.kind == "figure" and done and not linked):
            parts.append([])
        parts[-1].append(piece)
    for part in parts:
        names = [p for p in part if p.kind == "name"]
        values = [p for p in part if p.kind in ("figure", "list", "zero")]
        linked = len(names) == 1 or all(p.name in PARAMETERS for p in names)
        if not values:
            if any(p.kind in ("name", "not", "positive", "negative") for p in part):
                return None
            continue
        if (names and not linked) or any(p.kind in ("not", "positive", "negative") for p in part):
            return None
        for name in names or [Piece("", "")]:
            subject = _subject(part, name, before)
            if not subject.name:
                return None
            before = subject
            for value in values:
                found.append(Stated(subject, "=", ZERO if value.kind == "zero" else value.figure, value.row))
    return found


def _compared(clause: Sequence[Piece], before: Subject | None) -> list[Stated] | None:
    """A_0 > A_1; the ratio is larger than 1; the first one is above the last; 比 1 小."""
    turn = next(i for i, p in enumerate(clause) if p.kind in ("than", "more", "less"))
    left, right = clause[:turn], clause[turn + 1 :]
    word = clause[turn].kind
    if word == "than":
        size = [p.kind for p in right if p.kind in ("bigger", "smaller")]
        relation = {"bigger": ">", "smaller": "<"}.get(size[0]) if len(size) == 1 else None
    else:
        relation = _RELATIONS[word]
    values = [p for p in (*left, *right) if p.kind in ("figure", "zero")]
    names, others = ([p for p in side if p.kind == "name"] for side in (left, right))
    if relation is None or len(names) > 1 or len(others) > 1 or len(values) > 1 or any(p in left for p in values):
        return None
    denied = sum(p.kind == "not" for p in clause) % 2 == 1
    subject = _subject(left, names[0] if names else Piece("", ""), before)
    if not names and before is not None and not any(p.kind == "place" for p in left):
        subject = before
    if not subject.name:
        return None
    if values and not others:
        return [Stated(subject, relation, ZERO if values[0].kind == "zero" else values[0].figure, denied=denied)]
    if values or not (others or any(p.kind == "place" for p in right)):
        return None
    other = _subject(right, others[0] if others else Piece("", ""), subject)
    return [Stated(subject, relation, other=other, denied=denied)]
