"""A page as a terminal shows it: formulas in plain signs, tables in columns, nothing of HTML."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

_SIGNS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "varepsilon": "ε",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "sum": "Σ",
    "partial": "∂",
    "nabla": "∇",
    "cdot": "·",
    "times": "×",
    "pm": "±",
    "approx": "≈",
    "ne": "≠",
    "equiv": "≡",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "in": "∈",
    "mid": "|",
    "Vert": "‖",
    "infty": "∞",
    "ldots": "…",
    "dots": "…",
    "cdots": "…",
    "to": "→",
    "mapsto": "↦",
    "implies": "⇒",
    "quad": "  ",
}
_MARKS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
_SILENT = frozenset(["left", "right", "mathrm", "operatorname", "text", "mathbb", "displaystyle", "bigl", "bigr"])
_TOKEN = re.compile(r"\\([a-zA-Z]+)\*?|\\(.)|([{}])|([^\\{}]+)", re.DOTALL)
_ALIGNED = re.compile(r"\\begin\{\w+\}|\\end\{\w+\}|(?<!\\)& ?(?==|\\approx)")
_CASE = re.compile(r"\s*(?<!\\)&\s*")
_FORMULA = re.compile(r"\$\$(.+?)\$\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|$\n?){2,}", re.MULTILINE)
_RULE = re.compile(r":?-+:?")
_SUMMARY = re.compile(r"<details>\s*<summary>(.*?)</summary>", re.DOTALL)
_TAGS = re.compile(r"</?(?:details|p|div|span)[^>]*>\n*")
_SPARE = re.compile(r"(?<=\() | (?=[)_^])")
_CALLED = re.compile(r"\b(min|max|clip|log|exp) \(")
_COMPOUND = re.compile(r"[^\w.∂]")  # what needs brackets above or below a stroke

Part: TypeAlias = "str | list[Part]"


def in_terminal(page: str) -> str:
    """The page's Markdown, easy on the eye where nothing renders it."""
    pieces, position = [], 0
    for code in _FENCE.finditer(page):
        pieces += [_prose(page[position : code.start()]), code.group()]
        position = code.end()
    whole = "".join([*pieces, _prose(page[position:])])
    return re.sub(r"\n{3,}", "\n\n", whole).rstrip("\n")


def _prose(text: str) -> str:
    text = _TAGS.sub("", _SUMMARY.sub(r"**\1**", text))
    text = re.sub(r"<sup>(.*?)</sup>", r"[\1]", text)
    text = re.sub(r"<sub>(.*?)</sub>", r"_\1", re.sub(r"</?(?:em|strong|b|i)>", "*", text))
    return html.unescape(_FORMULA.sub(_shown, _TABLE.sub(_columns, text)))


def _shown(found: re.Match[str]) -> str:
    inline = found[2]
    if inline is not None:
        return plain(inline)
    rows = _CASE.sub(",  ", _ALIGNED.sub("", found[1] or found[3])).split(r"\\")
    return "\n".join("    " + plain(row.strip()) for row in rows if row.strip())


def plain(formula: str) -> str:
    """A formula in signs that every terminal has."""
    said = re.sub(r" {2,}", " ", _all(_parts(formula)))
    return _CALLED.sub(r"\1(", _SPARE.sub("", said)).strip()


def _parts(formula: str) -> list[Part]:
    """The formula as commands ("\\x"), plain runs, and braces as lists."""
    stack: list[list[Part]] = [[]]
    for command, escaped, brace, run in _TOKEN.findall(formula):
        if brace == "{":
            stack.append([])
        elif brace == "}":
            inner: list[Part] = stack.pop() if len(stack) > 1 else []
            stack[-1].append(inner)
        else:
            stack[-1].append(f"\\{command}" if command else escaped.replace(",", " ").replace(";", " ") or run)
    return stack[0]


def _all(parts: Sequence[Part]) -> str:
    said, i = "", 0
    while i < len(parts):
        part, after = parts[i], parts[i + 1 :]
        if isinstance(part, list):
            inner = _all(part)
            said, i = said + (f"({inner})" if said[-1:] in ("_", "^") and _COMPOUND.search(inner) else inner), i + 1
        elif part == "\\frac":
            above, below = (_bracketed(_all(x if isinstance(x, list) else [x])) for x in after[:2])
            said, i = f"{said}{above}/{below}", i + 3
        elif part == "\\sqrt":
            said, i = f"{said}√({_all([after[0]])})", i + 2
        elif part[1:] in _MARKS and part[0] == "\\":
            under = _all(after[:1]).lstrip()
            said, i = said + under[:1] + _MARKS[part[1:]] + under[1:], i + 2
        else:
            said, i = said + _sign(part), i + 1
    return said


def _sign(part: str) -> str:
    if not part.startswith("\\"):
        return part
    return "" if part[1:] in _SILENT else _SIGNS.get(part[1:], f"{part[1:]} ")


def _bracketed(side: str) -> str:
    return f"({side})" if _COMPOUND.search(side) else side


def _columns(found: re.Match[str]) -> str:
    """A table with its columns under one another."""
    table = found.group()
    rows = [
        [_FORMULA.sub(_shown, cell.strip()) for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for row in table.strip("\n").split("\n")
    ]
    widths = [
        max(_width(row[i]) for row in rows if i < len(row) and not _RULE.fullmatch(row[i])) for i in range(len(rows[0]))
    ]
    lines = ["  ".join(_cell(cell, width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
    return "\n".join(lines) + ("\n" if table.endswith("\n") else "")


def _cell(cell: str, width: int) -> str:
    if _RULE.fullmatch(cell):
        return "─" * width
    gap = " " * (width - _width(cell))
    return gap + cell if re.fullmatch(r"[-−+]?[\d.]+%?|–", cell) else cell + gap


def _width(text: str) -> int:
    """Columns that a text takes: Chinese characters take two, accents none."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in html.unescape(text)
    )
