"""Lists from pieces: single elements, "the last is 1", "all 0.4", probabilities, lists that the subject names."""

from __future__ import annotations

import re
from typing import Any

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
    r"(?:(?:last|final|最后|末尾|末位)[^.。;\n\d]{0,16}?(?P<last>[+-]?\d{1,9}(?:\.\d{1,9})?)(?!\d|\.\d)"
    r"|(?:except|but|apart from|除了?)[^.。;\n\d]{0,12}(?P<at_end>[+-]?\d{1,9}(?:\.\d{1,9})?)[^.。;\n\d]{0,12}"
    r"(?:last|final|\bend\b|末|最后))",
    re.IGNORECASE | re.ASCII,
)
_REWARD = r"(?P<{}>scores?|得分|打分|分数)|rewards?|奖励"
_ONLY_THE_LAST = re.compile(
    rf"(?:{_REWARD.format('score')})[^.。;\n\d]{{0,12}}(?:\bonly\b|只有|仅)[^.。;\n\d]{{0,16}}(?:last|final|最后|末尾|末位)"
    r"(?: of (?:the )?\d{1,4})?[^.。;\n\d]{0,16}?(?P<x>[+-]?\d{1,9}(?:\.\d{1,9})?)(?!\d|\.\d)"
    r"|(?:\bonly\b|只有|仅|只在)[^.。;\n\d]{0,8}(?:last|final|最后|末尾|末位)(?: of (?:the )?\d{1,4})?"
    r"[^.。;\n\d]{0,24}?"
    rf"(?:(?:{_REWARD.format('score_too')})[^.。;\n\d]{{0,10}}?(?P<y>[+-]?\d{{1,9}}(?:\.\d{{1,9}})?)(?!\d|\.\d)"
    rf"|(?P<z>[+-]?\d{{1,9}}(?:\.\d{{1,9}})?) ?(?:分|as )? ?(?:的)?(?:{_REWARD.format('score_behind')}))",
    re.IGNORECASE | re.ASCII,
)
_LAST_AND_REST = re.compile(
    rf"(?:{_REWARD.format('score')})[^.。;\n\d\[]{{0,16}}(?:last|final|最后|末尾|末位)[^.。;\n\d\[]{{0,12}}"
    r"(?P<x>[+-]?\d{1,9}(?:\.\d{1,9})?)(?!\d|\.\d)[^.。;\n\d\[]{0,16}"
    r"(?:\brest\b|\bothers?\b|\belse\b|其余|其他|其它|别的|前面)[^.。;\n\d\[]{0,8}(?:0|zeros?|零)(?!\.?\d)",
    re.IGNORECASE | re.ASCII,
)
_FOR_ALL = frozenset(["old_values", "returns", "vpreds"])  # one number is that of every token
_EACH = re.compile(r" ?(?:per|for (?:each|every)|each|every|on (?:each|every)|at (?:each|every)|每)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(\d{1,4}|[一二两三四五六七八九十]) ?个? ?(?:tokens?|字|词元|词)|T ?= ?(\d{1,4})(?!\d|\.\d)"
    r"|\b(two|three|four|five|six|seven|eight) tokens"
)


_RESULTS = frozenset(["deltas", "advantages", "returns", "mc_returns", "mc_advantages", "whitened"])


def assemble(draft: Draft) -> None:
    """r_0 = …, r_1 = …, … without a gap is a list; counting may begin at 0 or 1."""
    for name, found in draft.elements.items():
        if (
            name in draft.lists()
            and not draft.audit
            and all(-len(draft.params[name]) <= i < len(draft.params[name]) for i in found)
        ):
            for i, x in found.items():
                draft.params[name][i] = x
            continue
        first = min(found)
        whole = first in (0, 1) and sorted(found) == list(range(first, first + len(found)))
        others = {len(draft.params[other]) for other in ("rewards", "values") if other in draft.lists() - draft.bare}
        some = name in _RESULTS and bool(others) and len(found) not in others
        if whole and len(found) > 1 and name not in draft.params and not some:
            draft.params[name] = [found[i] for i in sorted(found)]
        elif draft.audit or some:
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
    elif name in _FOR_ALL and name in draft.fills:  # one after the other, step by step
        draft.params[name] = [draft.fills.pop(name)[1], value]
        draft.bare.add(name)
    elif name in _FOR_ALL and name in draft.bare:
        draft.params[name].append(value)
    elif says("everywhere", before) or _EACH.match(draft.text, binding.group.end) or name in _FOR_ALL:
        draft.fills.setdefault(name, ("all", value))
    elif name not in draft.params:
        draft.params[name] = [value]
        draft.bare.add(name)
    elif name in draft.bare:
        draft.params[name].append(value)


def except_the_last(draft: Draft) -> None:
    """Rewards all 0 except the last, which is 1; only the last token has a reward, 1."""
    if said := _ALL_BUT_LAST.search(draft.text):
        _fill_last(draft, "scores" if said["score"] else "rewards", said["last"] or said["at_end"])
    elif said := _LAST_AND_REST.search(draft.text):
        _fill_last(draft, "scores" if said["score"] else "rewards", said["x"])
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
    if "scores" in draft.bare and len(draft.params["scores"]) == 1 and length:  # of the whole response: at its end
        draft.params["scores"] = [0.0] * (length - 1) + draft.params["scores"]
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
    said = (next(part for part in found.groups() if part) for found in _LENGTH.finditer(text))
    counts = (_COUNTS[count] if count in _COUNTS else int(count) for count in said)
    return next((count for count in counts if count > 1), None)  # the last one token is no length


def adopt(draft: Draft) -> None:
    """Lists without a name that the subject of the message names."""
    nameless = [u for u in draft.unnamed if u.name is None]
    free = [u for u in nameless if not u.result]
    outcome = next((u for u in nameless if u.result), None)
    if "whitened" in draft.params and "advantages" not in draft.params and outcome is not None:
        draft.params |= {"advantages": draft.params["whitened"], "whitened": outcome.value}
        draft.unnamed.remove(outcome)
    if len(free) == 3 and says("about_gae", draft.text) and not draft.lists():
        free = _called(draft, free)
    wanted = _wanted(draft, len(free))
    if wanted == ["rewards"] and not free and not draft.audit:
        free = nameless
    anyway = not draft.lists() or wanted in (["group_rewards"], ["advantages"])
    for name, taken in zip(wanted, [u for u in free if anyway or _fits(u, draft)], strict=False):
        draft.params[name] = taken.value
        draft.unnamed.remove(taken)


def _called(draft: Draft, free: list[Unnamed]) -> list[Unnamed]:
    """GAE of [0, 1], [0.2, 0.5], 0.9, 0.5: two lists, and γ and λ behind them."""
    *lists, last = free
    parameters = len(last.value) == 2 and all(isinstance(x, float) and 0 <= x <= 1 for x in last.value)
    if not parameters or len({len(u.value) for u in lists}) > 1 or {"gamma", "lam"} & draft.params.keys():
        return free
    draft.params["gamma"], draft.params["lam"] = last.value
    draft.unnamed.remove(last)
    return lists


def rows(draft: Draft) -> None:
    """Several responses: every list is given as often as the others, so that each is a batch of rows."""
    again: dict[str, list[list[Any]]] = {}
    for spare in draft.unnamed:
        if spare.name is not None and isinstance(draft.params.get(spare.name), list):
            again.setdefault(spare.name, []).append(spare.value)
    given = {name for name in draft.lists() - draft.bare - {"lams", "group_rewards"} if name != "tokens"}
    counts = {len(found) for found in again.values()}
    if not again or given != {*again} or len(counts) != 1 or len(given) < 2 or draft.audit:
        draft.notes += ["second_list"] if again and not draft.audit else []
        return
    lengths = {len(row) for name in given for row in (draft.params[name], *again[name])}
    if len(lengths) > 1 or any(isinstance(x, list) for name in given for x in draft.params[name]):
        draft.notes.append("second_list")
        return
    for name in given:
        draft.params[name] = [draft.params[name], *again[name]]
    draft.unnamed = [spare for spare in draft.unnamed if spare.name not in given]


_POLICY = frozenset(["logp", "ref_logp", "new_logp", "old_logp", "ratio", "rewards", "values"])


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
        (["logp"], "advantages" in given and not given & _POLICY and says("same", text) and says("log_prob", text)),
        (["prob"], "ref_prob" in given and not given & _POLICY and "prob" not in given),
        (["logp"], "ref_logp" in given and not given & (_POLICY - {"ref_logp"}) and "scores" in given),
        (["old_values"], {"vpreds", "returns"} <= given and "old_values" not in given),
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
