"""γ, λ, β, ε as a message sets them, and single results that stand by themselves: mean = 0.35."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

from prompts.read.numbers.sheet.cell import SIGNED, Cell, number

_READ = tomllib.loads((Path(__file__).parent / "settings.toml").read_text("utf-8"))
_X = r"(?P<x>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?: ?%)?)(?![A-Za-z0-9_%]|\.\d)"
_FREE = r"(?<![-+*·×/γ])(?<![-+*·×/] )"  # none of an expression: 1 - ε = 0.8
_PATTERNS = {
    name: re.compile(f"{_FREE}(?:{spelt}){_READ['words']['link']}{_X}", re.IGNORECASE)
    for name, spelt in _READ["parameters"].items()
}
_GAMMA, _LAM = _READ["parameters"]["gamma"], _READ["parameters"]["lam"]
_PAIR = rf"(?P<g>{SIGNED})\s*[,，、/]\s*(?P<l>{SIGNED})"
_BOTH = re.compile(rf"{_GAMMA}\s*[,，、/]\s*{_LAM}\s*\)?\s*(?:=|:|：|为|是|取)\s*\(?\s*{_PAIR}", re.IGNORECASE)
_EQUAL = re.compile(
    rf"{_GAMMA}\s*=\s*{_LAM}\s*=\s*(?P<x>{SIGNED})|{_LAM}\s*=\s*{_GAMMA}\s*=\s*(?P<y>{SIGNED})", re.IGNORECASE
)
_UNDISCOUNTED = re.compile(_READ["words"]["undiscounted"], re.IGNORECASE)
_KIND = re.compile(r"(?<![A-Za-z0-9_])(k[123]|low_var_kl)(?![A-Za-z0-9_])", re.IGNORECASE)
_IN_RANGE = ("gamma", "lam")
_IS = r"[*`\"']*\s*(?:=|≈|:|：|\bis\b|\bwas\b|是|为|等于|(?<=[\u3400-\u9fff])\s?|\s)\s*[*`$]*"
_NAMED = {
    name: re.compile(rf"(?<![A-Za-z0-9_])(?:{spelt}){_IS}(?P<x>{SIGNED})(?![A-Za-z0-9_]|\.\d)", re.IGNORECASE)
    for name, spelt in _READ["results"].items()
}
_SCORE = re.compile(
    r"(?:\b(?:final |outcome |terminal )?(?:scores?|rm reward)\b|得分|打分|最终奖励|总分)[^\d\n,，。;.+-]{0,24}"
    rf"(?P<x>{SIGNED})(?![A-Za-z0-9_]|\.\d)",
    re.IGNORECASE,
)


def settings(text: str) -> tuple[dict[str, tuple[float, ...]], str]:
    """The parameters that a text sets, the values said of each, most often first, and the text without them."""
    found: dict[str, Counter[float]] = {}
    for pattern, groups in ((_BOTH, (("gamma", "g"), ("lam", "l"))), (_EQUAL, (("gamma", ""), ("lam", "")))):
        for said in pattern.finditer(text):
            for name, group in groups:
                found.setdefault(name, Counter())[float(said[group] if group else said["x"] or said["y"])] += 1
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    for name, pattern in _PATTERNS.items():
        for said in pattern.finditer(text):
            x = number(said, "x").value
            if x >= 0 and (name not in _IN_RANGE or x <= 1):
                found.setdefault(name, Counter())[x] += 1
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    if "gamma" not in found and _UNDISCOUNTED.search(text):
        found["gamma"] = Counter([1.0])
    return {name: tuple(x for x, _ in counts.most_common()) for name, counts in found.items()}, text


def final_score(text: str) -> float | None:
    """The one score that a response is said to have."""
    said = _SCORE.search(text)
    return number(said, "x").value if said else None


def estimator(text: str) -> str | None:
    """The one KL estimator that is spoken of."""
    kinds = {"k3" if m[1].lower() == "low_var_kl" else m[1].lower() for m in _KIND.finditer(text)}
    return kinds.pop() if len(kinds) == 1 else None


def single_results(text: str) -> tuple[dict[str, Cell], str]:
    """Results that are one number each, by the fact that they are, and the text without them."""
    found: dict[str, Cell] = {}
    for name, pattern in _NAMED.items():
        said = pattern.search(text)
        if said is not None:
            found[name] = number(said, "x")
            text = text[: said.start()] + " " * (said.end() - said.start()) + text[said.end() :]
    return found, text
