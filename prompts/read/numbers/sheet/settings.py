"""γ, λ, β, ε as a message sets them, and single results that stand by themselves: mean = 0.35."""

from __future__ import annotations

import re
from collections import Counter

from prompts.read.numbers.sheet.cell import SIGNED, Cell, number

_X = r"(?P<x>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?: ?%)?)(?![A-Za-z0-9_%]|\.\d)"
_LINK = (
    r"[\"'`*$)\]]*\s*(?:=|:=|:|：|→|->|is|are|was|of|at|取|为|是|用|设为|设成|设|等于|值为|都是|都取|\bto\b|\busing\b)?\s*(?:set to|equal to|about|around|的)?\s*[\"'`*$(\[]*\s*"
)
_GAMMA = r"(?:γ|\bgamma|discount(?:ing)?(?:[ _]?(?:factor|rate))?|折扣(?:因子|系数|率)?|折现(?:因子|系数|率)?|伽马)(?:\s*\(?[γ(]\)?)?"
_LAM = r"(?:(?:GAE(?:[ _-]|\s*的\s*)?)?(?:λ|\blambda|(?<![A-Za-z])lam(?:bda|bd|da)?|(?<=_)lam(?:bda)?)(?![A-Za-z-])(?:\s*\(λ\))?)"
_BETA = r"(?:β|\bbeta|kl[ _-]?(?:penalty[ _])?(?:coef\w*|weight|ctrl\w*|coefficient)|KL ?(?:惩罚)?(?:系数|权重)|惩罚系数)(?:\s*\(?β\)?)?"
_VALUE_CLIP = r"(?:cliprange[ _]?value|value[ _]clip(?:[ _]?range)?|vf[ _]?clip\w*|clip[ _]?range[ _]?(?:vf|value)|价值裁剪(?:范围|宽度|系数)?|值函数裁剪(?:范围)?|ε_?[vV])"
_EPS_LOW = r"(?:(?:clip[ _]?ratio|clip|eps(?:ilon)?|ε)[ _]?\{?low\}?)"
_EPS_HIGH = r"(?:(?:clip[ _]?ratio|clip|eps(?:ilon)?|ε)[ _]?\{?high\}?)"
_EPS = r"(?:ε|\beps(?:ilon)?|clip[ _]?(?:ratio|range|eps(?:ilon)?|param\w*|coef\w*)|cliprange|裁剪(?:范围|系数|参数|阈值|宽度)(?:\s*ε)?)(?![ _]?(?:low|high|value))"
_ORDER = (
    ("cliprange_value", _VALUE_CLIP), ("eps_low", _EPS_LOW), ("eps_high", _EPS_HIGH), ("eps", _EPS),
    ("beta", _BETA), ("lam", _LAM), ("gamma", _GAMMA),
)  # fmt: skip
_PATTERNS = tuple((name, re.compile(f"(?<![-+*·×/γ])(?<![-+*·×/] )(?:{spelt}){_LINK}{_X}", re.IGNORECASE)) for name, spelt in _ORDER)
_BOTH = re.compile(rf"\(?\s*{_GAMMA}\s*[,，、/]\s*{_LAM}\s*\)?\s*(?:=|:|：|为|是|取)\s*\(?\s*(?P<g>{SIGNED})\s*[,，、/]\s*(?P<l>{SIGNED})", re.IGNORECASE)
_EQUAL = re.compile(rf"{_GAMMA}\s*=\s*{_LAM}\s*=\s*(?P<x>{SIGNED})|{_LAM}\s*=\s*{_GAMMA}\s*=\s*(?P<y>{SIGNED})", re.IGNORECASE)
_UNDISCOUNTED = re.compile(r"\bundiscounted\b|\b(?:no|without(?: any)?) discount(?:ing)?\b|不打?折扣|不折现|无折扣|没有折扣", re.IGNORECASE)
_KIND = re.compile(r"(?<![A-Za-z0-9_])(k[123]|low_var_kl)(?![A-Za-z0-9_])", re.IGNORECASE)
_IN_RANGE = ("gamma", "lam")

_SCALARS = (
    ("vf_clipfrac", r"vf[ _]?clip[ _]?frac\w*|价值裁剪比例|value clip fraction"),
    ("clipfrac", r"(?:pg[ _])?clip[ _-]?frac(?:tion)?\w*|(?:裁剪|clip) ?(?:比例|率)|被裁剪的比例|fraction clipped"),
    ("vf_loss", r"(?:vf|value|critic|value function)[ _-]?loss|(?:价值|critic|值函数) ?损失"),
    ("surrogate", r"(?:mean |average )*surrogate(?: objective| mean)?|(?:平均)?(?:代理|替代)目标(?:均值|平均)?"),
    ("objective", r"(?:mean |average |ppo |clipped |final )*objective(?: \(mean\))?|(?:PPO ?)?目标(?:函数)?(?:均值|平均)?|平均目标"),
    ("std_population", r"population (?:std|standard deviation)|总体标准差"),
    ("std_sample", r"(?:sample )?(?:std(?:ev)?|standard deviation|σ)(?: of (?:the )?(?:A|advantages?))?|(?:A ?的|优势的?)?(?:样本)?标准差"),
    ("mean", r"(?:mean|average|avg|μ)(?: (?:of )?(?:the )?(?:A|advantages?))?|(?:A ?的|优势的?)?(?:平均|均值|平均值)"),
    ("delta_sum", r"(?:sum|total) of (?:the |all )?(?:δ|deltas?|td errors?)|Σ ?δ|δ ?(?:之和|总和|的和)"),
    ("advantage_sum", r"(?:sum|total) of (?:the |all )?(?:A|advantages?)|Σ ?A|(?:A|优势) ?(?:之和|总和|的和)"),
)  # fmt: skip
_NAMED = tuple(
    (name, re.compile(rf"(?<![A-Za-z0-9_])(?:{spelt})[*`\"']*\s*(?:=|≈|:|：|\bis\b|\bwas\b|是|为|等于|(?<=[\u3400-\u9fff])\s?|\s)\s*[*`$]*(?P<x>{SIGNED})(?![A-Za-z0-9_]|\.\d)", re.IGNORECASE)) for name, spelt in _SCALARS
)


def settings(text: str) -> tuple[dict[str, tuple[float, ...]], str]:
    """The parameters that a text sets, the values said of each, most often first, and the text without them."""
    found: dict[str, Counter[float]] = {}
    for pattern, groups in ((_BOTH, (("gamma", "g"), ("lam", "l"))), (_EQUAL, (("gamma", ""), ("lam", "")))):
        for said in pattern.finditer(text):
            for name, group in groups:
                found.setdefault(name, Counter())[float(said[group] if group else said["x"] or said["y"])] += 1
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    for name, pattern in _PATTERNS:
        for said in pattern.finditer(text):
            x = number(said, "x").value
            if x >= 0 and (name not in _IN_RANGE or x <= 1):
                found.setdefault(name, Counter())[x] += 1
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    if "gamma" not in found and _UNDISCOUNTED.search(text):
        found["gamma"] = Counter([1.0])
    return {name: tuple(x for x, _ in counts.most_common()) for name, counts in found.items()}, text


_SCORE = re.compile(
    rf"(?:\b(?:final |outcome |terminal )?(?:scores?|rm reward)\b|得分|打分|最终奖励|总分)[^\d\n,，。;.+-]{{0,24}}(?P<x>{SIGNED})(?![A-Za-z0-9_]|\.\d)",
    re.IGNORECASE,
)


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
    for name, pattern in _NAMED:
        said = pattern.search(text)
        if said is not None:
            found[name] = number(said, "x")
            text = text[: said.start()] + " " * (said.end() - said.start()) + text[said.end() :]
    return found, text
