"""Names and numbers to params and claims: which list is given, which is a result, what an old/new/ref without a noun means."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import Any

from prompts.read.numbers.bind import LISTS, SCALARS, Binding, Bound
from prompts.read.numbers.groups import Group
from prompts.read.numbers.model import Unnamed
from prompts.read.numbers.tables import Column
from prompts.read.numbers.words import AUDIT, CLIP, EVERYWHERE, GROUP, MC, ONLY_LAST, SUMMED, VALUE_LOSS, WHITEN

PROBABILITIES = {"prob": "logp", "ref_prob": "ref_logp", "new_prob": "new_logp", "old_prob": "old_logp"}
OUTCOMES = frozenset(
    "deltas mc_returns mc_advantages whitened mean std_sample std_population objective objective_terms clipped unclipped surrogate"
    " clipfrac vf_loss vf_clipfrac weights n_step_advantages baselines centered delta_sum advantage_sum excess k1 k2 k3".split()
)
SUMS = frozenset(
    "mean std_sample std_population objective surrogate clipfrac vf_loss vf_clipfrac delta_sum advantage_sum excess".split()
)
IGNORED = frozenset(["other", "length", "tokens", "next_value", "log_ratio"])


@dataclass
class Draft:
    """What is being put together from one message."""

    text: str
    params: dict[str, Any] = field(default_factory=dict)
    claimed: dict[str, Any] = field(default_factory=dict)
    unnamed: list[Unnamed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    elements: dict[str, dict[int, Any]] = field(default_factory=dict)
    fills: dict[str, tuple[str, float]] = field(default_factory=dict)  # name → (last or all, number)
    bare: set[str] = field(default_factory=set)  # lists that came as one number
    length: int | None = None

    def give(self, name: str, value: Any, group: Group | None) -> None:
        """The first list of a name counts; a second one stands apart with its name."""
        if name in self.params and name not in SCALARS and group is not None:
            self.unnamed.append(Unnamed(as_list(value), group.start, group.end, name))
        else:
            self.params[name] = value


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def resolve(text: str, bound: Bound, columns: list[Column], skip: frozenset[int]) -> Draft:
    """Everything that was bound, sorted into what is given and what is claimed. skip: groups that are edits."""
    draft = Draft(text)
    kept = [b for b in bound.bindings if b.group.first not in skip]
    present = {b.name for b in kept} | {c.name for c in columns}
    meant = {
        key: _renamed(key[0], present, text, key[1])
        for key in {(b.name, b.weak) for b in kept} | {(c.name, False) for c in columns}
    }
    named = [replace(b, name=meant[b.name, b.weak]) for b in kept if not _idle(b, present)]
    lams: list[float] = []
    for binding in named:
        if binding.group.elided and binding.name not in SCALARS:
            draft.notes.append("list_elided")
            continue
        _take(draft, binding, lams)
    for column in columns:
        draft.give(meant[column.name, False], column.value, None)
    for found, result in bound.loose:
        if not found.scalar and not found.elided and found.first not in skip:
            draft.unnamed.append(Unnamed(found.value, found.start, found.end, None, result))
    if len(set(lams)) > 1:
        draft.params["lams"] = list(dict.fromkeys(lams))
        draft.params.pop("lam", None)
    _next_value(draft, named)
    _assemble(draft)
    _adopt(draft)
    _fill(draft)
    _probabilities(draft)
    _claims(draft)
    _results(draft, bound)
    return draft


# ---------------------------------------------------------------- names that need their neighbours


def _idle(binding: Binding, present: set[str]) -> bool:
    """A weak name with a single number says nothing, unless its counterpart is there: old -0.3, new -0.4."""
    return binding.weak and binding.group.scalar and binding.name not in SCALARS and not _pairs(binding.name, present)


def _pairs(name: str, present: set[str]) -> bool:
    return (
        name in ("new_logp", "old_logp", "ref_logp")
        and len(present & {"new_logp", "old_logp", "ref_logp", "logp", "ratio"}) > 1
    )


def _renamed(name: str, present: set[str], text: str, weak: bool = False) -> str:  # noqa: C901, PLR0911, PLR0912 - one table of cases
    value_loss = "vpreds" in present or "cliprange_value" in present or bool(VALUE_LOSS.search(text))
    lists = present & LISTS
    if name == "std":
        return "std_sample"
    if name == "eps" and value_loss and not present & {"ratio", "new_logp"}:
        return "cliprange_value"
    if value_loss and name == "values" and "old_values" not in present and lists & {"vpreds", "returns"}:
        return "old_values" if "vpreds" in present or "new_logp" in present else name
    if value_loss and weak and name == "old_logp":
        return "old_values"
    if value_loss and weak and name == "new_logp":
        return "vpreds"
    if value_loss and name == "deltas":
        return name
    if name == "logp" and "old_logp" in present and "ref_logp" not in present and "new_logp" not in present:
        return "new_logp"
    if name == "logp" and weak and "logp" in present and "new_logp" in present:
        return "new_logp"
    if name == "old_logp" and not weak and "ref_logp" in present and not present & {"logp", "new_logp", "advantages"}:
        return "logp"
    if name == "new_logp" and "old_logp" not in present and "ref_logp" in present:
        return "logp"
    if name in ("prob", "new_prob") and "old_prob" in present and "ref_prob" not in present:
        return "new_prob"
    if (
        name in ("old_prob", "new_prob")
        and "ref_prob" in present
        and "prob" not in present
        and not {"old_prob", "new_prob"} <= present
    ):
        return "prob"
    if name == "ref_logp" and weak and present & {"prob"} and "logp" not in present:
        return "ref_prob"
    if (
        name in ("old_logp", "new_logp")
        and weak
        and present & {"prob", "old_prob", "new_prob"}
        and "logp" not in present
    ):
        return name.replace("logp", "prob")
    grouped = GROUP.search(text) and not present & {"values", "deltas", "kl_values", "logp", "mask"}
    if grouped and name in ("rewards", "scores", "returns") and "group_rewards" not in present:
        return "group_rewards" if name != "returns" or not present & {"rewards", "scores"} else name
    if (
        name == "rewards"
        and {"advantages", "eps"} <= present
        and not present & {"values", "ratio", "new_logp"}
        and CLIP.search(text)
    ):
        return "ratio"
    if name == "values" and "whitened" in present and not present & {"advantages", "rewards"}:
        return "advantages"
    if name == "whitened" and "advantages" not in present and present & {"ratio", "new_logp"}:
        return "advantages"
    return name


def _take(draft: Draft, binding: Binding, lams: list[float]) -> None:
    name, value = binding.name, binding.value
    if name in IGNORED:
        if name == "length" and isinstance(value, float) and 1 <= value <= 4096:
            draft.length = int(value)
        return
    if name == "lam":
        lams += _in_reach(binding)
    if name in SCALARS:
        _scalar(draft, binding)
    elif isinstance(value, list) and isinstance(binding.index, int) and not binding.group.bracketed:
        draft.elements.setdefault(name, {}).setdefault(binding.index, value[0])
    elif isinstance(value, list):
        draft.give(name, value, binding.group)
    elif value is None:
        return
    elif isinstance(binding.index, int):
        draft.elements.setdefault(name, {}).setdefault(binding.index, value)
    elif name in SUMS or name == "mean":
        draft.params.setdefault(name, value)
    else:
        _one_number(draft, binding)


def _scalar(draft: Draft, binding: Binding) -> None:
    """A parameter: one number; a single bracketed one too; [0, 1] is a range of λ, not a list of it."""
    value = binding.value
    if isinstance(value, list):
        flat = _in_reach(binding)
        if binding.name == "lam" and len(flat) > 1:
            return
        if len(flat) > 1:
            draft.unnamed.append(Unnamed(flat, binding.group.start, binding.group.end, binding.name))
        value = flat[0] if len(flat) == 1 else None
    if value is not None:
        draft.params[binding.name] = value


def _in_reach(binding: Binding) -> list[float]:
    """The numbers of a parameter; in a bare run, what lies outside [0, 1] behind the first belongs to something else."""
    flat = [x for x in as_list(binding.value) if isinstance(x, float)]
    if binding.group.bracketed:
        return flat
    end = next((i for i, x in enumerate(flat) if i and not 0 <= x <= 1), len(flat))
    return flat[:end]


def _one_number(draft: Draft, binding: Binding) -> None:
    """A quantity by token that came as one number: the last reward, the same everywhere, or a response of one token."""
    around = draft.text[max(0, binding.group.start - 24) : binding.group.end + 16]
    before = draft.text[max(0, binding.group.start - 24) : binding.group.start]
    if (
        binding.name == "mask"
        and len(digits := draft.text[binding.group.start : binding.group.end]) > 1
        and set(digits) <= {"0", "1"}
    ):
        draft.give("mask", [float(d) for d in digits], binding.group)
    elif binding.name in ("deltas", "advantages") and SUMMED.search(before[-12:]):
        draft.params.setdefault("delta_sum" if binding.name == "deltas" else "advantage_sum", binding.value)
    elif binding.name in ("rewards", "scores") and ONLY_LAST.search(around):
        draft.fills.setdefault(binding.name, ("last", binding.value))
    elif EVERYWHERE.search(before) or binding.name in ("old_values", "returns", "vpreds"):
        draft.fills.setdefault(binding.name, ("all", binding.value))
    else:
        if binding.name not in draft.params:
            draft.params[binding.name] = [binding.value]
            draft.bare.add(binding.name)
        elif binding.name in draft.bare:
            draft.params[binding.name].append(binding.value)


# ---------------------------------------------------------------- lists from pieces


def _assemble(draft: Draft) -> None:
    """r_0 = …, r_1 = …, … without a gap is a list; counting may begin at 0 or 1."""
    for name, found in draft.elements.items():
        first = min(found)
        whole = first in (0, 1) and sorted(found) == list(range(first, first + len(found)))
        if whole and len(found) > 1 and name not in draft.params:
            draft.params[name] = [found[i] for i in sorted(found)]
        elif AUDIT.search(draft.text):
            draft.claimed |= {f"{name}[{i}]": x for i, x in found.items()}


def _next_value(draft: Draft, named: list[Binding]) -> None:
    """r, V and V' of one step inside a response: no lists, only statements about a token t."""
    after = next((b for b in named if b.name == "next_value"), None)
    if after is None:
        return
    draft.claimed["values[t+1]"] = after.value
    for name in sorted(draft.bare & {"rewards", "values", "deltas"}):
        draft.claimed[f"{name}[t]"] = draft.params.pop(name)[0]
        draft.bare.discard(name)


def _fill(draft: Draft) -> None:
    """What was said of the last token or of all of them, once the length is known."""
    lengths = [
        len(v) for name, v in draft.params.items() if isinstance(v, list) and name != "lams" and name not in draft.bare
    ]
    length = max(lengths) if lengths else draft.length or _spoken_length(draft.text)
    for name, (how, number) in draft.fills.items():
        if name in draft.params:
            continue
        if length is None:
            draft.params[name] = [number]
            draft.bare.add(name)
        else:
            draft.params[name] = [number] * length if how == "all" else [0.0] * (length - 1) + [number]

    if "advantages" in draft.bare and len(draft.params["advantages"]) == 1 and length and "ratio" in draft.params:
        draft.params["advantages"] = draft.params["advantages"] * length


def _spoken_length(text: str) -> int | None:
    said = re.search(
        r"(\d{1,4}|[一二两三四五六七八九十]) ?个? ?(?:tokens?|字|词元|词)|T ?= ?(\d{1,4})(?![\d.])|\b(two|three|four|five|six|seven|eight) tokens",
        text,
    )
    if said is None:
        return None
    counts = dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
    words = dict(zip("two three four five six seven eight".split(), range(2, 9), strict=True))
    found = next(part for part in said.groups() if part)
    return counts.get(found) or words.get(found) or int(found)


def _adopt(draft: Draft) -> None:
    """Lists without a name that the subject of the message names."""
    free = [u for u in draft.unnamed if u.name is None and not u.result]
    outcome = next((u for u in draft.unnamed if u.name is None and u.result), None)
    if "whitened" in draft.params and "advantages" not in draft.params and outcome is not None:
        draft.params |= {"advantages": draft.params["whitened"], "whitened": outcome.value}
        draft.unnamed.remove(outcome)
    given = {name for name, v in draft.params.items() if isinstance(v, list)}
    wanted: list[str] = []
    if GROUP.search(draft.text) and not given & {"rewards", "values", "group_rewards", "scores"}:
        wanted = ["group_rewards"]
    elif WHITEN.search(draft.text) and not given & {"rewards", "advantages", "scores", "deltas"}:
        wanted = ["advantages"]
    elif VALUE_LOSS.search(draft.text) and "vpreds" not in given and given & {"old_values", "returns"}:
        wanted = ["vpreds"]
    elif (
        "values" in given
        and not given & {"rewards", "scores", "advantages", "returns", "old_values"}
        and not draft.fills
    ):
        wanted = ["rewards"]
        free = free or ([] if AUDIT.search(draft.text) else [u for u in draft.unnamed if u.name is None])
    elif "rewards" in given and "values" not in given and _about_gae(draft.text):
        wanted = ["values"]
    elif not given and not draft.fills and len(free) == 2 and _about_gae(draft.text):
        wanted = ["rewards", "values"]
    same_length = [
        u for u in free if not given or not wanted or wanted[0] in ("group_rewards", "advantages") or _fits(u, draft)
    ]
    for name, taken in zip(wanted, same_length, strict=False):
        draft.params[name] = taken.value
        draft.unnamed.remove(taken)


def _fits(spare: Unnamed, draft: Draft) -> bool:
    return any(isinstance(v, list) and len(v) == len(spare.value) for v in draft.params.values())


def _about_gae(text: str) -> bool:
    return bool(re.search(r"\bgae\b|优势|advantage|\badv|G ?- ?V|回报减|\bA_", text, re.IGNORECASE)) or bool(
        MC.search(text)
    )


def _probabilities(draft: Draft) -> None:
    """Probabilities become log-probabilities; log 0 is left to the door."""
    for name, log_name in PROBABILITIES.items():
        if name in draft.params:
            given = draft.params.pop(name)
            if log_name not in draft.params:
                draft.params[log_name] = [_log(x) for x in given]
                draft.notes.append("probabilities_converted")
                if name in draft.bare:
                    draft.bare.add(log_name)


def _log(x: Any) -> Any:
    if isinstance(x, list):
        return [_log(entry) for entry in x]
    if not isinstance(x, float) or math.isnan(x) or x < 0:
        return math.nan
    return math.log(x) if x > 0 else -math.inf


# ---------------------------------------------------------------- given or claimed


def _claims(draft: Draft) -> None:
    """What follows from other given numbers is a statement to check; so is every quantity that is never an input."""
    given = {name for name, v in draft.params.items() if v is not None}
    value_loss = "vpreds" in given or ("old_values" in given and "returns" in given)
    claimed = given & OUTCOMES
    audit = bool(AUDIT.search(draft.text))
    if "advantages" in given and (
        {"rewards", "values"} <= given or ("deltas" in given and not given & {"ratio", "new_logp"})
    ):
        claimed.add("advantages")
    if (
        "advantages" in given
        and audit
        and given & {"group_rewards", "rewards"}
        and not given & {"ratio", "new_logp", "whitened"}
    ):
        claimed.add("advantages")
    if "returns" in given and not value_loss and given & {"rewards", "values", "advantages", "scores"}:
        claimed.add("returns")
    if "rewards" in given and "scores" in given and given & {"kl_values", "logp"}:
        claimed.add("rewards")
    if "kl_values" in given and {"logp", "ref_logp"} <= given:
        claimed.add("kl_values")
    if "ratio" in given and {"new_logp", "old_logp"} <= given:
        claimed.add("ratio")
    draft.claimed |= {name: draft.params.pop(name) for name in draft.params.copy() if name in claimed}
    if "kl_values" in draft.claimed:
        draft.claimed["kl"] = draft.claimed.pop("kl_values")
    if "mean" in draft.claimed and given & {"ratio", "new_logp"}:
        draft.claimed["objective"] = draft.claimed.pop("mean")


def _results(draft: Draft, bound: Bound) -> None:
    """Lists that are introduced as outcomes, or stand alone in an audit, are claims of what the given numbers lead to."""
    swept = _swept(bound)
    sweep = {lam: u for u in draft.unnamed if (lam := swept.get(u.start)) is not None}
    if len(sweep) > 1 and {"rewards", "values"} <= set(draft.params):
        draft.claimed["sweep"] = {lam: u.value for lam, u in sweep.items()}
        draft.unnamed = [u for u in draft.unnamed if u not in sweep.values()]
        return
    audit = bool(AUDIT.search(draft.text))
    outcomes = [name for name in _leads_to(draft) if name not in draft.claimed]
    for found in [u for u in draft.unnamed if u.name is None and (u.result or audit)]:
        if outcomes and draft.params:
            draft.claimed[outcomes.pop(0)] = found.value
            draft.unnamed.remove(found)


def _swept(bound: Bound) -> dict[int, str]:
    """Where a list follows "λ=0.5 gives": its place in the text and the λ as text."""
    lams = {b.group.end: f"{b.value:g}" for b in bound.bindings if b.name == "lam" and isinstance(b.value, float)}
    ends = sorted(lams)
    swept: dict[int, str] = {}
    for found, result in bound.loose:
        nearest = bisect_right(ends, found.start) - 1
        if result and not found.scalar and nearest >= 0 and found.start - ends[nearest] <= 16:
            swept[found.start] = lams[ends[nearest]]
    return swept


def _leads_to(draft: Draft) -> list[str]:
    given = set(draft.params)
    if {"rewards", "values"} <= given:
        return ["advantages", "returns"]
    if {"scores", "kl_values"} <= given or {"scores", "logp"} <= given:
        return ["rewards"]
    if "group_rewards" in given:
        return ["advantages"]
    if "advantages" in given and not given & {"ratio", "new_logp"}:
        return ["whitened"] if WHITEN.search(draft.text) else []
    if given & {"ratio", "new_logp"} and "advantages" in given:
        return ["objective_terms"]
    return ["mc_returns"] if "rewards" in given else []
