"""The simple statements that a sentence is made of: a sign, a comparison, a change, each from a run of pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine import terms
from engine.signs import Stands
from engine.terms import Term
from prompts.read.signs import Piece, made

CODES = {
    "q": "q", "n": "n", "every": "E", "later": "2", "next": "3", "last": "1", "first": "0", "positive": "p",
    "negative": "m", "gone": "z", "there": "h", "no": "N", "above": "g", "below": "l", "not_above": "G",
    "not_below": "H", "equals": "e", "compared": "b", "up": "u", "down": "d", "larger": "B", "smaller": "S",
    "same_sign": "s", "other_sign": "x", "keeps": "k", "flips": "f", "sign": "i", "whitening": "W", "along": "L",
    "out": "o", "clipped": "c", "if": "I", "then": ",", "means": "M", "means_not": "Y", "always": "A", "never": "V",
    "not_always": "U", "can": "C", "not": "!", "wont": "w", "and": "a", "up_by_update": "r", "down_by_update": "j",
}  # fmt: skip
_MODAL = "AVUC!wMYILa,10"
_CRITIC = re.compile(r"vpred|value[ _]?(?:loss|clip)|critic|价值(?:损失|裁剪)|cliprange_value|vf_?loss", re.IGNORECASE)
_UNCLIPPED = re.compile(r"surrogate|代理目标|unclipped|未裁剪|不裁剪|without clip", re.IGNORECASE)
GRADIENTS = frozenset(["policy_gradient", "surrogate_gradient", "value_gradient"])
_ZERO, _ONE = terms.number(Fraction(0)), terms.number(Fraction(1))


@dataclass(frozen=True)
class Change:
    """A quantity that is raised, or that rises."""

    piece: Piece
    up: bool
    attribute: bool = False  # "a larger γ"
    rises: bool = False  # by a verb


Unit = tuple[int, int, Stands | Change]  # with its first piece and its last


@dataclass(frozen=True)
class Context:
    """What the rest of the sentence says of its words."""

    sentence: str

    @property
    def critic(self) -> bool:
        return _CRITIC.search(self.sentence) is not None

    def name(self, piece: Piece) -> str:
        return self.gradient() if piece.name == "policy_gradient" else piece.name

    def gradient(self) -> str:
        if self.critic:
            return "value_gradient"
        clips = re.search(r"clip|裁剪|eps|ε", self.sentence, re.IGNORECASE)
        return "surrogate_gradient" if _UNCLIPPED.search(self.sentence) and not clips else "policy_gradient"

    def term(self, piece: Piece) -> Term:
        assert piece.term is not None
        return made(self.gradient()) if piece.kind == "q" and piece.name == "policy_gradient" else piece.term

    def term_of(self, own: Sequence[Piece]) -> Term | None:
        """The quantity among pieces, with what goes before it."""
        piece = next(one for one in own if one.kind in ("q", "n"))
        term = self.term(piece)
        if any(one.kind == "next" for one in own):
            if term.cell is None or term.cell[1] != "any":
                return None
            term = terms.quantity(term.cell[0], lambda _r, t, _k: t + 1, "t+1")
        return term


_SLOPES = {
    "surrogate": "surrogate_gradient",
    "objective": "policy_gradient",
    "policy_loss": "policy_gradient",
    "vf_loss": "value_gradient",
    "clipped_vf_loss": "value_gradient",
}


def of_losses(found: Sequence[Piece]) -> list[Piece]:
    """The pieces with "the gradient of the surrogate" as one."""
    whole: list[Piece] = []
    for piece in found:
        before = whole[-1].name if whole and whole[-1].kind == "q" else ""
        if piece.name == "policy_gradient" and before in _SLOPES:
            whole[-1] = Piece("q", piece.text, made(_SLOPES[before]))
        elif before == "policy_gradient" and piece.name in _SLOPES:
            whole[-1] = Piece("q", piece.text, made(_SLOPES[piece.name]))
        else:
            whole.append(piece)
    return whole


def cell(term: Term) -> str:
    return term.cell[0] if term.cell is not None else ""


def place(term: Term) -> str:
    return term.cell[1] if term.cell is not None else ""


def of_gradient(unit: Stands | Change) -> bool:
    return isinstance(unit, Stands) and cell(unit.left) in GRADIENTS


def sign_of(up: bool) -> str:
    return ">" if up else "<"


def _split(codes: str, own: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces up to each quantity or number."""
    groups: list[list[Piece]] = [[]]
    for code, piece in zip(codes, own, strict=True):
        groups[-1].append(piece)
        if code in "qn":
            groups.append([])
    return [group for group in groups if any(piece.kind in ("q", "n") for piece in group)]


def _over(codes: str) -> str:
    return "later" if "2" in codes else "every" if "E" in codes else ""


def _pair(reading: Context, codes: str, own: Sequence[Piece]) -> tuple[Term, Term] | None:
    left, right = (reading.term_of(group) for group in _split(codes, own)[:2])
    return (left, right) if left is not None and right is not None else None


def _compared(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    pair = _pair(reading, codes, own)
    if "n" in codes and not set(codes) & set("eglGHb") and cell(reading.term_of(own) or _ZERO) not in ("ratio", "eps"):
        return None
    if pair is None or pair[0].latex == pair[1].latex or {cell(x) for x in pair} == {"scores", "values"}:
        return None
    if not pair[0].quantities and not cell(pair[0]):
        return None
    way = next((code for code in reversed(codes) if code in "glGHeBSud"), "e")
    relation = {"g": ">", "B": ">", "u": ">", "l": "<", "S": "<", "d": "<", "G": "<=", "H": ">=", "e": "="}[way]
    return Stands(pair[0], relation, pair[1], _over(codes))


def _of_sign(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    term = reading.term_of(own)
    if term is None or not (term.quantities or term.cell):
        return None
    if cell(term) == "advantages" and "W" in codes:
        term = made("whitened")
    return Stands(term, ">" if "p" in codes else "<", _ZERO, _over(codes))


def _of_gradient(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    term = reading.term_of(own)
    if term is None or cell(term) not in GRADIENTS:
        return None
    return Stands(term, "!=" if "N" not in codes and ("h" in codes or codes[0] == "k") else "=", _ZERO)


def _clip(reading: Context, _codes: str, _own: Sequence[Piece]) -> Stands | None:
    if reading.critic:
        return None
    return Stands(made("policy_gradient"), "=", _ZERO)


def _outside(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    if "q" in codes and own[0].name not in ("ratio", "vpreds", "values"):
        return None
    if reading.critic:
        return Stands(made("vpreds"), "!=", made("old_values"), span=terms.constant("cliprange_value"))
    return Stands(made("ratio"), "!=", _ONE, span=terms.constant("eps"))


def _away(reading: Context, _codes: str, own: Sequence[Piece]) -> Stands | None:
    """vpred from the old value by more than the range"""
    names = [piece.name for piece in own if piece.kind == "q"]
    if names not in (["vpreds", "old_values", "cliprange_value"], ["vpreds", "values", "cliprange_value"]):
        return None
    return _outside(reading, "o", own)


def _alike(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    pair = _pair(reading, codes, own)
    if pair is None or pair[0].latex == pair[1].latex:
        return None
    return Stands(pair[0], "same sign" if "s" in codes else "other sign", pair[1])


def _by_whitening(_reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    """that whitening keeps a sign, or turns it"""
    if any(piece.kind == "q" and piece.name != "advantages" for piece in own):
        return None
    return Stands(made("whitened"), "other sign" if "f" in codes else "same sign", made("advantages"))


def _afterwards(_reading: Context, codes: str, _own: Sequence[Piece]) -> Stands | None:
    """… stays positive after whitening"""
    return Stands(made("whitened"), ">" if "p" in codes else "<", _ZERO) if "W" in codes else None


def _with_penalty(reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    """The penalty makes a reward smaller than its score."""
    names = [piece.name for piece in own if piece.kind == "q"]
    return _compared(reading, codes[1:], own[1:]) if names == ["penalty", "rewards", "scores"] else None


def _charged(_reading: Context, codes: str, own: Sequence[Piece]) -> Stands | None:
    """The penalty lowers a reward."""
    names = [piece.name for piece in own if piece.kind == "q"]
    if names != ["penalty", "rewards"]:
        return None
    return Stands(made("rewards"), "<" if "d" in codes else ">", made("scores"), _over(codes))


def _changed(_reading: Context, codes: str, own: Sequence[Piece]) -> Change | None:
    piece = next(one for one in own if one.kind == "q")
    shifted = any(one.kind in ("next", "later") for one in own)
    if piece.term is None or any(one.kind == "later" for one in own) or (shifted and piece.name != "values"):
        return None
    if any(one.kind == "next" for one in own):
        piece = Piece("q", piece.text, made("next_values"))
    return Change(piece, "u" in codes or "B" in codes, codes[0] in "BS", codes[-1] in "ud")


_Q = "[E23]*q"
_WHITENING = f"W?ki(?:{_Q})?W?|W?k{_Q}iW?|{_Q}ikW|{_Q}W[kf]i|iW?k|Wfi(?:{_Q})?|W{_Q}f|Wf{_Q}i?|{_Q}Wf|fi(?:{_Q})?W"
Make = Callable[[Context, str, Sequence[Piece]], Stands | Change | None]
_FORMS: tuple[tuple[str, Make], ...] = (
    (f"{_Q}a?{_Q}g{_Q}", _away),
    (f"q{_Q}b{_Q}[BuSd]|q{_Q}[glGH]e?{_Q}", _with_penalty),
    (f"{_Q}b(?:{_Q}|n)[BuSd]", _compared),
    (f"{_Q}[glGH]e?(?:{_Q}|n)(?![BSud])", _compared),
    (f"{_Q}e+{_Q}|{_Q}e*n", _compared),
    (f"{_Q}a?{_Q}[sx]", _alike),
    (f"{_Q}[sx]{_Q}", _alike),
    (_WHITENING, _by_whitening),
    (f"W{_Q}k?[pm]|W[pm]{_Q}|{_Q}Wk?[pm]|{_Q}k?[pm]W", _of_sign),
    (r"Wk?[pm]|k?[pm]W", _afterwards),
    (f"{_Q}[ud]{_Q}|{_Q}{_Q}[ud]", _charged),
    (f"h?N{_Q}z?|{_Q}z|{_Q}e*n|{_Q}k?h|k?h{_Q}|k{_Q}", _of_gradient),
    (f"{_Q}e?k?[pm]|[pm]{_Q}", _of_sign),
    (f"(?:{_Q})?o", _outside),
    ("c", _clip),
    (f"[BS]{_Q}(?![ud](?!q))|[ud]{_Q}|{_Q}[udBS]", _changed),
)
_UNITS = [(re.compile(pattern), make) for pattern, make in _FORMS]


def units(found: Sequence[Piece], sentence: str) -> list[Unit] | None:
    """The statements one after the other, each with the pieces that it is made of."""
    codes, context = "".join(CODES[piece.kind] for piece in found), Context(sentence)
    kept = [i for i, code in enumerate(codes) if code not in _MODAL or code in "MY,a"]
    kept = [i for i in kept if codes[i] != "E" or codes[i + 1 : i + 2] in ("q", "2", "3")]
    plain = "".join("," if codes[i] in "MY" else codes[i] for i in kept)
    read: list[Unit] = []
    at = 0
    while at < len(plain):
        if plain[at] in ",a":
            at += 1
            continue
        for pattern, make in _UNITS:
            match = pattern.match(plain, at)
            if match is None:
                continue
            own = [found[kept[i]] for i in range(at, match.end())]
            unit = make(context, plain[at : match.end()], own)
            if unit is not None:
                first, last = kept[at], kept[match.end() - 1]
                if isinstance(unit, Stands) and "E" in codes[first:last] and not unit.over:
                    unit = replace(unit, over="every")
                read.append((first, last, unit))
                at = match.end()
                break
        else:
            return None
    return read
