"""What of a text is no plain prose: code, tables, formulas, tags and links."""

from __future__ import annotations

import re

# In this order: a formula inside code is code, a cell of a table belongs to the table.
_FENCED = r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=fence)[ \t]*$"
_LINK = r"!\[|\]\(|\]\[|\]:|://|\bwww\.|\b(?:javascript|data|mailto):"
_KINDS = (
    re.compile(_FENCED + r"|`[^`\n]+`", re.DOTALL | re.MULTILINE),
    re.compile(r"(?:^[ \t]*\|.*\|[ \t]*$\n?)+", re.MULTILINE),
    re.compile(r"\$\$.+?\$\$|\\\(.+?\\\)|\\\[.+?\\\]|\$[^$\n]+\$", re.DOTALL),
    re.compile(r"</?[A-Za-z!?][^<>]*>?|~~|" + _LINK, re.IGNORECASE),
)


def is_prose(text: str) -> bool:
    return not any(kind.search(text) for kind in _KINDS)
