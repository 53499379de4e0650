"""How sentences about what is computed from what are built: strings of flow.toml's letters, each with what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from engine.flow import Cell
from engine.links import Kind, Link
from prompts.read.flow_words import Clause, Named

_LIST = "Q(?:[&+]Q)*+"


class Form(NamedTuple):
    """A pattern with the causes at a and the effects at b; `turned` where its words deny what it says."""

    kind: Kind
    pattern: re.Pattern[str]
    turned: bool = False


def _forms(kind: Kind, *patterns: str, turned: bool = False) -> list[Form]:
    spelt = [re.sub("([ab])", lambda m: f"(?P<{m[1]}>{_LIST})", pattern) for pattern in patterns]
    return [Form(kind, re.compile(pattern), turned) for pattern in spelt]


FORMS = (
    *_forms("moves", "a[MI]b[CL]?", "Ka[MK]b", "aKb", "atbMC?", "Katb[MK]", "bw[K]?a[KM]?", "b[KM]wa", "ia[KM],?b[KM]",
            "[KM]a&?,?b[KM]", "a[KM],b[KM]", "b[KM]iK?a[KM]?", "[KM]a,[KM]b", "bHa", "aLb", "abJ", "aKb[KM]", "bYa",
            "bJYa", "bjaM", "Ka,Kb"),
    *_forms("moves", "Ka,?bS", "a[KM],?bS", "bSiK?a[KM]?", "ia[KM],?bS", "KaVb[SO]?", "aVb[SO]",
            "[KM]a&?,?bS", "Ka,Sb", turned=True),
    *_forms("needs", "bC?Na", "CbNa", "bNaC", "bJC?Na", "CbJNa", "NaCb", "aZC?b", "CbZa"),
    *_forms("without", "bCUa", "UaC?b", turned=True),
    *_forms("needs", "bUa", "CbUa", "bJC?Ua", turned=True),
    *_forms("from", "bCFa", "bFa", "bFaC", "bFaM", "FaCb", "CbFa"),
    *_forms("related", "bRa", "a&bR", turned=True),
    *_forms("before", "aC?BbC?", "abBC?", "bC?AaC?", "PC?aC?,?TC?bC?", "aPC?,?TC?b", "CbBPC?a", "aC?TbC?"),
    *_forms("waits", "bC?WaC?A?C?", "bNaP", "CbWa", "CbPC?a", "C?bPNa"),
    *_forms("waits", "CbUWa", "bC?UWa", turned=True),
    *_forms("alone", "aO[MI]b", "a[MI]bO", "KaO?MbO", "KaOMb", "Ka,O[yK]?b[KM]"),
    *_forms("enough", "OgaE?Cb", "aOE[C]?b", "aEC?b", "aECb", "CbEa", "OaECb", "CbaE", "Cb,g?aE", "CbFaO", "OgaE?b",
            "CbOgaE?", "CbgaE"),
    *_forms("only", "bOC?Na", "bC?NOa", "bC?NaO", "CbONa", "bOYa", "bYOa", "bYaO", "bOFaM", "bOFaC", "bFaO", "bFaOC?",
            "bCFaO", "bOCFa", "CbOFa"),
)  # fmt: skip
_SET_ASIDE = str.maketrans("", "", "X=Dyvcq")
_LOSSES = frozenset({"policy_loss", "value_loss", "ratio"})
_TRAINING = re.compile(r"updat|train|gradient|更新|训练|梯度", re.IGNORECASE)
_RAW = re.compile(r"raw|unwhitened|原始|未白化", re.IGNORECASE)
_NETWORK = re.compile(r"critic|网络|头|模型|head|network|model", re.IGNORECASE)


def chained(clause: Clause) -> list[Link] | None:
    """Stages in a row: "scores → rewards → advantages", "rewards, then advantages, then values"."""
    letters = clause.letters.replace("=", "").replace("P", "")
    if re.fullmatch("Q(?:&Q)*+(?:,?TQ(?:&Q)*+){2,}", letters) is None:
        return None
    stages: list[list[Cell]] = [[]]
    named = iter(clause.named)
    for letter in letters:
        if letter == "T":
            stages.append([])
        elif letter == "Q":
            one = next(named)
            stages[-1].append(Cell(one.name, one.place))
    return [Link("before", tuple(a), tuple(b)) for a, b in pairwise(stages)]


def linked(clause: Clause) -> Link | None:
    """What a clause says, from first to last letter."""
    if re.fullmatch(r"Q=Q(?:\+Q)+", clause.letters):
        clause = clause._replace(letters=clause.letters.replace("=", "F"))
    if re.match("[^X]*&X", clause.letters):
        return None  # one is affirmed, the other denied
    clause = clause._replace(letters=clause.letters.replace("&X", "&").replace("Tg", "T"))
    letters = clause.letters.translate(_SET_ASIDE)
    for form in FORMS:
        match = form.pattern.fullmatch(letters)
        if match is None:
            continue
        causes, effects = (_of(clause.named, letters, match.span(side)) for side in "ab")
        denied = (clause.letters.count("X") % 2 == 1) != form.turned
        every = _of_every(clause.letters, form)
        if every is None:
            return None
        directly = "D" in clause.letters or _of_loss(letters, effects)
        trains = "Y" in letters and any(_TRAINING.search(one.written) for one in effects)
        kind: Kind = "needs" if form.kind == "moves" and (directly or trains) else form.kind
        if _open(kind, causes, effects, every=every):
            return None
        link = Link(
            kind,
            tuple(Cell(one.name, one.place) for one in causes),
            tuple(Cell(one.name, one.place) for one in effects),
            not denied,
            directly=directly,
            every=every,
            mode="may" if "c" in clause.letters else "always" if "v" in clause.letters else "",
            added="+" in letters,
            able="q" in clause.letters,
            network=any(_NETWORK.search(one.written) for one in causes),
        )
        return seen_from_effect(link)
    return None


_OF_ITS_SUBJECT = re.compile("T?FQC?|C[FU]Q|[NYMI]Q|QJ|LQ")  # 是从 returns 反推出来的, 不影响 returns, 不在 returns 里
_INTO_IT = re.compile("QIC?|QL")  # rewards 并不参与, there is no V in them


def going_on(clause: Clause, before: Clause, link: Link) -> Link | None:
    """What a clause says whose subject, or what it goes into, stands in the one before."""
    letters = re.sub(_LIST, "Q", clause.letters.translate(_SET_ASIDE))
    if "y" in clause.letters or any(one.place != "any" for one in before.named) or not before.named:
        return None
    if _OF_ITS_SUBJECT.fullmatch(letters) and not re.match("[^Q]*Q[&+]", before.letters):
        return linked(Clause("Q" + clause.letters, (before.named[0], *clause.named)))
    if _INTO_IT.fullmatch(letters) and len(link.effects) == 1:
        name = link.effects[0].name
        return linked(Clause(clause.letters.rstrip("C") + "Q", (*clause.named, Named(name, "any", name))))
    return None


def _of_loss(letters: str, effects: tuple[Named, ...]) -> bool:
    """Whether it is said what stands in the formula of a loss."""
    return re.search("[HLIYNU]", letters) is not None and any(
        one.name in _LOSSES and not _TRAINING.search(one.written) for one in effects
    )


def _open(kind: Kind, causes: tuple[Named, ...], effects: tuple[Named, ...], *, every: bool) -> bool:
    """Whether one token may be meant or another, or training and not the forward pass."""
    placed = any(one.place not in ("any", "t") for one in (*causes, *effects))
    relative = any(one.place in ("later", "earlier") or one.place.startswith("t") for one in causes)
    if (every and (relative or any(one.place != "any" for one in effects))) or (
        kind in ("only", "enough") and any(one.place != "any" for one in (*causes, *effects))
    ):
        return True
    for effect in effects:
        names = {cause.name for cause in causes}
        single = effect.place == "t" or not effect.written.lower().endswith(("s", "奖励"))
        if "scores" in names and effect.name in ("rewards", "deltas") and kind == "moves" and single and not every:
            return True
        anywhere = any(cause.place == "any" and cause.name in ("rewards", "values", "lam") for cause in causes)
        if (
            effect.place == "t"
            and anywhere
            and (effect.name == "deltas" or ("lam" in names and effect.name in ("advantages", "returns")))
        ):
            return True
        if effect.name == "values" and _NETWORK.search(effect.written) and kind != "from" and kind != "waits":
            return True
        if effect.name == "policy_loss" and any(_RAW.search(cause.written) for cause in causes):
            return True
        if (effect.name.endswith("loss") or effect.name == "update") and (placed or kind in ("only", "enough")):
            return True
        if kind == "alone" and (effect.place == "any" or len(effects) > 1 or len(causes) > 1):
            return True
    return False


def _of_every(letters: str, form: Form) -> bool | None:
    """Whether it is said of every token of the effect; nothing where "every" may mean something else.

    "Not every" denies it, "every … not" says it of none.
    """
    if "y" not in letters or form.turned or (form.kind in ("from", "needs") and re.fullmatch("yQ[^yX]*", letters)):
        return False
    before, _, behind = letters.partition("y")
    cause_first = form.pattern.groupindex["a"] < form.pattern.groupindex["b"]
    if not cause_first or form.kind != "moves" or set("y&") & set(behind) or "Q" not in before or behind[:1] != "Q":
        return None
    return not set("XS") & set(behind)


def _of(named: tuple[Named, ...], letters: str, span: tuple[int, int]) -> tuple[Named, ...]:
    start, count = letters[: span[0]].count("Q"), letters[slice(*span)].count("Q")
    return named[start : start + count]


def seen_from_effect(link: Link) -> Link | None:
    """The causes as they lie from the effect's token; nothing where two kinds of places are mixed."""
    if len({cell.place for cell in link.effects}) > 1:
        return None
    place = link.effects[0].place
    pairs = [_seen(cell, place) for cell in link.causes]
    if None in pairs:
        return None
    causes = tuple(pair[0] for pair in pairs if pair is not None)
    at = {pair[1] for pair in pairs if pair is not None}
    if len(at) > 1:
        return None
    return replace(link, causes=causes, effects=tuple(replace(cell, place=next(iter(at))) for cell in link.effects))


def _seen(cause: Cell, place: str) -> tuple[Cell, str] | None:
    """The cause and where its effect is, "any" for each token in turn."""
    at = cause.place
    if place in ("later", "earlier"):
        other = {"later": "earlier", "earlier": "later"}[place]
        return (replace(cause, place=other), "any") if at in ("any", "t", other) else None
    if place.startswith("t"):
        step = int(place[1:] or 0)
        if at.startswith("t"):
            away = int(at[1:] or 0) - step
            return replace(cause, place=f"t{away:+d}" if away else "t"), "any"
        return (cause, "any") if at == "any" or (at in ("later", "earlier") and not step) else None
    if place == "any":
        return (replace(cause, place="any") if at == "t" else cause), "any"
    return (cause, place) if not at.startswith("t") and at not in ("later", "earlier") else None
