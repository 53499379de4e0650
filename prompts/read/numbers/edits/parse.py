"""The changes that a message asks for, clause by clause, and which of its numbers belong to them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prompts.read.numbers.cues import SCALARS, says
from prompts.read.numbers.edits.clause import GATHERING, MOVING, SCALINGS, WITHOUT_NUMBER, Clause
from prompts.read.numbers.edits.correction import MEANT
from prompts.read.numbers.edits.edit import WHOLE, Edit
from prompts.read.numbers.edits.meaning import meant
from prompts.read.numbers.edits.pieces import Piece, pieces
from prompts.read.numbers.grouping import Group
from prompts.read.numbers.token import Token

LONGEST = 400  # characters of a message, lists apart, that can ask for changes
SHORT = 60  # of one that can ask for them without a word for it
_INHERITED = frozenset(["set", "put", *MOVING])
_NO_WISH = re.compile(
    r"^\W*(?:and |but |so )?(?:do|does|did|is|are|was|were|has|have|will|would|should|can|could"
    r"|how (?:do|does|is|are|can|to|many|much)|which|who|where|what (?:is|are|does|do)|when)\b(?! you| we)"
    r"|[吗么嘛]\W*$|是不是|会不会|怎么(?!样|变)|如何|是否|有没有|对不对",
    re.IGNORECASE,
)
_MADE_NEGATIVE = re.compile(r"[变改换设取](?:成|为)?了?负", re.ASCII)
_STATES = re.compile(  # somebody does it: the KL term raises the reward by 0.02
    r"\b(?:mak|increas|rais|lower|reduc|decreas|multipli|divid|scal|doubl|halv|subtract|lift|boost|shrink)e?s"
    r" (?:the|this|that|its|every|each)\b|(?:[项罚差则励值法A-Za-zα-ω] ?(?:就|反而|也|只|将)?|[会能] ?)(?:让"
    r"|使(?!用))(?!我)",
    re.IGNORECASE,
)
_BLAMED = re.compile(r"\bwrong\b|\boff by\b|\berror\b|\bmistake\b|\bin(?:correct)?ly\b", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """Changes in the order of the text, the groups that are nothing but their numbers, and where their words stand."""

    edits: tuple[Edit, ...] = ()
    taken: frozenset[int] = frozenset()
    spans: tuple[tuple[int, int], ...] = ()


def find_edits(text: str, tokens: list[Token], groups: tuple[Group, ...]) -> Found:
    """Every change that the words ask for. Work is linear in the message."""
    words = len(text) - sum(group.end - group.start for group in groups if group.bracketed)
    if words > LONGEST or says("why", text):
        return Found()
    terse = words <= SHORT and all(group.scalar for group in groups)
    edits: list[Edit] = []
    taken: set[int] = set()
    spans: list[tuple[int, int]] = []
    clauses = _clauses(pieces(text, tokens, groups))
    listed = _element_by_element(clauses)
    for clause in clauses:
        found = [] if listed and clause.op is None else _wished(clause, text, terse)
        edits += found
        if found:
            taken |= _groups_of(clause, found)
            spans.append((clause.start, clause.end))
    return Found(tuple(dict.fromkeys(edits)), frozenset(taken), tuple(spans))


def _wished(clause: Clause, text: str, terse: bool) -> list[Edit]:
    """What a clause asks for, unless it only talks or asks."""
    if not text[: clause.start].strip() and (meant_instead := MEANT.match(text)):
        return _instead(clause, meant_instead.end())
    said = text[clause.start : clause.end + 8]
    if (_NO_WISH.search(said) and not clause.suppose) or _BLAMED.search(said):
        return []
    if not clause.suppose and _STATES.search(text, _sentence_start(text, clause.start), clause.end + 8):
        return []
    if clause.op == "negative" and not (clause.suppose or clause.op_is_set or _MADE_NEGATIVE.search(said)):
        return []  # something is said to be negative
    if clause.op is None:
        hypothetical = clause.suppose or terse
        audits = says("audit", text) and not clause.suppose
        at_an_end = any(place.kind.startswith("gap") for _, place in clause.places)  # scores 2 at the end: a datum
        if at_an_end and clause.strong_names:
            return []
        said_so = clause.factor is not None or (clause.new is not None and clause.new.close)
        if not hypothetical or audits or not (said_so or clause.copies):
            return []
    return meant(clause)


def _sentence_start(text: str, at: int) -> int:
    return max(text.rfind(mark, 0, at) for mark in ",，.。:：;；\n") + 1


def _instead(clause: Clause, end: int) -> list[Edit]:
    """What a clause says was meant by the last change: no, I meant the last value."""
    if clause.lists or not clause.located:
        return meant(clause)
    names = [name for name in clause.strong_names if name.start >= end] or clause.strong_names
    target = names[-1].value if names else None
    places = [place for _, place in clause.places]
    return [Edit("instead", target, places[-1] if places else WHOLE, clause.new.value if clause.new else None)]


def _groups_of(clause: Clause, edits: list[Edit]) -> set[int]:
    """The groups whose numbers are part of a change. What a parameter or a list is set to stays a setting."""
    groups = {operand.group for operand in clause.operands} | {found.group for found in clause.lists}
    for edit in edits:
        if edit.op == "set" and edit.place.kind == "whole" and edit.target in SCALARS and clause.new:
            groups -= {clause.new.group}
        if edit.op == "set" and isinstance(edit.operand, tuple):
            groups -= {found.group for found in clause.lists}
    return groups - {-1}


def _element_by_element(clauses: list[Clause]) -> bool:
    """Whether lists are given one number at a time: r_0=0, r_1=0, r_2=1."""
    given: dict[str, set[int]] = {}
    for clause in clauses:
        if clause.op is None:
            for name in clause.names:
                places = [place.value for _, place in clause.places if place.kind == "at"]
                given.setdefault(name.value, set()).update(places)
    return any(len(at) > 1 and at in ({*range(len(at))}, {*range(1, len(at) + 1)}) for at in given.values())


def _clauses(found: list[Piece]) -> list[Clause]:
    """Runs of pieces that make one change each."""
    clauses: list[Clause] = []
    clause = Clause()
    for at, piece in enumerate(found):
        if _ends(clause, piece) or _sets_another(clause, found, at):
            clauses.append(clause)
            stops = piece.family == "stop"
            inherited = clause.op if clause.op in _INHERITED and not stops else None
            clause = Clause(suppose=clause.suppose and not stops)
            if inherited and piece.family != "op" and _goes_on(found, at):
                clause.op = inherited
        if piece.family == "numeral" and not _expects_number(clause, found, at):
            piece = Piece("other", "numeral", piece.start, piece.end)
        clause.take(piece)
    clauses.append(clause)
    return [one for one in clauses if one.start >= 0]


def _sets_another(clause: Clause, found: list[Piece], at: int) -> bool:
    """Whether a parameter is given its number after something was put back: put it back, and lambda 0.5."""
    if not (clause.op or "").startswith("restore") or found[at].family != "name" or found[at].value not in SCALARS:
        return False
    after = next((piece.family for piece in found[at + 1 : at + 4] if piece.family not in ("link", "filler")), "")
    return clause.start >= 0 and after == "number"


def _goes_on(found: list[Piece], at: int) -> bool:
    """Whether what follows a boundary names a place or a number before any new operation."""
    for piece in found[at : at + 12]:
        if piece.family in ("op", "stop"):
            return False
        if piece.family in ("number", "numeral"):
            return True
    return False


def _ends(clause: Clause, piece: Piece) -> bool:
    """Whether a piece does not belong to the clause any more."""
    if piece.family == "stop":
        return clause.start >= 0 and not (clause.op in GATHERING and not clause.operands and piece.kind == "soft")
    if piece.family in ("op", "place") and clause.op is None and len(clause.lists) > 1:
        return True  # what is given is complete, and not what is done
    if piece.family == "op":
        merges = clause.op is None or not clause.complete or (clause.op in GATHERING and piece.kind in _INHERITED)
        return not merges and piece.kind != clause.op
    gathers = clause.op in GATHERING or (clause.op == "put" and (clause.token or clause.response))
    if gathers:
        return False
    if piece.family == "comma" or (piece.family == "and" and clause.op not in WITHOUT_NUMBER):
        return clause.complete or (clause.op is None and clause.others > 2)
    if piece.family == "name" and piece.value in SCALARS and clause.op in WITHOUT_NUMBER and clause.token:
        return True  # drop the last token and use γ = 0.9
    if piece.family in ("name", "place") and clause.complete and clause.op not in WITHOUT_NUMBER:
        moving = clause.op in MOVING and not clause.names
        return not moving and clause.op not in ("put", None) and piece.kind not in ("every", "there", "end", "front")
    return False


def _expects_number(clause: Clause, found: list[Piece], at: int) -> bool:
    """Whether a number in words is one: after to, =, a parameter, or before a reward."""
    before = found[at - 1] if at else None
    if clause.role in ("into", "is") and clause.since_lead == 0:
        return True
    if clause.op in SCALINGS:
        return False
    if before is not None and before.family == "name" and before.kind == "strong":
        return True
    if clause.role == "set" and before is not None and before.family == "op" and before.kind == "set":
        return True
    if before is not None and before.kind == "every" and clause.strong_names:
        return True
    after = found[at + 1] if at + 1 < len(found) else None
    return clause.op in GATHERING and after is not None and after.family == "name" and after.kind == "strong"
