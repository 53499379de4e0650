"""In which form an answer is wanted, read from the words of the message."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from prompts.read.asking import sentences, wishes_of_you

_READ = tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))
_WISHES = {form: re.compile("|".join(words), re.IGNORECASE) for form, words in _READ["wishes"].items()}
_BEFORE, _BEHIND, _BEFORE_CHINESE, _BEHIND_CHINESE = _READ["sections"].pop("around")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_SECTIONS = {
    name: re.compile(
        rf"{_BEFORE}(?:{'|'.join(words)}){_BEHIND}|{_BEFORE_CHINESE}\s*(?:{'|'.join(words)})\s*{_BEHIND_CHINESE}",
        re.IGNORECASE,
    )
    for name, words in _READ["sections"].items()
}
_EN, _ZH = _READ["why"]["english"], _READ["why"]["chinese"]
_BEFORE_EN = r"^\W{0,4}(?:(?:but|and|so|ok|okay|hm+|wait|um|then|yes|right)\W{1,3}){0,3}"
_BEFORE_ZH = r"^\W{0,4}(?:可是|但是|那么|那|这|但|嗯|哦|等等|不过|呃){0,3}[,，]?(?:这是|那是|是)?"
_WHY = re.compile(
    rf"{_BEFORE_EN}(?:{_EN})\b[^.?!]{{0,40}}\W{{0,4}}$|{_BEFORE_ZH}(?:{_ZH})[^。？?]{{0,12}}\W{{0,4}}$", re.IGNORECASE
)
_WHY_OPENS = re.compile(
    rf"{_BEFORE_EN}(?:{_EN})\b|{_BEFORE_ZH}(?:{_ZH})|[,，.。;；]\s{{0,3}}(?:(?:{_EN})\b|(?:可是|但是|那么|那|但)?(?:{_ZH}))",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"^\W{0,4}(?:(?:ok|okay|and|thanks|nice|good|great|cool)\W{1,3}){0,3}(?:(?:give|show) me )?"
    r"(?:another|one more|again|once more|more|next|a new one|a different one)"
    r"(?: one| of these| of those|,? please| example| question| quiz){0,3}\W{0,4}$"
    r"|^\W{0,4}(?:好的?|嗯)?\W{0,3}(?:再|又|换|继续)(?:来|举|出|考|给|讲|换)?(?:一|个|道|几|下|遍|次|点|些){0,3}"
    r"(?:别的|其他|新的|例子?|题|吧|呢|试试){0,3}\W{0,4}$|^\W{0,4}下一(?:个|题|道)\W{0,4}$",
    re.IGNORECASE,
)


BRIEF = 40  # characters of a message that can be a wish by a noun alone: code? · 举个例子


def form(message: str) -> str | None:
    """The form that the message wishes of the tutor; a word that only occurs in it is no wish."""
    wishes = [message] if len(message) <= BRIEF else [s for s in sentences(message) if wishes_of_you(s)]
    found = next((name for name, words in _WISHES.items() if any(words.search(wish) for wish in wishes)), None)
    return found or ("why" if _WHY.search(message) else None)


def section(message: str) -> str | None:
    """The section that a message names and says nothing else."""
    said = _EDGES.sub("", message).lower()
    return next((name for name, words in _SECTIONS.items() if words.fullmatch(said)), None)


def asks_why(message: str) -> bool:
    """Whether a message of any length opens with why, perhaps after a word about which numbers are meant."""
    return _WHY_OPENS.search(message) is not None


def again(message: str) -> bool:
    """Whether a message asks for one more of the same."""
    return _AGAIN.search(message) is not None


def beside_wish(message: str) -> str:
    """The message without the words of its wish."""
    for words in _WISHES.values():
        message = words.sub(" ", message)
    return message
