"""Numbers set beside a message: their names read as leniently as in a text, results among them told from inputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.scenario import PARAMETERS, PER_TOKEN, Scenario
from prompts.read.characters import clean
from prompts.read.glossary import chinese_at, parts, phrase, symbol
from prompts.read.numbers.cues import OUTCOMES
from prompts.read.numbers.edits import fitted
from prompts.read.numbers.logs import PROBABILITIES

FIELDS = frozenset(Scenario.model_fields)
ONE_OR_THE_OTHER = {
    "lam": ("lams",), "lams": ("lam",), "eps": ("eps_low", "eps_high"), "eps_low": ("eps",), "eps_high": ("eps",),
}  # fmt: skip
LONGEST_NAME = 64  # characters of a name that is looked up
_ESTIMATORS = frozenset(["k1", "k2", "k3", "abs"])
_MEANT = {"std": "std_sample", "kl": "kl_values"}
_OWN_WORDS = {"vf": "values", "vf preds": "vpreds", "vf pred": "vpreds", "unbiased std": "std_sample", "abs": "abs"}
_COUNTS = frozenset(["length", "other"])  # what the lists say themselves, or what nothing is computed from
_NOT_SAID = frozenset(
    [
        "", "?", "-", "none", "null", "nan", "n/a", "na", "unknown", "unspecified", "not stated", "not given",
        "not specified", "not known", "default", "未知", "未给出", "没给", "没有给", "没说", "未说明", "不知道", "默认",
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Beside:
    """inputs: by the contract's names, and whatever has no meaning here; results: by the names of facts."""

    inputs: Mapping[str, Any] = field(default_factory=dict)
    results: Mapping[str, Any] = field(default_factory=dict)


def beside(given: Mapping[str, Any]) -> Beside:
    """Everything that was set beside a message under the name that it has here; the first of two of a name counts."""
    inputs: dict[str, Any] = {name: x for name, x in given.items() if name in FIELDS and not _unsaid(name, x)}
    results: dict[str, Any] = {}
    if isinstance(inputs.get("kl"), list):
        inputs.setdefault("kl_values", inputs.pop("kl"))
    for name, x in given.items():
        if name in FIELDS or not isinstance(name, str):
            continue
        meant = meaning(name)
        if meant in OUTCOMES or meant in _ESTIMATORS:
            results.setdefault(meant, x)
        elif meant in PROBABILITIES:
            inputs.setdefault(PROBABILITIES[meant], _logarithms(x))
        elif meant in FIELDS and not _unsaid(meant, x):
            inputs.setdefault(meant, x)
        elif meant not in (*FIELDS, *_COUNTS):
            inputs[name] = x
    return Beside(inputs, results)


def spoken_of(told: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a message gives itself, without single numbers of lists where the lists beside it are longer: talk."""
    longest = max((len(x) for name, x in inputs.items() if name in PER_TOKEN and isinstance(x, list)), default=0)
    return {name: x for name, x in told.items() if not (name in PER_TOKEN and longest > 1 and len(x) == 1)}


def with_typed(inputs: Mapping[str, Any] | None, told: Mapping[str, Any], origin: Mapping[str, str]) -> dict[str, Any]:
    """What was set beside the messages, and what they say: a typed number counts before one that is set."""
    typed = {name for name in told if origin.get(name) != "example"}
    overruled = {other for name in typed for other in ONE_OR_THE_OTHER.get(name, ())} - typed
    set_there = {name: x for name, x in (inputs or {}).items() if name not in overruled}
    own = {**told, **set_there, **{name: told[name] for name in typed}}
    brought = typed & {*PER_TOKEN}
    return fitted(own, brought, {*set_there} - typed) if len(brought) > 1 else own


def meaning(name: str) -> str:
    """The contract's name for a spelling, or the spelling itself."""
    words = parts(clean(name)[:LONGEST_NAME])
    own = _OWN_WORDS.get(" ".join(words))
    chinese = chinese_at(name, 0) if name else None
    sense = symbol(name) or phrase(words) or (chinese[1] if chinese and chinese[0] == name else None)
    meant = own or (sense.meaning if sense is not None else name)
    return _MEANT.get(meant, meant)


def _unsaid(name: str, x: Any) -> bool:
    """Whether a parameter is there in words only: that it was not stated."""
    return name in PARAMETERS and isinstance(x, str) and clean(x).strip().lower() in _NOT_SAID


def _logarithms(x: Any) -> Any:
    """Of probabilities; what is none is left for the door to refuse."""
    if isinstance(x, list):
        return [_logarithms(entry) for entry in x]
    probable = isinstance(x, int | float) and not isinstance(x, bool) and 0 < x <= 1
    return math.log(x) if probable else x
