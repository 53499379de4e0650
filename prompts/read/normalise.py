r"""One spelling for one thing: \delta_t, δ_t, delta_t · lam, lambda_, gae_lambda, λ · values[:, t], V(s_t), V_t."""

from __future__ import annotations

import re

from prompts.read.characters import clean
from prompts.read.glossary import GLOSSARY
from prompts.read.numbers.token import Token
from prompts.read.numbers.tokens import scan

_ACTION = re.compile(r"a_")
_COMMAND = re.compile(r"\\[A-Za-z]+(?:\{[A-Za-z]\})?")
_DRESS = re.compile(r"[\[\](){}_:, ^]|s_")
_IN_PROSE = frozenset(["rewards", "values", "returns", "advantages", "deltas", "ratio", "mc_returns"])  # words stay


def normalise(text: str) -> str:
    """The cleaned text with every formula and parameter in its one spelling; prose words stay as they are."""
    plain = clean(text)
    pieces: list[str] = []
    position = 0
    for token in scan(plain):
        shown = _shown(token, plain)
        if shown is not None:
            pieces += [plain[position : token.start], shown]
            position = token.end
    return "".join([*pieces, plain[position:]])


def _shown(token: Token, plain: str) -> str | None:
    """The symbol of a name, with its index as _t or _{t+1}; None where the text stays."""
    if token.sense is None or token.sense.meaning not in GLOSSARY.shown or token.sense.tight or token.sense.weak:
        return None
    written = plain[token.start : token.end]
    if (
        token.sense.meaning in _IN_PROSE
        and token.subscript is None
        and not written.startswith("\\")
        and written != "lastgaelam"
    ):
        return None
    command = _COMMAND.match(written)
    name = command.group() if command else token.text
    raw = written[len(name) :] if token.subscript is not None else ""
    raw = raw or (name.rpartition("_")[2] if "_" in name and token.subscript is not None else "")
    if _ACTION.search(raw) or ":-" in raw.replace(" ", ""):
        return None
    symbol = GLOSSARY.shown[token.sense.meaning]
    if raw.startswith("^"):
        return symbol + raw
    index = _DRESS.sub("", raw)
    return symbol if not index else f"{symbol}_{index}" if len(index) == 1 else f"{symbol}_{{{index}}}"
