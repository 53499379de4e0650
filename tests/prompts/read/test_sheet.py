"""Pasted numbers into cells: tables, data, lines and settings in any format, and what their labels may name."""

from __future__ import annotations

import pytest

from prompts.read.checkable import pasted
from prompts.read.numbers.sheet.arithmetic import adds_up_to
from prompts.read.numbers.sheet.cell import Cell
from prompts.read.numbers.sheet.fit import fit
from prompts.read.numbers.sheet.labels import meanings, named_last
from prompts.read.numbers.sheet.sheet import sheet
from prompts.read.numbers.sheet.stated import shown
from prompts.read.numbers.sheet.tidy import tidy

R, V, A = [0.0, 0.0, 1.0], [0.5, 0.6, 0.9], [0.475, 0.395, 0.1]
FORMATS = {
    "pipes": "| t | r | V | A |\n|:-:|:-:|:-:|:-:|\n"
    "| 0 | 0 | 0.5 | 0.475 |\n| 1 | 0 | 0.6 | 0.395 |\n| 2 | 1 | 0.9 | 0.100 |",
    "across": "| | t=0 | t=1 | t=2 |\n|-|-|-|-|\n| r | 0 | 0 | 1 |\n"
    "| V | 0.5 | 0.6 | 0.9 |\n| A | 0.475 | 0.395 | 0.1 |",
    "backwards": "t,r,V,A\n2,1,0.9,0.1\n1,0,0.6,0.395\n0,0,0.5,0.475",
    "total": "t\tr\tV\tA\n0\t0\t0.5\t0.475\n1\t0\t0.6\t0.395\n2\t1\t0.9\t0.1\nsum\t1\t2.0\t0.97",
    "pandas": "     r    V      A\n0  0.0  0.5  0.475\n1  0.0  0.6  0.395\n2  1.0  0.9  0.100",
    "latex": "\\begin{tabular}{ccc}\nr & V & A \\\\\n\\hline\n"
    "0 & 0.5 & 0.475 \\\\\n0 & 0.6 & 0.395 \\\\\n1 & 0.9 & 0.1 \\\\\n\\end{tabular}",
    "data": '{"rewards": [0, 0, 1], "values": [0.5, 0.6, 0.9], "advantages": [0.475, 0.395, 0.1]}',
    "records": '[{"r": 0, "V": 0.5, "A": 0.475}, {"r": 0, "V": 0.6, "A": 0.395}, {"r": 1, "V": 0.9, "A": 0.1}]',
    "printed": ">>> r\ntensor([0., 0., 1.])\n>>> V\ntensor([0.5, 0.6, 0.9])\n>>> A\ntensor([0.475, 0.395, 0.100])",
    "prose": "rewards 0, 0, 1; values 0.5, 0.6 and 0.9; the advantages come out as 0.475, 0.395, 0.1",
    "lines": "t=0: r=0, V=0.5, A=0.475\nt=1: r=0, V=0.6, A=0.395\nt=2: r=1, V=0.9, A=0.1",
    "subscripts": "r_1=0, r_2=0, r_3=1\nV_1=0.5, V_2=0.6, V_3=0.9\nA_1=0.475, A_2=0.395, A_3=0.1",
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_lists(name):
    found = fit(sheet(FORMATS[name] + "\nγ=1, λ=0.95"))
    assert found is not None
    assert [list(found.given[x]) for x in ("rewards", "values")] == [R, V]
    assert [(c.name, c.stated) for c in found.claims] == [("advantages", A)]
    assert (found.right, found.total, found.given["gamma"], found.given["lam"]) == (3, 3, 1.0, 0.95)


LABELS = {
    "whitened": ("whitened advantages", "白化优势", "whiten(A)", "A_norm"),
    "advantages": ("$A_t$", "raw advantage", "优势（白化前）", "reward - baseline"),
    "mc_advantages": ("G - V",),
    "returns": ("R_t = A_t + V_t", "R_t"),
    "rewards": ("r_t", "奖励(已扣KL)"),
    "kl": ("KL (logp - ref)",),
    "ratio": ("r_t(θ)",),
    "next_value": ("V_{t+1}",),
    "ref_logp": ("log π_ref",),
    "index": ("第几步",),
    "deltas": ("δ_t（TD误差）",),
    "clipped": ("clip*A",),
}


@pytest.mark.parametrize(("meaning", "label"), [(m, label) for m, labels in LABELS.items() for label in labels])
def test_a_label_names_a_quantity(meaning, label):
    assert meanings(tidy(label))[0] == meaning


def test_the_end_of_a_clause_names_a_list():
    assert named_last("We computed everything, and the TD errors come out as")[0] == "deltas"
    assert not named_last("and then there are")


def test_what_is_set_is_read_and_expressions_set_nothing():
    found = sheet("$\\gamma = 0.9$, GAE 的 λ 取 0.8; 1 - ε = 0.8; γλ = 0.72")
    assert found.settings == {"gamma": 0.9, "lam": 0.8}
    assert sheet("undiscounted, kl_coef=0.05").settings == {"gamma": 1.0, "beta": 0.05}


@pytest.mark.parametrize(
    ("said", "value"),
    [("= 0.13 + 0.95·0.4", 0.51), ("2 (1 - 3)^2 / 4", 2.0), ("0.1 - -0.2", 0.3), ("-0.5", None), ("r + γV", None)],
)
def test_a_written_expression_adds_up(said, value):
    assert adds_up_to(said)[0] == (None if value is None else pytest.approx(value))


def _cells(*typed: str) -> list[Cell]:
    return [Cell(x, float(x), len(x.partition(".")[2]), 0) for x in typed]


def test_digits_are_as_typed_where_zeros_are_kept_and_the_finest_where_they_are_not():
    assert shown(_cells("0.70", "0.6")) == (2, 1)
    assert shown(_cells("0.7", "0.651")) == (3, 3)
    assert shown(_cells("-1.32288", "0.566947")) == (5, 6)


def test_worked_lines_bring_what_they_are_made_from():
    found = fit(
        sheet("λ 取 0.5。δ_0 = 0.25 + 0.8×1.25 - 0.5 = 0.750，δ_1 = 0 - 1.25 = -1.250。A_1 = -1.250；A_0 = 0.250")
    )
    assert found is not None and (found.given["rewards"], found.given["gamma"]) == ((0.25, 0.0), 0.8)
    assert found.right == found.total == 4


@pytest.mark.parametrize(
    "wish", ["compute the whitened advantages", "为什么 A_0 最大？", "explain how λ works", "改成 γ=0.5"]
)
def test_a_message_that_wants_something_else_is_no_audit(wish):
    assert pasted(f"{FORMATS['data']}\n{wish}") is None
    assert pasted(FORMATS["data"]) is not None


def test_a_message_without_both_sides_is_no_audit():
    assert pasted("rewards = [0, 0, 1], values = [0.5, 0.6, 0.9], right?") is None
    assert pasted("is my learning rate of 1e-6 ok?") is None
