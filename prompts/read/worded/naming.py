"""Names of what is computed token by token, with the index that is written beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.notation import SYMBOLS
from prompts.read.worded.place import Place

_INDEX = r"(?:_?\{?(?P<#>\d{1,3}|t|T ?- ?1|-1)\}?(?![\d.])|\[(?P<#b>\d{1,3}|t|-1)\])?"


def _indexed(words: str, group: str) -> str:
    return words + _INDEX.replace("#", group)


QUANTITIES = {
    "mc_advantages": _indexed(
        r"(?:蒙特卡[洛罗]的? ?(?:优势|advantages?)|MC ?的?(?:优势|advantages?)|\b(?:monte[- ]carlo"
        r"|mc)(?:'s)? advantages?"
        r"|\breturns? ?(?:-|minus|less) ?(?:the )?values?\b|(?:蒙特卡[洛罗])?回报(?:减去?|-) ?(?:价值|values?|V)"
        r"|\breward[- ]to[- ]go (?:minus|less) (?:the )?values?\b)",
        "m",
    ),
    "weighted_deltas": (
        r"(?:Σ|\\sum)_?\{?[tk]?\}? ?γ\^\{?[tk]\}? ?[·*]? ?δ(?:_\{?[tk]\}?)?|\bdiscounted sum of (?:the "
        r"|all )*(?:deltas?|δ)"
        r"|(?:δ|delta)的?(?:折扣和|打折求和)|(?:折扣|打折)后?的? ?(?:δ|delta) ?(?:之和|的和|总和|和)"
    ),
    "excess": (
        r"\b(?:response|return|answer|reply|G_?0?)(?: has| had)? (?:beats?|beaten|exceeded|exceeds"
        r"|outdid) (?:(?-i:V)_?0?|the critic(?:'s estimate)?)(?: by)?|"
        r"G(?:_?\{?[0t]\}?)? ?(?:-|减去?|minus|less) ?V(?:_?\{?[0t]\}?)?(?![A-Za-z])|总(?:的)?超额(?:回报|收益)?|\b"
        r"(?:total )?excess(?: return)?\b"
    ),
    "deltas": _indexed(r"(?:δ|\bdeltas?|\bTD[ -]?(?:errors?|residuals?)\b|TD ?(?:误差|残差)|时序差分误差)", "d"),
    "mc_returns": _indexed(
        r"(?:(?<![A-Za-z])(?-i:G)(?![A-Za-z])|\b(?:monte[- ]carlo|mc) returns?\b"
        r"|蒙特卡[洛罗]回报|MC ?回报|\breward[- ]to[- ]go\b)",
        "g",
    ),
    "returns": _indexed(
        r"(?:(?<![A-Za-z])(?-i:R)(?![A-Za-z])|\breturns?\b|回报|\bcritic(?:'s)? targets?\b"
        r"|\btargets?\b|(?:critic ?的)?(?:回归)?目标值?)",
        "r",
    ),
    "advantages": _indexed(
        r"(?:(?<![A-Za-z])(?-i:A)(?:\^?\{?GAE\}?)?(?![A-Za-z])|\b(?:GAE )?advantages?\b|(?:GAE ?)?优势(?:值|函数)?)",
        "a",
    ),
}
_COMPARED = {
    "rewards": _indexed(r"(?:\brewards?\b|奖励|(?<![A-Za-z])(?-i:r)(?![A-Za-z]))", "w"),
    "values": _indexed(r"(?:\bvalues?\b|价值|(?<![A-Za-z])(?-i:V)(?![A-Za-z]))", "v"),
}
WHOLE = {"excess": "G_0 - V_0", "weighted_deltas": r"\sum_t \gamma^t \delta_t"}  # one number of a response
_QUANTITY = re.compile("|".join(f"(?P<{n}>{w})" for n, w in {**QUANTITIES, **_COMPARED}.items()), re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    name: str
    index: str  # as it is written
    start: int
    end: int

    @property
    def letter(self) -> str:
        return SYMBOLS[self.name][0] if self.name in SYMBOLS else WHOLE[self.name]

    def at(self, token: int) -> str:
        """Its symbol at a token, where it is not one number of the whole response."""
        return self.letter if self.name in WHOLE else f"{self.letter}_{{{token}}}"

    @property
    def place(self) -> Place | None:
        if self.index in ("", "t"):
            return None
        if self.index.isdecimal():
            return Place((int(self.index),), self.start, self.end, written=True)
        return Place((-1,), self.start, self.end)


def named(body: str) -> list[Named]:
    found = []
    for match in _QUANTITY.finditer(body):
        name = next(n for n in (*QUANTITIES, *_COMPARED) if match[n])
        index = next((match[g] for g in match.re.groupindex if len(g) <= 2 and match[g]), "")
        found.append(Named(name, index.replace(" ", ""), *match.span()))
    return found
