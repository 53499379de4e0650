"""Characters: one spelling for each, nothing invisible, mojibake read again."""

from __future__ import annotations

import re
import unicodedata

LONGEST_MESSAGE = 20_000  # characters that are read
LONGEST_SAID = 3000  # of which what is wanted is read; the rest is data

_ENDLESS = re.compile(r"\d{40,}+")
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵀᵗᵏ", "0123456789nTtk", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₜₖₙᵢⱼₗₘ", "0123456789tknijlm", strict=True))
_RAISED = re.compile("[" + "".join(_SUPERSCRIPTS) + "⁺⁻⁽⁾]++")
_LOWERED = re.compile("[" + "".join(_SUBSCRIPTS) + "₊₋₍₎]++")
_SIGNS = {"⁺": "+", "⁻": "-", "⁽": "(", "⁾": ")", "₊": "+", "₋": "-", "₍": "(", "₎": ")"}
_VULGAR = re.compile("[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒]")
_LONE_MARK = re.compile(r"((?<=[\"'“‘|])[ ]?[\uff01-\uff5e](?=[ ]?[\"'”’|]))")  # a full-width mark that is a token

_ONE_FOR_MANY = str.maketrans(
    {
        **dict.fromkeys("−‐‑‒﹣⁃", "-"),
        **dict.fromkeys("“”„‟«»「」『』", '"'),
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("⁄∕", "/"),
        **dict.fromkeys("【〔", "["),
        **dict.fromkeys("】〕", "]"),
        **dict.fromkeys("·∙⋅•", "·"),
        **dict.fromkeys("⟶⇒⟹➔➜", "→"),
        **dict.fromkeys("∊ϵ", "ε"),
        **dict.fromkeys("ϒ", "γ"),
        "∈": "∈",
        "…": "...",
        "∑": "Σ",
        "Â": "A",
        "﹐": ",",
        "\u2028": "\n",
        "\u2029": "\n",
        "\r": "\n",
        "\x0b": "\n",
        "\x0c": "\n",
        "\x85": "\n",
    }
)
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]++"
)
_HATS = re.compile("(?<=[A-Za-z])[\u0302\u0303\u0304\u0307]")
_EN_DASH_SIGN = re.compile(r"(?<![\w.)\]])[–—](?=\.?\d)")
_SPACES = re.compile(r"[^\S\n]+")


# ---------------------------------------------------------------- mojibake

_CP1252 = {bytes([b]).decode("cp1252", "replace"): b for b in range(0x80, 0x100)}
_BYTE_OF = {**{chr(b): b for b in range(0x80, 0x100)}, **{c: b for c, b in _CP1252.items() if c != "\ufffd"}}
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
MOSTLY = 2  # times as many characters that came through as were lost
_BYTES_AS_TEXT = re.compile("[" + re.escape("".join(sorted(_BYTE_OF))) + "]{2,}+")


def _reread(run: re.Match[str]) -> str:
    """A run of high Latin characters as the UTF-8 it was before someone read it as cp1252; itself if it was not.

    Bytes that were lost on the way cost a character each; what is left must be Chinese for the most part.
    """
    text = bytes(_BYTE_OF[c] for c in run.group()).decode("utf-8", "replace")
    lost = text.count("\ufffd")
    if not lost:
        return text
    return text.replace("\ufffd", "") if len(_CHINESE.findall(text)) > MOSTLY * lost else run.group()


def unmangled(text: str) -> str:
    """UTF-8 that was read as cp1252 or Latin-1, once or twice, is read again."""
    once = _BYTES_AS_TEXT.sub(_reread, text)
    return once if once == text else _BYTES_AS_TEXT.sub(_reread, once)


# ---------------------------------------------------------------- characters


def _raised(run: re.Match[str]) -> str:
    plain = "".join(_SUPERSCRIPTS.get(c) or _SIGNS[c] for c in run.group())
    return f"^{plain}" if len(plain) == 1 else f"^{{{plain}}}"


def _lowered(run: re.Match[str]) -> str:
    plain = "".join(_SUBSCRIPTS.get(c) or _SIGNS[c] for c in run.group())
    return f"_{plain}" if len(plain) == 1 else f"_{{{plain}}}"


def _fraction(sign: re.Match[str]) -> str:
    return " " + unicodedata.normalize("NFKC", sign.group()) + " "


def clean(text: str) -> str:
    """One character for one meaning, nothing invisible; the words stay as they were written. Idempotent."""
    text = unmangled(text[:LONGEST_MESSAGE])
    text = _VULGAR.sub(_fraction, _LOWERED.sub(_lowered, _RAISED.sub(_raised, text)))
    pieces = _LONE_MARK.split(text)
    pieces[::2] = [unicodedata.normalize("NFKC", piece) for piece in pieces[::2]]
    text = "".join(pieces)[:LONGEST_MESSAGE]
    text = _INVISIBLE.sub("", _HATS.sub("", text.replace("\r\n", "\n").translate(_ONE_FOR_MANY)))
    text = _EN_DASH_SIGN.sub("-", text)
    return _SPACES.sub(" ", text)[:LONGEST_MESSAGE]


def heart(text: str) -> str:
    """Beginning and end of a long text, where a message says what it wants, without digits beyond any number."""
    said = text if len(text) <= LONGEST_SAID else f"{text[: LONGEST_SAID // 2]}\n{text[-LONGEST_SAID // 2 :]}"
    return _ENDLESS.sub("#", said)
