"""Lists from pieces: single elements, "the last is 1", "all 0.4", probabilities, lists that the subject names."""

from __future__ import annotations

import re

from prompts.read.numbers.bind import Binding
from prompts.read.numbers.cues import says
from prompts.read.numbers.draft import Draft
from prompts.read.numbers.literals import number
from prompts.read.numbers.model import Unnamed

_COUNTS = {
    **dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True)),
    **dict(zip(("two", "three", "four", "five", "six", "seven", "eight"), range(2, 9), strict=True)),
}
_ALL_BUT_LAST = re.compile(
    r"(?:rewards?|奖励|(?P<score>scores?|得分|打分))[^.。;\n\d]{0,20}(?:\b0\b|0|zeros?|零)(?!\.\d)[^.。;\n\d]{0,24}"
    r"(?:last|final|最后|末尾|末位)[^.。;\n\d]{0,16}?(?P<last>[+-]?\d{1,9}(?:\.\d{1,9})?)(?![.\d])",
    re.IGNORECASE | re.ASCII,
)
_REWARD = r"(?P<{}>scores?|得分|打分|分数)|rewards?|奖励"
_ONLY_THE_LAST = re.compile(
    rf"(?:{_REWARD.format('score')})[^.。;\n\d]{{0,12}}(?:\bonly\b|只有|仅)[^.。;\n\d]{{0,16}}(?:last|final|最后|末尾|末位)"
    r"[^.。;\n\d]{0,16}?(?P<x>[+-]?\d{1,9}(?:\.\d{1,9})?)(?![.\d])"
    r"|(?:\bonly\b|只有|仅|只在)[^.。;\n\d]{0,8}(?:last|final|最后|末尾|末位)[^.。;\n\d]{0,24}?"
    rf"(?:(?:{_REWARD.format('score_too')})[^.。;\n\d]{{0,10}}?(?P<y>[+-]?\d{{1,9}}(?:\.\d{{1,9}})?)(?![.\d])"
    rf"|(?P<z>[+-]?\d{{1,9}}(?:\.\d{{1,9}})?) ?(?:分|as )? ?(?:的)?(?:{_REWARD.format('score_behind')}))",
    re.IGNORECASE | re.ASCII,
)
_LENGTH = re.compile(
    r"(\d{1,4}|[一二两三四五六七八九十]) ?个? ?(?:tokens?|字|词元|词)|T ?= ?(\d{1,4})(?![\d.])"
    r"|\b(two|three|four|five|six|seven|eight) tokens"
)


def assemble(draft: Draft) -> None:
    """r_0 = …, r_1 = …, … without a gap is a list; counting may begin at 0 or 1."""
    for name, found in draft.elements.items():
        first = min(found)
        whole = first in (0, 1) and sorted(found) == list(range(first, first + len(found)))
        if whole and len(found) > 1 and name not in draft.params:
            draft.params[name] = [found[i] for i in sorted(found)]
        elif draft.audit:
            draft.claimed |= {f"{name}[{i}]": x for i, x in found.items()}


def next_value(draft: Draft, named: list[Binding]) -> None:
    """r, V and V' of one step inside a response: no lists, only statements about a token t."""
    after = next((b for b in named if b.name == "next_value"), None)
    if after is None:
        return
    draft.claimed["values[t+1]"] = after.value
    for name in sorted(draft.bare & {"rewards", "values", "deltas"}):
        draft.claimed[f"{name}[t]"] = draft.params.pop(name)[0]
        draft.bare.discard(name)


def one_number(draft: Draft, binding: Binding) -> None:
    """A quantity by token that came as one number: the last reward, the same everywhere, or a response of one token."""
    name, value, start = binding.name, binding.value, binding.group.start
    before = draft.text[max(0, start - 24) : start]
    digits = draft.text[start : binding.group.end]
    if name == "mask" and len(digits) > 1 and set(digits) <= {"0", "1"}:
        draft.give(name, [float(digit) for digit in digits], binding.group)
    elif name in ("deltas", "advantages") and says("summed", before[-12:]):
        draft.params.setdefault("delta_sum" if name == "deltas" else "advantage_sum", value)
    elif name in ("rewards", "scores") and says("only_last", before + draft.text[start : binding.group.end + 16]):
        draft.fills.setdefault(name, ("last", value))
    elif says("everywhere", before) or name in ("old_values", "returns", "vpreds"):
        draft.fills.setdefault(name, ("all", value))
    elif name not in draft.params:
        draft.params[name] = [value]
        draft.bare.add(name)
    elif name in draft.bare:
        draft.params[name].append(value)


def except_the_last(draft: Draft) -> None:
    """Rewards all 0 except the last, which is 1; only the last token has a reward, 1."""
    if said := _ALL_BUT_LAST.search(draft.text):
        _fill_last(draft, "scores" if said["score"] else "rewards", said["last"])
    elif said := _ONLY_THE_LAST.search(draft.text):
        scored = said["score"] or said["score_too"] or said["score_behind"]
        _fill_last(draft, "scores" if scored else "rewards", said["x"] or said["y"] or said["z"])


def _fill_last(draft: Draft, name: str, literal: str) -> None:
    if name not in draft.lists() - draft.bare:
        draft.params.pop(name, None)
        draft.fills[name] = ("last", number(literal))


def fill(draft: Draft) -> None:
    """What was said of the last token or of all of them, once the length is known."""
    _spelt_out(draft)
    lengths = [len(draft.params[name]) for name in draft.lists() - draft.bare - {"lams"}]
    length = max(lengths) if lengths else draft.length or _spoken_length(draft.text)
    for name, (how, x) in draft.fills.items():
        if name in draft.params:
            continue
        if length is None:
            draft.params[name] = [x]
            draft.bare.add(name)
        else:
            draft.params[name] = [x] * length if how == "all" else [0.0] * (length - 1) + [x]
    if "scores" in draft.bare and len(draft.params["scores"]) == 1 and lengths:  # of the whole response: at its end
        draft.params["scores"] = [0.0] * (max(lengths) - 1) + draft.params["scores"]
    if "advantages" in draft.bare and len(draft.params["advantages"]) == 1 and lengths and "ratio" in draft.params:
        draft.params["advantages"] = draft.params["advantages"] * max(lengths)


def _spelt_out(draft: Draft) -> None:
    """The list behind words that say the same: only the last score is 1: [0, 0, 1]."""
    for name, (how, x) in draft.fills.items():
        for spare in [u for u in draft.unnamed if u.name is None and name not in draft.params]:
            same = spare.value[-1:] == [x] and (not any(spare.value[:-1]) if how == "last" else {*spare.value} == {x})
            if same:
                draft.params[name] = spare.value
                draft.unnamed.remove(spare)


def _spoken_length(text: str) -> int | None:
    said = _LENGTH.search(text)
    if said is None:
        return None
    found = next(part for part in said.groups() if part)
    return _COUNTS[found] if found in _COUNTS else int(found)


def adopt(draft: Draft) -> None:
    """Lists without a name that the subject of the message names."""
    nameless = [u for u in draft.unnamed if u.name is None]
    free = [u for u in nameless if not u.result]
    outcome = next((u for u in nameless if u.result), None)
    if "whitened" in draft.params and "advantages" not in draft.params and outcome is not None:
        draft.params |= {"advantages": draft.params["whitened"], "whitened": outcome.value}
        draft.unnamed.remove(outcome)
    wanted = _wanted(draft, len(free))
    if wanted == ["rewards"] and not free and not draft.audit:
        free = nameless
    anyway = not draft.lists() or wanted in (["group_rewards"], ["advantages"])
    for name, taken in zip(wanted, [u for u in free if anyway or _fits(u, draft)], strict=False):
        draft.params[name] = taken.value
        draft.unnamed.remove(taken)


def _wanted(draft: Draft, free: int) -> list[str]:
    """The names that the words and the lists at hand leave open."""
    given, text = draft.lists(), draft.text
    difference = says("return_minus_value", text)
    about_gae = says("about_gae", text) or difference or (says("mc", text) and not says("reward_to_go", text))
    cases = (
        (["group_rewards"], not given & {"rewards", "values", "group_rewards", "scores"} and says("group", text)),
        (["rewards"], not given and not draft.fills and free == 1 and says("reward_to_go", text)),
        (["advantages"], not given & {"rewards", "advantages", "scores", "deltas"} and says("whiten", text)),
        (["vpreds"], "vpreds" not in given and given & {"old_values", "returns"} and says("value_loss", text)),
        (
            ["rewards"],
            "values" in given
            and not given & {"rewards", "scores", "advantages", "returns", "old_values"}
            and not draft.fills,
        ),
        (["values"], "rewards" in given and "values" not in given and about_gae),
        (["rewards", "values"], not given and not draft.fills and free == 2 and about_gae),
    )
    return next((names for names, open_ in cases if open_), [])


def _fits(spare: Unnamed, draft: Draft) -> bool:
    return any(isinstance(v, list) and len(v) == len(spare.value) for v in draft.params.values())
