"""Every numeral that a page shows is among the answer's facts or parameters, at the digits shown."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from lessons._lesson import LANGUAGES, lessons
from prompts.answer import Answer
from prompts.tutor import Request, answer

CODE = re.compile(r"^```.*?^```|`[^`\n]*`|</?[a-z]+>", re.DOTALL | re.MULTILINE)
INDEX = re.compile(r"[_^]\{[^{}]*\}|[_^]\d")
NUMERAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:(?: ?\\times 10\^\{|×10)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹-]*\d*\}?)?")
POWER = re.compile(r" ?\\times 10\^\{(-?\d+)\}|×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
SMALL = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
COUNTED = 24  # up to here a whole number may be an index, a position or a count
OWN = "r = [0, 0.25, 1], V = [0.3, 0.45, 0.6], γ = 0.9, λ = 0.8"


def numbers(x: Any) -> Iterator[float]:
    """Every number in facts, the names of entries among them."""
    if isinstance(x, dict):
        for key, value in x.items():
            if re.fullmatch(r"-?\d+(?:\.\d+)?", str(key)):
                yield float(key)
            yield from numbers(value)
    elif isinstance(x, list | tuple):
        for item in x:
            yield from numbers(item)
    elif isinstance(x, int | float) and not isinstance(x, bool):
        yield abs(float(x))


def unknown(found: Answer) -> list[str]:
    """Numerals of the page that no fact comes to."""
    given = {name: x for name, x in found.params.items() if name != "from"}
    known = [y for x in numbers([dict(found.facts), given]) for y in (x, 100 * x)]
    page = INDEX.sub("", INDEX.sub(_power, CODE.sub(" ", html.unescape(found.markdown))))
    return [x for x in NUMERAL.findall(page) if not _counts(x) and not any(_shows(x, y) for y in known)]


def _power(index: re.Match[str]) -> str:
    """A power of ten stays, it belongs to a number."""
    return index[0] if index.string[: index.start()].endswith(r"\times 10") else ""


def _counts(numeral: str) -> bool:
    return numeral.isdigit() and int(numeral) <= COUNTED


def _shows(numeral: str, number: float) -> bool:
    found = POWER.search(numeral)
    power = int((found[1] or found[2]).translate(SMALL)) if found else 0
    digits = POWER.sub("", numeral)
    unit = 10.0 ** (power - len(digits.partition(".")[2]))
    return math.isclose(float(digits) * 10.0**power, number, abs_tol=0.5001 * unit, rel_tol=0)


@pytest.mark.parametrize("id", sorted(set(lessons()) - {"out_of_scope"}))
def test_every_numeral_of_a_page_is_a_fact(id: str):
    for language in LANGUAGES:
        for messages in ((lessons()[id].question[language],), (OWN, lessons()[id].question[language])):
            found = answer(Request(messages, lang=language, style="full"))
            assert found.error is None and not unknown(found), (language, messages, unknown(found))


@pytest.mark.parametrize(
    "asked", ["why does V_t count r_t?", "白化会改变正负号吗？", "is the clip fraction zero at first?"]
)
def test_what_a_fact_is_told_with_is_a_fact_too(asked: str):
    found = answer(Request((asked,)))
    assert found.points and not unknown(found)


def test_a_numeral_that_no_fact_comes_to_is_noticed():
    found = answer(Request(("why λ?",)))
    spoiled = Answer(**{**vars(found), "markdown": found.markdown + "\n\n0.4242 \\(\\delta_{0}\\)"})
    assert unknown(spoiled) == ["0.4242"]
