"""One character for one meaning, as everywhere; but what separates cells stays: tabs, runs of spaces, a hat on A."""

from __future__ import annotations

import re

from prompts.read.characters import clean, unmangled

_KEPT = {"\t": "\ue010", " ": "\ue011", "\u3000": "\ue012", "Â": "\ue013", "Ã": "\ue014"}
_BACK = str.maketrans({"\ue010": "\t", "\ue011": " ", "\ue012": "  ", "\ue013": "Â", "\ue014": "Ã"})
_RUN = re.compile(r" {2,}|\u3000+")
_FILLED = re.compile(
    r"(?:torch|np|numpy|jnp)\.(?P<with>zeros|ones)(?:_like)?\(\(?(?P<count>\d{1,2}),?\)?(?:, ?dtype=[\w.]+)?\)"
)
_HAT = re.compile(r"\\(?:hat|widehat)\s*\{?\s*A\s*\}?|A\u0302")
_TILDE = re.compile(r"\\(?:tilde|widetilde|bar)\s*\{?\s*A\s*\}?|A\u0303|Ā")
_GREEK = (
    (re.compile(r"\\delta(?![a-z])"), "δ"),
    (re.compile(r"\\gamma(?![a-z])"), "γ"),
    (re.compile(r"\\lambda(?![a-z])"), "λ"),
    (re.compile(r"\\beta(?![a-z])"), "β"),
    (re.compile(r"\\(?:var)?epsilon(?![a-z])"), "ε"),
    (re.compile(r"\\rho(?![a-z])"), "ρ"),
    (re.compile(r"\\pi(?![a-z])"), "π"),
    (re.compile(r"\\(?:cdot|times)(?![a-z])"), "·"),
    (re.compile(r"\\(?:approx|simeq)(?![a-z])"), "≈"),
    (re.compile(r"\\(?:mathrm|text|mathbf|textbf|boldsymbol|operatorname|mathit)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\log(?![a-z])"), "log"),
    (re.compile(r"\\theta(?![a-z])"), "θ"),
    (re.compile(r"\\(?:quad|qquad|[,;:!])"), " "),
    (re.compile(r"\\([_%#&{}])"), r"\1"),
    (re.compile(r"\\[()\[\]]|<br ?/?>"), " "),
    (re.compile(r"✅|☑|❌|👉"), " "),
)


def tidy(message: str) -> str:
    """The message with every sign in one spelling; cells stay apart as they were."""
    text = unmangled(message)
    text = _TILDE.sub("Ã", _HAT.sub("Â", text))
    for pattern, plain in _GREEK:
        text = pattern.sub(plain, text)
    text = _RUN.sub(lambda run: "".join(_KEPT[c] for c in run.group()), text.replace("\t", _KEPT["\t"]))
    text = text.replace("Â", _KEPT["Â"]).replace("Ã", _KEPT["Ã"])
    text = _FILLED.sub(_filled, clean(text))
    return text.translate(_BACK)


def _filled(said: re.Match[str]) -> str:
    """torch.zeros(3) is [0, 0, 0]."""
    return "[" + ", ".join(["0" if said["with"] == "zeros" else "1"] * int(said["count"])) + "]"
