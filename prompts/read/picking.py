"""Which option of an exercise a message picks: by its letter, its place or its number."""

from __future__ import annotations

import re

from prompts.read.characters import clean

LETTERS = "ABCDEFGH"
LONGEST = 120  # characters
_LETTER = re.compile(r"(?<![A-Za-z0-9_\\^'])([A-Ha-h])(?=[)\].:：,，。!！?？、]|\s|[\u3400-\u9fff]|$)(?!\s*[=(\[{_^])")
_CUE = re.compile(
    r"(?:\b(?:answers?|options?|choice|is|it's|be|chose|choose|pick|take|say|with|guess|go|not|about|select)|[选是猜为择案项])"
    r"\W{0,3}$",
    re.IGNORECASE,
)
_PLACES = (
    r"\b(?:first|1st)\b|第[一1]",
    r"\b(?:second|2nd)\b|第[二两2]",
    r"\b(?:third|3rd)\b|第[三3]",
    r"\b(?:fourth|4th)\b|第[四4]",
)
_PLACE = tuple(re.compile(place, re.IGNORECASE) for place in _PLACES)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[-+−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![A-Za-z0-9_.]*\d)", re.IGNORECASE)
_BECAUSE = re.compile(r"\W{0,3}(?:\b(?:because|since|as|cause)\b|因为|由于|理由|毕竟).*", re.IGNORECASE | re.DOTALL)
_ANSWERING = re.compile(
    r"\b(?:the|a|an|my|i(?:'?(?:d|m|ll|ve))?|it(?:'?s)?|is|be|this|that|to|of|one|and|so|of course|"
    r"correct|right|wrong|true|final|best|answers?"
    r"|options?|choices?|chose|choose|choosing|pick|picking|take|taking|say|go|going|with|guess|think|"
    r"believe|feel|would|must|should|might|may|could"
    r"|probably|maybe|perhaps|surely|definitely|hmm*|well|ok|okay|get|got|have|had|about|around|"
    r"roughly|approximately|equals?|comes|what(?:'s)?|whats|with|why"
    r"|not|isn't|how|then|but|for|me|sure|pretty|ah|oh|please|check|number|select|did|say|no|idea|"
    r"clue|know|don't|dunno|vote|voting|looks?|seems?|sounds?)\b"
    r"|我|觉得|认为|想|猜|应该|可能|大概|也许|肯定|一定|就|是|的|选项?|答案|正确|对|错|吧|吗|呢|啊|呀|了|嘛|个|项|那|这|它|为什么|不|难道|没|哪里?|在|算|出来|得到?|出|约|大约"
    r"|等于|为|还|要|会|都|和|呃|嗯|好像|似乎|最后|结果|有点|像|怎么|可以|请问|投|票|啥|给",
    re.IGNORECASE,
)
_LEFT = re.compile(r"[A-Za-z0-9]|[\u3400-\u9fff]|[α-ωΑ-ΩΣ=+*/^_<>≥≤\[\]]")


def picked(message: str, *, now: bool) -> str | None:
    """The letter of the option, or the number as it was typed. `now`: whether the exercise is what was shown last."""
    text = clean(message).strip()
    if not text or len(text) > LONGEST or "\n" in text:
        return None
    letter = _by_letter(text)
    if letter is not None or not now:
        return letter
    return _by_place(text) or _by_number(text)


def _by_letter(text: str) -> str | None:
    found = [match for match in _LETTER.finditer(text) if _means_an_option(match, text)]
    if len({match[1].upper() for match in found}) != 1:
        return None
    said = found[0]
    rest = _BECAUSE.sub(" ", text[said.end() :])
    beside = _NUMBER.sub(" ", f"{text[: said.start()]} {rest}")
    return said[1].upper() if _says_nothing(beside) else None


def _means_an_option(match: re.Match[str], text: str) -> bool:
    """A small letter may be a word: it counts alone, after a word of choosing, or at the very beginning."""
    alone = not _LEFT.search(text[: match.start()] + text[match.end() :])
    cue = _CUE.search(text[: match.start()]) is not None
    return match[1].isupper() or alone or cue or (match[1] != "a" and match.start() <= 1)


def _by_place(text: str) -> str | None:
    for letter, place in zip(LETTERS, _PLACE, strict=False):
        if place.search(text) and _says_nothing(place.sub(" ", text)):
            return letter
    return None


def _by_number(text: str) -> str | None:
    found = _NUMBER.findall(text)
    return str(found[0]) if len(found) == 1 and _says_nothing(_NUMBER.sub(" ", text)) else None


def _says_nothing(beside: str) -> bool:
    return not _LEFT.search(_ANSWERING.sub(" ", beside))
