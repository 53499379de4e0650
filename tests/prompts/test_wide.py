"""What is too wide for a phone goes on below: lines of working in rows, tables in several."""

from __future__ import annotations

import re

import pytest

from engine import formulas, ops
from engine.readings.worked import given
from prompts.tell.markdown import tables, worked
from prompts.tell.rows import WIDEST, rows, width

LONG = " + ".join(rf"0.5 \cdot 0.{n}" for n in range(1000, 1009))
LINES = {
    "a sum": [rf"A_{{0}} = x + y = {LONG} \approx 2.5"],
    "what has no short name": [rf"\delta_{{0}} + \delta_{{1}} + \delta_{{2}} + \delta_{{3}} = {LONG} \approx 2.5"],
    "a list of arguments": [
        r"L_{2} = \operatorname{min}(1.28403 \cdot 0.596488, \operatorname{clip}(1.28403, 0.8, 1.2) \cdot 0.5)"
    ],
    "a sum in brackets": [rf"e = \left({LONG}\right) / 6 \approx 0.1"],
    "several lines": [rf"A_{{0}} = {LONG}", "A_{1} = 1"],
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_a_line_of_working_goes_on_below(lines):
    found = rows(lines)
    assert len(found) > len(lines)
    assert all(width(row) <= WIDEST + 0.5 and row.count("&") == 1 for row in found)
    assert _bare("".join(found)) == _bare("".join(lines))


def test_a_root_that_is_too_wide_goes_on_below_as_a_power():
    terms = " + ".join(rf"\left(0.5 - 0.{n}\right)^{{2}}" for n in range(1000, 1009))
    found = rows([rf"\sigma = \sqrt{{\left({terms}\right) / 8}} = 0.4"])
    assert len(found) > 2 and all(width(row) <= WIDEST + 0.5 for row in found)
    assert found[0].startswith(r"\sigma &= (((0.5 - 0.1000)^{2}") and found[-2].endswith(") / 8)^{1 / 2}")
    assert rows([r"\sigma = \sqrt{4} = 2"]) == [r"\sigma &= \sqrt{4} = 2"]


def _bare(formula: str) -> str:
    return re.sub(r"\\quad \{\}|\\left|\\right|[&\s]", "", formula)


def test_what_is_short_stays_in_one_line():
    short = r"A_{0} = \delta_{0} + \gamma \lambda A_{1} = 0.04 + 1 \cdot 0.95 \cdot 0.611664 \approx 0.621081"
    assert worked([short]) == f"$${short}$$"
    assert len(rows([short, short])) == 2


def test_a_table_is_cut_into_as_few_as_a_phone_takes_each_with_its_keys():
    head, body = ["t", "token", *"abcdefg"], [[str(t), "等于", *["0.123456"] * 7] for t in range(3)]
    found = tables(head, body, keys=2).split("\n\n")
    assert len(found) == 3 and all(one.startswith("| t | token |") for one in found)
    assert "".join(one.splitlines()[0] for one in found).count("|") == 3 * 3 + 7
    assert tables(head[:5], [row[:5] for row in body], keys=2).count("\n\n") == 0


def test_a_clip_is_written_as_the_papers_write_it():
    one, low, high = (given(x, name) for x, name in ((2, "ratio"), (1, "eps_low"), (3, "eps_high")))
    assert ops.clip(one, low, high).working("text") == "clip(ρ, ε_low, ε_high) = clip(2, 1, 3) = 2"
    assert ops.minimum(one, low).working("text").startswith("min(ρ, ε_low)")
    assert formulas.clip_value(one, low, high).working("text").startswith("clip(ρ, ε_low - ε_high, ")
