"""Lists that rise or fall evenly: values from 0.1 to 0.9 in even steps, 从0.1均匀涨到0.9, linspace, arange."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.scenario import LONGEST
from prompts.read.numbers.cues import LISTS
from prompts.read.numbers.tokens import scan

LOOKS_BACK = 48  # characters from a ramp to its name
DIGITS = 9
_X = r"([+-]?(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}))"
_CALL = re.compile(
    rf"(?:\b(?:np|numpy|torch|jnp)\.)?\b(?P<kind>linspace|arange)\( ?{_X} ?, ?{_X}"
    rf"(?: ?, ?(?:steps ?= ?|num ?= ?|step ?= ?)?{_X})?(?: ?, ?(?:dtype|device|endpoint)[^()\n]{{0,32}})? ?\)"
)
_EVENLY = (
    r"linear(?:ly)?|evenly|even steps|uniformly|equally spaced|equal steps|straight line|ramp(?:s|ing)?|steadily"
    r"|均匀|线性|等差|等间隔|匀速|逐步|依次"
)
_MOVING = (
    r"(?:ris|increas|climb|grow|go|fall|decreas|drop|declin|ramp|run|rang)\w*|up|down"
    r"|上升|涨|升|增加|增长|增|下降|降|减小|减"
)
_FROM_TO = re.compile(
    rf"(?P<before>[^.。;；!?\n\d]{{0,32}}?)(?:\bfrom\b|从|由) ?{_X}(?P<between>[^.。;；!?\n\d,，]{{0,16}}?)"
    rf"(?:\bto\b|\bthrough\b|到|至) ?{_X}(?!\d|\.\d)(?P<after>[^。;；!?\n]{{0,48}})",
    re.IGNORECASE,
)
_IN_STEPS = re.compile(
    rf"(?:steps? (?:of|size)?|step ?= ?|by|increments? of|步长(?:为|是)?|每步|每次|间隔) ?(?:加|增加|涨)? ?{_X}",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?:over|in|across|for|共|用|分) ?(?:the )?(\d{1,4}) ?(?:个)? ?(?:tokens?|steps?|points?|步|词元|点)",
    re.IGNORECASE,
)
_LONE_POINT = re.compile(r"(?<!\d)\.(?=\d)")


@dataclass(frozen=True)
class Ramp:
    """A list by its ends: by its step where that is said, else as long as the others or as `count` says."""

    name: str
    first: float
    last: float
    step: float | None = None
    count: int | None = None

    def numbers(self, length: int | None) -> list[float] | None:
        """The list; None while nothing says how long it is."""
        if self.step:
            way = abs(self.last - self.first)
            return _spaced(self.first, self.last, int(way / abs(self.step) + 1 + 1e-9))
        count = self.count or length
        return _spaced(self.first, self.last, count) if count else None


def ramps(text: str) -> tuple[list[Ramp], str]:
    """The ramps that words describe, and the text with them blanked and with calls written out."""
    text = _CALL.sub(_written_out, text)
    found: list[Ramp] = []
    for said in _FROM_TO.finditer(text):
        around = f"{said['before']} {said['between']} {said['after'][:24]}"
        step, count = _IN_STEPS.search(said["after"]), _COUNTED.search(said["after"])
        evenly = re.search(_EVENLY, around, re.IGNORECASE)
        moves = re.search(_MOVING, f"{said['before']} {said['between']}", re.IGNORECASE)
        if not (evenly or ((step or count) and moves) or (step and count)):
            continue
        name = _name_before(text, said.end("before"))
        if name is None:
            continue
        first, last = (float(part) for part in (said[2], said[4]))
        found.append(Ramp(name, first, last, float(step[1]) if step else None, int(count[1]) if count else None))
        end = said.start("after") + (step.end() if step else 0)
        text = text[: said.end("before")] + " " * (end - said.end("before")) + text[end:]
    return found, text


def _name_before(text: str, end: int) -> str | None:
    """The list that is spoken of right before a ramp."""
    low = max(0, end - LOOKS_BACK)
    clause = re.split(r"[.。;；\n]|,(?=[^,]*$)", text[low:end])[-1] or text[low:end]
    for words in (clause, text[low:end]):
        names = [t.sense.meaning for t in scan(words) if t.sense is not None and t.sense.meaning in LISTS]
        if names:
            return names[-1]
    return None


def _written_out(call: re.Match[str]) -> str:
    first, last = float(call[2]), float(call[3])
    third = float(call[4]) if call[4] else None
    if call["kind"] == "linspace":
        count = int(third or 0)
    else:
        step = third or 1.0
        count = int((last - first) / step - 1e-9) + 1 if (last - first) * step > 0 else 0
        last = first + (count - 1) * step
    if not 1 <= count <= LONGEST:
        return call.group()
    return f"[{', '.join(f'{x:g}' if abs(x) < 1e-9 else f'{x:.{DIGITS}g}' for x in _spaced(first, last, count))}]"


def _spaced(first: float, last: float, count: int) -> list[float]:
    count = min(count, LONGEST + 1)
    if count == 1:
        return [first]
    return [round(first + (last - first) * k / (count - 1), DIGITS) for k in range(count)]
