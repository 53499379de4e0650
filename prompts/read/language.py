"""In which language a message is written, or asks to be answered."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from prompts.read.characters import heart
from prompts.read.glossary import KNOWN_WORDS, symbol
from prompts.read.moves import moves

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_FULL_WIDTH = re.compile("[，。：；？！、]")
FEW_TYPED = 2
FEW_WORDS = 3  # beside full-width punctuation: someone who types Chinese
_WORD = re.compile(r"(?<![A-Za-z0-9_.\\])[A-Za-z]{2,}(?![A-Za-z0-9_(\[]|\.\w| ?=)")
_LETTERS = re.compile(r"[A-Za-z]{3,}")
_TERMS = frozenset(tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))["terms"]["both"])
_ASKED = {
    "en": re.compile(
        r"\b(in|into|to|using) english\b|\benglish,? (please|pls|plz|version)\b|^\W*english\W*$|\bspeak english\b"
        r"|(用|说|讲|换成?|切换?(成|到)|改用|译成)英(文|语)|英(文|语)(版|回答|解释|怎么|说|讲|再)|翻(译|成)*英"
        r"|^\W*英(文|语)(吧|谢谢|可以吗|行吗)?\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"\b(in|into|to|using) (chinese|mandarin)\b|\bchinese,? (please|pls|plz|version)\b|^\W*chinese\W*$"
        r"|\bspeak chinese\b|(用|说|讲|换成?|切换?(成|到)|改用|译成)(中文|汉语)|中文(版|回答|解释|说|讲|再)"
        r"|翻(译|成)*(中|汉)|^\W*(中文|汉语)(吧|谢谢|可以吗|行吗)?\W*$",
        re.IGNORECASE,
    ),
}
_FROM_NOW_ON = re.compile(
    r"\bfrom (now|here) on\b|\balways\b|\bkeep\b|\bcontinue\b|\bswitch\b|\banswer\b|\breply\b|\brespond\b|\bspeak\b"
    r"|以后|之后|接下来|后面|从现在|一直|都用|改用|换成|切换|回答|回复|继续",
    re.IGNORECASE,
)


def language(text: str) -> str | None:
    """zh as soon as there is a Chinese character: learners mix English terms into Chinese, not the other way round.

    None when a message is of no language: "λ=0?".
    """
    if _CHINESE.search(text) or (_FULL_WIDTH.search(text) and len(_ordinary(text)) <= FEW_WORDS):
        return "zh"
    return "en" if _LETTERS.search(text) else None


def tells_language(text: str) -> str | None:
    """The language of a message in a conversation, where terms, names and numbers alone are of none."""
    if _CHINESE.search(text):
        return "zh"
    return "en" if _ordinary(text) else None


def _ordinary(text: str) -> list[str]:
    """The words that are no terms, names or symbols."""
    words = [word.lower() for word in _WORD.findall(text)]
    return [word for word in words if word not in _TERMS and word not in KNOWN_WORDS and not symbol(word)]


def asked_language(text: str) -> str | None:
    """The language that the message asks the answer to be in."""
    return next((name for name, words in _ASKED.items() if words.search(text)), None)


def beside_language(text: str) -> str:
    """The message without the words that ask for a language."""
    for words in _ASKED.values():
        text = words.sub(" ", text)
    return _FROM_NOW_ON.sub(" ", text)


def lasting_language(text: str) -> str | None:
    """The language that the message asks all further answers to be in."""
    asked = asked_language(text)
    return asked if asked and _FROM_NOW_ON.search(text) else None


def _word_or_two(message: str) -> bool:
    """Words that learners of any language type: ok, next, thanks."""
    return not _CHINESE.search(message) and len(_ordinary(message)) <= FEW_TYPED and bool(moves(message))


def of_conversation(messages: Sequence[str]) -> str:
    """The language to answer in: what was asked for, else that of the last message that has one."""
    found, lasting = None, None
    for whole in messages:
        message = heart(whole)
        lasting = lasting_language(message) or (None if asked_language(message) else lasting)
        told = tells_language(message) if found and not _word_or_two(message) else None if found else language(message)
        found = asked_language(message) or lasting or told or found
    return found or "en"
