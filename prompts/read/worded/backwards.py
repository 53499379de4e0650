"""G_0, V_0 and every δ of one response hang together: G_0 = V_0 + Σ γ^k δ_k; whichever is named last follows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine import sequences
from prompts.read.worded.compared import half_understood
from prompts.read.worded.figure import NUMERAL, Figure, U, figures, without
from prompts.read.worded.finding import Read, one
from prompts.read.worded.settings import Given

LONGEST = 64  # tokens
_G = r"(?<![A-Za-z])(?-i:G)(?:_?\{?0\}?)?(?![A-Za-z\d])"
_V = r"(?<![A-Za-z])(?-i:V)(?:_?\{?0\}?|\(s_?0\))(?![A-Za-z\d])"
_D = r"(?:δ|\bdeltas?\b|TD ?误差|\bTD[- ]errors?\b)"
_NAMED = re.compile(
    rf"(?P<excess>{_G} ?(?:-|减去?|minus) ?{_V}"
    rf"|(?:所有|全部|各个?|这?\d? ?个)?的? ?{_D} ?的?(?:之和|总和|加起来|求和|的?和)"
    rf"|\b(?:sum|total) of (?:the |all )*(?:\d )?{_D}|\b(?:the |all )*(?:\d )?{_D} (?:sum|add up) to|(?:Σ|\\sum) ?{_D})"
    rf"|(?P<value>{_V}|\bfirst value\b|第一个 ?(?:V|价值))"
    rf"|(?P<return>(?:整[条段个](?:回答|回复|序列)?的? ?)?(?:总?(?:奖励|回报)(?:总和)?|总和) ?{_G}"
    rf"|(?:整[条段个](?:回答|回复|序列)?的? ?)?"
    rf"总(?:奖励|回报)|{_G}|\btotal rewards?\b(?: {_G})?|\b(?:whole )?return {_G}|\b(?:response|answer"
    rf"|episode) (?:earned|earns|collected|collects|scored|got)\b)"
    r"|(?P<delta>(?:δ|delta)_?\{?(?P<k>\d{1,2})\}?(?![\d.]))",
    re.IGNORECASE,
)
_ROW = re.compile(  # three δ: 0.1, 0.2 and 0.4
    rf"(?:\d ?个)? ?{_D} ?(?:分别|依次|就|are|of|is|是|为|=|:| )*"
    rf"(?P<row>-?{U}(?:(?: ?[、,] ?(?:and )?| and | ?和 ?)-?{U}){{1,15}})(?![\d%\]]|\.\d| ?[=*×/^])",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?: ?(?:=|≈|:|,|就|应该?|必须|必然|只能|一定|正好|刚好|是|为|等于|of|is|was|must|should|has|have|been|to|be"
    r"|equals?"
    r"|comes?|out|then"
    r"|exactly|therefore|(?-i:G)_?0?(?![\d.])|that)){0,6} ?",
    re.IGNORECASE,
)
_CHAINED = re.compile(r" ?(?:=|≈) ?")
_OTHERS = re.compile(
    r"(?<![A-Za-z])(?-i:[ARQ])(?:_|(?![A-Za-z]))|advantage|优势|target|目标|baseline|组|group|average|mean|均值|平均"
    r"|weight|权重"
    r"|折扣和|discounted sum|\b(?:if|would|instead|without|every|each)\b|如果|改成|每",
    re.IGNORECASE,
)


def backwards(own: Given) -> Read | None:
    if own.lists.keys() - {"deltas"} or own.unnamed or own.everywhere is not None or own.at_the_end is not None:
        return None
    if set(own.numbers) - {"gamma", "lam"} or _OTHERS.search(own.body):
        return None
    row = _ROW.search(own.body) if "deltas" not in own.lists else None
    listed = own.lists.get("deltas", ()) if row is None else [Fraction(x) for x in re.findall(rf"-?{U}", row["row"])]
    told, rest = _told(without(own.body, [row.span()] if row else []))
    gamma = own.numbers.get("gamma", Fraction(1))
    if len(told) < 2 or re.search(r"\d", rest) or half_understood(rest):
        return None
    *given, (name, stated) = told
    known = {name: said[-1].value for name, said in given}
    deltas = {f"delta {k}": x for k, x in enumerate(listed)}
    if len(known) != len(given) or name in known or known.keys() & deltas.keys() or name in deltas:
        return None
    if gamma != 1 and "excess" in {name, *known}:
        return None
    correct = _following(name, {**deltas, **known}, gamma)
    return None if correct is None else Read(one(_written(name), correct, stated), "telescoping")


def _told(body: str) -> tuple[list[tuple[str, list[Figure]]], str]:
    """Every name with the numbers that stand behind it, and the words that are left."""
    every = figures(body)
    told: list[tuple[str, list[Figure]]] = []
    spans: list[tuple[int, int]] = []
    for found in _NAMED.finditer(body):
        link = _LINK.match(body, found.end())
        stated: list[Figure] = []
        at = link.end() if link else found.end()
        while (number := NUMERAL.match(body, at)) is not None:
            figure = next((x for x in every if x.end == number.end()), None)
            if figure is None or figure.both or figure.times or figure.relation:
                break
            stated.append(figure)
            chained = _CHAINED.match(body, figure.end)
            if chained is None:
                break
            at = chained.end()
        if stated:
            kind = next(n for n in ("excess", "value", "return", "delta") if found[n])
            told.append((f"delta {int(found['k'])}" if kind == "delta" else kind, stated))
            spans += [found.span(), *((x.start, x.end) for x in stated)]
        elif found["delta"] is None:
            spans.append(found.span())
    return told, without(body, spans)


def _following(name: str, known: Mapping[str, Fraction], gamma: Fraction) -> Fraction | None:
    """The one that is missing of G_0 − V_0 = Σ γ^k δ_k, with as many δ as are named."""
    steps = sorted(int(x.split()[1]) for x in {*known, name} if x.startswith("delta"))
    if not steps and {name, *known} == {"excess", "return", "value"}:
        if name == "excess":
            return known["return"] - known["value"]
        return known["value"] + known["excess"] if name == "return" else known["return"] - known["excess"]
    if not steps or len(steps) > LONGEST or steps != [*range(len(steps))]:
        return None
    if name.startswith("delta"):
        excess = _excess(known)
        k = int(name.split()[1])
        others = _sum({x: v for x, v in known.items() if x.startswith("delta")}, gamma, len(steps))
        return None if excess is None or not gamma else (excess - others) / gamma**k
    if "excess" in known:
        return None
    total = _sum(known, gamma, len(steps))
    if name == "excess":
        return total if not known.keys() & {"value", "return"} else None
    if name == "return":
        return known["value"] + total if "value" in known else None
    return known["return"] - total if "return" in known else None


def _excess(known: Mapping[str, Fraction]) -> Fraction | None:
    if "excess" in known:
        return known["excess"] if not known.keys() & {"value", "return"} else None
    return known["return"] - known["value"] if {"return", "value"} <= known.keys() else None


def _sum(known: Mapping[str, Fraction], gamma: Fraction, length: int) -> Fraction:
    row: Sequence[Fraction] = [known.get(f"delta {k}", Fraction(0)) for k in range(length)]
    return Fraction(sequences.discounted_sum(row, gamma))


def _written(name: str) -> str:
    if name.startswith("delta"):
        return rf"\delta_{{{name.split()[1]}}}"
    whole = r"\sum_k \gamma^k \delta_k"
    return {"return": f"G_0 = V_0 + {whole}", "value": f"V_0 = G_0 - {whole}", "excess": whole}[name]
