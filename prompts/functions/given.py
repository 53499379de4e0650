"""What comes in as numbers becomes a scenario, and what was found goes out as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from engine import consistency
from engine.errors import EngineError
from engine.scenario import Scenario, scenario
from prompts.functions.asked import MOST_LAMBDAS, MOST_NUMBERS, Asked, Language, OnNumbers
from prompts.read.language import language
from prompts.read.owned import completed
from prompts.tell.ground import Grounded, strip_marks

LIKE_IT = 9  # names that stand in for one that is not there
LONGEST_LINK = 1_800  # characters


def own(asked: OnNumbers) -> tuple[Scenario, Mapping[str, str]]:
    """The scenario that is worked on, and whose each part is."""
    bounded(asked.scenario)
    found = scenario(asked.scenario or {})
    consistency.check(found)
    return completed(found)


def bounded(given: Mapping[str, Any] | None, most: int = MOST_NUMBERS) -> None:
    """Exact numbers take their time: there are not too many of them."""
    given = given or {}
    count = sum(_count(x) for x in given.values())
    if count > most:
        raise EngineError("too_long", field="scenario", length=count, limit=most)
    lams = given.get("lams")
    if isinstance(lams, list) and len(lams) > MOST_LAMBDAS:
        raise EngineError("too_long", field="lams", length=len(lams), limit=MOST_LAMBDAS)


def _count(x: Any) -> int:
    if not isinstance(x, list):
        return 1
    return sum(len(row) if isinstance(row, list) else 1 for row in x)


def spoken(asked: Asked, text: str) -> Language:
    """The language of the answer: the chosen one, else that of the words."""
    return asked.lang or ("zh" if language(text) == "zh" else "en")


def as_json(x: Any) -> Any:
    """Exact numbers as floats, words without marks. What JSON cannot hold is refused."""
    if x is None or isinstance(x, bool | int):
        return x
    if isinstance(x, str):
        return strip_marks(str(x)) if isinstance(x, Grounded) else str(x)
    if isinstance(x, SimpleNamespace):
        return as_json(vars(x))
    if isinstance(x, Mapping):
        return {str(key): as_json(y) for key, y in x.items()}
    if isinstance(x, Sequence | set | frozenset):
        return [as_json(y) for y in x]
    if isinstance(x, Fraction) and x.denominator == 1 and abs(x) < 2**53:
        return int(x)
    return _float(x)


def _float(x: Any) -> float:
    try:
        found = float(x)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise EngineError("overflow")
    return found


def unknown(field: str, value: str, known: Iterable[str]) -> EngineError:
    """A name that is not there, and those most like it."""
    names = list(known)
    if len(names) > LIKE_IT:
        holding = [name for name in names if value in name]
        near = [*holding, *get_close_matches(value, names, LIKE_IT, cutoff=0.4), *names]
        names = [*list(dict.fromkeys(near))[:LIKE_IT], "…"]
    return EngineError("bad_option", field=field, value=value, known=tuple(names))


def source(does: Callable[..., Any]) -> str:
    """Who computed it."""
    return f"{does.__module__}:{does.__qualname__}"


def link(question: str, lang: str, numbers: str = "") -> str | None:
    """The page that answers a question, on these numbers as JSON; none where that is too long for an address."""
    found = "?" + urlencode({"q": question, "lang": lang, **({"s": numbers} if numbers else {})})
    return found if len(found) <= LONGEST_LINK else None


def in_words(given: Mapping[str, Any] | None) -> str:
    """Numbers as a question names them: rewards = [0, 0, 1], gamma = 0.9."""
    return ", ".join(f"{name} = {x}" for name, x in (given or {}).items() if name not in ("prompt", "tokens"))
