"""What a request to run the language model says: the texts, exactly as they were typed, and the settings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.models.trial import Trial
from engine.scenario import PARAMETERS
from prompts.read.characters import clean
from prompts.read.quotes import MARK, Unquoted, unquoted

_READ = tomllib.loads(Path(__file__).with_name("trial.toml").read_text("utf-8"))
_NUMBER = (
    r"(?P<number>-?10 ?\^ ?\{?[-+]?\d+\}?"
    r"|[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?: ?[×x*·] ?10 ?\^ ?\{?[-+]?\d+\}?)?(?: ?/ ?\d+| ?%)?)"
)
_POWER = re.compile(r"(?:(?P<factor>.*?) ?[×x*·] ?)?(?P<sign>-?)10 ?\^ ?\{?(?P<power>[-+]?\d+)\}?")
_LINK = r"\s*(?:value\s+)?(?:=|:|is|of|to|at|are|be|set to|[为是取用]|设[为成]|[改换][成为]|等于|调[到成])?\s*"
_NAMED = {name: re.compile(rf"(?:{words}){_LINK}{_NUMBER}", re.IGNORECASE) for name, words in _READ["numbers"].items()}
_RANGE = re.compile(
    rf"(?:{_READ['numbers']['eps']})[^\d\[(]{{0,16}}[\[(] ?(?P<low>\d*\.?\d+) ?[,，] ?(?P<high>\d*\.?\d+) ?[\])]",
    re.IGNORECASE,
)
_COUNTS = {str(value): words for value, words in _READ["words"].items()}
_COUNT = r"(?P<number>(?<![\d.])\d+|" + "|".join(_COUNTS.values()) + ")"
_COUNTED = {
    name: re.compile(rf"{_COUNT}(?:-| ?)(?:{words})", re.IGNORECASE) for name, words in _READ["counted"].items()
}
_FLAGS = {name: re.compile(words, re.IGNORECASE) for name, words in _READ["flags"].items()}
_ESTIMATORS = {name: re.compile(words, re.IGNORECASE) for name, words in _READ["estimators"].items()}
_WHOLE = ("seed", "epochs", "iterations")
LONGEST_LINE = 500  # characters of a line in which two texts stand without marks
_NEAR = 28  # characters between a text and the word that says which of the two it is
_ROLES = {role: re.compile(_READ["texts"][role], re.IGNORECASE) for role in ("prompt", "response")}
_AS = {role: re.compile(f"{_READ['texts']['as']}(?:{_READ['texts'][role]})", re.IGNORECASE) for role in _ROLES}
_ARROW = re.compile(_READ["texts"]["arrow"])
_LABELS = "|".join(rf"(?P<{role}>{_READ['texts'][role]})" for role in _ROLES)
_SETTING = "|".join([*_READ["numbers"].values(), *_READ["estimators"].values()])
_NEXT = (  # what ends a text without quotation marks: another setting, or the other text
    rf"(?:[,，.。]\s*|\s+)(?:(?:and|with|using)\s+|[和用取设]\s*)+(?:{_SETTING})|[,，.。]\s*(?:{_SETTING})|\s+[γλβε]"
    rf"|[,，、]?\s*(?:and\s+|with\s+)?(?:the\s+)?(?:{_READ['texts']['prompt']}|{_READ['texts']['response']})\s*[:：=]"
)
_END = rf"(?=\s*(?:$|\n|[;；]|{_NEXT}))"
_LABELLED = re.compile(rf"(?:{_LABELS})\s*[:：=]\s*(?P<text>[^\s⟦][^⟦\n]{{0,600}}?){_END}", re.IGNORECASE)
_PAIR = (
    rf"\s*(?P<prompt>[^⟦\n:：,，]{{0,200}}?[?？=\d][^⟦\n:：,，]{{0,200}}?)\s*(?:{_READ['texts']['arrow']})\s*"
    rf"(?P<response>[^⟦\n,，]{{1,400}}?)"
    rf"(?=\s*(?:$|\n|[,，;；]|上|来?[真再]?跑|来一|\b(?:with|using|on|for real|and run)\b|{_NEXT}))"
)
_PAIRS = (  # after the word that leads to it, or from the line's beginning
    re.compile(r"(?:\b(?:on|with|through|try|prompt|texts?)\b:?|[在用对拿把给]|[:：,，])" + _PAIR, re.IGNORECASE),
    re.compile(r"^" + _PAIR, re.IGNORECASE | re.MULTILINE),
    re.compile(
        r"(?:^|[:：,，])\s*(?P<prompt>[^⟦\n:：,，]{0,200}?[?？])\s*(?:回答|答案?|answer|response)(?:是|为|is)?\s*"
        rf"(?P<response>[^⟦\n:：,，是为]{{1,400}}?)(?=\s*(?:$|\n|[,，;；]|上|来?[真再]?跑|{_NEXT}))",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True)
class Asked:
    """The trial and the parameters that a message names; the message's words without its texts."""

    words: str
    trial: Trial = field(default_factory=Trial)
    params: Mapping[str, Any] = field(default_factory=dict)
    named: bool = False  # whether a text stands where a prompt or a response would
    error: EngineError | None = None

    @property
    def says_something(self) -> bool:
        return bool(self.trial.given() or self.params or self.error)


def asked(message: str) -> Asked:
    """Whatever in a message could belong to a run. Whether one is asked for is another question."""
    found = unquoted(message)
    texts: dict[str, Any] = dict(_texts(found))
    marks = list(MARK.finditer(found.words))
    named = any(_role(found.words, marks, i) is not None for i in range(len(marks)))
    words = found.words
    if not texts:
        texts, words = _without_quotes(found.words)
        named = bool(texts)
    plain = clean(words)
    numbers, left = _numbers(plain)
    flags: dict[str, Any] = {name: True for name, pattern in _FLAGS.items() if pattern.search(left)}
    if flags.pop("last_layers", False):
        flags.pop("all_layers", None)
    if "sampled" in flags and set(texts) == {"response"}:
        texts = {"prompt": texts["response"]}  # let the model answer "…"
    if "response" in texts:
        flags.pop("sampled", None)
    params = {name: numbers.pop(name) for name in PARAMETERS if name in numbers}
    estimators = [name for name, pattern in _ESTIMATORS.items() if pattern.search(left)]
    if len(estimators) == 1:
        params["kl"] = estimators[0]
    try:
        _require_whole(numbers)
        return Asked(plain, Trial(**texts, **numbers, **flags), params, named)
    except EngineError as error:
        return Asked(plain, Trial(**texts), params, named, error)


# ---------------------------------------------------------------- the texts


def _texts(found: Unquoted) -> Iterator[tuple[str, str]]:
    """Which quoted text is the prompt and which the response: by the word beside it, else by their order."""
    marks = list(MARK.finditer(found.words))
    roles: dict[str, int] = {}
    for i in range(len(marks)):
        role = _role(found.words, marks, i)
        if role is not None:
            roles.setdefault(role, i)
    free = [i for i in range(len(marks)) if i not in roles.values()]
    for role in ("prompt", "response"):
        if role not in roles and free and (role == "prompt" or free[0] > roles.get("prompt", -1)):
            roles[role] = free.pop(0)
    yield from ((role, found.texts[i]) for role, i in roles.items())


def _role(words: str, marks: list[re.Match[str]], i: int) -> str | None:
    """The role whose word stands nearest before a text, or right after it."""
    mark = marks[i]
    after = words[mark.end() : marks[i + 1].start() if i + 1 < len(marks) else mark.end() + _NEAR]
    for role, pattern in _AS.items():
        if pattern.match(after):
            return role
    start = marks[i - 1].end() if i else 0
    before = words[max(start, mark.start() - _NEAR) : mark.start()]
    if i and _ARROW.search(before):
        return "response"
    places = {role: [m.end() for m in pattern.finditer(before)] for role, pattern in _ROLES.items()}
    named = {role: ends[-1] for role, ends in places.items() if ends}
    return max(named, key=lambda role: named[role]) if named else None


def _without_quotes(words: str) -> tuple[dict[str, str], str]:
    """prompt: … response: …, or … → …, without quotation marks: up to the line's end or the next thing said."""
    texts: dict[str, str] = {}
    rest = words
    for found in _LABELLED.finditer(words):
        role = "prompt" if found["prompt"] else "response"
        texts.setdefault(role, found["text"].strip())
        rest = rest.replace(found[0], " ⟦⟧ ", 1)
    if texts:
        return texts, rest
    lines = [line for line in words.splitlines() if len(line) <= LONGEST_LINE]
    pair = next(filter(None, (pattern.search(line) for pattern in _PAIRS for line in lines)), None)
    if pair is None:
        return {}, words
    return {"prompt": pair["prompt"].strip(), "response": pair["response"].strip()}, words.replace(pair[0], " ⟦⟧ ", 1)


# ---------------------------------------------------------------- the settings


def _numbers(words: str) -> tuple[dict[str, Any], str]:
    """Each setting that is named with a number, and the words without them."""
    found: dict[str, Any] = {}
    bounds = _RANGE.search(words)
    if bounds:
        low, high = float(bounds["low"]), float(bounds["high"])
        among_ratios = low < 1 < high  # the bounds of the ratio itself
        found |= {"eps_low": round(1 - low, 12), "eps_high": round(high - 1, 12)} if among_ratios else {}
        found |= {} if among_ratios else {"eps_low": low, "eps_high": high}
        words = words.replace(bounds[0], " ", 1)
    for name, pattern, read in _FORMS:
        match = pattern.search(words)
        if match and name not in found:
            found[name] = read(match["number"])
            words = words.replace(match[0], " ", 1)
    rate = found.pop("lr", None)
    if rate is not None:
        found = {"actor_lr": rate, "critic_lr": rate, **found}
    if "eps" in found and len({"eps_low", "eps_high"} & set(found)) == 2:
        found.pop("eps")
    return found, words


def _count(text: str) -> int:
    """3 or three."""
    if text.isdigit():
        return min(int(text), 10**9)
    return next(int(value) for value, words in _COUNTS.items() if re.fullmatch(words, text, re.IGNORECASE))


def _value(text: str) -> float:
    text = text.replace(" ", "").lower()
    power = _POWER.fullmatch(text)
    if power:
        sign = -1.0 if power["sign"] else 1.0
        return sign * float(power["factor"] or 1) * float(f"1e{max(-300, min(300, int(power['power'])))}")
    if text.endswith("%"):
        return float(text[:-1]) / 100
    if "/" in text:
        top, bottom = text.split("/")
        return float(Fraction(top) / Fraction(bottom)) if int(bottom) else float("inf")
    return float(text)


def _whole(text: str) -> float:
    """A number that should be whole, as an int if it is."""
    value = _value(text)
    return int(value) if value == value // 1 and abs(value) < 10**9 else value


def _require_whole(numbers: Mapping[str, Any]) -> None:
    for name in _WHOLE:
        if isinstance(numbers.get(name), float):
            raise EngineError("not_whole", field=name, position=(), value=numbers[name])


_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], float]], ...] = (
    *((name, _COUNTED[name], _count) for name in ("epochs", "iterations")),
    *((name, pattern, _whole if name in _WHOLE else _value) for name, pattern in _NAMED.items()),
    ("score", _COUNTED["score"], lambda text: float(_count(text))),
)
