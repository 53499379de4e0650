"""What a sentence may not do that marks facts: bring in what they do not say, or lose what turns their meaning.

It may quote the learner, word for word, and say what the facts make of that: these words are not its own.

The check knows words, not sense: it is quick, sees what is added or turned round, and says why. What it lets pass is
compared once more by a model (speak.py).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from prompts.model.numerals import numerals
from prompts.model.parts import is_prose
from prompts.model.standing import standing

_FILE = Path(__file__).with_name("turning.toml")
LONGEST = 320  # characters of a sentence
KEPT = ("not", "perhaps", "average")  # classes that are not lost either
FREE = ("perhaps",)  # and one that may be added
APPLYING = (  # and those that say how a fact stands to words of the learner
    "not", "same", "different", "because", "more", "less", "first", "last", "before", "after",
)  # fmt: skip
TURNS_ROUND = {"before": {"after"}, "after": {"before"}, "first": {"last", "after"}, "last": {"first", "before"}}
CLOSE = 0.75  # of the nearest clause's likeness: as near as that one
SPANS = re.compile(r"\{[^{}]*\}|`[^`]*`")
_QUOTES = re.compile(r"“([^“”]*)”|「([^「」]*)」|`([^`]*)`")
_ACTIVE = re.compile(r"<[A-Za-z!/?]|&#?\w+;|://|\]\(|\$|\\[(\[]")  # what a page would not show as it is
AROUND = 60  # characters beside the learner's words that say what they are about
LONGEST_QUESTION = 160
_CLAUSES = re.compile(r"[,;:，；：。—]|\.(?=\s|$)| (?:and|but|while|whereas|because|so) ")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_NAME = re.compile(r"[A-Za-zΑ-Ωα-ω∂∇][A-Za-zΑ-Ωα-ω0-9_./-]*(?:\[[^\]]*\]|\([^()]*\))?")
_TOLD = re.compile(r"_|\d|\.\w|\w[/(\[]|[a-z][A-Z]|[Α-Ωα-ω∂∇]|^[B-HJ-Z]$|^[A-Z]{2,}")  # a name, and no plain word
_PROJECTS = re.compile(r"\b(?:verl|trl|openrlhf|deepspeed|ray|vllm|nemo|swift|llamafactory|easyr1)\b", re.IGNORECASE)
_OURS = frozenset(["PPO", "RLHF", "LLM", "RL", "I"])  # names of the whole subject: they single out nothing
_NOTATION = re.compile(r"[A-Z]+|[Α-Ωα-ω]|δ's")
_SIGN = re.compile(
    r"[=≈≠≡≤≥∝∑∏∫√×÷·^±+→⇒\\$|]|\b(?:times|divided by|multiplied by|squared|cubed|to the power)\b"
    r"|乘以|除以|平方|次方|开方"
)
_VALUE = re.compile(r"-?\d+(?:\.\d+)?")
_SMALL_NUMBERS = {
    str(value): re.compile(rf"[{chinese}]|\b{english}\b", re.IGNORECASE)
    for value, (chinese, english) in enumerate(
        [("零", "zero"), ("一", "one"), ("二两", "two"), ("三", "three"), ("四", "four"), ("五", "five"), ("六", "six")]
    )
}
_OPERATORS = re.compile(r"(?<=[\d.)\]])[-+*/^](?=[\d.(\[])")
_LONG = re.compile(r"(?<![\w.])-?\d+\.\d{2,}(?![\w.])")
CLOSELY = 0.02  # of a number that is rounded
_ENDS = re.compile(r"[.?!](?=\s)|[。？！]")
_VERDICT = re.compile(
    r"^\W*(?:yes|no|nope|right|correct|true|false|wrong|indeed|exactly)\s*[,.;:!—–-]|^\W*(?:是的|不是|对|没错|不对|正确|错)[,，。!！:：]",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"^\W*(?:this|that|these|those|it|they|so|hence|therefore|thus)\b|^\W*(?:这|那|它|因此|所以|于是)", re.IGNORECASE
)


def objection(sentence: str, facts: Sequence[str], language: str, message: str = "") -> str | None:
    """Why a sentence that marks these facts is not shown; None: nothing is known against it.

    Notation of the message (KL, δ, V) may be taken up; names of code, numbers and turns of meaning may not, save in
    words that are quoted from it.
    """
    if not facts:
        return "no mark"
    text, marked = _plain(sentence), " ".join(facts)
    quoted = quotes(text, message, marked)
    if quoted is None:
        return "quote"
    own = _without(text, quoted)
    beside = (*quoted, message) if any(words not in marked for words in quoted) else ()
    return (
        _form(text, own, language)
        or _brought_in(own, " ".join((marked, *quoted)), message)
        or _turned(own, facts, language, beside)
    )


def no_question(sentence: str, language: str, message: str) -> str | None:
    """Why a sentence without a mark is not shown: it may ask the learner for something, and nothing else."""
    text = _plain(sentence)
    quoted = quotes(text, message, "")
    if not text.endswith(("?", "？")) or len(text) > LONGEST_QUESTION or _ENDS.search(text[:-1]):
        return "no mark"
    if quoted is None:
        return "quote"
    own = _without(text, quoted)
    return _form(text, own, language) or _brought_in(own, " ".join((message, *quoted)), message)


def quotes(sentence: str, message: str, marked: str) -> list[str] | None:
    """The learner's words that a sentence quotes; None where it quotes what nobody said."""
    found = []
    for one in _QUOTES.finditer(sentence):
        words = next(filter(None, one.groups()), "")
        is_code = one[3] is not None
        if standing(words, message) and not _ACTIVE.search(words) and (is_code or not set(words) & set("{}")):
            found.append(words)
        elif not is_code and words not in marked:  # code that is nobody's is a formula
            return None
    return found


def around(sentence: str, message: str, marked: Sequence[str]) -> str:
    """The learner's words that a sentence quotes, with what stands beside them."""
    facts = " ".join(marked)
    own = [words for words in quotes(_plain(sentence), message, facts) or () if words not in facts]
    places = [(message.find(stands), len(stands)) for words in own if (stands := standing(words, message))]
    found: list[tuple[int, int]] = []
    for start, end in sorted((max(0, at - AROUND), at + length + AROUND) for at, length in places):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return " … ".join(" ".join(message[start:end].split()) for start, end in found)


def _without(text: str, quoted: Sequence[str]) -> str:
    for words in quoted:
        text = re.sub(rf"[“「`]{re.escape(words)}[”」`]", " … ", text)
    return text


def leans(sentence: str) -> bool:
    """Whether a sentence takes up the one before it."""
    return _LEANS.search(sentence) is not None


def _form(text: str, own: str, language: str) -> str | None:
    if not text.strip() or len(text) > LONGEST:
        return "length"
    if not is_prose(SPANS.sub(" ", own)):
        return "markup"
    if any(unicodedata.category(c)[0] in "CM" for c in text):
        return "characters"
    chinese, words = len(_CHINESE.findall(own)), len(_LATIN.findall(SPANS.sub(" ", own)))
    if (language == "zh") != (chinese > words):
        return "language"
    return "verdict" if _VERDICT.search(text) else None


def _brought_in(text: str, marked: str, message: str) -> str | None:
    """A formula, a number, a name or a sign that the facts have not."""
    spans = {" ".join(span[1:-1].split()) for span in SPANS.findall(marked)}
    if any(" ".join(span[1:-1].split()) not in spans for span in SPANS.findall(text)):
        return "formula"
    bare, whole = SPANS.sub(" ", text), re.sub(r"[{}`]", " ", marked)
    loose = _numbers(bare) - _numbers(whole) - _spelt(whole)
    if any(not _rounds(one, whole) for one in loose):
        return "number"
    names = {name.rstrip(".-/") for name in _NAME.findall(bare)} - _OURS
    names = {name for name in names if _TOLD.search(name) and name not in whole}
    if any(not (_NOTATION.fullmatch(name) and name in message) for name in names):
        return "name"
    if {p.lower() for p in _PROJECTS.findall(bare)} - {p.lower() for p in _PROJECTS.findall(whole)}:
        return "name"
    return "sign" if {*_SIGN.findall(bare.lower())} - {*_SIGN.findall(SPANS.sub(" ", marked).lower())} else None


def _numbers(text: str) -> set[str]:
    """The numbers of a text, in figures or in words, one spelling for each; those of sums too."""
    found = numerals(_OPERATORS.sub(" ", text))
    return {_VALUE.sub(lambda value: f"{float(value[0]):g}", one) for one in (*found.figures, *found.words)}


def _rounds(said: str, marked: str) -> bool:
    """Whether a number is one of longer ones, at fewer digits or in percent."""
    figures, percent = said.removesuffix("%"), 100 if said.endswith("%") else 1
    if not _VALUE.fullmatch(figures):
        return False
    decimals = len(figures.partition(".")[2])
    return any(
        abs(float(figures) - percent * x) <= min(0.5 * 10.0**-decimals, CLOSELY * abs(percent * x))
        for x in map(float, _LONG.findall(marked))
    )


def _spelt(text: str) -> set[str]:
    """Small numbers that stand as words in a text, whether they count there or not."""
    return {value for value, word in _SMALL_NUMBERS.items() if word.search(text)}


def _turned(text: str, facts: Sequence[str], language: str, beside: Sequence[str]) -> str | None:
    """A word that turns the meaning, and which no fact has; or one that the facts have where the sentence has none."""
    said = _classes(text, language)
    known = set(FREE).union(*(_classes(one, language, "allow_") for one in (*facts, *beside)))
    known |= set(APPLYING if beside else ())
    for name in sorted(said - known):
        if name not in TURNS_ROUND or TURNS_ROUND[name] & known:  # when something is may be said in other words
            return name
    clauses = [clause for fact in facts for clause in _CLAUSES.split(fact) if clause.strip()]
    for part in _CLAUSES.split(text):
        near = _nearest(part, clauses, language)
        for name in KEPT:
            if name not in said and near and all(name in _classes(clause, language) for clause in near):
                return f"lost: {name}"
    return None


def _nearest(part: str, clauses: Sequence[str], language: str) -> list[str]:
    """The clauses of the facts that speak of the same, as far as words tell."""
    own = _words(part, language)
    like = [len(own & _words(clause, language)) for clause in clauses]
    best = max(like, default=0)
    return [clause for clause, count in zip(clauses, like, strict=True) if best and count >= CLOSE * best]


def _words(text: str, language: str) -> set[str]:
    plain = text.lower()
    if language == "zh":
        return {plain[i : i + 2] for i in range(len(plain) - 1) if plain[i : i + 2].isalnum()}
    return {word for word in re.findall(r"[a-zα-ω_]{3,}", plain) if word not in _SMALL}


_SMALL = frozenset(
    "the and for that this with from are its has have which does was not each into than then their".split()  # noqa: SIM905
)


@cache
def _patterns(language: str, also: str) -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    given = {name: [one[language], *filter(None, [one.get(also + language)])] for name, one in table.items()}
    return {name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in given.items()}


def _classes(text: str, language: str, also: str = "-") -> set[str]:
    """The classes that a text has; with `also` those too that it allows others to have."""
    return {name for name, pattern in _patterns(language, also).items() if pattern.search(text)}


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())
