"""The scenario under the learner's hand: read at the door, changed by one edit at a time, written again as text."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import PER_TOKEN, Scenario, scenario
from prompts.bench.computing import computed
from prompts.beside import as_text, parts

LONGEST_CELL = 4_000  # characters typed or pasted into one cell
LONGEST_TOKEN = 60
LONGEST_OWN = 1_000  # characters of a text to be cut or run
LISTS = ("scores", "logp", "ref_logp", "kl_values", "rewards", "values", "mask", "new_logp")  # that can be typed into
SETTINGS = ("gamma", "lam", "beta", "eps")
DERIVED = {"kl_values": "kl", "rewards": "rewards"}  # lists that are computed until they are typed into
KEPT = 12  # decimals of one that was computed, once it is typed into
NEW_TOKEN = "…"
_UNSEEN = ("vpreds", "cliprange_value", "group_rewards")
_RESULTS = ("advantages", "returns")  # which others replace when a number is typed
_SEPARATORS = re.compile(r"[\s,;、|]+")
# What is typed in one place stands where another was, or would have been made from others.
_INSTEAD_OF: Mapping[str, tuple[str, ...]] = {
    "rewards": ("scores", "ref_logp", "kl_values"),
    "kl_values": ("ref_logp",),
    "ref_logp": ("kl_values",),
}


def opened(text: Any) -> Scenario:
    """The first response of what stands beside the conversation; where nothing does, the running example."""
    found = _first(scenario(parts(text)))
    if found.length == 0:  # settings alone are of the running example
        return RUNNING.merged(found.given())
    return found.merged({name: getattr(RUNNING, name) for name in SETTINGS if getattr(found, name) is None})


def is_batch(text: Any) -> bool:
    """Whether more than one response stands beside the conversation."""
    return scenario(parts(text)).batched


def written(given: Scenario) -> str:
    """As it stands beside the conversation; the untouched running example is nothing."""
    settings = {name: getattr(given, name) for name in SETTINGS if getattr(given, name) != getattr(RUNNING, name)}
    return as_text(settings if given == RUNNING.merged(settings) else lean(given).given())


def lean(given: Scenario) -> Scenario:
    """Without what nobody typed: parts of the running example that are not shown here, and a KL that is computed."""
    unseen = [name for name in _UNSEEN if getattr(given, name) == getattr(RUNNING, name)]
    twice = ["kl_values"] if given.logp is not None and given.ref_logp is not None else []
    return given.merged(dict.fromkeys([*unseen, *twice]))


def edited(given: Scenario, edit: Any) -> Scenario:
    """The scenario after one edit, or the EngineError that says why it cannot be made."""
    match edit:
        case {"do": "list", "name": str(name), "t": int(t), "text": str(text)} if name in LISTS:
            return _with_numbers(given, name, t, text)
        case {"do": "token", "t": int(t), "text": str(text)} if 0 <= t < given.length:
            tokens = list(given.tokens or (NEW_TOKEN,) * given.length)
            tokens[t] = text[:LONGEST_TOKEN] or NEW_TOKEN
            return given.merged({"tokens": tokens})
        case {"do": "set", "name": str(name), "text": str(text)} if name in SETTINGS:
            return given.merged({name: typed_number(text, name, ())})
        case {"do": "preset", "name": str(name)} if name in presets():
            return presets()[name]
        case {"do": "tokens"}:
            return _cut(given, *own_texts(edit))
        case {"do": "longer"}:
            return _resized(given, given.length + 1)
        case {"do": "shorter"}:
            return _resized(given, given.length - 1)
    raise EngineError("not_an_object")


def own_texts(sent: Any) -> tuple[str, str]:
    """A prompt and a response, as they were pasted."""
    found = [sent.get(name) if isinstance(sent, Mapping) else None for name in ("prompt", "response")]
    prompt, response = (text.strip() if isinstance(text, str) else "" for text in found)
    if not response:
        raise EngineError("empty", field="response", position=())
    length = max(len(prompt), len(response))
    if length > LONGEST_OWN:
        raise EngineError("too_much_text", length=length, limit=LONGEST_OWN)
    return prompt, response


def _cut(given: Scenario, prompt: str, response: str) -> Scenario:
    """The texts as tokens, a reward at the end and values of nothing: what is known before a critic has read them."""
    from engine.models.tokens import display_pieces

    tokens = [piece.label for piece in display_pieces(response)]
    rewards = [*[0.0] * (len(tokens) - 1), 1.0]
    kept = {name: getattr(given, name) for name in SETTINGS}
    return scenario({**kept, "prompt": prompt, "tokens": tokens, "rewards": rewards, "values": [0.0] * len(tokens)})


@cache
def presets() -> Mapping[str, Scenario]:
    """What can be begun from, by name."""
    file = Path(__file__).with_name("presets.toml")
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: _over_running(preset) for name, preset in told.items()}


def _over_running(told: Mapping[str, Any]) -> Scenario:
    if not told:
        return RUNNING
    given = {**RUNNING.given(), **told}
    kept = {name: x for name, x in given.items() if x != ""}
    length = len(kept["values"])
    return lean(scenario({name: x for name, x in kept.items() if name not in PER_TOKEN or len(x) == length}))


def _first(given: Scenario) -> Scenario:
    """The first response of a batch, its padding with it."""
    if not given.batched:
        return given
    tokens = given.tokens[0] if given.tokens and not isinstance(given.tokens[0], str) else given.tokens
    rows = {name: given.rows(name)[0] for name in PER_TOKEN if getattr(given, name) is not None}
    return given.merged({"tokens": tokens, **rows})


def is_derived(name: str, given: Scenario) -> bool:
    """Whether a row that can be typed into is computed from the rows above it."""
    if given.rewards is not None:
        return False
    return name == "rewards" or (name == "kl_values" and given.logp is not None and given.ref_logp is not None)


def _before(name: str, given: Scenario) -> list[float]:
    """A list as it was shown; one that was not there is nothing."""
    row = getattr(given, name)
    if row is None and name in DERIVED and is_derived(name, given):
        found = computed(given).rows.get(DERIVED[name])
        row = found and [round(x or 0, KEPT) for x in found.numbers]
    return list(row or ((1.0 if name == "mask" else 0.0),) * given.length)


def _with_numbers(given: Scenario, name: str, t: int, text: str) -> Scenario:
    """A number typed into a list, or several pasted from there on."""
    if len(text) > LONGEST_CELL:
        raise EngineError("too_much_text", length=len(text), limit=LONGEST_CELL)
    row = _before(name, given)
    typed = _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text)).split() or [""]
    for place, one in enumerate(typed, start=t):
        if not 0 <= place < len(row):
            raise EngineError("no_such_position", place=place, field=name, position=(place,), length=len(row))
        row[place] = typed_number(one, name, (place,))
    gone = [*_RESULTS, *_INSTEAD_OF.get(name, ())]
    if name == "logp" and given.ref_logp is not None:
        gone.append("kl_values")
    return given.merged({**dict.fromkeys(gone), name: row})


def typed_number(text: str, name: str, position: tuple[int, ...]) -> float:
    """What was typed as a number."""
    plain = plainly(text)
    try:
        return float(plain)
    except ValueError:
        if plain:
            raise EngineError("word_in_list", field=name, position=position, value=text[:LONGEST_TOKEN]) from None
        raise EngineError("not_a_number", field=name, position=position) from None


def plainly(text: str) -> str:
    """With the signs and digits of any keyboard."""
    return unicodedata.normalize("NFKC", text).strip().replace("−", "-").replace("–", "-")


def _resized(given: Scenario, length: int) -> Scenario:
    """One token more, that changes nothing, or one less; lists that cannot be typed into are not kept."""
    if length < 1:
        raise EngineError("empty", field="tokens", position=())
    kept = {name: x for name, x in given.given().items() if name not in PER_TOKEN}
    for name in LISTS:
        row = getattr(given, name)
        if row is not None:
            kept[name] = (*row, *[1.0 if name == "mask" else 0.0] * (length - len(row)))[:length]
    if given.tokens is not None:
        kept["tokens"] = (*given.tokens, *[NEW_TOKEN] * (length - len(given.tokens)))[:length]
    return scenario(kept)
