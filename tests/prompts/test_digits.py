"""Few digits at first: three of what was computed, all of what was given, and lines of working that add up as shown."""

from __future__ import annotations

import math
import re

import pytest

from engine.notation import DIGITS, show, shown_to
from engine.readings.worked import given
from lessons._lesson import LANGUAGES, lessons
from prompts.tutor import Request, answer
from tests.lengths import taught

LINE = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
SIDES = re.compile(r"=|\\approx")
CALLS = {r"\operatorname{exp}": "exp", r"\operatorname{min}": "min", r"\operatorname{clip}": "clip", r"\sqrt": "sqrt"}
OWN = "r = [0, 0.12345, 1], V = [0.3, 0.4567, 0.6], γ = 0.9, λ = 0.5"
KNOWN = {"exp": math.exp, "min": min, "sqrt": math.sqrt, "clip": lambda x, low, high: max(low, min(high, x))}


def value(side: str) -> float | None:
    """What a side of numbers alone comes to."""
    for latex, name in CALLS.items():
        side = side.replace(latex, name)
    side = side.replace(r"\cdot", "*").replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\times 10^", "*10**")
    side = re.sub(r"\\quad|&|\\\\|\\begin\{aligned\}|\\end\{aligned\}|\{\}", " ", side)
    side = side.replace("{", "(").replace("}", ")").strip()
    if re.search(r"[\\_^]|[A-Za-z]", re.sub(r"exp|min|clip|sqrt", "", side)) or not side:
        return None
    return float(eval(side, {"__builtins__": {}}, KNOWN))  # noqa: S307  of our own page


def contradictions(page: str) -> list[str]:
    """Lines whose numbers do not come to the number that is shown behind them, at the digits shown."""
    found = []
    for line in LINE.findall(page):
        for row in re.split(r"\\\\(?= [A-Z\\]\S* &= [^ ]*[A-Za-z\\])", line):
            sides = [side for side in SIDES.split(row) if side.strip()]
            known = [(side, x) for side in sides if (x := value(side)) is not None]
            if len(known) > 1:
                result, last = known[-1][0].replace("&", "").replace(r"\end{aligned}", "").strip(), known[-1][1]
                unit = 10.0 ** -len(result.partition(".")[2].partition(" ")[0])
                found += [row for _, x in known[:-1] if abs(x - last) > 0.5001 * unit]
    return found


@pytest.mark.parametrize("id", taught())
def test_working_adds_up_as_it_is_shown(id: str):
    for language in LANGUAGES:
        found = answer(Request((lessons()[id].question[language],), lang=language))
        assert not contradictions(found.markdown)


def test_a_line_that_does_not_add_up_is_noticed():
    assert contradictions(r"$$A_{4} = \delta_{4} + \gamma A_{5} = 0.13 + 0.37 = 0.505$$")
    assert not contradictions(r"$$A_{4} = \delta_{4} + \gamma A_{5} = 0.13 + 0.375 = 0.505$$")
    assert contradictions(r"$$L_{0} = \rho_{0} A_{0} = 1.05 \cdot 0.621 \approx 0.653$$")


def test_operands_have_as_many_digits_as_the_result_takes():
    ratio, advantage = (given(x, name) for x, name in ((1, "ratio"), (1, "advantages")))
    assert ratio.value == advantage.value
    with shown_to(3) as seen:
        assert (show(1.05127).text, show(1024).text, show(1160.4).text, show(0.25).text) == (
            "1.05",
            "1024",
            "1160",
            "0.25",
        )
    assert not seen.confuses and show(1.05127).text == "1.05127" and DIGITS == 6
    with shown_to(3) as seen:
        assert show(0.45112).text == show(0.45149).text
    assert seen.confuses


@pytest.mark.parametrize("id", taught())
def test_what_was_computed_has_three_digits_at_first(id: str):
    """Outside of lines of working, which may need more to add up."""
    found = answer(Request((lessons()[id].question["zh"],)))
    page = "" if found.lesson == "audit" else LINE.sub("", found.markdown)
    for numeral in re.findall(r"(?<![\d.])\d+\.\d+", page):
        assert len(numeral.replace(".", "").lstrip("0")) <= 3, numeral


def test_what_the_learner_typed_keeps_its_digits():
    found = answer(Request((f"{OWN}. Why λ?",)))
    table = answer(Request((OWN, "why is the advantage not just δ?"))).markdown.partition("| ---")[2]
    assert "0.12345" in found.markdown and all(x in table for x in ("0.12345", "0.4567"))


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "r=[0,0,1] V=[0.3,0.5,0.8] gamma=1 lam=0.95 => A = [0.66,0.48,0.2]?",
            r"\(A_{0}\) is 0.6655, not 0.66; \(A_{1}\) is 0.49, not 0.48.",
        ),
        ("r=[0,0,1] V=[0.3,0.5,0.8] γ=1 λ=0.95 => A = [0.67,0.48,0.20] 吗？", r"\(A_{1}\) 是 0.49，不是 0.48。"),
    ],
)
def test_each_wrong_number_is_told_by_its_symbol(message, told):
    found = answer(Request((message,)))
    assert found.verdict == "false" and told in found.markdown and "advantages[" not in found.markdown


@pytest.mark.parametrize("stated", ["[0.6655, 0.49, 0.2]", "[0.6655, 0.490, 0.20]"])
def test_a_stated_number_stands_as_it_was_typed(stated):
    page = answer(Request((f"r=[0,0,1]，V=[0.3,0.5,0.8]，γ=1，λ=0.95，那 A={stated} 对吧",))).markdown
    shown = [row.split("|")[2].strip() for row in page.splitlines() if row.startswith(r"| \(A_")]
    assert shown == stated.strip("[]").split(", ")
