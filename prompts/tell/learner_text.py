"""The learner's own words on a page: never markup, in whatever place they stand."""

from __future__ import annotations

import html
import re
import unicodedata

from prompts.tell.ground import Grounded, strip_marks

_ENTITIES = {ord(character): f"&#{ord(character)};" for character in "<>&\"'`*_[]()|~#\\$"}
# KaTeX reads what the browser has decoded: a word joiner after each keeps $$ and \( from opening a formula.
_ENTITIES |= {ord(character): f"&#{ord(character)};\u2060" for character in "\\$"}
# In a line of Markdown these are what they are, save a parenthesis that makes a list of a number.
_MARKUP = {code: entity for code, entity in _ENTITIES.items() if chr(code) not in "'()"}
_NUMBERED = re.compile(r"(?<=\d)\)")
LONGEST = 200  # characters of the learner's that a page repeats
_ACTIVE = re.compile(  # what Markdown, HTML, LaTeX or an automatic link could be made of
    r"[<>&`*_\[\]|~#\\$@\n\t]|:(?=/)|(?<!\d)\.|\.(?!\d)|(?<=\d)\)|\A[-+=]|%(?=%)"
)
_ENDS_CODE = re.compile(r"<(?=[A-Za-z/!?])|`(?=``)")


def quoted(text: str) -> Grounded:
    """Text as entities: what could be read as HTML, Markdown or LaTeX cannot be."""
    return Grounded(_NUMBERED.sub(_ENTITIES[ord(")")], _printable(text).translate(_MARKUP)))


def entities(text: str) -> str:
    """The same at any length and with its lines, for a drawing: in HTML as in XML."""
    return "\n".join(_in_a_line(line).translate(_ENTITIES) for line in text.splitlines())


def _printable(text: str) -> str:
    """One line, shortened."""
    kept = _in_a_line(text)
    return kept if len(kept) <= LONGEST else kept[:LONGEST] + "…"


def _in_a_line(text: str) -> str:
    """Without control or direction characters."""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in strip_marks(text))
    return " ".join(kept.split())


def verbatim(text: str) -> str:
    """A whole message as one paragraph of Markdown that shows exactly what was typed."""
    return shielded(plain(text))


def shielded(text: str) -> str:
    """A piece of a message with its blanks, none of it markup."""
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", text)


def fenced(text: str) -> str:
    """The same for a block of code, which shows what stands in it: none of it HTML, and none of it ends the block."""
    return _ENDS_CODE.sub(lambda found: f"{found[0]}\u2060", text)


def typed(shown: str) -> str:
    """What was typed, from what `verbatim` made of it."""
    return html.unescape(shown)


def plain(text: str) -> str:
    """A message without the characters that no one types: control characters, lone surrogates, blank ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs")).strip()
