"""A page taken apart: what must not be touched (code, tables, formulas, tags), and the prose between."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import dataclass

# In this order: a formula inside code is code, a cell of a table belongs to the table.
_FENCED = r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=fence)[ \t]*$"
_LINK = r"!\[|\]\(|\]\[|\]:|://|\bwww\.|\b(?:javascript|data|mailto):"
_KINDS = {
    "code": re.compile(_FENCED + r"|`[^`\n]+`", re.DOTALL | re.MULTILINE),
    "tables": re.compile(r"(?:^[ \t]*\|.*\|[ \t]*$\n?)+", re.MULTILINE),
    "formulas": re.compile(r"\$\$.+?\$\$|\\\(.+?\\\)|\\\[.+?\\\]|\$[^$\n]+\$", re.DOTALL),
    "markup": re.compile(r"</?[A-Za-z!?][^<>]*>?|~~|" + _LINK, re.IGNORECASE),
}
MARKUP = _KINDS["markup"]
# In prose these make a formula of words around them, or open one that does not close.
_OPERATOR = re.compile(
    r"[=≈≠≡≤≥∝∑∏∫√×÷·^±+→⇒\\$|]|(?<=\s)[*/](?=\s)|(?<=\d) ?[/:] ?(?=\d)"
    r"|\b(?:plus|times|divided by|multiplied by|squared|cubed|to the power)\b|加上|减去|乘以|除以|平方|次方|开方",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Parts:
    """How often each part of each kind stands on the page, and its prose."""

    code: Counter[str]
    tables: Counter[str]
    formulas: Counter[str]
    markup: Counter[str]
    operators: Counter[str]
    prose: str
    stretches: tuple[str, ...]  # prose, formula, prose, …, in their order


def parts(page: str) -> Parts:
    rest, found = page, {}
    stretches: tuple[str, ...] = ()
    for kind, pattern in _KINDS.items():
        if kind == "formulas":
            stretches = tuple(re.split(f"({pattern.pattern})", rest, flags=pattern.flags))
        found[kind] = Counter(match[0].strip() for match in pattern.finditer(rest))
        rest = pattern.sub(" ", rest)
    prose = html.unescape(rest)
    operators = Counter(operator.strip().lower() for operator in _OPERATOR.findall(prose))
    return Parts(**found, operators=operators, prose=prose, stretches=stretches)
