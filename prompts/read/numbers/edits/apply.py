"""Changes made: a scenario and edits to the scenario after them, or the error that says why one cannot be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.errors import EngineError
from prompts.read.numbers.cues import LISTS, SCALARS
from prompts.read.numbers.edits.edit import TOKENS, WHOLE, Edit, Place
from prompts.read.numbers.edits.targets import Context, by_token, index, indices, target_of

Params = Mapping[str, Any]
_REAL_TOKEN = 1.0  # a token that is put in is none of the padding


def applied(
    params: Params, edits: tuple[Edit, ...], context: Context
) -> tuple[dict[str, Any], tuple[str, ...], Context]:
    """The scenario after the changes, the names that they touched, and what they leave to speak of."""
    changed = {name: list(x) if isinstance(x, list | tuple) else x for name, x in params.items()}
    touched: list[str] = []
    for said in edits:
        edit = _about_the_same(said, changed, context)
        place = _spoken_of(changed, edit, context)
        names = _apply(changed, edit, context)
        touched += names
        spoken = next((name for name in names if name != TOKENS), context.touched)
        context = replace(context, touched=spoken, place=place)
    made = tuple(_as_made(edit, context) for edit in edits)
    return changed, tuple(dict.fromkeys(touched)), replace(context, changes=made or context.changes)


def _about_the_same(edit: Edit, params: Params, context: Context) -> Edit:
    """The last reward becomes 2. Actually make it 3: the number that was changed last."""
    one_number = edit.op in ("set", "add", "scale", "negate") and not isinstance(edit.operand, tuple)
    unsaid = edit.target is None and edit.place is WHOLE and isinstance(params.get(str(context.touched)), list)
    if unsaid and one_number and context.place is not None:
        return replace(edit, target=context.touched, place=context.place)
    return edit


def _spoken_of(params: Params, edit: Edit, context: Context) -> Place | None:
    """The one place that a change speaks of, as an index."""
    if edit.op == "insert":
        named = _list_of(edit.operand[0][0], replace(edit, target=target_of(edit, params, context)), params, context)
        there = isinstance(params.get(named), list)
        return Place("at", _gap(edit.place, named, params, context)) if there else context.place
    if edit.place.kind not in ("at", "value", "at_value", "label", "middle") or edit.target == TOKENS:
        return context.place
    name = (by_token(params) or ["mask"])[0] if edit.op == "mask" else target_of(edit, params, context)
    return Place("at", indices(edit.place, name, params, context)[0]) if isinstance(params.get(name), list) else None


def _apply(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    """One change in place; the names that it touched."""
    if edit.op in _BY_THEMSELVES:
        return _BY_THEMSELVES[edit.op](params, edit, context)
    name = target_of(edit, params, context)
    if edit.op == "insert":
        return _insert(params, replace(edit, target=name), context)
    if name == TOKENS:
        return _tokens(params, edit, context)
    if edit.place is WHOLE and (edit.op == "drop" or isinstance(edit.operand, tuple | str)) and name != "kl":
        return _whole(params, name, edit, context)
    if name in SCALARS or name == "kl":
        params[name] = _scalar(params, name, edit)
        params.pop("lams" if name == "lam" else "", None)
        return [name]
    present = params.get(name)
    if not isinstance(present, list):
        raise EngineError("nothing_to_change", field=name, position=())
    params[name] = _one_list(present, name, edit, params, context)
    return [name]


def _as_made(edit: Edit, context: Context) -> Edit:
    """A change as it can be made once more elsewhere."""
    return _elsewhere(edit, context) if edit.op == "instead" and context.changes else edit


def _elsewhere(edit: Edit, context: Context) -> Edit:
    """The last change, with what is said of it now."""
    last = context.changes[-1]
    moved = replace(
        last, target=edit.target or last.target, operand=last.operand if edit.operand is None else edit.operand
    )
    return moved if edit.place is WHOLE and edit.target not in SCALARS else replace(moved, place=edit.place)


def _instead(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    """The last change undone, and made elsewhere: no, I meant the last value."""
    other = bool(context.changes) and edit.operand not in (None, context.changes[-1].operand)
    if edit.operand is not None and (other or not context.changes):
        return _apply(params, replace(edit, op="set"), context)
    if not context.changes or context.previous is None:
        raise EngineError("nothing_to_restore", field=edit.target or "", position=())
    undone = _restore(params, Edit("restore", None, WHOLE, "previous"), context)
    return [*undone, *_apply(params, _elsewhere(edit, context), context)]


def _default(params: dict[str, Any], edit: Edit, _context: Context) -> list[str]:
    """A parameter as the running example has it, which is where it is taken from when it is not there."""
    params.pop(str(edit.target), None)
    return [str(edit.target)]


def _whole(params: dict[str, Any], name: str, edit: Edit, context: Context) -> list[str]:
    """A part as a whole: gone, as it is written, that of another name, or the two in each other's place."""
    if isinstance(edit.operand, tuple):
        params[name] = [list(x) if isinstance(x, tuple) else x for x in edit.operand]
        return [name]
    if name not in params:
        raise EngineError("nothing_to_change", field=name, position=())
    if edit.op == "drop":
        del params[name]
        return [name]
    if edit.op == "negate":
        params[name] = [_negated(x, edit.operand) for x in params[name]]
        return [name]
    other = target_of(Edit("set", edit.operand), params, context)
    if other not in params:
        raise EngineError("nothing_to_change", field=other, position=())
    if edit.op == "swap":
        params[name], params[other] = params[other], params[name]
        return [name, other]
    params[name] = params[other]
    return [name]


def _scalar(params: Params, name: str, edit: Edit) -> Any:
    if edit.op == "set":
        return edit.operand
    present = params.get(name)
    if not isinstance(present, int | float):
        raise EngineError("nothing_to_change", field=name, position=())
    return _ARITHMETIC[edit.op](present, edit.operand) if edit.op in _ARITHMETIC else present


def _plus(x: float, amount: float) -> float:
    """The sum as people write it: 0.9 − 0.1 is 0.8."""
    return float(f"{x + amount:.12g}")


def _times(x: float, factor: float) -> float:
    return float(f"{x * factor:.12g}")


def _negated(x: float, how: str | None) -> float:
    return -abs(x) if how == "negative" else 0.0 - x


_ARITHMETIC: Mapping[str, Callable[[float, Any], float]] = {
    "add": _plus,
    "scale": _times,
    "negate": _negated,
    "set": lambda _x, new: new,
}


def _one_list(present: list[Any], name: str, edit: Edit, params: Params, context: Context) -> list[Any]:
    if edit.op == "reverse":
        return present[::-1]
    if edit.op == "swap":
        (i,), (j,) = (indices(place, name, params, context) for place in (edit.place, edit.operand))
        swapped = {i: present[j], j: present[i]}
        return [swapped.get(k, x) for k, x in enumerate(present)]
    everywhere = edit.place is WHOLE and edit.op in ("add", "scale", "negate")
    places = indices(Place("every") if everywhere else edit.place, name, params, context)
    if edit.op == "drop":
        return [x for i, x in enumerate(present) if i not in places]
    if edit.op == "keep":
        return [x for i, x in enumerate(present) if i in places]
    if any(isinstance(x, list) for x in present):
        if not everywhere and edit.place.kind != "every":
            raise EngineError("which_position", field=name, position=())
        return [[_ARITHMETIC[edit.op](x, edit.operand) for x in row] for row in present]
    return [_ARITHMETIC[edit.op](x, edit.operand) if i in places else x for i, x in enumerate(present)]


def _tokens(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    """A change of every list by token; of the one list there is, where nothing is by token."""
    names = by_token(params) or [name for name in params if name in LISTS]
    if not names:
        raise EngineError("nothing_to_change", field="rewards", position=())
    places = edit.place if edit.place.kind != "value" else None
    if places is None:
        raise EngineError("which_position", field=TOKENS, position=())
    labelled = edit.place.kind == "label"
    at = indices(edit.place, names[0], params, context) if labelled else None
    for name in names:
        here = replace(edit, place=Place("at", at[0])) if at is not None else edit
        params[name] = _one_list(params[name], name, here, params, context)
    return names


def _insert(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    """New numbers at a gap, each in its list; a mask says that the token is real, spelt tokens do not fit any more."""
    pairs = [(_list_of(name, edit, params, context), x) for name, x in edit.operand]
    for name, _ in pairs:
        if not isinstance(params.get(name), list):
            raise EngineError("nothing_to_change", field=name, position=())
    gap = _gap(edit.place, pairs[0][0], params, context)
    for name, x in pairs:
        params[name] = [*params[name][:gap], x, *params[name][gap:]]
    whole_token = edit.target == TOKENS or pairs[0][0] in by_token(params)
    if whole_token and isinstance(params.get("mask"), list) and "mask" not in dict(pairs):
        params["mask"] = [*params["mask"][:gap], _REAL_TOKEN, *params["mask"][gap:]]
    if whole_token:
        params.pop(TOKENS, None)
    return [name for name, _ in pairs]


def _list_of(name: str | None, edit: Edit, params: Params, context: Context) -> str:
    target = edit.target if name is None and edit.target != TOKENS else name
    return target_of(replace(edit, target=target, place=WHOLE), params, context)


def _gap(place: Place, name: str, params: Params, context: Context) -> int:
    """Before which index something new goes."""
    length = len(params[name])
    if place.kind == "there":
        if context.place is None:
            raise EngineError("which_position", field=name, position=())
        return index(context.place.value, name, length + 1)
    if isinstance(place.value, Place):
        at = indices(place.value, name, params, context)[0]
    else:
        at = place.value % max(length, 1) if place.value == -1 else index(place.value, name, length + 1)
    return at + 1 if place.kind == "gap_after" else at


def _mask(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    names = [name for name in by_token(params) if name != TOKENS]
    if not names:
        raise EngineError("nothing_to_change", field="mask", position=())
    params.setdefault("mask", [_REAL_TOKEN] * len(params[names[0]]))
    places = indices(edit.place, "mask", params, context)
    params["mask"] = [edit.operand if i in places else x for i, x in enumerate(params["mask"])]
    return ["mask"]


def _restore(params: dict[str, Any], edit: Edit, context: Context) -> list[str]:
    """Everything, or one part, as it was before the last change or when it was first given."""
    before = context.first if edit.operand == "first" else context.previous
    if not before:
        raise EngineError("nothing_to_restore", field=edit.target or "", position=())
    if edit.target is None:
        now = dict(params)
        params.clear()
        params.update({name: list(x) if isinstance(x, list | tuple) else x for name, x in before.items()})
        return [name for name, x in params.items() if now.get(name) != x]
    name = target_of(replace(edit, op="set"), {**before, **params}, context)
    if name in params and before.get(name) == params[name]:
        before = context.first or before  # it was changed before the last change
    if name not in before:
        raise EngineError("nothing_to_restore", field=name, position=())
    params[name] = before[name]
    return [name]


_BY_THEMSELVES: Mapping[str, Callable[[dict[str, Any], Edit, Context], list[str]]] = {
    "restore": _restore,
    "default": _default,
    "mask": _mask,
    "instead": _instead,
}
