"""Pages as a terminal shows them: every number is there, and nothing is left to render."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prompts import ask
from prompts.tell.terminal import in_terminal, plain

PAGES = sorted((Path(__file__).parents[2] / "lessons").glob("*/expected/*.md"))
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
NUMERAL = re.compile(r"\d+(?:\.\d+)?")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.parent.name}.{page.stem}")
def test_nothing_is_left_to_render_and_no_number_is_lost(page):
    written = page.read_text(encoding="utf-8")
    shown = in_terminal(written)
    assert FENCE.findall(shown) == FENCE.findall(written)
    prose, source = FENCE.sub("", shown), FENCE.sub("", written)
    assert not re.search(r"\\[a-zA-Z(\[]|\$\$|</?[a-z]+>|&#?\w+;|^\|", prose, re.MULTILINE)
    assert sorted(NUMERAL.findall(prose)) == sorted(NUMERAL.findall(source))


@pytest.mark.parametrize(
    ("formula", "signs"),
    [
        (r"A_{t} = \delta_{t} + \gamma \lambda A_{t + 1}", "A_t = δ_t + γ λ A_(t + 1)"),
        (r"\frac{x - \mu}{\sqrt{\sigma^{2} + \varepsilon}}", "(x - μ)/(√(σ^2 + ε))"),
        (r"\rho_{0} = \exp\left(\log \pi - \log \pi^{\mathrm{old}}\right)", "ρ_0 = exp(log π - log π^old)"),
        (r"\tilde{A}_{t}", "A\u0303_t"),
    ],
)
def test_formulas_in_plain_signs(formula, signs):
    assert plain(formula) == signs


def test_columns_stand_under_one_another():
    assert in_terminal("| t | token |\n| ---: | --- |\n| 0 | 等于 |\n| 10 | a |\n") == (
        " t  token\n──  ─────\n 0  等于\n10  a"
    ).replace(" t", "t ", 1)


def test_a_person_and_a_program_get_what_suits_them(monkeypatch, capsys):
    ask.main(["why λ?"])
    assert r"\(\lambda" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ask.main(["why λ?"])
    assert "λ" in (shown := capsys.readouterr().out) and "\\" not in FENCE.sub("", shown)
