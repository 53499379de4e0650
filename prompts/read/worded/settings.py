"""What a sentence computes with: parameters and lists with their names, taken out of its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from prompts.read.worded.figure import U, blank

_NAMES = {
    "gamma": r"γ|\bgamma\b|折扣因子",
    "lam": r"λ|\blambda\b|\blam\b",
    "beta": r"β|\bbeta\b",
    "cliprange_value": r"\bcliprange(?:_value)?\b|\bvalue clip(?: ?range)?\b",
    "eps_low": r"(?:ε|\beps(?:ilon)?|\bclip_ratio|\bclip)_?\{?(?:low\b|下)\}?",
    "eps_high": r"(?:ε|\beps(?:ilon)?|\bclip_ratio|\bclip)_?\{?(?:high\b|上)\}?",
    "eps": r"ε(?!_?\{?(?:low|high|上|下))|\beps(?:ilon)?\b|\bclip ?range\b",
}
_ONE = "|".join(f"(?P<{name}>{words})" for name, words in _NAMES.items())
ANY_NAME = "|".join(_NAMES.values())
_LINK = r"(?:(?:都|均|同时)?(?:=|≈|:|is|of|at|are|both|取|为|是|等于|设为|设成)? ?){0,3}"
_SET = re.compile(
    rf"(?P<names>(?:{ANY_NAME})(?:\s*(?:=|,|、|and|和|与|&|/)\s*(?:{ANY_NAME})){{0,2}})\s*(?P<link>{_LINK})"
    rf"(?P<x>-?{U})(?P<of>/\d{{1,6}})?(?![\d%^]|\.\d| ?[×*])",
    re.IGNORECASE,
)
_LISTS = {
    "rewards": r"\b[rR]ewards?\b|(?<![A-Za-z])(?-i:r)(?:_t)?(?![A-Za-z])|奖励",
    "values": r"\bvalues?\b|(?<![A-Za-z])(?-i:V)(?:_t)?(?![A-Za-z])|价值|\bcritic\b|估值",
    "deltas": r"δ(?:_t)?|\bdeltas?\b|TD ?误差|\bTD errors?\b",
    "advantages": r"\badvantages?\b|(?<![A-Za-z])(?-i:A)(?:_t)?(?![A-Za-z])|优势",
    "group_rewards": r"\bscores?\b|得分|分数|打分",
}
_ROW = rf"\[ ?(?P<row>-?{U}(?: ?[,;、 ] ?-?{U})*) ?\]"
_LIST = re.compile(
    rf"(?:(?P<name>{'|'.join(f'(?P<{n}>{w})' for n, w in _LISTS.items())})"
    rf"(?P<link> ?(?:分别|就|全)?(?:=|:|is|are|of|being"
    rf"|says?|gives?|predicts?|outputs?|给出?|输出|估|为|是|取)? ?))?{_ROW}",
    re.IGNORECASE,
)
_BARE = re.compile(  # rewards 1, 0 and 1
    r"(?P<head>(?:(?<![A-Za-z])(?:rewards|values|scores)|奖励|价值|得分)(?: ?(?:分别)?(?:是|为|=|:|are))? ?)"
    rf"(?P<row>-?{U}(?:(?: ?、 ?|, ?(?:and )?| and | 和 ?)-?{U}){{1,15}})(?![\d%\]A-Za-z]|\.\d)",
    re.IGNORECASE,
)
_OF_CRITIC = r"(?:(?<![A-Za-z])(?-i:V)(?:_t)?(?![A-Za-z])|\bvalues?\b|\bcritic\b|价值|估值)[^\d,，。;；:]{0,24}?"
_ALL = r"(?:全部?|都|恒|处处|一律|总是|always|\ball\b|everywhere|constant(?:ly)?|\beach\b|\bevery\b)"
_EVERYWHERE = re.compile(
    rf"{_OF_CRITIC}{_ALL}[^\d,，。;；:]{{0,14}}?(?P<x>{U})(?![\d%]|\.\d)(?: ?(?:everywhere|throughout))?"
    rf"|{_OF_CRITIC}(?P<y>{U}) ?(?:everywhere|throughout|(?:for|at|on) (?:every|each|all)(?: (?:token|step|state)s?)?)",
    re.IGNORECASE,
)
_ONLY_LAST = re.compile(
    r"(?:(?:只有|只在|仅)(?:最后|末尾|结尾|终点)[^\d,，。;；]{0,14}?"
    r"|\b(?:only|just)\b[^\d,.;]{0,12}\b(?:last|final|terminal|end)\b[^\d,.;]{0,28}?)"
    rf"(?P<x>-?{U})(?![\d%]|\.\d)(?: ?分)?",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    rf"\breward (?:of )?(?P<x>-?{U}) (?:only )?(?:at|on|for) the (?:very )?(?:end|last(?: token| one"
    rf"| step)?|final token)"
    rf"|(?:最后|末尾)(?:一步|一个 ?(?:token|词元)?|那步)?(?:的|有|给|得|拿)?(?:奖励|得分)?(?:是|为|=)?"
    rf" ?(?P<zh>-?{U}) ?(?:的奖励|分)?"
    rf"|\b(?:the )?(?:last|final|terminal) (?:token'?s )?reward (?:is |of |= ?)?(?P<last>-?{U})"
    r"|\brewards? (?:are|is) (?:all )?(?:0|zero) (?:except|but) (?:for |at )?the last(?: one| token| step)?,?"
    rf" (?:which|where it) is (?P<but>-?{U})|奖励除了?最后(?:一?个|一步)?(?: ?token)?(?:是"
    rf"|为) ?(?P<zh_but>-?{U}) ?(?:以外|之外|外)?,?"
    r" ?(?:其余)?(?:都|全)(?:是|为) ?(?:0(?![.\d])|零)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Given:
    """Parameters, lists by name, lists without one, and the words that are left."""

    numbers: Mapping[str, Fraction]
    lists: Mapping[str, tuple[Fraction, ...]]
    unnamed: tuple[tuple[tuple[Fraction, ...], int, int], ...]  # with where they stand; they stay in the words
    body: str
    everywhere: Fraction | None = None  # V of every token
    at_the_end: Fraction | None = None  # the last reward, the only one


def given(text: str) -> Given:
    lists, unnamed, body = _lists(_BARE.sub(_bracketed, text))
    numbers, body = numbers_of(body)
    everywhere, body = (None, body) if "values" in lists else all_the_same(body)
    at_the_end, body = (None, body) if "rewards" in lists else only_at_the_end(body)
    return Given(numbers, lists, unnamed, body, everywhere, at_the_end)


def _bracketed(found: re.Match[str]) -> str:
    return f"{found['head']}[{', '.join(re.findall(rf'-?{U}', found['row']))}]"


def _lists(
    text: str,
) -> tuple[dict[str, tuple[Fraction, ...]], tuple[tuple[tuple[Fraction, ...], int, int], ...], str]:
    """Named lists are taken out; what has no name, or a name for the second time, stays."""
    named: dict[str, tuple[Fraction, ...]] = {}
    unnamed = []
    for found in _LIST.finditer(text):
        row = tuple(Fraction(x) for x in re.findall(rf"-?{U}", found["row"]))
        name = next((name for name in _LISTS if found[name]), "")
        if not name or name in named or (name not in ("rewards", "values") and "rewards" in named):
            unnamed.append((row, *found.span("row")))
        else:
            named[name] = row
            text = blank(text, *found.span())
    return named, tuple((row, a - 1, b + 1) for row, a, b in unnamed), text


def numbers_of(body: str) -> tuple[dict[str, Fraction], str]:
    """γ = λ = 1, ε 0.2; a parameter that is set twice to different numbers is none."""
    found: dict[str, Fraction] = {}
    for said in _SET.finditer(body):
        value = Fraction(said["x"]) / (int(said["of"][1:]) if said["of"] and int(said["of"][1:]) else 1)
        for name in re.finditer(_ONE, said["names"], re.IGNORECASE):
            key = name.lastgroup or ""
            if found.get(key, value) != value:
                return {}, body
            found[key] = value
        body = blank(body, *said.span())
    return found, body


def all_the_same(body: str) -> tuple[Fraction | None, str]:
    said = _EVERYWHERE.search(body)
    return (None, body) if said is None else (Fraction(said["x"] or said["y"]), blank(body, *said.span()))


def only_at_the_end(body: str) -> tuple[Fraction | None, str]:
    said = _ONLY_LAST.search(body) or _AT_THE_END.search(body)
    if said is None:
        return None, body
    x = next(said[name] for name in ("x", "zh", "last", "but", "zh_but") if name in said.re.groupindex and said[name])
    return Fraction(x), blank(body, *said.span())
