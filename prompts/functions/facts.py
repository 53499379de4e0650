"""Facts: found by what is asked, read with their reason and their check."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from engine.errors import EngineError
from engine.example import RUNNING
from engine.scenario import Scenario
from engine.statements.settle import settle
from lessons._fact import Fact, Judged
from lessons._lesson import OUT_OF_SCOPE, ROOT, Lesson, Shown, lessons
from prompts.functions.answered import FactRead, FactsFound, FoundFact
from prompts.functions.asked import ReadFact, SearchFacts
from prompts.functions.given import as_json, link, own, source, spoken, unknown
from prompts.read.characters import unmangled
from prompts.read.gist import gist
from prompts.read.nearest import Near, nearest, see
from prompts.tell.templates import reason
from prompts.tell.values import Values

EXAMPLES = 4  # of how a fact is stated and denied
_BRACES = re.compile(r"\{([^{}]*)\}")


def search(asked: SearchFacts) -> FactsFound:
    lang = spoken(asked, asked.query)
    texts = gist(unmangled(asked.query))
    seen = see(texts)
    near = nearest(seen, range(len(texts)), asked.count)
    return {
        "facts": [found(one, lang) for one in near],
        "outside": round(seen.likely.get(OUT_OF_SCOPE, 0.0), 6),
        "source": source(nearest),
        "link": link(asked.query, lang),
    }


def found(near: Near, lang: str) -> FoundFact:
    return {
        "id": near.fact,
        "sentence": plainly(lessons()[near.lesson].facts[near.id].says[lang]),
        "likeness": round(near.likeness, 4),
        "score": round(near.score, 4),
        "lesson": near.lesson,
    }


def plainly(sentence: str) -> str:
    """A fact's sentence without the braces around its formulas."""
    return _BRACES.sub(r"\1", sentence)


def read(asked: ReadFact) -> FactRead:
    lang = asked.lang or "en"
    lesson, fact = _known(asked.id)
    given, origin = own(asked)
    judged, on = _judged(fact, given)
    values = Values(lang, on, origin, Shown())
    stated = _ways(lesson.id)[fact.id]
    return {
        "id": asked.id,
        "sentence": plainly(fact.says[lang]),
        "reason": reason(fact.because[lang], judged.found, values),
        "numbers": as_json(judged.found),
        "settles": {
            "verdict": judged.verdict,
            "affirmed": in_language(stated["affirmed"], lang),
            "denied": in_language(stated["denied"], lang),
        },
        "on": "yours" if asked.scenario and judged.found.get("learners") else "ours",
        "lesson": lesson.id,
        "lesson_title": lesson.title[lang],
        "source": check_of(lesson, fact.id),
        "link": link(plainly(fact.says[lang]), lang),
    }


def _known(name: str) -> tuple[Lesson, Fact]:
    lesson, _, id = name.partition("/")
    if lesson not in lessons():
        raise unknown("id", name, [f"{one}/…" for one in lessons()])
    facts = lessons()[lesson].facts
    if id not in facts:
        raise unknown("id", name, [f"{lesson}/{one}" for one in facts])
    return lessons()[lesson], facts[id]


def _judged(fact: Fact, given: Scenario) -> tuple[Judged, Scenario]:
    """On the given numbers where the check can run on them, else on the running example's."""
    try:
        return fact.judge(given, denied=False), given
    except EngineError:
        return fact.judge(RUNNING, denied=False), RUNNING


def check_of(lesson: Lesson, id: str) -> str:
    """Which function checks a fact."""
    if lesson.facts[id].claimed:
        return source(settle)
    checks: dict[str, Any] = vars(sys.modules[f"lessons.{lesson.id}.lesson"])["FACTS"]
    return source(checks[id])


@lru_cache(maxsize=64)
def _ways(lesson: str) -> dict[str, dict[str, list[str]]]:
    """How people state the facts of a lesson, and deny them."""
    return tomllib.loads((ROOT / lesson / "asked.toml").read_text(encoding="utf-8"))


def in_language(texts: Sequence[str], lang: str) -> list[str]:
    """Some of them, those in the language first."""
    chinese = re.compile(r"[\u3400-\u9fff]")
    return sorted(texts, key=lambda text: bool(chinese.search(text)) != (lang == "zh"))[:EXAMPLES]
