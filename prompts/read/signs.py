"""A statement as pieces: quantities, and words on signs and changes; what it supposes of all tokens apart."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from engine import terms
from engine.cases import Setting
from engine.notation import SYMBOLS
from engine.terms import Term
from prompts.read.expressions import expressions
from prompts.read.settled import settled

_FILE = Path(__file__).with_name("signs.toml")
_LATEX = {
    "policy_gradient": r"\nabla L^{\mathrm{CLIP}}",
    "surrogate_gradient": r"\nabla L^{\mathrm{CPI}}",
    "value_gradient": r"\nabla \mathrm{loss}^{V}",
    "penalty": r"\beta\,\mathrm{KL}",
    "excess": "(G_0 - V_0)",
    "advantage_sum": r"\textstyle\sum A_t",
    "delta_sum": r"\textstyle\sum \delta_t",
    "next_values": "V_{t+1}",
    "log_ratio": r"\log\rho",
    "mean": r"\bar A",
    "gamma": r"\gamma",
    "lam": r"\lambda",
}
_WHOLE = frozenset(["excess", "advantage_sum", "delta_sum", "next_values", "mean", "gamma", "lam", "beta", "eps"])
_SETTING_FIELDS: dict[str, dict[str, Any]] = {
    "no_penalty": {"penalty": False},
    "k1": {"estimator": "k1"},
    "k2": {"estimator": "k2"},
    "k3": {"estimator": "k3"},
    "exact": {"critic": "exact"},
    "zero_critic": {"critic": "zero"},
    **{name: {"rewards": name} for name in ("good_end", "bad_end", "right", "wrong")},
    "cost": {"rewards": "negative"},
    "gains": {"rewards": "positive"},
    "beta": {},
    "both_above": {},
    "nothing_else": {},
    "at_first": {"fixed": (("ratio", Fraction(1)),)},
}
_JOINED = re.compile(r"[-+*/·×]|\d|minus|plus|减|加|除|乘")
_WITHIN = frozenset(["k1", "k2", "k3", "beta", "both_above", "exact"])  # said in the middle of a clause
_ZERO = re.compile(
    r"零(?=[^\u3400-\u9fff]|的|时|以|了|点|$)|(?<=[\u3400-\u9fff])零|\bzero\b(?! gradient)|\bnil\b", re.IGNORECASE
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SYMBOLS = (
    *((symbol, " 不小于 ") for symbol in (">=", "≥")),
    *((symbol, " 不大于 ") for symbol in ("<=", "≤")),
    (">", " exceeds "),
    ("<", " is below "),
    ("==", " equals "),
    ("=", " equals "),
)


@dataclass(frozen=True)
class Piece:
    """A quantity, or a word of signs.toml."""

    kind: str
    text: str = ""
    term: Term | None = None

    @property
    def name(self) -> str:
        cell = self.term.cell if self.term is not None else None
        return cell[0] if cell is not None else ""


def made(name: str, place: str = "any") -> Term:
    """A computed list at token t."""
    latex = _LATEX.get(name) or SYMBOLS.get(name, ("",))[0]
    term = terms.quantity(name, lambda _response, t, _k: t, "t", place) if name in terms.WRITTEN else None
    if term is None or name in _LATEX:
        term = terms.named(name, latex if name in _WHOLE else f"{latex}_{{t}}")
    return term


@cache
def _table(name: str) -> re.Pattern[str]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))[name]
    return re.compile("|".join(f"(?P<{key}>{'|'.join(patterns)})" for key, patterns in table.items()), re.IGNORECASE)


@cache
def _settings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))["settings"]
    return tuple((key, re.compile("|".join(patterns), re.IGNORECASE)) for key, patterns in table.items())


def supposed(text: str) -> tuple[str, Setting, frozenset[str]] | None:
    """The text without what it supposes of all tokens, that, and which suppositions were named."""
    fields: dict[str, Any] = {}
    named, inner = set(), set()
    for name, pattern in _settings():
        found = pattern.search(text)
        if found is None:
            continue
        named.add(name)
        text = pattern.sub(" " if name in _WITHIN else " , ", text)
        if name.endswith("_below"):
            inner.add(name.removesuffix("_below"))
        elif name == "same_amount":
            amount = Fraction((found["amount"] or found["amount2"]).replace("−", "-"))
            fields |= {"rewards": "same", "amount": amount}
        else:
            if any(field in fields for field in _SETTING_FIELDS[name]):
                return None
            fields |= _SETTING_FIELDS[name]
    text, where = settled(text)
    if where is None or where.zero:
        return None
    return " ".join(text.split()), Setting(rates=where.rates, inner=frozenset(inner), **fields), frozenset(named)


def pieces(text: str) -> list[Piece] | None:
    """The whole text as pieces; None if anything else stands in it."""
    for symbol, word in _SYMBOLS:
        text = text.replace(symbol, word)
    text = _ZERO.sub(" 0 ", text)
    spans = {start: (end, term) for term, start, end in expressions(text) if _formula(term, text[start:end])}
    found: list[Piece] = []
    at = 0
    while at < len(text):
        piece, end = _longest(text, at, spans)
        if piece is None:
            return None
        if piece.kind != "fill":
            found.append(piece)
        at = end
    return found


def _formula(term: Term, written: str) -> bool:
    """Whether it is one quantity, or is written with an operator: names that only stand side by side are none."""
    return term.cell is not None or bool(_JOINED.search(written) or not _CHINESE.search(written))


def _longest(text: str, at: int, spans: dict[int, tuple[int, Term]]) -> tuple[Piece | None, int]:
    """The longest piece from here on: a formula before a quantity before a word."""
    word, named = _table("words").match(text, at), _table("quantities").match(text, at)
    end, term = spans.get(at, (at, None))
    ends = (end, named.end() if named else at, word.end() if word else at)
    if max(ends) == at:
        return None, at
    if word is not None and word.lastgroup == "whitening" and ends[2] == max(ends):
        return Piece("whitening", word.group()), ends[2]
    if term is not None and end == max(ends):
        return _of(term), end
    if named is not None and ends[1] == max(ends):
        return Piece("q", named.group(), made(named.lastgroup or "")), ends[1]
    return (Piece(word.lastgroup or "", word.group()), ends[2]) if word is not None else (None, at)


def _of(term: Term) -> Piece:
    if not term.quantities and term.cell is None and not term.anywhere:
        return Piece("n", term=term)
    return Piece("q", term=term)
