"""What a message answers to an exercise: an option, a number or several, a direction; and nothing besides."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.exercise import Exercise
from engine.grading import LETTERS, Answered, Numeral
from prompts.read.characters import clean
from prompts.read.numbers.numerals import decimals_shown

LONGEST = 160  # characters
_LETTER = re.compile(r"(?<![A-Za-z0-9_\\^'])([A-Ha-h])(?=[)\].:：,，。!！?？、]|\s|[\u3400-\u9fff]|$)(?!\s*[=(\[{_^])")
_CUE = re.compile(
    r"(?:\b(?:answers?|options?|choice|is|it's|be|chose|choose|pick|take|say|with|guess|go|not|about|select)|[选是猜为择案项])"
    r"\W{0,3}$",
    re.IGNORECASE,
)
_PLACE = tuple(
    re.compile(place, re.IGNORECASE)
    for place in (
        r"\b(?:first|1st)\b|第[一1]",
        r"\b(?:second|2nd)\b|第[二两2]",
        r"\b(?:third|3rd)\b|第[三3]",
        r"\b(?:fourth|4th)\b|第[四4]",
        r"\b(?:fifth|5th|last)\b|第[五5]|最后一",
    )
)
_PLAIN = r"(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?"
_SIGN = r"(?:[-+]|(?:\b(?:minus|negative|plus)|负的?|正的?)\s*)?\s*"
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.])({_SIGN})({_PLAIN})(?:\s*/\s*({_PLAIN})|\s*(%|percent\b|per cent\b))?(?![A-Za-z0-9_.]*\d)",
    re.IGNORECASE,
)
_OF_PERCENT = re.compile(rf"百分之\s*({_PLAIN})")
_NAMED = re.compile(  # what was asked for, before its number: A_0 = · the answer is
    r"(?:\\?(?:delta|rho|sum|hat)\b|[AGRLVbrδρÂ∑Σ]|adv(?:antages?)?|returns?|rewards?|ratio|loss|total|优势|回报|奖励|比值|损失|总和)"
    r"\s*(?:_?[\[{(]?\d{1,2}[\]})]?|[₀-₉]|_t|_?\{t\})?\s*(?:=|≈|~|:|：|\bis\b|\bequals?\b|是|为|等于|约)",
    re.IGNORECASE,
)
_DIRECTIONS = {
    1: r"\b(?:up|ris(?:es?|ing)|increas(?:es?|ing|ed)|larger|higher|bigger|grows?|climbs?|upwards?)\b"
    r"|[变更会]大|上升|增加|增大|升高?|变高|上涨|涨|提高|[↑⬆]",
    -1: r"\b(?:down|falls?|drops?|decreas(?:es?|ing|ed)|smaller|lower|less|shrinks?|declines?|downwards?)\b"
    r"|[变更会]小|下降|减少|减小|降低?|变低|下跌|跌|[↓⬇]",
    0: r"\b(?:same|unchanged|no change|stays?|neither|constant|nothing)\b|不变|没变|一样|相同|不动",
}
_SIGNS = {
    1: r"\b(?:positive|above (?:zero|0)|greater than (?:zero|0)|plus)\b|>\s*0|正|大于(?:零|0)|^\W*\+\W*$",
    -1: r"\b(?:negative|below (?:zero|0)|less than (?:zero|0)|minus)\b|<\s*0|负|小于(?:零|0)|^\W*[-−]\W*$",
    0: r"\b(?:zero|neither)\b|零|^\W*0\W*$",
}
_WAYS, _SIDES = ({way: re.compile(words, re.IGNORECASE) for way, words in x.items()} for x in (_DIRECTIONS, _SIGNS))
_BECAUSE = re.compile(r"\W{0,3}(?:\b(?:because|since|as|cause)\b|因为|由于|理由|毕竟).*", re.IGNORECASE | re.DOTALL)
_ANSWERING = re.compile(
    r"\b(?:the|a|an|my|i(?:'?(?:d|m|ll|ve))?|it(?:'?s)?|is|be|this|that|to|of|one|and|so|of course|"
    r"correct|right|wrong|true|final|best|answers?|first|by|goes?|gets?|becomes?|will|number|token|value"
    r"|options?|choices?|chose|choose|choosing|pick|picking|take|taking|say|go|going|with|guess|think|"
    r"believe|feel|would|must|should|might|may|could"
    r"|probably|maybe|perhaps|surely|definitely|hmm*|well|ok|okay|get|got|have|had|about|around|"
    r"roughly|approximately|approx|equals?|comes|what(?:'s)?|whats|with|why"
    r"|not|isn't|how|then|but|for|me|sure|pretty|ah|oh|please|check|select|did|no|idea|"
    r"clue|know|don't|dunno|vote|voting|looks?|seems?|sounds?|statement)\b"
    r"|我|觉得|认为|想|猜|应该|可能|大概|也许|肯定|一定|就|是|的|选项?|答案|正确|对|错|吧|吗|呢|啊|呀|了|嘛|个|项|那|这|它|为什么|不|难道|没|哪里?|在|算|出来|得到?|出|约|大约"
    r"|等于|为|还|要|会|都|和|呃|嗯|好像|似乎|最后|结果|有点|像|怎么|可以|请问|投|票|啥|给|到|成|数|值|条|句|左右|差不多|变|一",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never)\b|n't\b|不(?!变|动)|没(?!变)", re.IGNORECASE)
_ASKS = re.compile(r"\W*(?:(?:why|how|what|which|when)\b|为什么|为何|怎么|什么)", re.IGNORECASE)
_LEFT = re.compile(r"[A-Za-z0-9]|[\u3400-\u9fff]|[α-ωΑ-ΩΣ=+*/^_<>≥≤\[\]]")


def answered(message: str, exercise: Exercise, *, now: bool) -> Answered | None:
    """The answer that a message gives. `now`: whether the exercise was shown last; else only a letter is one."""
    text = clean(message).replace("−", "-").strip()
    if not text or len(text) > LONGEST:
        return None
    letter = _by_letter(text) if exercise.options or now else None
    if letter is not None or not now:
        return letter
    return (_by_place(text, exercise) if exercise.options else None) or _by_number(text) or _by_word(text, exercise)


def _by_letter(text: str) -> Answered | None:
    found = [match for match in _LETTER.finditer(text) if _means_an_option(match, text)]
    if len({match[1].upper() for match in found}) != 1:
        return None
    said = found[0]
    rest = _BECAUSE.sub(" ", text[said.end() :])
    beside = _NUMBER.sub(" ", f"{text[: said.start()]} {rest}")
    return Answered(letter=said[1].upper()) if _says_nothing(beside) else None


def _means_an_option(match: re.Match[str], text: str) -> bool:
    """A small letter may be a word: it counts alone, after a word of choosing, or at the very beginning."""
    alone = not _LEFT.search(text[: match.start()] + text[match.end() :])
    cue = _CUE.search(text[: match.start()]) is not None
    return match[1].isupper() or alone or cue or (match[1] != "a" and match.start() <= 1)


def _by_place(text: str, exercise: Exercise) -> Answered | None:
    for letter, place in zip(LETTERS, _PLACE, strict=False):
        if place.search(text) and _says_nothing(place.sub(" ", text)):
            return Answered(letter=letter)
    digit = text.strip(" .()#")
    places = {str(i): LETTERS[i - 1] for i in range(1, len(exercise.options) + 1)}
    is_value = any(not isinstance(x, str) and x == int(digit) for x in exercise.options if digit in places)
    return Answered(letter=places[digit]) if digit in places and not is_value else None


def _by_number(text: str) -> Answered | None:
    text = _NAMED.sub(" ", _OF_PERCENT.sub(r"\1%", text))
    text = text.rpartition("=")[2] if re.fullmatch(r"[-+*/().\d\s·×=≈]+", text) else text
    text = re.sub(r"(?<=\d)(?:\s*[、;，；]\s*|\s*,\s*|\s+)(?=[-+.\d])", " , ", text)
    found = [_numeral(match) for match in _NUMBER.finditer(text)]
    beside = re.sub(r"[\[\](){}≈~,、=]", " ", _NUMBER.sub(" ", _BECAUSE.sub(" ", text)))
    beside = _WAYS[1].sub(" ", _WAYS[-1].sub(" ", beside))
    return Answered(numbers=tuple(found)) if found and None not in found and _says_nothing(beside) else None  # type: ignore[arg-type]


def _numeral(match: re.Match[str]) -> Numeral | None:
    sign = -1 if re.match(r"-|minus|negative|负", match[1], re.IGNORECASE) else 1
    value, below, percent = Fraction(match[2]), match[3], match[4]
    if below is not None:
        return Numeral(sign * value / Fraction(below), None) if Fraction(below) else None
    return Numeral(sign * value / (100 if percent else 1), decimals_shown(match[2] + ("%" if percent else "")))


def _by_word(text: str, exercise: Exercise) -> Answered | None:
    words = _WAYS if exercise.kind == "change" else _SIDES
    said = _BECAUSE.sub(" ", text)
    found = [way for way, pattern in words.items() if pattern.search(said)]
    if len(found) != 1 or _NOT.search(said) or _ASKS.match(text):
        return None
    return Answered(direction=found[0]) if _says_nothing(words[found[0]].sub(" ", said)) else None


def _says_nothing(beside: str) -> bool:
    return not _LEFT.search(_ANSWERING.sub(" ", beside))
