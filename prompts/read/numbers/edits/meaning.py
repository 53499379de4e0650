"""A clause to the changes that it means."""

from __future__ import annotations

from typing import Any

from prompts.read.numbers.edits.clause import GATHERING, MOVING, SCALINGS, Clause, Operand, is_scalar
from prompts.read.numbers.edits.edit import END, EVERY, FRONT, THERE, TOKENS, WHOLE, Edit, Place

GROUP = "group_rewards"


def meant(clause: Clause) -> list[Edit]:
    """The changes that a clause means; none where it does not say enough."""
    op = clause.op
    if op == "restore_first" or op == "restore_previous":
        return _restored(clause)
    if op in GATHERING or (op == "put" and _gap(clause) is not None):
        return _inserted(clause)
    if clause.factor is not None and clause.located:
        factor = 1 / clause.factor if op in ("lower", "divide") and clause.factor else clause.factor
        return [Edit("scale", target, _place(clause), factor) for target in _targets(clause) if target != TOKENS]
    if op in ("drop", "keep", "mask_out", "unmask"):
        return _taken_out(clause)
    if op == "default":
        return [Edit("default", name.value) for name in clause.strong_names if is_scalar(name)]
    if op == "swap":
        return _swapped(clause)
    if op in ("negate", "negative", "reverse", "zero"):
        return _on_each_target(clause, *_PLAIN[op])
    if op in SCALINGS:
        return _scaled_in_words(clause)
    if op in MOVING:
        return _moved(clause)
    return _set(clause)


_PLAIN: dict[str, tuple[str, Any]] = {
    "negate": ("negate", None),
    "negative": ("negate", "negative"),
    "reverse": ("reverse", None),
    "zero": ("set", 0.0),
}


# ---------------------------------------------------------------- targets and places


def _targets(clause: Clause) -> list[str | None]:
    """The lists and parameters that are named; weak names only where no other is."""
    named = [name.value for name in clause.strong_names] or [name.value for name in clause.names]
    if clause.response and set(named) <= {"rewards", "scores", GROUP}:
        return [GROUP]
    if named:
        return list(dict.fromkeys(named))
    return [GROUP] if clause.response else [TOKENS] if clause.token else [None]


def _place(clause: Clause) -> Place:
    places = [place for _, place in clause.places]
    if places:
        return places[-1] if places[0].kind == "at" and places[-1].kind == "label" else places[0]
    return EVERY if clause.every else WHOLE


def _located_or_at_value(clause: Clause) -> Place:
    """The place, or that of the number that is spoken of: drop the 4."""
    place = _place(clause)
    if place is WHOLE and clause.operands:
        return Place("value", clause.operands[0].value)
    return place


def _on_each_target(clause: Clause, op: str, operand: Any) -> list[Edit]:
    if not clause.located:
        return []
    place = EVERY if op == "set" and _place(clause) is WHOLE else _place(clause)
    return [Edit(op, target, place, operand) for target in _targets(clause) if target != TOKENS]


# ---------------------------------------------------------------- the operations


def _set(clause: Clause) -> list[Edit]:
    new, old = clause.new, clause.old
    names = clause.strong_names
    if clause.lists:
        return _set_to_list(clause)
    if new is None and clause.back_to and names:
        return [Edit("restore", name.value, WHOLE, "previous") for name in names]
    if new is None:
        wanted = clause.copies and len(names) > 1 and (clause.op is not None or clause.suppose)
        return [Edit("copy", names[0].value, WHOLE, names[1].value)] if wanted else []
    place = _place(clause)
    place = THERE if clause.its and place is WHOLE else place
    if place.kind == "at" and old is not None and not names:
        place = Place("at_value", (place.value, old.value))
    if names and all(is_scalar(name) for name in names):
        wanted = clause.op is not None or clause.suppose or new.group < 0
        return [Edit("set", name.value, WHOLE, new.value) for name in names] if wanted else []
    if place is WHOLE and old is not None:
        place = Place("value", old.value)
    bare = clause.op == "set" and not clause.others and not clause.names  # 还是改成 3 吧
    if place is WHOLE and not names and not (clause.back_to or clause.it or bare):
        return []
    if clause.op is None and place is WHOLE:
        return []
    targets = [t for t in _targets(clause) if t != TOKENS] or [None]
    return [Edit("set", target, place, new.value) for target in targets]


def _set_to_list(clause: Clause) -> list[Edit]:
    """A list for a list, where it stands behind its name."""
    names = [name for name in clause.strong_names if not is_scalar(name) and name.start < clause.lists[-1].start]
    wished = clause.op is not None or (clause.copies and clause.suppose)
    if not names or not wished or clause.operands:
        return []
    return [Edit("set", names[0 if clause.copies else -1].value, WHOLE, _frozen(clause.lists[-1].value))]


def _moved(clause: Clause) -> list[Edit]:
    """Raised, lowered, multiplied or divided by a number; to a number is a set."""
    new = clause.new
    if new is None or not (clause.located or clause.op in ("times", "divide")):
        return []
    if clause.op in ("raise", "lower", "plus") and new.role in ("into", "is") and not _led_by(clause, new):
        return _set(clause)
    times, amount = _amount(str(clause.op), new)
    op = "scale" if times else "add"
    return [Edit(op, target, _place(clause), amount) for target in _targets(clause) if target != TOKENS]


def _led_by(clause: Clause, new: Operand) -> bool:
    """Add 0.1 to every value: what stands behind "to" is where, and not how much."""
    return clause.op == "plus" and new.role == "none"


def _amount(op: str, new: Operand) -> tuple[bool, float]:
    """Whether it is a factor, and how large: by 50% is a factor, by 0.5 an amount."""
    if op == "times":
        return True, new.value
    if op == "divide":
        return True, 1 / new.value if new.value else 0.0
    sign = -1.0 if op == "lower" else 1.0
    return (True, 1 + sign * new.value) if new.percent else (False, sign * new.value)


def _scaled_in_words(clause: Clause) -> list[Edit]:
    factor = SCALINGS[str(clause.op)]
    return [
        Edit("scale", target, _place(clause), factor)
        for target in _targets(clause)
        if target != TOKENS and clause.located
    ]


def _taken_out(clause: Clause) -> list[Edit]:
    op = {"mask_out": "mask", "unmask": "mask"}.get(str(clause.op), str(clause.op))
    place = _located_or_at_value(clause)
    if op == "mask":
        place = THERE if place is WHOLE and clause.it else place
        keeps = 1.0 if clause.op == "unmask" else 0.0
        return [Edit("mask", "mask", place, keeps)] if place is not WHOLE else []
    if op == "drop" and place is WHOLE and clause.it and not clause.strong_names:
        return [Edit("drop", GROUP if clause.response else TOKENS, THERE)]
    if op == "keep" and place.kind not in ("span", "at", "at_value"):
        return []
    if place is WHOLE:
        alone = clause.strong_names and not clause.others and not clause.token
        removed = [name.value for name in clause.strong_names if not is_scalar(name)]
        return [Edit("drop", name) for name in removed] if alone and clause.op == "drop" else []
    targets = [TOKENS] if clause.token and not clause.strong_names else _targets(clause)
    return [Edit(op, target, place) for target in targets]


def _swapped(clause: Clause) -> list[Edit]:
    places = [place for _, place in clause.places]
    if len(places) == 1 and places[0].kind == "span" and places[0].value[1] == 2:
        places = [Place("at", 0), Place("at", 1)]
    if len(places) == 1 and places[0] == Place("span", (-2, None)):
        places = [Place("at", -1), Place("at", -2)]
    if len(clause.operands) == 2 and not places:
        first, second = (operand.value for operand in clause.operands)
        return [Edit("set", None, Place("value", first), second)]
    if len(places) == 2:
        return [Edit("swap", target, places[0], places[1]) for target in _targets(clause)]
    names = clause.strong_names
    return [Edit("swap", names[0].value, WHOLE, names[1].value)] if len(names) == 2 and not places else []


def _inserted(clause: Clause) -> list[Edit]:
    """A number, or a token with what belongs to it, at a gap; at the end where none is named."""
    if clause.lists and clause.strong_names:
        return [Edit("set", clause.strong_names[-1].value, WHOLE, _frozen(clause.lists[-1].value))]
    pairs = _pairs(clause)
    if not pairs:
        return []
    gap = _gap(clause) or END
    if clause.response:
        pairs = [(None if name in ("rewards", "scores", GROUP) else name, x) for name, x in pairs]
    target = GROUP if clause.response else TOKENS if clause.token or len(pairs) > 1 else None
    if target is None and pairs[0][0] is not None:
        target = pairs[0][0]
    return [Edit("insert", target, gap, tuple(pairs))]


def _pairs(clause: Clause) -> list[tuple[str | None, float]]:
    """Names with their numbers, whichever of the two comes first."""
    order = [(kind, x) for kind, x in clause.order if kind == "number" or not is_scalar(x)]
    numbers = [x for kind, x in order if kind == "number"]
    names = [x for kind, x in order if kind == "name"]
    if len(numbers) == 1 and not names:
        return [(None, numbers[0].value)]
    if len(numbers) == 1 and len(names) >= 1:
        strong = [name for name in names if name.kind == "strong"] or names
        return [(strong[-1].value, numbers[0].value)]
    named_first = bool(order) and order[0][0] == "name"
    pairs: list[tuple[str | None, float]] = []
    for i, (kind, x) in enumerate(order):
        if kind != "number":
            continue
        neighbour = (
            order[i - 1] if named_first and i else order[i + 1] if not named_first and i + 1 < len(order) else None
        )
        if neighbour is not None and neighbour[0] == "name":
            pairs.append((neighbour[1].value, x.value))
    return pairs


def _gap(clause: Clause) -> Place | None:
    """Where something new goes."""
    for word, place in clause.places:
        if place.kind.startswith("gap") or place.kind == "there":
            return place
        if word == "before":
            return Place("gap_before", place)
        if word in ("after", "between"):
            return Place("gap_after", place)
    if clause.places and clause.op == "insert":
        return Place("gap_before", clause.places[0][1])
    return FRONT if clause.op == "prepend" else None


def _restored(clause: Clause) -> list[Edit]:
    if clause.new is not None:
        clause.back_to = True
        return _set(clause)
    when = "first" if clause.op == "restore_first" else "previous"
    names = [name.value for name in clause.strong_names]
    if clause.operands or (not names and clause.others > 3):
        return []
    return [Edit("restore", name, WHOLE, when) for name in names] or [Edit("restore", None, WHOLE, when)]


def _frozen(value: list[Any]) -> tuple[Any, ...]:
    return tuple(_frozen(x) if isinstance(x, list) else x for x in value)
