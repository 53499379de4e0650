"""Names and numbers to params and claims: which list is given, which is a result."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from prompts.read.numbers.bind import Binding, Bound
from prompts.read.numbers.claims import separate_claims
from prompts.read.numbers.cues import SCALARS, SINGLE_OUTCOMES
from prompts.read.numbers.derived import derive
from prompts.read.numbers.draft import Draft, as_list
from prompts.read.numbers.enumeration import enumerated
from prompts.read.numbers.logs import convert_probabilities
from prompts.read.numbers.model import Unnamed
from prompts.read.numbers.pieces import (
    adopt,
    assemble,
    except_the_last,
    fill,
    next_value,
    one_number,
    rows,
)
from prompts.read.numbers.policies import owned, same_policy
from prompts.read.numbers.rename import renamed, subjects
from prompts.read.numbers.tables import Column
from prompts.read.numbers.token import Token
from prompts.read.numbers.wishes import as_wished
from prompts.read.numbers.working import work_out

_LENGTH = re.compile(r"(?<![A-Za-z])T ?(?:=|is|为|是) ?(\d{1,4})(?!\d|\.\d)")
IGNORED = frozenset(["other", "tokens", "next_value", "log_ratio"])
_PENALISED = frozenset(["logp", "ref_logp", "kl_values", "old_logp"])
_POLICIES = frozenset(["new_logp", "old_logp", "ref_logp", "logp", "ratio"])


def resolve(
    text: str,
    tokens: list[Token],
    bound: Bound,
    columns: list[Column],
    skip: frozenset[int],
    known: frozenset[str] = frozenset(),
) -> Draft:
    """Everything that was bound, sorted into what is given and what is claimed.

    skip: groups that are edits; known: names that were given before.
    """
    draft = Draft(text)
    kept = [replace(b, name=owned(b.name, b.place, tokens)) for b in bound.bindings if b.group.first not in skip]
    names = {b.name for b in kept} | {c.name for c in columns}
    present = subjects(text, names)
    named = [b for b in kept if not _idle(b, names)]
    keys = {(b.name, b.weak) for b in named} | {(c.name, c.weak) for c in columns}
    meant = {(name, weak): renamed(name, weak, present) for name, weak in keys}
    named = [replace(b, name=meant[b.name, b.weak]) for b in named]
    lists = len(columns) + sum(
        not found.scalar for found in [b.group for b in kept] + [found for found, _ in bound.loose]
    )
    named = as_wished(named, {*meant.values()}, tokens, draft, lists)
    for binding in named:
        _take(draft, binding)
    _take_lams(draft, named)
    draft.bare = {name for name in draft.bare if len(draft.params[name]) == 1}
    except_the_last(draft)
    for column in columns:
        _take_column(draft, meant[column.name, column.weak], column.value)
    draft.unnamed += [
        Unnamed(found.value, found.start, found.end, None, result)
        for found, result in bound.loose
        if not found.scalar and not found.elided and found.first not in skip
    ]
    next_value(draft, named)
    work_out(draft)
    assemble(draft)
    adopt(draft)
    fill(draft)
    rows(draft)
    convert_probabilities(draft)
    same_policy(draft)
    separate_claims(draft, bound, known)
    said = _LENGTH.search(text) if draft.audit and draft.lists() & {"rewards", "values"} else None
    if said is not None:
        draft.claimed["T"] = float(said[1])
    derive(draft)
    return draft


def _idle(binding: Binding, names: set[str]) -> bool:
    """A weak name with a single number says nothing, unless its counterpart is there: old -0.3, new -0.4."""
    paired = binding.name in _POLICIES and len(names & _POLICIES) > 1
    paired = paired or (binding.name == "scores" and bool(names & _PENALISED))
    paired = paired or binding.name in SINGLE_OUTCOMES
    return binding.weak and binding.group.scalar and binding.name not in SCALARS and not paired


def _take(draft: Draft, binding: Binding) -> None:
    """One binding to where it belongs."""
    name, value, indexed = binding.name, binding.value, isinstance(binding.index, int)
    if name in IGNORED or value is None:
        return
    if binding.group.elided and name not in SCALARS:
        draft.notes.append("list_elided")
    elif name == "length":
        draft.length = int(value) if isinstance(value, float) and 1 <= value <= 4096 else None
    elif name in SCALARS:
        _scalar(draft, binding)
    elif indexed and not binding.group.bracketed and isinstance(binding.index, int):
        draft.elements.setdefault(name, {}).setdefault(binding.index, as_list(value)[0])
    elif isinstance(value, list):
        draft.give(name, value, binding.group)
    elif name in SINGLE_OUTCOMES:
        draft.params.setdefault(name, value)
    else:
        one_number(draft, binding)


def _take_column(draft: Draft, name: str, value: list[Any]) -> None:
    """A column of a parameter holds one number, or the λs of a sweep."""
    if name not in SCALARS:
        draft.give(name, value, None)
        return
    numbers = list(dict.fromkeys(x for x in value if x is not None))
    if len(numbers) == 1:
        draft.params[name] = numbers[0]
    elif name == "lam" and numbers:
        draft.params["lams"] = numbers


def _take_lams(draft: Draft, named: list[Binding]) -> None:
    """Several values of λ in one message are a sweep."""
    lams = [lam for binding in named if binding.name == "lam" for lam in _in_reach(binding, draft.text)]
    if len(set(lams)) > 1:
        draft.params["lams"] = list(dict.fromkeys(lams))
        draft.params.pop("lam", None)


def _scalar(draft: Draft, binding: Binding) -> None:
    """A parameter: one number. Several of γ, β or ε stand apart; those of λ are taken together."""
    flat = _in_reach(binding, draft.text)
    if len(flat) == 1:
        draft.params[binding.name] = flat[0]
    elif binding.name != "lam" and flat:
        draft.unnamed.append(Unnamed(flat, binding.group.start, binding.group.end, binding.name))


def _in_reach(binding: Binding, text: str) -> list[float]:
    """The numbers of a parameter; in a bare run that is no enumeration, what is outside [0, 1] belongs elsewhere."""
    flat = [x for x in as_list(binding.value) if isinstance(x, float)]
    if binding.group.bracketed or enumerated(text, binding.group):
        return flat
    end = next((i for i, x in enumerate(flat) if i and not 0 <= x <= 1), len(flat))
    return flat[:end]
