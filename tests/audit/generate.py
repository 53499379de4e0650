"""Seeded cases of pasted numbers to be audited: message, and what of it is wrong."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tests.audit import wording
from tests.audit.held_out import HELD_OUT
from tests.audit.kinds import KINDS
from tests.audit.layouts import END, LAYOUTS, MARK, ONE_RESPONSE, Plan
from tests.audit.planting import ROUNDED, SLIPS
from tests.audit.sheets import Sheet, sheet, without_settings

_CELL = re.compile(f"{MARK}([^{END}]+){END}")
_LIKELIER = ("gae", "gae", "gae", "gae_from_scores", "gae_whitened")


@dataclass(frozen=True)
class Case:
    seed: int
    message: str
    language: str
    kind: str
    layout: str
    planted: str  # empty: all is right
    first: str | None  # the first wrong cell in the order of the text
    causes: frozenset[str]
    digits: int
    said: bool  # whether γ and λ are

    @property
    def held_out(self) -> bool:
        return self.layout in HELD_OUT


def case(seed: int) -> Case:
    """The case of a seed."""
    rng = random.Random(seed)
    language = rng.choice(("en", "zh"))
    name = rng.choice((*LAYOUTS, *HELD_OUT))
    kind = rng.choice(("gae", "mc", "reward_to_go")) if name in ONE_RESPONSE else rng.choice((*KINDS, *_LIKELIER))
    kind = "gae" if name == "worked" else kind
    made = _sheet(rng, kind, name)
    said = True
    if kind == "gae" and rng.random() < 0.2 and _solvable(made):
        made, said = without_settings(made), False
    first = rng.choice((None, 0, 0, 1)) if name != "worked" else rng.choice((0, 0, 1))
    length = len(made.columns[0].typed)
    words = tuple(rng.sample(wording.WORDS[language], length)) if rng.random() < 0.4 else None
    if "csv" in name and words:
        words = tuple(w.replace(",", "x").replace("，", "x") for w in words)
    manner = rng.choice(("symbol", "code", "en" if language == "en" else "zh", "en" if language == "en" else "zh"))
    plan = Plan(rng, made, language, manner, first, words)
    laid_out = {**LAYOUTS, **HELD_OUT}[name](plan)
    text = _told(rng, made, laid_out, language)
    order = _CELL.findall(text)
    wrong = next((where for where in order if where in made.wrong), None)
    if not order or (made.wrong and wrong is None):
        return case(seed + 10_000_019)
    shifts = {"reward_index_earlier", "reward_index_later"} if made.planted == "column_shift" else set()
    causes = made.causes | shifts | ({"arithmetic"} if name == "worked" and made.planted in SLIPS else set())
    return Case(seed, _CELL.sub("", text), language, kind, name, made.planted, wrong, causes, made.digits, said)


def _sheet(rng: random.Random, kind: str, layout: str) -> Sheet:
    while True:
        made = sheet(rng, kind)
        if layout == "worked" and not {"deltas", "advantages"} <= {c.name for c in made.columns}:
            continue
        return made


def _solvable(made: Sheet) -> bool:
    """Whether γ and λ follow from the sheet although something of it may be wrong."""
    names = {c.name for c in made.columns}
    slip = made.planted in ("", *SLIPS) and made.planted not in ("column_shift", ROUNDED)
    return slip and {"deltas", "advantages"} <= names and len(made.columns[0].typed) >= 5 and made.digits >= 3


def _told(rng: random.Random, made: Sheet, laid_out: str, language: str) -> str:
    lines = [rng.choice(wording.OPENINGS[language])]
    kind = {"gae_from_scores": "gae", "gae_whitened": "gae", "reward_to_go": "mc"}.get(made.kind, made.kind)
    needs_a_word = made.kind in ("grpo", "rloo")
    if needs_a_word or rng.random() < 0.3:
        lines.append(rng.choice(wording.KINDS[kind][language]).format(n=len(made.columns[0].typed)))
    settings = "\n".join(_settings(rng, made, language))
    before = rng.random() < 0.7
    lines += [settings, laid_out] if before else [laid_out, settings]
    lines += [_scalar(rng, name, x, language) for name, x in made.scalars]
    ask = rng.choice(wording.ASKS[language])
    lines = [ask, *lines] if rng.random() < 0.3 else [*lines, ask]
    gap = rng.choice(("\n", "\n\n"))
    return gap.join(line for line in lines if line)


def _settings(rng: random.Random, made: Sheet, language: str) -> list[str]:
    own = {name: f"{x:g}" for name, x in made.settings.items()}
    said = []
    if "gamma" in own and "lam" in own:
        said.append(rng.choice(wording.SETTINGS[language]).format(g=own["gamma"], l=own["lam"]))
    elif "gamma" in own:
        said.append(rng.choice(wording.ONLY_GAMMA[language]).format(g=own["gamma"]))
    for name, forms in (("beta", wording.BETAS), ("eps", wording.EPSILONS), ("cliprange_value", wording.CLIPRANGES)):
        if name in own:
            said.append(rng.choice(forms[language]).format(b=own[name], e=own[name]))
    return said


def _scalar(rng: random.Random, name: str, x: str, language: str) -> str:
    said = rng.choice(wording.SCALARS[name][language])
    return f"{said}{rng.choice((' = ', ': '))}{MARK}{name}{END}{x}"
