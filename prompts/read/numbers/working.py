"""Lists that stand only inside worked lines: δ_0 = 0 + 0.4 − 0.3 = 0.1 gives r_0, V_1 and V_0."""

from __future__ import annotations

import re
from typing import NamedTuple

from prompts.read.numbers.draft import Draft

LONGEST_LINE = 240  # characters from the name to the result
_X = r"\(?[+-]? ?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})\)?"
_TIMES = r"(?: ?(?:×|\*|·|\\times|\\cdot) ?| ?(?=\())"
_NAME = re.compile(r"(?:δ|\\delta|\bdelta)(?:_t)?[ _\[({]{0,3}(\d{1,4})[\])}]{0,2} ?(?==|≈|:)", re.IGNORECASE)
_SUM = re.compile(
    rf"(?:=|≈|:) ?(?P<r>{_X}) ?\+ ?(?:(?P<gamma>{_X}){_TIMES})?(?P<next>{_X}) ?- ?(?P<v>{_X})(?! ?[×*·\d.])"
    rf"|(?:=|≈|:) ?(?P<last_r>{_X}) ?- ?(?P<last_v>{_X}) ?(?==|≈)"
)


class _Step(NamedTuple):
    reward: float
    value: float
    gamma: float | None
    following: float | None  # None: nothing follows


def work_out(draft: Draft) -> None:
    """Rewards and values out of the working of the TD errors, where they are not given by themselves."""
    if {"rewards", "values"} <= draft.lists() - draft.bare or "scores" in draft.params:
        return
    steps = _steps(draft.text)
    first = min(steps, default=0)
    if first not in (0, 1) or sorted(steps) != list(range(first, first + len(steps))) or len(steps) < 2:
        return
    found = [steps[t] for t in sorted(steps)]
    for name, row in (("rewards", [step.reward for step in found]), ("values", [step.value for step in found])):
        if name not in draft.lists() - draft.bare:
            draft.params[name] = row
            draft.bare.discard(name)
    gammas = {step.gamma for step in found} - {None}
    if "gamma" not in draft.params and len(gammas) == 1:
        draft.params["gamma"] = gammas.pop()


def _steps(text: str) -> dict[int, _Step]:
    """By token, what its worked line adds and takes away; the first line of a token counts."""
    names = list(_NAME.finditer(text))
    steps: dict[int, _Step] = {}
    for k, name in enumerate(names):
        end = min(names[k + 1].start() if k + 1 < len(names) else len(text), name.end() + LONGEST_LINE)
        line = text[name.end() : end].split("\n")[0]
        said = _SUM.search(line)
        if said is None or int(name[1]) in steps:
            continue
        if said["last_r"] is not None:
            steps[int(name[1])] = _Step(_number(said["last_r"]), _number(said["last_v"]), None, None)
        else:
            gamma = _number(said["gamma"]) if said["gamma"] else None
            steps[int(name[1])] = _Step(_number(said["r"]), _number(said["v"]), gamma, _number(said["next"]))
    return steps


def _number(written: str) -> float:
    return float(written.strip("() ").replace(" ", ""))
