"""A question of "this or that?" that the one who asks answers: which of the two is stated by the guess."""

from __future__ import annotations

import re

_ZH = re.compile(
    r"^(?P<left>[^?？]{2,60}?)[,，]?\s*还是(?:说)?(?P<right>[^?？,，]{1,40}?)(?:呢|啊)?\s*[?？]\s*(?P<guess>.{1,60})$"
)
_EN = re.compile(
    r"^(?P<left>[^?]{4,120}?),? or(?: is it| rather)? (?P<right>[^?]{2,60}?)\s*\?\s*(?P<guess>.{2,80})$", re.I
)
_GUESSES = re.compile(
    r"^\W*(?:(?:and |so )?(?:i'd |i would |i |my )(?:guess|say|think|bet|answer|vote|lean|believe|suspect)(?:s|ed)?"
    r"(?: is| it's| it is| that| towards?| for)*|probably|presumably|surely|it's|it is|must be)[,:]?\s+"
    r"|^\W*(?:我|个人|俺)?(?:的)?(?:还是)?(?:猜测?|觉得|认为|感觉|理解|印象里|记得|倾向于?|选|答案|想)*"
    r"(?:应该|大概|可能|多半|估计|恐怕|好像)*(?:是|的是)?\s*",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"^\W*(?:我|个人|应该|大概|多半|估计|感觉|猜|好像)"
    r"|^\W*(?:i'd|i |i would|my |probably|presumably|surely|it's|it is|must be)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:\s*+(?:吧|吗|的|呢|啊|对吗|对吧|right|no|correct)|\W)+$", re.IGNORECASE)
_NEGATION = re.compile(r"^(?:不|没有?|不是)")


def guessed(message: str) -> str | None:
    """The question with the side that its own answer takes; None where it has no answer, or takes neither side."""
    text = message.strip()
    found = _ZH.match(text) or _EN.match(text)
    if found is None or not _MARKED.match(found["guess"]):
        return None
    left, right = found["left"].strip(), found["right"].strip()
    guess = _TAIL.sub("", _GUESSES.sub("", found["guess"], count=1)).strip().removesuffix(" ones").removesuffix(" one")
    if not guess or re.search(r"[,，。;；.!?？]", guess):
        return None
    takes_right = _within(guess, right)
    takes_left = _within(guess, left) and not (takes_right and not _NEGATION.match(right))
    if takes_left and not (takes_right and _NEGATION.match(guess)):
        return _with_tail(left, right, guess)
    return _instead(left, right, guess) if takes_right else None


def _with_tail(left: str, right: str, guess: str) -> str:
    """The left side with what both share and stands behind the right one: "read before or after the token"."""
    words = right.split()[len(guess.split()) :]
    return " ".join([left, *words]) if guess.isascii() and left.lower().endswith(guess.lower()) else left


def _within(guess: str, side: str) -> bool:
    plain = _NEGATION.sub("", side) if not _NEGATION.match(guess) else side
    return guess.lower() in plain.lower() or plain.lower() in guess.lower()


def _instead(left: str, right: str, guess: str) -> str | None:
    """The left side with its end put as the right side has it."""
    negation = _NEGATION.match(right)
    if negation is not None:
        rest = right[negation.end() :]
        at = left.rfind(rest) if rest else -1
        return left[:at] + right + left[at + len(rest) :] if at > 0 else f"{left} {right}"
    start = right.split()[0] if right.isascii() else right[0]
    if (at := left.rfind(start)) > 0:
        return left[:at] + right
    if " " in left and right.isascii() and left.isascii():
        return " ".join([*left.split()[: -len(guess.split())], right])
    at = left.rfind("是")
    return f"{left[: at + 1]} {right}" if at > 0 else None
