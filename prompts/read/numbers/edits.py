"""Changes of an earlier scenario, said in words: γ改成0.99 · change the last reward to 2 · append one more token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from prompts.read.numbers.bind import SCALARS, Binding, Bound
from prompts.read.numbers.model import Edit
from prompts.read.numbers.tokens import Token

_CHANGE = re.compile(
    r"改成|改为|改到|换成|换为|变成|变为|设成|设为|调成|调到|调为|降到|升到|提到|提高到|降低到|改用|替换|换个|改|"
    r"\bchange|\bset\b|\bmake\b|\bturn\b|\breplace|\bbecomes?\b|\bbecame\b|\binstead\b|\bswitch|\braise\b|\blower\b|\bupdate\b|\bincrease\b|\bdecrease\b|"
    r"\bwhat if\b|\bwhat about\b|\bhow about\b|\band if\b|\band with\b|\bnow with\b|\btry\b|如果|要是|假如|若|那么?|呢|\bwith\b.{0,24}\binstead",
    re.IGNORECASE,
)
_HARD_CHANGE = re.compile(r"改|换成|换为|变成|变为|设成|设为|调|降到|升到|\bchange|\bset\b|\bmake\b|\bturn\b|\breplace|\bbecomes?\b|\bbecame\b|\bupdate\b", re.IGNORECASE)
_APPEND = re.compile(
    r"\bappend|\badd (?:one|a|another|an?other|1)\b.{0,16}\b(?:token|step)|\bone more (?:token|step)|\banother (?:token|step)|\bextra token|\bextend\b|"
    r"(?:再|多|追加|增加|添|补|加)(?:上|加|添|补|来)?(?:一|1)?个? ?(?:token|词元|字|步|词)|末尾(?:再)?加|后面(?:再)?加|最后(?:再)?加|接一个|追加",
    re.IGNORECASE,
)
_DROP = re.compile(
    r"\b(?:drop|remove|delete|cut|without) (?:off )?the (?:last|final) (?:token|step|one)|(?:去掉|删掉|删去|拿掉|砍掉|不要|扔掉)(?:了)?最后(?:一|1)?个?(?: ?token|词元|字|步)?|"
    r"最后(?:一|1)?个? ?(?:token|词元|字|步)?(?:去掉|删掉|删去|拿掉)",
    re.IGNORECASE,
)
_SCALE = (
    (re.compile(r"\bdoubl\w+|翻倍|翻一倍|乘以? ?2|加倍|times two|twice", re.IGNORECASE), 2.0),
    (re.compile(r"\bhalv\w+|减半|除以? ?2|乘以? ?0\.5|by half", re.IGNORECASE), 0.5),
    (re.compile(r"flip(?:ped)? (?:the )?sign|negate|取反|变号|取相反数|取负", re.IGNORECASE), -1.0),
)
_MULTIPLY = re.compile(r"(?:multipl\w+|scale\w*|放大|缩放|乘以?|乘上)[^\d\n.+-]{0,24}([+-]?\d{1,6}(?:\.\d{1,6})?)(?: ?倍)?", re.IGNORECASE)
_ADD_AT = re.compile(r"([A-Za-z_]{1,24})\[(-?\d{1,4})\] ?([+-])= ?(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})")
_ORDINALS = dict(zip("first second third fourth fifth sixth seventh eighth ninth tenth".split(), range(10), strict=True))
_CHINESE_ORDINALS = dict(zip("一二三四五六七八九十", range(10), strict=True))
_PLACE = re.compile(
    r"(?P<last>\blast\b|\bfinal\b|最后|末尾|末位|最末)|第 ?(?P<zh>[一二三四五六七八九十])|第 ?(?P<nth>\d{1,4})|\b(?P<th>\d{1,4})(?:st|nd|rd|th)\b|"
    r"\b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|(?P<zero>首个|首位|开头|头一个)|"
    r"(?:token|index|position|t ?=|下标|位置|索引) ?(?P<at>\d{1,4})\b|倒数第(?P<back>[一二三四五])|\b(?P<middle>middle)\b|(?P<mid>中间)",
    re.IGNORECASE,
)
_LISTS = frozenset(
    "rewards scores values old_values vpreds returns advantages logp ref_logp new_logp old_logp kl_values ratio mask group_rewards".split()
)
_RENAMES = {"rewards": "rewards", "reward": "rewards", "r": "rewards", "values": "values", "value": "values", "V": "values", "v": "values",
            "scores": "scores", "advantages": "advantages", "adv": "advantages", "A": "advantages", "logp": "logp", "mask": "mask"}  # fmt: skip


def find_edits(text: str, tokens: list[Token], bound: Bound) -> tuple[tuple[Edit, ...], frozenset[int]]:
    """The changes that a message asks for, and the groups that are nothing but a change of one element."""
    edits: list[Edit] = []
    taken: set[int] = set()
    appending = _APPEND.search(text)
    if _DROP.search(text):
        edits.append(Edit("drop", "tokens", -1))
    lists = any(not b.group.scalar for b in bound.bindings)
    for binding in bound.bindings:
        edit = _edit(text, binding, appending is not None, lists)
        if edit is not None:
            edits.append(edit)
            if edit.kind != "set":
                taken.add(binding.group.first)
    edits += _loose_edits(text, tokens, bound, taken)
    edits += _scalings(text, tokens)
    return tuple(dict.fromkeys(_hashable(e) for e in edits)), frozenset(taken)


def _hashable(edit: Edit) -> Edit:
    return Edit(edit.kind, edit.name, edit.index, tuple(edit.value)) if isinstance(edit.value, list) and _flat(edit.value) else edit


def _flat(value: list[Any]) -> bool:
    return not any(isinstance(x, list) for x in value)


def _clause(text: str, start: int, end: int) -> str:
    """The clause around a group: back to the last full stop or comma, on to the next."""
    before = re.split(r"[.。?!;\n](?!\d)|,(?! ?(?:then|and|再))", text[max(0, start - 60) : start])[-1]
    after = re.split(r"[,.。?!;\n](?!\d)", text[end : end + 24])[0]
    return before + "\x00" + after


def _edit(text: str, binding: Binding, appending: bool, lists: bool) -> Edit | None:
    if binding.name in ("other", "length", "next_value", "tokens"):
        return None
    clause = _clause(text, binding.group.start, binding.group.end)
    value = binding.value
    if binding.name in SCALARS:
        hard = _HARD_CHANGE.search(clause)
        return Edit("set", binding.name, None, value) if hard or (not lists and _CHANGE.search(clause)) else None
    if binding.name not in _LISTS:
        return None
    if appending and not isinstance(value, list):
        return Edit("append", binding.name, None, value)
    if isinstance(value, list):
        whole = _HARD_CHANGE.search(clause.split("\x00")[0]) or (appending and re.search(r"become|变", clause))
        return Edit("set", binding.name, None, value) if whole else None
    place = binding.index if isinstance(binding.index, int) else _place(clause)
    if place is not None and _HARD_CHANGE.search(clause):
        return Edit("set_at", binding.name, place, value)
    if isinstance(binding.index, int) and not lists and not re.search(r"δ|delta|,", clause):
        return Edit("set_at", binding.name, binding.index, value)
    if place is not None and not lists and _CHANGE.search(clause):
        return Edit("set_at", binding.name, place, value)
    return Edit("set", binding.name, None, value) if _HARD_CHANGE.search(clause) and not lists else None


def _place(clause: str) -> int | None:
    """The position that a clause speaks of, from 0; negative from the end."""
    found = _PLACE.search(clause)
    if found is None:
        return None
    if found["back"]:
        return -1 - _CHINESE_ORDINALS[found["back"]]
    if found["last"]:
        return -1
    if found["zh"]:
        return _CHINESE_ORDINALS[found["zh"]]
    if found["nth"] or found["th"]:
        return max(0, int(found["nth"] or found["th"]) - 1)
    if found["word"]:
        return _ORDINALS[found["word"].lower()]
    if found["at"]:
        return int(found["at"])
    return 0 if found["zero"] else None


def _loose_edits(text: str, tokens: list[Token], bound: Bound, taken: set[int]) -> list[Edit]:
    """A number after a change verb whose name stands further back: 把最后一个奖励改成 2 · change the last reward from 1 to 2."""
    edits: list[Edit] = []
    for found, _ in bound.loose:
        if not found.scalar or found.first in taken:
            continue
        before = text[max(0, found.start - 60) : found.start]
        clause = re.split(r"[.。?!;\n](?!\d)", before)[-1]
        if not _HARD_CHANGE.search(clause) or not re.search(r"(?:to|成|为|到|with|by|=|be|become|becomes) ?$", clause):
            continue
        names = [t for t in tokens if t.sense is not None and found.start - len(clause) <= t.start < found.start and not t.sense.weak]
        names = [t for t in names if t.sense is not None and t.sense.meaning in _LISTS | SCALARS]
        if not names or names[-1].sense is None:
            continue
        name, index = names[-1].sense.meaning, names[-1].index
        place = index if isinstance(index, int) else _place(clause)
        scalar = name in SCALARS
        edits.append(Edit("set" if scalar or place is None else "set_at", name, None if scalar else place, found.value))
        taken.add(found.first)
    return edits


def _scalings(text: str, tokens: list[Token]) -> list[Edit]:
    edits = [
        Edit("add", _RENAMES[m[1]], int(m[2]), float(m[4]) * (1 if m[3] == "+" else -1)) for m in _ADD_AT.finditer(text) if m[1] in _RENAMES
    ]
    named = [t.sense.meaning for t in tokens if t.sense is not None and t.sense.meaning in _LISTS and not t.sense.weak]
    factor = next((size for pattern, size in _SCALE if pattern.search(text)), None)
    multiplied = _MULTIPLY.search(text)
    if factor is None and multiplied:
        factor = float(multiplied[1])
    short = len(text) <= 60 and not any(t.kind == "open" for t in tokens)
    return edits + ([Edit("scale", named[0], None, factor)] if factor is not None and named and short else [])


def edited(params: Mapping[str, Any], edits: tuple[Edit, ...]) -> dict[str, Any]:
    """The params with the changes made; an EngineError when a change speaks of what is not there."""
    changed = {name: list(v) if isinstance(v, list | tuple) else v for name, v in params.items()}
    for edit in edits:
        _apply(changed, edit)
    return changed


def _apply(params: dict[str, Any], edit: Edit) -> None:
    if edit.kind == "drop":
        for name, value in params.items():
            if isinstance(value, list) and name not in ("lams", "group_rewards"):
                params[name] = value[:-1]
        return
    present = params.get(edit.name)
    if edit.kind == "set" and (edit.name in SCALARS or isinstance(edit.value, list | tuple)):
        params[edit.name] = list(edit.value) if isinstance(edit.value, list | tuple) else edit.value
        return
    if not isinstance(present, list):
        raise EngineError("nothing_to_change", field=edit.name, position=())
    if edit.kind == "append":
        params[edit.name] = [*present, edit.value]
    elif edit.kind == "scale":
        params[edit.name] = [x * edit.value if isinstance(x, int | float) else x for x in present]
    else:
        place = _which(present, edit)
        old = present[place]
        params[edit.name] = [*present[:place], edit.value if edit.kind != "add" else old + edit.value, *present[place:][1:]]


def _which(present: list[Any], edit: Edit) -> int:
    """The element that an edit means; without a position, the only one that is not zero."""
    if edit.index is None:
        candidates = [i for i, x in enumerate(present) if x]
        if len(candidates) != 1:
            raise EngineError("which_position", field=edit.name, position=())
        return candidates[0]
    if not -len(present) <= edit.index < len(present):
        raise EngineError("no_such_position", field=edit.name, position=(edit.index,), length=len(present))
    return edit.index % len(present)
