"""A fact's true sentence on a page. In braces stand its conditions and formulas, in backticks names of code.

    "{A_t = δ_t + γλA_(t+1)} for every response; `values[:, 0]` is read before the first token."
Digits stand nowhere else: what a sentence counts, it says in words.
"""

from __future__ import annotations

import html
import re

from prompts.tell.ground import Grounded, is_numeral
from prompts.tell.learner_text import quoted

_SPANS = re.compile(r"\{([^{}]*)\}|`([^`]*)`")
_SIGNS = {
    "γ": r"\gamma ",
    "λ": r"\lambda ",
    "β": r"\beta ",
    "ε": r"\varepsilon ",
    "δ": r"\delta ",
    "ρ": r"\rho ",
    "μ": r"\mu ",
    "σ": r"\sigma ",
    "π": r"\pi ",
    "θ": r"\theta ",
    "Σ": r"\sum ",
    "∇": r"\nabla ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "→": r"\to ",
    "−": "-",
    "·": r"\cdot ",
    "×": r"\times ",
    "±": r"\pm ",
    "…": r"\ldots ",
    "½": r"\tfrac{1}{2}",
    "²": "^2",
    "∞": r"\infty ",
}
_SYMBOL = re.compile(r"(?<![\w.`\\{\"'])([A-Za-zδρ]_[A-Za-z])(?!\w)")
_OTHERS = re.compile(r"[A-Za-z0-9 =<>+\-*/|()\[\],.^!:'%]")
_FUNCTION = re.compile(r"\b(min|max|exp|log)\b")
_NAME = re.compile(r"(?<![A-Za-z\\])([A-Za-z]{2,}(?:_[A-Za-z]{2,})*)(?![A-Za-z])")
_BELOW = re.compile(r"_\(([^()]*)\)")


class FormulaError(ValueError):
    """What stands in the braces of a sentence is no formula."""


def says(sentence: str) -> Grounded:
    """The sentence as Markdown."""
    return Grounded(_SPANS.sub(lambda span: _shown(span, "`{}`"), sentence))


def with_formulas(reason: str) -> str:
    """A reason, whose symbols with an index are typed as text, for the template: each as the formula it is."""
    return _SYMBOL.sub(r'<<math("\1")>>', reason)


def worded(sentence: str) -> Grounded:
    """The same of a sentence in somebody else's words: what stands outside of braces and backticks is no markup."""
    apart = _SPANS.split(sentence)
    pieces = [_as_text(apart[0])]
    for formula, code, after in zip(apart[1::3], apart[2::3], apart[3::3], strict=True):
        pieces.append(rf"\({latex(formula)}\)" if formula is not None else f"`{code}`")
        pieces.append(_as_text(after))
    return Grounded("".join(pieces))


def _as_text(text: str) -> str:
    """Spaces at its ends stay."""
    left, right = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{left}{quoted(text)}{right}" if text.strip() else text


def as_summary(sentence: str) -> Grounded:
    """The sentence where HTML stands, and Markdown is not read."""
    apart = _SPANS.split(sentence)
    text = [html.escape(part, quote=False) if i % 3 == 0 else part for i, part in enumerate(apart)]
    pieces = [text[0]]
    for formula, code, after in zip(text[1::3], text[2::3], text[3::3], strict=True):
        pieces.append(rf"\({latex(formula)}\)" if formula is not None else f"<code>{html.escape(code)}</code>")
        pieces.append(after)
    return Grounded("".join(pieces))


def loose_digits(sentence: str) -> str:
    """The digits outside of braces and backticks: nobody computed them."""
    return "".join(filter(is_numeral, _SPANS.sub("", sentence)))


def latex(formula: str) -> str:
    r"""γV_(t+1) → \gamma V_{t+1}"""
    for character in formula:
        if character not in _SIGNS and not _OTHERS.fullmatch(character) and character != "_":
            raise FormulaError(f"{character!r} in {formula!r}")
    found = _NAME.sub(_named, _BELOW.sub(r"_{\1}", formula))
    return " ".join("".join(_SIGNS.get(c, c) for c in found).split()).replace("%", r"\%")


def _named(found: re.Match[str]) -> str:
    name = found[1]
    if _FUNCTION.fullmatch(name):
        return rf"\{name} "
    upright = name.replace("_", r"\_")
    return rf"\mathrm{{{upright}}}"


def _shown(span: re.Match[str], code: str) -> str:
    return rf"\({latex(span[1])}\)" if span[1] is not None else code.format(span[2])
