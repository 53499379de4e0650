"""What a change speaks of, among what is there: the list, the places in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.scenario import PER_TOKEN
from prompts.read.numbers.cues import LISTS, SCALARS
from prompts.read.numbers.edits.edit import TOKENS, Edit, Place

# What a name may stand for where nothing of that name was given.
_STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    "rewards": ("group_rewards", "scores"),
    "scores": ("group_rewards", "rewards"),
    "group_rewards": ("rewards",),
    "values": ("old_values", "vpreds"),
    "vpreds": ("values",),
    "old_values": ("values",),
    "eps": ("cliprange_value",),
    "cliprange_value": ("eps",),
    "new_logp": ("vpreds", "logp"),
    "old_logp": ("old_values", "logp"),
    "logp": ("new_logp",),
    "ref_logp": ("old_logp",),
}
_SAME = 1e-9


@dataclass(frozen=True)
class Context:
    """What was spoken of before: the name that was changed last, the place, and how the numbers were earlier."""

    touched: str | None = None
    place: Place | None = None
    first: Mapping[str, Any] | None = None  # each part as it was first given
    previous: Mapping[str, Any] | None = None  # everything as it was before the last change
    changes: tuple[Edit, ...] = ()  # the last ones


def list_names(params: Mapping[str, Any]) -> list[str]:
    """The lists whose numbers can be changed, in the order in which they were given."""
    return [name for name, x in params.items() if name in LISTS and name != "mask" and isinstance(x, list)]


def target_of(edit: Edit, params: Mapping[str, Any], context: Context) -> str:
    """The name in the scenario that a change means."""
    if edit.target is None:
        return _unnamed(edit, params, context)
    if edit.target in params or edit.target == TOKENS:
        return edit.target
    others = [name for name in _STANDS_FOR.get(edit.target, ()) if name in params]
    if edit.target == "eps" and not others and "vpreds" in params:
        return "cliprange_value"
    return others[0] if others else edit.target


def _unnamed(edit: Edit, params: Mapping[str, Any], context: Context) -> str:
    names = list_names(params)
    if edit.place.kind in ("value", "at_value"):
        holding = [name for name in names if _holds(params[name], edit.place)]
        if len(holding) > 1 and context.touched in holding:
            holding = [str(context.touched)]
        holding += [name for name in params if name in SCALARS and edit.place == Place("value", params[name])]
        if len(holding) == 1:
            return holding[0]
        raise EngineError("which_position", field=names[0] if names else "list", position=())
    if context.touched in params and not (edit.place.kind == "whole" and context.touched in names):
        return str(context.touched)
    if len(names) == 1:
        return names[0]
    scalars = [name for name in params if name in SCALARS]
    if edit.place.kind == "whole" and edit.op in ("set", "add", "scale") and len(scalars) == 1:
        return scalars[0]
    if edit.op in ("insert", "drop", "swap", "keep") and names and "group_rewards" not in names:
        return TOKENS
    raise EngineError("which_list", field=", ".join(names), position=())


def _at_value(numbers: list[Any], wanted: float) -> list[int]:
    return [i for i, x in enumerate(numbers) if isinstance(x, int | float) and abs(x - wanted) <= _SAME]


def _holds(numbers: list[Any], place: Place) -> bool:
    """Whether the number that is spoken of stands in a list, at its place where one is named."""
    if place.kind == "value":
        return bool(_at_value(numbers, place.value))
    at, wanted = place.value
    return -len(numbers) <= at < len(numbers) and at % len(numbers) in _at_value(numbers, wanted)


def by_token(params: Mapping[str, Any]) -> list[str]:
    """The lists with one number for every token of one response."""
    return [name for name in PER_TOKEN if isinstance(params.get(name), list)] + (
        [TOKENS] if isinstance(params.get(TOKENS), list | tuple) else []
    )


def indices(place: Place, name: str, params: Mapping[str, Any], context: Context) -> list[int]:
    """The places of a list that a change means, as indices from 0."""
    present, kind = params[name], place.kind
    length = len(present)
    if kind == "every":
        return list(range(length))
    if kind in ("at", "at_value"):
        return [index(place.value if kind == "at" else place.value[0], name, length)]
    if kind == "span":
        first, end = place.value
        index((end or 0) - 1 if end else first, name, length)
        return list(range(length))[first:end]
    if kind == "there" and context.place is not None:
        return indices(context.place, name, params, context)
    found = _candidates(place, present, params, context)
    if len(found) != 1:
        raise EngineError("which_position", field=name, position=())
    return found


def _candidates(place: Place, present: list[Any], params: Mapping[str, Any], context: Context) -> list[int]:
    """Where the words fit; a change goes on only if that is one place."""
    length, kind = len(present), place.kind
    if kind == "middle":
        return [length // 2] if length % 2 else []
    if kind == "label":
        return [i for i, token in enumerate(params.get(TOKENS, ())) if token == place.value]
    if kind == "value":
        found = _at_value(present, place.value)
        spoken = context.place.value if context.place is not None else None
        return [i for i in found if i == spoken] if len(found) > 1 and isinstance(spoken, int) else found
    return [i for i, x in enumerate(present) if x] if length > 1 else [0]


def index(i: int, name: str, length: int) -> int:
    if not -length <= i < length:
        raise EngineError("no_such_position", field=name, position=(i,), length=length)
    return i % length
