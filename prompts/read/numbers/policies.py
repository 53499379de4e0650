r"""Which policy or side a subscript names: π_{\theta_{\text{old}}}, p_{ref}, V_{new}, ε_{high}, π_旧."""

from __future__ import annotations

import re

from prompts.read.glossary import Sense, parts, phrase

_SIDES = {"旧": "old", "老": "old", "新": "new", "参考": "ref"}
_SPELT = {"π": "pi"}
_THETA = r"(?:\\?(?:theta|θ)\}?[_^]?\{?)"
_SIDE = re.compile(
    rf"[_^]?\{{?{_THETA}?(?:\\(?:text|mathrm|rm)[ ]?\{{?)?(old|new|ref|low|high|旧|老|新|参考)(?:erence)?\}}{{0,3}}"
    r"(?![A-Za-z0-9])(?:\(a[^()\n]{0,16}\))?",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"[_^]\{?\\?(?:theta|θ)\}?(?![A-Za-z0-9_{])(?:\(a[^()\n]{0,16}\))?", re.IGNORECASE)


def sided(text: str, name: str, end: int) -> tuple[Sense, int] | None:
    """What a name means with the policy or side that stands in its index place, and where that ends."""
    found = _SIDE.match(text, end)
    if found is not None:
        side = found[1].lower()
        sense = phrase((*parts(_SPELT.get(name, name)), _SIDES.get(side, side)))
        return (sense, found.end()) if sense else None
    current = _CURRENT.match(text, end) if name == "π" else None
    return (Sense("prob"), current.end()) if current else None
