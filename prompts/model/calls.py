"""What is found out about a message for a model that wants to speak of it: true lines, which its sentences may mark.

They come from prompts/functions and from sums of the learner's figures; nothing else exists for a model to call. What
it asks is data, like the learner's words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prompts.functions.door import call
from prompts.model.reply import Call
from prompts.model.standing import read_figures
from prompts.model.sums import told, worked_out

MOST = 4  # calls, all at once
LONGEST = 360  # characters of a line
PLAIN = ("0", "1")  # settings that need not stand in the message


@dataclass(frozen=True)
class Result:
    """A line that was computed from what the learner gave."""

    text: str


Numbers = Mapping[str, Any]


def results(calls: Sequence[Call], given: Numbers, message: str) -> tuple[list[Result], list[str]]:
    """What was found, a line each, and the names of calls of which nothing came."""
    lines, nothing = [], []
    for one in calls[:MOST]:
        line = _KINDS[one.name](one.ask, given, message) if one.name in _KINDS else None
        if line is None or len(line) > LONGEST:
            nothing.append(one.name if one.name in _KINDS else "no such call")
        else:
            lines.append(line)
    return [Result(line) for line in dict.fromkeys(lines)], nothing


def _sum(ask: str, _given: Numbers, message: str) -> str | None:
    return worked_out(ask, message)


def _computed(ask: str, given: Numbers, message: str) -> str | None:
    """A quantity of the learner's numbers, with what is to be otherwise: “gae lam=1”."""
    name, *settings = ask.replace(",", " ").split() or [""]
    changed = dict(setting.partition("=")[::2] for setting in settings)
    if any(x not in {*read_figures(message), *PLAIN} for x in changed.values()):
        return None
    scenario = {**given, **{setting: float(x) for setting, x in changed.items()}}
    found = call("compute_quantity", {"quantity": name, "scenario": scenario})
    if "error" in found or "example" in found["whose"].values():
        return None
    used = [f"{one} = {told(x)}" for one, x in found["params"].items() if not isinstance(x, str)]
    numbers = {one: x for one, x in found["numbers"].items() if one in _SHOWN and one not in found["params"]}
    return f"{name} of {', '.join(used)}: {'; '.join(f'{one} = {told(x)}' for one, x in numbers.items())}"


_SHOWN = (
    "deltas", "advantages", "returns", "mc_returns", "mc_advantages", "kl", "k1", "k2", "k3", "mean", "std_sample",
    "std_population", "whitened", "ratio", "surrogate", "objective_terms", "objective", "clipfrac", "vf_loss",
    "centered", "advantages_population", "baselines", "rewards",
)  # fmt: skip
_KINDS = {"sum": _sum, "compute": _computed}
