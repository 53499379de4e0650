"""One clause of a change, as its pieces come: what is to be done, to what, where, with which numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from prompts.read.numbers.cues import SCALARS
from prompts.read.numbers.edits.edit import Place
from prompts.read.numbers.edits.pieces import Piece

SCALINGS = {"double": 2.0, "triple": 3.0, "quadruple": 4.0, "halve": 0.5}
WITHOUT_NUMBER = frozenset(
    [
        "swap",
        "reverse",
        "negate",
        "negative",
        "mask_out",
        "unmask",
        "zero",
        "drop",
        "keep",
        *SCALINGS,
        "restore_first",
        "restore_previous",
        "default",
    ]
)
GATHERING = frozenset(["insert", "append", "prepend"])  # go on over commas: reward 0.5, value 0.9
MOVING = frozenset(["raise", "lower", "plus", "times", "divide"])
_OR_BESIDE = {"end_or_after": "after", "front_or_before": "before"}
GAPS = frozenset(["before", "after", "between"])


@dataclass(frozen=True)
class Operand:
    """A number of a clause and how it came in: after to or =, after from, after by, or none of these."""

    value: float
    role: str
    percent: bool
    group: int  # the first token of its group; -1 for one in words
    close: bool  # whether nothing but small words stood before it since the word that led to it


@dataclass
class Clause:
    """Slots in the making; mutable, and never seen outside of one parse."""

    op: str | None = None
    op_is_set: bool = False  # a set that was made precise: 调到, 改成两倍
    names: list[Piece] = field(default_factory=list)
    places: list[tuple[str, Place]] = field(default_factory=list)  # the gap word before it, or "", and the place
    operands: list[Operand] = field(default_factory=list)
    lists: list[Piece] = field(default_factory=list)
    factor: float | None = None
    order: list[tuple[str, Any]] = field(default_factory=list)  # names and numbers as they come
    copies: bool = False  # old_logp equals new_logp
    equal: bool = False
    every: bool = False
    token: bool = False
    response: bool = False
    it: bool = False
    its: bool = False
    back_to: bool = False
    suppose: bool = False
    others: int = 0
    start: int = -1
    end: int = -1
    role: str = "none"
    gap: str = ""
    since_lead: int = 0  # words since the last leading word

    @property
    def strong_names(self) -> list[Piece]:
        return [name for name in self.names if name.kind == "strong"]

    @property
    def located(self) -> bool:
        return bool(self.names or self.places or self.it or self.token or self.response or self.every)

    @property
    def new(self) -> Operand | None:
        """The number that is to stand there."""
        after = [x for x in self.operands if x.role in ("into", "is", "by")]
        free = [x for x in self.operands if x.role != "from"]
        return after[-1] if after else free[-1] if free else None

    @property
    def old(self) -> Operand | None:
        """The number that stands there: from 1 to 2, the 4 to 6."""
        led = [x for x in self.operands if x.role == "from"]
        bare = [x for x in self.operands if x.role == "none" and x is not self.new]
        return led[0] if led else bare[0] if bare else None

    @property
    def complete(self) -> bool:
        if self.op in WITHOUT_NUMBER:
            return self.located or bool(self.operands) or self.op in ("restore_first", "restore_previous")
        if self.op in GATHERING:
            return bool(self.operands) and bool(self.names)
        if self.lists and self.names:
            return True
        if self.factor is not None:
            return self.located
        return self.new is not None and (self.located or self.old is not None or self.back_to)

    def take(self, piece: Piece) -> None:
        """One more piece that belongs to this clause."""
        self.start = piece.start if self.start < 0 else self.start
        self.end = piece.end
        _TAKERS[piece.family](self, piece)


def _op(clause: Clause, piece: Piece) -> None:
    clause.since_lead = 0
    if piece.kind == "back_to":
        clause.back_to, clause.role = True, "into"
        clause.op = clause.op or "set"
        return
    if clause.op is None or clause.op == "set" or (clause.op == "put" and piece.kind in GATHERING):
        clause.op_is_set = clause.op_is_set or clause.op == "set"
        clause.op = piece.kind
    elif clause.op in GATHERING and piece.kind in ("plus", "set", "raise", "put"):
        return
    if piece.kind == "set" and piece.value is None and clause.role == "none":
        clause.role = "set"


def _place(clause: Clause, piece: Piece) -> None:
    clause.token = clause.token or piece.kind == "at_token"
    if piece.kind in _OR_BESIDE and (clause.places or clause.operands):
        _beside(clause, _OR_BESIDE[piece.kind])
    elif piece.kind in GAPS:
        _beside(clause, piece.kind)
    elif piece.kind == "every":
        clause.every = True
    else:
        clause.places.append((clause.gap, piece.value))
        clause.gap = clause.gap if clause.gap == "between" else ""


def _beside(clause: Clause, gap: str) -> None:
    """A gap word, which English says before its place and Chinese behind it."""
    if not clause.places and clause.operands and clause.op is None:
        clause.places.append((gap, Place("value", clause.operands.pop().value)))
        clause.order.pop()
    elif gap == "between" or not clause.places or clause.gap:
        clause.gap = gap
    else:
        clause.places[-1] = (gap, clause.places[-1][1])
    if gap == "between" and clause.places:
        clause.places = [("between", place) for _, place in clause.places]


def _name(clause: Clause, piece: Piece) -> None:
    lists = not is_scalar(piece) and len(clause.names) == 1 and not is_scalar(clause.names[0])
    clause.copies = clause.copies or (
        lists and clause.role == "into" and clause.since_lead == 0 and (clause.equal or clause.op == "set")
    )
    clause.names.append(piece)
    clause.order.append(("name", piece))
    if isinstance(piece.index, int):
        clause.places.append(("", Place("at", piece.index)))
    clause.since_lead = 0


def _number(clause: Clause, piece: Piece) -> None:
    if clause.gap in ("before", "after") and clause.op is not None and clause.operands:
        clause.places.append((clause.gap, Place("value", float(piece.value))))
        clause.gap = ""
        return
    role = clause.role
    close = clause.since_lead == 0
    operand = Operand(
        float(piece.value), "none" if role == "set" else role, piece.kind.endswith("%"), piece.group, close
    )
    clause.operands.append(operand)
    clause.order.append(("number", operand))
    clause.role = "none"


def _link(clause: Clause, piece: Piece) -> None:
    if piece.kind != "of":
        clause.role = "into" if piece.kind == "equals" else piece.kind
        clause.equal = clause.equal or piece.kind == "equals"
        clause.since_lead = 0


def _list(clause: Clause, piece: Piece) -> None:
    clause.lists.append(piece)


def _noun(clause: Clause, piece: Piece) -> None:
    clause.token = clause.token or piece.kind in ("token", "that_token")
    clause.its = clause.its or piece.kind == "its"
    clause.response = clause.response or piece.kind == "response"
    clause.it = clause.it or piece.kind in ("it", "that_token")


def _factor(clause: Clause, piece: Piece) -> None:
    clause.factor = piece.value


def _mood(clause: Clause, _piece: Piece) -> None:
    clause.suppose = True


def _label(clause: Clause, piece: Piece) -> None:
    clause.places.append(("", Place("label", piece.value)))


def _other(clause: Clause, _piece: Piece) -> None:
    clause.others += 1
    clause.since_lead += 1


def _nothing(_clause: Clause, _piece: Piece) -> None:
    return


_TAKERS = {
    "op": _op,
    "place": _place,
    "name": _name,
    "number": _number,
    "numeral": _number,
    "link": _link,
    "list": _list,
    "factor": _factor,
    "noun": _noun,
    "mood": _mood,
    "label": _label,
    "other": _other,
    "filler": _nothing,
    "and": _nothing,
    "comma": _nothing,
    "stop": _nothing,
}


def is_scalar(name: Piece) -> bool:
    return name.value in SCALARS
