"""Changes of an earlier scenario, said in words: γ改成0.99 · change the last reward to 2 · append one more token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from prompts.read.glossary import parts, phrase, symbol
from prompts.read.numbers.bind import Binding, Bound
from prompts.read.numbers.cues import LISTS, SCALARS, says
from prompts.read.numbers.model import Edit
from prompts.read.numbers.token import Token

SHORT = 40  # characters of a message that is nothing but a change

_SCALE = {"double": 2.0, "halve": 0.5, "negate": -1.0}
_MULTIPLY = re.compile(
    r"(?:multipl\w+|scale\w*|放大|缩放|乘以?|乘上)[^\d\n.+-]{0,24}([+-]?\d{1,6}(?:\.\d{1,6})?)(?: ?倍)?",
    re.IGNORECASE | re.ASCII,
)
_ADD_AT = re.compile(r"([A-Za-z_]{1,24})\[(-?\d{1,4})\] ?([+-])= ?(\d{1,6}(?:\.\d{1,9})?|\.\d{1,9})")
_TENTHS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINALS = {word: i for i, word in enumerate(_TENTHS)}
_CHINESE_ORDINALS = {numeral: i for i, numeral in enumerate("一二三四五六七八九十")}
_PLACE = re.compile(
    r"""
      (?P<last>\blast\b|\bfinal\b|最后|末尾|末位|最末)
    | 倒数第(?P<back>[一二三四五])
    | 第[ ]?(?P<zh>[一二三四五六七八九十])
    | 第[ ]?(?P<nth>\d{1,4})
    | \b(?P<th>\d{1,4})(?:st|nd|rd|th)\b
    | \b(?P<word>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b
    | (?P<zero>首个|首位|开头|头一个)
    | (?:token|index|position|t[ ]?=|下标|位置|索引)[ ]?(?P<at>\d{1,4})\b
    | (?P<middle>\bmiddle\b|中间)
    """,
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_CLAUSE_ENDS = re.compile(r"[.。?!;\n](?!\d)|[,:](?!\d)")
_OLD_VALUE = re.compile(r"(?:\bfrom|从|由) ?$", re.IGNORECASE)
_INTO = re.compile(r"(?:\bto|成了?|为|到|\bwith|\bby|=|\bbe|\bbecomes?) ?(?:了)?$", re.IGNORECASE)


def find_edits(text: str, tokens: list[Token], bound: Bound) -> tuple[tuple[Edit, ...], frozenset[int]]:
    """The changes that a message asks for, and the groups that are nothing but a change of an element."""
    asked = _Asked(text, tokens, bound)
    edits: list[Edit] = [Edit("drop", "tokens", -1)] if says("drop", text) else []
    taken: set[int] = set()
    for binding in bound.bindings:
        if binding.group.scalar and _OLD_VALUE.search(asked.lead(binding.group.start)):
            taken.add(binding.group.first)
        elif edit := asked.of_binding(binding):
            edits.append(edit)
            taken |= (
                {binding.group.first}
                if edit.kind != "set" or (edit.name not in SCALARS and binding.group.scalar)
                else set()
            )
    for k, (found, _) in enumerate(bound.loose):
        if found.scalar and (edit := asked.of_loose(k)):
            edits.append(edit)
            taken.add(found.first)
    shifts = _scalings(text, tokens)
    edits = [e for e in edits if not any((e.name, e.index) == (s.name, s.index) for s in shifts)] + shifts
    return tuple(dict.fromkeys(_hashable(e) for e in edits)), frozenset(taken)


def _hashable(edit: Edit) -> Edit:
    flat = isinstance(edit.value, list) and not any(isinstance(x, list) for x in edit.value)
    return Edit(edit.kind, edit.name, edit.index, tuple(edit.value)) if flat else edit


class _Asked:
    """The words around the numbers of one message."""

    def __init__(self, text: str, tokens: list[Token], bound: Bound) -> None:
        self.text, self.tokens, self.bound = text, tokens, bound
        self.appending = says("append", text)
        self.lists = {b.name: b.value for b in bound.bindings if isinstance(b.value, list)}
        self.soft = len(text) <= 3 * SHORT // 2 and not self.lists and says("soft_change", text)
        self.wondering = says("why", text) and not self.lists
        indexed = [b.name for b in bound.bindings if isinstance(b.index, int)]
        self.alone = {name for name in indexed if indexed.count(name) == 1} if len(indexed) <= SHORT else set()
        self.terse = len(text) <= SHORT and not self.lists and not says("audit", text)

    def lead(self, start: int) -> str:
        """The words of the clause before a number."""
        return _CLAUSE_ENDS.split(self.text[max(0, start - 60) : start])[-1]

    def of_binding(self, binding: Binding) -> Edit | None:
        lead, value = self.lead(binding.group.start), binding.value
        hard = says("hard_change", lead)
        if binding.name in SCALARS:
            return Edit("set", binding.name, None, value) if (hard and not self.wondering) or self.soft else None
        if binding.name not in LISTS:
            return None
        if isinstance(value, list):
            return Edit("set", binding.name, None, value) if hard else None
        if self.appending:
            return Edit("append", binding.name, None, value)
        place = binding.index if isinstance(binding.index, int) else self.place(lead, binding.name)
        if place is not None and (
            hard or self.soft or (self.terse and binding.name in self.alone and isinstance(binding.index, int))
        ):
            return Edit("set_at", binding.name, place, value)
        return Edit("set", binding.name, None, value) if hard and not self.lists else None

    def of_loose(self, k: int) -> Edit | None:
        """A number after a change verb whose name stands further back, or that takes the place of another number."""
        found = self.bound.loose[k][0]
        lead = self.lead(found.start)
        if self.wondering or not says("hard_change", lead) or not _INTO.search(lead):
            return None
        named = [
            t for t in self.tokens if t.sense and found.start - len(lead) <= t.start < found.start and not t.sense.weak
        ]
        names = [t for t in named if t.sense and t.sense.meaning in LISTS | SCALARS]
        earlier = self.bound.loose[k - 1][0] if k else None
        if earlier is not None and earlier.scalar and earlier.start >= found.start - len(lead) and not names:
            return Edit("replace", "", None, (earlier.value, found.value))
        if not names or names[-1].sense is None:
            return None
        if any(
            b.place >= 0 and self.tokens[b.place] is names[-1] and not _OLD_VALUE.search(self.lead(b.group.start))
            for b in self.bound.bindings
        ):
            return None
        name, index = names[-1].sense.meaning, names[-1].subscript
        place = index if isinstance(index, int) else self.place(lead, name)
        if name in SCALARS or place is None:
            return Edit("set", name, None, found.value)
        return Edit("set_at", name, place, found.value)

    def place(self, lead: str, name: str) -> int | None:
        """The position that the words speak of, from 0; negative from the end."""
        found = _PLACE.search(lead)
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
        if found["middle"]:
            return len(self.lists[name]) // 2 if name in self.lists else None
        return 0


def _meaning(word: str) -> str:
    sense = symbol(word) or phrase(parts(word))
    return sense.meaning if sense else ""


def _scalings(text: str, tokens: list[Token]) -> list[Edit]:
    edits = [
        Edit("add", meaning, int(m[2]), float(m[4]) * (1 if m[3] == "+" else -1))
        for m in _ADD_AT.finditer(text)
        if (meaning := _meaning(m[1])) in LISTS
    ]
    named = [t.sense.meaning for t in tokens if t.sense is not None and t.sense.meaning in LISTS and not t.sense.weak]
    factor = next((size for cue, size in _SCALE.items() if says(cue, text)), None)
    multiplied = _MULTIPLY.search(text)
    if factor is None and multiplied:
        factor = float(multiplied[1])
    last = says("only_last", text)
    short = len(text) <= 60 and not any(t.kind == "open" for t in tokens)
    return edits + (
        [Edit("scale", named[0], -1 if last else None, factor)] if factor is not None and named and short else []
    )


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
    if edit.kind == "replace":
        _replace(params, *edit.value)
        return
    present = params.get(edit.name)
    if edit.kind == "set" and (edit.name in SCALARS | {"kl"} or isinstance(edit.value, list | tuple)):
        params[edit.name] = list(edit.value) if isinstance(edit.value, list | tuple) else edit.value
        return
    if not isinstance(present, list):
        raise EngineError("nothing_to_change", field=edit.name, position=())
    if edit.kind == "append":
        params[edit.name] = [*present, edit.value]
    elif edit.kind == "scale":
        places = range(len(present)) if edit.index is None else [_which(present, edit)]
        params[edit.name] = [x * edit.value if i in places else x for i, x in enumerate(present)]
    else:
        place = _which(present, edit)
        old = present[place]
        params[edit.name] = [
            *present[:place],
            edit.value if edit.kind != "add" else old + edit.value,
            *present[place:][1:],
        ]


def _replace(params: dict[str, Any], old: float, new: float) -> None:
    """The one number that is equal to the old one."""
    places = [(name, i) for name, v in params.items() if isinstance(v, list) for i, x in enumerate(v) if x == old]
    if len(places) != 1:
        raise EngineError("which_position", field="list", position=())
    name, place = places[0]
    params[name] = [*params[name][:place], new, *params[name][place + 1 :]]


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
