"""Whether a message asks for a run on the language model, and on what.

English asks with an imperative: before its verb stand only words like "please" or "can you". Chinese asks with a verb
of running beside a model, "真" or "一轮 PPO", where nothing makes it a question, a report or a refusal.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from engine.models.trial import Trial
from prompts.read.steps import finds_none, step
from prompts.read.trial import Asked, asked

_READ = tomllib.loads(Path(__file__).with_name("running.toml").read_text("utf-8"))
_OPENERS = frozenset(_READ["english"].pop("openers").split())
_EN, _ZH = (
    {name: re.compile(words, re.IGNORECASE) for name, words in _READ[language].items()}
    for language in ("english", "chinese")
)
_EN_RUN = re.compile(rf"(?:{_EN['run'].pattern})", re.IGNORECASE)
_EN_WEAK = re.compile(rf"(?:{_EN['weak'].pattern})", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z]+(?:-[A-Za-z]{1,32}){0,8}|⟦\d*⟧|[^\sA-Za-z]+")
_SENTENCES = re.compile(r"(?<=[.!?。！？;；])(?:\s+|(?=[\u3400-\u9fff]))|\n+")
_CLAUSES = re.compile(r"[,，:：]\s*")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_TEXT = re.compile(r"⟦\d*⟧")
_ROUND = re.compile(r"PPO|迭代|[做走来新练](?:一|1|两|2|三|3)[轮步遍次]", re.IGNORECASE)
_LISTS = re.compile(r"\[[^\]\d]*-?\d")
LONGEST = 2000  # characters of a message without its texts that can ask for a run
LONGEST_WITH_TEXTS = 6000
LONGEST_CHANGE = 120  # of one that changes the run before


@step(finds_none)
def wanted_run(message: str, before: Trial | None, *, on_the_loop: bool = False) -> Asked | None:
    """What is asked to be run, if a run is; after a run, a change of it asks for it again."""
    if len(message) > LONGEST_WITH_TEXTS:
        return None
    found = asked(message)
    if len(found.words) > LONGEST or "[[" in found.words:
        return None
    sentences = [part for part in _SENTENCES.split(found.words) if part.strip()]
    if any(_asks(sentence, found, on_the_loop=on_the_loop) for sentence in sentences):
        return found
    if before is not None and _changes(found, sentences):
        return replace(found, trial=before.then(found.trial))
    return None


def _asks(sentence: str, found: Asked, *, on_the_loop: bool) -> bool:
    texts = bool(_TEXT.search(sentence)) and found.named
    if _CHINESE.search(sentence) and _asks_in_chinese(sentence, texts=texts, on_the_loop=on_the_loop):
        return True
    return _asks_in_english(sentence, texts=texts, on_the_loop=on_the_loop)


# ---------------------------------------------------------------- English


def _asks_in_english(sentence: str, *, texts: bool, on_the_loop: bool) -> bool:
    if on_the_loop and _EN["bare"].search(sentence):
        return True
    if _EN["no_run"].search(sentence) or _EN["subject"].search(sentence):
        return False
    starts = [0, *(found.end() for found in _CLAUSES.finditer(sentence))]
    return any(_commands(sentence[start:], sentence, texts=texts) for start in starts)


def _commands(clause: str, sentence: str, *, texts: bool) -> bool:
    """Whether a clause is an imperative to run something for real."""
    runs, weakly = _verb(clause)
    if not (runs or weakly):
        return False
    if _on_a_model(clause):
        return True
    real = _EN["for_real"].search(sentence) or (runs and _EN["truly"].search(sentence))
    if real and _EN["what"].search(clause):
        return True
    if texts and (runs or _EN_RUN.search(sentence) or re.search(r"\bppo\b|iterat", sentence, re.IGNORECASE)):
        return True
    counted = _EN["counted"].search(clause)
    return bool(runs and counted and not _EN["by_hand"].search(sentence) and not _LISTS.search(sentence))


def _verb(clause: str) -> tuple[bool, bool]:
    """Whether the clause's first words are an imperative of running, or one that could mean it."""
    weakly = False
    for found in _WORDS.finditer(clause):
        word = found[0].lower()
        if _EN_RUN.fullmatch(word):
            return True, weakly
        weakly = weakly or _EN_WEAK.fullmatch(word) is not None
        opener = word in _OPENERS or not word[0].isalpha()
        if not opener:
            return False, weakly
    return False, weakly


def _on_a_model(clause: str) -> bool:
    into = _EN["into"].search(clause)
    return into is not None and _EN["model"].search(clause, into.start()) is not None


# ---------------------------------------------------------------- Chinese


def _asks_in_chinese(sentence: str, *, texts: bool, on_the_loop: bool) -> bool:
    if on_the_loop and _ZH["bare"].search(sentence):
        return True
    if any(_ZH[name].search(sentence) for name in ("asks", "not", "past", "subject")):
        return False
    if re.search(r"(?:吗|(?<![什怎这那])么)\W*$", sentence) and not _ZH["polite"].search(sentence):
        return False
    runs, weakly = _ZH["run"].search(sentence), _ZH["weak"].search(sentence)
    if _ZH["for_real"].search(sentence):
        return True
    if _ZH["model"].search(sentence) and (runs or (weakly and _counts(sentence))):
        return True
    if texts and (runs or (weakly and _ROUND.search(sentence))):
        return True
    by_hand = _ZH["by_hand"].search(sentence) or _LISTS.search(sentence)
    return bool(_ZH["counted"].search(sentence) and not by_hand)


def _counts(sentence: str) -> bool:
    """做一下, 算一遍, 试试: something to be done once."""
    return re.search(rf"(?:{_ZH['weak'].pattern})(?:一|1|两|2|几|个|下|给|试|看|算|吧|三|次)", sentence) is not None


# ---------------------------------------------------------------- after a run


def _changes(found: Asked, sentences: list[str]) -> bool:
    """Whether a message after a run asks for it with other texts or settings, or once more."""
    if len(found.words) > LONGEST_CHANGE or len(sentences) > 2:
        return False
    words = " ".join(sentences)
    if re.search(r"^\W*(?:why|how|what(?! (?:if|about))|when|where|which|is|are|does|do|did)\b", words, re.IGNORECASE):
        return False
    if any(_ZH[name].search(words) for name in ("asks", "not")) or re.search(r"什么|吗\W*$", words):
        return False
    again = _EN["again"].search(words) or _ZH["again"].search(words)
    return found.says_something or bool(again and len(words) <= LONGEST_CHANGE // 3)
