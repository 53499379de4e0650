"""The two sides of an asymmetric clip where they are called low and high: low 0.2 high 0.28, 下 0.2 上 0.28."""

from __future__ import annotations

import re

_N = r"(?P<{}>\d{{1,2}}(?:\.\d{{1,6}})?|\.\d{{1,6}})"
_BETWEEN = r"[ ,;/]{0,3}(?:and |but |和|与)?"
_IS = r"(?: ?(?:side|bound|end|边|侧|界|限))?(?: ?(?:=|:|is|是|为|取))? ?"
_LOW, _HIGH = r"(?:\blow(?:er)?|\bdown|下)", r"(?:\bhigh(?:er)?|\bupper|\bup|上)"
_LOW_FIRST = re.compile(rf"{_LOW}{_IS}{_N.format('low')}{_BETWEEN}{_HIGH}{_IS}{_N.format('high')}", re.IGNORECASE)
_HIGH_FIRST = re.compile(rf"{_HIGH}{_IS}{_N.format('high')}{_BETWEEN}{_LOW}{_IS}{_N.format('low')}", re.IGNORECASE)
_GIVEN = frozenset(["eps", "eps_low", "eps_high", "ratio"])
_CLIPPING = re.compile(r"clip|裁剪|asymmetric|decoupled|非对称|不对称|\beps|ε|epsilon", re.IGNORECASE)


_SIDE_ZH = r"[界限边](?: ?的? ?(?:ε|eps(?:ilon)?)\b)?"
_SIDE_EN = r"(?: (?:side|bound|limit|end|edge|clip)\b(?: of the clip\b)?)"
_ONE_SIDE = {
    name: re.compile(rf"(?<![\w裁剪])(?:{zh}{_SIDE_ZH}|\b(?:the )?{en}{_SIDE_EN})", re.IGNORECASE)
    for name, zh, en in (("eps_low", "下", "lower"), ("eps_high", "上", "upper"))
}
_RANGE = re.compile(
    r"(?P<before>\bclip(?:ped|ping)?(?:[ _-]?range)?(?: (?:to|at|in|within|into|between))?[ :=]{0,3}"
    r"|裁剪(?:区间|范围)?(?:到|至|在|为|是)?[ :=]{0,3})"
    r"[\[(] ?(?:ratio ?, ?|r ?, ?)?(?P<low>0?\.\d{1,6}|0) ?, ?(?P<high>1(?:\.\d{1,6})?) ?[\])]",
    re.IGNORECASE,
)


def _as_widths(found: re.Match[str]) -> str:
    """clip to [0.8, 1.2]: how far the ratio may leave 1 on either side."""
    low, high = (float(f"{abs(1 - float(found[side])):.9g}") for side in ("low", "high"))
    said = f"eps={low:g}" if low == high else f"eps_low={low:g}, eps_high={high:g}"
    return f"{found['before'].rstrip(' :=')} {said} "


def clip_sides(text: str, known: frozenset[str]) -> str:
    """The text with both sides under their names, where the clip is spoken of or was given before."""
    if not (_CLIPPING.search(text) or known & _GIVEN):
        return text
    text = _RANGE.sub(_as_widths, text)
    for pattern in (_LOW_FIRST, _HIGH_FIRST):
        text = pattern.sub(lambda found: f"eps_low={found['low']}, eps_high={found['high']}", text)
    for name, pattern in _ONE_SIDE.items() if known & _GIVEN else ():
        text = pattern.sub(f" {name} ", text)
    return text
