"""What a label names: the quantities that it may be, the likeliest first."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

LONGEST = 80
_READ = tomllib.loads((Path(__file__).parent / "labels.toml").read_text("utf-8"))
RULES = [
    (re.compile(rule["is"], re.IGNORECASE if rule.get("any_case", True) else 0), tuple(rule["may_be"]))
    for rule in _READ["rule"]
]
_ASIDE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|\{([^{}]*)\}")
_INDEX = re.compile(
    r"\^\{?\(?GAE(?:\(γ, ?λ\))?\)?\}?"
    r"|(?:_\{?(?:t|i|k|n|j)(?![a-z0-9]| ?[+\-] ?1)\}?"
    r"|\((?:t|i|s_?t|s|s_\{t\}|t,? ?θ)\)|\[ ?(?::, ?)?(?:t|i|:|:, ?t)? ?\]|ₜ|ᵢ)"
)
_DRESS = re.compile(r"\*\*|^\s*\*+|\*+\s*$|[`$\"#\\]|^'|(?<![A-Z])'|^\s*(?:[-•>]|\d+[.)])\s+")


@lru_cache(maxsize=4096)
def meanings(label: str) -> tuple[str, ...]:
    """The quantities that a label may name; empty if none. The whole label counts before what stands in brackets."""
    if len(label) > LONGEST:
        return ()
    defined = label.partition("=")[0]
    if defined.strip() and defined != label and (found := meanings(defined)):
        return found  # R_t = A_t + V_t
    whole = plainly(label)
    if found := _first(whole):
        return found
    return _first(_ASIDE.sub(" ", whole).strip()) or next((m for a in _asides(whole) if (m := _first(a))), ())


def plainly(label: str) -> str:
    """A label without its dress and its running index: **A_t** is A."""
    bare = _DRESS.sub("", label.strip().strip("'") if label.strip()[:1] == "'" else label).replace("−", "-").strip()
    bare = _INDEX.sub("", bare).replace("_", " ")
    return re.sub(r"\s+", " ", bare).strip(" :=,;|.")


def _first(plain: str) -> tuple[str, ...]:
    return next((may_be for pattern, may_be in RULES if pattern.search(plain)), ())


def _asides(whole: str) -> list[str]:
    return [next(part for part in found.groups() if part is not None).strip() for found in _ASIDE.finditer(whole)]


def named_last(said: str) -> tuple[str, ...]:
    """What the end of a clause names: "… so the TD errors come out as"."""
    words = said.strip()
    clause = re.split(r"[,;。!?]|(?<![Rr]ef)\.\s(?![^()]*\))", words)[-1]
    for part in dict.fromkeys((clause, words[-LONGEST:])):
        if found := meanings(part.strip()):
            return found
    return ()
