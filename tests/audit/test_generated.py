"""Pasted numbers from end to end: generated sheets, the tutor's own pages, and what a message brings beside them."""

from __future__ import annotations

import random
import re

import pytest

from prompts.tutor import Request, answer
from tests.audit.generate import Case, case
from tests.audit.held_out import HELD_OUT
from tests.audit.layouts import LAYOUTS
from tests.audit.measure import Outcome, figures, outcome, report

SEEDS = range(5000, 5060)
OWN = (
    "rewards = [0, 0, 0.5, 1], values = [0.3, 0.45, 0.6, 0.2], gamma = 0.9, lambda = 0.8: compute the advantages",
    "奖励 [0, 0.1, -0.2, 1]，价值 [0.31, 0.42, 0.2, 0.5]，γ=0.99，λ=0.95，算一下优势和回报",
    "whiten these advantages: [0.5, 0.2, -0.1, 0.4]",
    "GRPO 组奖励 [1, 0, 0.5, 1]，算优势",
    "ratio = [1.3, 0.7, 1.1], advantages = [1, -0.5, 2], eps = 0.2: compute the clipped objective",
    "scores = [0,0,1], logp = [-1.0,-2.0,-0.5], ref_logp = [-1.2,-1.9,-0.6], beta = 0.1: compute the rewards",
)
ASKS = {"en": "Check this:", "zh": "请核对："}


def test_cases_are_what_their_seed_says():
    assert case(7) == case(7) != case(8)
    made = [case(seed) for seed in range(300)]
    assert {one.layout for one in made} == {*LAYOUTS, *HELD_OUT}
    assert {one.language for one in made} == {"en", "zh"} and {one.digits for one in made} == set(range(1, 7))
    assert {one.first is None for one in made} == {True, False}


def test_generated_mistakes_are_found_and_named_and_right_sheets_pass():
    outcomes = [outcome(case(seed)) for seed in SEEDS]
    missed = [one.case.seed for one in outcomes if not one.right or (one.case.first and not one.cause)]
    assert missed == []


def test_the_measure_can_fail():
    right = Case(0, "", "en", "gae", "csv", "", None, frozenset(), 3, said=True)
    wrong = Case(0, "", "en", "gae", "csv", "slip", "advantages[1]", frozenset({"unknown"}), 3, said=True)
    accused = ({"where": "advantages[0]", "cause": "unknown"},)
    assert not Outcome(right, (), audited=False).right and not Outcome(right, accused, audited=True).right
    assert not Outcome(wrong, accused, audited=True).right and not Outcome(wrong, (), audited=True).right
    found = figures([Outcome(right, accused, audited=True), Outcome(wrong, (), audited=True)])
    assert (found.first, found.causes, found.accused) == (0, 0, 1)
    assert "| csv | 1 | 0.0 | 0.0 | 1 | 100.0 | 0.0 |" in report(
        [Outcome(x, accused, audited=True) for x in (right, wrong)]
    )


def _pasted(question: str) -> tuple[str, str]:
    told = answer(Request((question,)))
    return ASKS[told.lang], told.markdown


@pytest.mark.parametrize("question", OWN)
def test_a_page_of_the_tutors_own_audits_clean(question):
    ask, page = _pasted(question)
    found = answer(Request((f"{ask}\n{page}",)))
    assert (found.lesson, found.verdict, found.mistakes) == ("audit", "true", ())


@pytest.mark.parametrize("question", OWN)
def test_one_digit_changed_in_it_is_found(question):
    ask, page = _pasted(question)
    beyond = r" \| \S+" if "GRPO" in question else ""  # REINFORCE++ is none of what is checked
    rows = list(re.finditer(rf"(?m)^\| \d+ \|.*\| (-?\d+\.\d+){beyond} \|$", page))
    chosen = random.Random(question).choice(rows)
    place = chosen.start(1) + len(chosen[1]) - 1
    other = str((int(page[place]) + 4) % 10)
    found = answer(Request((f"{ask}\n{page[:place]}{other}{page[place + 1 :]}",)))
    t = int(re.match(r"\| (\d+)", chosen[0])[1])
    assert [x["where"].partition("[")[2] for x in found.mistakes] == [f"{t}]"]


def test_an_audit_takes_the_numbers_of_its_own_message():
    before = "rewards -0.02, -0.01, 0.98, values 0.3, 0.4, 0.6, gamma=1, lambda=0.9: compute the advantages"
    asked = "check: rewards = [0, 0, 1], values = [0.2, 0.5, 0.7], returns = [1, 1, 0.9], gamma = 1"
    alone, after = answer(Request((asked,))), answer(Request((before, asked)))
    assert alone.mistakes == after.mistakes and [x["where"] for x in after.mistakes] == ["returns[2]"]


@pytest.mark.parametrize(
    "said", ["We train with groups of 8, 3 of them right.", "8 个样本里有 3 个答对，学习率 1e-6。"]
)
def test_numbers_in_the_prose_are_no_cells(said):
    rows = "\n".join(
        f"| {i} | {r} | {a} |" for i, r, a in ((1, 1, 0.866), (2, 0, -0.866), (3, 0, -0.866), (4, 1, 0.866))
    )
    table = f"| i | reward | GRPO advantage |\n|---|---|---|\n{rows}"
    found = answer(Request((f"{said}\n\n{table}\n\nGRPO, right?",)))
    assert (found.verdict, found.mistakes) == ("true", ())


def test_a_wrong_program_that_fits_exactly_is_named():
    found = answer(Request(("r=[0,0,1], V=[.3,.4,.6], γ=1, λ=.95, A=[.7,.6,.4], right?",)))
    assert found.verdict == "false"
    assert {x["cause"] for x in found.mistakes} == {"mc_for_gae_as_if_lam_were_one"}
    assert found.mistakes[0]["correct"] == pytest.approx(0.651)
    assert "mc_for_gae_as_if_lam_were_one" not in found.markdown


def test_rates_that_nobody_stated_are_solved_for_and_said():
    deltas, adv = (0.9 * 0.62 - 0.5, 0.9 * 0.8 - 0.62, 0.2), []
    following = 0.0
    for delta in reversed(deltas):
        following = delta + 0.9 * 0.7 * following
        adv.insert(0, following)
    rows = "\n".join(
        f"{t},{r},{v},{d:.4f},{a:.4f}"
        for t, (r, v, d, a) in enumerate(zip((0, 0, 1), (0.5, 0.62, 0.8), deltas, adv, strict=True))
    )
    found = answer(Request((f"t,r,V,delta,A\n{rows}\nis this right?",)))
    assert found.verdict == "true" and (found.params["gamma"], found.params["lam"]) == (0.9, 0.7)
    assert found.params["from"]["gamma"] == found.params["from"]["lam"] == "solved"
