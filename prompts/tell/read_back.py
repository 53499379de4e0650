"""What was read, in one line: each list and parameter that a page computes with, and whose it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.notation import SYMBOLS, show
from engine.scenario import LISTS, PARAMETERS, Scenario
from lessons._lesson import Shown
from prompts.tell.ground import Grounded, emit
from prompts.tell.markdown import cell, inline
from prompts.tell.words import word

LONGEST = 8  # numbers of a list that are shown; of a longer one its two ends
ENDS = 3
WHOSE = ("learner", "earlier", "solved", "example")
_BACKWARDS = frozenset(["rewards", "scores", "values", "returns"])
_OF_POLICIES = frozenset(["ratio", "new_logp", "old_logp"])
_PENALISED = frozenset(["scores", "logp", "ref_logp", "kl_values"])
_GOES_WITH: Mapping[str, frozenset[str]] = {  # the lists that a parameter has a part in
    "gamma": _BACKWARDS, "lam": _BACKWARDS, "beta": _PENALISED, "kl": _PENALISED, "eps": _OF_POLICIES,
    "eps_low": _OF_POLICIES, "eps_high": _OF_POLICIES, "cliprange_value": frozenset(["vpreds"]),
}  # fmt: skip
_LETTERS = {"lams": "lam", "kl": "kl_values"}
_ESTIMATOR = "kl"


def read_back(language: str, scenario: Scenario, origin: Mapping[str, str], shown: Shown) -> str:
    """Empty where nothing of the learner's is computed with."""
    used = shown.facts.used if shown.facts else frozenset[str]()
    named = {whose: _named(scenario, origin, whose, used) for whose in WHOSE}
    if not used & {*named["learner"], *named["earlier"]}:
        return ""
    parts = [
        word(language, "read", whose).replace("{numbers}", _joined(language, scenario, names))
        for whose, names in named.items()
        if names
    ]
    return word(language, "read", "line").replace("{parts}", word(language, "read", "between").join(parts))


def _named(scenario: Scenario, origin: Mapping[str, str], whose: str, used: frozenset[str]) -> list[str]:
    """Everything that a message gives; of what stood before, and of the example, what is computed with."""
    names = [name for name in (*LISTS, *PARAMETERS) if origin.get(name) == whose]
    if whose == "example":
        own = {name for name in LISTS if origin.get(name) in ("learner", "earlier")} or {*LISTS}
        names = [name for name in names if own & _GOES_WITH.get(name, frozenset())]
        names = [name for name in names if not (name == _ESTIMATOR and scenario.kl_values)]
    if scenario.new_logp == scenario.old_logp:  # one list for both: before the update
        names = [name for name in names if name != "new_logp"]
    return names if whose == "learner" else [name for name in names if name in used]


def _joined(language: str, scenario: Scenario, names: Sequence[str]) -> str:
    return word(language, "read", "and").join(emit(_said(name, getattr(scenario, name))) for name in names)


def _said(name: str, x: Any) -> Grounded:
    letter = SYMBOLS[_LETTERS.get(name, name)][0]
    if isinstance(x, tuple):
        return Grounded(f"{inline(letter)} = {_row(x)}")
    return Grounded(f"{inline(letter)}: {x}") if isinstance(x, str) else inline(f"{letter} = {show(x).latex}")


def _row(numbers: Sequence[Any]) -> str:
    inside = [_row(x) if isinstance(x, tuple) else cell(x) for x in numbers]
    shown = inside if len(inside) <= LONGEST else [*inside[:ENDS], "…", *inside[-ENDS:]]
    return f"[{', '.join(shown)}]"
