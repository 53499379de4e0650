"""The learner's numbers through a conversation: what was given, what a message changes of it, whose each part is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from engine import quantities
from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import LISTS, PARAMETERS
from lessons._lesson import lessons
from prompts.read.beside import ONE_OR_THE_OTHER
from prompts.read.numbers import Numbers
from prompts.read.numbers.derived import DERIVED
from prompts.read.numbers.edits import Context, Edit, Place, applied, fitted, settled
from prompts.read.numbers.edits.edit import TOKENS, WHOLE
from prompts.read.numbers.edits.targets import target_of

Params = Mapping[str, Any]

# What is enough to compute with: nothing has to be taken from earlier turns beside one of these.
_COMPLETE = (
    {"rewards", "values"}, {"scores", "kl_values"}, {"logp", "ref_logp"}, {"new_logp", "old_logp", "advantages"},
    {"ratio", "advantages"}, {"vpreds", "old_values", "returns"}, {"group_rewards"}, {"advantages"},
)  # fmt: skip


@dataclass(frozen=True)
class Memory:
    """params: everything that was given and still stands; first: each part as it first was; previous: before the last
    change; touched and place: what was spoken of last; changes: the last ones; standing: parameters that were set
    before there was anything to compute with."""

    params: Params = field(default_factory=dict)
    first: Params = field(default_factory=dict)
    previous: Params | None = None
    touched: str | None = None
    place: Place | None = None
    changes: tuple[Edit, ...] = ()
    standing: Params = field(default_factory=dict)

    def after(self, params: Params, context: Context, changes: tuple[Edit, ...] = ()) -> Memory:
        """The memory once a message has changed the numbers."""
        if dict(params) == dict(self.params):
            return self
        first = {**params, **self.first}
        return Memory({**params}, first, self.params, context.touched, context.place, changes, self.standing)

    def agreed(self, params: Params) -> Memory:
        """The memory once parameters were set that hold for whatever is computed."""
        return replace(self, standing={**self.standing, **params})


@dataclass(frozen=True)
class Told:
    """What a message makes of the numbers."""

    given: Params
    origin: Mapping[str, str]
    memory: Memory
    notes: tuple[str, ...] = ()
    error: EngineError | None = None
    on_example: bool = False


def complete(numbers: Numbers) -> bool:
    """Whether a message brings enough to compute with."""
    lists = {name for name, x in numbers.params.items() if isinstance(x, list)}
    return any(need <= lists for need in _COMPLETE)


def on_its_own(numbers: Numbers) -> bool:
    """Whether a message names all the lists that its results follow from, not those that are worked back from them."""
    lists = {name for name, x in numbers.params.items() if isinstance(x, list)}
    return not DERIVED & {*numbers.notes} and any(need <= lists for need in _COMPLETE if need != {"advantages"})


def told(memory: Memory, base: Params, numbers: Numbers, lesson: str, *, lasting: bool) -> Told:
    """The numbers after a message. base: what it builds on; lasting: whether what it says is remembered."""
    own = _own(numbers)
    own = _as_known(own, base, numbers)
    base, numbers = _put_back(memory, base, numbers) if own else (base, numbers)
    own_lists = {name for name in own if name in LISTS and name not in numbers.mentions}
    example = _example_for(numbers, lesson) if not _has_lists({**base, **own}) else {}
    kept = {**example, **base}
    if len(own_lists - {"lams"}) > 1:  # numbers of their own: what does not fit them was about other tokens
        kept = fitted({**kept, **own}, own_lists, set(kept) - own_lists)
    overruled = {other for name in own for other in ONE_OR_THE_OTHER.get(name, ()) if other not in own}
    kept = {name: x for name, x in kept.items() if name not in overruled}
    context = Context(memory.touched, memory.place, memory.first, memory.previous, memory.changes)
    edits = _not_said_twice({**memory.params, **kept}, own, numbers.edits, context)
    try:
        changed, touched, context = applied({**kept, **own}, edits, context)
    except EngineError as refused:
        given = {**kept, **own}
        return Told(given, _origins(given, {*own}, base, example), memory, error=refused, on_example=bool(example))
    given, notes = settled(changed, {*touched, *own})
    given = fitted(given, touched, set(example) if example else {TOKENS})
    if TOKENS not in given:
        given.pop("prompt", None)
    if own and not numbers.edits:
        set_now = tuple(Edit("set", name, WHOLE, x) for name, x in own.items() if name in PARAMETERS)
        context = replace(context, changes=() if own_lists else set_now)
    spoken = next((name for name in own if name in PARAMETERS or name in LISTS), None)
    context = context if touched or spoken is None else replace(context, touched=spoken)
    return Told(
        given,
        _origins(given, {*own, *touched}, base, example),
        memory.after(
            given if own_lists or base is memory.params else {**memory.params, **given}, context, context.changes
        )
        if lasting
        else memory,
        notes if base or example else (),
        on_example=bool(example),
    )


def _put_back(memory: Memory, base: Params, numbers: Numbers) -> tuple[Params, Numbers]:
    """What a message builds on once it has put numbers back, and the rest of it: change it back, rewards become …"""
    back = tuple(edit for edit in numbers.edits if edit.op == "restore")
    context = Context(memory.touched, memory.place, memory.first, memory.previous, memory.changes)
    try:
        restored, _, _ = applied(base, back, context)
    except EngineError:
        return base, numbers
    return restored, replace(numbers, edits=tuple(edit for edit in numbers.edits if edit not in back))


def _not_said_twice(kept: Params, own: Params, edits: tuple[Edit, ...], context: Context) -> tuple[Edit, ...]:
    """Without the changes whose outcome is given as well: multiply the rewards by 10: rewards 0, 0, 10."""
    left = list(edits)
    for edit in edits:
        try:
            changed, touched, _ = applied(kept, (edit,), context)
        except EngineError:
            continue
        if touched and all(name in own and own[name] == changed.get(name) for name in touched):
            left.remove(edit)
    return tuple(left)


def _own(numbers: Numbers) -> dict[str, Any]:
    """What a message says itself. A single number of a list by token that is only spoken of sets nothing."""
    talk = [name for name in numbers.mentions if name in LISTS and name != "lams"]
    unset = {*(numbers.mentions if numbers.data else ()), *(talk if len(talk) == 1 and not complete(numbers) else ())}
    return {name: x for name, x in numbers.params.items() if name not in unset}


def _as_known(own: Params, base: Params, numbers: Numbers) -> dict[str, Any]:
    """The parameters of a message under the names that they have here; those that a change sets are left to it."""
    grouped = "group_rewards" in base and not {"rewards", "values"} & {*base} and "values" not in own
    if grouped and "group_rewards" not in own:  # another group's: and with rewards 1, 1, 1?
        own = {"group_rewards" if name in ("rewards", "scores") else name: x for name, x in own.items()}
    set_by_change = {edit.target for edit in numbers.edits}
    known = {
        name if name in LISTS else target_of(Edit("set", name), base, Context()): x
        for name, x in own.items()
        if name not in set_by_change or name in LISTS
    }
    return known


def _has_lists(params: Params) -> bool:
    return any(name in LISTS and name != "lams" for name in params)


def _origins(given: Params, own: set[str], base: Params, example: Params) -> dict[str, str]:
    """learner for what this message says or changes, earlier for what stands since before, example for the rest."""
    origin = {}
    for name, x in given.items():
        if name not in own and name in base and base[name] == x:
            origin[name] = "earlier"
        elif name not in own and name in example and example[name] == x:
            origin[name] = "example"
        else:
            origin[name] = "learner"
    return origin


def _example_for(numbers: Numbers, lesson: str) -> Params:
    """What a learner who changes a number of no list of theirs has seen: the running example's lists."""
    of_lists = [
        edit
        for edit in numbers.edits
        if edit.target not in PARAMETERS and not (edit.target is None and edit.place.kind == "whole")
    ]
    if not of_lists or all(edit.op == "set" and isinstance(edit.operand, tuple) for edit in of_lists):
        return {}
    if any(edit.target == "group_rewards" for edit in of_lists) or "grpo" in lessons()[lesson].quantities:
        return {"group_rewards": list(RUNNING.rows("group_rewards")[0])}
    derived = {name: x for name, x in _derived().items() if name in {edit.target for edit in of_lists} | {"rewards"}}
    return {**_seen(), **derived}


@cache
def _seen() -> Params:
    given = {name: x for name, x in RUNNING.given().items() if name not in PARAMETERS and name != "group_rewards"}
    return {name: list(x) if isinstance(x, tuple) else x for name, x in given.items()}


@cache
def _derived() -> Params:
    facts = {**quantities.facts("gae", RUNNING).exact, **quantities.facts("surrogate", RUNNING).exact}
    return {name: [float(x) for x in facts[name]] for name in ("rewards", "advantages", "returns", "ratio")}
