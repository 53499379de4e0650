"""Data and code: named lists, objects with lists, one object for each token, lists below their name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from prompts.read.numbers.sheet.cell import SIGNED, WHOLE, Cell, Series, number
from prompts.read.numbers.sheet.labels import meanings, named_last

_ITEM = rf"(?:{SIGNED}|None|null|nan)(?![A-Za-z0-9_])"
_LIST = re.compile(rf"[\[(]\s*(?P<inside>{_ITEM}(?:\s{{0,9}}[,，、;\s]\s{{0,9}}{_ITEM})*)\s*,?\s*[\])]")
_ONE = re.compile(_ITEM)
_RUN = re.compile(
    rf"(?<![A-Za-z0-9_.,])(?P<inside>{SIGNED}(?![A-Za-z0-9_])"
    rf"(?:(?:\s?[,，、;/]\s?(?:and |then )?|\s(?:and|then|→)\s|\s?(?:和|以及|及|→)\s?|[ \t])"
    rf"{SIGNED}(?![A-Za-z0-9_.]*[=:A-Za-z0-9_])){{1,}})(?! ?[-+*/·×^(])"
)
_WRAPPER = re.compile(
    r"(?:(?:torch|np|numpy|jnp|tf|jax|pd)\.)?(?:tensor|array|asarray|as_tensor|list|tuple|Tensor|FloatTensor|Series"
    r"|constant|float32|DeviceArray|Array)?\s*\(?\s*$"
)
_PRINT = re.compile(r"^\s*(?:>>>|In ?\[\d*\]:|\$|print\(|#)\s*")
_LINK = re.compile(
    r"(?:\s|[=:→≈]|:=|(?<![A-Za-z])(?:is|are|was|were|be|as|at|out|comes?|came|equals?|gives?|gave|giving|get|got|to|then|now"
    r"|each|respectively|of|list|vector|numbers)(?![A-Za-z])"
    r"|分别|依次|各|是|为|等于|得到|得|取|有|如下|算出来|算出|就|都|则|列表|的值)+$",
    re.IGNORECASE,
)
_RECORD = re.compile(r"\{[^{}\n]{3,600}\}")
_PAIR = re.compile(
    rf"[\"']?(?P<label>[^\"',:{{}}=\[\]()]{{1,40}}(?:\([^()]*\))?)"
    rf"[\"']?\s*[:=]\s*(?:tensor\()?(?P<x>{SIGNED})(?![A-Za-z0-9_.])"
)
_YAML = re.compile(
    rf"(?m)^(?P<label>[^\n:]{{1,60}})[:：][ \t]*\n(?P<items>(?:[ \t]{{0,9}}[-*•] {SIGNED}[ \t]{{0,9}}(?:\n|$)){{2,}})"
)
_JOINED = re.compile(r"\s*(?:=|→|->|⇒|\bgives?|\bwhitens? to|\bto|得到?|变成)\s*")
CHAINED = "="  # the label of a list that another list is said to be: [1, 2, 3] gives [-1, 0, 1]
_CLAUSE = re.compile(r"[{};；。]|[,，](?![^()]*\))|(?<![Rr]ef)(?<![Aa]dv)(?<![Aa]vg)\.\s")
LONGEST = 120  # characters between a name and its list


def literals(text: str) -> tuple[list[Series], str]:
    """The series that stand as data, and the text without them."""
    return _by(text, _records, _yaml, _lists)


def runs(text: str) -> tuple[list[Series], str]:
    """The series that stand as bare numbers behind their name, and the text without them."""
    return _by(text, _runs)


def _by(text: str, *readers: Callable[[str], Iterator[tuple[int, int, Series]]]) -> tuple[list[Series], str]:
    found: list[tuple[int, Series]] = []
    for reader in readers:
        read = list(reader(text))
        found += [(start, series) for start, _, series in read]
        text = _blanked(text, [(start, end) for start, end, _ in read])
    return [series for _, series in sorted(found, key=lambda pair: pair[0])], text


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


# ---------------------------------------------------------------- one object for each token


def _records(text: str) -> Iterator[tuple[int, int, Series]]:
    """{"t": 0, "r": 0.1}, {"t": 1, …}: a series for each key that all of them have."""
    objects = [(found, list(_PAIR.finditer(text, found.start() + 1, found.end()))) for found in _RECORD.finditer(text)]
    objects = [(found, pairs) for found, pairs in objects if len(pairs) > 1 and not _LIST.search(found[0])]
    if len(objects) < 2:
        return
    keys = [pair["label"].strip() for pair in objects[0][1]]
    if any([pair["label"].strip() for pair in pairs] != keys for _, pairs in objects):
        return
    for k, key in enumerate(keys):
        cells = tuple(number(pairs[k], "x") for _, pairs in objects)
        span = (objects[0][0].start(), objects[-1][0].end()) if k == 0 else (objects[0][0].start(),) * 2
        yield (*span, Series(key, cells))


def _yaml(text: str) -> Iterator[tuple[int, int, Series]]:
    for found in _YAML.finditer(text):
        if meanings(found["label"].strip()):
            items = re.compile(rf"(?m)^[ \t]*[-*•] (?P<x>{SIGNED})").finditer(
                text, found.start("items"), found.end("items")
            )
            yield found.start(), found.end(), Series(found["label"].strip(), tuple(number(x, "x") for x in items))


# ---------------------------------------------------------------- named lists


def _lists(text: str) -> Iterator[tuple[int, int, Series]]:
    """name = [0.1, 0.2]; a list whose name is not known stays."""
    edge = 0
    for found in _LIST.finditer(text):
        inside = list(_ONE.finditer(text, found.start("inside"), found.end("inside")))
        if len(inside) == 1 and (found[0][0] == "(" or not _assigned(text[edge : found.start()])):
            continue
        start, label, prose = _label(text, edge, found.start())
        if edge and _JOINED.fullmatch(text[edge : found.start()]):
            label = CHAINED
        if label and (len(inside) > 1 or meanings(label)):
            yield start, found.end(), Series(label, tuple(_numbered(x) for x in inside), prose)
            edge = found.end()


def _assigned(before: str) -> bool:
    return bool(re.search(r"[=:]\s*(?:[\w.]+\()?\s*$", before))


def _numbered(found: re.Match[str]) -> Cell | None:
    return number(found) if WHOLE.fullmatch(found[0]) else None


def _runs(text: str) -> Iterator[tuple[int, int, Series]]:
    """rewards: 0, 0, 1 without brackets."""
    edge = 0
    for found in _RUN.finditer(text):
        start, label, prose = _label(text, edge, found.start("inside"))
        if label and meanings(label) + named_last(label):
            cells = tuple(number(x) for x in re.finditer(SIGNED, found["inside"]))
            placed = tuple(c._replace(place=c.place + found.start("inside")) for c in cells)
            yield start, found.end(), Series(label, placed, prose)
            edge = found.end()


def _label(text: str, edge: int, end: int) -> tuple[int, str, bool]:
    """Where the name of a list begins, the name, and whether it stands in a sentence."""
    low = max(edge, end - LONGEST)
    before = _WRAPPER.sub("", text[low:end])
    line = before.rpartition("\n")[2]
    bare = _LINK.sub("", _PRINT.sub("", line)).rstrip("[( ")
    if not bare.strip():
        above = before.rpartition("\n")[0].rstrip().rpartition("\n")[2]
        bare = _LINK.sub("", _PRINT.sub("", above)).rstrip(") ")
        line = before[-len(above) :] if above else ""
        low = low + len(before.rstrip()) - len(above) if above else low
        return low, bare.strip(), False
    cut = _CLAUSE.split(bare)[-1].strip(" \"'|-*•")
    if (own := re.split(r"[:：]", cut)[-1].strip(" \"'*")) != cut and meanings(own):
        cut = own
    if not cut or not meanings(cut):
        said = named_last(bare)
        return end - len(line) if len(line) < end else low, (bare if said else cut or bare).strip(), True
    return end - len(text[low:end]) + before.rfind(cut), cut, False
